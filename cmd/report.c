/* cprof report: tables of what was recorded. */
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

enum { TEXT_ROWS = 30 };

struct report {
	const struct options *o;
	struct look look;
	struct names *names;
	struct query query;
	struct calltree tree; /* of the query; only where it is needed */
	uint64_t whole_ns;    /* what the percentages are of */
	struct sheet sheet;
	uint64_t hidden; /* rows beyond the limit */
};

static size_t row_limit(const struct options *o)
{
	if (o->limit > 0)
		return (size_t)o->limit;
	return o->limit < 0 && o->format == FORMAT_TEXT ? TEXT_ROWS : SIZE_MAX;
}

static void put_row(struct report *r, struct report_row *row)
{
	row->whole_ns = r->whole_ns;
	if (r->sheet.rows < row_limit(r->o))
		sheet_row(&r->sheet, row);
	else
		r->hidden++;
}

/* One line above a table for people: of what it is. */
static void print_title(const struct report *r)
{
	struct buf line = BUF_INIT, filter = BUF_INIT;
	look_text(&line, &r->look);
	buf_fmt(&line, ", weight %s", weight_name(r->o->filter.weight));
	filter_text(&filter, &r->o->filter);
	if (filter.len)
		buf_fmt(&line, ", %s", filter.data);
	if (r->o->by != BY_HEAT) { /* the only one without a tree */
		const struct tree_count *all = &r->tree.nodes[0].side[0];
		buf_str(&line, ": ");
		text_count(&line, all->total);
		buf_str(&line, " samples, ");
		text_duration(&line, (int64_t)all->total_ns);
	}
	buf_str(&line, "\n\n");
	fputs(buf_cstr(&line), stdout);
	buf_free(&filter);
	buf_free(&line);
}

static void begin(struct report *r)
{
	static const struct sheet_format *const formats[] = {[FORMAT_TEXT] = &sheet_text,
							     [FORMAT_CSV] = &sheet_csv,
							     [FORMAT_JSON] = &sheet_json};
	bool text = r->o->format == FORMAT_TEXT;
	struct column_set set = text ? report_text_columns(r->o->by) : report_columns(r->o->by);
	if (text)
		print_title(r);
	sheet_begin(&r->sheet, formats[r->o->format], set.columns, set.count, stdout);
}

static void end(struct report *r)
{
	sheet_end(&r->sheet);
	if (r->hidden && r->o->format == FORMAT_TEXT)
		printf("(%llu rows more: --limit 0)\n", (unsigned long long)r->hidden);
}

/* The time that percentages are of, where that is not the tree's own. */
static int measure_all(struct report *r, struct err *err)
{
	struct filter plain = FILTER_INIT;
	struct calltree t;
	plain.weight = r->o->filter.weight;
	struct query q = {.range = r->query.range, .filter = &plain};
	calltree_init(&t, r->names);
	int failed = query_tree(r->look.store, &q, &t, 0, err);
	if (!failed) {
		calltree_finish(&t);
		r->whole_ns = t.nodes[0].side[0].total_ns;
	}
	calltree_release(&t);
	return failed;
}

static int load_tree(struct report *r, struct err *err)
{
	if (query_tree(r->look.store, &r->query, &r->tree, 0, err))
		return -1;
	calltree_finish(&r->tree);
	r->whole_ns = r->tree.nodes[0].side[0].total_ns;
	return r->o->percent_of_all ? measure_all(r, err) : 0;
}

static int report_functions(struct report *r, struct err *err)
{
	struct func_row *rows;
	if (load_tree(r, err))
		return -1;
	size_t n = calltree_functions(&r->tree, 0, &rows);
	begin(r);
	for (size_t i = 0; i < n; i++) {
		struct report_row row = {.func = names_func(r->names, rows[i].func),
					 .count = rows[i].side[0]};
		put_row(r, &row);
	}
	end(r);
	free(rows);
	return 0;
}

static void put_lines(struct report *r)
{
	struct tree_line *lines;
	struct buf text = BUF_INIT;
	const struct calltree *t = &r->tree;
	size_t all, n = tree_lines(t, row_limit(r->o), &lines, &all);
	r->hidden = all - n;
	for (size_t i = 0; i < n; i++) {
		buf_clear(&text);
		tree_line_text(&text, t, &lines[i], text_is_ascii(r->o->ascii));
		struct report_row row = {.line = buf_cstr(&text),
					 .indent = lines[i].indent,
					 .count = t->nodes[lines[i].first].side[0]};
		row.count.self_ns = t->nodes[lines[i].last].side[0].self_ns;
		put_row(r, &row);
	}
	buf_free(&text);
	free(lines);
}

static void put_nodes(struct report *r)
{
	uint32_t *nodes;
	const struct calltree *t = &r->tree;
	size_t n = tree_preorder(t, &nodes);
	n = tree_keep_largest(t, nodes, n, row_limit(r->o));
	for (size_t i = 0; i < n; i++) {
		const struct tree_node *node = &t->nodes[nodes[i]];
		struct report_row row = {.func = names_func(r->names, node->func),
					 .depth = node->depth - 1,
					 .count = node->side[0]};
		put_row(r, &row);
	}
	free(nodes);
}

static int report_tree(struct report *r, struct err *err)
{
	if (load_tree(r, err))
		return -1;
	begin(r);
	if (r->o->format == FORMAT_TEXT)
		put_lines(r);
	else
		put_nodes(r);
	end(r);
	return 0;
}

static int report_modules(struct report *r, struct err *err)
{
	struct report_row *rows;
	if (load_tree(r, err))
		return -1;
	size_t n = tree_modules(&r->tree, &rows);
	begin(r);
	for (size_t i = 0; i < n; i++)
		put_row(r, &rows[i]);
	end(r);
	free(rows);
	return 0;
}

static int compare_threads(const void *pa, const void *pb)
{
	const struct thread_row *a = pa, *b = pb;
	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->tid > b->tid) - (a->tid < b->tid);
}

static int report_threads(struct report *r, struct err *err)
{
	struct thread_rows threads;
	if (load_tree(r, err) || query_threads(r->look.store, &r->query, &threads, err))
		return -1;
	if (threads.count)
		qsort(threads.rows, threads.count, sizeof(*threads.rows), compare_threads);
	begin(r);
	for (size_t i = 0; i < threads.count; i++) {
		const struct thread_row *t = &threads.rows[i];
		struct report_row row = {.pid = t->pid,
					 .tid = t->tid,
					 .thread = t->name,
					 .count = {t->samples, t->samples, t->ns, t->ns}};
		put_row(r, &row);
	}
	end(r);
	thread_rows_release(&threads);
	return 0;
}

/* A row for every step of the range, some thousand cells at a time: memory stays bounded. */
static int report_heat(struct report *r, struct err *err)
{
	enum { CHUNK = 3600 };
	int64_t step = r->o->step_ns, at = r->query.range.from, to = r->query.range.to;
	struct heat_cell *cells = mem_alloc(CHUNK * sizeof(*cells));
	int failed = 0;
	begin(r);
	while (at < to && !failed) {
		int64_t left = (to - at + step - 1) / step;
		size_t n = left < CHUNK ? (size_t)left : CHUNK;
		struct query q = r->query;
		q.range.from = at;
		q.range.to = left <= CHUNK ? to : at + step * CHUNK;
		failed = query_heat(r->look.store, &q, step, cells, n, err);
		for (size_t i = 0; i < n && !failed; i++, at += step) {
			struct report_row row = {.time = at, .cell = cells[i]};
			put_row(r, &row);
		}
	}
	end(r);
	free(cells);
	return failed;
}

int cmd_report(const struct options *o)
{
	static int (*const reports[])(struct report * r, struct err * err) = {
		[BY_FUNCTION] = report_functions, [BY_TREE] = report_tree,
		[BY_THREAD] = report_threads,     [BY_MODULE] = report_modules,
		[BY_HEAT] = report_heat,
	};
	struct report r = {.o = o, .names = names_new()};
	struct err err;
	int status = 0;
	if (look_first(&r.look, o, r.names, &err)) {
		status = err_report(&err);
	} else {
		r.query = (struct query){.range = r.look.range, .filter = &o->filter};
		calltree_init(&r.tree, r.names);
		if (reports[o->by](&r, &err))
			status = err_report(&err);
		calltree_release(&r.tree);
		look_close(&r.look);
	}
	names_free(r.names);
	return status;
}
