/* A filter made ready for a segment: which of its samples a query counts. */
#include "store/select.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* Bits of a stack: what it, or a caller in it, is. */
enum {
	HAS_MATCH = 1,    /* a text asked for */
	HAS_UNWANTED = 2, /* a text that is negated */
	HAS_KIND = 4,     /* a frame that is kept */
};

#define REGEX_MARK "re:"

static bool is_regex(const struct filter_term *t)
{
	return t->key == FILTER_MATCH && !strncmp(t->value, REGEX_MARK, strlen(REGEX_MARK));
}

/* The bits that terms of a key leave of `all`: those named, or all if none is, less the negated. */
static uint32_t bits_of(const struct filter *f, enum filter_key key, uint32_t all,
			int (*parse)(const char *s))
{
	uint32_t named = 0, negated = 0;
	bool any = false;
	for (size_t i = 0; i < f->count; i++) {
		const struct filter_term *t = &f->terms[i];
		int bit = t->key == key ? parse(t->value) : -1;
		any |= t->key == key && !t->negated;
		if (bit >= 0)
			*(t->negated ? &negated : &named) |= 1u << bit;
	}
	return (any ? named : all) & ~negated;
}

int select_init(struct select *s, const struct filter *f, struct err *err)
{
	*s = (struct select){.filter = f};
	regex_t *regexes = mem_zalloc(f->count, sizeof(*regexes));
	s->regexes = regexes;
	for (size_t i = 0; i < f->count; i++) {
		const struct filter_term *t = &f->terms[i];
		s->by[t->key] = true;
		s->any_state |= t->key == FILTER_STATE && !t->negated;
		if (!is_regex(t))
			continue;
		int rc = regcomp(&regexes[i], t->value + strlen(REGEX_MARK),
				 REG_EXTENDED | REG_ICASE | REG_NOSUB);
		if (!rc)
			continue;
		char why[100];
		regerror(rc, &regexes[i], why, sizeof(why));
		for (size_t k = 0; k < i; k++)
			if (is_regex(&f->terms[k]))
				regfree(&regexes[k]);
		free(regexes);
		return err_set(err, ERR_USAGE, "cannot read the expression %s: %s", t->value, why);
	}
	s->kinds = bits_of(f, FILTER_TYPE, (1u << KIND_COUNT) - 1, kind_parse);
	s->states = bits_of(f, FILTER_STATE, (1u << STATE_COUNT) - 1, state_parse);
	for (unsigned state = 0; state < STATE_COUNT; state++)
		if (!weight_counts(f->weight, state))
			s->states &= ~(1u << state);
	return 0;
}

void select_release(struct select *s)
{
	regex_t *regexes = s->regexes;
	for (size_t i = 0; regexes && i < s->filter->count; i++)
		if (is_regex(&s->filter->terms[i]))
			regfree(&regexes[i]);
	free(regexes);
	*s = (struct select){0};
}

bool select_glob(const char *pattern, const char *name)
{
	const char *star = NULL, *retry = NULL;
	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			retry = name;
		} else if (*pattern == *name) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* ---- processes and threads: by number, or by name ---- */

static bool is_number(const char *s, uint32_t number)
{
	char *end;
	unsigned long v = strtoul(s, &end, 10);
	return *s >= '0' && *s <= '9' && !*end && v == number;
}

static bool keeps(const struct select *s, enum filter_key key, uint32_t number, const char *name)
{
	const struct filter *f = s->filter;
	bool asked = false, found = false;
	for (size_t i = 0; i < f->count; i++) {
		const struct filter_term *t = &f->terms[i];
		if (t->key != key)
			continue;
		bool is = is_number(t->value, number) || select_glob(t->value, name);
		if (t->negated && is)
			return false;
		asked |= !t->negated;
		found |= !t->negated && is;
	}
	return found || !asked;
}

/* ---- functions and stacks ---- */

static bool matches(const struct select *s, size_t term, const struct func *f)
{
	const regex_t *regex = (const regex_t *)s->regexes + term;
	const struct filter_term *t = &s->filter->terms[term];
	if (is_regex(t))
		return !regexec(regex, f->name, 0, NULL, 0) ||
		       !regexec(regex, f->module, 0, NULL, 0) ||
		       !regexec(regex, f->file, 0, NULL, 0);
	return strcasestr(f->name, t->value) || strcasestr(f->module, t->value) ||
	       strcasestr(f->file, t->value);
}

static uint8_t func_bits(const struct select *s, const struct func *f)
{
	uint8_t bits = select_kind(s, f->kind) ? HAS_KIND : 0;
	for (size_t i = 0; s->by[FILTER_MATCH] && i < s->filter->count; i++) {
		const struct filter_term *t = &s->filter->terms[i];
		if (t->key == FILTER_MATCH && matches(s, i, f))
			bits |= t->negated ? HAS_UNWANTED : HAS_MATCH;
	}
	return bits;
}

static bool asks_match(const struct select *s)
{
	for (size_t i = 0; i < s->filter->count; i++)
		if (s->filter->terms[i].key == FILTER_MATCH && !s->filter->terms[i].negated)
			return true;
	return false;
}

/* A sample without a stack, and CPU time without a sample, are frames of their own. */
static uint32_t pseudo(struct names *names, const char *name)
{
	struct func f = {KIND_UNKNOWN, name, "", "", 0};
	return names_put(names, &f);
}

static void select_stacks(struct selection *n, const struct dict *d, struct names *names)
{
	const struct select *s = n->select;
	uint8_t needed = HAS_KIND | (asks_match(s) ? HAS_MATCH : 0);
	n->stacks = mem_alloc(n->nstacks + 1);
	if (!s->by[FILTER_MATCH] && !s->by[FILTER_TYPE]) {
		memset(n->stacks, 1, n->nstacks + 1);
	} else {
		uint8_t *funcs = mem_alloc(d->nfuncs);
		for (size_t i = 0; i < d->nfuncs; i++)
			funcs[i] = func_bits(s, names_func(names, d->func_ids[i]));
		n->stacks[0] = 0; /* no caller */
		for (size_t i = 1; i < n->nstacks; i++)
			n->stacks[i] = n->stacks[d->stacks[i].parent] |
				       funcs[d->frames[d->stacks[i].frame].func];
		free(funcs);
		n->stacks[0] = func_bits(s, names_func(names, n->no_stack));
		n->stacks[n->nstacks] = func_bits(s, names_func(names, n->between));
		for (size_t i = 0; i <= n->nstacks; i++)
			n->stacks[i] = (n->stacks[i] & (needed | HAS_UNWANTED)) == needed;
	}
	if (s->any_state || s->filter->weight != WEIGHT_CPU)
		n->stacks[n->nstacks] = 0;
}

void selection_init(struct selection *n, const struct select *s, const struct dict *d,
		    struct names *names)
{
	*n = (struct selection){
		.select = s,
		.nprocesses = d->nprocesses,
		.nthreads = d->nthreads,
		.nstacks = d->nstacks,
		.no_stack = pseudo(names, "[no stack]"),
		.between = pseudo(names, "[cpu between samples]"),
	};
	n->processes = mem_alloc(n->nprocesses);
	for (size_t i = 0; i < n->nprocesses; i++) {
		const struct process_record *r = &d->processes[i];
		n->processes[i] = keeps(s, FILTER_PROCESS, r->pid, dict_string(d, r->name));
	}
	n->threads = mem_alloc(n->nthreads);
	for (size_t i = 0; i < n->nthreads; i++) {
		const struct thread_record *r = &d->threads[i];
		n->threads[i] = n->processes[r->process] &&
				keeps(s, FILTER_THREAD, r->tid, dict_string(d, r->name));
	}
	select_stacks(n, d, names);
}

void selection_release(struct selection *n)
{
	free(n->processes);
	free(n->threads);
	free(n->stacks);
	*n = (struct selection){0};
}
