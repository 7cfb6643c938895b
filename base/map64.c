/* A hash table from 64-bit keys to 32-bit values: open addressing, linear probing. */
#include "base/map64.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/mem.h"

struct map64_slot {
	uint64_t key;
	uint32_t value;
};

void map64_free(struct map64 *m)
{
	free(m->slots);
	*m = (struct map64)MAP64_INIT;
}

void map64_clear(struct map64 *m)
{
	for (size_t i = 0; i < m->nslots; i++)
		m->slots[i].key = MAP64_NONE;
	m->count = 0;
}

static struct map64_slot *probe(const struct map64 *m, uint64_t key)
{
	size_t mask = m->nslots - 1;
	size_t i = hash_u64(key) & mask;
	while (m->slots[i].key != key && m->slots[i].key != MAP64_NONE)
		i = (i + 1) & mask;
	return &m->slots[i];
}

static void grow(struct map64 *m, size_t nslots)
{
	struct map64 bigger = {NULL, nslots, m->count};
	bigger.slots = mem_alloc(bigger.nslots * sizeof(*bigger.slots));
	for (size_t i = 0; i < bigger.nslots; i++)
		bigger.slots[i].key = MAP64_NONE;
	for (size_t i = 0; i < m->nslots; i++)
		if (m->slots[i].key != MAP64_NONE)
			*probe(&bigger, m->slots[i].key) = m->slots[i];
	free(m->slots);
	*m = bigger;
}

void map64_reserve(struct map64 *m, size_t count)
{
	size_t nslots = m->nslots ? m->nslots : 64;
	while ((count + 1) * 3 > nslots * 2)
		nslots *= 2;
	if (nslots > m->nslots)
		grow(m, nslots);
}

uint32_t map64_get(const struct map64 *m, uint64_t key, uint32_t missing)
{
	if (!m->nslots)
		return missing;
	const struct map64_slot *s = probe(m, key);
	return s->key == key ? s->value : missing;
}

uint32_t *map64_at(struct map64 *m, uint64_t key, uint32_t initial)
{
	if ((m->count + 1) * 3 > m->nslots * 2)
		grow(m, m->nslots ? m->nslots * 2 : 64);
	struct map64_slot *s = probe(m, key);
	if (s->key != key) {
		*s = (struct map64_slot){key, initial};
		m->count++;
	}
	return &s->value;
}
