/* The worker: takes the sampler's messages, makes stacks of them, and writes the store. */
#include "sampler/worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "sampler/message.h"
#include "sampler/proc.h"
#include "sampler/sampler.h"
#include "sampler/seconds.h"
#include "sampler/watched.h"
#include "store/writer.h"

enum {
	OPEN_MAX = 3,              /* a second waits for its last stop no longer than this */
	NAP_US = 20000,            /* how often an empty ring is looked at */
	NAME_OFTEN_S = 3,          /* a young thread's name is read each second, */
	NAME_SELDOM_S = 16,        /* an older one's this often */
	DEEP_WANT = 64 << 10,      /* bytes of a stack whose outermost frames are copied apart */
	MAPS_NS = 100 * NS_PER_MS, /* how often the maps of what runs are looked at */
	SETTLE_TICKS = 2,          /* ticks of the next second after which all have spoken */
};

struct worker {
	struct ring *ring;
	struct sampler *sampler;
	struct store_writer *writer;
	struct stacker *stacker;
	enum unwinder how;
	struct elf_cache *cache;
	struct worker_process **processes;
	size_t nprocesses, processes_cap;
	struct worker_thread **slots; /* WATCHED_SLOTS */
	struct open_second *open[OPEN_MAX];
	size_t nopen;
	uint32_t tick;        /* the latest */
	int64_t maps_at;      /* when maps were last looked at, UTC ns */
	int64_t begin_ns, end_ns;
	bool ended;
	uint32_t epoch;
	struct worker_result result;
	void (*on_commit)(void *arg);
	void *arg;
};

struct worker *worker_new(struct ring *ring, struct sampler *sampler, struct store_writer *writer,
			  enum unwinder how)
{
	struct worker *w = mem_zalloc(1, sizeof(*w));
	w->ring = ring;
	w->sampler = sampler;
	w->writer = writer;
	w->how = how;
	w->stacker = stacker_new(writer, how);
	w->cache = elf_cache_new();
	w->slots = mem_zalloc(WATCHED_SLOTS, sizeof(struct worker_thread *));
	w->epoch = writer_epoch(writer);
	return w;
}

static void thread_free(struct worker_thread *t)
{
	if (!t)
		return;
	runs_release(&t->runs);
	free(t);
}

void worker_free(struct worker *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->nprocesses; i++) {
		struct worker_process *p = w->processes[i];
		for (size_t k = 0; k < p->count; k++)
			thread_free(p->threads[k]);
		thread_free(p->exited);
		free(p->threads);
		unwind_lib_free(p->lib);
		space_free(p->space);
		free(p);
	}
	while (w->nopen)
		open_second_free(w->open[--w->nopen]);
	stacker_free(w->stacker);
	elf_cache_free(w->cache);
	free(w->processes);
	free(w->slots);
	free(w);
}

const struct worker_result *worker_result(const struct worker *w)
{
	return &w->result;
}

/* ---- writing --------------------------------------------------------------------------- */

/* Names change after a thread is made, and at an exec. */
static void read_names(struct worker_process *p, int64_t second)
{
	for (size_t i = 0; i < p->count; i++) {
		struct worker_thread *t = p->threads[i];
		int64_t age = second - t->named_at;
		if (t->gone || (age > NAME_OFTEN_S && (second + t->tid) % NAME_SELDOM_S))
			continue;
		char path[64], name[sizeof(t->name)];
		snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", p->pid, t->tid);
		ssize_t n = proc_read(-1, path, name, sizeof(name));
		if (n <= 1)
			continue;
		name[n - 1] = '\0';
		if (strcmp(name, t->name)) {
			memcpy(t->name, name, sizeof(name));
			t->epoch = 0;
			t->named_at = second;
		}
	}
}

/* An exec gives the process another program: another stack, another map, another name. */
static void look_for_exec(struct worker *w, struct worker_process *p, int64_t second)
{
	struct proc_stat st;
	if (p->gone || proc_stat(p->pid, 0, &st) || st.start_ticks != p->start_ticks)
		return;
	space_refresh(p->space);
	if (p->start_stack && st.start_stack && st.start_stack != p->start_stack) {
		memcpy(p->name, st.comm, sizeof(p->name));
		p->epoch = 0;
		worker_process_register(p, w->writer);
		for (size_t i = 0; i < p->count; i++)
			p->threads[i]->epoch = 0;
		char exe[512], text[600];
		proc_link(p->pid, "exe", exe, sizeof(exe));
		snprintf(text, sizeof(text), "exec %s", exe);
		writer_event(w->writer, second * NS_PER_S, EVENT_EXEC, p->id, text);
	}
	p->start_stack = st.start_stack;
}

static void drop_gone_threads(struct worker_process *p)
{
	size_t kept = 0;
	for (size_t i = 0; i < p->count; i++) {
		struct worker_thread *t = p->threads[i];
		if (t->gone && !t->runs.count && !t->cpu_told)
			thread_free(t);
		else
			p->threads[kept++] = t;
	}
	p->count = kept;
}

/* A new segment has new numbers: what is still held in the old ones is carried over. */
static void new_epoch(struct worker *w)
{
	w->epoch = writer_epoch(w->writer);
	stacker_new_epoch(w->stacker);
	for (size_t i = 0; i < w->nprocesses; i++) {
		struct worker_process *p = w->processes[i];
		space_drop_labels(p->space);
		worker_process_register(p, w->writer);
		for (size_t k = 0; k < p->count; k++) {
			struct runs *r = &p->threads[k]->runs;
			for (size_t j = 0; j < r->count; j++)
				r->items[j].stack = writer_carry(w->writer, r->items[j].stack);
			if (r->asleep)
				r->sleep_stack = writer_carry(w->writer, r->sleep_stack);
		}
	}
}

static void commit(struct worker *w, int64_t second)
{
	struct err err = {0};
	if (writer_commit(w->writer, &err)) {
		w->result.lost_seconds++;
		if (!w->result.trouble[0])
			err_note("%s", err.text);
		snprintf(w->result.trouble, sizeof(w->result.trouble), "%.299s", err.text);
	} else {
		w->result.last = second;
		if (!w->result.first)
			w->result.first = second;
	}
	if (writer_epoch(w->writer) != w->epoch)
		new_epoch(w);
	if (w->on_commit)
		w->on_commit(w->arg);
}

/* Write the oldest open second. */
static void write_oldest(struct worker *w)
{
	struct open_second *s = w->open[0];
	if (s->from_ns < w->begin_ns)
		s->from_ns = w->begin_ns;
	if (w->ended && s->to_ns > w->end_ns)
		s->to_ns = w->end_ns;
	uint32_t lost = stacker_lost(w->stacker);
	for (size_t i = 0; i < w->nprocesses; i++) {
		struct worker_process *p = w->processes[i];
		if (p->gone && !p->count)
			continue;
		read_names(p, s->time);
		w->result.samples += open_second_write(s, p, i, w->writer, lost);
	}
	commit(w, s->time);
	for (size_t i = 0; i < w->nprocesses; i++) {
		drop_gone_threads(w->processes[i]);
		look_for_exec(w, w->processes[i], s->time);
	}
	open_second_free(s);
	memmove(w->open, w->open + 1, --w->nopen * sizeof(w->open[0]));
}

/* The oldest second can be written when the next has begun and nobody in it is awaited. */
static void write_ready(struct worker *w)
{
	while (w->nopen > 1) {
		if (w->nopen < OPEN_MAX) {
			if (w->open[1]->nticks < SETTLE_TICKS)
				return;
			for (size_t i = 0; i < w->nprocesses; i++)
				if (open_second_unresolved(w->open[0], w->processes[i]))
					return;
		}
		write_oldest(w);
	}
}

static struct open_second *newest(struct worker *w)
{
	return w->nopen ? w->open[w->nopen - 1] : NULL;
}

static struct open_second *second_at(struct worker *w, int64_t time)
{
	struct open_second *s = newest(w);
	if (s && s->time == time)
		return s;
	if (s && time < s->time)
		writer_event(w->writer, s->time * NS_PER_S, EVENT_CLOCK, w->processes[0]->id,
			     "the clock was set back");
	while (w->nopen == OPEN_MAX)
		write_oldest(w);
	uint32_t first = s ? open_second_end(s) : w->tick;
	return w->open[w->nopen++] = open_second_new(time, first);
}

/* ---- messages -------------------------------------------------------------------------- */

/* What is mapped may change at any time, most of all where a thread runs. */
static void refresh_maps(struct worker *w, int64_t now)
{
	if (now - w->maps_at < MAPS_NS && now >= w->maps_at)
		return;
	w->maps_at = now;
	for (size_t i = 0; i < w->nprocesses; i++) {
		struct worker_process *p = w->processes[i];
		if (p->ran && !p->gone)
			space_refresh(p->space);
		p->ran = false;
	}
}

static void on_tick(struct worker *w, const struct msg_tick *m)
{
	refresh_maps(w, m->real_ns);
	w->tick = m->msg.tick;
	struct open_second *s = second_at(w, m->real_ns / NS_PER_S);
	if (!s->nticks)
		s->first_tick = m->msg.tick;
	open_second_tick(s, m->real_ns);
	write_ready(w);
}

/* The open second of that time; else the newest. */
static struct open_second *find_second(struct worker *w, int64_t time)
{
	for (size_t i = 0; i < w->nopen; i++)
		if (w->open[i]->time == time)
			return w->open[i];
	return newest(w);
}

static void on_missed(struct worker *w, const struct msg_missed *m)
{
	struct open_second *s = find_second(w, m->second);
	if (!s || (s->time < m->second))
		s = second_at(w, m->second);
	s->missed += m->count;
}

static void on_process(struct worker *w, const struct msg_process *m)
{
	struct worker_process *p = mem_zalloc(1, sizeof(*p));
	struct proc_stat st;
	p->pid = m->pid;
	p->start_ticks = m->start_ticks;
	if (!proc_stat(p->pid, 0, &st)) {
		memcpy(p->name, st.comm, sizeof(p->name));
		p->start_stack = st.start_stack;
	}
	p->space = space_new(p->pid, w->cache);
	space_refresh(p->space);
	p->lib = unwind_lib_new(p->space);
	worker_process_register(p, w->writer);
	writer_event(w->writer, clock_real(), EVENT_START, p->id, "recording starts");
	w->processes = mem_grow(w->processes, &w->processes_cap, w->nprocesses + 1,
				sizeof(struct worker_process *));
	w->processes[w->nprocesses++] = p;
}

static void on_thread(struct worker *w, const struct msg_thread *m)
{
	struct worker_process *p = w->processes[m->msg.process];
	struct worker_thread *t = mem_zalloc(1, sizeof(*t));
	t->process = p;
	t->tid = m->tid;
	t->slot = m->msg.slot;
	t->want = WANT_FIRST;
	t->peak = WANT_FIRST * 3 / 4; /* sinks to what it needs */
	memcpy(t->name, m->comm, sizeof(t->name));
	t->name[sizeof(t->name) - 1] = '\0';
	t->named_at = clock_real() / NS_PER_S;
	runs_init(&t->runs, m->msg.tick);
	w->slots[t->slot] = t;
	p->threads = mem_grow(p->threads, &p->cap, p->count + 1, sizeof(struct worker_thread *));
	p->threads[p->count++] = t;
}

static void on_thread_gone(struct worker *w, const struct msg *m)
{
	struct worker_thread *t = w->slots[m->slot];
	if (!t)
		return;
	runs_end(&t->runs, m->tick);
	t->gone = true;
	w->slots[m->slot] = NULL;
}

/* Copy what the stack needs, with a margin. The need of a deep moment is remembered for minutes:
 * it will come back, and its first sample must not be cut short again. */
static void adjust_want(struct worker *w, struct worker_thread *t, const struct stacked *st)
{
	if (st->too_short && t->outer.count)
		return; /* as deep as it is to be: see see_depth */
	if (st->too_short)
		t->peak = t->want * 3; /* more than there was: how much more, the next sample tells */
	else
		t->peak = st->needed > t->peak ? st->needed : t->peak - t->peak / 16384;
	uint32_t want = (t->peak + t->peak / 4 + 2048) & ~1023u;
	if (want < WANT_LEAST)
		want = WANT_LEAST;
	if (want > WANT_MAX)
		want = WANT_MAX;
	if (want == t->want)
		return;
	bool grown = want > t->want;
	t->want = want;
	sampler_plan(w->sampler, t->slot, want, 0, 0);
	if (st->too_short && grown)
		sampler_again(w->sampler, t->slot);
}

/* A thread's stacks end at the same place, so that this says how much there is to copy, whatever
 * sp will be. One that goes on beyond it is copied by want until its end is seen. */
static void see_top(struct worker *w, struct worker_thread *t, const struct stacked *st)
{
	uint64_t top = st->too_short ? 0 : st->top > t->top ? st->top : t->top;
	if (top != t->top)
		sampler_plan_top(w->sampler, t->slot, top);
	t->top = top;
}

/* Deeper than all that is copied: learn where the outermost frames are, at most once a second, and
 * have them copied, too. Of the inner ones less is copied then: the middle is left out anyway. */
static void see_depth(struct worker *w, struct worker_thread *t, const struct msg_sample *m,
		      const struct stacked *st)
{
	int64_t second = newest(w)->time;
	uint64_t from;
	uint32_t len;
	bool enough = m->stack_len == WANT_MAX || t->outer.count;
	if (!st->too_short || !st->truncated || !enough || t->learnt_at == second)
		return;
	t->learnt_at = second;
	if (!stacker_learn(w->stacker, t->process->space, m, &t->outer))
		return;
	outer_range(&t->outer, &from, &len);
	t->want = DEEP_WANT;
	sampler_plan(w->sampler, t->slot, t->want, from, len);
	sampler_again(w->sampler, t->slot);
}

static void on_sample(struct worker *w, const struct msg_sample *m)
{
	struct worker_thread *t = w->slots[m->msg.slot];
	struct open_second *s = newest(w);
	if (!t || !s)
		return;
	struct worker_process *p = t->process;
	struct stacked st;
	stacker_take(w->stacker, p->space, p->lib, m, &t->outer, &st);
	if (m->stack_len) {
		adjust_want(w, t, &st);
		see_top(w, t, &st);
		see_depth(w, t, m, &st);
	}
	struct second_stats *stats = open_second_stats(s, m->msg.process);
	uint8_t state = m->msg.state | (st.truncated ? RUN_TRUNCATED : 0);
	if (m->msg.type == MSG_SLEEP) {
		runs_sleeps(&t->runs, m->msg.tick, state, st.stack);
		return;
	}
	runs_ran(&t->runs, m->msg.tick, state, st.stack);
	p->ran = true;
	if (m->stack_len) {
		stats->stops++;
		stats->stopped_ns += m->stop_ns;
		writer_stop_time(w->writer, m->stop_ns);
	}
}

static void on_waiting(struct worker *w, const struct msg_waiting *m)
{
	struct worker_thread *t = w->slots[m->msg.slot];
	if (t)
		runs_waits(&t->runs, m->msg.tick, m->msg.state, m->asked);
}

static void on_cpu(struct worker *w, const struct msg_cpu *m)
{
	struct worker_process *p = w->processes[m->msg.process];
	struct worker_thread *t = m->msg.slot == UINT32_MAX ? p->exited : w->slots[m->msg.slot];
	struct open_second *s = find_second(w, m->second);
	if (m->msg.slot == UINT32_MAX && !t) {
		t = p->exited = mem_zalloc(1, sizeof(*t));
		t->process = p;
		snprintf(t->name, sizeof(t->name), "[exited threads]");
	}
	if (t && s)
		open_second_cpu(s, t, m->cpu_ns);
}

static void on_rate(struct worker *w, const struct msg_rate *m)
{
	char text[64];
	snprintf(text, sizeof(text), "rate %.0f Hz to stay within --max-stop", m->rate_hz);
	writer_event(w->writer, clock_real(), EVENT_RATE, w->processes[0]->id, text);
}

static void on_process_gone(struct worker *w, const struct msg *m)
{
	struct worker_process *p = w->processes[m->process];
	p->gone = true;
	writer_event(w->writer, clock_real(), EVENT_EXIT, p->id, "exited");
}

static void on_message(struct worker *w, const struct msg *m)
{
	switch (m->type) {
	case MSG_BEGIN:
		w->begin_ns = ((const struct msg_clock *)m)->real_ns;
		second_at(w, w->begin_ns / NS_PER_S);
		break;
	case MSG_TICK:
		on_tick(w, (const struct msg_tick *)m);
		break;
	case MSG_MISSED:
		on_missed(w, (const struct msg_missed *)m);
		break;
	case MSG_PROCESS:
		on_process(w, (const struct msg_process *)m);
		break;
	case MSG_PROCESS_GONE:
		on_process_gone(w, m);
		break;
	case MSG_THREAD:
		on_thread(w, (const struct msg_thread *)m);
		break;
	case MSG_THREAD_GONE:
		on_thread_gone(w, m);
		break;
	case MSG_SAMPLE:
	case MSG_SLEEP:
		on_sample(w, (const struct msg_sample *)m);
		break;
	case MSG_WAITING:
		on_waiting(w, (const struct msg_waiting *)m);
		break;
	case MSG_CPU:
		on_cpu(w, (const struct msg_cpu *)m);
		break;
	case MSG_RATE:
		on_rate(w, (const struct msg_rate *)m);
		break;
	case MSG_END:
		w->end_ns = ((const struct msg_clock *)m)->real_ns;
		w->ended = true;
		break;
	}
}

void worker_run(struct worker *w, void (*on_commit)(void *arg), void *arg)
{
	w->on_commit = on_commit;
	w->arg = arg;
	while (!w->ended) {
		const struct msg *m = ring_peek(w->ring);
		if (!m) {
			usleep(NAP_US);
			continue;
		}
		on_message(w, m);
		ring_release(w->ring, m->size);
	}
	for (size_t i = 0; i < w->nprocesses; i++)
		writer_event(w->writer, w->end_ns, EVENT_END, w->processes[i]->id, "recording ends");
	while (w->nopen)
		write_oldest(w);
}
