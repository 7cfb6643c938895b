/* The numbers of a difference in the scale that is shown: per second, shares, absolute. Pure. */
#ifndef TUI_COMPARE_H
#define TUI_COMPARE_H

#include "store/diff.h"
#include "tui/model.h"

struct buf;

struct compare {
	double a, b, delta, low, high; /* cores, 0..1, or seconds */
	enum diff_verdict verdict;
	int level; /* for colours: -3 much less .. 3 much more; 0 same */
};

struct compare compare_counts(const struct calltree *t, const struct tree_count side[2], bool self,
			      enum scale scale);

/* A value with its unit left out where the column says it: "0.39", "30.1%", "5.85 s". */
void compare_number(struct buf *out, double v, enum scale scale, bool sign);
const char *compare_unit(enum scale scale); /* "cores", "share", "time" */

/* How wide a node is drawn: its time, or with a difference what both sides have of it. */
double compare_size(const struct calltree *t, uint32_t node, bool diff, enum scale scale);

#endif
