/* A call tree as lines of text: a chain of callers of which each does little but call the next
 * is one line, "main › run › loop", so that what branches below it is seen. */
#ifndef CMD_LINES_H
#define CMD_LINES_H

#include "store/calltree.h"

struct buf;

struct tree_line {
	uint32_t first, last; /* nodes: the ends of the chain, the caller first */
	uint32_t indent;      /* columns */
};

/* The lines with the largest totals, at most `limit`, each below its caller's; the caller
 * frees. *all is how many there would be. */
size_t tree_lines(const struct calltree *t, size_t limit, struct tree_line **lines, size_t *all);

/* The functions of the line; the middle of a long chain is left out. */
void tree_line_text(struct buf *out, const struct calltree *t, const struct tree_line *l,
		    bool ascii);

/* Must text stay within ASCII: asked for, or the locale has no more? */
bool text_is_ascii(bool asked);

#endif
