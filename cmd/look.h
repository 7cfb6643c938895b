/* What a reading command looks at: the store, and the range of it that was asked for. */
#ifndef CMD_LOOK_H
#define CMD_LOOK_H

#include "store/marks.h"
#include "store/query.h"

struct err;
struct options;

/* Do not move it while it is open: the context points into it. */
struct look {
	struct store *store;
	struct marks marks;
	struct range_context context; /* of the store: its span, its marks, the zone */
	struct range range;           /* within the span */
};

/* Open the store: a path or a name; NULL for the live one, else the newest, which is said on
 * stderr. The range is the whole span. `names` must outlive it. */
int look_open(struct look *s, const struct options *o, const char *store, struct names *names,
	      struct err *err);
/* Say on stderr if a segment is damaged and left out. */
void look_damage(const struct store *s);

void look_close(struct look *s);

/* Set the range to what --range, --from and --to ask for; without them it is left alone. */
int look_range(struct look *s, const struct options *o, struct err *err);

/* Set it to `want`. What lies outside of the store is cut off and said on stderr; a range
 * wholly outside is ERR_FAILED, the store's span named. */
int look_clip(struct look *s, struct range want, struct err *err);

/* look_open and look_range for the command's first argument. */
int look_first(struct look *s, const struct options *o, struct names *names, struct err *err);

/* Its range and zone, for people: "2026-12-01 14:03:00..14:04:00 +01:00". */
void look_text(struct buf *out, const struct look *s);

#endif
