/* The guard: reaps for the tracer while that sits in a ptrace call.
 *
 * An exec of a process with several threads waits for its other threads to be reaped by their
 * tracer, with a lock held that the tracer's next SEIZE in that process needs; no signal ends that
 * SEIZE (linux: de_thread() and cred_guard_mutex in fs/exec.c, ptrace_attach in kernel/ptrace.c).
 * So a second thread of the tracer's process reaps when a call has lasted for milliseconds. It
 * looks often while there are such calls, and rests while there are none. */
#ifndef SAMPLER_GUARD_H
#define SAMPLER_GUARD_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct guard {
	_Atomic int64_t since;  /* monotonic: the tracer has been in a call since then; 0: it is not */
	_Atomic uint32_t calls; /* how many there have been */
	_Atomic bool rests, over;
	sem_t wake;
};

void guard_init(struct guard *g);
void guard_release(struct guard *g);

/* The tracer: around each call that may have to wait. guard_over: there will be no more. */
void guard_enter(struct guard *g, int64_t now);
void guard_leave(struct guard *g);
void guard_over(struct guard *g);

/* The second thread's body: until guard_over. `reap` reaps all there is, without blocking. */
void guard_watch(struct guard *g, void (*reap)(void));

#endif
