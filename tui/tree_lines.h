/* The lines of the call tree: which nodes show, folded or not, chains on one line. Pure.
 *
 * A line is a chain of frames that do not branch, `main › run › loop`. Whether it is open is
 * remembered by the path of functions to its head, so it holds while the tree is rebuilt:
 * what the user folded or unfolded, else what the hottest path opened. */
#ifndef TUI_TREE_LINES_H
#define TUI_TREE_LINES_H

#include "base/map64.h"
#include "tui/compare.h"

struct tree_line {
	uint32_t head, tail; /* the chain's first and last node */
	int indent;
	bool open, leaf; /* leaf: nothing to open */
	uint64_t key;    /* of the head's path */
	size_t parent;   /* its line; SIZE_MAX for the first */
};

struct tree_fold {
	struct map64 user; /* key -> 1 open, 2 folded */
	struct map64 hot;  /* key -> 1: opened by itself */
};

struct tree_lines {
	struct tree_line *lines;
	size_t count, cap;
};

/* Compare two nodes for the order of siblings: < 0 when a comes first. */
typedef int tree_order(const struct calltree *t, uint32_t a, uint32_t b, void *arg);

void tree_lines_build(struct tree_lines *out, const struct calltree *t, uint32_t base,
		      const struct tree_fold *fold, tree_order *order, void *arg);
void tree_lines_release(struct tree_lines *l);
/* The line that shows the node, or the folded one that hides it; SIZE_MAX: not under base. */
size_t tree_lines_find(const struct tree_lines *l, const struct calltree *t, uint32_t node);

void tree_fold_release(struct tree_fold *f);
void tree_fold_set(struct tree_fold *f, uint64_t key, bool open);
/* Open what is hot, in place of what was opened by itself before: the hottest path while it
 * holds a share worth a line, and all large branches. */
void tree_fold_hot(struct tree_fold *f, const struct calltree *t, uint32_t base, bool diff,
		   enum scale scale);
/* Open or fold everything from the node's line down. */
void tree_fold_below(struct tree_fold *f, const struct calltree *t, uint32_t node, bool open);
/* Open all that leads from base to the node. */
void tree_fold_reveal(struct tree_fold *f, const struct calltree *t, uint32_t node);

uint64_t tree_key(const struct calltree *t, uint32_t node);

#endif
