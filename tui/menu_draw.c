/* Drawing the menu. */
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "tui/ui.h"

struct pen {
	struct cells *c;
	const struct ui *ui;
	int y, w;
	struct style text, note;
};

/* A mark's sign and style, in front of the line. */
static const char *sign(const struct ui *ui, const struct menu_item *item, struct style *style)
{
	const struct theme *t = &ui->theme;
	switch (item->kind) {
	case MENU_PROCESS:
		*style = t->style[STYLE_TEXT];
		return t->glyph[item->folded ? GLYPH_CLOSED : GLYPH_OPEN];
	case MENU_KIND:
		*style = t->kind_text[item->id];
		if (t->depth == DEPTH_BASIC || t->depth == DEPTH_256)
			return t->glyph[GLYPH_KIND];
		return " ";
	case MENU_MARK:
		*style = t->style[strcmp(item->value, "a") == 0 ? STYLE_MARK_A : STYLE_MARK_B];
		return strcmp(item->value, "a") == 0   ? "A"
		       : strcmp(item->value, "b") == 0 ? "B"
						       : "'";
	case MENU_EVENT:
		*style = t->style[STYLE_EVENT];
		return t->glyph[GLYPH_EVENT];
	default:
		*style = t->style[STYLE_TEXT];
		return " ";
	}
}

static void draw_item(const struct pen *p, const struct menu_item *item, bool wide)
{
	const struct theme *t = &p->ui->theme;
	if (item->kind == MENU_HEADING) {
		cells_text(p->c, 1, p->y, p->w - 1, item->text, t->style[STYLE_HEADING]);
		return;
	}
	struct style style;
	const char *glyph = sign(p->ui, item, &style);
	style.bg = p->text.bg;
	style.attr |= p->text.attr & ATTR_REVERSE;
	int x = wide ? 1 : 0;
	bool child = item->kind == MENU_THREAD || item->kind == MENU_MORE;
	if (!child || wide)
		cells_text(p->c, x, p->y, 1, glyph, style);
	x += wide ? 2 + 2 * child : 1;
	int note = (int)text_width(item->note);
	bool show_note = *item->note && (wide || item->kind != MENU_PROCESS);
	int end = p->w - wide; /* the rule stands right of it */
	int room = end - x - (show_note ? note + 1 : 0);
	struct style text = p->text;
	if (item->on)
		text.attr |= ATTR_BOLD | ATTR_UNDERLINE;
	if (item->kind == MENU_MORE)
		text.fg = p->note.fg;
	cells_fit(p->c, x, p->y, room, item->text, text);
	if (show_note)
		cells_right(p->c, end - note, p->y, note, item->note, p->note);
}

static struct pen pen_for(const struct ui *ui, struct cells *c, int y, bool selected)
{
	const struct theme *t = &ui->theme;
	bool focus = ui->model.pane == PANE_MENU;
	struct pen p = {c, ui, y, c->window.w, t->style[STYLE_TEXT], t->style[STYLE_DIM]};
	if (selected && focus) {
		p.text = p.note = t->style[STYLE_LINE];
		cells_fill(c, 0, y, p.w, 1, p.text);
	}
	return p;
}

/* Unfocused and low: the kinds are the flamegraph's legend, so the last lines are theirs. */
static size_t legend_lines(const struct ui *ui, int h, size_t *first_kind)
{
	const struct menu *m = &ui->menu;
	size_t kinds = 0;
	*first_kind = m->count;
	for (size_t i = m->count; i-- > 0;) {
		if (m->items[i].kind == MENU_KIND) {
			*first_kind = i;
			kinds++;
		}
	}
	if (ui->model.pane == PANE_MENU || m->count <= (size_t)h)
		return 0;
	size_t most = (size_t)h / 3;
	return kinds < most ? kinds : most;
}

/* The kinds with the largest part, in the order of the list. */
static void draw_legend(const struct ui *ui, struct cells *c, int y, size_t lines, size_t first,
			bool wide)
{
	const struct menu *m = &ui->menu;
	unsigned drawn = 0;
	for (size_t line = 0; line < lines; line++) {
		size_t best = m->count;
		uint64_t most = 0;
		for (size_t i = first; i < m->count && m->items[i].kind == MENU_KIND; i++) {
			int kind = m->items[i].id;
			if (drawn & 1u << kind)
				continue;
			if (best == m->count || ui->data.kind_ns[kind] > most) {
				best = i;
				most = ui->data.kind_ns[kind];
			}
		}
		if (best == m->count)
			return;
		drawn |= 1u << m->items[best].id;
		struct pen p = pen_for(ui, c, y + (int)line, false);
		draw_item(&p, &m->items[best], wide);
	}
}

void menu_draw(const struct ui *ui, struct cells *c)
{
	const struct menu *m = &ui->menu;
	const struct theme *t = &ui->theme;
	int h = c->window.h - 1, w = c->window.w;
	bool wide = w >= 14, focus = ui->model.pane == PANE_MENU;
	cells_fill(c, 0, 0, w, c->window.h, t->style[STYLE_TEXT]);
	if (focus) {
		cells_fill(c, 0, 0, w, 1, t->style[STYLE_HEADING_FOCUS]);
		cells_text(c, 1, 0, w - 1, "menu", t->style[STYLE_HEADING_FOCUS]);
	}
	size_t first_kind, legend = wide ? 0 : legend_lines(ui, h, &first_kind);
	size_t top = focus ? m->top : 0;
	for (int i = 0; i < h - (int)legend && top + (size_t)i < m->count; i++) {
		size_t at = top + (size_t)i;
		struct pen p = pen_for(ui, c, 1 + i, at == m->at);
		draw_item(&p, &m->items[at], wide);
	}
	if (legend)
		draw_legend(ui, c, c->window.h - (int)legend, legend, first_kind, wide);
}
