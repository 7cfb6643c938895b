/* What panes and views share: messages, the selected frame, styles of frames, texts. */
#include "tui/ui.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/view.h"

void ui_say(struct ui *ui, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(ui->message, sizeof(ui->message), fmt, ap);
	va_end(ap);
	ui->message_error = false;
}

void ui_error(struct ui *ui, const struct err *err)
{
	ui_say(ui, "%s", err->text);
	ui->message_error = true;
}

const struct view_ops *ui_view(const struct ui *ui)
{
	return view_get(ui->model.view);
}

enum context ui_context(const struct ui *ui)
{
	if (ui->model.help)
		return CONTEXT_BOX;
	switch (ui->model.pane) {
	case PANE_TIME:
		return CONTEXT_TIME;
	case PANE_MENU:
		return CONTEXT_MENU;
	default:
		return ui_view(ui)->context;
	}
}

/* The path of a node; the caller frees. */
static uint32_t *node_path(const struct calltree *t, uint32_t node, size_t *n)
{
	size_t depth = t->nodes[node].depth;
	uint32_t *funcs = mem_alloc((depth + 1) * sizeof(*funcs));
	*n = calltree_path(t, node, funcs, depth);
	return funcs;
}

void ui_select(struct ui *ui, uint32_t node)
{
	const struct calltree *t = &ui->data.tree;
	if (node == CALLTREE_NONE || node >= t->count)
		node = 0;
	size_t n;
	uint32_t *funcs = node_path(t, node, &n);
	path_set(&ui->model.frame, funcs, n);
	free(funcs);
	ui->data.frame = node ? node : CALLTREE_NONE;
}

void ui_set_root(struct ui *ui, uint32_t node)
{
	size_t n;
	uint32_t *funcs = node_path(&ui->data.tree, node, &n);
	model_set_root(&ui->model, funcs, n);
	free(funcs);
	data_resolve(&ui->data, &ui->model);
}

void ui_root_out(struct ui *ui)
{
	const struct data *d = &ui->data;
	const struct calltree *t = &d->tree;
	if (!ui->model.at.root.n || !t->count)
		return;
	double size = compare_size(t, d->root, d->tree_diff, ui->model.scale);
	uint32_t up = t->nodes[d->root].parent;
	/* Not to a caller that would fold away again. */
	while (up != CALLTREE_NONE && up != 0 &&
	       compare_size(t, up, d->tree_diff, ui->model.scale) * FOLD_SHARE <= size)
		up = t->nodes[up].parent;
	ui_set_root(ui, up == CALLTREE_NONE ? 0 : up);
}

struct style ui_text_style(const struct ui *ui, const struct func *f)
{
	const struct theme *t = &ui->theme;
	const char *by = ui->model.colouring == COLOUR_MODULE ? f->module : f->name;
	struct style s = t->kind_text[f->kind];
	if (ui->model.colouring != COLOUR_KIND && t->depth != DEPTH_MONO)
		s.fg = theme_palette(t, by).bg;
	if (ui->data.matcher.text && !matcher_match(&ui->data.matcher, f))
		s = t->style[STYLE_DIM];
	else if (ui->data.matcher.text)
		s.attr |= ATTR_BOLD;
	return s;
}

struct style ui_box_style(const struct ui *ui, const struct func *f)
{
	const struct theme *t = &ui->theme;
	if (ui->data.matcher.text && !matcher_match(&ui->data.matcher, f))
		return t->style[STYLE_FOLDED];
	struct style s = t->kind_box[f->kind];
	if (ui->model.colouring == COLOUR_MODULE)
		s = theme_palette(t, f->module);
	else if (ui->model.colouring == COLOUR_NAME)
		s = theme_palette(t, f->name);
	if (ui->data.matcher.text)
		s.attr |= ATTR_BOLD;
	return s;
}

double ui_percent_base(const struct ui *ui)
{
	const struct data *d = &ui->data;
	if (ui->model.of_all && d->all_ns)
		return (double)d->all_ns;
	return d->tree.count ? (double)d->tree.nodes[d->root].side[0].total_ns : 0;
}

void ui_range_text(const struct ui *ui, struct buf *out, struct range r)
{
	grid_time(out, r.from, ui->data.span.to, ui->model.utc);
	buf_str(out, ui->theme.glyph[GLYPH_DASH]);
	grid_time(out, r.to, r.from, ui->model.utc);
}

static bool find_mark(void *arg, const char *name, struct range *out)
{
	const struct mark *m = spot_mark(arg, name);
	if (m)
		*out = m->range;
	return m != NULL;
}

struct range_context ui_range_context(struct ui *ui)
{
	return (struct range_context){ui->data.span, ui->model.utc, find_mark, &ui->model.at};
}

const char *ui_thread_value(const struct ui *ui, const struct thread_row *row, char number[16])
{
	const struct thread_rows *all = &ui->data.threads;
	bool alone = *row->name && !strpbrk(row->name, "*\"");
	for (size_t i = 0; i < all->count && alone; i++)
		alone = all->rows[i].tid == row->tid || strcmp(all->rows[i].name, row->name) != 0;
	snprintf(number, 16, "%d", row->tid);
	return alone ? row->name : number;
}

size_t ui_scroll(size_t top, size_t at, size_t rows, size_t count)
{
	if (at == SIZE_MAX)
		return 0;
	if (at < top)
		top = at;
	if (at >= top + rows)
		top = at - rows + 1;
	if (top + rows > count)
		top = count > rows ? count - rows : 0;
	return top;
}

const char *ui_rate_unit(const struct ui *ui)
{
	return ui->model.at.filter.weight == WEIGHT_CPU ? "cores" : "threads";
}
