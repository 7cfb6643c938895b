/* What differs between the two sides of a call tree, function by function. Pure.
 *
 * Rates are nanoseconds a second of recorded time, so that ranges of different lengths and
 * sampling rates compare. A difference counts only where it exceeds what the sampling itself
 * scatters: each side's count of samples n is taken as Poisson, so a rate r = n * w (w the
 * time of one sample) has the standard error w * sqrt(max(n, 1)); low and high are the 95 %
 * interval of B - A. `same` = zero lies in the interval. */
#ifndef STORE_DIFF_H
#define STORE_DIFF_H

#include "store/calltree.h"

#define DIFF_VERDICTS(X)        \
	X(DIFF_SAME, "same")    \
	X(DIFF_MORE, "more")    \
	X(DIFF_LESS, "less")    \
	X(DIFF_NEW, "new")      \
	X(DIFF_GONE, "gone")

#define X(id, name) id,
enum diff_verdict { DIFF_VERDICTS(X) DIFF_VERDICT_COUNT };
#undef X

const char *diff_verdict_name(enum diff_verdict v);

struct diff {
	double a, b;      /* ns per second of recorded time */
	double delta;     /* b - a */
	double low, high; /* 95 % interval of delta */
	double a_share, b_share; /* 0..1 of each side's total; 0 where the side is empty */
	enum diff_verdict verdict;
};

/* Compare a count of the two sides; `self` picks self or total. `t` gives the totals and the
 * recorded time. Sides without recorded time compare as 0, never as NaN. */
struct diff diff_counts(const struct calltree *t, const struct tree_count side[2], bool self);

#endif
