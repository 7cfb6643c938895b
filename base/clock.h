/* Clocks, in nanoseconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_US INT64_C(1000)

int64_t clock_mono(void); /* CLOCK_MONOTONIC: for intervals */
int64_t clock_real(void); /* CLOCK_REALTIME, since 1970-01-01T00:00:00Z: for the store */

#endif
