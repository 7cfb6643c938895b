/* Functions as people read them, and search in their names. */
#ifndef TUI_LABEL_H
#define TUI_LABEL_H

#include <regex.h>
#include <stdbool.h>

#include "store/names.h"

struct buf;

/* "to_json (orders.py:77)" for Python; the name for the rest. */
void label_func(struct buf *out, const struct func *f);
/* The end of a path that tells files apart: "orders.py", "json/__init__.py". */
const char *label_file(const char *path);
/* "1 stack", "4,431 stacks". */
void label_stacks(struct buf *out, uint64_t n);

/* What a search matches: as filter.h's text, a part of the name, module or file whatever
 * the case, or "re:EXPR". */
struct matcher {
	char *text; /* NULL: matches nothing */
	bool is_regex;
	regex_t regex;
};
void matcher_init(struct matcher *m, const char *text); /* a bad expression matches nothing */
void matcher_release(struct matcher *m);
bool matcher_match(const struct matcher *m, const struct func *f);

#endif
