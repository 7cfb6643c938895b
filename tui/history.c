/* Places and their history. */
#include "tui/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void path_release(struct path *p)
{
	free(p->funcs);
	*p = (struct path){0};
}

void path_set(struct path *p, const uint32_t *funcs, size_t n)
{
	p->funcs = mem_grow(p->funcs, &p->cap, n ? n : 1, sizeof(*p->funcs));
	if (n)
		memmove(p->funcs, funcs, n * sizeof(*funcs));
	p->n = n;
}

bool path_equal(const struct path *a, const struct path *b)
{
	return a->n == b->n && (!a->n || memcmp(a->funcs, b->funcs, a->n * sizeof(*a->funcs)) == 0);
}

static void mark_release(struct mark *m)
{
	free(m->name);
	free(m->note);
	filter_release(&m->filter);
}

static void drop_marks(struct spot *p)
{
	for (size_t i = 0; i < p->nmarks; i++)
		mark_release(&p->marks[i]);
	p->nmarks = 0;
}

void spot_release(struct spot *p)
{
	drop_marks(p);
	free(p->marks);
	filter_release(&p->filter);
	path_release(&p->root);
	*p = (struct spot){0};
}

static void copy_filter(struct filter *to, const struct filter *from)
{
	filter_release(to);
	filter_copy(to, from);
}

void spot_copy(struct spot *to, const struct spot *from)
{
	to->selected = from->selected;
	to->range = from->range;
	to->zoom = from->zoom;
	to->cursor = from->cursor;
	copy_filter(&to->filter, &from->filter);
	path_set(&to->root, from->root.funcs, from->root.n);
	drop_marks(to);
	for (size_t i = 0; i < from->nmarks; i++) {
		const struct mark *m = &from->marks[i];
		spot_mark_set(to, m->name, m->range, &m->filter, m->note);
	}
}

static bool range_same(struct range a, struct range b)
{
	return a.from == b.from && a.to == b.to;
}

static bool marks_equal(const struct spot *a, const struct spot *b)
{
	if (a->nmarks != b->nmarks)
		return false;
	for (size_t i = 0; i < a->nmarks; i++) {
		const struct mark *m = &a->marks[i], *o = &b->marks[i];
		if (strcmp(m->name, o->name) != 0 || strcmp(m->note, o->note) != 0 ||
		    !range_same(m->range, o->range) || !filter_equal(&m->filter, &o->filter))
			return false;
	}
	return true;
}

bool spot_equal(const struct spot *a, const struct spot *b)
{
	return a->selected == b->selected && (!a->selected || range_same(a->range, b->range)) &&
	       a->zoom == b->zoom && filter_equal(&a->filter, &b->filter) &&
	       path_equal(&a->root, &b->root) && marks_equal(a, b);
}

struct mark *spot_mark(const struct spot *p, const char *name)
{
	for (size_t i = 0; i < p->nmarks; i++)
		if (strcmp(p->marks[i].name, name) == 0)
			return &p->marks[i];
	return NULL;
}

void spot_mark_set(struct spot *p, const char *name, struct range r, const struct filter *f,
		   const char *note)
{
	struct mark made = {mem_strdup(name), mem_strdup(note ? note : ""), r, FILTER_INIT};
	filter_copy(&made.filter, f);
	struct mark *old = spot_mark(p, name);
	if (old) {
		mark_release(old);
		*old = made;
		return;
	}
	p->marks = mem_grow(p->marks, &p->marks_cap, p->nmarks + 1, sizeof(*p->marks));
	p->marks[p->nmarks++] = made;
}

void spot_mark_remove(struct spot *p, const char *name)
{
	struct mark *m = spot_mark(p, name);
	if (!m)
		return;
	mark_release(m);
	size_t i = (size_t)(m - p->marks);
	memmove(m, m + 1, (p->nmarks - i - 1) * sizeof(*m));
	p->nmarks--;
}

static void push(struct spot **list, size_t *n, size_t *cap, const struct spot *p)
{
	if (*n == HISTORY_MAX) {
		spot_release(&(*list)[0]);
		memmove(*list, *list + 1, (*n - 1) * sizeof(**list));
		(*n)--;
	}
	*list = mem_grow(*list, cap, *n + 1, sizeof(**list));
	(*list)[*n] = (struct spot){0};
	spot_copy(&(*list)[(*n)++], p);
}

static void drop(struct spot *list, size_t *n)
{
	while (*n)
		spot_release(&list[--*n]);
}

void history_release(struct history *h)
{
	drop(h->back, &h->nback);
	drop(h->forward, &h->nforward);
	free(h->back);
	free(h->forward);
	*h = (struct history){0};
}

void history_remember(struct history *h, const struct spot *now)
{
	if (h->nback && spot_equal(&h->back[h->nback - 1], now))
		return;
	push(&h->back, &h->nback, &h->back_cap, now);
	drop(h->forward, &h->nforward);
}

/* Take the newest place that differs from where we are. */
static bool take(struct spot *list, size_t *n, struct spot *now)
{
	while (*n) {
		struct spot *p = &list[--*n];
		bool other = !spot_equal(p, now);
		if (other)
			spot_copy(now, p);
		spot_release(p);
		if (other)
			return true;
	}
	return false;
}

bool history_back(struct history *h, struct spot *now)
{
	struct spot was = {0};
	spot_copy(&was, now);
	bool moved = take(h->back, &h->nback, now);
	if (moved)
		push(&h->forward, &h->nforward, &h->forward_cap, &was);
	spot_release(&was);
	return moved;
}

bool history_forward(struct history *h, struct spot *now)
{
	struct spot was = {0};
	spot_copy(&was, now);
	bool moved = take(h->forward, &h->nforward, now);
	if (moved)
		push(&h->back, &h->nback, &h->back_cap, &was);
	spot_release(&was);
	return moved;
}
