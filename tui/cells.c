/* The buffer of cells and its clipped drawing primitives. */
#include "tui/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"

static const struct style plain = {COLOUR_DEFAULT, COLOUR_DEFAULT, 0};

bool style_equal(struct style a, struct style b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

void cells_init(struct cells *c, int w, int h, bool ascii)
{
	c->w = w < 1 ? 1 : w;
	c->h = h < 1 ? 1 : h;
	c->ascii = ascii;
	c->at = mem_zalloc((size_t)c->w * (size_t)c->h, sizeof(*c->at));
	cells_whole(c);
	cells_clear(c, plain);
}

void cells_release(struct cells *c)
{
	free(c->at);
	c->at = NULL;
	c->w = c->h = 0;
}

static struct cell *cell_at(const struct cells *c, int x, int y)
{
	return &c->at[(size_t)y * (size_t)c->w + (size_t)x];
}

static void blank(struct cell *cell, struct style style)
{
	memset(cell->text, 0, sizeof(cell->text));
	cell->text[0] = ' ';
	cell->width = 1;
	cell->style = style;
}

void cells_clear(struct cells *c, struct style style)
{
	cells_fill(c, 0, 0, c->window.w, c->window.h, style);
	c->cursor_x = c->cursor_y = -1;
}

static int clamp(int v, int lo, int hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

void cells_window(struct cells *c, struct rect r)
{
	int x1 = clamp(r.x + (r.w > 0 ? r.w : 0), 0, c->w);
	int y1 = clamp(r.y + (r.h > 0 ? r.h : 0), 0, c->h);
	c->window.x = clamp(r.x, 0, c->w);
	c->window.y = clamp(r.y, 0, c->h);
	c->window.w = x1 > c->window.x ? x1 - c->window.x : 0;
	c->window.h = y1 > c->window.y ? y1 - c->window.y : 0;
}

void cells_whole(struct cells *c)
{
	c->window = (struct rect){0, 0, c->w, c->h};
}

/* A wide character of which one half is overwritten leaves a blank in the other. */
static void unpair(struct cells *c, int x, int y)
{
	struct cell *cell = cell_at(c, x, y);
	if (cell->width == 0 && x > 0)
		blank(cell_at(c, x - 1, y), cell_at(c, x - 1, y)->style);
	else if (cell->width == 2 && x + 1 < c->w)
		blank(cell_at(c, x + 1, y), cell_at(c, x + 1, y)->style);
}

static void put(struct cells *c, int x, int y, const char *text, size_t n, int width,
		struct style style)
{
	for (int i = 0; i < width; i++) {
		unpair(c, x + i, y);
		blank(cell_at(c, x + i, y), style);
	}
	struct cell *cell = cell_at(c, x, y);
	memcpy(cell->text, text, n);
	cell->width = (uint8_t)width;
	if (width == 2) {
		struct cell *right = cell_at(c, x + 1, y);
		right->text[0] = '\0';
		right->width = 0;
	}
}

/* A combining character joins the cell before it, while there is room. */
static void combine(struct cells *c, int x, int y, const char *text, size_t n)
{
	struct cell *cell = cell_at(c, x, y);
	if (cell->width == 0 && x > 0)
		cell = cell_at(c, x - 1, y);
	size_t len = strlen(cell->text);
	if (len + n < sizeof(cell->text))
		memcpy(cell->text + len, text, n);
}

int cells_text(struct cells *c, int x, int y, int max, const char *s, struct style style)
{
	const struct rect *win = &c->window;
	if (y < 0 || y >= win->h || !s)
		return 0;
	size_t n = strlen(s);
	int used = 0, last = -1;
	for (size_t i = 0, bytes; i < n; i += bytes) {
		int32_t code = text_decode(s + i, n - i, &bytes);
		bool odd = code < 0x20 || code == 0x7f || (c->ascii && code > 0x7e);
		int width = odd && !(c->ascii && code > 0x7e) ? 1 : text_char_width(code);
		if (width == 0) {
			if (last >= 0 && !c->ascii)
				combine(c, last, win->y + y, s + i, bytes);
			continue;
		}
		if (used + width > max)
			break;
		int at = x + used;
		used += width;
		last = -1;
		if (at < 0 || at + width > win->w)
			continue;
		last = win->x + at;
		if (odd)
			put(c, last, win->y + y, width == 2 ? "??" : "?", 1, 1, style);
		else
			put(c, last, win->y + y, s + i, bytes, width, style);
		if (odd && width == 2)
			put(c, last + 1, win->y + y, "?", 1, 1, style);
	}
	return used;
}

int cells_fit(struct cells *c, int x, int y, int max, const char *s, struct style style)
{
	if (max <= 0)
		return 0;
	struct buf b = BUF_INIT;
	text_fit(&b, s, (size_t)max, c->ascii);
	int used = cells_text(c, x, y, max, buf_cstr(&b), style);
	buf_free(&b);
	return used;
}

int cells_right(struct cells *c, int x, int y, int max, const char *s, struct style style)
{
	int w = (int)text_width(s);
	if (w > max)
		return cells_fit(c, x, y, max, s, style);
	return cells_text(c, x + max - w, y, w, s, style);
}

void cells_fill(struct cells *c, int x, int y, int w, int h, struct style style)
{
	int x0 = clamp(x, 0, c->window.w), x1 = clamp(x + w, 0, c->window.w);
	int y0 = clamp(y, 0, c->window.h), y1 = clamp(y + h, 0, c->window.h);
	for (int row = y0; row < y1; row++) {
		for (int col = x0; col < x1; col++) {
			unpair(c, c->window.x + col, c->window.y + row);
			blank(cell_at(c, c->window.x + col, c->window.y + row), style);
		}
	}
}

void cells_repeat(struct cells *c, int x, int y, int n, const char *glyph, struct style style)
{
	for (int i = 0; i < n; i++)
		cells_text(c, x + i, y, 1, glyph, style);
}

static bool visible(const struct cells *c, int x, int y)
{
	return x >= 0 && y >= 0 && x < c->window.w && y < c->window.h;
}

void cells_restyle(struct cells *c, int x, int y, int w, struct style style)
{
	for (int i = 0; i < w; i++)
		if (visible(c, x + i, y))
			cell_at(c, c->window.x + x + i, c->window.y + y)->style = style;
}

void cells_attr(struct cells *c, int x, int y, int w, uint16_t attr)
{
	for (int i = 0; i < w; i++)
		if (visible(c, x + i, y))
			cell_at(c, c->window.x + x + i, c->window.y + y)->style.attr |= attr;
}

void cells_cursor(struct cells *c, int x, int y)
{
	if (!visible(c, x, y))
		return;
	c->cursor_x = c->window.x + x;
	c->cursor_y = c->window.y + y;
}

static void dump_text(struct buf *out, const struct cells *c)
{
	for (int y = 0; y < c->h; y++) {
		int end = c->w;
		while (end > 0 && strcmp(cell_at(c, end - 1, y)->text, " ") == 0)
			end--;
		for (int x = 0; x < end; x++)
			buf_str(out, cell_at(c, x, y)->text);
		buf_char(out, '\n');
	}
}

static void describe(struct buf *out, struct style s)
{
	buf_fmt(out, "fg %d bg %d%s%s%s%s\n", s.fg, s.bg, s.attr & ATTR_BOLD ? " bold" : "",
		s.attr & ATTR_UNDERLINE ? " underline" : "",
		s.attr & ATTR_REVERSE ? " reverse" : "", s.attr & ATTR_DIM ? " dim" : "");
}

void cells_dump(struct buf *out, const struct cells *c, bool styles)
{
	static const char letters[] =
		".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct style seen[sizeof(letters) - 1] = {plain};
	size_t count = 1;
	dump_text(out, c);
	if (!styles)
		return;
	buf_str(out, "--\n");
	for (int y = 0; y < c->h; y++) {
		for (int x = 0; x < c->w; x++) {
			struct style s = cell_at(c, x, y)->style;
			size_t i = 0;
			while (i < count && !style_equal(seen[i], s))
				i++;
			if (i == count && count < sizeof(seen) / sizeof(seen[0]))
				seen[count++] = s;
			buf_char(out, i < count ? letters[i] : '?');
		}
		buf_char(out, '\n');
	}
	for (size_t i = 1; i < count; i++) {
		buf_fmt(out, "%c ", letters[i]);
		describe(out, seen[i]);
	}
}
