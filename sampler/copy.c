/* How much of a thread's stack is copied, and the copy. */
#include "sampler/copy.h"

#include <sys/uio.h>

uint64_t copy_top(const struct watched_thread *t)
{
	return atomic_load_explicit(&t->plan->top, memory_order_relaxed);
}

struct copy copy_plan(const struct watched_thread *t, uint64_t sp)
{
	struct copy_plan *p = t->plan;
	uint64_t top = copy_top(t);
	if (top > sp && top - sp <= WANT_MAX)
		return (struct copy){.from = sp, .want = top - sp};
	return (struct copy){
		.from = sp,
		.tail_len = atomic_load_explicit(&p->tail_len, memory_order_acquire),
		.want = atomic_load_explicit(&p->want, memory_order_relaxed),
		.tail_from = atomic_load_explicit(&p->tail_from, memory_order_relaxed),
	};
}

size_t copy_size(const struct copy *c)
{
	return c->want + c->tail_len;
}

size_t copy_read(int tid, void *to, const struct copy *c)
{
	struct iovec local = {to, copy_size(c)};
	struct iovec remote[2] = {{(void *)(uintptr_t)c->from, c->want},
				  {(void *)(uintptr_t)c->tail_from, c->tail_len}};
	ssize_t n = process_vm_readv(tid, &local, 1, remote, c->tail_len ? 2 : 1, 0);
	return n > 0 ? (size_t)n : 0;
}

void copy_take(const struct watched_thread *t, struct msg_sample *m, const struct copy *c)
{
	size_t got = copy_read(t->tid, m->stack, c);
	m->stack_base = c->from;
	m->stack_len = (uint32_t)(got < c->want ? got : c->want);
	m->tail_base = c->tail_from;
	m->tail_len = (uint32_t)(got - m->stack_len);
}
