/* The call tree of a range: counts gathered for each stack, then one walk over the prefix tree. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "store/query.h"
#include "store/scan.h"

enum { AHEAD = 8 }; /* runs, for the prefetch */

struct stack_count {
	uint64_t samples, ns;
};

struct tree_query {
	const struct query *query;
	struct calltree *tree;
	int side;
	struct view *view;
	const struct selection *selection;
	struct stack_count *counts; /* by stack; [nstacks]: CPU time between samples */
	uint32_t second;            /* whose recorded window is being joined */
	struct range window;
	bool any_window;
};

/* The recorded time of the last second, which several processes may share. */
static void add_window(struct tree_query *t)
{
	if (t->any_window && t->window.to > t->window.from)
		t->tree->covered_ns[t->side] += t->window.to - t->window.from;
	t->any_window = false;
}

static void begin(void *arg, struct view *v, const struct selection *s)
{
	struct tree_query *t = arg;
	t->view = v;
	t->selection = s;
	t->counts = mem_zalloc(s->nstacks + 1, sizeof(*t->counts));
}

static void part(void *arg, const struct scan_part *p)
{
	struct tree_query *t = arg;
	struct range w = covered_window(p->log);
	w.from = w.from > p->inside.from ? w.from : p->inside.from;
	w.to = w.to < p->inside.to ? w.to : p->inside.to;
	if (t->any_window && p->second != t->second)
		add_window(t);
	if (!t->any_window) {
		t->any_window = true;
		t->second = p->second;
		t->window = w;
	} else {
		t->window.from = w.from < t->window.from ? w.from : t->window.from;
		t->window.to = w.to > t->window.to ? w.to : t->window.to;
	}
}

static void thread(void *arg, const struct scan_part *p, const struct log_thread *l)
{
	struct tree_query *t = arg;
	const struct select *select = p->selection->select;
	struct scan_walk walk = scan_walk_of(p, l, t->query->filter->weight);

	if (walk.cpu && !l->on_cpu) {
		if (scan_has_start(p))
			t->counts[p->selection->nstacks].ns += l->cpu_ns;
		return;
	}
	for (uint32_t i = 0; i < l->nruns; i++) {
		const struct sample_run *r = &l->runs[i];
		if (i + AHEAD < l->nruns) /* the counters are larger than the cache */
			__builtin_prefetch(
				&t->counts[selection_stack(p->selection, r[AHEAD].stack)], 1);
		struct scan_run run = scan_step(&walk, p, r);
		if (!run.count || !select_state(select, r->state))
			continue;
		struct stack_count *c = &t->counts[selection_stack(p->selection, r->stack)];
		c->samples += run.count;
		c->ns += run.ns;
	}
}

/* Stacks not kept count for nothing; the callers of the others are needed for the way to them. */
static uint8_t *needed_stacks(const struct tree_query *t, size_t *count)
{
	const struct stack_record *stacks = t->view->dict.stacks;
	uint8_t *needed = mem_zalloc(t->selection->nstacks, 1);
	for (size_t i = t->selection->nstacks; i-- > 1;) {
		if (!t->selection->stacks[i])
			t->counts[i] = (struct stack_count){0, 0};
		needed[i] |= t->counts[i].samples || t->counts[i].ns;
		needed[stacks[i].parent] |= needed[i];
		*count += needed[i];
	}
	return needed;
}

static uint32_t function_of(const struct tree_query *t, uint32_t frame)
{
	struct dict *d = &t->view->dict;
	return t->query->filter->lines ? dict_line_id(d, frame, t->tree->names)
				       : d->func_ids[d->frames[frame].func];
}

static void add_pseudo(struct tree_query *t, size_t stack, uint32_t func)
{
	const struct stack_count *c = &t->counts[stack];
	if (t->selection->stacks[stack] && (c->samples || c->ns))
		calltree_add(t->tree, calltree_child(t->tree, 0, func), t->side, c->samples, c->ns);
}

/* Parents have smaller numbers, so each stack's node is known before those of its callees. A
 * frame of a type that is not kept stands for its caller's node. */
static void end(void *arg)
{
	struct tree_query *t = arg;
	const struct dict *d = &t->view->dict;
	const struct select *select = t->selection->select;
	size_t n = t->selection->nstacks;
	size_t count = 0;
	uint8_t *needed = needed_stacks(t, &count);
	uint32_t *node = mem_alloc(n * sizeof(*node));

	if (t->tree->count == 1)
		calltree_reserve(t->tree, count);
	node[0] = 0;
	for (size_t i = 1; i < n; i++) {
		if (!needed[i])
			continue;
		const struct stack_record *s = &d->stacks[i];
		node[i] = node[s->parent];
		if (select_kind(select, d->funcs[d->frames[s->frame].func].kind))
			node[i] = calltree_child(t->tree, node[i], function_of(t, s->frame));
		if (t->counts[i].samples || t->counts[i].ns)
			calltree_add(t->tree, node[i], t->side, t->counts[i].samples,
				     t->counts[i].ns);
	}
	add_pseudo(t, 0, t->selection->no_stack);
	add_pseudo(t, n, t->selection->between);
	free(needed);
	free(node);
	free(t->counts);
	t->counts = NULL;
}

int query_tree(struct store *s, const struct query *q, struct calltree *t, int side,
	       struct err *err)
{
	static const struct scan_ops ops = {
		.begin = begin, .part = part, .thread = thread, .end = end};
	struct tree_query query = {.query = q, .tree = t, .side = side};
	int result = scan_log(s, q, &ops, &query, err);
	add_window(&query);
	return result;
}
