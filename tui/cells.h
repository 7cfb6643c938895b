/* A screen as data: a grid of cells with text and style, and primitives that draw in it.
 *
 * Every view draws into cells and into nothing else, so that a picture can be tested without
 * a terminal. Drawing is relative to the window and clipped to it: any coordinates are safe.
 * Strings are clean UTF-8 (base/text.h). */
#ifndef TUI_CELLS_H
#define TUI_CELLS_H

#include <stdbool.h>
#include <stdint.h>

struct buf;

enum { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4, ATTR_DIM = 8 };
#define COLOUR_DEFAULT (-1)

/* Colours are numbers of the terminal's palette (tui/theme.h picks them for its depth). */
struct style {
	int16_t fg, bg;
	uint16_t attr;
};

/* One column: a base character and what combines with it; the right half of a wide
 * character has width 0 and no text. */
#define CELL_TEXT 12
struct cell {
	char text[CELL_TEXT];
	uint8_t width;
	struct style style;
};

struct rect {
	int x, y, w, h;
};

struct cells {
	int w, h;
	bool ascii; /* non-ASCII characters become '?' */
	struct cell *at;
	struct rect window;
	int cursor_x, cursor_y; /* where the terminal's cursor shows; -1: nowhere */
};

void cells_init(struct cells *c, int w, int h, bool ascii); /* sizes below 1 become 1 */
void cells_release(struct cells *c);
void cells_clear(struct cells *c, struct style style); /* blanks; whole window; no cursor */
void cells_window(struct cells *c, struct rect r);     /* clipped to the screen */
void cells_whole(struct cells *c);                     /* the window is the screen */

/* Draw text at (x, y), at most `max` columns; gives the columns used. A wide character that
 * does not fit is left out. */
int cells_text(struct cells *c, int x, int y, int max, const char *s, struct style style);
/* The same, cut with "…" where it does not fit. */
int cells_fit(struct cells *c, int x, int y, int max, const char *s, struct style style);
/* At the right end of `max` columns. */
int cells_right(struct cells *c, int x, int y, int max, const char *s, struct style style);
void cells_fill(struct cells *c, int x, int y, int w, int h, struct style style);
void cells_repeat(struct cells *c, int x, int y, int n, const char *glyph, struct style style);
void cells_restyle(struct cells *c, int x, int y, int w, struct style style); /* text stays */
void cells_attr(struct cells *c, int x, int y, int w, uint16_t attr);         /* attributes added */
void cells_cursor(struct cells *c, int x, int y);

bool style_equal(struct style a, struct style b);

/* The screen as text, a line a row, trailing blanks dropped. With styles: after it a map of
 * the same shape, a letter for each style, and what the letters mean. */
void cells_dump(struct buf *out, const struct cells *c, bool styles);

#endif
