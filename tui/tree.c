/* The call tree: lines to fold and unfold, with columns of numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/table.h"
#include "tui/tree_lines.h"
#include "tui/view.h"

struct tree {
	struct tree_lines lines;
	struct tree_fold fold;
	const struct column *cols[TABLE_COLUMNS_MAX];
	size_t ncols;
	const struct column *sort;
	size_t top, at;
	int h;
	/* what the automatic folding was made for */
	struct spot opened_for;
	bool opened, opened_diff;
	uint32_t shown; /* the frame that was selected at the last update */
};

static void *tree_open(void)
{
	return mem_zalloc(1, sizeof(struct tree));
}

static void tree_close(void *state)
{
	struct tree *t = state;
	tree_lines_release(&t->lines);
	tree_fold_release(&t->fold);
	spot_release(&t->opened_for);
	free(t);
}

struct ordering {
	struct table table;
	const struct column *by;
};

static int order(const struct calltree *t, uint32_t a, uint32_t b, void *arg)
{
	const struct ordering *o = arg;
	double x = o->by->value(&o->table, t->nodes[a].side),
	       y = o->by->value(&o->table, t->nodes[b].side);
	if (x != y)
		return x > y ? -1 : 1;
	x = compare_size(t, a, o->table.diff, o->table.scale);
	y = compare_size(t, b, o->table.diff, o->table.scale);
	if (x != y)
		return x > y ? -1 : 1;
	return (a > b) - (a < b);
}

/* What is open by itself stays as it is while the live window moves; it is chosen anew for
 * another range, filter or root. */
static void open_hot(struct ui *ui, struct tree *t)
{
	const struct data *d = &ui->data;
	struct spot *was = &t->opened_for;
	const struct spot *at = &ui->model.at;
	bool same = t->opened && t->opened_diff == d->tree_diff && was->selected == at->selected &&
		    (!at->selected ||
		     (was->range.from == at->range.from && was->range.to == at->range.to)) &&
		    path_equal(&was->root, &at->root) && filter_equal(&was->filter, &at->filter);
	if (same || !data_current(d, &ui->model) || d->tree.count <= 1)
		return;
	tree_fold_hot(&t->fold, &d->tree, d->base, d->tree_diff, ui->model.scale);
	spot_copy(was, at);
	t->opened = true;
	t->opened_diff = d->tree_diff;
}

static void tree_update(struct ui *ui, void *state, int w, int h)
{
	struct tree *t = state;
	const struct data *d = &ui->data;
	struct ordering o = {table_of(ui, false), t->sort};
	t->h = h > 1 ? h - 1 : 1;
	t->ncols = table_columns(columns_tree, &o.table, w, t->cols, TABLE_COLUMNS_MAX);
	open_hot(ui, t);
	if (d->frame != CALLTREE_NONE && d->frame != t->shown)
		tree_fold_reveal(&t->fold, &d->tree, d->frame);
	t->shown = d->frame;
	if (!t->sort || t->sort->diff != o.table.diff)
		o.by = t->sort = table_first_sort(columns_tree, o.table.diff);
	tree_lines_build(&t->lines, &d->tree, d->base, &t->fold, order, &o);
	t->at = d->frame == CALLTREE_NONE ? SIZE_MAX
					  : tree_lines_find(&t->lines, &d->tree, d->frame);
	t->top = ui_scroll(t->top, t->at, (size_t)t->h, t->lines.count);
}

static void choose(struct ui *ui, struct tree *t, size_t line)
{
	if (t->lines.lines && line < t->lines.count) {
		ui_select(ui, t->lines.lines[line].head);
		t->shown = ui->data.frame; /* a line that shows needs nothing opened */
	}
}

static void step(struct ui *ui, struct tree *t, int64_t by)
{
	if (!t->lines.count)
		return;
	if (t->at == SIZE_MAX) {
		/* The first line may be `all`, which is no frame. */
		choose(ui, t, t->lines.lines[0].head == 0 && t->lines.count > 1 ? 1 : 0);
		return;
	}
	int64_t to = (int64_t)t->at + by, last = (int64_t)t->lines.count - 1;
	choose(ui, t, (size_t)(to < 0 ? 0 : to > last ? last : to));
}

static void set_open(struct ui *ui, struct tree *t, bool open)
{
	if (t->at >= t->lines.count)
		return;
	const struct tree_line *line = &t->lines.lines[t->at];
	if (line->leaf)
		return;
	tree_fold_set(&t->fold, line->key, open);
	/* A frame inside the chain would be hidden by nothing, one below it by the fold. */
	ui_select(ui, line->head);
	t->shown = ui->data.frame;
}

static void right(struct ui *ui, struct tree *t)
{
	const struct tree_line *line = t->at < t->lines.count ? &t->lines.lines[t->at] : NULL;
	if (!line || (line->open && !line->leaf))
		step(ui, t, 1);
	else
		set_open(ui, t, true);
}

static void left(struct ui *ui, struct tree *t)
{
	const struct tree_line *line = t->at < t->lines.count ? &t->lines.lines[t->at] : NULL;
	if (!line)
		step(ui, t, 0);
	else if (line->open)
		set_open(ui, t, false);
	else if (line->parent != SIZE_MAX)
		choose(ui, t, line->parent);
}

static void sort(struct tree *t, int by)
{
	size_t at = 0;
	for (size_t i = 0; i < t->ncols; i++)
		if (t->cols[i] == t->sort)
			at = i;
	if (t->ncols)
		t->sort = t->cols[(at + t->ncols + (size_t)by) % t->ncols];
}

/* From the selected frame, or the base, down to where the time goes. */
static void hot_path(struct ui *ui, struct tree *t)
{
	struct data *d = &ui->data;
	const struct calltree *tree = &d->tree;
	uint32_t node = d->frame != CALLTREE_NONE ? d->frame : d->base;
	for (;;) {
		uint32_t best = CALLTREE_NONE;
		double most = 0;
		for (uint32_t c = tree->nodes[node].child; c != CALLTREE_NONE;
		     c = tree->nodes[c].next) {
			double size = compare_size(tree, c, d->tree_diff, ui->model.scale);
			if (size > most) {
				most = size;
				best = c;
			}
		}
		if (best == CALLTREE_NONE)
			break;
		node = best;
	}
	if (node) {
		tree_fold_reveal(&t->fold, tree, node);
		ui_select(ui, node);
	}
}

static uint32_t selected_or_base(const struct ui *ui)
{
	return ui->data.frame != CALLTREE_NONE ? ui->data.frame : ui->data.base;
}

static bool tree_act(struct ui *ui, void *state, enum action a)
{
	struct tree *t = state;
	if (!ui->data.tree.count)
		return true;
	switch (a) {
	case ACT_DOWN:
		step(ui, t, 1);
		break;
	case ACT_UP:
		step(ui, t, -1);
		break;
	case ACT_PAGE_DOWN:
		step(ui, t, t->h);
		break;
	case ACT_PAGE_UP:
		step(ui, t, -t->h);
		break;
	case ACT_FIRST:
		choose(ui, t, 0);
		break;
	case ACT_LAST:
		choose(ui, t, t->lines.count - 1);
		break;
	case ACT_RIGHT:
		right(ui, t);
		break;
	case ACT_LEFT:
		left(ui, t);
		break;
	case ACT_ENTER:
		set_open(ui, t, t->at < t->lines.count && !t->lines.lines[t->at].open);
		break;
	case ACT_OPEN_ALL:
	case ACT_CLOSE_ALL:
		tree_fold_below(&t->fold, &ui->data.tree, selected_or_base(ui), a == ACT_OPEN_ALL);
		break;
	case ACT_HOT_PATH:
		hot_path(ui, t);
		break;
	case ACT_ROOT:
		ui_set_root(ui, selected_or_base(ui));
		break;
	case ACT_OUT:
		ui_root_out(ui);
		break;
	case ACT_SORT_NEXT:
		sort(t, 1);
		break;
	case ACT_SORT_PREV:
		sort(t, -1);
		break;
	default:
		return false;
	}
	return true;
}

struct pen {
	const struct ui *ui;
	struct cells *c;
	int y;
	bool selected;
	struct style on;
};

static struct style frame_style(const struct pen *p, uint32_t node)
{
	const struct data *d = &p->ui->data;
	if (p->selected)
		return p->on;
	if (!node)
		return p->ui->theme.style[STYLE_TEXT];
	const struct tree_node *n = &d->tree.nodes[node];
	if (d->tree_diff && !compare_counts(&d->tree, n->side, false, p->ui->model.scale).level)
		return p->ui->theme.style[STYLE_DIM];
	return ui_text_style(p->ui, names_func(d->names, n->func));
}

static void frame_label(const struct data *d, uint32_t node, struct buf *out)
{
	buf_clear(out);
	if (node)
		label_func(out, names_func(d->names, d->tree.nodes[node].func));
	else
		buf_str(out, "all");
}

static int draw_join(const struct pen *p, int x, const char *text)
{
	return x + cells_text(p->c, x, p->y, p->c->window.w - x, text,
			      p->selected ? p->on : p->ui->theme.style[STYLE_DIM]);
}

/* The frames of a chain after its head that are left out, so that head and end fit. */
static size_t left_out(const struct data *d, const struct tree_line *line, int room)
{
	enum { JOIN_W = 3, DOTS_W = JOIN_W + 2, CHAIN_MAX = 64 };
	int widths[CHAIN_MAX] = {0}, all = 0;
	size_t n = 0;
	struct buf b = BUF_INIT;
	for (uint32_t node = line->head; n < CHAIN_MAX; node = d->tree.nodes[node].child) {
		frame_label(d, node, &b);
		widths[n] = (int)text_width(buf_cstr(&b)) + (n ? JOIN_W : 0);
		all += widths[n++];
		if (node == line->tail)
			break;
	}
	buf_free(&b);
	size_t out = 0;
	if (all > room)
		all += DOTS_W;
	for (; out + 2 < n && all > room; out++)
		all -= widths[out + 1];
	return out;
}

static void draw_name(const struct pen *p, const struct tree_line *line, int x)
{
	const struct data *d = &p->ui->data;
	const struct theme *th = &p->ui->theme;
	struct buf label = BUF_INIT;
	int w = p->c->window.w;
	x += 2 * line->indent;
	cells_text(p->c, x, p->y, 1,
		   line->leaf ? " " : th->glyph[line->open ? GLYPH_OPEN : GLYPH_CLOSED],
		   frame_style(p, line->head));
	x += 2;
	size_t skip = left_out(d, line, w - x), i = 0;
	for (uint32_t n = line->head; x < w; n = d->tree.nodes[n].child, i++) {
		if (i == 1 && skip) {
			x = draw_join(p, x, th->glyph[GLYPH_JOIN]);
			x = draw_join(p, x, th->glyph[GLYPH_DOTS]);
		}
		if (i < 1 || i > skip) {
			if (i)
				x = draw_join(p, x, th->glyph[GLYPH_JOIN]);
			frame_label(d, n, &label);
			struct style s = frame_style(p, n);
			if (p->selected && n == d->frame)
				s.attr |= ATTR_BOLD;
			x += cells_fit(p->c, x, p->y, w - x, buf_cstr(&label), s);
		}
		if (n == line->tail)
			break;
	}
	buf_free(&label);
}

static void tree_draw(const struct ui *ui, const void *state, struct cells *c)
{
	const struct tree *t = state;
	const struct theme *th = &ui->theme;
	struct table table = table_of(ui, false);
	size_t sorted = 0;
	for (size_t i = 0; i < t->ncols; i++)
		if (t->cols[i] == t->sort)
			sorted = i;
	table_head(c, th, &table, t->cols, t->ncols, sorted, 0);
	for (int y = 1; y < c->window.h; y++) {
		size_t at = t->top + (size_t)y - 1;
		if (at >= t->lines.count)
			break;
		const struct tree_line *line = &t->lines.lines[at];
		bool selected = at == t->at;
		struct pen p = {
			ui, c, y, selected,
			th->style[ui->model.pane == PANE_VIEW ? STYLE_LINE : STYLE_LINE_OFF]};
		if (selected)
			cells_fill(c, 0, y, c->window.w, 1, p.on);
		/* The chain's total is its head's, its self time its end's. */
		struct tree_count side[2];
		memcpy(side, ui->data.tree.nodes[line->head].side, sizeof(side));
		for (uint32_t n = line->head; n != line->tail;) {
			n = ui->data.tree.nodes[n].child;
			for (int i = 0; i < 2; i++) {
				side[i].self += ui->data.tree.nodes[n].side[i].self;
				side[i].self_ns += ui->data.tree.nodes[n].side[i].self_ns;
			}
		}
		int x = table_row(c, th, &table, t->cols, t->ncols, side, y, selected);
		draw_name(&p, line, x);
	}
}

static void tree_click(struct ui *ui, void *state, int x, int y)
{
	struct tree *t = state;
	(void)x;
	size_t line = t->top + (size_t)(y > 0 ? y - 1 : 0);
	if (y < 1 || line >= t->lines.count)
		return;
	if (line == t->at)
		set_open(ui, t, !t->lines.lines[line].open);
	else
		choose(ui, t, line);
}

const struct view_ops view_tree = {
	.name = "tree",
	.context = CONTEXT_TREE,
	.open = tree_open,
	.close = tree_close,
	.update = tree_update,
	.act = tree_act,
	.draw = tree_draw,
	.click = tree_click,
};
