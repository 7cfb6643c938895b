/* Transitions of filters, the weight and marks. */
#include <string.h>

#include "tui/model.h"

void model_unfilter(struct model *m)
{
	if (!m->at.filter.count)
		return;
	model_remember(m);
	while (m->at.filter.count)
		filter_remove(&m->at.filter, m->at.filter.count - 1);
}

bool model_negate(struct model *m)
{
	struct filter *f = &m->at.filter;
	if (!f->count)
		return false;
	model_remember(m);
	f->terms[f->count - 1].negated = !f->terms[f->count - 1].negated;
	model_fix_weight(m, NULL);
	return true;
}

/* A weight that counts every state asked for: the present one, else the first that does;
 * wall counts them all. */
void model_fix_weight(struct model *m, bool *changed)
{
	if (changed)
		*changed = false;
	if (filter_check(&m->at.filter, NULL) == 0)
		return;
	static const enum weight order[] = {WEIGHT_CPU, WEIGHT_OFF_CPU, WEIGHT_WALL};
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		m->at.filter.weight = order[i];
		if (filter_check(&m->at.filter, NULL) == 0)
			break;
	}
	if (changed)
		*changed = true;
}

int model_filter_add(struct model *m, enum filter_key key, const char *value, bool *changed,
		     struct err *err)
{
	model_remember(m);
	if (filter_add(&m->at.filter, key, value, false, err) != 0)
		return -1;
	model_fix_weight(m, changed);
	return 0;
}

static bool same(const struct filter_term *t, enum filter_key key, const char *value)
{
	return t->key == key && !t->negated && strcmp(t->value, value) == 0;
}

bool model_filtered(const struct model *m, enum filter_key key, const char *value)
{
	for (size_t i = 0; i < m->at.filter.count; i++)
		if (same(&m->at.filter.terms[i], key, value))
			return true;
	return false;
}

int model_filter_only(struct model *m, enum filter_key key, const char *value, bool *changed,
		      struct err *err)
{
	bool on = model_filtered(m, key, value);
	*changed = false;
	model_remember(m);
	struct filter *f = &m->at.filter;
	for (size_t i = f->count; i-- > 0;)
		if (f->terms[i].key == key)
			filter_remove(f, i);
	return on ? 0 : model_filter_add(m, key, value, changed, err);
}

void model_next_weight(struct model *m)
{
	model_remember(m);
	enum weight w = m->at.filter.weight;
	do {
		w = (enum weight)((w + 1) % WEIGHT_COUNT);
		m->at.filter.weight = w;
	} while (filter_check(&m->at.filter, NULL) != 0 && w != WEIGHT_WALL);
}

void model_mark(struct model *m, const char *name, const char *note)
{
	model_remember(m);
	m->growing = false;
	spot_mark_set(&m->at, name, model_range(m), &m->at.filter, note);
}

bool model_go_mark(struct model *m, const char *name)
{
	const struct mark *mark = spot_mark(&m->at, name);
	for (size_t i = 0; !mark && i < m->at.nmarks; i++)
		if (strncmp(m->at.marks[i].name, name, strlen(name)) == 0)
			mark = &m->at.marks[i];
	if (!mark)
		return false;
	struct filter f = FILTER_INIT;
	filter_copy(&f, &mark->filter);
	struct range r = mark->range;
	model_remember(m);
	m->growing = false;
	model_move_to(m, r.from);
	model_select(m, r);
	filter_release(&m->at.filter);
	m->at.filter = f;
	return true;
}
