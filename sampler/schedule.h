/* When samples are taken: one tick in each period, at a random moment of it.
 *
 * Stratified, so that no program can be in step with the profiler and yet each period counts
 * once. A tick that is late by a whole period is missed, never queued. Pure: times are given. */
#ifndef SAMPLER_SCHEDULE_H
#define SAMPLER_SCHEDULE_H

#include <stdint.h>

struct schedule {
	int64_t origin; /* start of period 0 */
	int64_t period; /* ns */
	uint64_t index; /* the period whose tick comes next */
	int64_t moment; /* of that tick */
	uint64_t random;
};

void schedule_start(struct schedule *s, int64_t now, int64_t period, uint64_t seed);

/* Go on to the next period. */
void schedule_next(struct schedule *s);

/* If the tick is late by a whole period: go on to the next, give 1 and the moment at which it
 * should have been. Otherwise 0. */
int schedule_missed(struct schedule *s, int64_t now, int64_t *moment);

#endif
