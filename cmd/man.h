/* The parts of the man page that come from tables: commands, options, keys. */
#ifndef CMD_MAN_H
#define CMD_MAN_H

#include <stddef.h>

struct buf;
struct command;

/* Appends the sections as mdoc(7), each between the lines `.\" begin NAME` and `.\" end NAME`
 * that the page has too; tools/man.sh puts them there. */
void man_sections(struct buf *out, const struct command *commands, size_t n);

/* Text as roff(7) takes it, at the beginning of a line or as an argument. */
void man_text(struct buf *out, const char *s);

#endif
