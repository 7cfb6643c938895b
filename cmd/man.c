/* The parts of the man page that come from tables. */
#include "cmd/man.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/options.h"

static void section(struct buf *out, const char *name, bool begin)
{
	buf_fmt(out, ".\\\" %s %s\n", begin ? "begin" : "end", name);
}

static void synopsis(struct buf *out, const struct command *c, size_t n)
{
	section(out, "synopsis", true);
	for (size_t i = 0; i < n; i++)
		buf_fmt(out, ".Nm\n.Cm %s\n%s\n", c[i].name, c[i].usage);
	section(out, "synopsis", false);
}

static void list_commands(struct buf *out, const struct command *c, size_t n)
{
	section(out, "commands", true);
	buf_str(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < n; i++) {
		buf_fmt(out, ".It Cm %s\n%s.\n", c[i].name, c[i].help);
		if (c[i].more)
			buf_fmt(out, "%s\n", c[i].more);
	}
	buf_str(out, ".El\n");
	section(out, "commands", false);
}

static void list_options(struct buf *out, const struct command *c, size_t n)
{
	const struct command **set = mem_alloc(n * sizeof(*set));
	for (size_t i = 0; i < n; i++)
		set[i] = &c[i];
	section(out, "options", true);
	buf_str(out, ".Bl -tag -width Ds\n");
	options_mdoc(out, set, n);
	buf_str(out, ".El\n");
	section(out, "options", false);
	free(set);
}

void man_sections(struct buf *out, const struct command *commands, size_t n)
{
	synopsis(out, commands, n);
	list_commands(out, commands, n);
	list_options(out, commands, n);
}
