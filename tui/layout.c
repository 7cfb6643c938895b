/* Rectangles for every size of terminal. */
#include "tui/layout.h"

enum {
	LINE_COLS = 20,
	LINE_ROWS = 5,  /* below: one line */
	LABEL_W = 6,    /* "14:03 " */
	LABEL_LONG = 9, /* "14:03:09 " */
	CELLS = 60,
	STRIP_COLS = 36,  /* below: no room for a grid */
	DRAWER_COLS = 80, /* below: the menu is a drawer */
	WIDE_COLS = 100,  /* from here: the menu has its full height */
	MENU_W = 13,
	MENU_WIDE = 20,
	GRID_COLS = 120, /* no grid is wider */
};

static int at_least(int v, int least)
{
	return v > least ? v : least;
}

struct fit layout_fit(int cells, int cols)
{
	struct fit f = {1, 1};
	if (cells < 1 || cols < 1)
		return f;
	if (cells <= cols)
		f.cell_w = (cols < GRID_COLS ? cols : GRID_COLS) / cells;
	else
		f.merge = (cells + cols - 1) / cols;
	return f;
}

static int grid_rows(int rows)
{
	return rows >= 40   ? 12
	       : rows >= 30 ? 8
	       : rows >= 24 ? 6
	       : rows >= 18 ? 3
	       : rows >= 10 ? 1
			    : 0;
}

static void place_menu(struct layout *l, const struct layout_opts *o, int grid_h)
{
	if (l->cols < DRAWER_COLS || grid_h == 0) {
		l->drawer = o->menu || (o->maximised && o->pane == PANE_MENU);
		if (l->drawer)
			l->menu = (struct rect){0, 1, l->cols < MENU_WIDE ? l->cols : MENU_WIDE,
						at_least(l->rows - 2, 0)};
		if (l->drawer && l->cols > MENU_WIDE)
			l->rule = (struct rect){l->menu.w, 1, 1, l->menu.h};
		return;
	}
	if (o->menu)
		return;
	if (l->cols >= WIDE_COLS)
		l->menu = (struct rect){0, 1, MENU_WIDE, l->rows - 2};
	else
		l->menu = (struct rect){0, 1, MENU_W, grid_h + 1};
	l->rule = (struct rect){l->menu.w, 1, 1, l->menu.h};
}

/* Ruler, labels and grid in rows y .. y + h, from column x on. */
static void place_grid(struct layout *l, const struct layout_opts *o, int x, int y, int h)
{
	int w = l->cols - x, label = o->seconds ? LABEL_LONG : LABEL_W;
	int cells = o->cells ? o->cells : CELLS;
	if (l->cols < STRIP_COLS) {
		l->strip = true;
		l->grid = (struct rect){0, y, l->cols, 1};
		return;
	}
	/* A blank before the labels, where the cells do not miss it. */
	int pad = l->cols >= WIDE_COLS &&
		  layout_fit(cells, w - label - 1).cell_w == layout_fit(cells, w - label).cell_w;
	int label_w = label + pad;
	l->labels = (struct rect){x + pad, y + 1, label, h};
	l->grid = (struct rect){x + label_w, y + 1, w - label_w, h};
	l->ruler = (struct rect){l->grid.x, y, l->grid.w, 1};
	struct fit f = layout_fit(cells, l->grid.w);
	int used = (cells + f.merge - 1) / f.merge * f.cell_w + 2;
	if (l->grid.w > used)
		l->side = (struct rect){l->grid.x + used, y + 1, l->grid.w - used, h};
}

static void place_all(struct layout *l, const struct layout_opts *o, int grid_h)
{
	place_menu(l, o, grid_h);
	int left = l->rule.w && !l->drawer ? l->rule.x + 1 : 0;
	int view_x = l->cols >= WIDE_COLS ? left : 0;
	int y = 1;
	if (grid_h) {
		place_grid(l, o, left, y, grid_h);
		y += l->strip ? 1 : grid_h + 1;
	}
	int view_w = l->cols - view_x;
	l->range = (struct rect){view_x, y++, view_w, 1};
	if (l->rows >= 7)
		l->tabs = (struct rect){view_x, y++, view_w, 1};
	int below = (l->rows >= 6) + (l->rows >= 8);
	l->view = (struct rect){view_x, y, view_w, at_least(l->rows - y - below, 0)};
	if (l->rows >= 8)
		l->detail = (struct rect){view_x, l->rows - 2, view_w, 1};
}

/* One pane over everything between the header and the hints. */
static void place_one(struct layout *l, const struct layout_opts *o)
{
	int h = at_least(l->rows - 2, 1);
	if (o->pane == PANE_TIME) {
		place_grid(l, o, 0, 1, at_least(h - 3, 1));
		l->range = (struct rect){0, l->rows - 3, l->cols, 1};
		l->detail = (struct rect){0, l->rows - 2, l->cols, 1};
		if (l->strip)
			l->grid.y = 1;
	} else if (o->pane == PANE_VIEW) {
		l->range = (struct rect){0, 1, l->cols, 1};
		l->tabs = (struct rect){0, 2, l->cols, 1};
		l->view = (struct rect){0, 3, l->cols, at_least(l->rows - 5, 1)};
		l->detail = (struct rect){0, l->rows - 2, l->cols, l->rows > 5};
	} else {
		l->menu = (struct rect){0, 1, l->cols, h};
	}
}

void layout_make(struct layout *l, int cols, int rows, const struct layout_opts *o)
{
	*l = (struct layout){.cols = cols, .rows = rows, .header = {0, 0, cols, 1}};
	if (cols < LINE_COLS || rows < LINE_ROWS) {
		l->line = true;
		return;
	}
	if (rows >= 6)
		l->hints = (struct rect){0, rows - 1, cols, 1};
	if (o->maximised && rows >= 7)
		place_one(l, o);
	else
		place_all(l, o, grid_rows(rows));
}
