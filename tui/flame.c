/* The icicle flamegraph: callers above what they call, widths are time. */
#include "tui/flame.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/view.h"

struct flame {
	struct flame_layout layout;
	int top; /* the first depth that is shown */
	int h;
};

static void *flame_open(void)
{
	return mem_zalloc(1, sizeof(struct flame));
}

static void flame_close(void *state)
{
	struct flame *f = state;
	flame_layout_release(&f->layout);
	free(f);
}

static void flame_update(struct ui *ui, void *state, int w, int h)
{
	struct flame *f = state;
	const struct data *d = &ui->data;
	f->h = h < 1 ? 1 : h;
	flame_layout(&f->layout, &d->tree, d->base, w, d->tree_diff, ui->model.scale);
	int most = f->layout.depths > f->h ? f->layout.depths - f->h : 0;
	if (d->frame == CALLTREE_NONE) {
		f->top = 0;
	} else {
		int depth =
			(int)d->tree.nodes[d->frame].depth - (int)d->tree.nodes[d->base].depth - 1;
		if (depth < f->top)
			f->top = depth < 0 ? 0 : depth;
		if (depth >= f->top + f->h)
			f->top = depth - f->h + 1;
	}
	if (f->top > most)
		f->top = most;
}

/* The child with the most time. */
static uint32_t widest(const struct ui *ui, uint32_t node)
{
	const struct calltree *t = &ui->data.tree;
	uint32_t best = CALLTREE_NONE;
	double most = -1;
	for (uint32_t c = t->nodes[node].child; c != CALLTREE_NONE; c = t->nodes[c].next) {
		double size = compare_size(t, c, ui->data.tree_diff, ui->model.scale);
		if (size > most) {
			most = size;
			best = c;
		}
	}
	return best;
}

static bool under(const struct calltree *t, uint32_t node, uint32_t root)
{
	while (node != CALLTREE_NONE && node != root)
		node = t->nodes[node].parent;
	return node == root;
}

static void sideways(struct ui *ui, const struct flame *f, int by)
{
	const struct flame_box *box = flame_box_of(&f->layout, ui->data.frame);
	if (box) {
		const struct flame_box *to = box + by;
		if (to >= f->layout.boxes && to < f->layout.boxes + f->layout.count &&
		    to->depth == box->depth)
			ui_select(ui, to->node);
		return;
	}
	/* Too narrow to have a box: by its siblings. */
	const struct calltree *t = &ui->data.tree;
	uint32_t node = ui->data.frame, before = CALLTREE_NONE;
	uint32_t c = t->nodes[t->nodes[node].parent].child;
	for (; c != CALLTREE_NONE && c != node; c = t->nodes[c].next)
		before = c;
	uint32_t to = by > 0 ? t->nodes[node].next : before;
	if (to != CALLTREE_NONE)
		ui_select(ui, to);
}

static void down(struct ui *ui, int levels)
{
	uint32_t node = ui->data.frame;
	for (int i = 0; i < levels; i++) {
		uint32_t c = widest(ui, node);
		if (c == CALLTREE_NONE)
			break;
		node = c;
	}
	ui_select(ui, node);
}

static void up(struct ui *ui, int levels)
{
	const struct calltree *t = &ui->data.tree;
	uint32_t node = ui->data.frame;
	for (int i = 0;
	     i < levels && t->nodes[node].parent != CALLTREE_NONE && t->nodes[node].parent != 0;
	     i++) {
		if (node == ui->data.root)
			break;
		node = t->nodes[node].parent;
	}
	ui_select(ui, node);
}

static void first(struct ui *ui)
{
	const struct data *d = &ui->data;
	uint32_t node = d->root ? d->root : widest(ui, d->root);
	ui_select(ui, node);
}

/* The keys that move; without a selected frame under the root the first one selects. */
static void move(struct ui *ui, struct flame *f, enum action a)
{
	const struct data *d = &ui->data;
	uint32_t start = widest(ui, d->base);
	if (start == CALLTREE_NONE)
		return;
	if (d->frame == CALLTREE_NONE || !under(&d->tree, d->frame, d->root)) {
		ui_select(ui, start);
		if (a != ACT_LAST)
			return;
	}
	switch (a) {
	case ACT_LEFT:
		sideways(ui, f, -1);
		break;
	case ACT_RIGHT:
		sideways(ui, f, 1);
		break;
	case ACT_DOWN:
		down(ui, 1);
		break;
	case ACT_UP:
		up(ui, 1);
		break;
	case ACT_PAGE_DOWN:
		down(ui, f->h);
		break;
	case ACT_PAGE_UP:
		up(ui, f->h);
		break;
	case ACT_LAST:
		down(ui, (int)d->tree.count);
		break;
	default:
		first(ui);
		break;
	}
}

static bool flame_act(struct ui *ui, void *state, enum action a)
{
	struct flame *f = state;
	if (!ui->data.tree.count)
		return true;
	switch (a) {
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_DOWN:
	case ACT_UP:
	case ACT_PAGE_DOWN:
	case ACT_PAGE_UP:
	case ACT_FIRST:
	case ACT_LAST:
		move(ui, f, a);
		return true;
	case ACT_ENTER:
	case ACT_ROOT:
		if (ui->data.frame != CALLTREE_NONE)
			ui_set_root(ui, ui->data.frame);
		else
			ui_say(ui, "no frame is selected");
		return true;
	case ACT_OUT:
		ui_root_out(ui);
		return true;
	default:
		return false;
	}
}

/* In monochrome a difference is told by a sign. */
static const char *diff_sign(int level)
{
	return level > 0 ? "+" : level < 0 ? "-" : "=";
}

/* A name is shown whole or with an ellipsis; one or two characters of it say nothing. */
static void draw_label(struct cells *c, const struct flame_box *box, int y, const char *label,
		       int sign, struct style style)
{
	enum { NAME_LEAST_W = 3 };
	int pad = box->w > NAME_LEAST_W, room = box->w - 1 - pad;
	if (room >= NAME_LEAST_W || (int)text_width(label) <= room)
		cells_fit(c, box->x + pad, y, room, label, style);
	else if (sign && room > 0)
		cells_text(c, box->x + pad, y, sign, label, style);
}

static void draw_box(const struct ui *ui, struct cells *c, const struct flame_box *box, int y)
{
	const struct data *d = &ui->data;
	const struct theme *t = &ui->theme;
	const struct tree_node *n = &d->tree.nodes[box->node];
	const struct func *func = names_func(d->names, n->func);
	struct style style = ui_box_style(ui, func);
	struct buf label = BUF_INIT;
	int sign = 0; /* columns before the name */
	if (d->tree_diff) {
		struct compare cmp = compare_counts(&d->tree, n->side, false, ui->model.scale);
		if (!ui->data.matcher.text || d->matches[box->node] & 1)
			style = theme_diff(t, cmp.level);
		if (t->depth == DEPTH_MONO) {
			buf_str(&label, diff_sign(cmp.level));
			sign = 1;
		}
	}
	if (box->node == d->frame)
		style = t->style[STYLE_SELECTED];
	label_func(&label, func);
	cells_fill(c, box->x, y, box->w, 1, style);
	struct style edge = style;
	if (t->depth == DEPTH_256)
		edge.fg = t->id == THEME_LIGHT ? 255 : 234;
	edge.attr = style.attr & ATTR_REVERSE;
	cells_text(c, box->x + box->w - 1, y, 1, t->glyph[GLYPH_EDGE], edge);
	draw_label(c, box, y, buf_cstr(&label), sign, style);
	buf_free(&label);
}

static void flame_draw(const struct ui *ui, const void *state, struct cells *c)
{
	const struct flame *f = state;
	for (size_t i = 0; i < f->layout.count; i++) {
		const struct flame_box *box = &f->layout.boxes[i];
		int y = box->depth - f->top;
		if (y >= 0 && y < c->window.h)
			draw_box(ui, c, box, y);
	}
	char more[32];
	int below = f->layout.depths - f->top - c->window.h;
	if (below > 0) {
		int n = snprintf(more, sizeof(more), " %d deeper ", below);
		cells_right(c, c->window.w - n, c->window.h - 1, n, more,
			    ui->theme.style[STYLE_BAR_DIM]);
	}
	if (f->top > 0) {
		int n = snprintf(more, sizeof(more), " %d above ", f->top);
		cells_right(c, c->window.w - n, 0, n, more, ui->theme.style[STYLE_BAR_DIM]);
	}
}

static void flame_click(struct ui *ui, void *state, int x, int y)
{
	struct flame *f = state;
	for (size_t i = 0; i < f->layout.count; i++) {
		const struct flame_box *box = &f->layout.boxes[i];
		if (box->depth - f->top != y || x < box->x || x >= box->x + box->w)
			continue;
		if (ui->data.frame == box->node)
			ui_set_root(ui, box->node);
		else
			ui_select(ui, box->node);
		return;
	}
}

const struct view_ops view_flame = {
	.name = "flame",
	.context = CONTEXT_FLAME,
	.open = flame_open,
	.close = flame_close,
	.update = flame_update,
	.act = flame_act,
	.draw = flame_draw,
	.click = flame_click,
};
