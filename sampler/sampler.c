/* The sampler thread: its clock, its seconds, its beginning and end. */
#include "sampler/sampler.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "sampler/account.h"
#include "sampler/held.h"
#include "sampler/keeper.h"
#include "sampler/outer.h"
#include "sampler/tick.h"
#include "sampler/watchdog.h"

enum {
	RING_SPARE = 2 * WANT_MAX + OUTER_BYTES,          /* room that a tick needs at least */
	NAP_NS = 100 * NS_PER_MS,           /* look at `quit` this often */
	PAUSE_NS = 5 * NS_PER_MS,           /* and, while paused, at `pause` */
	KEEPER_LEAD_NS = 100 * NS_PER_US,   /* at first */
	END_WAIT_NS = 100 * NS_PER_MS,      /* for threads still asked to stop at the end */
};

static int emit_process(struct sampler *s, const struct watched_process *p)
{
	struct msg_process *m = tick_message(s, MSG_PROCESS, sizeof(*m));
	if (!m)
		return -1;
	m->msg.process = p->index;
	m->pid = p->pid;
	m->start_ticks = p->start_ticks;
	ring_commit(s->ring, sizeof(*m));
	return 0;
}

/* The process must be known to the worker before its threads are. */
static void add_process(struct sampler *s, int pid)
{
	struct proc_stat st;
	if (proc_stat(pid, 0, &st))
		return;
	struct watched_process head = {
		.pid = pid, .index = (uint16_t)s->watched.count, .start_ticks = st.start_ticks};
	emit_process(s, &head);
	if (!watched_add(&s->watched, pid))
		s->watched.processes[s->watched.count - 1]->exited_base = -1;
}

int sampler_new(struct sampler **out, const struct sampler_opts *opts, struct ring *ring,
		struct err *err)
{
	struct sampler *s = mem_zalloc(1, sizeof(*s));
	s->opts = *opts;
	s->ring = ring;
	throttle_init(&s->throttle, opts->rate_hz, opts->max_stop, clock_mono());
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	s->quick_stops = cpus > 1 ? (int)cpus - 1 : 1;
	stopper_init(&s->stopper, held_ops, s);
	struct rlimit files;
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	s->held = mem_alloc(sizeof(*s->held) + WANT_MAX + OUTER_BYTES);
	watched_init(&s->watched);
	if (opts->whole_stacks)
		s->watched.want_first = WANT_MAX;
	s->watched.found = tick_thread_found;
	s->watched.lost = tick_thread_lost;
	s->watched.arg = s;
	for (size_t i = 0; i < opts->npids; i++)
		add_process(s, opts->pids[i]);
	if (!s->watched.count) {
		sampler_free(s);
		return err_set(err, ERR_FAILED, "no such process: it has ended; nothing to record");
	}
	*out = s;
	return 0;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	s->watched.lost = NULL;
	watched_free(&s->watched);
	stopper_free(&s->stopper);
	free(s->held);
	free(s->kept.items);
	free(s->runners.items);
	free(s->sleepers.items);
	free(s);
}

void sampler_plan(struct sampler *s, uint32_t slot, uint32_t want, uint64_t tail_from,
		  uint32_t tail_len)
{
	struct copy_plan *p = &s->watched.plans[slot];
	atomic_store_explicit(&p->want, want, memory_order_relaxed);
	atomic_store_explicit(&p->tail_from, tail_from, memory_order_relaxed);
	atomic_store_explicit(&p->tail_len, tail_len, memory_order_release);
}

void sampler_plan_top(struct sampler *s, uint32_t slot, uint64_t top)
{
	atomic_store_explicit(&s->watched.plans[slot].top, top, memory_order_relaxed);
}

void sampler_again(struct sampler *s, uint32_t slot)
{
	atomic_store_explicit(&s->watched.plans[slot].again, true, memory_order_release);
}

bool sampler_all_gone(const struct sampler *s)
{
	for (size_t i = 0; i < s->watched.count; i++)
		if (!s->watched.processes[i]->gone)
			return false;
	return true;
}

/* struct sched_attr of linux/sched/types.h, which some C libraries declare and some do not. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

/* A short slice (Linux 6.12): a thread that wakes with one displaces another in the middle of its
 * own. False: this kernel knows none. */
static bool shorten_slice(int nice)
{
	const uint64_t slice = 100 * NS_PER_US; /* the shortest there is */
	struct attributes a = {.size = sizeof(a), .nice = nice, .runtime = slice}, got;
	return !syscall(SYS_sched_setattr, 0, &a, 0) &&
	       !syscall(SYS_sched_getattr, 0, &got, sizeof(got), 0) && got.runtime == slice;
}

/* Run when the tick comes, whoever runs there, and stay while a thread is held. Niceness alone is
 * not enough: since Linux 6.6 a thread in its slice is not displaced, so that the sampler came
 * when the target slept (2 % of a thread's 20 % were seen). A real-time priority displaces, but
 * wakes where it slept, even on top of the target while another CPU idles (four times the loss
 * at 99 Hz): only where there are no short slices. */
static void raise_priority(void)
{
	enum { MOST = -20 };
	struct sched_param rr = {.sched_priority = 1};
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	setpriority(PRIO_PROCESS, 0, MOST); /* of this thread; refused without CAP_SYS_NICE */
	if (!shorten_slice(MOST) && !shorten_slice(getpriority(PRIO_PROCESS, 0)))
		sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &rr);
}

static void show_life(struct sampler *s)
{
	if (!s->opts.sign)
		return;
	atomic_store_explicit(&s->opts.sign->asked, (uint32_t)s->stopper.count, memory_order_relaxed);
	atomic_store_explicit(&s->opts.sign->at, clock_mono(), memory_order_relaxed);
}

bool sampler_paused(const struct sampler *s)
{
	return atomic_load(&s->paused);
}

/* Told to pause: with nobody held, that can last. */
static bool pauses(struct sampler *s)
{
	bool told = s->opts.pause && atomic_load_explicit(s->opts.pause, memory_order_relaxed);
	if (told != atomic_load_explicit(&s->paused, memory_order_relaxed))
		atomic_store(&s->paused, told && !s->stopper.count);
	return told;
}

/* Sleep until the moment, taking stops as they come in. */
static void wait_until(struct sampler *s, int64_t moment)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (;;) {
		stopper_collect(&s->stopper, INT64_MAX);
		show_life(s);
		int64_t left = moment - clock_mono();
		if (pauses(s))
			left = PAUSE_NS;
		if (left <= 0 || atomic_load_explicit(s->opts.quit, memory_order_relaxed))
			return;
		if (left > NAP_NS)
			left = NAP_NS;
		struct timespec ts = {left / NS_PER_S, left % NS_PER_S};
		sigtimedwait(&set, NULL, &ts);
	}
}

static void emit_clock(struct sampler *s, enum msg_type type)
{
	for (int tries = 0; tries < 1000; tries++) {
		struct msg_clock *m = tick_message(s, type, sizeof(*m));
		if (m) {
			m->real_ns = clock_real();
			ring_commit(s->ring, sizeof(*m));
			return;
		}
		usleep(1000); /* the end must arrive, and nothing is held here */
	}
}

static bool emit_missed(struct sampler *s, int64_t second, uint32_t count)
{
	struct msg_missed *m = tick_message(s, MSG_MISSED, sizeof(*m));
	if (!m)
		return false;
	m->second = second;
	m->count = count;
	ring_commit(s->ring, sizeof(*m));
	return true;
}

/* Ticks missed and not told yet, where even that found no room: one second at a time. */
struct missed {
	int64_t second;
	uint32_t count;
};

static void miss(struct sampler *s, struct missed *m, int64_t second)
{
	if (m->count && m->second != second && emit_missed(s, m->second, m->count))
		m->count = 0;
	if (!m->count)
		m->second = second;
	m->count++;
}

static void tell_missed(struct sampler *s, struct missed *m)
{
	if (m->count && emit_missed(s, m->second, m->count))
		m->count = 0;
}

static void adjust_rate(struct sampler *s)
{
	double rate;
	if (!throttle_adjust(&s->throttle, s->tick_at, &rate))
		return;
	struct msg_rate *m = tick_message(s, MSG_RATE, sizeof(*m));
	if (m) {
		m->rate_hz = rate;
		ring_commit(s->ring, sizeof(*m));
	}
}

static void turn_second(struct sampler *s, int64_t second)
{
	if (s->second == second)
		return;
	account_second(s);
	s->second = second;
}

static bool room_for_tick(const struct sampler *s)
{
	uint64_t used = atomic_load_explicit(&s->ring->head, memory_order_relaxed) -
			atomic_load_explicit(&s->ring->tail, memory_order_relaxed);
	return s->ring->size - used > RING_SPARE + s->ring->size / 8;
}

static void one_tick(struct sampler *s, struct missed *missed)
{
	int64_t real = clock_real();
	int64_t second = real / NS_PER_S;
	s->tick_at = clock_mono();
	turn_second(s, second);
	adjust_rate(s);
	if (!throttle_take(&s->throttle) || !room_for_tick(s)) {
		keepers_postpone(s->keepers, s->keep_at, s->keep_next);
		miss(s, missed, second);
		return;
	}
	tell_missed(s, missed);
	struct msg_tick *m = tick_message(s, MSG_TICK, sizeof(*m));
	if (!m) {
		miss(s, missed, second);
		return;
	}
	m->real_ns = real;
	ring_commit(s->ring, sizeof(*m));
	tick_take(s);
	s->tick++;
}

static void wait_for_asked(struct sampler *s, int64_t wait_ns)
{
	int64_t until = clock_mono() + wait_ns;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	while (s->stopper.count && clock_mono() < until) {
		struct timespec ts = {0, NS_PER_MS};
		sigtimedwait(&set, NULL, &ts);
		stopper_collect(&s->stopper, INT64_MAX);
	}
}

void sampler_run(struct sampler *s)
{
	struct missed missed = {0, 0};
	raise_priority();
	stopper_train(&s->stopper);
	emit_clock(s, MSG_BEGIN);
	int64_t start = clock_mono(), period = (int64_t)(NS_PER_S / s->opts.rate_hz);
	int64_t end = s->opts.duration_ns ? start + s->opts.duration_ns : INT64_MAX;
	s->keepers = keepers_new();
	s->keep_lead = KEEPER_LEAD_NS;
	schedule_start(&s->schedule, start, period, (uint64_t)clock_real());
	s->second = clock_real() / NS_PER_S;
	account_second(s);
	while (!atomic_load_explicit(s->opts.quit, memory_order_relaxed) && !sampler_all_gone(s)) {
		if (s->schedule.moment >= end) {
			wait_until(s, end);
			break;
		}
		wait_until(s, s->schedule.moment);
		int64_t moment, now = clock_mono();
		if (now < s->schedule.moment)
			continue; /* told to quit */
		while (schedule_missed(&s->schedule, now, &moment))
			miss(s, &missed, (clock_real() - now + moment) / NS_PER_S);
		if (s->schedule.moment > now)
			continue;
		s->tick_moment = s->schedule.moment;
		s->keep_at = s->keep_next;
		schedule_next(&s->schedule);
		s->keep_next = s->schedule.moment + s->keep_lead;
		one_tick(s, &missed);
	}
	keepers_free(s->keepers);
	s->keepers = NULL;
	wait_for_asked(s, END_WAIT_NS);
	tell_missed(s, &missed);
	account_second(s);
	emit_clock(s, MSG_END);
}

void sampler_once(struct sampler *s, int64_t wait_ns)
{
	struct missed missed = {0, 0};
	raise_priority();
	emit_clock(s, MSG_BEGIN);
	one_tick(s, &missed);
	wait_for_asked(s, wait_ns);
	emit_clock(s, MSG_END);
}
