/* cprof diff: what differs between two ranges, threads, filters or stores. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lines.h"
#include "cmd/rows.h"
#include "cmd/look.h"
#include "store/diff.h"

enum { TEXT_ROWS = 30 };

/* In a call tree side 0 is B, what is looked at, and side 1 is A. */
enum { SIDE_B, SIDE_A, SIDES };

struct side {
	const char *name; /* of its mark and option */
	struct look look;
	struct filter filter;
};

struct diff_row {
	const struct func *func;
	uint32_t depth;   /* 0 is the outermost frame */
	const char *line; /* a tree as text: the line, */
	uint32_t indent;  /* and where it begins */
	struct diff d;
};

/* --- columns --- */

static struct value text(const char *s)
{
	return (struct value){.kind = *s ? VALUE_TEXT : VALUE_UNKNOWN, .text = s};
}

static struct value real(enum value_kind kind, double v)
{
	return (struct value){.kind = kind, .real = v};
}

#define COLUMN(id, expression)                                                                     \
	static struct value get_##id(const void *row)                                              \
	{                                                                                          \
		const struct diff_row *r = row;                                                    \
		return expression;                                                                 \
	}

COLUMN(depth, ((struct value){.kind = VALUE_ID, .number = r->depth}))
COLUMN(function, text(r->func->name))
COLUMN(indented, ((struct value){VALUE_TEXT, r->line, 0, 0, r->indent}))
COLUMN(module, text(r->func->module))
COLUMN(kind, text(kind_name(r->func->kind)))
COLUMN(file, text(r->func->file))
COLUMN(a, real(VALUE_RATE, r->d.a))
COLUMN(b, real(VALUE_RATE, r->d.b))
COLUMN(delta, real(VALUE_RATE, r->d.delta))
COLUMN(low, real(VALUE_RATE, r->d.low))
COLUMN(high, real(VALUE_RATE, r->d.high))
COLUMN(a_percent, real(VALUE_PERCENT, 100 * r->d.a_share))
COLUMN(b_percent, real(VALUE_PERCENT, 100 * r->d.b_share))
COLUMN(points, real(VALUE_PERCENT, 100 * (r->d.b_share - r->d.a_share)))
COLUMN(verdict, text(diff_verdict_name(r->d.verdict)))

#define FOR_SCRIPTS                                                                                \
	{"function", get_function}, {"module", get_module}, {"kind", get_kind},                    \
		{"file", get_file}, {"a_ns_per_s", get_a}, {"b_ns_per_s", get_b},                  \
		{"delta_ns_per_s", get_delta}, {"low", get_low}, {"high", get_high},               \
		{"a_percent", get_a_percent}, {"b_percent", get_b_percent},                        \
		{"delta_points", get_points},                                                      \
	{                                                                                          \
		"verdict", get_verdict                                                             \
	}

#define FOR_PEOPLE                                                                                 \
	{"delta ms/s", get_delta}, {"low", get_low}, {"high", get_high}, {"A ms/s", get_a},        \
		{"B ms/s", get_b},                                                                 \
	{                                                                                          \
		"verdict", get_verdict                                                             \
	}

static const struct column by_function[] = {FOR_SCRIPTS};
static const struct column by_tree[] = {{"depth", get_depth}, FOR_SCRIPTS};
static const struct column text_function[] = {
	FOR_PEOPLE, {"function", get_function}, {"module", get_module}};
static const struct column text_tree[] = {FOR_PEOPLE, {"function", get_indented}};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void begin(struct sheet *t, const struct options *o)
{
	bool tree = o->by == BY_TREE;
	if (o->format == FORMAT_TEXT)
		sheet_begin(t, &sheet_text, tree ? text_tree : text_function,
			    tree ? COUNT(text_tree) : COUNT(text_function), stdout);
	else
		sheet_begin(t, o->format == FORMAT_CSV ? &sheet_csv : &sheet_json,
			    tree ? by_tree : by_function,
			    tree ? COUNT(by_tree) : COUNT(by_function), stdout);
}

static size_t row_limit(const struct options *o)
{
	if (o->limit > 0)
		return (size_t)o->limit;
	return o->limit < 0 && o->format == FORMAT_TEXT ? TEXT_ROWS : SIZE_MAX;
}

static void end(struct sheet *t, const struct options *o, size_t hidden)
{
	sheet_end(t);
	if (hidden && o->format == FORMAT_TEXT)
		printf("(%zu rows more: --limit 0)\n", hidden);
}

/* --- the sides --- */

/* The side is what SEL says; without SEL its mark; with a store of its own, all of that. */
static int choose_side(struct side *side, const struct options *o, const char *sel, struct err *err)
{
	struct range want;
	bool has_range = false;
	filter_copy(&side->filter, &o->filter);
	if (look_range(&side->look, o, err))
		return -1;
	if (sel) {
		if (filter_parse(sel, &side->look.context, &side->filter, &want, &has_range, err) ||
		    filter_check(&side->filter, err))
			return -1;
		return has_range ? look_clip(&side->look, want, err) : 0;
	}
	if (o->nargs == 2)
		return 0;
	const struct mark *m = marks_find(&side->look.marks, side->name);
	if (!m)
		return err_set(err, ERR_FAILED,
			       "the mark %s is not set; set it on the screen with the key %s, or "
			       "give --%s SEL",
			       side->name, side->name, side->name);
	filter_release(&side->filter);
	filter_copy(&side->filter, &m->filter);
	return look_clip(&side->look, m->range, err);
}

/* Open the side's store and add what it selects to its side of the tree. */
static int load_side(struct side *side, const struct options *o, int which, struct calltree *tree,
		     struct names *names, struct err *err)
{
	const char *store = which == SIDE_B && o->nargs == 2 ? o->args[1] : o->args[0];
	if (look_open(&side->look, o, store, names, err))
		return -1;
	if (choose_side(side, o, which == SIDE_A ? o->a : o->b, err))
		return -1;
	struct query q = {.range = side->look.range, .filter = &side->filter};
	return query_tree(side->look.store, &q, tree, which, err);
}

/* --- output --- */

static void print_side(struct buf *out, const struct side *side, const struct calltree *t,
		       int which)
{
	buf_fmt(out, "%c  ", which == SIDE_A ? 'A' : 'B');
	look_text(out, &side->look);
	buf_fmt(out, ", weight %s", weight_name(side->filter.weight));
	if (side->filter.count) {
		buf_str(out, ", ");
		filter_text(out, &side->filter);
	}
	buf_str(out, ": ");
	text_count(out, t->nodes[0].side[which].total);
	buf_fmt(out, " samples, %.2f cores\n", calltree_rate(t, 0, which));
}

static void print_title(const struct side *sides, const struct calltree *t)
{
	struct buf out = BUF_INIT;
	print_side(&out, &sides[SIDE_A], t, SIDE_A);
	print_side(&out, &sides[SIDE_B], t, SIDE_B);
	buf_char(&out, '\n');
	fputs(buf_cstr(&out), stdout);
	buf_free(&out);
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	double x = fabs(a->d.delta), y = fabs(b->d.delta);
	if (x < y || x > y)
		return x < y ? 1 : -1;
	return strcmp(a->func->name, b->func->name);
}

static void print_functions(const struct options *o, const struct calltree *tree)
{
	struct func_row *funcs;
	struct sheet sheet;
	size_t n = calltree_functions(tree, 0, &funcs), limit = row_limit(o);
	struct diff_row *rows = mem_zalloc(n, sizeof(*rows));
	for (size_t i = 0; i < n; i++) {
		rows[i].func = names_func(tree->names, funcs[i].func);
		rows[i].d = diff_counts(tree, funcs[i].side, true);
	}
	qsort(rows, n, sizeof(*rows), compare_rows);
	begin(&sheet, o);
	for (size_t i = 0; i < n && i < limit; i++)
		sheet_row(&sheet, &rows[i]);
	end(&sheet, o, n > limit ? n - limit : 0);
	free(rows);
	free(funcs);
}

static void print_lines(const struct options *o, const struct calltree *t)
{
	struct tree_line *lines;
	struct buf text = BUF_INIT;
	struct sheet sheet;
	size_t all, n = tree_lines(t, row_limit(o), &lines, &all);
	begin(&sheet, o);
	for (size_t i = 0; i < n; i++) {
		buf_clear(&text);
		tree_line_text(&text, t, &lines[i], text_is_ascii(o->ascii));
		struct diff_row row = {.line = buf_cstr(&text),
				       .indent = lines[i].indent,
				       .d = diff_counts(t, t->nodes[lines[i].first].side, false)};
		sheet_row(&sheet, &row);
	}
	end(&sheet, o, all - n);
	buf_free(&text);
	free(lines);
}

static void print_nodes(const struct options *o, const struct calltree *t)
{
	uint32_t *nodes;
	struct sheet sheet;
	size_t n = tree_preorder(t, &nodes);
	n = tree_keep_largest(t, nodes, n, row_limit(o));
	begin(&sheet, o);
	for (size_t i = 0; i < n; i++) {
		const struct tree_node *node = &t->nodes[nodes[i]];
		struct diff_row row = {.func = names_func(t->names, node->func),
				       .depth = node->depth - 1,
				       .d = diff_counts(t, node->side, false)};
		sheet_row(&sheet, &row);
	}
	end(&sheet, o, 0);
	free(nodes);
}

/* A line a stack, "outermost;...;leaf A B": self time a second of both sides, in nanoseconds.
 * The format has no escape: a semicolon in a name becomes a colon. */
static void print_folded(const struct calltree *t)
{
	struct buf line = BUF_INIT;
	uint32_t *nodes, path[1024];
	size_t n = tree_preorder(t, &nodes);
	for (size_t i = 0; i < n; i++) {
		const struct tree_node *node = &t->nodes[nodes[i]];
		struct diff d = diff_counts(t, node->side, true);
		if (llround(d.a) == 0 && llround(d.b) == 0)
			continue;
		size_t depth = calltree_path(t, nodes[i], path, COUNT(path));
		buf_clear(&line);
		for (size_t k = 0; k < depth && k < COUNT(path); k++) {
			if (k)
				buf_char(&line, ';');
			for (const char *s = names_func(t->names, path[k])->name; *s; s++)
				buf_char(&line, *s == ';' ? ':' : *s);
		}
		printf("%s %lld %lld\n", buf_cstr(&line), llround(d.a), llround(d.b));
	}
	free(nodes);
	buf_free(&line);
}

static void print_diff(const struct options *o, const struct side *sides,
		       const struct calltree *tree)
{
	if (o->format == FORMAT_TEXT)
		print_title(sides, tree);
	if (o->format == FORMAT_FOLDED)
		print_folded(tree);
	else if (o->by == BY_TREE && o->format == FORMAT_TEXT)
		print_lines(o, tree);
	else if (o->by == BY_TREE)
		print_nodes(o, tree);
	else
		print_functions(o, tree);
}

int cmd_diff(const struct options *o)
{
	struct side sides[SIDES] = {[SIDE_A] = {.name = "a", .filter = FILTER_INIT},
				    [SIDE_B] = {.name = "b", .filter = FILTER_INIT}};
	struct names *names = names_new();
	struct calltree tree;
	struct err err;
	int status = 0;
	calltree_init(&tree, names);
	if (load_side(&sides[SIDE_A], o, SIDE_A, &tree, names, &err) ||
	    load_side(&sides[SIDE_B], o, SIDE_B, &tree, names, &err)) {
		status = err_report(&err);
	} else {
		calltree_finish(&tree);
		print_diff(o, sides, &tree);
	}
	for (int i = 0; i < SIDES; i++) {
		filter_release(&sides[i].filter);
		look_close(&sides[i].look);
	}
	calltree_release(&tree);
	names_free(names);
	return status;
}
