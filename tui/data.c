/* Asking the store for what the screen shows, and keeping it. */
#include "tui/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

enum {
	OVERVIEW_ROWS = 96, /* rows from all over the store that the scale rests on */
	SETTLE_S = 2,       /* seconds before the end that may still be completed */
	CORES_S = 5,        /* the header's cores are the mean of these */
	HEAT_ROWS = 1024,   /* kept; then all but the screen's are asked anew */
};

void data_init(struct data *d, struct store *store, struct names *names)
{
	*d = (struct data){.store = store, .names = names, .frame = CALLTREE_NONE};
	calltree_init(&d->tree, names);
	calltree_finish(&d->tree);
	if (!store)
		return;
	d->span = store_span(store);
	d->rate = store_rate(store);
	d->live = store_live(store);
}

void data_release(struct data *d)
{
	calltree_release(&d->tree);
	heat_release(&d->heat);
	filter_release(&d->heat_filter);
	for (int i = 0; i < 2; i++)
		filter_release(&d->tree_filter[i]);
	thread_rows_release(&d->threads);
	event_rows_release(&d->events);
	matcher_release(&d->matcher);
	free(d->matches);
	free(d->match_text);
	free(d->wanted);
	free(d->lanes);
	filter_release(&d->lanes_filter);
	*d = (struct data){0};
}

static struct query query_for(const struct data *d, struct range range, const struct filter *filter)
{
	return (struct query){range, filter, d->interrupted, d->arg};
}

/* Events of the time that is new; those before it are known. */
static int more_events(struct data *d, int64_t from, struct err *err)
{
	struct event_rows fresh = {0};
	if (query_events(d->store, (struct range){from, d->span.to}, &fresh, err) != 0)
		return -1;
	size_t keep = d->events.count;
	while (keep && d->events.rows[keep - 1].time >= from)
		free(d->events.rows[--keep].text);
	size_t cap = d->events.count;
	d->events.rows =
		mem_grow(d->events.rows, &cap, keep + fresh.count + 1, sizeof(*fresh.rows));
	for (size_t i = 0; i < fresh.count; i++) {
		d->events.rows[keep + i] = fresh.rows[i];
		fresh.rows[i].text = NULL;
	}
	d->events.count = keep + fresh.count;
	event_rows_release(&fresh);
	return 0;
}

static int ask_cores(struct data *d, struct err *err)
{
	struct heat_cell cells[CORES_S] = {{0}};
	struct filter all = FILTER_INIT;
	struct range r = {d->span.to - CORES_S * NS_PER_S, d->span.to};
	struct query q = {.range = r, .filter = &all}; /* too short to be interrupted */
	if (query_heat(d->store, &q, NS_PER_S, cells, CORES_S, err) != 0)
		return -1;
	struct heat_cell sum = {0};
	int seconds = 0;
	for (int i = 0; i < CORES_S; i++) {
		sum.cpu_ns += cells[i].cpu_ns;
		seconds += cells[i].quality != CELL_NONE;
	}
	d->cores = seconds ? (double)sum.cpu_ns / NS_PER_S / seconds : 0;
	return 0;
}

int data_refresh(struct data *d, struct err *err)
{
	if (!d->store)
		return 0;
	int64_t known = d->span.to - SETTLE_S * NS_PER_S;
	bool first = d->rate == 0 || !d->info.end;
	int grown = store_refresh(d->store, err);
	if (grown < 0)
		return -1;
	bool live = store_live(d->store);
	bool other = live != d->live;
	d->live = live;
	if (!grown && !first)
		return other;
	struct range span = store_span(d->store);
	/* What came without moving the end came somewhere before it. */
	int64_t from =
		first || span.to == d->span.to || span.from != d->span.from ? span.from : known;
	d->span = span;
	d->rate = store_rate(d->store);
	d->grown++;
	heat_spoil(&d->heat, from,
		   grid_step(d->heat_grid.zoom) * grid_max_cells(d->heat_grid.zoom));
	for (int i = 0; i < 2; i++)
		d->tree_stale |= d->tree_range[i].to > from;
	d->threads_stale |= d->threads_range.to > from;
	if (query_info(d->store, &d->info, err) != 0 || more_events(d, from, err) != 0 ||
	    ask_cores(d, err) != 0)
		return -1;
	return 1;
}

/* The filter of the grid: with what is searched, the cells show where it is. */
static void grid_filter(const struct model *m, struct filter *f)
{
	filter_copy(f, &m->at.filter);
	if (m->search)
		filter_add(f, FILTER_MATCH, m->search, false, NULL);
}

int data_cells(struct data *d, const struct model *m, int64_t from, struct heat_cell *cells,
	       size_t n, struct err *err)
{
	memset(cells, 0, n * sizeof(*cells));
	if (!d->store)
		return 0;
	struct filter f = FILTER_INIT;
	grid_filter(m, &f);
	int64_t step = grid_step(m->at.zoom);
	struct query q = query_for(d, (struct range){from, from + (int64_t)n * step}, &f);
	int rc = query_heat(d->store, &q, step, cells, n, err);
	filter_release(&f);
	return rc;
}

static int ask_row(struct data *d, const struct model *m, int64_t start, struct err *err)
{
	struct grid g = model_grid(m);
	struct heat_row *known = heat_find(&d->heat, start);
	if ((known && !known->stale) || !d->store)
		return 0;
	int n = grid_row_cells(g, start);
	struct heat_cell *cells = mem_zalloc((size_t)n, sizeof(*cells));
	int rc = data_cells(d, m, start, cells, (size_t)n, err);
	if (rc == 0)
		memcpy(heat_put(&d->heat, start, n)->cells, cells, (size_t)n * sizeof(*cells));
	free(cells);
	return rc;
}

static void measure(struct data *d)
{
	heat_measure(&d->heat, grid_step(d->heat_grid.zoom), d->span);
}

/* Start the grid anew where zoom, filter or search are other ones. */
static void renew_grid(struct data *d, const struct model *m)
{
	struct grid g = model_grid(m);
	struct filter f = FILTER_INIT;
	grid_filter(m, &f);
	bool same = d->heat_grid.zoom == g.zoom && d->heat_grid.utc == g.utc &&
		    filter_equal(&d->heat_filter, &f);
	if (same && (d->heat.count || !d->store)) {
		filter_release(&f);
		return;
	}
	if (d->store) {
		heat_clear(&d->heat);
		d->heat.top = 0;
	}
	filter_release(&d->heat_filter);
	d->heat_filter = f;
	d->heat_grid = g;
	d->overview_rows = grid_rows_between(g, d->span.from, d->span.to, INT32_MAX) + 1;
	d->overview = d->overview_rows < OVERVIEW_ROWS ? d->overview_rows : OVERVIEW_ROWS;
}

static int ask_grid(struct data *d, const struct model *m, struct err *err)
{
	renew_grid(d, m);
	struct grid g = model_grid(m);
	if (d->heat.count + (size_t)m->rows > HEAT_ROWS)
		heat_clear(&d->heat);
	for (int i = 0; i < m->rows; i++) {
		int64_t row = grid_row_add(g, m->bottom, -i);
		if (row >= d->span.to || grid_row_add(g, row, 1) <= d->span.from)
			continue;
		if (ask_row(d, m, row, err) != 0)
			return -1;
	}
	measure(d);
	return 0;
}

/* A few rows from all over the store, so that the scale is the store's and not the screen's. */
static int ask_overview(struct data *d, const struct model *m, struct err *err)
{
	struct grid g = model_grid(m);
	bool asked = false;
	while (d->overview > 0) {
		int total = d->overview_rows < OVERVIEW_ROWS ? d->overview_rows : OVERVIEW_ROWS;
		int row = (int)((int64_t)(d->overview - 1) * d->overview_rows / total);
		if (ask_row(d, m, grid_row_add(g, grid_row(g, d->span.from), row), err) != 0)
			return -1;
		d->overview--;
		asked = true;
	}
	if (asked)
		measure(d);
	return 0;
}

static bool same_range(struct range a, struct range b)
{
	return a.from == b.from && a.to == b.to;
}

bool data_current(const struct data *d, const struct model *m)
{
	struct side sides[2];
	model_sides(m, sides);
	if (!d->store)
		return true;
	if (!d->tree_known || d->tree_diff != m->diff)
		return false;
	for (int i = 0; i < 1 + m->diff; i++)
		if (!same_range(d->tree_range[i], sides[i].range) ||
		    !filter_equal(&d->tree_filter[i], sides[i].filter))
			return false;
	return true;
}

void data_take_tree(struct data *d, struct calltree *t, bool diff)
{
	calltree_release(&d->tree);
	d->tree = *t;
	d->version++;
	d->tree_diff = diff;
	memset(d->kind_ns, 0, sizeof(d->kind_ns));
	for (size_t i = 1; i < t->count; i++) {
		const struct tree_node *n = &t->nodes[i];
		enum frame_kind kind = names_func(d->names, n->func)->kind;
		d->kind_ns[kind] += n->side[0].self_ns;
		d->kinds_seen |= 1u << kind;
	}
}

static int ask_tree(struct data *d, const struct model *m, struct err *err)
{
	if (data_current(d, m) && !d->tree_stale)
		return 0;
	struct side sides[2];
	model_sides(m, sides);
	struct calltree t;
	calltree_init(&t, d->names);
	for (int i = 0; i < 1 + m->diff; i++) {
		struct query q = query_for(d, sides[i].range, sides[i].filter);
		if (query_tree(d->store, &q, &t, i, err) != 0) {
			calltree_release(&t);
			return -1;
		}
	}
	calltree_finish(&t);
	data_take_tree(d, &t, m->diff);
	d->tree_known = true;
	d->tree_stale = false;
	for (int i = 0; i < 2; i++) {
		d->tree_range[i] = sides[i].range;
		filter_release(&d->tree_filter[i]);
		filter_copy(&d->tree_filter[i], sides[i].filter);
	}
	return 0;
}

static int ask_threads(struct data *d, const struct model *m, struct err *err)
{
	struct range r = model_range(m);
	enum weight weight = m->at.filter.weight;
	if (d->threads_known && !d->threads_stale && same_range(d->threads_range, r) &&
	    d->threads_weight == weight)
		return 0;
	struct filter all = FILTER_INIT;
	all.weight = weight;
	struct query q = query_for(d, r, &all);
	struct thread_rows rows = {0};
	if (query_threads(d->store, &q, &rows, err) != 0)
		return -1;
	thread_rows_release(&d->threads);
	d->threads = rows;
	d->threads_range = r;
	d->threads_weight = weight;
	d->threads_known = true;
	d->threads_stale = false;
	d->threads_version++;
	d->all_ns = d->all_samples = 0;
	for (size_t i = 0; i < rows.count; i++) {
		d->all_ns += rows.rows[i].ns;
		d->all_samples += rows.rows[i].samples;
	}
	return 0;
}

enum data_state data_update(struct data *d, const struct model *m, struct err *err)
{
	static int (*const parts[])(struct data *, const struct model *,
				    struct err *) = {ask_grid, ask_tree, ask_threads, ask_overview};
	struct err trouble = {0};
	enum data_state state = DATA_DONE;
	if (!d->store)
		measure(d);
	for (size_t i = 0; d->store && state == DATA_DONE && i < sizeof(parts) / sizeof(parts[0]);
	     i++)
		if (parts[i](d, m, &trouble) != 0)
			state = trouble.code == ERR_NONE ? DATA_INTERRUPTED : DATA_FAILED;
	if (state == DATA_FAILED && err)
		*err = trouble;
	data_resolve(d, m);
	return state;
}

uint32_t data_fold(const struct calltree *t, uint32_t root, bool diff, enum scale scale)
{
	double all = compare_size(t, root, diff, scale);
	uint32_t base = root;
	for (;;) {
		uint32_t best = CALLTREE_NONE;
		for (uint32_t c = t->nodes[base].child; c != CALLTREE_NONE && best == CALLTREE_NONE;
		     c = t->nodes[c].next)
			if (compare_size(t, c, diff, scale) >= FOLD_SHARE * all && all > 0)
				best = c;
		/* The last one stays a box: a view is never empty where there are stacks. */
		if (best == CALLTREE_NONE || t->nodes[best].child == CALLTREE_NONE)
			return base;
		base = best;
	}
}

/* Down the heaviest callees as long as one of them holds most of its caller. */
static uint32_t hottest_node(const struct calltree *t, uint32_t node, bool diff, enum scale scale)
{
	const double most_share = 0.5;
	uint32_t base = node;
	for (;;) {
		uint32_t best = CALLTREE_NONE;
		double most = 0;
		for (uint32_t c = t->nodes[node].child; c != CALLTREE_NONE; c = t->nodes[c].next) {
			double size = compare_size(t, c, diff, scale);
			if (size > most) {
				most = size;
				best = c;
			}
		}
		if (best == CALLTREE_NONE ||
		    (node != base && most < most_share * compare_size(t, node, diff, scale)))
			return node;
		node = best;
	}
}

static double change_of(const struct calltree *t, uint32_t node, enum scale scale)
{
	return fabs(compare_counts(t, t->nodes[node].side, false, scale).delta);
}

/* Down the callees that changed most as long as one of them has most of its caller's change. */
static uint32_t most_changed_node(const struct calltree *t, uint32_t node, enum scale scale)
{
	const double most_share = 0.5;
	uint32_t base = node;
	for (;;) {
		uint32_t best = CALLTREE_NONE;
		double most = 0;
		for (uint32_t c = t->nodes[node].child; c != CALLTREE_NONE; c = t->nodes[c].next) {
			double change = change_of(t, c, scale);
			if (change > most) {
				most = change;
				best = c;
			}
		}
		if (best == CALLTREE_NONE ||
		    (node != base && most < most_share * change_of(t, node, scale)))
			return node;
		node = best;
	}
}

static void match_all(struct data *d, const struct model *m)
{
	const struct calltree *t = &d->tree;
	bool same =
		m->search ? d->match_text && strcmp(d->match_text, m->search) == 0 : !d->match_text;
	if (same && d->match_version == d->version && d->matches)
		return;
	free(d->match_text);
	d->match_text = m->search ? mem_strdup(m->search) : NULL;
	d->match_version = d->version;
	matcher_release(&d->matcher);
	matcher_init(&d->matcher, m->search);
	d->matches = mem_grow(d->matches, &d->matches_cap, t->count, 1);
	memset(d->matches, 0, t->count);
	d->match_ns = d->match_funcs = 0;
	if (!m->search)
		return;
	/* A caller stands before what it calls. Bit 0: it matches; bit 1: something above does. */
	for (size_t i = 1; i < t->count; i++) {
		const struct tree_node *n = &t->nodes[i];
		bool above = d->matches[n->parent] != 0;
		bool hit = matcher_match(&d->matcher, names_func(d->names, n->func));
		d->matches[i] = (uint8_t)(hit | above << 1);
		if (hit && !above)
			d->match_ns += n->side[0].total_ns;
		d->match_funcs += hit;
	}
}

void data_resolve(struct data *d, const struct model *m)
{
	const struct calltree *t = &d->tree;
	if (!t->count)
		return;
	d->root = calltree_find(t, m->at.root.funcs, m->at.root.n);
	d->base = data_fold(t, d->root, d->tree_diff, m->scale);
	d->frame = m->frame.n ? calltree_find(t, m->frame.funcs, m->frame.n) : CALLTREE_NONE;
	if (d->frame == 0)
		d->frame = CALLTREE_NONE;
	d->hottest = d->tree_diff ? most_changed_node(t, d->base, m->scale)
				  : hottest_node(t, d->base, false, m->scale);
	match_all(d, m);
}

struct heat_cell data_cell(const struct data *d, const struct model *m, int64_t t, int64_t *ns)
{
	struct grid g = model_grid(m);
	int64_t row_start = grid_row(g, t), step = grid_step(m->at.zoom), start = model_cell(m, t);
	const struct heat_row *row = heat_find(&d->heat, row_start);
	*ns = heat_length(start, step * m->merge, d->span);
	int first = (int)((start - row_start) / step);
	if (!row || first >= row->n)
		return (struct heat_cell){0};
	return heat_merge(row->cells + first,
			  row->n - first < m->merge ? row->n - first : m->merge);
}
