/* The columns, and drawing them. */
#include "tui/table.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

enum { NAME_GAP = 3, METER_W = 8 };

static double percent(const struct table *t, uint64_t ns)
{
	return t->base > 0 ? (double)ns / t->base * 100 : 0;
}

static double total_value(const struct table *t, const struct tree_count side[2])
{
	(void)t;
	return (double)side[0].total_ns;
}

static void total_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	buf_fmt(out, "%.1f%%", percent(t, side[0].total_ns));
}

static double self_value(const struct table *t, const struct tree_count side[2])
{
	(void)t;
	return (double)side[0].self_ns;
}

static void self_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	buf_fmt(out, "%.1f%%", percent(t, side[0].self_ns));
}

static void time_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	(void)t;
	text_duration(out, (int64_t)side[0].total_ns);
}

static void self_time_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	(void)t;
	text_duration(out, (int64_t)side[0].self_ns);
}

static double stacks_value(const struct table *t, const struct tree_count side[2])
{
	return (double)(t->self ? side[0].self : side[0].total);
}

static void stacks_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	text_count(out, t->self ? side[0].self : side[0].total);
}

static double a_value(const struct table *t, const struct tree_count side[2])
{
	return compare_counts(t->tree, side, t->self, t->scale).a;
}

static void a_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	compare_number(out, a_value(t, side), t->scale, false);
}

static double b_value(const struct table *t, const struct tree_count side[2])
{
	return compare_counts(t->tree, side, t->self, t->scale).b;
}

static void b_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	compare_number(out, b_value(t, side), t->scale, false);
}

/* The largest changes first, whichever their sign. */
static double change_value(const struct table *t, const struct tree_count side[2])
{
	double delta = compare_counts(t->tree, side, t->self, t->scale).delta;
	return delta < 0 ? -delta : delta;
}

static void change_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	compare_number(out, compare_counts(t->tree, side, t->self, t->scale).delta, t->scale, true);
}

static void verdict_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	buf_str(out, diff_verdict_name(compare_counts(t->tree, side, t->self, t->scale).verdict));
}

/* How much of a change is certain: the end of its interval that is nearer to nothing. Among
 * those of which nothing is certain, the smaller part of their size. */
static double certain_value(const struct table *t, const struct tree_count side[2])
{
	struct compare c = compare_counts(t->tree, side, t->self, t->scale);
	if (c.verdict != DIFF_SAME)
		return c.delta > 0 ? c.low : -c.high;
	double size = c.delta < 0 ? -c.delta : c.delta, reach = c.high - c.low;
	return reach > 0 ? size / reach - 1 : -1;
}

static void interval_text(struct buf *out, const struct table *t, const struct tree_count side[2])
{
	struct compare c = compare_counts(t->tree, side, t->self, t->scale);
	compare_number(out, c.low, t->scale, true);
	buf_str(out, t->dots);
	compare_number(out, c.high, t->scale, true);
}

const struct column columns_tree[] = {
	{"total%", 8, 0, false, true, false, total_value, total_text},
	{"self%", 8, 44, false, false, false, self_value, self_text},
	{"time", 11, 60, false, false, false, total_value, time_text},
	{"stacks", 10, 90, false, false, false, stacks_value, stacks_text},
	{"A %s", 9, 50, true, false, false, a_value, a_text},
	{"B %s", 9, 50, true, false, false, b_value, b_text},
	{"change", 9, 0, true, false, true, change_value, change_text},
	{"verdict", 9, 80, true, false, true, change_value, verdict_text},
	{0},
};

const struct column columns_top[] = {
	{"self%", 8, 0, false, true, false, self_value, self_text},
	{"total%", 8, 44, false, false, false, total_value, total_text},
	{"self", 11, 60, false, false, false, self_value, self_time_text},
	{"stacks", 10, 90, false, false, false, stacks_value, stacks_text},
	{"A %s", 9, 50, true, false, false, a_value, a_text},
	{"B %s", 9, 50, true, false, false, b_value, b_text},
	{"change", 9, 0, true, false, true, change_value, change_text},
	{"verdict", 9, 80, true, false, true, change_value, verdict_text},
	{0},
};

const struct column columns_changes[] = {
	{"A %s", 10, 50, true, false, false, a_value, a_text},
	{"B %s", 10, 50, true, false, false, b_value, b_text},
	{"change", 10, 0, true, false, true, certain_value, change_text},
	{"95% interval", 20, 76, true, false, false, certain_value, interval_text},
	{"verdict", 9, 44, true, false, true, certain_value, verdict_text},
	{0},
};

struct table table_of(const struct ui *ui, bool self)
{
	return (struct table){
		&ui->data.tree,  ui->data.tree_diff,  self,
		ui->model.scale, ui_percent_base(ui), ui->theme.ascii ? " .. " : " … "};
}

const struct column *table_first_sort(const struct column *all, bool diff)
{
	while (all[1].head && (all->diff != diff || (diff && !all->signal)))
		all++;
	return all;
}

size_t table_columns(const struct column *all, const struct table *t, int width,
		     const struct column **out, size_t max)
{
	size_t n = 0;
	for (; all->head && n < max; all++)
		if (all->diff == t->diff && width >= all->from)
			out[n++] = all;
	return n;
}

int table_head(struct cells *c, const struct theme *th, const struct table *t,
	       const struct column *const *cols, size_t n, size_t sort, int y)
{
	int x = 0;
	for (size_t i = 0; i < n; i++) {
		char head[32];
		const char *unit = strstr(cols[i]->head, "%s") ? compare_unit(t->scale) : "";
		if (*unit)
			snprintf(head, sizeof(head), "%c %s", cols[i]->head[0], unit);
		else
			snprintf(head, sizeof(head), "%s", cols[i]->head);
		struct style s = th->style[i == sort ? STYLE_BRIGHT : STYLE_DIM];
		cells_right(c, x, y, cols[i]->width, head, s);
		x += cols[i]->width;
	}
	cells_text(c, x + NAME_GAP, y, c->window.w, "function", th->style[STYLE_DIM]);
	return x + NAME_GAP;
}

static struct style number_style(const struct theme *th, const struct table *t,
				 const struct column *col, const struct tree_count side[2],
				 bool selected)
{
	if (selected)
		return th->style[STYLE_LINE];
	if (col->signal || t->diff) {
		struct compare c = compare_counts(t->tree, side, t->self, t->scale);
		if (!c.level)
			return th->style[STYLE_DIM];
		if (col->signal)
			return th->style[c.level > 0 ? STYLE_MORE : STYLE_LESS];
	}
	struct style s = th->style[STYLE_TEXT];
	if (col->meter)
		s.fg = th->style[STYLE_BRIGHT].fg;
	return s;
}

int table_row(struct cells *c, const struct theme *th, const struct table *t,
	      const struct column *const *cols, size_t n, const struct tree_count side[2], int y,
	      bool selected)
{
	int x = 0;
	struct buf b = BUF_INIT;
	for (size_t i = 0; i < n; i++) {
		const struct column *col = cols[i];
		buf_clear(&b);
		col->text(&b, t, side);
		cells_right(c, x, y, col->width, buf_cstr(&b),
			    number_style(th, t, col, side, selected));
		if (col->meter) {
			double share = t->base > 0 ? col->value(t, side) / t->base : 0;
			int w = (int)(share * METER_W + 0.5);
			struct style meter = th->style[STYLE_METER];
			for (int k = 0; k < w && k < METER_W; k++)
				cells_restyle(c, x + k, y, 1, meter);
		}
		x += col->width;
	}
	buf_free(&b);
	return x + NAME_GAP;
}
