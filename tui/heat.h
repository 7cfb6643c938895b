/* The heat of cells: what was counted a second, its level on a scale, and the rows known.
 * Pure data; tui/data.c fills it from the store. */
#ifndef TUI_HEAT_H
#define TUI_HEAT_H

#include "store/query.h"
#include "tui/grid.h"

struct heat_row {
	int64_t start;
	int n;
	bool stale; /* the store has grown in it: ask again */
	struct heat_cell *cells;
};

struct heat {
	struct heat_row *rows; /* by start */
	size_t count, cap;
	double top;    /* stacks a second at the scale's end; 0: not known */
	double median; /* of the cells in which something ran */
	double p99;
};

void heat_clear(struct heat *h); /* the scale stays */
void heat_release(struct heat *h);
struct heat_row *heat_find(const struct heat *h, int64_t start); /* NULL: not known */
/* Room for the cells of a row, cleared; the row is entered or replaced. */
struct heat_row *heat_put(struct heat *h, int64_t start, int n);
void heat_spoil(struct heat *h, int64_t from,
		int64_t row_ns); /* rows that end after `from` become stale */

/* Stacks a second in a cell of `ns`, scaled by taken/expected to the nominal rate. */
double heat_rate(const struct heat_cell *c, int64_t ns);
/* Cells as one: sums, the quality of the whole. */
struct heat_cell heat_merge(const struct heat_cell *cells, int n);
/* 0 .. levels - 1. */
int heat_level(double rate, double top, bool logarithmic, int levels);

/* 1, 2 or 5 times a power of ten, at least v; 1 at least. */
double heat_round(double v);
/* A scale's end moves only when p99 has left it by 25 %. */
double heat_move_top(double top, double p99);
/* How much of the `step` ns from `start` the store spans: what a cell's mean is over. At its ends
 * less than the step, outside the step itself. */
int64_t heat_length(int64_t start, int64_t step, struct range span);
/* Median, 99th percentile and top from all the rows known, whose cells are `step` long, in a
 * store of `span`. */
void heat_measure(struct heat *h, int64_t step, struct range span);

#endif
