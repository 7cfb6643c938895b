/* Going through the log of a range: the seconds, and in them the threads, that a query keeps. */
#ifndef STORE_SCAN_H
#define STORE_SCAN_H

#include "store/codec.h"
#include "store/reader.h"
#include "store/select.h"

struct scan_part {
	struct view *view;
	const struct selection *selection;
	uint32_t second, process;
	const struct log_part *log;
	struct range inside; /* of the second, ns from its start */
	uint32_t first, end; /* the ticks inside */
};

/* Calls for a segment come between begin and end; a process not kept has no part, a thread not
 * kept no call. */
struct scan_ops {
	void (*begin)(void *arg, struct view *v, const struct selection *s);
	void (*part)(void *arg, const struct scan_part *p);
	void (*thread)(void *arg, const struct scan_part *p, const struct log_thread *t);
	void (*end)(void *arg);
};

int scan_log(struct store *s, const struct query *q, const struct scan_ops *ops, void *arg,
	     struct err *err);

/* Is the start of the second in the range? CPU time between samples belongs to it. */
static inline bool scan_has_start(const struct scan_part *p)
{
	return p->inside.from == 0;
}

/* A run cut to the ticks inside, and its worth. */
struct scan_run {
	uint32_t tick, count; /* count 0: wholly outside */
	uint64_t ns;
};

/* Walks a thread's runs: the shares of its CPU time, or of the second's time. */
struct scan_walk {
	struct spread spread;
	uint32_t at; /* tick */
	bool cpu;
};

struct scan_walk scan_walk_of(const struct scan_part *p, const struct log_thread *t, enum weight w);

static inline struct scan_run scan_step(struct scan_walk *w, const struct scan_part *p,
					const struct sample_run *r)
{
	uint32_t tick = r->tick, count = r->count;
	bool worth = true;
	if (w->cpu)
		worth = state_on_cpu(r->state);
	else if (tick > w->at)
		spread_take(&w->spread, tick - w->at);
	w->at = tick + count;
	if (tick >= p->first && tick + count <= p->end)
		return (struct scan_run){tick, count, worth ? spread_take(&w->spread, count) : 0};
	uint32_t from = tick < p->first ? p->first : tick,
		 to = tick + count > p->end ? p->end : tick + count;
	if (from >= to)
		from = to = tick;
	struct scan_run cut = {from, to - from, 0};
	if (worth) {
		spread_take(&w->spread, from - tick);
		cut.ns = spread_take(&w->spread, to - from);
		spread_take(&w->spread, tick + count - to);
	}
	return cut;
}

#endif
