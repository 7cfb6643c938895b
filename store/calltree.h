/* The call tree: functions under their callers, with what was counted. Pure: no I/O.
 *
 * Each node has two sides, so that a profile and a difference are one structure: side 0 is
 * the range that is shown (B), side 1 what it is compared with (A), all zero without a
 * comparison. Node 0 is "all", the root of everything, and has no function. Build: init;
 * calltree_child from the outermost frame inwards; calltree_add at the leaf; calltree_finish
 * once. After it nodes are read-only. */
#ifndef STORE_CALLTREE_H
#define STORE_CALLTREE_H

#include "base/map64.h"
#include "store/names.h"

#define CALLTREE_NONE UINT32_MAX

struct tree_count {
	uint64_t self, total;       /* samples */
	uint64_t self_ns, total_ns; /* time in the query's weight */
};

struct tree_node {
	uint32_t func; /* in the tree's names; CALLTREE_NONE for node 0 */
	uint32_t parent, child, next; /* first child, next sibling; CALLTREE_NONE */
	uint32_t depth;               /* 0 for node 0 */
	struct tree_count side[2];
};

struct calltree {
	struct names *names; /* borrowed: must outlive the tree */
	struct tree_node *nodes;
	size_t count, cap;
	struct map64 index;   /* parent << 32 | func -> node */
	int64_t covered_ns[2]; /* recorded time behind each side: for rates per second */
};

void calltree_init(struct calltree *t, struct names *names);
void calltree_release(struct calltree *t);

/* Make room for so many more nodes; only for speed. */
void calltree_reserve(struct calltree *t, size_t more);
uint32_t calltree_child(struct calltree *t, uint32_t parent, uint32_t func);
void calltree_add(struct calltree *t, uint32_t node, int side, uint64_t samples, uint64_t ns);

/* Totals from the leaves up, children sorted: larger time of both sides together first, then
 * by name. */
void calltree_finish(struct calltree *t);

/* Time of both sides per second of recorded time, in cores (ns per ns): for diffs. */
double calltree_rate(const struct calltree *t, uint32_t node, int side);

/* By function. A function counts once a stack: recursion is not counted twice. */
struct func_row {
	uint32_t func;
	struct tree_count side[2];
};
/* The rows (caller frees), sorted by self_ns of side 0, then name; `under` restricts to a
 * subtree (0: all). */
size_t calltree_functions(const struct calltree *t, uint32_t under, struct func_row **rows);

/* The path of functions from under node 0 down to the node, for finding it again in another
 * tree of the same names. Fills at most `max` and gives the depth. */
size_t calltree_path(const struct calltree *t, uint32_t node, uint32_t *funcs, size_t max);
uint32_t calltree_find(const struct calltree *t, const uint32_t *funcs, size_t n); /* deepest found */

#endif
