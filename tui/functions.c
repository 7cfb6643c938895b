/* Lists of functions, whoever called them: where the time is (top), and what a difference
 * changed (changes). */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/table.h"
#include "tui/view.h"

enum { MODULE_FROM = 96, MODULE_W = 24, NAME_W = 24 };

struct functions {
	const struct column *columns;
	enum view_id view;
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
	struct functions *t = mem_zalloc(1, sizeof(*t));
	t->columns = columns_top;
	t->view = VIEW_TOP;
	return t;
}

static void *changes_open(void)
{
	struct functions *t = mem_zalloc(1, sizeof(*t));
	t->columns = columns_changes;
	t->view = VIEW_CHANGES;
	return t;
}

static void top_close(void *state)
{
	struct functions *t = state;
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

/* A change is one of self time: functions without any on either side are none. */
static size_t with_samples(struct func_row *rows, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (rows[i].side[0].self || rows[i].side[1].self)
			rows[kept++] = rows[i];
	return kept;
}

static void top_update(struct ui *ui, void *state, int w, int h)
{
	struct functions *t = state;
	const struct data *d = &ui->data;
	struct table table = table_of(ui, true);
	t->h = h > 1 ? h - 1 : 1;
	t->ncols = table_columns(t->columns, &table, w, t->cols, TABLE_COLUMNS_MAX);
	bool diff = table.diff || t->view == VIEW_CHANGES;
	if (!t->sort || t->sort->diff != diff)
		t->sort = table_first_sort(t->columns, diff);
	if (t->version != d->version || t->root != d->root || !t->rows) {
		free(t->rows);
		t->rows = NULL;
		t->count = d->tree.count ? calltree_functions(&d->tree, d->root, &t->rows) : 0;
		if (t->view == VIEW_CHANGES)
			t->count = with_samples(t->rows, t->count);
		t->version = d->version;
		t->root = d->root;
		t->sorted = NULL;
	}
	if (!t->rows)
		t->count = 0;
	if (t->rows && (t->sorted != t->sort || t->sorted_scale != table.scale)) {
		struct ordering o = {table, t->sort, d->names};
		qsort_r(t->rows, t->count, sizeof(*t->rows), compare_rows, &o);
		t->sorted = t->sort;
		t->sorted_scale = table.scale;
	}
	uint32_t func =
		ui->model.frame.n ? ui->model.frame.funcs[ui->model.frame.n - 1] : CALLTREE_NONE;
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

static void choose(struct ui *ui, struct functions *t, int64_t row)
{
	if (!t->count)
		return;
	int64_t last = (int64_t)t->count - 1;
	t->at = (size_t)(row < 0 ? 0 : row > last ? last : row);
	ui_select(ui, largest_frame(ui, t->rows[t->at].func));
}

static void sort(struct functions *t, int by)
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
	struct functions *t = state;
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
		model_show(&ui->model, t->view == VIEW_TOP ? VIEW_CALLERS : VIEW_FLAME);
		break;
	default:
		return false;
	}
	return true;
}

static void draw_name(const struct ui *ui, struct cells *c, const struct func_row *row, int x,
		      int y, bool selected)
{
	const struct func *f = names_func(ui->data.names, row->func);
	const struct theme *th = &ui->theme;
	struct style on = th->style[ui->model.pane == PANE_VIEW ? STYLE_LINE : STYLE_LINE_OFF];
	bool same = ui->data.tree_diff &&
		    !compare_counts(&ui->data.tree, row->side, true, ui->model.scale).level;
	struct style s = selected ? on : same ? th->style[STYLE_DIM] : ui_text_style(ui, f);
	int room = c->window.w - x;
	struct buf label = BUF_INIT;
	label_func(&label, f);
	if (c->window.w >= MODULE_FROM && *f->module && room > MODULE_W + NAME_W) {
		room -= MODULE_W;
		cells_fit(c, x + room + 1, y, MODULE_W - 1, f->module,
			  selected ? on : th->style[STYLE_DIM]);
	}
	cells_fit(c, x, y, room, buf_cstr(&label), s);
	buf_free(&label);
}

static void top_draw(const struct ui *ui, const void *state, struct cells *c)
{
	const struct functions *t = state;
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
				   th->style[ui->model.pane == PANE_VIEW ? STYLE_LINE
									 : STYLE_LINE_OFF]);
		int x = table_row(c, th, &table, t->cols, t->ncols, t->rows[at].side, y, selected);
		draw_name(ui, c, &t->rows[at], x, y, selected);
	}
}

static void top_click(struct ui *ui, void *state, int x, int y)
{
	struct functions *t = state;
	(void)x;
	if (y >= 1 && t->first + (size_t)y - 1 < t->count)
		choose(ui, t, (int64_t)t->first + y - 1);
}

/* From the root down to where most of a change is: `node` holds `part` of it. */
static uint32_t change_node(const struct ui *ui, double total, double *part)
{
	const double most = 0.85; /* a callee is worth naming while it has this much of it */
	const struct data *d = &ui->data;
	uint32_t node = d->base;
	*part = 0;
	for (;;) {
		uint32_t best = CALLTREE_NONE;
		double best_delta = 0;
		for (uint32_t c = d->tree.nodes[node].child; c != CALLTREE_NONE;
		     c = d->tree.nodes[c].next) {
			double delta = compare_counts(&d->tree, d->tree.nodes[c].side, false,
						      ui->model.scale)
					       .delta;
			if (delta / total > best_delta) {
				best_delta = delta / total;
				best = c;
			}
		}
		bool enough = best != CALLTREE_NONE &&
			      (*part == 0 ? best_delta >= 0.5 : best_delta >= most * *part);
		if (!enough)
			return node;
		node = best;
		*part = best_delta;
	}
}

/* "Most of the rise: to_json → dumps → encode, 0.28 of +0.30 cores (93 %)." */
static void change_sentence(const struct ui *ui, struct buf *out)
{
	enum { NAMED = 3 };
	const struct data *d = &ui->data;
	struct compare all =
		compare_counts(&d->tree, d->tree.nodes[d->root].side, false, ui->model.scale);
	double part;
	if (all.verdict == DIFF_SAME || all.delta == 0)
		return;
	uint32_t node = change_node(ui, all.delta, &part), path[NAMED];
	size_t n = 0;
	for (; part > 0 && n < NAMED && node != d->base && node != CALLTREE_NONE;
	     node = d->tree.nodes[node].parent)
		path[n++] = node;
	if (!n)
		return;
	buf_fmt(out, "Most of the %s: ", all.delta > 0 ? "rise" : "fall");
	for (size_t i = n; i-- > 0;) {
		buf_str(out, names_func(d->names, d->tree.nodes[path[i]].func)->name);
		if (i)
			buf_fmt(out, " %s ", ui->theme.glyph[GLYPH_ARROW]);
	}
	buf_str(out, ", ");
	compare_number(out, part * all.delta, ui->model.scale, true);
	buf_str(out, " of ");
	compare_number(out, all.delta, ui->model.scale, true);
	if (ui->model.scale == SCALE_RATE)
		buf_fmt(out, " %s", ui_rate_unit(ui));
	buf_fmt(out, " (%.0f %%).", part * 100);
}

static void changes_draw(const struct ui *ui, const void *state, struct cells *c)
{
	const struct theme *t = &ui->theme;
	int w = c->window.w, h = c->window.h;
	if (!ui->data.tree_diff) {
		cells_fit(c, 1, 1, w - 1,
			  "d compares the range with the time just before it, or with mark A",
			  t->style[STYLE_DIM]);
		return;
	}
	struct buf b = BUF_INIT;
	change_sentence(ui, &b);
	top_draw(ui, state, c);
	if (b.len && h >= 4) {
		cells_fill(c, 0, h - 1, w, 1, t->style[STYLE_TEXT]);
		cells_fit(c, 1, h - 1, w - 2, buf_cstr(&b), t->style[STYLE_BRIGHT]);
	}
	buf_free(&b);
}

/* The last line is the sentence's. */
static void changes_update(struct ui *ui, void *state, int w, int h)
{
	top_update(ui, state, w, h > 4 ? h - 1 : h);
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

const struct view_ops view_changes = {
	.name = "changes",
	.context = CONTEXT_CHANGES,
	.open = changes_open,
	.close = top_close,
	.update = changes_update,
	.act = top_act,
	.draw = changes_draw,
	.click = top_click,
};
