/* Going through the log of a range. */
#include "store/scan.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/segment.h"

enum { BATCH_BYTES = 256 << 10 }; /* some milliseconds of decoding: the beat of `interrupted` */

struct scan {
	struct store *store;
	const struct query *query;
	const struct scan_ops *ops;
	void *arg;
	struct log_part log;
	struct log_thread thread;
};

static int damaged(const struct scan *s, const struct view *v, struct err *err)
{
	return err_set(err, ERR_FAILED,
		       "cannot read %s/%s: its log is damaged; restore it or remove that folder",
		       s->store->path, v->name);
}

/* The ticks of a second that lie in the range. */
static void find_ticks(struct scan_part *p, const struct query *q)
{
	int64_t start = p->second * NS_PER_S;
	int64_t from = q->range.from - start, to = q->range.to - start;
	p->inside.from = from < 0 ? 0 : from;
	p->inside.to = to > NS_PER_S ? NS_PER_S : to;
	p->first = 0;
	p->end = p->log->nticks;
	while (from > 0 && p->first < p->end && p->log->tick_ms[p->first] * NS_PER_MS < from)
		p->first++;
	while (to < NS_PER_S && p->end > p->first && p->log->tick_ms[p->end - 1] * NS_PER_MS >= to)
		p->end--;
}

static int scan_record(struct scan *s, struct scan_part *p, const struct record *r)
{
	if (r->nkey != SECOND_KEY_BYTES)
		return -1;
	p->second = (uint32_t)bytes_be(r->key, 4);
	p->process = (uint32_t)bytes_be(r->key + 4, 4);
	if (p->process >= p->selection->nprocesses || !p->selection->processes[p->process])
		return 0;
	if (codec_part(&s->log, r->value, r->nvalue))
		return -1;
	find_ticks(p, s->query);
	if (s->ops->part)
		s->ops->part(s->arg, p);
	int more = 0;
	while (s->ops->thread && (more = codec_thread(&s->log, &s->thread)) > 0)
		if (s->thread.thread < p->selection->nthreads &&
		    p->selection->threads[s->thread.thread])
			s->ops->thread(s->arg, p, &s->thread);
	return more;
}

static int scan_records(struct scan *s, struct scan_part *p, struct second_span span,
			struct err *err)
{
	struct record_batch b = RECORD_BATCH_INIT;
	struct segment_key from = key_second(span.first, 0, 0),
			   to = key_second(span.last, UINT32_MAX, UINT16_MAX);
	struct page_range r = {
		.table = table_name(TABLE_LOG),
		.to = to.bytes,
		.nto = to.len,
		.limit = BATCH_BYTES,
	};
	int result = 0;
	do {
		if (query_interrupted(s->query, err)) {
			result = -1;
			break;
		}
		r.from = from.bytes;
		r.nfrom = from.len;
		result = pages_read(p->view->pages, &r, &b, err);
		for (size_t i = 0; !result && i < b.count; i++)
			if (scan_record(s, p, &b.items[i]))
				result = damaged(s, p->view, err);
		if (!result && b.more)
			from = key_after(b.items[b.count - 1].key, b.items[b.count - 1].nkey);
	} while (!result && b.more);
	record_batch_free(&b);
	return result;
}

static int scan_view(struct scan *s, struct view *v, const struct select *select, struct err *err)
{
	struct second_span span = seconds_of(s->query->range, v);
	if (span.empty)
		return 0;
	if (view_dict(s->store, v, err))
		return -1;
	struct selection selection;
	selection_init(&selection, select, &v->dict, s->store->names);
	struct scan_part p = {.view = v, .selection = &selection, .log = &s->log};
	if (s->ops->begin)
		s->ops->begin(s->arg, v, &selection);
	int result = scan_records(s, &p, span, err);
	if (s->ops->end)
		s->ops->end(s->arg);
	selection_release(&selection);
	return result;
}

int scan_log(struct store *s, const struct query *q, const struct scan_ops *ops, void *arg,
	     struct err *err)
{
	struct select select;
	if (select_init(&select, q->filter, err))
		return -1;
	struct scan *scan = mem_alloc(sizeof(*scan));
	scan->store = s;
	scan->query = q;
	scan->ops = ops;
	scan->arg = arg;
	int result = 0;
	for (size_t i = 0; !result && i < s->count; i++)
		result = scan_view(scan, s->views[i], &select, err);
	free(scan);
	select_release(&select);
	return result;
}

struct scan_walk scan_walk_of(const struct scan_part *p, const struct log_thread *t, enum weight w)
{
	bool cpu = w == WEIGHT_CPU;
	uint64_t wall = p->log->covered_ms * (uint64_t)NS_PER_MS;
	return (struct scan_walk){
		cpu ? spread_of(t->cpu_ns, t->on_cpu) : spread_of(wall, p->log->nticks), 0, cpu};
}
