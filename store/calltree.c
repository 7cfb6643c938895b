/* The call tree: functions under their callers, with what was counted. */
#include "store/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint32_t new_node(struct calltree *t, uint32_t parent, uint32_t func, uint32_t depth)
{
	t->nodes = mem_grow(t->nodes, &t->cap, t->count + 1, sizeof(*t->nodes));
	t->nodes[t->count] = (struct tree_node){
		.func = func,
		.parent = parent,
		.child = CALLTREE_NONE,
		.next = CALLTREE_NONE,
		.depth = depth,
	};
	return (uint32_t)t->count++;
}

void calltree_init(struct calltree *t, struct names *names)
{
	*t = (struct calltree){.names = names};
	new_node(t, CALLTREE_NONE, CALLTREE_NONE, 0);
}

void calltree_release(struct calltree *t)
{
	free(t->nodes);
	map64_free(&t->index);
	*t = (struct calltree){0};
}

void calltree_reserve(struct calltree *t, size_t more)
{
	t->nodes = mem_grow(t->nodes, &t->cap, t->count + more, sizeof(*t->nodes));
	map64_reserve(&t->index, t->count + more);
}

static uint64_t edge(uint32_t parent, uint32_t func)
{
	return (uint64_t)parent << 32 | func;
}

uint32_t calltree_child(struct calltree *t, uint32_t parent, uint32_t func)
{
	uint32_t *slot = map64_at(&t->index, edge(parent, func), CALLTREE_NONE);
	if (*slot == CALLTREE_NONE)
		*slot = new_node(t, parent, func, t->nodes[parent].depth + 1);
	return *slot;
}

void calltree_add(struct calltree *t, uint32_t node, int side, uint64_t samples, uint64_t ns)
{
	struct tree_count *c = &t->nodes[node].side[side];
	c->self += samples;
	c->self_ns += ns;
}

static uint64_t both_ns(const struct tree_count side[2])
{
	return side[0].total_ns + side[1].total_ns;
}

static int by_name(const struct names *names, uint32_t a, uint32_t b)
{
	if (a == b)
		return 0;
	const struct func *f = names_func(names, a), *g = names_func(names, b);
	int order = strcmp(f->name, g->name);
	if (!order)
		order = strcmp(f->module, g->module);
	return order ? order : a < b ? -1 : 1;
}

static int by_time(const void *a, const void *b, void *arg)
{
	const struct calltree *t = arg;
	const struct tree_node *x = &t->nodes[*(const uint32_t *)a],
			       *y = &t->nodes[*(const uint32_t *)b];
	uint64_t xns = both_ns(x->side), yns = both_ns(y->side);
	if (xns != yns)
		return xns > yns ? -1 : 1;
	return by_name(t->names, x->func, y->func);
}

/* Children are made after their parents, so numbers fall towards the root. */
static void sum_totals(struct calltree *t)
{
	for (size_t i = 0; i < t->count; i++)
		for (int s = 0; s < 2; s++) {
			struct tree_count *c = &t->nodes[i].side[s];
			c->total = c->self;
			c->total_ns = c->self_ns;
		}
	for (size_t i = t->count; i-- > 1;)
		for (int s = 0; s < 2; s++) {
			struct tree_count *up = &t->nodes[t->nodes[i].parent].side[s];
			up->total += t->nodes[i].side[s].total;
			up->total_ns += t->nodes[i].side[s].total_ns;
		}
}

/* Link the children of each node in the order of by_time: nodes in groups by parent (a
 * counting sort), then each group, mostly of one, sorted for itself. */
static void link_children(struct calltree *t)
{
	uint32_t *start = mem_zalloc(t->count + 2, sizeof(*start));
	uint32_t *order = mem_alloc(t->count * sizeof(*order));

	for (size_t i = 1; i < t->count; i++)
		start[t->nodes[i].parent + 2]++;
	for (size_t i = 2; i < t->count + 2; i++)
		start[i] += start[i - 1];
	for (size_t i = 1; i < t->count; i++)
		order[start[t->nodes[i].parent + 1]++] = (uint32_t)i;
	for (size_t p = 0; p < t->count; p++) {
		uint32_t n = start[p + 1] - start[p], *group = order + start[p];
		if (n > 1)
			qsort_r(group, n, sizeof(*group), by_time, t);
		t->nodes[p].child = n ? group[0] : CALLTREE_NONE;
		for (uint32_t i = 0; i < n; i++)
			t->nodes[group[i]].next = i + 1 < n ? group[i + 1] : CALLTREE_NONE;
	}
	free(start);
	free(order);
}

void calltree_finish(struct calltree *t)
{
	sum_totals(t);
	link_children(t);
}

double calltree_rate(const struct calltree *t, uint32_t node, int side)
{
	if (t->covered_ns[side] <= 0)
		return 0;
	return (double)t->nodes[node].side[side].total_ns / (double)t->covered_ns[side];
}

struct function_walk {
	const struct calltree *t;
	uint32_t *row_of;  /* func -> row + 1 */
	uint32_t *on_path; /* func -> how often it is on the way to the node */
	struct func_row *rows;
	size_t count, cap;
};

static void enter(struct function_walk *w, uint32_t node)
{
	const struct tree_node *n = &w->t->nodes[node];
	if (n->func == CALLTREE_NONE)
		return;
	if (!w->row_of[n->func]) {
		w->rows = mem_grow(w->rows, &w->cap, w->count + 1, sizeof(*w->rows));
		w->rows[w->count] = (struct func_row){.func = n->func};
		w->row_of[n->func] = (uint32_t)++w->count;
	}
	struct func_row *row = &w->rows[w->row_of[n->func] - 1];
	bool outermost = w->on_path[n->func]++ == 0;
	for (int s = 0; s < 2; s++) {
		row->side[s].self += n->side[s].self;
		row->side[s].self_ns += n->side[s].self_ns;
		if (outermost) {
			row->side[s].total += n->side[s].total;
			row->side[s].total_ns += n->side[s].total_ns;
		}
	}
}

static void leave(struct function_walk *w, uint32_t node)
{
	uint32_t func = w->t->nodes[node].func;
	if (func != CALLTREE_NONE)
		w->on_path[func]--;
}

static void walk(struct function_walk *w, uint32_t top)
{
	const struct tree_node *nodes = w->t->nodes;
	uint32_t node = top;
	enter(w, node);
	for (;;) {
		if (nodes[node].child != CALLTREE_NONE) {
			node = nodes[node].child;
			enter(w, node);
			continue;
		}
		leave(w, node);
		while (node != top && nodes[node].next == CALLTREE_NONE) {
			node = nodes[node].parent;
			leave(w, node);
		}
		if (node == top)
			return;
		node = nodes[node].next;
		enter(w, node);
	}
}

static int by_self(const void *a, const void *b, void *arg)
{
	const struct func_row *x = a, *y = b;
	if (x->side[0].self_ns != y->side[0].self_ns)
		return x->side[0].self_ns > y->side[0].self_ns ? -1 : 1;
	return by_name(arg, x->func, y->func);
}

size_t calltree_functions(const struct calltree *t, uint32_t under, struct func_row **rows)
{
	size_t funcs = names_count(t->names);
	struct function_walk w = {
		.t = t,
		.row_of = mem_zalloc(funcs, sizeof(*w.row_of)),
		.on_path = mem_zalloc(funcs, sizeof(*w.on_path)),
	};
	walk(&w, under);
	if (w.count > 1)
		qsort_r(w.rows, w.count, sizeof(*w.rows), by_self, t->names);
	free(w.row_of);
	free(w.on_path);
	*rows = w.rows;
	return w.count;
}

size_t calltree_path(const struct calltree *t, uint32_t node, uint32_t *funcs, size_t max)
{
	size_t depth = t->nodes[node].depth;
	for (size_t i = depth; i-- > 0; node = t->nodes[node].parent)
		if (i < max)
			funcs[i] = t->nodes[node].func;
	return depth;
}

uint32_t calltree_find(const struct calltree *t, const uint32_t *funcs, size_t n)
{
	uint32_t node = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t next = map64_get(&t->index, edge(node, funcs[i]), CALLTREE_NONE);
		if (next == CALLTREE_NONE)
			break;
		node = next;
	}
	return node;
}
