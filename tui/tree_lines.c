/* Building the lines, and what is folded. */
#include "tui/tree_lines.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/mem.h"

/* A frame joins its only callee's line where it has hardly any time of its own. */
#define JOIN_SELF_SHARE 0.005
#define HOT_SHARE 0.02    /* the hottest path is opened down to this */
#define BRANCH_SHARE 0.20 /* branches this large are opened, too */
#define CHANGED_LEVEL 2   /* in a difference what changed clearly is opened, too */
#define BELOW_MAX 20000   /* nodes that one key may open */

enum { USER_OPEN = 1, USER_FOLDED = 2 };

static uint64_t child_key(uint64_t parent, uint32_t func)
{
	uint64_t key = hash_u64(parent ^ hash_u64(func + UINT64_C(1)));
	return key == MAP64_NONE ? 0 : key;
}

uint64_t tree_key(const struct calltree *t, uint32_t node)
{
	size_t depth = t->nodes[node].depth;
	uint32_t *path = mem_alloc((depth + 1) * sizeof(*path));
	uint32_t n = node;
	for (size_t i = depth; i-- > 0; n = t->nodes[n].parent)
		path[i] = n;
	uint64_t key = 0;
	for (size_t i = 0; i < depth; i++)
		key = child_key(key, t->nodes[path[i]].func);
	free(path);
	return key;
}

static bool joins(const struct calltree *t, uint32_t node)
{
	const struct tree_node *n = &t->nodes[node];
	if (node == 0 || n->child == CALLTREE_NONE || t->nodes[n->child].next != CALLTREE_NONE)
		return false;
	for (int i = 0; i < 2; i++)
		if ((double)n->side[i].self_ns > JOIN_SELF_SHARE * (double)n->side[i].total_ns)
			return false;
	return true;
}

static uint32_t chain_end(const struct calltree *t, uint32_t head)
{
	while (joins(t, head))
		head = t->nodes[head].child;
	return head;
}

static bool is_open(const struct tree_fold *f, uint64_t key)
{
	uint32_t user = map64_get(&f->user, key, 0);
	return user ? user == USER_OPEN : map64_get(&f->hot, key, 0) != 0;
}

struct todo {
	uint32_t node;
	uint64_t key;
	int indent;
	size_t parent;
};

struct stack {
	struct todo *items;
	size_t count, cap;
};

static void push(struct stack *s, struct todo item)
{
	s->items = mem_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->items[s->count++] = item;
}

struct sorting {
	const struct calltree *t;
	tree_order *order;
	void *arg;
};

/* Last first: a stack gives them back in order. */
static int compare_todo(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	const struct todo *x = a, *y = b;
	return s->order(s->t, y->node, x->node, s->arg);
}

static void push_children(struct stack *s, const struct calltree *t, const struct tree_line *line,
			  uint64_t tail_key, size_t parent, struct sorting *sorting)
{
	size_t first = s->count;
	for (uint32_t c = t->nodes[line->tail].child; c != CALLTREE_NONE; c = t->nodes[c].next)
		push(s, (struct todo){c, child_key(tail_key, t->nodes[c].func), line->indent + 1,
				      parent});
	qsort_r(s->items + first, s->count - first, sizeof(*s->items), compare_todo, sorting);
}

void tree_lines_build(struct tree_lines *out, const struct calltree *t, uint32_t base,
		      const struct tree_fold *fold, tree_order *order, void *arg)
{
	out->count = 0;
	if (!t->count)
		return;
	struct sorting sorting = {t, order, arg};
	struct stack s = {0};
	push(&s, (struct todo){base, tree_key(t, base), 0, SIZE_MAX});
	while (s.count) {
		struct todo item = s.items[--s.count];
		struct tree_line line = {
			item.node,  chain_end(t, item.node), item.indent, false, false, item.key,
			item.parent};
		uint64_t tail_key = item.key;
		for (uint32_t n = item.node; n != line.tail;) {
			n = t->nodes[n].child;
			tail_key = child_key(tail_key, t->nodes[n].func);
		}
		line.leaf = t->nodes[line.tail].child == CALLTREE_NONE;
		line.open = !line.leaf && is_open(fold, item.key);
		out->lines = mem_grow(out->lines, &out->cap, out->count + 1, sizeof(*out->lines));
		out->lines[out->count] = line;
		if (line.open)
			push_children(&s, t, &line, tail_key, out->count, &sorting);
		out->count++;
	}
	free(s.items);
}

void tree_lines_release(struct tree_lines *l)
{
	free(l->lines);
	*l = (struct tree_lines){0};
}

/* Of the lines whose head leads to the node the deepest, which is the last. */
size_t tree_lines_find(const struct tree_lines *l, const struct calltree *t, uint32_t node)
{
	size_t depth = t->nodes[node].depth, found = SIZE_MAX;
	uint32_t *above = mem_alloc((depth + 1) * sizeof(*above));
	for (size_t i = depth + 1; i-- > 0; node = t->nodes[node].parent)
		above[i] = node;
	for (size_t i = 0; i < l->count; i++) {
		uint32_t head = l->lines[i].head;
		if (t->nodes[head].depth <= depth && above[t->nodes[head].depth] == head)
			found = i;
	}
	free(above);
	return found;
}

void tree_fold_release(struct tree_fold *f)
{
	map64_free(&f->user);
	map64_free(&f->hot);
}

void tree_fold_set(struct tree_fold *f, uint64_t key, bool open)
{
	*map64_at(&f->user, key, 0) = open ? USER_OPEN : USER_FOLDED;
}

void tree_fold_hot(struct tree_fold *f, const struct calltree *t, uint32_t base, bool diff,
		   enum scale scale)
{
	map64_clear(&f->hot);
	if (!t->count)
		return;
	double all = compare_size(t, base, diff, scale);
	struct stack s = {0};
	push(&s, (struct todo){base, tree_key(t, base), 1, 0}); /* indent 1: on the hottest path */
	while (s.count) {
		struct todo item = s.items[--s.count];
		*map64_at(&f->hot, item.key, 1) = 1;
		uint32_t hottest = CALLTREE_NONE;
		double most = 0;
		for (uint32_t c = t->nodes[item.node].child; c != CALLTREE_NONE;
		     c = t->nodes[c].next) {
			double size = compare_size(t, c, diff, scale);
			if (size > most) {
				most = size;
				hottest = c;
			}
		}
		for (uint32_t c = t->nodes[item.node].child; c != CALLTREE_NONE;
		     c = t->nodes[c].next) {
			double size = compare_size(t, c, diff, scale);
			bool hot = item.indent && c == hottest && size >= HOT_SHARE * all;
			bool changed =
				diff &&
				abs(compare_counts(t, t->nodes[c].side, false, scale).level) >=
					CHANGED_LEVEL;
			if (hot || changed || size >= BRANCH_SHARE * all)
				push(&s, (struct todo){c, child_key(item.key, t->nodes[c].func),
						       hot, 0});
		}
	}
	free(s.items);
}

void tree_fold_below(struct tree_fold *f, const struct calltree *t, uint32_t node, bool open)
{
	struct stack s = {0};
	push(&s, (struct todo){node, tree_key(t, node), 0, 0});
	for (size_t done = 0; s.count && done < BELOW_MAX; done++) {
		struct todo item = s.items[--s.count];
		if (t->nodes[item.node].child != CALLTREE_NONE)
			tree_fold_set(f, item.key, open);
		for (uint32_t c = t->nodes[item.node].child; c != CALLTREE_NONE;
		     c = t->nodes[c].next)
			push(&s, (struct todo){c, child_key(item.key, t->nodes[c].func), 0, 0});
	}
	free(s.items);
}

void tree_fold_reveal(struct tree_fold *f, const struct calltree *t, uint32_t node)
{
	for (uint32_t n = t->nodes[node].parent; n != CALLTREE_NONE; n = t->nodes[n].parent) {
		uint64_t key = tree_key(t, n);
		if (!is_open(f, key))
			tree_fold_set(f, key, true);
	}
}
