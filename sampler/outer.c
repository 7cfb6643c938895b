/* The outermost frames of a stack too deep to be copied whole. */
#include "sampler/outer.h"

void outer_learn(struct outer *o, const struct unwound *u)
{
	o->count = 0;
	for (size_t i = u->count; i-- > 1 && o->count < OUTER_MAX && u->slot[i];) {
		if (o->count && (u->slot[i] >= o->slot[o->count - 1] ||
				 o->slot[0] + 8 - u->slot[i] > OUTER_BYTES))
			return;
		o->pc[o->count] = u->pc[i];
		o->slot[o->count++] = u->slot[i];
	}
}

void outer_range(const struct outer *o, uint64_t *from, uint32_t *len)
{
	*from = o->count ? o->slot[o->count - 1] : 0;
	*len = o->count ? (uint32_t)(o->slot[0] + 8 - *from) : 0;
}

bool outer_append(const struct outer *o, const struct stack_copy *tail, struct unwound *u)
{
	size_t seen = 0;
	uint64_t ra;
	while (seen < o->count && stack_word(tail, o->slot[seen], &ra) && ra == o->pc[seen] + 1)
		seen++;
	if (!seen)
		return false;
	size_t room = UNWIND_MAX - seen;
	size_t kept = u->count < UNWIND_HEAD ? u->count : UNWIND_HEAD;
	kept = kept < room ? kept : room;
	u->elided += u->count - kept + 1; /* one at least: how many there are is not known */
	u->elided_at = u->count = kept;
	for (size_t i = seen; i-- > 0;) {
		u->pc[u->count] = o->pc[i];
		u->slot[u->count++] = o->slot[i];
	}
	u->end = UNWIND_ROOT;
	return true;
}
