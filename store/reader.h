/* What the queries share: a store's segments as they are read. Inside store/ only. */
#ifndef STORE_READER_H
#define STORE_READER_H

#include <time.h>

#include "store/dict.h"
#include "store/query.h"

struct view {
	char *name;
	struct pages *pages;
	uint64_t version;      /* of the data file at the last refresh */
	uint64_t dict_version; /* for which the dictionaries are loaded */
	bool dict_loaded;
	bool empty;
	uint32_t first, last; /* seconds, when not empty */
	double rate;
	struct dict dict;
};

struct store {
	char *path;
	struct names *names; /* borrowed */
	struct view **views;
	size_t count, cap;
	uint64_t generation;
	struct timespec changed; /* of the folder, when it was last listed */
	char *damage;
};

/* Load the dictionaries of a view as far as they have grown. */
int view_dict(struct store *s, struct view *v, struct err *err);

/* The value of a name in the table meta, with a NUL behind it (caller frees); NULL none. */
char *view_meta(struct view *v, const char *name, size_t *n);

/* Nanoseconds to the seconds that hold them, within what a key can say. */
struct second_span {
	uint32_t first, last;
	bool empty;
};
struct second_span seconds_of(struct range r, const struct view *v);

bool query_interrupted(const struct query *q, struct err *err);

/* The window of a second that was recorded, in ns from its start: all of it, or, as the ticks
 * tell, its end (a recording that begins), its beginning, or what lies between. */
struct log_part;
struct range covered_window(const struct log_part *p);

#endif
