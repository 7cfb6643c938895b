/* The watchdog: a process of its own that ends a recorder which hangs while it holds a thread of
 * the target. When the recorder dies, the kernel lets go of what it held.
 *
 * The sampler shows a sign of life in each turn of its loop, and whether any thread is between
 * SEIZE and DETACH. Nothing else is shared, so that nothing that hangs there hangs here. */
#ifndef SAMPLER_WATCHDOG_H
#define SAMPLER_WATCHDOG_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

/* Shared with the watchdog. */
struct life_sign {
	_Atomic int64_t at;      /* monotonic ns of the latest sign; 0: not begun, or over */
	_Atomic uint32_t asked;  /* threads between SEIZE and DETACH */
};

struct watchdog {
	struct life_sign *sign;
	pid_t pid;
};

/* Start it: before this process has other threads. */
int watchdog_start(struct watchdog *w, struct err *err);
void watchdog_stop(struct watchdog *w);

/* For tests: is a sign that old, with a thread asked for, a hang? */
int watchdog_hangs(int64_t now, int64_t sign_at, uint32_t asked);

#endif
