/* The sampler thread: at each tick, the stack and state of every thread, as raw bytes.
 *
 * It holds a thread of the target only for the copy, and only one that runs; it never waits
 * for anything but its clock, and hands everything to the worker through the ring. */
#ifndef SAMPLER_SAMPLER_H
#define SAMPLER_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/ring.h"

struct err;
struct guard;
struct life_sign;
struct sampler;

struct sampler_opts {
	double rate_hz;
	double max_stop; /* percent of the time that any one thread may be held */
	bool whole_stacks;  /* copy as much as can be of each stack at once: for dump */
	bool kernel_stacks; /* of threads that sleep; where permitted */
	const int *pids;
	size_t npids;
	int64_t duration_ns;   /* 0: until told to stop or all targets are gone */
	_Atomic bool *quit;    /* set by others to end it */
	_Atomic bool *pause;   /* while set nothing is sampled, and after sampler_paused held */
	struct life_sign *sign; /* for the watchdog; may be NULL */
	struct guard *guard;    /* may be NULL */
};

/* SIGCHLD must be blocked in the whole program. The pids have been checked before
 * (sampler/target.h); one that is gone by now is left out. */
int sampler_new(struct sampler **out, const struct sampler_opts *opts, struct ring *ring, struct err *err);
void sampler_free(struct sampler *s);

/* The thread's body: runs until the end of the recording. */
void sampler_run(struct sampler *s);

/* One tick, then wait at most wait_ns for threads that have not stopped: for dump. */
void sampler_once(struct sampler *s, int64_t wait_ns);

/* Has it let go of everything, as told by `pause`? */
bool sampler_paused(const struct sampler *s);

/* For the worker: how much of a thread's stack to copy from now on: `want` bytes from sp, and
 * tail_len bytes (0: none) of its outermost part. */
void sampler_plan(struct sampler *s, uint32_t slot, uint32_t want, uint64_t tail_from,
		  uint32_t tail_len);
/* Where its stack ends: if sp lies not further than WANT_MAX below, all up to there is copied. */
void sampler_plan_top(struct sampler *s, uint32_t slot, uint64_t top);
/* And once anew, even if it still sleeps. */
void sampler_again(struct sampler *s, uint32_t slot);

/* After sampler_run: did every target end before it was told to? */
bool sampler_all_gone(const struct sampler *s);

#endif
