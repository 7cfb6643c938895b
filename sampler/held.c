/* A thread while it is held: what is copied of it, and what it did at the tick. */
#include "sampler/held.h"

#include <string.h>

#include "base/clock.h"
#include "sampler/calls.h"
#include "store/sample.h"

enum {
	AHEAD_MAX = 16 << 10,     /* bytes of a stack copied before sp is known */
	COLD_NS = 2 * NS_PER_MS,  /* after that much sleep a stop is rehearsed, */
	CALLS_SEEN = 250,         /* samples without a call after which none is expected */
	IDLE_NS = 250 * NS_PER_MS, /* but not when nobody has run for so long */
	BACK_NS = 25 * NS_PER_US, /* from a stop to the sampler, on the same CPU */
	WAKE_NS = 20 * NS_PER_US, /* from the sampler's timer to the tick's time */
};

/* The first to stop while it is polled for had a CPU. A later one may have got that of an earlier
 * one, by its stop. */
static bool stopped_first(const struct sampler *s, const struct watched_thread *t)
{
	return !t->kept && s->polling && t->asked_tick == s->tick && !s->taken_at_once;
}

static void on_ahead(void *arg, void *owner)
{
	struct sampler *s = arg;
	struct watched_thread *t = owner;
	s->held_at = clock_mono();
	/* being let go counts as being given a CPU, so it must be read before */
	t->at_stop.switches = t->switches;
	if (!stopped_first(s, t))
		watched_sched(t, &t->at_stop);
	uint64_t top = copy_top(t);
	s->ahead = 0;
	if (t->low && top > t->low && top - t->low <= AHEAD_MAX) {
		struct copy c = {.from = t->low, .want = top - t->low};
		s->ahead = copy_read(t->tid, s->held->stack, &c);
	}
}

/* It comes out of a call that only waits, not driven out by the stop. */
static bool ends_wait(const struct cpu_regs *regs)
{
	return call_only_waits(regs->call) && !call_was_interrupted(regs->result);
}

static void on_copy(void *arg, void *owner, const struct cpu_regs *regs)
{
	struct sampler *s = arg;
	struct watched_thread *t = owner;
	struct msg_sample *m = s->held;
	uint64_t sp = regs->reg[REG_SP];
	if (ends_wait(regs) && stopped_first(s, t))
		watched_sched(t, &t->at_stop);
	s->held_skip = 0;
	if (sp >= t->low && sp - t->low < s->ahead) {
		s->held_skip = sp - t->low;
		m->stack_base = sp;
		m->stack_len = (uint32_t)(s->ahead - s->held_skip);
		m->tail_len = 0;
	} else {
		struct copy plan = copy_plan(t, sp);
		copy_take(t, m, &plan);
	}
	m->regs = *regs;
	s->held_valid = true;
}

/* Follow the lowest sp: down at once, up slowly. Elsewhere on another stack. */
static uint64_t follow_low(uint64_t low, uint64_t sp)
{
	enum { SLOWLY = 256 };
	return sp < low || sp - low > AHEAD_MAX ? sp : low + (sp - low) / SLOWLY / 8 * 8;
}

/* Was a thread that comes out of waiting woken just now? One that was displaced for the sample has
 * been given a CPU again, too. Displaced by a keeper, it had run if its CPU time has moved. Displaced
 * by the sampler, it has waited since then, and for less long if it was woken after; but timers that
 * are due at about the same time fire together with the sampler's own, and that is no rare case. */
static bool was_woken(const struct sampler *s, const struct watched_thread *t,
		      const struct cpu_regs *regs, int64_t waited)
{
	switch (t->kept) {
	case KEPT_AWAY:
		return !t->kept_ran;
	case KEPT_HERE:
		return waited < s->held_at - t->asked_tick_at - BACK_NS ||
		       call_timed_out(regs->call, regs->result);
	default:
		return true;
	}
}

/* What it did at the tick.
 *
 * A thread that has been given a CPU since it was looked at and comes out of a call that only waits
 * was being woken: it had not run, and nothing was consumed where it stands.
 *
 * One that has been given a CPU since it was looked at, and had waited for that since before the
 * tick, was runnable: where threads are preempted says nothing of where they consume (on a busy
 * machine it is most often the end of a system call). Else it is the one that the sampler itself
 * had displaced. */
static uint8_t state_at_tick(const struct sampler *s, const struct watched_thread *t, enum stop_end end,
			     const struct cpu_regs *regs)
{
	if (end == STOP_GROUP)
		return STATE_STOPPED;
	if (t->at_stop.switches == t->switches)
		return STATE_RUNNING;
	int64_t waited = (int64_t)(t->at_stop.wait_ns - t->wait_ns);
	if (ends_wait(regs) && was_woken(s, t, regs, waited))
		return STATE_SLEEPING;
	if (t->kept == KEPT_AWAY && t->kept_ran)
		return STATE_RUNNING;
	return waited > clock_mono() - t->asked_tick_at + WAKE_NS ? STATE_RUNNABLE : STATE_RUNNING;
}

bool held_needs_keeper(const struct watched_thread *t)
{
	return t->calls;
}

static void see_call(struct watched_thread *t, const struct cpu_regs *regs)
{
	if (regs->call >= 0 && !call_was_interrupted(regs->result))
		t->calls = CALLS_SEEN;
	else if (t->calls)
		t->calls--;
}

static void on_done(void *arg, void *owner, enum stop_end end, int64_t held_ns)
{
	struct sampler *s = arg;
	struct watched_thread *t = owner;
	if (end == STOP_GONE) {
		tick_set_life(t, LIFE_UNKNOWN);
		tick_note_dead(t);
		return;
	}
	tick_set_life(t, LIFE_RAN);
	held_ns += t->kept ? t->kept_ns : 0;
	throttle_held(&s->throttle, &t->held, (uint64_t)held_ns);
	if (!s->held_valid)
		return;
	s->held_valid = false;
	s->taken_at_once += s->polling;
	struct msg_sample *held = s->held;
	see_call(t, &held->regs);
	t->low = follow_low(t->low, held->stack_base);
	size_t stack = held->stack_len + held->tail_len;
	struct msg_sample *m = tick_thread_message(s, MSG_SAMPLE, sizeof(*m) + stack, t);
	if (!m)
		return;
	held->msg = m->msg;
	*m = *held;
	memcpy(m->stack, held->stack + s->held_skip, stack);
	m->msg.state = state_at_tick(s, t, end, &m->regs);
	m->msg.tick = t->asked_tick;
	m->stop_ns = (uint64_t)held_ns;
	m->kernel_len = 0;
	ring_commit(s->ring, m->msg.size);
	s->warm_at = clock_mono();
	s->warm_tid = t->tid;
	s->warm_copy = (struct copy){
		.from = m->stack_base, .want = m->stack_len < AHEAD_MAX ? m->stack_len : AHEAD_MAX};
}

const struct stop_ops held_ops = {.ahead = on_ahead, .copy = on_copy, .done = on_done};

void held_rehearse(struct sampler *s)
{
	int64_t age = s->tick_at - s->warm_at;
	if (!s->warm_tid || age < COLD_NS || age > IDLE_NS)
		return;
	copy_read(s->warm_tid, s->held->stack, &s->warm_copy);
	stopper_rehearse(&s->stopper);
}
