/* The table of bindings, and names of keys. */
#include "tui/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct binding table[] = {
	/* The order of the rows is that of the help, and of the hints. */
	{'h', CONTEXT_TIME, ACT_LEFT, NULL, "a cell left"},
	{'l', CONTEXT_TIME, ACT_RIGHT, NULL, "a cell right"},
	{'j', CONTEXT_TIME, ACT_DOWN, NULL, "a row down"},
	{'k', CONTEXT_TIME, ACT_UP, NULL, "a row up"},
	{'H', CONTEXT_TIME, ACT_FAR_LEFT, NULL, NULL},
	{'L', CONTEXT_TIME, ACT_FAR_RIGHT, NULL, NULL},
	{'0', CONTEXT_TIME, ACT_ROW_START, NULL, NULL},
	{'$', CONTEXT_TIME, ACT_ROW_END, NULL, NULL},
	{KEY_CTRL('U'), CONTEXT_TIME, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_TIME, ACT_PAGE_DOWN, NULL, NULL},
	{'g', CONTEXT_TIME, ACT_FIRST, NULL, "the oldest cell"},
	{'G', CONTEXT_TIME, ACT_LAST, NULL, "the newest cell, and follow"},
	{'v', CONTEXT_TIME, ACT_GROW, "select", NULL},
	{'V', CONTEXT_TIME, ACT_ROW, NULL, NULL},
	{'s', CONTEXT_TIME, ACT_BURST, "burst", NULL},
	{KEY_RETURN, CONTEXT_TIME, ACT_ENTER, NULL, "this cell, or the grown range; to the view"},

	{'h', CONTEXT_FLAME, ACT_LEFT, NULL, "left at the same depth"},
	{'l', CONTEXT_FLAME, ACT_RIGHT, NULL, "right at the same depth"},
	{'j', CONTEXT_FLAME, ACT_DOWN, NULL, "the widest child"},
	{'k', CONTEXT_FLAME, ACT_UP, NULL, "the parent"},
	{'g', CONTEXT_FLAME, ACT_FIRST, NULL, "the root"},
	{'G', CONTEXT_FLAME, ACT_LAST, NULL, "the deepest on the widest path"},
	{KEY_CTRL('U'), CONTEXT_FLAME, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_FLAME, ACT_PAGE_DOWN, NULL, NULL},
	{KEY_RETURN, CONTEXT_FLAME, ACT_ENTER, "root", "make the frame the root"},
	{'r', CONTEXT_FLAME, ACT_ROOT, NULL, NULL},
	{KEY_BACK, CONTEXT_FLAME, ACT_OUT, "out", NULL},

	{'j', CONTEXT_TREE, ACT_DOWN, NULL, "a line down"},
	{'k', CONTEXT_TREE, ACT_UP, NULL, "a line up"},
	{'l', CONTEXT_TREE, ACT_RIGHT, "unfold", "unfold, then the first child"},
	{'h', CONTEXT_TREE, ACT_LEFT, "fold", "fold, then the parent"},
	{KEY_RETURN, CONTEXT_TREE, ACT_ENTER, NULL, "fold, unfold"},
	{'g', CONTEXT_TREE, ACT_FIRST, NULL, "the first line"},
	{'G', CONTEXT_TREE, ACT_LAST, NULL, "the last line"},
	{KEY_CTRL('U'), CONTEXT_TREE, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_TREE, ACT_PAGE_DOWN, NULL, NULL},
	{'E', CONTEXT_TREE, ACT_OPEN_ALL, NULL, NULL},
	{'C', CONTEXT_TREE, ACT_CLOSE_ALL, NULL, NULL},
	{'p', CONTEXT_TREE, ACT_HOT_PATH, "hot path", NULL},
	{'r', CONTEXT_TREE, ACT_ROOT, "root", NULL},
	{KEY_BACK, CONTEXT_TREE, ACT_OUT, NULL, NULL},
	{'<', CONTEXT_TREE, ACT_SORT_PREV, "sort", NULL},
	{'>', CONTEXT_TREE, ACT_SORT_NEXT, "sort", NULL},

	{'j', CONTEXT_TOP, ACT_DOWN, NULL, "a line down"},
	{'k', CONTEXT_TOP, ACT_UP, NULL, "a line up"},
	{'g', CONTEXT_TOP, ACT_FIRST, NULL, "the first line"},
	{'G', CONTEXT_TOP, ACT_LAST, NULL, "the last line"},
	{KEY_CTRL('U'), CONTEXT_TOP, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_TOP, ACT_PAGE_DOWN, NULL, NULL},
	{'<', CONTEXT_TOP, ACT_SORT_PREV, "sort", NULL},
	{'>', CONTEXT_TOP, ACT_SORT_NEXT, "sort", NULL},
	{KEY_RETURN, CONTEXT_TOP, ACT_ENTER, "callers", "its callers"},

	{'j', CONTEXT_CALLERS, ACT_DOWN, NULL, "a line down"},
	{'k', CONTEXT_CALLERS, ACT_UP, NULL, "a line up"},
	{'g', CONTEXT_CALLERS, ACT_FIRST, NULL, "the first line"},
	{'G', CONTEXT_CALLERS, ACT_LAST, NULL, "the last line"},
	{KEY_CTRL('U'), CONTEXT_CALLERS, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_CALLERS, ACT_PAGE_DOWN, NULL, NULL},
	{KEY_RETURN, CONTEXT_CALLERS, ACT_ENTER, "centre", "centre it"},

	{'j', CONTEXT_CHANGES, ACT_DOWN, NULL, "a line down"},
	{'k', CONTEXT_CHANGES, ACT_UP, NULL, "a line up"},
	{'g', CONTEXT_CHANGES, ACT_FIRST, NULL, "the first line"},
	{'G', CONTEXT_CHANGES, ACT_LAST, NULL, "the last line"},
	{KEY_CTRL('U'), CONTEXT_CHANGES, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_CHANGES, ACT_PAGE_DOWN, NULL, NULL},
	{'<', CONTEXT_CHANGES, ACT_SORT_PREV, "sort", NULL},
	{'>', CONTEXT_CHANGES, ACT_SORT_NEXT, "sort", NULL},
	{KEY_RETURN, CONTEXT_CHANGES, ACT_ENTER, "show", "show it in the flamegraph"},

	{'j', CONTEXT_THREADS, ACT_DOWN, NULL, "a lane down"},
	{'k', CONTEXT_THREADS, ACT_UP, NULL, "a lane up"},
	{'h', CONTEXT_THREADS, ACT_LEFT, "cursor", "the cursor a cell left"},
	{'l', CONTEXT_THREADS, ACT_RIGHT, "cursor", "the cursor a cell right"},
	{'g', CONTEXT_THREADS, ACT_FIRST, NULL, "the first line"},
	{'G', CONTEXT_THREADS, ACT_LAST, NULL, "the last line"},
	{KEY_CTRL('U'), CONTEXT_THREADS, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_THREADS, ACT_PAGE_DOWN, NULL, NULL},
	{KEY_RETURN, CONTEXT_THREADS, ACT_ENTER, "only it", "only this thread, again: all"},

	{'j', CONTEXT_MENU, ACT_DOWN, NULL, "a line down"},
	{'k', CONTEXT_MENU, ACT_UP, NULL, "a line up"},
	{'h', CONTEXT_MENU, ACT_LEFT, "fold", "fold the process"},
	{'l', CONTEXT_MENU, ACT_RIGHT, "unfold", "unfold the process"},
	{'g', CONTEXT_MENU, ACT_FIRST, NULL, "the first line"},
	{'G', CONTEXT_MENU, ACT_LAST, NULL, "the last line"},
	{KEY_CTRL('U'), CONTEXT_MENU, ACT_PAGE_UP, NULL, NULL},
	{KEY_CTRL('D'), CONTEXT_MENU, ACT_PAGE_DOWN, NULL, NULL},
	{KEY_RETURN, CONTEXT_MENU, ACT_ENTER, "only this, all",
	 "only this, again: all; go to the mark, the event"},
	{KEY_CODE_DEL, CONTEXT_MENU, ACT_REMOVE, "remove mark", NULL},

	{'j', CONTEXT_BOX, ACT_DOWN, "down", "a line down"},
	{'k', CONTEXT_BOX, ACT_UP, "up", "a line up"},
	{KEY_CTRL('U'), CONTEXT_BOX, ACT_PAGE_UP, "page", NULL},
	{KEY_CTRL('D'), CONTEXT_BOX, ACT_PAGE_DOWN, "page", NULL},
	{'g', CONTEXT_BOX, ACT_FIRST, NULL, "the first line"},
	{'G', CONTEXT_BOX, ACT_LAST, NULL, "the last line"},
	{'q', CONTEXT_BOX, ACT_QUIT, "close", NULL},

	{'N', CONTEXT_ALL, ACT_PREV_MATCH, "peak", NULL},
	{'n', CONTEXT_ALL, ACT_NEXT_MATCH, NULL, NULL},
	{'a', CONTEXT_ALL, ACT_MARK_A, "mark", NULL},
	{'b', CONTEXT_ALL, ACT_MARK_B, "mark", NULL},
	{'d', CONTEXT_ALL, ACT_DIFF, "diff", NULL},
	{'D', CONTEXT_ALL, ACT_DIFF_SCALE, NULL, NULL},
	{'~', CONTEXT_ALL, ACT_SWAP, NULL, NULL},
	{'+', CONTEXT_ALL, ACT_ZOOM_IN, "zoom", NULL},
	{'-', CONTEXT_ALL, ACT_ZOOM_OUT, "zoom", NULL},
	{':', CONTEXT_ALL, ACT_GOTO, "go to", NULL},
	{'/', CONTEXT_ALL, ACT_SEARCH, "search", NULL},
	{'*', CONTEXT_ALL, ACT_SEARCH_FRAME, NULL, NULL},
	{'f', CONTEXT_ALL, ACT_FILTER, "filter", NULL},
	{'!', CONTEXT_ALL, ACT_NEGATE, NULL, NULL},
	{'F', CONTEXT_ALL, ACT_UNFILTER, NULL, NULL},
	{KEY_TAB, CONTEXT_ALL, ACT_NEXT_PANE, "pane", NULL},
	{KEY_CODE_BACKTAB, CONTEXT_ALL, ACT_PREV_PANE, NULL, NULL},
	{' ', CONTEXT_ALL, ACT_HOLD, "hold", NULL},
	{'1', CONTEXT_ALL, ACT_VIEW_FLAME, NULL, NULL},
	{'2', CONTEXT_ALL, ACT_VIEW_TREE, NULL, NULL},
	{'3', CONTEXT_ALL, ACT_VIEW_TOP, NULL, NULL},
	{'4', CONTEXT_ALL, ACT_VIEW_CALLERS, NULL, NULL},
	{'5', CONTEXT_ALL, ACT_VIEW_CHANGES, NULL, NULL},
	{'6', CONTEXT_ALL, ACT_VIEW_THREADS, NULL, NULL},
	{'t', CONTEXT_ALL, ACT_SWITCH_TREE, "tree", NULL},
	{'z', CONTEXT_ALL, ACT_MAXIMISE, NULL, NULL},
	{'M', CONTEXT_ALL, ACT_MENU, NULL, NULL},
	{'[', CONTEXT_ALL, ACT_SLIDE_BACK, NULL, NULL},
	{']', CONTEXT_ALL, ACT_SLIDE_ON, NULL, NULL},
	{'{', CONTEXT_ALL, ACT_SHRINK, NULL, NULL},
	{'}', CONTEXT_ALL, ACT_WIDEN, NULL, NULL},
	{',', CONTEXT_ALL, ACT_PREV_EVENT, NULL, NULL},
	{'.', CONTEXT_ALL, ACT_NEXT_EVENT, NULL, NULL},
	{'m', CONTEXT_ALL, ACT_MARK_NAME, NULL, NULL},
	{'\'', CONTEXT_ALL, ACT_MARK_GO, NULL, NULL},
	{'w', CONTEXT_ALL, ACT_WEIGHT, "weight", NULL},
	{'%', CONTEXT_ALL, ACT_PERCENT, NULL, NULL},
	{'c', CONTEXT_ALL, ACT_COLOURS, NULL, NULL},
	{'u', CONTEXT_ALL, ACT_BACK, NULL, NULL},
	{KEY_CTRL('R'), CONTEXT_ALL, ACT_FORWARD, NULL, NULL},
	{'T', CONTEXT_ALL, ACT_THEME, NULL, NULL},
	{'?', CONTEXT_ALL, ACT_HELP, NULL, NULL},
	{KEY_CTRL('L'), CONTEXT_ALL, ACT_REDRAW, NULL, NULL},
	{KEY_CTRL('Z'), CONTEXT_ALL, ACT_SUSPEND, NULL, NULL},
	{KEY_ESC, CONTEXT_ALL, ACT_CANCEL, NULL, NULL},
	{KEY_CTRL('C'), CONTEXT_ALL, ACT_QUIT, NULL, "quit"},
	{'q', CONTEXT_ALL, ACT_QUIT, NULL, NULL},
};

/* Keys that stand for another, where they are not bound themselves. */
static const struct {
	int32_t key, stands_for;
} aliases[] = {
	{KEY_CODE_LEFT, 'h'},
	{KEY_CODE_RIGHT, 'l'},
	{KEY_CODE_UP, 'k'},
	{KEY_CODE_DOWN, 'j'},
	{KEY_CODE_SLEFT, 'H'},
	{KEY_CODE_SRIGHT, 'L'},
	{KEY_CODE_HOME, 'g'},
	{KEY_CODE_END, 'G'},
	{KEY_CODE_PGUP, KEY_CTRL('U')},
	{KEY_CODE_PGDN, KEY_CTRL('D')},
	{KEY_CTRL('H'), KEY_BACK},
	{'=', '+'},
	{KEY_CODE_F1, '?'},
	{KEY_CODE_F3, '/'},
	{KEY_CODE_F4, 'f'},
	{KEY_CODE_F5, 't'},
	{KEY_CODE_F10, 'q'},
};

static const char *const contexts[CONTEXT_COUNT] = {
#define X(id, name) [id] = name,
	CONTEXTS(X)
#undef X
};

const char *context_name(enum context c)
{
	return contexts[c];
}

static enum action bound(enum context context, int32_t key)
{
	for (size_t i = 0; i < COUNT(table); i++)
		if (table[i].key == key && table[i].context == context)
			return table[i].action;
	return ACT_NONE;
}

enum action keys_action(enum context context, int32_t key)
{
	enum action a = bound(context, key);
	if (a == ACT_NONE)
		a = bound(CONTEXT_ALL, key);
	for (size_t i = 0; a == ACT_NONE && i < COUNT(aliases); i++)
		if (aliases[i].key == key)
			return keys_action(context, aliases[i].stands_for);
	return a;
}

void tui_keys_each(keys_callback *callback, void *arg)
{
	for (size_t i = 0; i < COUNT(table); i++)
		callback(&table[i], arg);
}

const struct binding *keys_table(size_t *count)
{
	*count = COUNT(table);
	return table;
}

const char *binding_help(const struct binding *b)
{
	return b->help ? b->help : action_help(b->action);
}

size_t keys_alias(size_t i, int32_t *key, int32_t *stands_for)
{
	if (i >= COUNT(aliases))
		return 0;
	*key = aliases[i].key;
	*stands_for = aliases[i].stands_for;
	return i + 1;
}

static const struct {
	int32_t key;
	const char *name, *shown;
} names[] = {{KEY_TAB, "Tab", "Tab"},
	     {KEY_RETURN, "Enter", "Enter"},
	     {KEY_ESC, "Esc", "Esc"},
	     {KEY_BACK, "BS", "BS"},
	     {' ', "Space", "space"},
	     {'<', "lt", "<"},
#define X(id, name) {id, name, name},
	     KEYS(X)
#undef X
};

void key_text(struct buf *out, int32_t key)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		if (names[i].key == key) {
			buf_str(out, names[i].shown);
			return;
		}
	}
	if (key > 0 && key < 0x20)
		buf_fmt(out, "^%c", (char)(key + '@'));
	else if (key > 0 && key < 0x7f)
		buf_char(out, (char)key);
	else
		buf_fmt(out, "U+%04X", (unsigned)key);
}

static int32_t named(const char *s, size_t n)
{
	if (n == 3 && (s[0] == 'C' || s[0] == 'c') && s[1] == '-')
		return KEY_CTRL(s[2]);
	for (size_t i = 0; i < COUNT(names); i++)
		if (strlen(names[i].name) == n && memcmp(names[i].name, s, n) == 0)
			return names[i].key;
	return KEY_CODE_NONE;
}

size_t key_parse(const char *s, int32_t *key)
{
	if (!*s)
		return 0;
	const char *end = *s == '<' ? strchr(s, '>') : NULL;
	if (end && end > s + 1) {
		int32_t k = named(s + 1, (size_t)(end - s - 1));
		if (k != KEY_CODE_NONE) {
			*key = k;
			return (size_t)(end - s) + 1;
		}
	}
	size_t used;
	*key = text_decode(s, strlen(s), &used);
	return used;
}
