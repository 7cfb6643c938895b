/* The ring between the sampler thread, which must never wait, and the worker, which may.
 *
 * One producer, one consumer, no locks. A message is a struct msg with its size in front,
 * aligned to 8 bytes. The producer reserves the most that it may need, fills, and commits
 * what it used; nothing reserved is seen by the consumer. When the ring is full, reserve gives
 * NULL and the tick is counted as missed. */
#ifndef SAMPLER_RING_H
#define SAMPLER_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	unsigned char *data;
	size_t size; /* a power of two */
	_Atomic uint64_t head; /* bytes ever committed */
	_Atomic uint64_t tail; /* bytes ever released */
};

int ring_init(struct ring *r, size_t size); /* -1 with errno; memory is touched beforehand */
void ring_free(struct ring *r);

void *ring_reserve(struct ring *r, size_t size);
void ring_commit(struct ring *r, size_t size);

/* The oldest message, or NULL; valid until ring_release, which takes its size. */
const void *ring_peek(struct ring *r);
void ring_release(struct ring *r, size_t size);

#endif
