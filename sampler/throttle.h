/* --max-stop: how many ticks are taken, so that no thread is held for more than its share.
 *
 * What a tick costs the thread that it holds longest is followed over about a second; as many ticks
 * are taken, evenly, as that leaves. It begins with a guess, so that the first second of a high
 * rate is within the bound, too. Pure: numbers in, numbers out. */
#ifndef SAMPLER_THROTTLE_H
#define SAMPLER_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

struct throttle {
	double rate_hz, max_percent;
	double cost_ns;       /* of a tick, to the thread that it holds longest */
	double keep, credit;  /* share of the ticks that is taken; what is left over of it */
	double told;          /* the share when it was last told */
	int64_t begun;        /* the window: since when (monotonic), */
	uint32_t number;      /* which, */
	uint32_t taken;       /* ticks taken in it, */
	uint64_t worst_ns;    /* and the longest that a thread was held in it */
};

/* A thread's part in it; all zero at first. */
struct throttle_share {
	uint32_t window;
	uint64_t held_ns;
};

void throttle_init(struct throttle *t, double rate_hz, double max_percent, int64_t now);

/* Is the tick that is due to be taken? */
bool throttle_take(struct throttle *t);

/* A thread was held. */
void throttle_held(struct throttle *t, struct throttle_share *share, uint64_t ns);

/* At each tick. True: the rate has changed so much that it is to be told: *rate_hz. */
bool throttle_adjust(struct throttle *t, int64_t now, double *rate_hz);

#endif
