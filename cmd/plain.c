/* The plain view: a store as text, for where there is no screen. */
#include "cmd/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/lines.h"
#include "cmd/rows.h"

enum { LEVELS = 8, FUNCTIONS = 12, PATH_PARTS = 6 };

/* How the heatmap is cut: cells of `step`, rows of `row`; the first whose rows fit is taken. */
struct zoom {
	int64_t step, row;
	const char *says;
};

static const struct zoom zooms[] = {
	{NS_PER_S, 60 * NS_PER_S, "a row a minute, a column a second"},
	{60 * NS_PER_S, 3600 * NS_PER_S, "a row an hour, a column a minute"},
	{3600 * NS_PER_S, 86400 * NS_PER_S, "a row a day, a column an hour"},
};
enum { ZOOMS = sizeof(zooms) / sizeof(zooms[0]), ROWS_MAX = 30 };

struct plain {
	const struct options *o;
	struct store *store;
	struct query query;
	const struct range_context *context;
	struct calltree tree;
	bool ascii, color;
	struct buf out;
};

bool plain_wanted(const struct options *o)
{
	const char *term = getenv("TERM");
	return o->plain || !isatty(STDOUT_FILENO) || !term || !*term || !strcmp(term, "dumb");
}

static bool color_wanted(const struct options *o)
{
	const char *no_color = getenv("NO_COLOR");
	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

/* --- the heatmap --- */

static const struct zoom *choose_zoom(struct range r)
{
	for (size_t i = 0; i + 1 < ZOOMS; i++)
		if (range_length(r) <= ROWS_MAX * zooms[i].row)
			return &zooms[i];
	return &zooms[ZOOMS - 1];
}

/* The offset of the zone from UTC at this time: rows begin at full local minutes, hours, days. */
static int64_t zone_offset(int64_t ns, bool utc)
{
	time_t s = (time_t)(ns / NS_PER_S);
	struct tm tm;
	if (utc || !localtime_r(&s, &tm))
		return 0;
	return tm.tm_gmtoff * NS_PER_S;
}

static int64_t row_start(int64_t ns, int64_t row, int64_t offset)
{
	int64_t local = ns + offset;
	return local - ((local % row) + row) % row - offset;
}

/* A cell's count at the nominal rate: where ticks were missed, it is no calm. */
static double cell_count(const struct heat_cell *c)
{
	if (!c->taken || c->expected <= c->taken)
		return (double)c->samples;
	return (double)c->samples * c->expected / c->taken;
}

static int compare_counts(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;
	return (a > b) - (a < b);
}

/* The top of the scale: the 99th percentile of the cells that are not idle, rounded up to 1,
 * 2 or 5 times a power of ten. One outlier does not wash out the rest. */
static double scale_top(const struct heat_cell *cells, size_t n)
{
	double *counts = mem_alloc(n * sizeof(*counts)), top = 1;
	size_t busy = 0;
	for (size_t i = 0; i < n; i++)
		if (cells[i].samples)
			counts[busy++] = cell_count(&cells[i]);
	if (busy) {
		qsort(counts, busy, sizeof(*counts), compare_counts);
		double p99 = counts[(busy - 1) * 99 / 100];
		double power = pow(10, floor(log10(p99)));
		static const double steps[] = {1, 2, 5, 10};
		for (size_t i = 0; i < 4; i++) {
			top = steps[i] * power;
			if (top >= p99)
				break;
		}
	}
	free(counts);
	return top;
}

static void draw_cell(struct plain *p, const struct heat_cell *c, double top)
{
	static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char marks[LEVELS + 1] = ".:-=+*#@";
	/* cool to warm with rising lightness: numbers of the 256 colours of xterm */
	static const int colors[LEVELS] = {17, 55, 91, 126, 161, 203, 214, 227};
	if (c->quality == CELL_NONE) {
		buf_char(&p->out, ' ');
	} else if (c->quality == CELL_GAP) {
		buf_str(&p->out, p->ascii ? "/" : "╱");
	} else if (!c->samples) {
		buf_str(&p->out, p->ascii ? "_" : "·");
	} else {
		double share = cell_count(c) * LEVELS / top;
		int level = share >= LEVELS ? LEVELS - 1 : (int)share;
		if (p->color)
			buf_fmt(&p->out, "\033[38;5;%dm", colors[level]);
		if (p->ascii)
			buf_char(&p->out, marks[level]);
		else
			buf_str(&p->out, bars[level]);
		if (p->color)
			buf_str(&p->out, "\033[0m");
	}
}

static void draw_row_label(struct plain *p, int64_t at, const struct zoom *z)
{
	time_t s = (time_t)(at / NS_PER_S);
	struct tm tm = {0};
	char label[32] = "";
	if (p->o->utc)
		gmtime_r(&s, &tm);
	else
		localtime_r(&s, &tm);
	strftime(label, sizeof(label), z == &zooms[ZOOMS - 1] ? "%m-%d " : "%H:%M ", &tm);
	buf_str(&p->out, label);
}

static void draw_legend(struct plain *p, const struct zoom *z, double top)
{
	buf_fmt(&p->out, "      %s; %s is %.0f samples, %s idle, %s gap\n\n", z->says,
		p->ascii ? "@" : "█", top, p->ascii ? "_" : "·", p->ascii ? "/" : "╱");
}

static int draw_heat(struct plain *p, struct err *err)
{
	const struct zoom *z = choose_zoom(p->query.range);
	struct range r = p->query.range;
	int64_t from = row_start(r.from, z->row, zone_offset(r.from, p->o->utc));
	size_t n = (size_t)((r.to - from + z->step - 1) / z->step);
	size_t columns = (size_t)(z->row / z->step), skip = (size_t)((r.from - from) / z->step);
	if (r.to <= r.from)
		return 0;
	struct heat_cell *cells = mem_zalloc(n, sizeof(*cells));
	struct query q = p->query;
	q.range.from = from + (int64_t)skip * z->step; /* whole cells, also at the beginning */
	int failed = query_heat(p->store, &q, z->step, cells + skip, n - skip, err);
	double top = scale_top(cells, n);
	for (size_t i = 0; i < n && !failed; i++) {
		if (i % columns == 0)
			draw_row_label(p, from + (int64_t)i * z->step, z);
		draw_cell(p, &cells[i], top);
		if (i % columns == columns - 1 || i == n - 1)
			buf_char(&p->out, '\n');
	}
	if (!failed)
		draw_legend(p, z, top);
	free(cells);
	return failed;
}

/* --- what was hot --- */

/* Down from the root by the callee with most time, to where that is less than what the function
 * spends itself, or a tenth of everything. */
static uint32_t hottest_node(const struct calltree *t)
{
	uint32_t at = 0;
	uint64_t all = t->nodes[0].side[0].total_ns;
	for (;;) {
		uint32_t child = t->nodes[at].child;
		if (child == CALLTREE_NONE)
			return at;
		uint64_t ns = t->nodes[child].side[0].total_ns;
		if (ns * 10 < all || ns <= t->nodes[at].side[0].self_ns)
			return at;
		at = child;
	}
}

static void draw_hottest(struct plain *p)
{
	const struct calltree *t = &p->tree;
	uint32_t path[1024], leaf = hottest_node(t);
	size_t depth = calltree_path(t, leaf, path, sizeof(path) / sizeof(path[0]));
	const char *arrow = p->ascii ? " > " : " › ";
	if (!leaf)
		return;
	if (depth > sizeof(path) / sizeof(path[0]))
		depth = sizeof(path) / sizeof(path[0]);
	buf_str(&p->out, "hottest: ");
	size_t first = depth > PATH_PARTS ? depth - PATH_PARTS : 0;
	if (first)
		buf_fmt(&p->out, "%s%s", p->ascii ? ".." : "…", arrow);
	for (size_t i = first; i < depth; i++)
		buf_fmt(&p->out, "%s%s", i > first ? arrow : "",
			names_func(t->names, path[i])->name);
	buf_fmt(&p->out, "  %.1f %%\n\n",
		100 * (double)t->nodes[leaf].side[0].total_ns /
			(double)t->nodes[0].side[0].total_ns);
}

static void print_functions(struct plain *p)
{
	struct column_set set = report_text_columns(BY_FUNCTION);
	struct sheet sheet;
	struct func_row *rows;
	size_t n = calltree_functions(&p->tree, 0, &rows);
	sheet_begin(&sheet, &sheet_text, set.columns, set.count, stdout);
	for (size_t i = 0; i < n && i < FUNCTIONS && rows[i].side[0].self_ns; i++) {
		struct report_row row = {.func = names_func(p->tree.names, rows[i].func),
					 .count = rows[i].side[0],
					 .whole_ns = p->tree.nodes[0].side[0].total_ns};
		sheet_row(&sheet, &row);
	}
	sheet_end(&sheet);
	free(rows);
}

static void draw_title(struct plain *p)
{
	struct range r = p->query.range;
	const struct tree_count *all = &p->tree.nodes[0].side[0];
	struct buf filter = BUF_INIT;
	const char *path = store_path(p->store), *slash = strrchr(path, '/');
	text_clean(&p->out, slash && slash[1] ? slash + 1 : path,
		   strlen(slash && slash[1] ? slash + 1 : path));
	buf_str(&p->out, "  ");
	range_text(&p->out, r, p->context);
	buf_char(&p->out, ' ');
	time_zone(&p->out, r.from, p->o->utc);
	buf_str(&p->out, "  ");
	text_duration(&p->out, range_length(r));
	buf_str(&p->out, ", ");
	text_count(&p->out, all->total);
	buf_fmt(&p->out, " samples, weight %s, %.2f cores", weight_name(p->o->filter.weight),
		calltree_rate(&p->tree, 0, 0));
	filter_text(&filter, &p->o->filter);
	if (filter.len)
		buf_fmt(&p->out, ", %s", filter.data);
	buf_str(&p->out, "\n\n");
	buf_free(&filter);
}

int plain_print(struct store *s, struct range range, const struct range_context *context,
		const struct options *o, struct err *err)
{
	struct plain p = {
		.o = o,
		.store = s,
		.query = {.range = range, .filter = &o->filter},
		.context = context,
		.ascii = text_is_ascii(o->ascii),
		.color = color_wanted(o),
	};
	calltree_init(&p.tree, store_names(s));
	int failed = query_tree(s, &p.query, &p.tree, 0, err);
	if (!failed) {
		calltree_finish(&p.tree);
		draw_title(&p);
		failed = draw_heat(&p, err);
	}
	if (!failed) {
		draw_hottest(&p);
		fputs(buf_cstr(&p.out), stdout);
		print_functions(&p);
	}
	calltree_release(&p.tree);
	buf_free(&p.out);
	return failed ? -1 : 0;
}
