/* The screen driven by a list of keys, without a terminal: for tests. */
#ifndef TUI_SCRIPT_H
#define TUI_SCRIPT_H

#include "tui/app.h"

/* Feed keys (tui/keys.h, key_parse; blanks between them are skipped, <Space> is one), each
 * when the one before has settled; <80x24> resizes. Then the screen is added to out as text
 * and styles. -1 where a name of a key is unknown. */
int tui_script(const struct tui_opts *opts, const char *keys, int cols, int rows, bool styles,
	       struct buf *out, struct err *err);

/* The same on an app that is there. */
int script_feed(struct app *a, const char *keys, struct err *err);

#endif
