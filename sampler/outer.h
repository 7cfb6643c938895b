/* The outermost frames of a stack too deep to be copied whole.
 *
 * A deep recursion stands on frames that stay where they are: the thread's start, its loop. Where
 * their return addresses lie on the stack is learnt once, from a stack read while the thread
 * ran; from then on their few kilobytes are copied with each sample, while the thread is held,
 * and a remembered frame counts only if its return address lies in its place at that moment, and
 * all further out, too. So a deep stack has its innermost and its outermost frames, and says
 * that the middle is left out. */
#ifndef SAMPLER_OUTER_H
#define SAMPLER_OUTER_H

#include "sampler/unwind.h"

enum { OUTER_MAX = 48, OUTER_BYTES = 16 << 10 };

struct outer {
	uint64_t pc[OUTER_MAX];   /* to look up: one less than the return address */
	uint64_t slot[OUTER_MAX]; /* where that return address lies */
	size_t count;             /* outermost first, slots descending */
};

/* Remember the outermost frames of a stack that was unwound to its root. */
void outer_learn(struct outer *o, const struct unwound *u);

/* What must be copied to see them: [*from, *from + *len); len 0: nothing is known. */
void outer_range(const struct outer *o, uint64_t *from, uint32_t *len);

/* Put the frames that are in their places behind those unwound, with the middle left out. True:
 * there are any, and the stack has its root. */
bool outer_append(const struct outer *o, const struct stack_copy *tail, struct unwound *u);

#endif
