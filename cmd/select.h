/* What a reading command looks at: the store, and the range of it that was asked for. */
#ifndef CMD_SELECT_H
#define CMD_SELECT_H

#include "store/marks.h"
#include "store/query.h"

struct err;
struct options;

/* Do not move it while it is open: the context points into it. */
struct selection {
	struct store *store;
	struct marks marks;
	struct range_context context; /* of the store: its span, its marks, the zone */
	struct range range;           /* within the span */
};

/* Open the store: a path or a name; NULL for the live one, else the newest, which is said on
 * stderr. The range is the whole span. `names` must outlive the selection. */
int select_open(struct selection *s, const struct options *o, const char *store,
		struct names *names, struct err *err);
void select_close(struct selection *s);

/* Set the range to what --range, --from and --to ask for; without them it is left alone. */
int select_range(struct selection *s, const struct options *o, struct err *err);

/* Set it to `want`. What lies outside of the store is cut off and said on stderr; a range
 * wholly outside is ERR_FAILED, the store's span named. */
int select_clip(struct selection *s, struct range want, struct err *err);

/* select_open and select_range for the command's first argument. */
int select_first(struct selection *s, const struct options *o, struct names *names,
		 struct err *err);

/* The selection's range and zone, for people: "2026-12-01 14:03:00..14:04:00 +01:00". */
void select_text(struct buf *out, const struct selection *s);

#endif
