/* The plain view: a store as text, for where there is no screen. */
#ifndef CMD_PLAIN_H
#define CMD_PLAIN_H

#include "store/query.h"

struct err;
struct options;
struct range_context;

/* Is it asked for (--plain), or all there can be: stdout is no terminal, or a dumb one? */
bool plain_wanted(const struct options *o);

/* Print on stdout: when, how much, the heatmap in bars (a row a minute, hour or day, so that
 * it stays within a page), the hottest path in words, the functions with most self time. */
int plain_print(struct store *s, struct range range, const struct range_context *context,
		const struct options *o, struct err *err);

#endif
