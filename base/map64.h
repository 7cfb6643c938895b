/* A hash table from 64-bit keys to 32-bit values, for (parent, frame) and (pc) look-ups.
 * Keys must not be MAP64_NONE. */
#ifndef BASE_MAP64_H
#define BASE_MAP64_H

#include <stddef.h>
#include <stdint.h>

#define MAP64_NONE UINT64_MAX

struct map64 {
	struct map64_slot *slots;
	size_t nslots, count; /* nslots is a power of two, or 0 */
};

#define MAP64_INIT {NULL, 0, 0}

void map64_free(struct map64 *m);
void map64_clear(struct map64 *m); /* keeps the memory */

/* Make room for so many keys, so that entering them does not grow the table. */
void map64_reserve(struct map64 *m, size_t count);

/* The value of the key, or `missing`. */
uint32_t map64_get(const struct map64 *m, uint64_t key, uint32_t missing);

/* Where the key's value is, entered with `initial` if it was not there. The pointer holds
 * until the next map64_at. */
uint32_t *map64_at(struct map64 *m, uint64_t key, uint32_t initial);

#endif
