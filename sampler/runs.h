/* The samples of one thread as runs of ticks, put together from messages that come late.
 *
 * Ticks are numbered through the whole recording. A thread that sleeps is sampled by saying
 * nothing; one that was asked to stop gets its stack only when it runs again, and the ticks in
 * between get the same. Pure: numbers in, runs out. */
#ifndef SAMPLER_RUNS_H
#define SAMPLER_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Added to a state: the stack does not reach its root. */
enum { RUN_TRUNCATED = 0x80 };

struct tick_run {
	uint32_t tick, count;
	uint32_t stack;
	uint8_t state; /* enum thread_state, perhaps with RUN_TRUNCATED */
};

struct waiting_tick {
	uint32_t tick;
	uint8_t state;
};

struct runs {
	struct tick_run *items; /* in order, not overlapping */
	size_t count, cap;
	uint32_t next;          /* first tick that nothing is known of */
	bool asleep;            /* it sleeps in all ticks from `next` on, */
	uint32_t sleep_stack;   /* with this stack */
	uint8_t sleep_state;
	struct waiting_tick *waiting; /* ticks that wait for a stack */
	size_t nwaiting, waiting_cap;
	uint32_t asked;         /* while any wait: the tick of the stack to come */
};

void runs_init(struct runs *r, uint32_t first_tick);
void runs_release(struct runs *r);

/* Seen running at a tick, perhaps an earlier one than the latest. */
void runs_ran(struct runs *r, uint32_t tick, uint8_t state, uint32_t stack);
/* Fell asleep: from this tick on. */
void runs_sleeps(struct runs *r, uint32_t tick, uint8_t state, uint32_t stack);
/* Still without its stop at this tick. */
void runs_waits(struct runs *r, uint32_t tick, uint8_t state, uint32_t asked);
/* Ended before this tick: nothing is known from then on. */
void runs_end(struct runs *r, uint32_t tick);

/* Is something before `end` still to be told? */
bool runs_unresolved(const struct runs *r, uint32_t end);

/* Complete the runs up to `end` (exclusive): sleeping ticks are filled in, ticks that still
 * wait are given up as `lost_stack`. */
void runs_complete(struct runs *r, uint32_t end, uint32_t lost_stack);
/* Drop what lies before `end`; a run that crosses it is cut. */
void runs_drop(struct runs *r, uint32_t end);

#endif
