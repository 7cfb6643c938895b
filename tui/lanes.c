/* Threads: a lane each, over the grid's row that holds the cursor and on its columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/heatmap.h"
#include "tui/view.h"

enum { NAME_MIN = 12, PERCENT_W = 5 };

struct lanes {
	const struct thread_row **order; /* of data's rows; good while `version` is the data's */
	size_t count;
	uint64_t version;
	int tid; /* the selected lane; 0: none */
	size_t at, top;
	int h;
};

static void *lanes_open(void)
{
	return mem_zalloc(1, sizeof(struct lanes));
}

static void lanes_close(void *state)
{
	struct lanes *l = state;
	free(l->order);
	free(l);
}

static int by_time(const void *a, const void *b)
{
	const struct thread_row *x = *(const struct thread_row *const *)a,
				*y = *(const struct thread_row *const *)b;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void lanes_update(struct ui *ui, void *state, int w, int h)
{
	struct lanes *l = state;
	struct data *d = &ui->data;
	(void)w;
	l->h = h > 1 ? h - 1 : 1;
	if (l->version != d->threads_version || !l->order) {
		free(l->order);
		l->count = d->threads.count;
		l->order = mem_alloc((l->count + 1) * sizeof(*l->order));
		for (size_t i = 0; i < l->count; i++)
			l->order[i] = &d->threads.rows[i];
		qsort(l->order, l->count, sizeof(*l->order), by_time);
		l->version = d->threads_version;
	}
	l->at = SIZE_MAX;
	for (size_t i = 0; i < l->count && l->at == SIZE_MAX; i++)
		if (l->order[i]->tid == l->tid)
			l->at = i;
	l->top = ui_scroll(l->top, l->at, (size_t)l->h, l->count);
	data_want_lanes(d, l->order + l->top,
			l->count - l->top < (size_t)l->h ? l->count - l->top : (size_t)l->h);
}

static void choose(struct lanes *l, int64_t to)
{
	if (!l->count)
		return;
	int64_t last = (int64_t)l->count - 1;
	l->at = (size_t)(to < 0 ? 0 : to > last ? last : to);
	l->tid = l->order[l->at]->tid;
}

static void only(struct ui *ui, const struct lanes *l)
{
	char tid[16];
	struct err err;
	bool changed;
	if (l->at >= l->count)
		return;
	const char *value = ui_thread_value(ui, l->order[l->at], tid);
	if (model_filter_only(&ui->model, FILTER_THREAD, value, &changed, &err) != 0)
		ui_error(ui, &err);
}

static bool lanes_act(struct ui *ui, void *state, enum action a)
{
	struct lanes *l = state;
	int64_t at = l->at == SIZE_MAX ? -1 : (int64_t)l->at;
	switch (a) {
	case ACT_DOWN:
		choose(l, at + 1);
		break;
	case ACT_UP:
		choose(l, at - 1);
		break;
	case ACT_PAGE_DOWN:
		choose(l, at + l->h);
		break;
	case ACT_PAGE_UP:
		choose(l, at - l->h);
		break;
	case ACT_FIRST:
		choose(l, 0);
		break;
	case ACT_LAST:
		choose(l, INT32_MAX);
		break;
	case ACT_LEFT:
	case ACT_RIGHT:
		heatmap_act(ui, a);
		break;
	case ACT_ENTER:
		if (l->at == SIZE_MAX)
			choose(l, 0);
		only(ui, l);
		break;
	default:
		return false;
	}
	return true;
}

/* Where cells and names stand: the cells under those of the grid, the names where there is
 * room, left of them or right. */
struct columns {
	int cells, cells_w, name, name_w;
	struct fit fit;
};

static struct columns columns_of(const struct ui *ui, int w)
{
	const struct layout *lay = &ui->layout;
	int n = grid_max_cells(ui->model.at.zoom);
	struct columns c = {.cells = lay->grid.x - lay->view.x, .cells_w = lay->grid.w};
	if (lay->strip || lay->grid.h < 1 || c.cells < 0) {
		c.cells = w / 3;
		c.cells_w = w - c.cells;
	}
	c.fit = layout_fit(n, c.cells_w);
	int end = c.cells + (n + c.fit.merge - 1) / c.fit.merge * c.fit.cell_w + 2;
	bool right = c.cells < NAME_MIN + PERCENT_W && w - end >= NAME_MIN;
	c.name = right ? end : 1;
	c.name_w = right ? w - end : c.cells - 2;
	return c;
}

static void draw_cells(const struct ui *ui, struct cells *c, const struct columns *cols,
		       const struct data_lane *lane, int y)
{
	const struct theme *t = &ui->theme;
	const struct data *d = &ui->data;
	int64_t step = grid_step(ui->model.at.zoom);
	for (int i = 0; i < lane->n; i += cols->fit.merge) {
		int x = cols->cells + i / cols->fit.merge * cols->fit.cell_w;
		int64_t from = lane->start + i * step, len = step * cols->fit.merge;
		if (from + len <= d->span.from || from >= d->span.to)
			continue;
		int n = lane->n - i < cols->fit.merge ? lane->n - i : cols->fit.merge;
		struct heat_cell cell = heat_merge(lane->cells + i, n);
		if (cell.quality == CELL_GAP) {
			cells_repeat(c, x, y, cols->fit.cell_w, t->glyph[GLYPH_GAP],
				     t->style[STYLE_FAINT]);
		} else if (cell.quality != CELL_NONE && !cell.samples) {
			cells_text(c, x, y, 1, t->glyph[GLYPH_IDLE], t->style[STYLE_FAINT]);
		} else if (cell.samples) {
			int64_t ns = heat_length(from, len, d->span);
			int level = heat_level(heat_rate(&cell, ns), heatmap_lane_top(ui),
					       ui->model.log_heat, HEAT_LEVELS);
			cells_repeat(c, x, y, cols->fit.cell_w, t->heat[level].glyph,
				     t->heat[level].style);
		}
		if (from == ui->model.at.cursor)
			cells_attr(c, x, y, cols->fit.cell_w, ATTR_UNDERLINE | ATTR_BOLD);
	}
}

static void draw_name(const struct ui *ui, struct cells *c, const struct columns *cols,
		      const struct thread_row *row, int y, bool selected)
{
	const struct theme *t = &ui->theme;
	char tid[16], percent[16];
	const char *value = ui_thread_value(ui, row, tid);
	struct style s = t->style[STYLE_TEXT];
	if (selected)
		s = t->style[ui->model.pane == PANE_VIEW ? STYLE_LINE : STYLE_LINE_OFF];
	if (model_filtered(&ui->model, FILTER_THREAD, value))
		s.attr |= ATTR_UNDERLINE;
	double share = ui->data.all_ns ? (double)row->ns * 100 / (double)ui->data.all_ns : 0;
	snprintf(percent, sizeof(percent), "%.0f%%", share);
	int room = cols->name_w - (cols->name_w >= NAME_MIN + PERCENT_W ? PERCENT_W : 0);
	if (selected)
		cells_fill(c, cols->name - (cols->name > 0), y, cols->name_w + 1, 1, s);
	cells_fit(c, cols->name, y, room, *row->name ? row->name : value, s);
	if (room < cols->name_w)
		cells_right(c, cols->name + room, y, PERCENT_W - 1, percent,
			    selected ? s : t->style[STYLE_DIM]);
}

/* Which row of the grid the lanes are. */
static void draw_head(const struct ui *ui, struct cells *c, const struct columns *cols)
{
	struct grid g = model_grid(&ui->model);
	struct buf b = BUF_INIT;
	grid_label(&b, g, grid_row(g, ui->model.at.cursor));
	int w = (int)text_width(buf_cstr(&b)) + 1;
	cells_text(c, cols->cells - w > 0 ? cols->cells - w : 0, 0, w, buf_cstr(&b),
		   ui->theme.style[STYLE_TEXT]);
	buf_free(&b);
	if (cols->name + cols->name_w < cols->cells - w || cols->name > cols->cells)
		cells_fit(c, cols->name, 0, cols->name_w, "thread", ui->theme.style[STYLE_DIM]);
	heatmap_ruler(ui, c, cols->cells, 0, cols->fit);
}

static void lanes_draw(const struct ui *ui, const void *state, struct cells *c)
{
	const struct lanes *l = state;
	const struct data *d = &ui->data;
	struct columns cols = columns_of(ui, c->window.w);
	if (l->version != d->threads_version)
		return;
	draw_head(ui, c, &cols);
	for (int y = 1; y < c->window.h; y++) {
		size_t at = l->top + (size_t)y - 1;
		if (at >= l->count)
			break;
		const struct data_lane *lane = data_lane(d, l->order[at]->tid);
		draw_name(ui, c, &cols, l->order[at], y, at == l->at);
		if (lane)
			draw_cells(ui, c, &cols, lane, y);
	}
}

static void lanes_click(struct ui *ui, void *state, int x, int y)
{
	struct lanes *l = state;
	(void)x;
	if (y < 1 || l->top + (size_t)y - 1 >= l->count)
		return;
	bool again = l->at == l->top + (size_t)y - 1;
	choose(l, (int64_t)l->top + y - 1);
	if (again)
		only(ui, l);
}

const struct view_ops view_threads = {
	.name = "threads",
	.context = CONTEXT_THREADS,
	.open = lanes_open,
	.close = lanes_close,
	.update = lanes_update,
	.act = lanes_act,
	.draw = lanes_draw,
	.click = lanes_click,
};
