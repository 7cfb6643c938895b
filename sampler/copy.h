/* How much of a thread's stack is copied, and the copy.
 *
 * The worker says in the thread's plan what its stacks have needed (sampler/watched.h): all from sp
 * up to where they have ended, or a number of bytes from sp on and the outermost part apart. */
#ifndef SAMPLER_COPY_H
#define SAMPLER_COPY_H

#include "sampler/message.h"
#include "sampler/watched.h"

/* What a thread's plan asks for at this moment: [from, from + want), and the tail. */
struct copy {
	size_t want, tail_len; /* at most WANT_MAX, OUTER_BYTES */
	uint64_t from, tail_from;
};

struct copy copy_plan(const struct watched_thread *t, uint64_t sp);
size_t copy_size(const struct copy *c);

/* Where the thread's stacks have ended; 0 not known. */
uint64_t copy_top(const struct watched_thread *t);

/* Copy into copy_size() bytes; gives how many could be had. */
size_t copy_read(int tid, void *to, const struct copy *c);

/* Copy into a message with as much room, and say there what it has. */
void copy_take(const struct watched_thread *t, struct msg_sample *m, const struct copy *c);

#endif
