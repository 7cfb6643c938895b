/* Where the user is: what back and forward return to. A frame is known by its path of
 * functions from the outermost in, which holds in every tree of the same names. */
#ifndef TUI_HISTORY_H
#define TUI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/marks.h"
#include "tui/grid.h"

struct path {
	uint32_t *funcs;
	size_t n, cap;
};

void path_release(struct path *p);
void path_set(struct path *p, const uint32_t *funcs, size_t n);
bool path_equal(const struct path *a, const struct path *b);

struct spot {
	bool selected; /* range is a selection; else the views show the live window or all */
	struct range range;
	struct filter filter;
	enum zoom zoom;
	int64_t cursor;
	struct path root; /* of the flamegraph and the tree; empty: all */
	struct mark *marks;
	size_t nmarks, marks_cap;
};

void spot_release(struct spot *p);
void spot_copy(struct spot *to, const struct spot *from);    /* to: any place, replaced */
bool spot_equal(const struct spot *a, const struct spot *b); /* but for the cursor */

struct mark *spot_mark(const struct spot *p, const char *name); /* NULL: none */
void spot_mark_set(struct spot *p, const char *name, struct range r, const struct filter *f,
		   const char *note);
void spot_mark_remove(struct spot *p, const char *name);

/* Places left behind, oldest first, and those gone back from. */
#define HISTORY_MAX 100
struct history {
	struct spot *back, *forward;
	size_t nback, back_cap, nforward, forward_cap;
};

void history_release(struct history *h);
void history_remember(struct history *h, const struct spot *now); /* forgets what is forward */
bool history_back(struct history *h, struct spot *now);
bool history_forward(struct history *h, struct spot *now);

#endif
