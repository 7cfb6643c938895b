/* Civil time of a zone: days and clocks to moments and back. Inside store/ only.
 *
 * Local is the zone of the process (TZ); every look-up asks libc anew, so one call is
 * consistent in itself and nothing is kept between calls. */
#ifndef STORE_ZONE_H
#define STORE_ZONE_H

#include <stdbool.h>
#include <stdint.h>

struct zone {
	bool fixed;     /* at an offset, else local */
	int32_t offset; /* seconds east of Greenwich, when fixed */
};

#define ZONE_UTC ((struct zone){true, 0})

/* Seconds from 1970-01-01T00:00 of a civil clock, as if it were UTC's. */
struct civil {
	int year, month, day;
	int hour, minute, second;
};
int64_t civil_seconds(const struct civil *c);
struct civil civil_of(int64_t seconds);
bool civil_valid(const struct civil *c); /* years 1970 to 2200 */

/* The moment of a civil clock: the first one where it comes twice; where it is skipped, moved on
 * by the gap. */
int64_t zone_moment(struct zone z, int64_t civil);

/* The offset in force at a moment, seconds east. */
int32_t zone_offset(struct zone z, int64_t moment);

#endif
