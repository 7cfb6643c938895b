/* Holding threads of the target for a moment: the only part that uses ptrace.
 *
 * stopper_ask seizes a thread and asks it to stop; it does not wait. stopper_collect takes the
 * stops that have come in: for each, `ahead` and `copy` are called while the thread is held and
 * may do nothing but copy; then the thread is let go, on one unconditional path; then `done` is
 * called. Between samples nothing is traced but threads that have not stopped yet. All calls
 * come from one thread, which becomes the tracer; it must have SIGCHLD blocked.
 *
 * A stop that is really the delivery of a signal goes on with that signal; a group-stop
 * (Ctrl-Z) stays one; a thread that ends is reported as gone; a system call that the stop has
 * interrupted goes on (sampler/calls.h). */
#ifndef SAMPLER_STOP_H
#define SAMPLER_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "sampler/arch.h"

enum stop_end {
	STOP_TAKEN, /* stopped, copied, let go */
	STOP_GROUP, /* the same, of a thread in a group-stop */
	STOP_GONE,  /* the thread ended instead */
};

struct stop_ops {
	/* The thread is held, but has not left its CPU yet: its registers must wait for that, its
	 * memory need not. May be NULL. */
	void (*ahead)(void *arg, void *owner);
	/* The thread is held. regs are its registers, all known. */
	void (*copy)(void *arg, void *owner, const struct cpu_regs *regs);
	/* The thread runs again (or is gone): held_ns from INTERRUPT, or from when its stop was
	 * seen where it came too late to be polled for, to DETACH. */
	void (*done)(void *arg, void *owner, enum stop_end end, int64_t held_ns);
};

struct stopper {
	struct stop_ops ops;
	void *arg;
	struct asked *asked; /* threads that have not been let go yet */
	size_t count, cap;
	int dummy;         /* a process of our own that is held for rehearsals; 0: none */
	void *dummy_stack;
};

void stopper_init(struct stopper *s, struct stop_ops ops, void *arg);
void stopper_free(struct stopper *s); /* detaches nothing: what is traced ends with the tracer */

/* A stop takes twice as long when what it runs through lies in no cache, which is so after some
 * milliseconds of sleep. So it is rehearsed on a dummy, a child that is stopped for good:
 * stopper_train starts it, from the thread that will be the tracer; it ends with that thread.
 * Where it cannot be had, stopper_rehearse does nothing. */
void stopper_train(struct stopper *s);
void stopper_rehearse(struct stopper *s);

/* Ask the thread to stop. `strict`: it has a seccomp filter, see call_must_restart. 0, or -errno:
 * ESRCH gone, EPERM not permitted or traced by another. */
int stopper_ask(struct stopper *s, int tid, bool strict, void *owner);

/* Handle the stops that are in, without blocking. Gives the number handled. The caller has been
 * looking since `polling` (monotonic; INT64_MAX: only now): of threads asked after that, the
 * whole time counts as held. */
int stopper_collect(struct stopper *s, int64_t polling);

/* Forget a thread that has ended without a word (reaped by the guard thread): calls done. */
void stopper_forget(struct stopper *s, void *owner);

/* Reap what has ended, of all threads of this program: for the guard thread, while the tracer
 * sits in a ptrace call that waits for it (an exec waits for a seized sibling to be reaped). */
void stopper_reap(void);

#endif
