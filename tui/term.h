/* The terminal: the only file that knows curses. One at a time. It is put back as it was when
 * it is closed, when the program exits, and when a signal kills it. */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include "tui/cells.h"
#include "tui/keys.h"
#include "tui/theme.h"

struct err;
struct terminal;

/* stdout must be a terminal; keys come from stdin, or from /dev/tty where that is none.
 * Sets the locale. */
int term_open(struct terminal **out, bool mouse, struct err *err);
void term_close(struct terminal *t);

enum depth term_depth(const struct terminal *t); /* from terminfo alone */
bool term_ascii(const struct terminal *t);       /* the locale has no UTF-8 */
void term_size(const struct terminal *t, int *cols, int *rows);

/* Show the cells; writes nothing where nothing changed. `all`: draw everything anew. */
void term_show(struct terminal *t, const struct cells *c, bool all);

/* Wait at most `ms` for a key. KEY_CODE_NONE: none came. KEY_CODE_RESIZE: ask term_size.
 * KEY_CODE_REDRAW: the program was stopped and runs again. KEY_CODE_EOF: the terminal is
 * gone or a signal asks to end. */
int32_t term_key(struct terminal *t, int ms, struct mouse *mouse);
bool term_pending(const struct terminal *t); /* a key or a signal waits */

/* Give the terminal back, stop this process, take the terminal again when it goes on. */
void term_suspend(struct terminal *t);

#endif
