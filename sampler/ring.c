/* The ring between the sampler thread and the worker. The memory is mapped twice, one copy
 * behind the other, so that a message that crosses the end is contiguous all the same. */
#include "sampler/ring.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int ring_init(struct ring *r, size_t size)
{
	int fd = memfd_create("cprof-ring", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	unsigned char *base = MAP_FAILED;
	if (ftruncate(fd, (off_t)size))
		goto out;
	base = mmap(NULL, size * 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED)
		goto out;
	for (int half = 0; half < 2; half++) {
		void *p = mmap(base + size * (size_t)half, size, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_FIXED, fd, 0);
		if (p == MAP_FAILED) {
			munmap(base, size * 2);
			base = MAP_FAILED;
			goto out;
		}
	}
	*r = (struct ring){.data = base, .size = size};
out:
	close(fd);
	return base == MAP_FAILED ? -1 : 0;
}

void ring_free(struct ring *r)
{
	if (r->data)
		munmap(r->data, r->size * 2);
	r->data = NULL;
}

static size_t aligned(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

void *ring_reserve(struct ring *r, size_t size)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_acquire);
	if (r->size - (size_t)(head - tail) < aligned(size))
		return NULL;
	return r->data + (head & (r->size - 1));
}

void ring_commit(struct ring *r, size_t size)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
	atomic_store_explicit(&r->head, head + aligned(size), memory_order_release);
}

const void *ring_peek(struct ring *r)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	uint64_t head = atomic_load_explicit(&r->head, memory_order_acquire);
	return head == tail ? NULL : r->data + (tail & (r->size - 1));
}

void ring_release(struct ring *r, size_t size)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
	atomic_store_explicit(&r->tail, tail + aligned(size), memory_order_release);
}
