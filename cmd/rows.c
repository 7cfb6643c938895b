/* The rows of reports and their columns. */
#include "cmd/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/mem.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct value text(const char *s)
{
	if (!s || !*s)
		return (struct value){.kind = VALUE_UNKNOWN};
	return (struct value){.kind = VALUE_TEXT, .text = s};
}

static struct value number(enum value_kind kind, uint64_t n)
{
	return (struct value){.kind = kind, .number = (int64_t)n};
}

static struct value percent(uint64_t ns, uint64_t whole)
{
	double share = whole ? (double)ns / (double)whole : 0;
	return (struct value){.kind = VALUE_PERCENT, .real = 100 * share};
}

/* A column's function: an expression of the row r. */
#define COLUMN(id, expression)                                                                     \
	static struct value get_##id(const void *row)                                              \
	{                                                                                          \
		const struct report_row *r = row;                                                  \
		return expression;                                                                 \
	}

COLUMN(function, text(r->func->name))
COLUMN(module, text(r->func->module))
COLUMN(kind, text(kind_name(r->func->kind)))
COLUMN(file, text(r->func->file))
COLUMN(line, r->func->line ? number(VALUE_ID, r->func->line) : text(NULL))
COLUMN(depth, number(VALUE_ID, r->depth))
COLUMN(self, number(VALUE_COUNT, r->count.self))
COLUMN(total, number(VALUE_COUNT, r->count.total))
COLUMN(self_ns, number(VALUE_NS, r->count.self_ns))
COLUMN(total_ns, number(VALUE_NS, r->count.total_ns))
COLUMN(self_percent, percent(r->count.self_ns, r->whole_ns))
COLUMN(total_percent, percent(r->count.total_ns, r->whole_ns))
COLUMN(pid, number(VALUE_ID, (uint64_t)r->pid))
COLUMN(tid, number(VALUE_ID, (uint64_t)r->tid))
COLUMN(thread, text(r->thread))
COLUMN(own_module, text(r->module))
COLUMN(own_kind, text(r->kind))
COLUMN(time, number(VALUE_TIME, (uint64_t)r->time))
COLUMN(samples, number(VALUE_COUNT, r->cell.samples))
COLUMN(cpu_ns, number(VALUE_NS, r->cell.cpu_ns))
COLUMN(quality, text(r->cell.quality == CELL_FULL      ? "full"
		     : r->cell.quality == CELL_PARTIAL ? "partial"
						       : "none"))

COLUMN(indented, ((struct value){VALUE_TEXT, r->line, 0, 0, r->indent}))

#define NUMBERS                                                                                    \
	{"self", get_self}, {"total", get_total}, {"self_ns", get_self_ns},                        \
		{"total_ns", get_total_ns}, {"self_percent", get_self_percent},                    \
	{                                                                                          \
		"total_percent", get_total_percent                                                 \
	}

#define FUNCTION                                                                                   \
	{"function", get_function}, {"module", get_module}, {"kind", get_kind},                    \
		{"file", get_file}, {"line", get_line}, NUMBERS

static const struct column by_function[] = {FUNCTION};
static const struct column by_tree[] = {{"depth", get_depth}, FUNCTION};
static const struct column by_thread[] = {
	{"pid", get_pid}, {"tid", get_tid}, {"name", get_thread}, NUMBERS};
static const struct column by_module[] = {
	{"module", get_own_module}, {"kind", get_own_kind}, NUMBERS};
static const struct column by_heat[] = {{"time", get_time},
					{"samples", get_samples},
					{"cpu_ns", get_cpu_ns},
					{"quality", get_quality}};

static const struct column text_function[] = {
	{"self %", get_self_percent}, {"total %", get_total_percent}, {"self", get_self_ns},
	{"total", get_total_ns},      {"function", get_function},     {"module", get_module}};
static const struct column text_tree[] = {{"total %", get_total_percent},
					  {"self %", get_self_percent},
					  {"total", get_total_ns},
					  {"function", get_indented}};
static const struct column text_thread[] = {{"%", get_self_percent}, {"time", get_self_ns},
					    {"samples", get_self},   {"pid", get_pid},
					    {"tid", get_tid},        {"name", get_thread}};
static const struct column text_module[] = {
	{"self %", get_self_percent}, {"total %", get_total_percent}, {"self", get_self_ns},
	{"total", get_total_ns},      {"kind", get_own_kind},         {"module", get_own_module}};
static const struct column text_heat[] = {{"time", get_time},
					  {"samples", get_samples},
					  {"cpu", get_cpu_ns},
					  {"quality", get_quality}};

#define SET(a)                                                                                     \
	{                                                                                          \
		a, COUNT(a)                                                                        \
	}

struct column_set report_columns(enum by by)
{
	static const struct column_set sets[] = {[BY_FUNCTION] = SET(by_function),
						 [BY_TREE] = SET(by_tree),
						 [BY_THREAD] = SET(by_thread),
						 [BY_MODULE] = SET(by_module),
						 [BY_HEAT] = SET(by_heat)};
	return sets[by];
}

struct column_set report_text_columns(enum by by)
{
	static const struct column_set sets[] = {[BY_FUNCTION] = SET(text_function),
						 [BY_TREE] = SET(text_tree),
						 [BY_THREAD] = SET(text_thread),
						 [BY_MODULE] = SET(text_module),
						 [BY_HEAT] = SET(text_heat)};
	return sets[by];
}

/* The node after this one in preorder; CALLTREE_NONE at the end. */
static uint32_t next_node(const struct calltree *t, uint32_t i)
{
	if (t->nodes[i].child != CALLTREE_NONE)
		return t->nodes[i].child;
	while (i != 0 && t->nodes[i].next == CALLTREE_NONE)
		i = t->nodes[i].parent;
	return i ? t->nodes[i].next : CALLTREE_NONE;
}

size_t tree_preorder(const struct calltree *t, uint32_t **nodes)
{
	size_t n = 0;
	*nodes = mem_alloc(t->count * sizeof(**nodes));
	if (!t->count)
		return 0;
	for (uint32_t i = next_node(t, 0); i != CALLTREE_NONE; i = next_node(t, i))
		(*nodes)[n++] = i;
	return n;
}

struct ranked {
	uint64_t ns;
	size_t at; /* in preorder: a caller stands before those it calls */
};

static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

static int compare_place(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	return (a->at > b->at) - (a->at < b->at);
}

size_t tree_keep_largest(const struct calltree *t, uint32_t *nodes, size_t n, size_t limit)
{
	if (n <= limit)
		return n;
	struct ranked *ranked = mem_alloc(n * sizeof(*ranked));
	for (size_t i = 0; i < n; i++) {
		const struct tree_node *node = &t->nodes[nodes[i]];
		ranked[i] = (struct ranked){node->side[0].total_ns + node->side[1].total_ns, i};
	}
	qsort(ranked, n, sizeof(*ranked), compare_ranked);
	qsort(ranked, limit, sizeof(*ranked), compare_place);
	for (size_t i = 0; i < limit; i++)
		nodes[i] =
			nodes[ranked[i].at]; /* ranked[i].at >= i: nothing needed is overwritten */
	free(ranked);
	return limit;
}

static int compare_modules(const void *pa, const void *pb)
{
	const struct report_row *a = pa, *b = pb;
	if (a->count.self_ns != b->count.self_ns)
		return a->count.self_ns < b->count.self_ns ? 1 : -1;
	int order = strcmp(a->module, b->module);
	return order ? order : strcmp(a->kind, b->kind);
}

static uint32_t module_id(struct intern *ids, const struct func *f, bool *fresh)
{
	struct buf key = BUF_INIT;
	buf_fmt(&key, "%d %s", (int)f->kind, f->module);
	uint32_t id = intern_put(ids, key.data, key.len, fresh);
	buf_free(&key);
	return id;
}

static void add_count(struct tree_count *to, const struct tree_count *n, bool outermost)
{
	to->self += n->self;
	to->self_ns += n->self_ns;
	if (outermost) {
		to->total += n->total;
		to->total_ns += n->total_ns;
	}
}

size_t tree_modules(const struct calltree *t, struct report_row **rows)
{
	uint32_t *nodes;
	size_t n = tree_preorder(t, &nodes), cap = 0, count;
	struct intern ids = INTERN_INIT;
	uint32_t *module = mem_zalloc(t->count, sizeof(*module)); /* of each node */
	*rows = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct tree_node *node = &t->nodes[nodes[i]];
		const struct func *f = names_func(t->names, node->func);
		bool fresh;
		uint32_t id = module_id(&ids, f, &fresh), up = node->parent;
		*rows = mem_grow(*rows, &cap, ids.count, sizeof(**rows));
		if (fresh)
			(*rows)[id] = (struct report_row){.module = f->module,
							  .kind = kind_name(f->kind)};
		module[nodes[i]] = id;
		while (up && module[up] != id)
			up = t->nodes[up].parent;
		add_count(&(*rows)[id].count, &node->side[0], up == 0);
	}
	count = ids.count;
	if (count)
		qsort(*rows, count, sizeof(**rows), compare_modules);
	free(nodes);
	free(module);
	intern_free(&ids);
	return count;
}
