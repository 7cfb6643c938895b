/* Interning: byte strings become small numbers, the same bytes the same number.
 *
 * Numbers run from 0 without holes in the order of first use. The bytes are kept in the
 * table, each followed by a NUL, and stay where they are until intern_free. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct intern {
	struct intern_item *items;
	size_t count, cap;
	uint32_t *slots; /* item number + 1, 0 free; nslots is a power of two */
	size_t nslots;
	struct intern_chunk *chunks;
	size_t bytes; /* memory held for the strings */
};

#define INTERN_INIT {NULL, 0, 0, NULL, 0, NULL, 0}

void intern_free(struct intern *t);
uint32_t intern_put(struct intern *t, const void *p, size_t n, bool *fresh); /* fresh may be NULL */
bool intern_find(const struct intern *t, const void *p, size_t n, uint32_t *id);
const void *intern_get(const struct intern *t, uint32_t id, size_t *n); /* n may be NULL */

/* A good 64-bit hash of bytes, and of one number; for tables in memory only. */
uint64_t hash_bytes(const void *p, size_t n);
uint64_t hash_u64(uint64_t x);

#endif
