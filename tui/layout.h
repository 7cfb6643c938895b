/* Where things stand on a screen of a size. Pure. */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include <stdbool.h>

#include "tui/cells.h"

enum pane { PANE_TIME, PANE_VIEW, PANE_MENU, PANE_COUNT };

struct layout_opts {
	bool menu;      /* M: where a menu stands, hide it; where it is a drawer, open it */
	bool maximised; /* z: all the room for `pane` */
	enum pane pane;
	int cells;    /* in a row of the grid; 0: as for seconds of a minute */
	bool seconds; /* the rows' labels have them: "14:03:09" */
};

struct layout {
	int cols, rows;
	bool line;   /* too small for anything but one line, in `header` */
	bool strip;  /* too narrow for a grid: the grid is one row of the last cells */
	bool drawer; /* the menu lies over the rest */
	struct rect header, ruler, labels, grid, side, range, tabs, view, detail, hints, menu;
	struct rect rule; /* right of the menu */
};

/* Rectangles of height or width 0 are not shown. */
void layout_make(struct layout *l, int cols, int rows, const struct layout_opts *opts);

/* How `cells` cells of a grid's row fit in `cols` columns: columns a cell (at most what
 * makes 120 columns of 60 cells), or, where they do not, how many cells are merged in a
 * column. */
struct fit {
	int cell_w; /* >= 1 */
	int merge;  /* >= 1 */
};
struct fit layout_fit(int cells, int cols);

#endif
