/* One function in the middle: who calls it, and what it calls. The function is that of the
 * selected frame, over all its frames in the tree. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/table.h"
#include "tui/view.h"

struct callers_row {
	uint32_t func; /* CALLTREE_NONE: called by nobody, "all" */
	uint32_t node; /* the largest of its frames here */
	int where;     /* -1 caller, 0 the function, 1 callee */
	struct tree_count side[2];
};

struct callers {
	struct callers_row *rows;
	size_t count, cap;
	const struct column *cols[TABLE_COLUMNS_MAX];
	size_t ncols;
	uint32_t centre; /* the function; CALLTREE_NONE: none */
	uint64_t version;
	uint32_t root;
	size_t at, top;
	int h;
};

static void *callers_open(void)
{
	struct callers *s = mem_zalloc(1, sizeof(*s));
	s->centre = CALLTREE_NONE;
	return s;
}

static void callers_close(void *state)
{
	struct callers *s = state;
	free(s->rows);
	free(s);
}

static void add(struct callers *s, const struct calltree *t, uint32_t func, uint32_t node,
		const struct tree_count side[2], int where)
{
	struct callers_row *row = NULL;
	for (size_t i = 0; i < s->count && !row; i++)
		if (s->rows[i].func == func && s->rows[i].where == where)
			row = &s->rows[i];
	if (!row) {
		s->rows = mem_grow(s->rows, &s->cap, s->count + 1, sizeof(*s->rows));
		row = &s->rows[s->count++];
		*row = (struct callers_row){.func = func, .node = node, .where = where};
	}
	if (t->nodes[node].side[0].total_ns > t->nodes[row->node].side[0].total_ns)
		row->node = node;
	for (int i = 0; i < 2; i++) {
		row->side[i].self += side[i].self;
		row->side[i].total += side[i].total;
		row->side[i].self_ns += side[i].self_ns;
		row->side[i].total_ns += side[i].total_ns;
	}
}

/* Does the function stand above the node, below `top`? A function counts once a stack. */
static bool above(const struct calltree *t, uint32_t node, uint32_t func, uint32_t top)
{
	for (uint32_t n = t->nodes[node].parent; n != CALLTREE_NONE && n != top;
	     n = t->nodes[n].parent)
		if (t->nodes[n].func == func)
			return true;
	return false;
}

/* The frames of the function that stand under no other of it: the callers' sums. */
static void add_outermost(struct callers *s, const struct calltree *t, uint32_t node)
{
	uint32_t parent = t->nodes[node].parent;
	add(s, t, s->centre, node, t->nodes[node].side, 0);
	add(s, t, t->nodes[parent].func, parent, t->nodes[node].side, -1);
}

static void add_callees(struct callers *s, const struct calltree *t, uint32_t node)
{
	uint32_t outermost = node;
	for (uint32_t n = t->nodes[node].parent; n != CALLTREE_NONE; n = t->nodes[n].parent)
		if (t->nodes[n].func == s->centre)
			outermost = n;
	for (uint32_t c = t->nodes[node].child; c != CALLTREE_NONE; c = t->nodes[c].next)
		if (t->nodes[c].func != s->centre && !above(t, c, t->nodes[c].func, outermost))
			add(s, t, t->nodes[c].func, c, t->nodes[c].side, 1);
}

static int compare_rows(const void *a, const void *b)
{
	const struct callers_row *x = a, *y = b;
	if (x->where != y->where)
		return x->where - y->where;
	uint64_t p = x->side[0].total_ns + x->side[1].total_ns,
		 q = y->side[0].total_ns + y->side[1].total_ns;
	/* The largest stand nearest to the function. */
	if (p != q)
		return (p < q ? 1 : -1) * (x->where < 0 ? -1 : 1);
	return (x->func > y->func) - (x->func < y->func);
}

static bool under(const struct calltree *t, uint32_t node, uint32_t root)
{
	while (node != CALLTREE_NONE && node != root)
		node = t->nodes[node].parent;
	return node == root;
}

static void build(struct callers *s, const struct data *d)
{
	const struct calltree *t = &d->tree;
	s->count = 0;
	for (size_t i = 1; i < t->count; i++) {
		uint32_t node = (uint32_t)i;
		if (t->nodes[i].func != s->centre || !under(t, node, d->root))
			continue;
		if (!above(t, node, s->centre, CALLTREE_NONE))
			add_outermost(s, t, node);
		/* Its own time is that of all its frames. */
		else
			for (size_t k = 0; k < s->count; k++)
				for (int side = 0; s->rows[k].where == 0 && side < 2; side++)
					s->rows[k].side[side].self_ns +=
						t->nodes[i].side[side].self_ns;
		add_callees(s, t, node);
	}
	if (s->count)
		qsort(s->rows, s->count, sizeof(*s->rows), compare_rows);
}

static size_t centre_row(const struct callers *s)
{
	size_t i = 0;
	while (i < s->count && s->rows[i].where != 0)
		i++;
	return i < s->count ? i : SIZE_MAX;
}

static void callers_update(struct ui *ui, void *state, int w, int h)
{
	struct callers *s = state;
	const struct data *d = &ui->data;
	struct table table = table_of(ui, false);
	s->h = h > 1 ? h - 1 : 1;
	s->ncols = table_columns(columns_tree, &table, w, s->cols, TABLE_COLUMNS_MAX);
	uint32_t node = d->frame != CALLTREE_NONE ? d->frame : d->hottest;
	uint32_t func = d->tree.count && node ? d->tree.nodes[node].func : CALLTREE_NONE;
	if (func != s->centre || s->version != d->version || s->root != d->root) {
		bool other = func != s->centre;
		uint32_t was = s->at < s->count ? s->rows[s->at].func : CALLTREE_NONE;
		int where = s->at < s->count ? s->rows[s->at].where : 0;
		s->centre = func;
		s->version = d->version;
		s->root = d->root;
		build(s, d);
		s->at = centre_row(s);
		for (size_t i = 0; i < s->count && !other; i++)
			if (s->rows[i].func == was && s->rows[i].where == where)
				s->at = i;
	}
	s->top = ui_scroll(s->top, s->at, (size_t)s->h, s->count);
}

static void step(struct callers *s, int64_t by)
{
	if (!s->count)
		return;
	int64_t to = (int64_t)(s->at == SIZE_MAX ? 0 : s->at) + by, last = (int64_t)s->count - 1;
	s->at = (size_t)(to < 0 ? 0 : to > last ? last : to);
}

static bool callers_act(struct ui *ui, void *state, enum action a)
{
	struct callers *s = state;
	switch (a) {
	case ACT_DOWN:
		step(s, 1);
		break;
	case ACT_UP:
		step(s, -1);
		break;
	case ACT_PAGE_DOWN:
		step(s, s->h);
		break;
	case ACT_PAGE_UP:
		step(s, -s->h);
		break;
	case ACT_FIRST:
		step(s, -(int64_t)s->count);
		break;
	case ACT_LAST:
		step(s, (int64_t)s->count);
		break;
	case ACT_ENTER:
		if (s->at < s->count && s->rows[s->at].func != CALLTREE_NONE)
			ui_select(ui, s->rows[s->at].node);
		break;
	default:
		return false;
	}
	return true;
}

static void draw_row(const struct ui *ui, struct cells *c, const struct callers_row *row, int x,
		     int y, bool selected)
{
	const struct theme *th = &ui->theme;
	struct style on = th->style[ui->model.pane == PANE_VIEW ? STYLE_LINE : STYLE_LINE_OFF];
	struct buf b = BUF_INIT;
	struct style s = th->style[STYLE_TEXT];
	if (row->func == CALLTREE_NONE) {
		buf_str(&b, "all");
	} else {
		const struct func *f = names_func(ui->data.names, row->func);
		label_func(&b, f);
		s = ui_text_style(ui, f);
	}
	if (row->where == 0)
		s.attr |= ATTR_BOLD;
	/* Callers, the function, callees: each a step further in. */
	x += 2 * (row->where + 1);
	cells_fit(c, x, y, c->window.w - x, buf_cstr(&b), selected ? on : s);
	buf_free(&b);
}

static void callers_draw(const struct ui *ui, const void *state, struct cells *c)
{
	const struct callers *s = state;
	const struct theme *th = &ui->theme;
	struct table table = table_of(ui, false);
	int x = table_head(c, th, &table, s->cols, s->ncols, SIZE_MAX, 0);
	cells_fill(c, x, 0, c->window.w - x, 1, th->style[STYLE_DIM]);
	cells_fit(c, x, 0, c->window.w - x, "callers, the function, what it calls",
		  th->style[STYLE_DIM]);
	for (int y = 1; y < c->window.h; y++) {
		size_t at = s->top + (size_t)y - 1;
		if (at >= s->count)
			break;
		bool selected = at == s->at;
		if (selected)
			cells_fill(c, 0, y, c->window.w, 1,
				   th->style[ui->model.pane == PANE_VIEW ? STYLE_LINE
									 : STYLE_LINE_OFF]);
		int name =
			table_row(c, th, &table, s->cols, s->ncols, s->rows[at].side, y, selected);
		draw_row(ui, c, &s->rows[at], name, y, selected);
	}
}

static void callers_click(struct ui *ui, void *state, int x, int y)
{
	struct callers *s = state;
	(void)x;
	if (y < 1 || s->top + (size_t)y - 1 >= s->count)
		return;
	if (s->at == s->top + (size_t)y - 1)
		callers_act(ui, state, ACT_ENTER);
	else
		s->at = s->top + (size_t)y - 1;
}

const struct view_ops view_callers = {
	.name = "callers",
	.context = CONTEXT_CALLERS,
	.open = callers_open,
	.close = callers_close,
	.update = callers_update,
	.act = callers_act,
	.draw = callers_draw,
	.click = callers_click,
};
