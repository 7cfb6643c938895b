/* The functions that queries speak of, numbered across segments and stores.
 *
 * A segment has its own numbers; a query translates them to these, so that trees of several
 * days, or of two stores, merge by name: kind, name and module (Python: and file). Strings
 * are clean UTF-8 (base/text.h): views and reports print them as they are. One thread puts;
 * others may meanwhile look up the numbers they were given. */
#ifndef STORE_NAMES_H
#define STORE_NAMES_H

#include "store/sample.h"

struct func {
	enum frame_kind kind;
	const char *name;   /* never NULL or empty */
	const char *module; /* basename of the ELF file, or ""; "[kernel]", "[vdso]", "[jit]" */
	const char *file;   /* source path, or "" */
	uint32_t line;      /* the function's first line, 0 unknown; with filter.lines the frame's */
};

struct names;

struct names *names_new(void);
void names_free(struct names *n);
uint32_t names_put(struct names *n, const struct func *f); /* strings copied and cleaned */
uint32_t names_put_line(struct names *n, const struct func *f); /* the same, split by file and line */
const struct func *names_func(const struct names *n, uint32_t id); /* valid until names_free */
size_t names_count(const struct names *n);

#endif
