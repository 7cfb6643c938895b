/* A filter made ready for a segment: which of its samples a query counts. */
#ifndef STORE_SELECT_H
#define STORE_SELECT_H

#include "store/dict.h"
#include "store/filter.h"

struct err;

/* What does not depend on a segment; made once a query. */
struct select {
	const struct filter *filter;
	void *regexes;             /* regex_t for each term, where it is one */
	uint32_t kinds;            /* a bit for each kind of frame that is kept */
	uint32_t states;           /* a bit for each state that counts, under weight and filter */
	bool any_state;            /* states are named: what has none does not count */
	bool by[FILTER_KEY_COUNT]; /* there are terms of the key */
};

int select_init(struct select *s, const struct filter *f, struct err *err);
void select_release(struct select *s);

/* The parts of a segment that are kept. */
struct selection {
	const struct select *select;
	uint8_t *processes, *threads; /* by number */
	uint8_t *stacks; /* by number, one more: [nstacks] is the CPU time between samples */
	size_t nprocesses, nthreads, nstacks;
	uint32_t no_stack, between; /* their functions, in the names */
};

void selection_init(struct selection *n, const struct select *s, const struct dict *d,
		    struct names *names);
void selection_release(struct selection *n);

/* Does a name match a pattern in which `*` stands for any characters? */
bool select_glob(const char *pattern, const char *name);

static inline bool select_state(const struct select *s, unsigned state)
{
	return s->states >> state & 1;
}

static inline bool select_kind(const struct select *s, unsigned kind)
{
	return s->kinds >> kind & 1;
}

/* A stack's number as the selection knows it: what it does not, is no stack. */
static inline uint32_t selection_stack(const struct selection *n, uint32_t stack)
{
	return stack < n->nstacks ? stack : 0;
}

#endif
