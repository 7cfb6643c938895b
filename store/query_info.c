/* What is in a store: its events, and the sums over all of it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/text.h"
#include "store/codec.h"
#include "store/place.h"
#include "store/query.h"
#include "store/reader.h"
#include "store/segment.h"
#include "store/stops.h"

enum { BATCH_BYTES = 256 << 10 };

static int damaged(const struct store *s, const struct view *v, const char *what, struct err *err)
{
	return err_set(err, ERR_FAILED,
		       "cannot read %s/%s: its %s is damaged; restore it or remove that folder",
		       s->path, v->name, what);
}

/* ---- events ---- */

static int take_event(struct view *v, const struct record *r, struct event_rows *out, size_t *cap)
{
	struct bytes_in in = bytes_of(r->value, r->nvalue);
	uint64_t type = bytes_varint(&in), process = bytes_varint(&in);
	if (r->nkey != 12 || in.bad)
		return -1;
	struct buf text = BUF_INIT;
	text_clean(&text, (const char *)in.at, (size_t)(in.end - in.at));
	out->rows = mem_grow(out->rows, cap, out->count + 1, sizeof(*out->rows));
	out->rows[out->count++] = (struct event_row){
		.time = (int64_t)bytes_be(r->key, 8),
		.type = type < EVENT_TYPE_COUNT ? (enum event_type)type : EVENT_NOTE,
		.pid = process && process <= v->dict.nprocesses
			       ? (int)v->dict.processes[process - 1].pid
			       : 0,
		.text = buf_take(&text),
	};
	return 0;
}

static int events_of_view(struct store *s, struct view *v, struct range range,
			  struct event_rows *out, size_t *cap, struct err *err)
{
	if (view_dict(s, v, err))
		return -1;
	struct record_batch b = RECORD_BATCH_INIT;
	struct segment_key from = key_event((uint64_t)range.from, 0),
			   to = key_event((uint64_t)range.to, 0);
	struct page_range r = {.table = table_name(TABLE_EVENTS),
			       .to = to.bytes,
			       .nto = to.len,
			       .limit = BATCH_BYTES};
	int result = 0;
	do {
		r.from = from.bytes;
		r.nfrom = from.len;
		result = pages_read(v->pages, &r, &b, err);
		for (size_t i = 0; !result && i < b.count; i++)
			if (take_event(v, &b.items[i], out, cap))
				result = damaged(s, v, "table of events", err);
		if (!result && b.more)
			from = key_after(b.items[b.count - 1].key, b.items[b.count - 1].nkey);
	} while (!result && b.more);
	record_batch_free(&b);
	return result;
}

static int by_event_time(const void *a, const void *b)
{
	const struct event_row *x = a, *y = b;
	return x->time < y->time ? -1 : x->time > y->time;
}

int query_events(struct store *s, struct range range, struct event_rows *out, struct err *err)
{
	size_t cap = 0;
	*out = (struct event_rows){0};
	if (range.from < 0)
		range.from = 0;
	for (size_t i = 0; i < s->count && range.to > range.from; i++)
		if (events_of_view(s, s->views[i], range, out, &cap, err)) {
			event_rows_release(out);
			return -1;
		}
	if (out->count > 1)
		qsort(out->rows, out->count, sizeof(*out->rows), by_event_time);
	return 0;
}

void event_rows_release(struct event_rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->rows[i].text);
	free(r->rows);
	*r = (struct event_rows){0};
}

/* ---- info ---- */

static int sum_heat(struct store *s, struct view *v, struct heat *sum, struct err *err)
{
	struct record_batch b = RECORD_BATCH_INIT;
	struct segment_key from = key_second(0, 0, 0);
	struct page_range r = {.table = table_name(TABLE_HEAT), .limit = BATCH_BYTES};
	int result = 0;
	do {
		r.from = from.bytes;
		r.nfrom = from.len;
		result = pages_read(v->pages, &r, &b, err);
		for (size_t i = 0; !result && i < b.count; i++) {
			struct heat h;
			if (heat_decode(b.items[i].value, b.items[i].nvalue, &h))
				result = damaged(s, v, "heat", err);
			else
				heat_add(sum, &h);
		}
		if (!result && b.more)
			from = key_after(b.items[b.count - 1].key, b.items[b.count - 1].nkey);
	} while (!result && b.more);
	record_batch_free(&b);
	return result;
}

struct distinct {
	struct intern processes, threads, funcs;
};

static void count_distinct(struct distinct *n, const struct view *v)
{
	const struct dict *d = &v->dict;
	struct buf key = BUF_INIT;
	for (size_t i = 0; i < d->nthreads; i++) {
		const struct process_record *p = &d->processes[d->threads[i].process];
		buf_clear(&key);
		buf_fmt(&key, "%u %llu", p->pid, (unsigned long long)p->start_ticks);
		intern_put(&n->processes, key.data, key.len, NULL);
		buf_fmt(&key, " %u", d->threads[i].tid);
		intern_put(&n->threads, key.data, key.len, NULL);
	}
	buf_free(&key);
	for (size_t i = 0; i < d->nfuncs; i++)
		intern_put(&n->funcs, &d->func_ids[i], sizeof(d->func_ids[i]), NULL);
}

static void take_meta(struct view *v, struct store_info *out, struct stops *stops)
{
	size_t n;
	char *value = view_meta(v, "command", &n);
	if (value) {
		struct buf b = BUF_INIT;
		text_clean(&b, value, n);
		snprintf(out->command, sizeof(out->command), "%s", buf_cstr(&b));
		buf_free(&b);
		free(value);
	}
	if ((value = view_meta(v, "sampled", &n))) {
		struct bytes_in in = bytes_of(value, n);
		out->stacks += bytes_varint(&in);
		free(value);
	}
	if ((value = view_meta(v, "stops", &n))) {
		struct stops *one = mem_alloc(sizeof(*one));
		if (!stops_decode(value, n, one))
			stops_merge(stops, one);
		free(one);
		free(value);
	}
}

int query_info(struct store *s, struct store_info *out, struct err *err)
{
	struct distinct n = {INTERN_INIT, INTERN_INIT, INTERN_INIT};
	struct stops *stops = mem_zalloc(1, sizeof(*stops));
	struct heat sum = {0};
	int result = 0;
	*out = (struct store_info){0};
	for (size_t i = 0; !result && i < s->count; i++) {
		struct view *v = s->views[i];
		result = view_dict(s, v, err) || sum_heat(s, v, &sum, err) ? -1 : 0;
		if (result)
			break;
		count_distinct(&n, v);
		take_meta(v, out, stops);
	}
	struct range span = store_span(s);
	out->running = sum.running;
	out->samples = sum.running + sum.runnable + sum.sleeping + sum.other;
	out->expected = sum.expected;
	out->missed = sum.missed;
	out->threads = n.threads.count;
	out->processes = n.processes.count;
	out->functions = n.funcs.count;
	out->segments = s->count;
	out->stops = sum.stops;
	out->stopless = sum.stopless;
	out->truncated = sum.truncated;
	out->stopped_ns = sum.stopped_ns;
	out->cpu_ns = sum.cpu_ns;
	out->wall_ns = sum.wall_ns;
	out->start = span.from;
	out->end = span.to;
	out->stop_p50_ns = stops_quantile(stops, 0.50);
	out->stop_p99_ns = stops_quantile(stops, 0.99);
	out->stop_max_ns = stops->max_ns;
	out->bytes = place_bytes(s->path);
	intern_free(&n.processes);
	intern_free(&n.threads);
	intern_free(&n.funcs);
	free(stops);
	return result;
}
