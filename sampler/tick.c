/* One tick: what each thread does now.
 *
 * A thread last seen asleep whose count of switches is unchanged has not run: nothing is done.
 * Any other is asked what it does. Those that run are stopped at once, as near to the tick as
 * can be; those that are blocked are copied after that, where they stand: their stacks keep
 * still, and the count of switches tells if one did not. */
#include "sampler/tick.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "sampler/account.h"
#include "sampler/copy.h"
#include "sampler/guard.h"
#include "sampler/held.h"
#include "sampler/keeper.h"
#include "sampler/watchdog.h"
#include "store/sample.h"

enum {
	KERNEL_TEXT_MAX = 4096,
	SLEEP_TRIES = 3,
	GROUP = 4,                       /* threads asked before their stops are looked for */
	POLL_NS = 30 * NS_PER_US,        /* how long stops are polled for before blocking */
	REFUSED_PAUSE_NS = 100 * NS_PER_MS,
	SCAN_PAUSE_NS = 5 * NS_PER_MS,
	ZOMBIE_NS = 100 * NS_PER_MS,     /* a process that looks ended this long has ended */
	MANY = 256,                      /* of more threads, those long asleep are looked at */
	KEEPER_REST_NS = 50 * NS_PER_MS, /* asleep for so long it needs no keeper */
	TURN_NS = 50 * NS_PER_MS,        /* in turns, each as often as that */
	QUIET_NS = 330 * NS_PER_MS,      /* long asleep: not seen otherwise for so long */
};

void *tick_message(struct sampler *s, enum msg_type type, size_t size)
{
	struct msg *m = ring_reserve(s->ring, size);
	if (!m)
		return NULL;
	*m = (struct msg){.size = (uint32_t)size, .type = type, .tick = s->tick};
	return m;
}

void *tick_thread_message(struct sampler *s, enum msg_type type, size_t size,
			  const struct watched_thread *t)
{
	struct msg *m = tick_message(s, type, size);
	if (m) {
		m->process = t->process->index;
		m->slot = t->slot;
	}
	return m;
}

void tick_set_life(struct watched_thread *t, enum watched_life life)
{
	if ((t->life == LIFE_ASLEEP) != (life == LIFE_ASLEEP))
		t->process->running += life == LIFE_ASLEEP ? (size_t)-1 : 1;
	t->life = life;
}

void tick_note_dead(struct watched_thread *t)
{
	t->dead = true;
	t->process->next_scan = 0;
}

/* A time as a number of ticks, at least one. */
static uint32_t in_ticks(const struct sampler *s, int64_t ns)
{
	double n = s->opts.rate_hz * (double)ns / NS_PER_S;
	return n < 1 ? 1 : n < UINT16_MAX ? (uint32_t)n : UINT16_MAX;
}

/* ---- threads that run ------------------------------------------------------------------ */

/* Its state by what /proc tells, or -1 where it has ended: the leader of a group stays as a zombie
 * while others run. */
static int told_state(const struct watched_thread *t)
{
	struct proc_stat st;
	if (proc_stat(t->process->pid, t->tid, &st))
		return STATE_SLEEPING;
	switch (st.state) {
	case 'R':
		return STATE_RUNNING;
	case 'D':
		return STATE_DISK;
	case 'T':
	case 't':
		return STATE_STOPPED;
	case 'Z':
	case 'X':
		return -1;
	default:
		return STATE_SLEEPING;
	}
}

/* A thread whose stack cannot be had at this tick (another traces it) is there all the same. */
static void emit_without_stack(struct sampler *s, const struct watched_thread *t)
{
	int state = told_state(t);
	struct msg_sample *m = state < 0 ? NULL : tick_thread_message(s, MSG_SAMPLE, sizeof(*m), t);
	if (!m)
		return;
	m->msg.state = (uint8_t)state;
	m->stop_ns = 0;
	m->regs = (struct cpu_regs){.known = 0};
	m->stack_base = 0;
	m->stack_len = m->tail_len = m->kernel_len = 0;
	ring_commit(s->ring, m->msg.size);
}

static void ask(struct sampler *s, struct watched_thread *t)
{
	if (t->refused && s->tick_at < t->ask_again) {
		emit_without_stack(s, t);
		return;
	}
	t->asked_tick = s->tick;
	t->asked_tick_at = s->tick_at;
	if (s->opts.guard)
		guard_enter(s->opts.guard, clock_mono());
	if (s->opts.sign)
		atomic_store_explicit(&s->opts.sign->asked, (uint32_t)s->stopper.count + 1,
				      memory_order_relaxed);
	int rc = stopper_ask(&s->stopper, t->tid, t->process->strict, t);
	if (s->opts.guard)
		guard_leave(s->opts.guard);
	t->refused = rc != 0;
	if (!rc) {
		tick_set_life(t, LIFE_ASKED);
		return;
	}
	if (rc == -ESRCH)
		tick_note_dead(t);
	t->ask_again = s->tick_at + REFUSED_PAUSE_NS;
	emit_without_stack(s, t);
}

/* Take the stops of threads just asked as they come. No more than quick_stops of them can be on a
 * CPU while this thread occupies one: beyond that, and after POLL_NS, waiting would only keep the
 * others from running. */
static void poll_stops(struct sampler *s, size_t before, int taken, int64_t since)
{
	int64_t deadline = clock_mono() + POLL_NS;
	while (s->stopper.count > before && taken < s->quick_stops && clock_mono() < deadline) {
		int n = stopper_collect(&s->stopper, since);
		taken += n;
		if (n)
			deadline = clock_mono() + POLL_NS;
	}
	s->polling = false;
}

/* Ask the threads that run, a few at a time. */
static void stop_runners(struct sampler *s)
{
	int taken = 0;
	int64_t since = clock_mono();
	s->polling = true;
	s->taken_at_once = 0;
	size_t before = s->stopper.count;
	for (size_t i = 0; i < s->runners.count; i++) {
		s->runners.items[i]->kept = KEPT_NOT;
		ask(s, s->runners.items[i]);
		if ((i + 1) % GROUP == 0)
			taken += stopper_collect(&s->stopper, since);
	}
	poll_stops(s, before, taken, since);
}

/* Have a keeper come for those that need one, where they are now. */
static void expect_keepers(struct sampler *s, const struct thread_list *l)
{
	for (size_t i = 0; keepers_useful(s->keepers) && i < l->count; i++) {
		struct watched_thread *t = l->items[i];
		struct proc_stat st;
		if (t->dead || !held_needs_keeper(t) || t->quiet > in_ticks(s, KEEPER_REST_NS) ||
		    proc_stat(t->process->pid, t->tid, &st))
			continue;
		t->cpu = st.cpu;
		if (!keepers_own(s->keepers, t->cpu))
			keepers_expect(s->keepers, t->cpu, s->keep_next);
	}
}

/* ---- threads that sleep ---------------------------------------------------------------- */

static uint32_t copy_kernel_stack(struct sampler *s, const struct watched_thread *t, char *text)
{
	if (!s->opts.kernel_stacks)
		return 0;
	char path[32];
	snprintf(path, sizeof(path), "%d/stack", t->tid);
	ssize_t n = proc_read(t->process->fd_task, path, text, KERNEL_TEXT_MAX);
	if (n < 0 && (errno == EPERM || errno == EACCES))
		s->opts.kernel_stacks = false;
	return n > 0 ? (uint32_t)n : 0;
}

/* Copy a thread where it sleeps. False: it has had a CPU since it was looked at. */
static bool copy_asleep(struct sampler *s, struct watched_thread *t)
{
	struct copy plan = copy_plan(t, t->call.sp);
	struct msg_sample *m =
		tick_thread_message(s, MSG_SLEEP, sizeof(*m) + copy_size(&plan) + KERNEL_TEXT_MAX, t);
	if (!m)
		return true; /* no room: looked at again at the next tick */
	m->stop_ns = 0;
	m->regs.known = 0;
	m->regs.tls = 0;
	m->regs.call = t->call.nr;
	m->stack_len = m->tail_len = 0;
	if (t->call.sp) {
		m->regs.reg[REG_SP] = t->call.sp;
		m->regs.reg[REG_PC] = t->call.pc;
		m->regs.known = UINT64_C(1) << REG_SP | UINT64_C(1) << REG_PC;
		copy_take(t, m, &plan);
	}
	m->kernel_len = copy_kernel_stack(s, t, (char *)m->stack + m->stack_len + m->tail_len);
	int state = told_state(t);
	if (state == STATE_RUNNING)
		state = STATE_SLEEPING; /* just woken: it has not run if the count below says so */
	struct proc_sched after;
	if (!watched_sched(t, &after)) {
		tick_note_dead(t);
		return true;
	}
	if (after.switches != t->switches)
		return false;
	tick_set_life(t, LIFE_ASLEEP);
	t->zombie = state < 0;
	if (t->zombie)
		return true;
	m->msg.state = (uint8_t)state;
	m->msg.size = (uint32_t)(sizeof(*m) + m->stack_len + m->tail_len + m->kernel_len);
	ring_commit(s->ring, m->msg.size);
	return true;
}

/* ---- every thread ---------------------------------------------------------------------- */

static void look_asked(struct sampler *s, struct watched_thread *t)
{
	struct proc_sched sched;
	if (!watched_sched(t, &sched)) {
		stopper_forget(&s->stopper, t);
		return;
	}
	struct msg_waiting *m = tick_thread_message(s, MSG_WAITING, sizeof(*m), t);
	if (!m)
		return;
	/* its time has moved on: it is busy inside the kernel, where it cannot stop */
	m->msg.state = sched.cpu_ns != t->cpu_ns ? STATE_RUNNING : STATE_RUNNABLE;
	m->asked = t->asked_tick;
	t->cpu_ns = sched.cpu_ns;
	ring_commit(s->ring, sizeof(*m));
}

static void add(struct thread_list *l, struct watched_thread *t)
{
	l->items = mem_grow(l->items, &l->cap, l->count + 1, sizeof(struct watched_thread *));
	l->items[l->count++] = t;
}

/* What a thread does that may have run: put into one list or the other. */
static void look_closer(struct sampler *s, struct watched_thread *t, const struct proc_sched *sched)
{
	t->ran_this_second = true;
	t->switches = sched->switches;
	t->wait_ns = sched->wait_ns;
	t->cpu_ns = sched->cpu_ns;
	tick_set_life(t, LIFE_UNKNOWN);
	if (!watched_syscall(t, &t->call))
		tick_note_dead(t);
	else
		add(t->call.what == CALL_BLOCKED ? &s->sleepers : &s->runners, t);
}

/* The copy of a sleeping thread's stack was too short. */
static bool wants_again(struct watched_thread *t)
{
	return atomic_load_explicit(&t->plan->again, memory_order_relaxed) &&
	       atomic_exchange_explicit(&t->plan->again, false, memory_order_relaxed);
}

static uint16_t more_quiet(const struct sampler *s, uint16_t quiet)
{
	return quiet < in_ticks(s, QUIET_NS) ? (uint16_t)(quiet + 1) : quiet;
}

static bool long_asleep(const struct sampler *s, uint16_t quiet)
{
	return quiet >= in_ticks(s, QUIET_NS);
}

static void look_now(struct sampler *s, struct watched_thread *t)
{
	struct proc_sched sched;
	if (!watched_sched(t, &sched)) {
		tick_note_dead(t);
	} else if (t->life != LIFE_ASLEEP || sched.switches != t->switches || wants_again(t)) {
		t->quiet = 0;
		look_closer(s, t, &sched);
	} else {
		t->quiet = more_quiet(s, t->quiet);
	}
}

static void look(struct sampler *s, struct watched_thread *t)
{
	if (t->life == LIFE_ASKED) {
		look_asked(s, t);
		return;
	}
	if (held_needs_keeper(t) && (keepers_own(s->keepers, t->cpu) ||
				     keepers_expected(s->keepers, t->cpu, s->keep_at))) {
		struct proc_sched sched;
		if (watched_sched(t, &sched))
			t->cpu_ns = sched.cpu_ns;
		add(&s->kept, t);
		return;
	}
	if (t->process->count > MANY && long_asleep(s, t->quiet) &&
	    (s->tick + t->slot) % in_ticks(s, TURN_NS))
		return;
	look_now(s, t);
}

/* How long after the tick's moment keepers come: when all else has been done. */
static void follow_lead(struct sampler *s, int64_t now)
{
	enum { WEIGHT = 8, LEAD_MAX_NS = 500 * NS_PER_US, MARGIN_NS = 10 * NS_PER_US };
	int64_t took = now - s->tick_moment;
	took = took < LEAD_MAX_NS ? took : LEAD_MAX_NS;
	s->keep_lead += (took + MARGIN_NS - s->keep_lead) / WEIGHT;
}

/* Those whose CPU a keeper holds: look at them and mark those that run while they stand still, then
 * let them come to their stops. */
static void stop_kept(struct sampler *s)
{
	size_t before = s->stopper.count;
	int64_t since = clock_mono();
	follow_lead(s, since);
	for (size_t i = 0; i < s->kept.count; i++) {
		struct watched_thread *t = s->kept.items[i];
		bool own = keepers_own(s->keepers, t->cpu);
		bool away = !own && keepers_await(s->keepers, t->cpu, s->keep_at);
		int64_t from = clock_mono();
		uint64_t had = t->cpu_ns;
		s->runners.count = 0;
		look_now(s, t);
		t->kept = own ? KEPT_HERE : away ? KEPT_AWAY : KEPT_NOT;
		t->kept_ran = t->cpu_ns != had;
		t->kept_ns = away ? clock_mono() - from : 0;
		if (s->runners.count)
			ask(s, t);
		if (!own)
			keepers_expect(s->keepers, t->cpu, s->keep_next);
	}
	keepers_release(s->keepers, s->keep_at);
	s->polling = true;
	s->taken_at_once = 0;
	poll_stops(s, before, 0, since);
}

/* Copy those that sleep. One that has run since is looked at anew; in the end it is stopped. */
static void copy_sleepers(struct sampler *s)
{
	s->runners.count = 0;
	for (size_t i = 0; i < s->sleepers.count; i++) {
		struct watched_thread *t = s->sleepers.items[i];
		struct proc_sched sched;
		stopper_collect(&s->stopper, INT64_MAX); /* let nobody wait for the copies */
		bool copied = copy_asleep(s, t);
		for (int k = 1; !copied && k < SLEEP_TRIES; k++) {
			if (!watched_sched(t, &sched) || !watched_syscall(t, &t->call) ||
			    t->call.what != CALL_BLOCKED)
				break;
			t->switches = sched.switches;
			copied = copy_asleep(s, t);
		}
		if (!copied)
			add(&s->runners, t);
	}
	stop_runners(s);
}

static void emit_process_gone(struct sampler *s, struct watched_process *p)
{
	struct msg *m = tick_message(s, MSG_PROCESS_GONE, sizeof(*m));
	if (!m)
		return;
	m->process = p->index;
	ring_commit(s->ring, sizeof(*m));
	p->gone_told = true;
}

/* A leader alone that is a zombie: the process has ended, if it stays so. In an exec from another
 * thread that is how it looks for a moment. */
static void see_zombie(struct sampler *s, struct watched_process *p)
{
	if (p->count != 1 || !p->threads[0]->zombie) {
		p->zombie_since = 0;
		return;
	}
	if (!p->zombie_since)
		p->zombie_since = s->tick_at;
	if (s->tick_at - p->zombie_since < ZOMBIE_NS)
		return;
	watched_scan(&s->watched, p);
	p->threads[0]->zombie = told_state(p->threads[0]) < 0;
	if (p->count == 1 && p->threads[0]->zombie)
		p->gone = true;
}

static void look_process(struct sampler *s, struct watched_process *p)
{
	/* The clock of many threads is the sum of theirs, and not cheap. It moves at the kernel's
	 * ticks and when a thread leaves its CPU, so that who has just woken may run unseen: of few
	 * threads each is looked at. */
	bool many = p->count > MANY, turn = s->tick % in_ticks(s, TURN_NS) == 0;
	if (many && long_asleep(s, p->quiet) && !turn)
		return;
	int64_t clock = many && p->running && !turn ? p->clock_last : watched_clock(p);
	if (clock < 0)
		watched_scan(&s->watched, p);
	see_zombie(s, p);
	if (p->gone && !p->gone_told)
		emit_process_gone(s, p);
	bool idle = many && clock == p->clock_last && !p->running;
	p->quiet = idle ? more_quiet(s, p->quiet) : 0;
	if (p->gone || idle)
		return;
	if (clock >= 0)
		p->clock_last = clock;
	for (size_t i = 0; i < p->count; i++)
		look(s, p->threads[i]);
}

static void scan(struct sampler *s)
{
	int last = proc_last_pid(s->watched.fd_loadavg);
	bool moved = last != s->watched.last_pid;
	s->watched.last_pid = last;
	for (size_t i = 0; i < s->watched.count; i++) {
		struct watched_process *p = s->watched.processes[i];
		if (moved && p->next_scan > s->tick_at)
			s->watched.last_pid = -1; /* look again at a later tick */
		if (p->gone || p->next_scan > s->tick_at || (!moved && p->next_scan))
			continue;
		if (p->next_scan && !watched_grown(p))
			continue;
		p->next_scan = s->tick_at + SCAN_PAUSE_NS;
		watched_scan(&s->watched, p);
	}
}

void tick_take(struct sampler *s)
{
	keepers_begin(s->keepers);
	stopper_collect(&s->stopper, INT64_MAX);
	scan(s);
	held_rehearse(s);
	s->runners.count = s->sleepers.count = s->kept.count = 0;
	for (size_t i = 0; i < s->watched.count; i++)
		look_process(s, s->watched.processes[i]);
	stop_runners(s);
	expect_keepers(s, &s->runners);
	if (s->kept.count) {
		stop_kept(s);
		expect_keepers(s, &s->kept);
	}
	copy_sleepers(s);
}

/* ---- threads that come and go ---------------------------------------------------------- */

void tick_thread_found(void *arg, struct watched_thread *t)
{
	struct sampler *s = arg;
	struct proc_stat st = {.comm = ""};
	proc_stat(t->process->pid, t->tid, &st);
	struct msg_thread *m = tick_thread_message(s, MSG_THREAD, sizeof(*m), t);
	if (m) {
		m->pid = t->process->pid;
		m->tid = t->tid;
		memcpy(m->comm, st.comm, sizeof(m->comm));
		ring_commit(s->ring, sizeof(*m));
	}
	/* what it consumed before the recording is not ours; a new thread's whole life is */
	struct proc_sched sched;
	if (s->tick == 0 && watched_sched(t, &sched))
		t->cpu_ns = t->cpu_reported = sched.cpu_ns;
}

void tick_thread_lost(void *arg, struct watched_thread *t)
{
	struct sampler *s = arg;
	stopper_forget(&s->stopper, t);
	account_thread(s, t);
	/* its time leaves the sum over the living, and must not be told twice */
	t->process->exited_base += (int64_t)t->cpu_ns;
	struct msg *m = tick_thread_message(s, MSG_THREAD_GONE, sizeof(*m), t);
	if (m)
		ring_commit(s->ring, sizeof(*m));
}
