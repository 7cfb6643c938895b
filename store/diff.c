/* What differs between the two sides of a call tree. */
#include "store/diff.h"

#include <math.h>

#include "base/clock.h"

/* 95 % of a normal distribution lie within so many standard errors: what a Poisson count comes
 * near to where it matters, above some ten samples. */
#define INTERVAL 1.96

const char *diff_verdict_name(enum diff_verdict v)
{
#define X(id, name) name,
	static const char *const names[] = {DIFF_VERDICTS(X)};
#undef X
	return (unsigned)v < DIFF_VERDICT_COUNT ? names[v] : "same";
}

struct rate {
	double per_s, error; /* ns a second of recorded time */
	double share;
	bool none; /* nothing was counted */
};

/* What one sample is worth on a side: its own counts tell, else all of the side, else nothing. */
static double worth(const struct tree_count *all)
{
	return all->total ? (double)all->total_ns / (double)all->total : 0;
}

static struct rate rate_of(const struct calltree *t, const struct tree_count *c, int side,
			   bool self)
{
	const struct tree_count *all = &t->nodes[0].side[side];
	double samples = (double)(self ? c->self : c->total),
	       ns = (double)(self ? c->self_ns : c->total_ns);
	struct rate r = {.none = samples == 0 && ns == 0};
	if (all->total_ns)
		r.share = ns / (double)all->total_ns;
	if (t->covered_ns[side] <= 0)
		return r;
	double seconds = (double)t->covered_ns[side] / (double)NS_PER_S;
	double w = samples > 0 ? ns / samples : worth(all);
	if (w == 0)
		w = worth(&t->nodes[0].side[!side]);
	/* CPU time between samples has no count: it scatters as if it had been sampled */
	double n = samples > 0 ? samples : w > 0 ? ns / w : 0;
	r.per_s = ns / seconds;
	r.error = w * sqrt(n > 1 ? n : 1) / seconds;
	return r;
}

struct diff diff_counts(const struct calltree *t, const struct tree_count side[2], bool self)
{
	struct rate b = rate_of(t, &side[0], 0, self), a = rate_of(t, &side[1], 1, self);
	double half = INTERVAL * sqrt(a.error * a.error + b.error * b.error);
	struct diff d = {
		.a = a.per_s,
		.b = b.per_s,
		.delta = b.per_s - a.per_s,
		.a_share = a.share,
		.b_share = b.share,
	};
	d.low = d.delta - half;
	d.high = d.delta + half;
	if (d.low <= 0 && d.high >= 0)
		d.verdict = DIFF_SAME;
	else if (d.delta > 0)
		d.verdict = a.none ? DIFF_NEW : DIFF_MORE;
	else
		d.verdict = b.none ? DIFF_GONE : DIFF_LESS;
	return d;
}
