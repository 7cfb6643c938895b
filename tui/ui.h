/* The screen as a whole: the state that panes and views share. One struct, passed to all;
 * tui/app.h drives it. */
#ifndef TUI_UI_H
#define TUI_UI_H

#include "tui/data.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/menu.h"
#include "tui/prompt.h"
#include "tui/theme.h"

struct tui_opts;
struct view_ops;

struct ui {
	const struct tui_opts *opts;
	struct model model;
	struct data data;
	struct theme theme;
	enum depth depth; /* of the terminal; the theme may use less */
	struct layout layout;
	struct menu menu;
	struct prompt prompt;
	void *views[VIEW_COUNT]; /* their states */
	int help_top;
	bool awaiting_mark; /* ' waits for a key */
	bool busy;          /* the picture lags behind the model */
	struct mouse press; /* where the button went down */
	bool pressed;
	char message[240];
	bool message_error;
	bool marks_changed; /* to be saved */
	bool quit, suspend, redraw;
};

/* A line for the user, until the next key. */
void ui_say(struct ui *ui, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ui_error(struct ui *ui, const struct err *err);

const struct view_ops *ui_view(const struct ui *ui);
enum context ui_context(const struct ui *ui); /* of the focused pane, or the box */

/* Select a frame of the present tree; 0 or CALLTREE_NONE: none. */
void ui_select(struct ui *ui, uint32_t node);
void ui_set_root(struct ui *ui, uint32_t node);
void ui_root_out(struct ui *ui); /* to the nearest caller that holds more */

/* How a function's text and box look under the present colouring and search. */
struct style ui_text_style(const struct ui *ui, const struct func *f);
struct style ui_box_style(const struct ui *ui, const struct func *f);

/* What percentages are of, in ns: the view's root, or all of the range. */
double ui_percent_base(const struct ui *ui);

void ui_range_text(const struct ui *ui, struct buf *out, struct range r);
/* For parsing what the user writes. The context points into ui. */
struct range_context ui_range_context(struct ui *ui);

/* The value that filters by a thread: its name, or its number where others have the name,
 * too. Good until `number` is used again. */
const char *ui_thread_value(const struct ui *ui, const struct thread_row *row, char number[16]);

/* The first of `rows` lines shown of `count` so that line `at` is among them and no room is
 * left over; at SIZE_MAX (nothing selected): 0. */
size_t ui_scroll(size_t top, size_t at, size_t rows, size_t count);

/* Time: `cores` of CPU time, `threads` of wall time. */
const char *ui_rate_unit(const struct ui *ui);

#endif
