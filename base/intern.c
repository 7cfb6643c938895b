/* Interning: byte strings become small numbers. Open addressing, linear probing, at most
 * two thirds full; the strings live in chunks that never move. */
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct intern_item {
	const char *data;
	uint32_t len;
	uint32_t hash;
};

struct intern_chunk {
	struct intern_chunk *next;
	size_t used, size;
	char data[];
};

enum { CHUNK_BYTES = 64 << 10 };

uint64_t hash_u64(uint64_t x)
{
	/* the finaliser of splitmix64 (Steele, Lea, Flood 2014) */
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

uint64_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *s = p;
	uint64_t h = n * 0x9e3779b97f4a7c15u;
	for (; n >= 8; n -= 8, s += 8) {
		uint64_t word;
		memcpy(&word, s, 8);
		h = hash_u64(h ^ word);
	}
	uint64_t tail = 0;
	if (n)
		memcpy(&tail, s, n);
	return hash_u64(h ^ tail);
}

void intern_free(struct intern *t)
{
	while (t->chunks) {
		struct intern_chunk *next = t->chunks->next;
		free(t->chunks);
		t->chunks = next;
	}
	free(t->items);
	free(t->slots);
	*t = (struct intern)INTERN_INIT;
}

static const char *keep(struct intern *t, const void *p, size_t n)
{
	struct intern_chunk *c = t->chunks;
	if (!c || c->size - c->used < n + 1) {
		size_t size = n + 1 > CHUNK_BYTES ? n + 1 : CHUNK_BYTES;
		c = mem_alloc(sizeof(*c) + size);
		*c = (struct intern_chunk){t->chunks, 0, size};
		t->chunks = c;
		t->bytes += size;
	}
	char *s = c->data + c->used;
	if (n)
		memcpy(s, p, n);
	s[n] = '\0';
	c->used += n + 1;
	return s;
}

/* The slot that holds the bytes, or the free one where they belong. */
static size_t probe(const struct intern *t, const void *p, size_t n, uint32_t hash)
{
	size_t mask = t->nslots - 1;
	size_t i = hash & mask;
	while (t->slots[i]) {
		const struct intern_item *item = &t->items[t->slots[i] - 1];
		if (item->hash == hash && item->len == n && (!n || !memcmp(item->data, p, n)))
			break;
		i = (i + 1) & mask;
	}
	return i;
}

static void rehash(struct intern *t)
{
	size_t n = t->nslots ? t->nslots * 2 : 64;
	free(t->slots);
	t->slots = mem_zalloc(n, sizeof(*t->slots));
	t->nslots = n;
	for (size_t k = 0; k < t->count; k++) {
		size_t i = t->items[k].hash & (n - 1);
		while (t->slots[i])
			i = (i + 1) & (n - 1);
		t->slots[i] = (uint32_t)k + 1;
	}
}

uint32_t intern_put(struct intern *t, const void *p, size_t n, bool *fresh)
{
	if ((t->count + 1) * 3 > t->nslots * 2)
		rehash(t);
	uint32_t hash = (uint32_t)hash_bytes(p, n);
	size_t i = probe(t, p, n, hash);
	if (fresh)
		*fresh = !t->slots[i];
	if (t->slots[i])
		return t->slots[i] - 1;
	t->items = mem_grow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = (struct intern_item){keep(t, p, n), (uint32_t)n, hash};
	t->slots[i] = (uint32_t)++t->count;
	return (uint32_t)t->count - 1;
}

bool intern_find(const struct intern *t, const void *p, size_t n, uint32_t *id)
{
	if (!t->nslots)
		return false;
	size_t i = probe(t, p, n, (uint32_t)hash_bytes(p, n));
	if (!t->slots[i])
		return false;
	*id = t->slots[i] - 1;
	return true;
}

const void *intern_get(const struct intern *t, uint32_t id, size_t *n)
{
	if (n)
		*n = t->items[id].len;
	return t->items[id].data;
}
