/* The cells of the heatmap: from the heat table where it can tell, else from the log. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/query.h"
#include "store/scan.h"
#include "store/segment.h"

enum {
	BATCH_BYTES = 256 << 10,
	FULL_PERCENT = 95, /* of the ticks expected */
};

struct heat_query {
	const struct query *query;
	int64_t step;
	struct heat_cell *cells;
	size_t n;
	uint32_t second; /* whose samples `in_second` are, for cells of several seconds */
	size_t cell;
	uint64_t in_second;
	uint32_t tick_cell[CODEC_MAX_TICKS]; /* of the part at hand */
};

static bool is_full(uint64_t taken, uint64_t expected)
{
	return taken * 100 >= expected * FULL_PERCENT;
}

static size_t cell_of(const struct heat_query *h, int64_t ns)
{
	return (size_t)((ns - h->query->range.from) / h->step);
}

static void flush_second(struct heat_query *h)
{
	if (h->cell < h->n && h->in_second > h->cells[h->cell].max)
		h->cells[h->cell].max = h->in_second;
	h->in_second = 0;
}

/* Samples of one second in one cell. */
static void add_samples(struct heat_query *h, uint32_t second, size_t cell, uint64_t samples)
{
	if (second != h->second || cell != h->cell) {
		flush_second(h);
		h->second = second;
		h->cell = cell;
	}
	h->cells[cell].samples += samples;
	h->in_second += samples;
}

static void mark_recorded(struct heat_cell *c, uint64_t expected, uint64_t taken)
{
	c->expected += (uint32_t)expected;
	c->taken += (uint32_t)taken;
	if (c->quality == CELL_NONE)
		c->quality = CELL_FULL;
}

/* The ticks that a second would have had, had all of it been recorded: so that its first and last
 * cell are neither whole nor calm. */
static uint32_t whole_second(uint64_t expected, uint64_t covered_ms)
{
	return (uint32_t)(covered_ms && covered_ms < 1000 ? expected * 1000 / covered_ms : expected);
}

/* ---- cells within a second, or filters: the log ---- */

/* What a cell inside a second shows of two processes. */
static uint8_t join_quality(uint8_t a, uint8_t b)
{
	if (a == CELL_NONE || a == b)
		return b;
	return b == CELL_NONE ? a : CELL_PARTIAL;
}

/* A cell shorter than a second has few ticks: whether they are all there is told by the second. */
static void mark_inside(struct heat_query *h, const struct scan_part *p)
{
	const struct log_part *log = p->log;
	struct range w = covered_window(log);
	int64_t start = p->second * NS_PER_S;
	int64_t from = w.from > p->inside.from ? w.from : p->inside.from;
	int64_t to = w.to < p->inside.to ? w.to : p->inside.to;
	uint32_t tick = p->first;
	bool full = is_full(log->nticks, log->expected);
	while (from < to) {
		size_t cell = cell_of(h, start + from);
		if (cell >= h->n)
			return;
		int64_t next = h->query->range.from + (int64_t)(cell + 1) * h->step - start;
		next = next < to ? next : to;
		uint32_t taken = 0;
		for (; tick < p->end && log->tick_ms[tick] * NS_PER_MS < next; tick++)
			taken++;
		uint32_t expected = (uint32_t)(log->expected * next / NS_PER_S -
					       log->expected * from / NS_PER_S);
		struct heat_cell *c = &h->cells[cell];
		c->taken += taken;
		c->expected += expected;
		c->quality = join_quality(c->quality, full    ? CELL_FULL
						      : taken ? CELL_PARTIAL
							      : CELL_GAP);
		from = next;
	}
}

static void part(void *arg, const struct scan_part *p)
{
	struct heat_query *h = arg;
	const struct log_part *log = p->log;
	int64_t start = p->second * NS_PER_S;
	for (uint32_t i = p->first; i < p->end; i++)
		h->tick_cell[i] = (uint32_t)cell_of(h, start + log->tick_ms[i] * NS_PER_MS);
	if (log->continued)
		return;
	if (h->step < NS_PER_S)
		mark_inside(h, p);
	else
		mark_recorded(&h->cells[cell_of(h, start + p->inside.from)],
			      whole_second(log->expected, log->covered_ms),
			      log->expected - log->missed);
}

/* How much of a run, from its start, lies in one cell, or before or behind the ticks inside. */
static uint32_t piece_of(const struct heat_query *h, const struct scan_part *p,
			 const struct sample_run *r)
{
	uint32_t at = r->tick, end = at + r->count, to = at + 1;
	if (at < p->first)
		return p->first < end ? p->first - at : r->count;
	while (to < end && to < p->end && h->tick_cell[to] == h->tick_cell[at])
		to++;
	return at < p->end ? to - at : r->count;
}

static void thread(void *arg, const struct scan_part *p, const struct log_thread *t)
{
	struct heat_query *h = arg;
	const struct selection *n = p->selection;
	struct scan_walk cpu = scan_walk_of(p, t, WEIGHT_CPU);
	if (!t->on_cpu && t->cpu_ns && scan_has_start(p))
		h->cells[cell_of(h, p->second * NS_PER_S)].cpu_ns += t->cpu_ns;
	for (uint32_t i = 0; i < t->nruns; i++) {
		struct sample_run r = t->runs[i];
		bool counts =
			select_state(n->select, r.state) && n->stacks[selection_stack(n, r.stack)];
		for (uint32_t end = r.tick + r.count; r.tick < end; r.tick += r.count) {
			r.count = (uint16_t)(end - r.tick);
			r.count = (uint16_t)piece_of(h, p, &r);
			struct scan_run run = scan_step(&cpu, p, &r);
			if (!run.count)
				continue;
			h->cells[h->tick_cell[run.tick]].cpu_ns += run.ns;
			if (counts)
				add_samples(h, p->second, h->tick_cell[run.tick], run.count);
		}
	}
}

static int from_log(struct store *s, struct heat_query *h, struct range range, struct err *err)
{
	static const struct scan_ops ops = {.part = part, .thread = thread};
	struct query q = *h->query;
	q.range = range;
	return scan_log(s, &q, &ops, h, err);
}

/* ---- whole seconds: the heat table ---- */

/* The process number's filter is all that the heat table can serve. */
static bool heat_serves(const struct filter *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->terms[i].key != FILTER_PROCESS)
			return false;
	return true;
}

static uint64_t samples_of(const struct heat *h, enum weight w)
{
	uint64_t on = h->running, off = h->runnable + h->sleeping + h->other;
	return w == WEIGHT_CPU ? on : w == WEIGHT_OFF_CPU ? off : on + off;
}

static int add_heat(struct heat_query *h, const struct selection *n, const struct record *r)
{
	struct heat heat;
	if (r->nkey != SECOND_KEY_BYTES || heat_decode(r->value, r->nvalue, &heat))
		return -1;
	uint32_t second = (uint32_t)bytes_be(r->key, 4),
		 process = (uint32_t)bytes_be(r->key + 4, 4);
	if (process >= n->nprocesses || !n->processes[process])
		return 0;
	size_t cell = cell_of(h, second * NS_PER_S);
	mark_recorded(&h->cells[cell], whole_second(heat.expected, heat.covered_ms),
		      heat.expected - heat.missed);
	h->cells[cell].cpu_ns += heat.cpu_ns;
	add_samples(h, second, cell, samples_of(&heat, h->query->filter->weight));
	return 0;
}

static int heat_of_view(struct store *s, struct view *v, struct heat_query *h,
			const struct select *select, struct range range, struct err *err)
{
	struct second_span span = seconds_of(range, v);
	if (span.empty)
		return 0;
	if (view_dict(s, v, err))
		return -1;
	struct selection selection;
	selection_init(&selection, select, &v->dict, s->names);
	struct record_batch b = RECORD_BATCH_INIT;
	uint32_t second = span.first;
	struct segment_key from = key_second(second, 0, 0),
			   to = key_second(span.last, UINT32_MAX, UINT16_MAX);
	struct page_range r = {
		.table = table_name(TABLE_HEAT),
		.to = to.bytes,
		.nto = to.len,
		.limit = BATCH_BYTES,
	};
	int result = 0;
	do {
		r.from = from.bytes;
		r.nfrom = from.len;
		result = query_interrupted(h->query, err) ? -1 : pages_read(v->pages, &r, &b, err);
		for (size_t i = 0; !result && i < b.count; i++)
			if (add_heat(h, &selection, &b.items[i]))
				result = err_set(
					err, ERR_FAILED,
					"cannot read %s/%s: its heat is damaged; restore it "
					"or remove that folder",
					s->path, v->name);
		if (!result && b.more)
			from = key_after(b.items[b.count - 1].key, b.items[b.count - 1].nkey);
	} while (!result && b.more);
	record_batch_free(&b);
	selection_release(&selection);
	return result;
}

static int from_heat(struct store *s, struct heat_query *h, struct range range, struct err *err)
{
	struct select select;
	if (select_init(&select, h->query->filter, err))
		return -1;
	int result = 0;
	for (size_t i = 0; !result && i < s->count; i++)
		result = heat_of_view(s, s->views[i], h, &select, range, err);
	select_release(&select);
	return result;
}

static void finish(struct heat_query *h)
{
	flush_second(h);
	for (size_t i = 0; h->step >= NS_PER_S && i < h->n; i++) {
		struct heat_cell *c = &h->cells[i];
		if (c->quality != CELL_NONE && c->expected)
			c->quality = !c->taken                        ? CELL_GAP
				     : is_full(c->taken, c->expected) ? CELL_FULL
								      : CELL_PARTIAL;
	}
}

int query_heat(struct store *s, const struct query *q, int64_t step, struct heat_cell *cells,
	       size_t n, struct err *err)
{
	memset(cells, 0, n * sizeof(*cells));
	struct range all = q->range;
	if (step <= 0 || !n || all.from >= all.to)
		return 0;
	if ((all.to - all.from - 1) / step >= (int64_t)n)
		all.to = all.from + (int64_t)n * step;
	struct heat_query *h = mem_zalloc(1, sizeof(*h));
	h->query = q;
	h->step = step;
	h->cells = cells;
	h->n = n;
	h->cell = n;
	int result = 0;
	struct range whole = {all.from, all.from};
	if (step % NS_PER_S == 0 && all.from % NS_PER_S == 0 && heat_serves(q->filter))
		whole.to = all.to - all.to % NS_PER_S;
	if (whole.to > whole.from)
		result = from_heat(s, h, whole, err);
	if (!result && whole.to < all.to)
		result = from_log(s, h, (struct range){whole.to, all.to}, err);
	finish(h);
	free(h);
	return result;
}
