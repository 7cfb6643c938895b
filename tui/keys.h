/* Keys: their codes and names, and the one table that binds them to actions. Dispatch, the
 * help box, the hints and the manual all come from it. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/action.h"

struct buf;

/* A key is a Unicode code point (Ctrl-A to Ctrl-Z: 1 to 26) or one of these. */
#define KEYS(X)                                                                                    \
	X(KEY_CODE_UP, "Up")                                                                       \
	X(KEY_CODE_DOWN, "Down")                                                                   \
	X(KEY_CODE_LEFT, "Left")                                                                   \
	X(KEY_CODE_RIGHT, "Right")                                                                 \
	X(KEY_CODE_SLEFT, "S-Left")                                                                \
	X(KEY_CODE_SRIGHT, "S-Right")                                                              \
	X(KEY_CODE_HOME, "Home")                                                                   \
	X(KEY_CODE_END, "End")                                                                     \
	X(KEY_CODE_PGUP, "PgUp")                                                                   \
	X(KEY_CODE_PGDN, "PgDn")                                                                   \
	X(KEY_CODE_DEL, "Del")                                                                     \
	X(KEY_CODE_BACKTAB, "S-Tab")                                                               \
	X(KEY_CODE_F1, "F1")                                                                       \
	X(KEY_CODE_F3, "F3")                                                                       \
	X(KEY_CODE_F4, "F4")                                                                       \
	X(KEY_CODE_F5, "F5")                                                                       \
	X(KEY_CODE_F10, "F10")                                                                     \
	X(KEY_CODE_MOUSE, "Mouse")                                                                 \
	X(KEY_CODE_RESIZE, "Resize")                                                               \
	X(KEY_CODE_REDRAW, "Redraw")                                                               \
	X(KEY_CODE_EOF, "EOF")                                                                     \
	X(KEY_CODE_NONE, "None")

enum key_code {
	KEY_TAB = '\t',
	KEY_RETURN = '\r',
	KEY_ESC = 27,
	KEY_BACK = 127,
	KEY_CODE_FIRST = 0x110000,
#define X(id, name) id,
	KEYS(X)
#undef X
		KEY_CODE_END_
};

#define KEY_CTRL(c) ((c)&0x1f)

/* A mouse event: what KEY_CODE_MOUSE came with. */
enum mouse_kind { MOUSE_PRESS, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };
struct mouse {
	int x, y;
	enum mouse_kind kind;
};

/* Where a binding holds. */
#define CONTEXTS(X)                                                                                \
	X(CONTEXT_ALL, "everywhere")                                                               \
	X(CONTEXT_TIME, "time")                                                                    \
	X(CONTEXT_FLAME, "flame")                                                                  \
	X(CONTEXT_TREE, "tree")                                                                    \
	X(CONTEXT_TOP, "top")                                                                      \
	X(CONTEXT_CALLERS, "callers")                                                              \
	X(CONTEXT_CHANGES, "changes")                                                              \
	X(CONTEXT_THREADS, "threads")                                                              \
	X(CONTEXT_MENU, "menu")                                                                    \
	X(CONTEXT_BOX, "help")

#define X(id, name) id,
enum context { CONTEXTS(X) CONTEXT_COUNT };
#undef X
const char *context_name(enum context c);

struct binding {
	int32_t key;
	enum context context;
	enum action action;
	const char *hint; /* a word for the hint line, or NULL */
	const char *help; /* NULL: the action's */
};

/* The action of a key in a context: its own binding, else that of everywhere, else that of
 * the key it stands for (arrows are h j k l). */
enum action keys_action(enum context context, int32_t key);

/* Each binding, in the table's order. Keys that stand for another are not listed twice. */
typedef void keys_callback(const struct binding *b, void *arg);
void tui_keys_each(keys_callback *callback, void *arg);
const struct binding *keys_table(size_t *count);
const char *binding_help(const struct binding *b);
/* Keys that stand for others, "Left h" and so on. */
size_t keys_alias(size_t i, int32_t *key, int32_t *stands_for); /* 0: no more */

void key_text(struct buf *out, int32_t key); /* "j", "^R", "Tab", "space" */
/* The first key of a text: a character, or <Enter>, <Esc>, <Tab>, <BS>, <Space>, <lt>, <C-r> and the
 * names above. Gives the bytes used, 0 at the end. */
size_t key_parse(const char *s, int32_t *key);

#endif
