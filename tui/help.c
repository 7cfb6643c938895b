/* The help box. */
#include "tui/help.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

enum { COLUMN_W = 58, KEY_W = 8 };

struct line {
	char *key; /* NULL: a heading */
	const char *text;
};

struct lines {
	struct line *items;
	size_t count, cap;
	enum context context;
};

static void add(struct lines *l, int32_t key, const char *text)
{
	struct line line = {NULL, text};
	if (key != KEY_CODE_NONE) {
		struct buf b = BUF_INIT;
		key_text(&b, key);
		line.key = buf_take(&b);
	}
	l->items = mem_grow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	l->items[l->count++] = line;
}

static void add_binding(const struct binding *b, void *arg)
{
	struct lines *l = arg;
	if (b->context == l->context)
		add(l, b->key, binding_help(b));
}

static void add_context(struct lines *l, enum context context)
{
	if (l->count)
		add(l, KEY_CODE_NONE, "");
	add(l, KEY_CODE_NONE, context_name(context));
	l->context = context;
	tui_keys_each(add_binding, l);
}

/* The pane that has the keys comes first. */
static void collect(const struct ui *ui, struct lines *l)
{
	struct model here = ui->model;
	struct ui copy = {.model = here};
	copy.model.help = false;
	enum context first = ui_context(&copy);
	add_context(l, first);
	add_context(l, CONTEXT_ALL);
	for (int c = 0; c < CONTEXT_COUNT; c++)
		if (c != CONTEXT_ALL && c != (int)first)
			add_context(l, (enum context)c);
	add(l, KEY_CODE_NONE, "");
	add(l, KEY_CODE_NONE, "the same as");
	int32_t key, other;
	for (size_t i = 0; keys_alias(i, &key, &other); i++)
		add(l, key, NULL);
}

static void lines_release(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->items[i].key);
	free(l->items);
}

static int columns(int w)
{
	return w >= 2 * COLUMN_W ? w / COLUMN_W : 1;
}

/* How far it can be scrolled. */
static int last_top(const struct ui *ui)
{
	struct lines l = {0};
	collect(ui, &l);
	int h = ui->layout.rows - 3, shown = (h > 1 ? h : 1) * columns(ui->layout.cols);
	int n = (int)l.count;
	lines_release(&l);
	return n > shown ? n - shown : 0;
}

bool help_act(struct ui *ui, enum action a)
{
	int page = ui->layout.rows > 6 ? ui->layout.rows - 4 : 1, last = last_top(ui),
	    to = ui->help_top;
	switch (a) {
	case ACT_DOWN:
		to++;
		break;
	case ACT_UP:
		to--;
		break;
	case ACT_PAGE_DOWN:
		to += page;
		break;
	case ACT_PAGE_UP:
		to -= page;
		break;
	case ACT_FIRST:
		to = 0;
		break;
	case ACT_LAST:
		to = last;
		break;
	default:
		return false;
	}
	ui->help_top = to < 0 ? 0 : to > last ? last : to;
	return true;
}

static void draw_line(const struct theme *t, struct cells *c, const struct line *line,
		      int32_t other, int x, int y, int w)
{
	struct style text = t->style[STYLE_BOX], head = text;
	head.attr |= ATTR_BOLD;
	if (t->depth == DEPTH_256)
		head.fg = t->style[STYLE_BAR_KEY].fg;
	if (!line->key) {
		cells_fit(c, x, y, w, line->text, head);
		return;
	}
	cells_right(c, x, y, KEY_W, line->key, head);
	if (line->text) {
		cells_fit(c, x + KEY_W + 2, y, w - KEY_W - 2, line->text, text);
	} else {
		struct buf b = BUF_INIT;
		key_text(&b, other);
		cells_fit(c, x + KEY_W + 2, y, w - KEY_W - 2, buf_cstr(&b), text);
		buf_free(&b);
	}
}

void help_draw(const struct ui *ui, struct cells *c)
{
	const struct theme *t = &ui->theme;
	struct lines l = {0};
	cells_window(c, (struct rect){0, 1, c->w, c->h - 2});
	int h = c->window.h - 1, w = c->window.w, n = columns(w);
	cells_fill(c, 0, 0, w, c->window.h, t->style[STYLE_BOX]);
	cells_fill(c, 0, 0, w, 1, t->style[STYLE_BOX_HEAD]);
	cells_fit(c, 1, 0, w - 2, "keys", t->style[STYLE_BOX_HEAD]);
	collect(ui, &l);
	size_t aliases = 0;
	for (int32_t key, other; keys_alias(aliases, &key, &other);)
		aliases++;
	for (int i = 0; i < n * h; i++) {
		size_t at = (size_t)ui->help_top + (size_t)i;
		if (at >= l.count)
			break;
		int32_t key, other = 0;
		if (!l.items[at].text)
			keys_alias(at - (l.count - aliases), &key, &other);
		draw_line(t, c, &l.items[at], other, 1 + i / h * (w / n), 1 + i % h, w / n - 2);
	}
	lines_release(&l);
}
