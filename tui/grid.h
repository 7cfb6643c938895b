/* The heatmap's grid of time: which row and cell an instant is in, at each zoom. Pure.
 *
 * A row is a unit of the clock: a second, a minute, an hour, a day, as local time has them
 * (or UTC): an hour starts where the clock shows :00, a day has 23 to 25 hours. Times are
 * nanoseconds since 1970. Everything is found by arithmetic or mktime, never by stepping
 * through rows. */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "store/range.h"

struct buf;

/* name of a row, cells in a row at most, step in ns, cells between the ruler's numbers */
#define ZOOMS(X)                                                                                   \
	X(ZOOM_20MS, "row 1 s", "cell 20 ms", 50, INT64_C(20000000), 10)                           \
	X(ZOOM_SECOND, "row 1 min", "cell 1 s", 60, INT64_C(1000000000), 10)                       \
	X(ZOOM_MINUTE, "row 1 h", "cell 1 min", 60, INT64_C(60000000000), 10)                      \
	X(ZOOM_HOUR, "row 1 day", "cell 1 h", 25, INT64_C(3600000000000), 3)

#define X(id, row, cell, cells, step, mark) id,
enum zoom { ZOOMS(X) ZOOM_COUNT };
#undef X

struct grid {
	enum zoom zoom;
	bool utc;
};

int64_t grid_step(enum zoom z);
int grid_max_cells(enum zoom z);
int grid_ruler_every(enum zoom z);
const char *grid_row_name(enum zoom z);
const char *grid_cell_name(enum zoom z);

int64_t grid_row(struct grid g, int64_t t);              /* start of the row that holds t */
int64_t grid_row_add(struct grid g, int64_t row, int n); /* start of the row n further on */
int grid_row_cells(struct grid g, int64_t row);
int64_t grid_cell(struct grid g, int64_t t); /* start of the cell that holds t */
int grid_column(struct grid g, int64_t t);   /* the cell's index in its row */
int64_t grid_cell_end(struct grid g, int64_t t);
/* Rows from the one that holds `from` to the one that holds `to`: 0 for the same; counted
 * no further than `limit`. */
int grid_rows_between(struct grid g, int64_t from, int64_t to, int limit);

void grid_label(struct buf *out, struct grid g, int64_t row); /* 5 columns; rows of a second 8 */
void grid_ruler(struct buf *out, enum zoom z, int column);    /* the number over a column */

/* "14:03:09", with ".020" where not whole; "Dec 1 " before it where `day` is another day. */
void grid_time(struct buf *out, int64_t ns, int64_t day, bool utc);

#endif
