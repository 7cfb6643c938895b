/* What stands out in time: peaks, bursts, and where a search is found. */
#ifndef TUI_PEAK_H
#define TUI_PEAK_H

#include "tui/data.h"

/* The highest cell of the next run of hot cells before or after the cursor (direction -1, 1);
 * with a search, of cells that hold a match. Where there is none it goes on from the store's other
 * end; *wrapped says so. 1 found, 0 none, -1 error or interrupted. */
int peak_find(struct data *d, const struct model *m, int direction, int64_t *cell, bool *wrapped,
	      struct err *err);

/* The run of cells about the cursor that are as hot as it is, rather than as the usual. */
int peak_burst(struct data *d, const struct model *m, struct range *out, struct err *err);

#endif
