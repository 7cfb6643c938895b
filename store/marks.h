/* Marks: named ranges with their filter and a note, in a text file beside the segments.
 *
 * STORE/marks, or $XDG_STATE_HOME/cprof/marks/STORENAME-HASH (of its path) where that is not writable; replaced
 * by rename, so a viewer never writes LMDB. One line a mark: name, from and to (RFC 3339 with
 * nanoseconds as needed), weight, filter, note, separated by tabs, escaped by \t \n \\. The
 * marks "a" and "b" are the sides of a diff. */
#ifndef STORE_MARKS_H
#define STORE_MARKS_H

#include "store/filter.h"

struct mark {
	char *name, *note;
	struct range range;
	struct filter filter;
};

struct marks {
	char *path; /* where they are saved */
	struct mark *items;
	size_t count, cap;
};

int marks_load(struct marks *m, const char *store_path, struct err *err); /* no file: no marks */
int marks_save(const struct marks *m, struct err *err);
void marks_release(struct marks *m);

struct mark *marks_find(struct marks *m, const char *name);
/* Set, or replace, a mark. */
void marks_set(struct marks *m, const char *name, struct range range, const struct filter *f, const char *note);
void marks_remove(struct marks *m, const char *name);

/* For range_context.mark; arg is the struct marks. */
bool marks_range(void *arg, const char *name, struct range *out);

#endif
