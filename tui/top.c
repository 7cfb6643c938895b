/* The functions where the time is, whoever called them. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/table.h"
#include "tui/view.h"

enum { MODULE_FROM = 96, MODULE_W = 24, NAME_W = 24 };

struct top {
	struct func_row *rows;
	size_t count;
	uint64_t version; /* of the tree they come from */
	uint32_t root;
	const struct column *cols[TABLE_COLUMNS_MAX];
	size_t ncols;
	const struct column *sort, *sorted; /* asked for; what the rows are in */
	enum scale sorted_scale;
	size_t at, first;
	int h;
};

static void *top_open(void)
{
	return mem_zalloc(1, sizeof(struct top));
}

static void top_close(void *state)
{
	struct top *t = state;
	free(t->rows);
	free(t);
}

struct ordering {
	struct table table;
	const struct column *by;
	const struct names *names;
};

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct ordering *o = arg;
	const struct func_row *p = a, *q = b;
	double x = o->by->value(&o->table, p->side), y = o->by->value(&o->table, q->side);
	if (x != y)
		return x > y ? -1 : 1;
	int name = strcmp(names_func(o->names, p->func)->name, names_func(o->names, q->func)->name);
	return name ? name : (p->func > q->func) - (p->func < q->func);
}

static void top_update(struct ui *ui, void *state, int w, int h)
{
	struct top *t = state;
	const struct data *d = &ui->data;
	struct table table = table_of(ui, true);
	t->h = h > 1 ? h - 1 : 1;
	t->ncols = table_columns(columns_top, &table, w, t->cols, TABLE_COLUMNS_MAX);
	if (!t->sort || t->sort->diff != table.diff)
		t->sort = table_first_sort(columns_top, table.diff);
	if (t->version != d->version || t->root != d->root || !t->rows) {
		free(t->rows);
		t->rows = NULL;
		t->count = d->tree.count ? calltree_functions(&d->tree, d->root, &t->rows) : 0;
		t->version = d->version;
		t->root = d->root;
		t->sorted = NULL;
	}
	if (t->rows && (t->sorted != t->sort || t->sorted_scale != table.scale)) {
		struct ordering o = {table, t->sort, d->names};
		qsort_r(t->rows, t->count, sizeof(*t->rows), compare_rows, &o);
		t->sorted = t->sort;
		t->sorted_scale = table.scale;
	}
	uint32_t func = ui->model.frame.n ? ui->model.frame.funcs[ui->model.frame.n - 1] : CALLTREE_NONE;
	t->at = SIZE_MAX;
	for (size_t i = 0; i < t->count && t->at == SIZE_MAX; i++)
		if (t->rows[i].func == func)
			t->at = i;
	t->first = ui_scroll(t->first, t->at, (size_t)t->h, t->count);
}

/* Of all frames of a function the one with the most time: what the other views show of it. */
static uint32_t largest_frame(const struct ui *ui, uint32_t func)
{
	const struct calltree *t = &ui->data.tree;
	uint32_t best = CALLTREE_NONE;
	double most = -1;
	for (size_t i = 1; i < t->count; i++) {
		if (t->nodes[i].func != func)
			continue;
		double size = compare_size(t, (uint32_t)i, ui->data.tree_diff, ui->model.scale);
		if (size > most) {
			most = size;
			best = (uint32_t)i;
		}
	}
	return best;
}

static void choose(struct ui *ui, struct top *t, int64_t row)
{
	if (!t->count)
		return;
	int64_t last = (int64_t)t->count - 1;
	t->at = (size_t)(row < 0 ? 0 : row > last ? last : row);
	ui_select(ui, largest_frame(ui, t->rows[t->at].func));
}

static void sort(struct top *t, int by)
{
	size_t at = 0;
	for (size_t i = 0; i < t->ncols; i++)
		if (t->cols[i] == t->sort)
			at = i;
	if (t->ncols)
		t->sort = t->cols[(at + t->ncols + (size_t)by) % t->ncols];
}

static bool top_act(struct ui *ui, void *state, enum action a)
{
	struct top *t = state;
	int64_t at = t->at == SIZE_MAX ? -1 : (int64_t)t->at;
	switch (a) {
	case ACT_DOWN:
		choose(ui, t, at + 1);
		break;
	case ACT_UP:
		choose(ui, t, at - 1);
		break;
	case ACT_PAGE_DOWN:
		choose(ui, t, at + t->h);
		break;
	case ACT_PAGE_UP:
		choose(ui, t, at - t->h);
		break;
	case ACT_FIRST:
		choose(ui, t, 0);
		break;
	case ACT_LAST:
		choose(ui, t, INT64_MAX);
		break;
	case ACT_SORT_NEXT:
		sort(t, 1);
		break;
	case ACT_SORT_PREV:
		sort(t, -1);
		break;
	case ACT_ENTER:
		if (ui->data.frame == CALLTREE_NONE)
			choose(ui, t, 0);
		model_show(&ui->model, VIEW_FLAME);
		break;
	default:
		return false;
	}
	return true;
}

static void draw_name(const struct ui *ui, struct cells *c, const struct func_row *row, int x, int y, bool selected)
{
	const struct func *f = names_func(ui->data.names, row->func);
	const struct theme *th = &ui->theme;
	struct style on = th->style[ui->model.pane == PANE_VIEW ? STYLE_LINE : STYLE_LINE_OFF];
	bool same = ui->data.tree_diff && !compare_counts(&ui->data.tree, row->side, true, ui->model.scale).level;
	struct style s = selected ? on : same ? th->style[STYLE_DIM] : ui_text_style(ui, f);
	int room = c->window.w - x;
	struct buf label = BUF_INIT;
	label_func(&label, f);
	if (c->window.w >= MODULE_FROM && *f->module && room > MODULE_W + NAME_W) {
		room -= MODULE_W;
		cells_fit(c, x + room + 1, y, MODULE_W - 1, f->module, selected ? on : th->style[STYLE_DIM]);
	}
	cells_fit(c, x, y, room, buf_cstr(&label), s);
	buf_free(&label);
}

static void top_draw(const struct ui *ui, const void *state, struct cells *c)
{
	const struct top *t = state;
	const struct theme *th = &ui->theme;
	struct table table = table_of(ui, true);
	size_t sorted = 0;
	for (size_t i = 0; i < t->ncols; i++)
		if (t->cols[i] == t->sort)
			sorted = i;
	table_head(c, th, &table, t->cols, t->ncols, sorted, 0);
	for (int y = 1; y < c->window.h; y++) {
		size_t at = t->first + (size_t)y - 1;
		if (at >= t->count)
			break;
		bool selected = at == t->at;
		if (selected)
			cells_fill(c, 0, y, c->window.w, 1,
				   th->style[ui->model.pane == PANE_VIEW ? STYLE_LINE : STYLE_LINE_OFF]);
		int x = table_row(c, th, &table, t->cols, t->ncols, t->rows[at].side, y, selected);
		draw_name(ui, c, &t->rows[at], x, y, selected);
	}
}

static void top_click(struct ui *ui, void *state, int x, int y)
{
	struct top *t = state;
	(void)x;
	if (y >= 1 && t->first + (size_t)y - 1 < t->count)
		choose(ui, t, (int64_t)t->first + y - 1);
}

const struct view_ops view_top = {
	.name = "top",
	.context = CONTEXT_TOP,
	.open = top_open,
	.close = top_close,
	.update = top_update,
	.act = top_act,
	.draw = top_draw,
	.click = top_click,
};
