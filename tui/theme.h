/* Themes: what each thing on the screen looks like, resolved for a terminal's colours.
 *
 * Views ask for a style by its meaning. A theme is fixed after theme_init; nothing else in
 * tui/ names a colour. */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/sample.h"
#include "tui/cells.h"

#define THEMES(X)                                                                                  \
	X(THEME_DEFAULT, "default")                                                                \
	X(THEME_LIGHT, "light")                                                                    \
	X(THEME_CLASSIC, "classic")                                                                \
	X(THEME_MONOCHROME, "monochrome")

#define X(id, name) id,
enum theme_id { THEMES(X) THEME_COUNT };
#undef X

/* Colours of the terminal: none, 8 or 16, 256. */
enum depth { DEPTH_MONO, DEPTH_BASIC, DEPTH_256 };

enum style_id {
	STYLE_TEXT,
	STYLE_BRIGHT,
	STYLE_DIM,
	STYLE_FAINT, /* rules, rulers, gaps */
	STYLE_BAR,   /* header and hints */
	STYLE_BAR_BRIGHT,
	STYLE_BAR_NAME,
	STYLE_BAR_KEY,
	STYLE_BAR_DIM,
	STYLE_LIVE,
	STYLE_HELD,
	STYLE_TAB,
	STYLE_TAB_ON,    /* the view that is shown */
	STYLE_TAB_FOCUS, /* and it has the keys */
	STYLE_HEADING,
	STYLE_HEADING_FOCUS,
	STYLE_LINE,     /* the selected line of a list */
	STYLE_LINE_OFF, /* the same, in a pane without the keys */
	STYLE_SELECTED, /* the selected box */
	STYLE_RANGE,
	STYLE_MARK_A,
	STYLE_MARK_B,
	STYLE_EVENT,
	STYLE_CURSOR,
	STYLE_METER, /* percent bars */
	STYLE_CHIP,
	STYLE_ERROR,
	STYLE_BOX, /* overlays */
	STYLE_BOX_HEAD,
	STYLE_FOLDED, /* frames that a search does not match */
	STYLE_MORE,   /* text of a difference */
	STYLE_LESS,
	STYLE_COUNT
};

/* Characters beyond ASCII have a stand-in. */
enum glyph_id {
	GLYPH_RULE,    /* │ */
	GLYPH_LINE,    /* ─ */
	GLYPH_EDGE,    /* ▕, right edge of a box */
	GLYPH_UNDER,   /* ▁, the range */
	GLYPH_GAP,     /* ╱ */
	GLYPH_IDLE,    /* · */
	GLYPH_PARTIAL, /* ▒ */
	GLYPH_CURSOR,  /* ▄ */
	GLYPH_EVENT,   /* ◆ */
	GLYPH_KIND,    /* ■ */
	GLYPH_OPEN,    /* ▾ */
	GLYPH_CLOSED,  /* ▸ */
	GLYPH_LIVE,    /* ● */
	GLYPH_HELD,    /* ‖ */
	GLYPH_JOIN,    /* › with blanks */
	GLYPH_ARROW,   /* → */
	GLYPH_DASH,    /* –, between times */
	GLYPH_DOTS,    /* … */
	GLYPH_DOWN,    /* ↓ */
	GLYPH_UP,      /* ↑ */
	GLYPH_COUNT
};

#define HEAT_LEVELS 8
#define DIFF_LEVELS 3
#define PALETTE_SIZE 10

/* How a cell of a level looks, and text that is put on it. */
struct heat_look {
	struct style style, ink;
	const char *glyph;
};

struct theme {
	enum theme_id id;
	enum depth depth;
	bool ascii;
	struct style style[STYLE_COUNT];
	const char *glyph[GLYPH_COUNT];
	struct heat_look heat[HEAT_LEVELS];
	struct style kind_box[KIND_COUNT], kind_text[KIND_COUNT];
	struct style diff_box[2 * DIFF_LEVELS + 1]; /* index DIFF_LEVELS is "same" */
	struct style palette[PALETTE_SIZE];         /* boxes coloured by module or name */
};

void theme_init(struct theme *t, enum theme_id id, enum depth depth, bool ascii);
const char *theme_name(enum theme_id id);
int theme_parse(const char *name); /* -1: no such theme */

/* A palette's colour for some text: the same text, the same colour. */
struct style theme_palette(const struct theme *t, const char *text);
struct style theme_diff(const struct theme *t, int level); /* -DIFF_LEVELS (less) .. DIFF_LEVELS */

#endif
