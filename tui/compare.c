/* Differences in three scales. */
#include "tui/compare.h"

#include <math.h>

#include "base/buf.h"
#include "base/clock.h"

/* Two-sided 95 % of the normal distribution. */
#define Z_95 1.96

/* Shares of the larger side's total from which a difference is coloured more strongly. */
static const double strong = 0.10, medium = 0.03;

struct measure {
	double value, error;
};

/* A count of samples is taken as Poisson; a side of which nothing was seen scatters by one
 * sample of its total's size. */
static struct measure measured(double value, double samples, double unit)
{
	double one = samples > 0 ? value / samples : unit;
	return (struct measure){value, one * sqrt(samples > 1 ? samples : 1)};
}

static struct measure side_measure(const struct calltree *t, const struct tree_count *c, int side,
				   bool self, enum scale scale)
{
	const struct tree_count *all = &t->nodes[0].side[side];
	double ns = (double)(self ? c->self_ns : c->total_ns);
	double samples = (double)(self ? c->self : c->total);
	double by = scale == SCALE_SHARE ? (double)all->total_ns : (double)NS_PER_S;
	if (by <= 0)
		return (struct measure){0, 0};
	double unit = all->total ? (double)all->total_ns / (double)all->total / by : 0;
	return measured(ns / by, samples, unit);
}

static enum diff_verdict judge(const struct compare *c)
{
	if (c->low <= 0 && c->high >= 0)
		return DIFF_SAME;
	if (c->delta > 0)
		return c->a > 0 ? DIFF_MORE : DIFF_NEW;
	return c->b > 0 ? DIFF_LESS : DIFF_GONE;
}

static int level_of(const struct calltree *t, const struct compare *c, enum scale scale)
{
	if (c->verdict == DIFF_SAME)
		return 0;
	double total = 1;
	if (scale == SCALE_RATE)
		total = fmax(calltree_rate(t, 0, 0), calltree_rate(t, 0, 1));
	else if (scale == SCALE_TIME)
		total = fmax((double)t->nodes[0].side[0].total_ns,
			     (double)t->nodes[0].side[1].total_ns) /
			NS_PER_S;
	double share = total > 0 ? fabs(c->delta) / total : 0;
	int level = share >= strong ? 3 : share >= medium ? 2 : 1;
	return c->delta < 0 ? -level : level;
}

struct compare compare_counts(const struct calltree *t, const struct tree_count side[2], bool self,
			      enum scale scale)
{
	struct compare c;
	if (scale == SCALE_RATE) {
		struct diff d = diff_counts(t, side, self);
		c = (struct compare){d.a / NS_PER_S,
				     d.b / NS_PER_S,
				     d.delta / NS_PER_S,
				     d.low / NS_PER_S,
				     d.high / NS_PER_S,
				     d.verdict,
				     0};
	} else {
		struct measure b = side_measure(t, &side[0], 0, self, scale);
		struct measure a = side_measure(t, &side[1], 1, self, scale);
		double delta = b.value - a.value,
		       error = Z_95 * sqrt(a.error * a.error + b.error * b.error);
		c = (struct compare){a.value,       b.value,   delta, delta - error,
				     delta + error, DIFF_SAME, 0};
		c.verdict = judge(&c);
	}
	c.level = level_of(t, &c, scale);
	return c;
}

void compare_number(struct buf *out, double v, enum scale scale, bool sign)
{
	const char *plus = sign && v >= 0 ? "+" : "";
	if (scale == SCALE_SHARE)
		buf_fmt(out, sign ? "%s%.1f pp" : "%s%.1f%%", plus,
			v * 100); /* percentage points */
	else if (scale == SCALE_TIME)
		buf_fmt(out, fabs(v) < 100 ? "%s%.2f s" : "%s%.0f s", plus, v);
	else
		buf_fmt(out, fabs(v) < 0.0995 && v != 0 ? "%s%.3f" : "%s%.2f", plus, v);
}

const char *compare_unit(enum scale scale)
{
	static const char *const units[SCALE_COUNT] = {
		[SCALE_RATE] = "cores", [SCALE_SHARE] = "share", [SCALE_TIME] = "time"};
	return units[scale];
}

double compare_size(const struct calltree *t, uint32_t node, bool diff, enum scale scale)
{
	const struct tree_count *n = t->nodes[node].side, *all = t->nodes[0].side;
	if (!diff)
		return all[0].total_ns ? (double)n[0].total_ns : (double)n[0].total;
	double size = 0;
	for (int i = 0; i < 2; i++) {
		if (scale == SCALE_RATE)
			size += calltree_rate(t, node, i);
		else if (scale == SCALE_TIME)
			size += (double)n[i].total_ns;
		else if (all[i].total_ns)
			size += (double)n[i].total_ns / (double)all[i].total_ns;
	}
	return size;
}
