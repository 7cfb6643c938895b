/* The heat of single threads, for the lanes that show. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tui/data.h"

void data_want_lanes(struct data *d, const struct thread_row *const *rows, size_t n)
{
	d->wanted = mem_grow(d->wanted, &d->wanted_cap, n ? n : 1, sizeof(*d->wanted));
	for (size_t i = 0; i < n; i++)
		d->wanted[i] = rows[i]->tid;
	d->nwanted = n;
}

const struct data_lane *data_lane(const struct data *d, int tid)
{
	for (size_t i = 0; i < d->nlanes; i++)
		if (d->lanes[i].tid == tid)
			return &d->lanes[i];
	return NULL;
}

/* The present filter but for other threads: a lane shows its thread, chosen or not. */
static void lane_filter(const struct model *m, int tid, struct filter *f)
{
	char value[16];
	filter_copy(f, &m->at.filter);
	for (size_t i = f->count; i-- > 0;)
		if (f->terms[i].key == FILTER_THREAD)
			filter_remove(f, i);
	if (m->search)
		filter_add(f, FILTER_MATCH, m->search, false, NULL);
	snprintf(value, sizeof(value), "%d", tid);
	filter_add(f, FILTER_THREAD, value, false, NULL);
}

static int ask_lane(struct data *d, const struct model *m, struct data_lane *lane, struct err *err)
{
	struct grid g = model_grid(m);
	struct filter f = FILTER_INIT;
	int64_t step = grid_step(g.zoom);
	lane->start = grid_row(g, m->at.cursor);
	lane->n = grid_row_cells(g, lane->start);
	memset(lane->cells, 0, sizeof(lane->cells));
	lane_filter(m, lane->tid, &f);
	struct query q = {{lane->start, lane->start + lane->n * step}, &f, d->interrupted, d->arg};
	int rc = query_heat(d->store, &q, step, lane->cells, (size_t)lane->n, err);
	filter_release(&f);
	return rc;
}

/* Lanes of another row, zoom, filter or search are none of these. */
static void renew(struct data *d, const struct model *m)
{
	int64_t row = grid_row(model_grid(m), m->at.cursor);
	bool same = d->lanes_zoom == m->at.zoom && d->lanes_row == row &&
		    d->lanes_grown == d->grown && filter_equal(&d->lanes_filter, &d->heat_filter);
	if (same)
		return;
	d->nlanes = 0;
	d->lanes_zoom = m->at.zoom;
	d->lanes_row = row;
	d->lanes_grown = d->grown;
	filter_release(&d->lanes_filter);
	filter_copy(&d->lanes_filter, &d->heat_filter);
}

enum data_state data_update_lanes(struct data *d, const struct model *m, struct err *err)
{
	struct err trouble = {0};
	if (!d->store)
		return DATA_DONE;
	renew(d, m);
	for (size_t i = 0; i < d->nwanted; i++) {
		if (data_lane(d, d->wanted[i]))
			continue;
		d->lanes = mem_grow(d->lanes, &d->lanes_cap, d->nlanes + 1, sizeof(*d->lanes));
		struct data_lane *lane = &d->lanes[d->nlanes];
		lane->tid = d->wanted[i];
		if (ask_lane(d, m, lane, &trouble) != 0) {
			if (trouble.code == ERR_NONE)
				return DATA_INTERRUPTED;
			*err = trouble;
			return DATA_FAILED;
		}
		d->nlanes++;
	}
	return DATA_DONE;
}
