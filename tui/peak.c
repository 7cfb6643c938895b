/* Walking over cells to find runs of hot ones, a chunk of cells a query. */
#include "tui/peak.h"

#include <stdlib.h>

#include "base/mem.h"

enum { CHUNK = 3600 };

/* A position on the line of cells, with the chunk that holds it. */
struct walk {
	struct data *d;
	const struct model *m;
	struct heat_cell *cells;
	int64_t start, step; /* the chunk's first cell */
	size_t n;            /* 0: nothing asked yet */
	bool failed;         /* or interrupted */
	struct err *err;
};

static void walk_init(struct walk *w, struct data *d, const struct model *m, struct err *err)
{
	*w = (struct walk){.d = d, .m = m, .step = grid_step(m->at.zoom), .err = err};
	w->cells = mem_zalloc(CHUNK, sizeof(*w->cells));
}

/* The rate of the cell at t; -1 outside the store or on failure (then w->err says). */
static double walk_rate(struct walk *w, int64_t t, int direction)
{
	struct range span = w->d->span;
	if (t >= span.to || t + w->step <= span.from)
		return -1;
	int64_t ns = heat_length(t, w->step, span);
	const struct heat_row *row = heat_find(&w->d->heat, grid_row(model_grid(w->m), t));
	if (row && !row->stale) {
		int i = (int)((t - row->start) / w->step);
		return i < row->n ? heat_rate(&row->cells[i], ns) : 0;
	}
	if (!w->d->store)
		return 0;
	if (!w->n || t < w->start || t >= w->start + CHUNK * w->step) {
		w->start = direction < 0 ? t - (CHUNK - 1) * w->step : t;
		if (data_cells(w->d, w->m, w->start, w->cells, CHUNK, w->err) != 0) {
			w->n = 0;
			w->failed = true;
			return -1;
		}
		w->n = CHUNK;
	}
	return heat_rate(&w->cells[(t - w->start) / w->step], ns);
}

/* From which rate on a cell is hot; 0: nothing stands out. */
static double threshold(const struct data *d, const struct model *m)
{
	if (m->search)
		return 1e-9;
	const double clear = 1.3;
	if (d->heat.p99 < clear * d->heat.median)
		return 0;
	return (d->heat.median + d->heat.p99) / 2;
}

/* The highest cell of the first run of cells that are hot, from t on. */
static bool next_run(struct walk *w, int64_t t, int direction, double hot, int64_t *cell)
{
	double rate, best = 0;
	while ((rate = walk_rate(w, t, direction)) >= 0 && rate < hot)
		t += direction * w->step;
	bool found = rate >= hot;
	for (; rate >= hot; rate = walk_rate(w, t, direction)) {
		if (rate > best) {
			best = rate;
			*cell = t;
		}
		t += direction * w->step;
	}
	return found;
}

int peak_find(struct data *d, const struct model *m, int direction, int64_t *cell, bool *wrapped,
	      struct err *err)
{
	double hot = threshold(d, m);
	*wrapped = false;
	if (hot <= 0)
		return 0;
	struct walk w;
	walk_init(&w, d, m, err);
	struct grid g = model_grid(m);
	int64_t t = grid_cell(g, m->at.cursor);
	while (walk_rate(&w, t, direction) >= hot) /* out of the run we are in */
		t += direction * w.step;
	bool found = next_run(&w, t, direction, hot, cell);
	if (!found && !w.failed) {
		*wrapped = true;
		t = grid_cell(g, direction > 0 ? d->span.from : d->span.to - 1);
		found = next_run(&w, t, direction, hot, cell);
	}
	free(w.cells);
	return w.failed ? -1 : found;
}

int peak_burst(struct data *d, const struct model *m, struct range *out, struct err *err)
{
	struct walk w;
	walk_init(&w, d, m, err);
	int64_t t = grid_cell(model_grid(m), m->at.cursor);
	double here = walk_rate(&w, t, 1), median = d->heat.median;
	double least = here > median ? (here + median) / 2 : here / 2;
	int64_t end[2] = {t, t};
	for (int side = 0; side < 2 && here > 0; side++) {
		int64_t step = side ? w.step : -w.step;
		int dips = 0;
		for (int64_t at = t + step; dips < 2; at += step) { /* a single dip is no end */
			double rate = walk_rate(&w, at, side ? 1 : -1);
			if (rate < 0)
				break;
			dips = rate < least ? dips + 1 : 0;
			if (!dips)
				end[side] = at;
		}
	}
	free(w.cells);
	*out = (struct range){end[0], end[1] + w.step};
	return here > 0;
}
