/* Seconds under construction. */
#include "sampler/seconds.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "sampler/proc.h"
#include "store/writer.h"

struct open_second *open_second_new(int64_t time, uint32_t first_tick)
{
	struct open_second *s = mem_zalloc(1, sizeof(*s));
	s->time = time;
	s->first_tick = first_tick;
	s->from_ns = time * NS_PER_S;
	s->to_ns = s->from_ns + NS_PER_S;
	return s;
}

void open_second_free(struct open_second *s)
{
	free(s->tick_ms);
	free(s->cpu);
	free(s->stats);
	free(s);
}

void open_second_tick(struct open_second *s, int64_t real_ns)
{
	int64_t ms = (real_ns - s->time * NS_PER_S) / NS_PER_MS;
	s->tick_ms = mem_grow(s->tick_ms, &s->tick_cap, s->nticks + 1, sizeof(*s->tick_ms));
	uint16_t least = s->nticks ? s->tick_ms[s->nticks - 1] : 0;
	s->tick_ms[s->nticks++] = ms < least ? least : ms > 999 ? 999 : (uint16_t)ms;
}

void open_second_cpu(struct open_second *s, struct worker_thread *t, uint64_t ns)
{
	s->cpu = mem_grow(s->cpu, &s->cpu_cap, s->ncpu + 1, sizeof(*s->cpu));
	s->cpu[s->ncpu++] = (struct thread_cpu){t, ns};
	t->cpu_told++;
}

struct second_stats *open_second_stats(struct open_second *s, size_t process)
{
	s->stats = mem_grow(s->stats, &s->stats_cap, process + 1, sizeof(*s->stats));
	while (s->nstats <= process)
		s->stats[s->nstats++] = (struct second_stats){0};
	return &s->stats[process];
}

bool open_second_unresolved(const struct open_second *s, const struct worker_process *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (runs_unresolved(&p->threads[i]->runs, open_second_end(s)))
			return true;
	return false;
}

void worker_process_register(struct worker_process *p, struct store_writer *writer)
{
	uint32_t epoch = writer_epoch(writer);
	if (p->epoch == epoch)
		return;
	char exe[512];
	struct buf cmdline = BUF_INIT;
	proc_link(p->pid, "exe", exe, sizeof(exe));
	proc_cmdline(p->pid, &cmdline);
	struct writer_process wp = {p->pid, p->start_ticks, p->name, exe, buf_cstr(&cmdline)};
	p->id = writer_process(writer, &wp);
	p->epoch = epoch;
	buf_free(&cmdline);
}

static void register_thread(struct store_writer *writer, struct worker_thread *t)
{
	uint32_t epoch = writer_epoch(writer);
	if (t->epoch == epoch)
		return;
	t->id = writer_thread(writer, t->process->id, t->tid, t->name);
	t->epoch = epoch;
}

/* The runs of a thread that lie in the second, as the writer wants them. */
static size_t cut_runs(const struct open_second *s, const struct runs *r, struct sample_run **out,
		       size_t *cap, size_t at, uint32_t *truncated)
{
	uint32_t end = open_second_end(s);
	size_t n = 0;
	for (size_t i = 0; i < r->count && r->items[i].tick < end; i++) {
		const struct tick_run *run = &r->items[i];
		uint32_t from = run->tick < s->first_tick ? s->first_tick : run->tick;
		uint32_t to = run->tick + run->count < end ? run->tick + run->count : end;
		if (to <= from)
			continue;
		*out = mem_grow(*out, cap, at + n + 1, sizeof(**out));
		uint8_t state = run->state & ~RUN_TRUNCATED;
		(*out)[at + n++] = (struct sample_run){(uint16_t)(from - s->first_tick),
						       (uint16_t)(to - from), state, run->stack};
		if (run->state & RUN_TRUNCATED)
			*truncated += to - from;
	}
	return n;
}

/* A thread that left nothing in this second is not mentioned. */
static bool add_thread(struct open_second *s, struct worker_thread *t, struct store_writer *writer,
		       struct second_thread *out, struct sample_run **runs, size_t *cap, size_t *at,
		       uint32_t *truncated)
{
	size_t n = cut_runs(s, &t->runs, runs, cap, *at, truncated);
	if (!n && !t->cpu_ns)
		return false;
	register_thread(writer, t);
	*out = (struct second_thread){.thread = t->id, .cpu_ns = t->cpu_ns, .nruns = n};
	*at += n;
	return true;
}

/* Ticks of a second at which a thread ran. */
static uint64_t ran_in(const struct open_second *s, const struct runs *r)
{
	uint64_t n = 0;
	for (size_t i = 0; i < r->count && r->items[i].tick < open_second_end(s); i++)
		if (state_on_cpu((enum thread_state)(r->items[i].state & ~RUN_TRUNCATED)))
			n += r->items[i].count;
	return n;
}

/* The time of threads that came and went between two looks goes to those that came and went and
 * were seen: any of them might have been. */
static void share_exited(const struct open_second *s, struct worker_process *p)
{
	uint64_t seen = 0, left = p->exited ? p->exited->cpu_ns : 0;
	for (size_t i = 0; i < p->count && left; i++)
		if (p->threads[i]->gone)
			seen += ran_in(s, &p->threads[i]->runs);
	for (size_t i = 0; i < p->count && seen; i++) {
		struct worker_thread *t = p->threads[i];
		uint64_t n = t->gone ? ran_in(s, &t->runs) : 0;
		uint64_t share = left / seen * n + left % seen * n / seen;
		t->cpu_ns += share;
		left -= share;
		seen -= n;
		p->exited->cpu_ns -= share;
	}
}

uint64_t open_second_write(struct open_second *s, struct worker_process *p, size_t index,
			   struct store_writer *writer, uint32_t lost_stack)
{
	struct second_stats *stats = open_second_stats(s, index);
	struct second_thread *threads = mem_zalloc(p->count + 1, sizeof(*threads));
	struct sample_run *runs = NULL;
	size_t nthreads = 0, cap = 0, nruns = 0;
	uint64_t samples = 0;
	uint32_t truncated = 0;
	worker_process_register(p, writer);
	for (size_t i = 0; i < s->ncpu; i++)
		if (s->cpu[i].thread->process == p) {
			s->cpu[i].thread->cpu_ns += s->cpu[i].ns;
			s->cpu[i].thread->cpu_told--;
		}
	for (size_t i = 0; i < p->count; i++)
		runs_complete(&p->threads[i]->runs, open_second_end(s), lost_stack);
	share_exited(s, p);
	for (size_t i = 0; i < p->count; i++) {
		struct worker_thread *t = p->threads[i];
		nthreads += add_thread(s, t, writer, &threads[nthreads], &runs, &cap, &nruns,
				       &truncated);
		runs_drop(&t->runs, open_second_end(s));
		t->cpu_ns = 0;
	}
	if (p->exited && p->exited->cpu_ns) {
		nthreads += add_thread(s, p->exited, writer, &threads[nthreads], &runs, &cap, &nruns,
				       &truncated);
		p->exited->cpu_ns = 0;
	}
	size_t at = 0;
	for (size_t i = 0; i < nthreads; i++) {
		threads[i].runs = runs + at;
		for (size_t k = 0; k < threads[i].nruns; k++)
			samples += runs[at + k].count;
		at += threads[i].nruns;
	}
	int64_t covered = (s->to_ns - s->from_ns) / NS_PER_MS;
	struct second second = {
		.time = s->time,
		.process = p->id,
		.covered_ms = covered < 0 ? 0 : covered > 1000 ? 1000 : (uint32_t)covered,
		.expected = s->nticks + s->missed,
		.missed = s->missed,
		.tick_ms = s->tick_ms,
		.nticks = s->nticks,
		.stops = stats->stops,
		.stopless = samples > stats->stops ? (uint32_t)(samples - stats->stops) : 0,
		.stopped_ns = stats->stopped_ns,
		.truncated = truncated,
		.threads = threads,
		.nthreads = nthreads,
	};
	writer_second(writer, &second);
	free(threads);
	free(runs);
	return samples;
}
