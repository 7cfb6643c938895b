/* A module's symbols as a sorted table. */
#include "sampler/symtab.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void symtab_release(struct symtab *t)
{
	free(t->items);
	*t = (struct symtab){NULL, 0, 0};
}

void symtab_add(struct symtab *t, const struct symbol *s)
{
	t->items = mem_grow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count++] = *s;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* By address, then the preferred first. */
static int compare(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	bool sized_a = a->end > a->start, sized_b = b->end > b->start;
	if (sized_a != sized_b)
		return sized_a ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	size_t ua = underscores(a->name), ub = underscores(b->name);
	if (ua != ub)
		return ua < ub ? -1 : 1;
	size_t la = strlen(a->name), lb = strlen(b->name);
	if (la != lb)
		return la < lb ? -1 : 1;
	return strcmp(a->name, b->name);
}

void symtab_finish(struct symtab *t, bool open_ended)
{
	if (!t->count)
		return;
	qsort(t->items, t->count, sizeof(*t->items), compare);
	size_t kept = 0;
	for (size_t i = 0; i < t->count; i++)
		if (!kept || t->items[kept - 1].start != t->items[i].start)
			t->items[kept++] = t->items[i];
	t->count = kept;
	for (size_t i = 0; i < kept; i++) {
		struct symbol *s = &t->items[i];
		if (s->end > s->start)
			continue;
		s->end = s->start + 1;
		if (open_ended)
			s->end = i + 1 < kept ? t->items[i + 1].start : UINT64_MAX;
	}
}

const struct symbol *symtab_find(const struct symtab *t, uint64_t addr)
{
	size_t lo = 0, hi = t->count;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (t->items[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* a symbol inside another ends before its outer one does: look back a little */
	enum { NESTED = 8 };
	for (size_t i = lo; i > 0 && lo - i < NESTED; i--)
		if (addr < t->items[i - 1].end)
			return &t->items[i - 1];
	return NULL;
}

char *symbol_demangle(const char *name)
{
	const char *at = strchr(name, '@');
	char *plain = at && at != name ? mem_strndup(name, (size_t)(at - name)) : mem_strdup(name);
	/* a prefix alone says that it may be mangled: cplus_demangle would also take "_Z" apart in C */
	bool mangled = !strncmp(plain, "_Z", 2) || !strncmp(plain, "_R", 2) ||
		       !strncmp(plain, "_D", 2) || !strncmp(plain, "__Z", 3);
	char *pretty = mangled ? cplus_demangle(plain, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI) : NULL;
	if (!pretty)
		return plain;
	free(plain);
	return pretty;
}
