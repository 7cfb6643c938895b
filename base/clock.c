/* Clocks, in nanoseconds. */
#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t clock_mono(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_real(void)
{
	return read_clock(CLOCK_REALTIME);
}
