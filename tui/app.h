/* The screen: tui_run shows a store on the terminal until the user quits.
 *
 * The pieces below it are for the run loop and for scripts (tests): the same state without a
 * terminal. */
#ifndef TUI_APP_H
#define TUI_APP_H

#include "tui/theme.h"
#include "tui/ui.h"

struct tui_opts {
	struct store *store;
	struct names *names;
	const char *title;      /* "orders-api 4711"; clean UTF-8 */
	const char *store_path; /* where marks are kept; NULL: they are not */
	bool view_only; /* a recording that is looked at: the views show all of it at first */
	struct range range; /* the selection at first; empty: none */
	const struct filter *filter; /* the filters and the weight at first; NULL: none */
	bool utc;
	enum theme_id theme;
	bool ascii; /* even where the locale has UTF-8 */
	bool no_colour;
	bool no_mouse;
	/* A word about the recorder for the header, or nothing; NULL: there is none. */
	void (*recorder_status)(void *arg, struct buf *out);
	void *recorder_arg;
};

/* 0 when the user quits or the terminal is gone; -1 with err where there is none to use. */
int tui_run(const struct tui_opts *opts, struct err *err);

struct app {
	struct ui ui;
	struct cells cells;
	struct marks marks;
	bool dirty; /* a key was taken since the views were brought up to date */
};

void app_init(struct app *a, const struct tui_opts *opts, int cols, int rows, enum depth depth,
	      bool ascii);
void app_release(struct app *a);
void app_resize(struct app *a, int cols, int rows);
void app_key(struct app *a, int32_t key, const struct mouse *mouse);
bool app_act(struct app *a, enum action action); /* false: nothing here takes it */
/* Look whether the store has grown. True: something is new. */
bool app_refresh(struct app *a);
/* Ask for what is missing. False: interrupted, there is more to do. */
bool app_settle(struct app *a);
/* Lay out anew with what is there, asking for nothing: a picture at once, if a stale one. */
void app_catch_up(struct app *a);
void app_draw(struct app *a);

#endif
