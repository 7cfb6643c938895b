/* Ranges of time: half open, in nanoseconds since 1970-01-01T00:00:00Z, and their text.
 *
 * RANGE is T, T..T, ..T, T.., T..+30s, @mark, @m..@n. A T alone is the unit it names:
 * 14:03 the minute, 14:03:00 the second, 2026-12-01 the day; -30s the last 30 s of the
 * store. A clock time without a date is its latest in the span; times are local unless
 * `utc`, or written with an offset or Z (2026-12-01T14:03:00Z). The doubled hour of a DST
 * change is the first one, and a skipped time is moved on by the gap. Reversed ends are
 * put in order. Units of a duration: ms, s, m or min, h, d. Pure: reads no clock. */
#ifndef STORE_RANGE_H
#define STORE_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct buf;

struct range {
	int64_t from, to;
};

struct range_context {
	struct range span; /* what the store holds: the anchor for clock times and -30s */
	bool utc;
	/* Finds a mark by name; false: no such mark. May be NULL (no marks). */
	bool (*mark)(void *arg, const char *name, struct range *out);
	void *arg;
};

/* Parse RANGE; not clipped to the span. An unreadable text is ERR_USAGE. */
int range_parse(const char *text, const struct range_context *ctx, struct range *out, struct err *err);

/* Parse one T (of --from, --to, and of the screen's go to): the unit it names. */
int range_parse_time(const char *text, const struct range_context *ctx, struct range *out, struct err *err);

/* Parse a duration, "20ms", "1s", "5m", "1h", "7d": nanoseconds > 0. */
int range_parse_duration(const char *text, int64_t *ns, struct err *err);

enum range_clip { RANGE_INSIDE, RANGE_CLIPPED, RANGE_OUTSIDE };
enum range_clip range_clip(struct range *r, struct range span);

static inline int64_t range_length(struct range r)
{
	return r.to - r.from;
}

/* Text that range_parse reads back to the same range (seconds and finer as needed, with a
 * date where it is not the span's last day). */
void range_text(struct buf *out, struct range r, const struct range_context *ctx);

/* A time as text: "2026-12-01T14:03:09Z" (RFC 3339), and a zone: "+01:00". */
void time_rfc3339(struct buf *out, int64_t ns);            /* always UTC with Z; ms where not whole */
void time_zone(struct buf *out, int64_t ns, bool utc);     /* "+01:00", "Z" with utc */

#endif
