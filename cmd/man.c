/* The parts of the man page that come from tables. */
#include "cmd/man.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/options.h"
#include "tui/keys.h"

static void mark(struct buf *out, const char *name, bool begin)
{
	buf_fmt(out, ".\\\" %s %s\n", begin ? "begin" : "end", name);
}

void man_text(struct buf *out, const char *s)
{
	static const struct {
		char c;
		const char *roff;
	} escapes[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
		       {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
	buf_str(out, "\\&"); /* what follows is no request and no delimiter */
	for (; *s; s++) {
		size_t i = 0;
		while (i < sizeof(escapes) / sizeof(escapes[0]) && escapes[i].c != *s)
			i++;
		if (i < sizeof(escapes) / sizeof(escapes[0]))
			buf_str(out, escapes[i].roff);
		else
			buf_char(out, *s);
		if (s[0] == '.' && s[1] == ' ') { /* a new sentence stands on a new line */
			buf_str(out, "\n\\&");
			s++;
		}
	}
}

static void sentence(struct buf *out, const char *s)
{
	man_text(out, s);
	buf_str(out, s[0] && s[strlen(s) - 1] == '.' ? "\n" : ".\n");
}

static void synopsis(struct buf *out, const struct command *c, size_t n)
{
	mark(out, "synopsis", true);
	for (size_t i = 0; i < n; i++) {
		buf_fmt(out, ".Nm\n.Cm %s\n", c[i].name);
		man_text(out, c[i].usage);
		buf_char(out, '\n');
	}
	mark(out, "synopsis", false);
}

static void list_commands(struct buf *out, const struct command *c, size_t n)
{
	mark(out, "commands", true);
	buf_str(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < n; i++) {
		buf_fmt(out, ".It Cm %s\n", c[i].name);
		sentence(out, c[i].help);
		if (c[i].more)
			sentence(out, c[i].more);
	}
	buf_str(out, ".El\n");
	mark(out, "commands", false);
}

static void list_options(struct buf *out, const struct command *c, size_t n)
{
	const struct command **set = mem_alloc(n * sizeof(*set));
	for (size_t i = 0; i < n; i++)
		set[i] = &c[i];
	mark(out, "options", true);
	buf_str(out, ".Bl -tag -width Ds\n");
	options_mdoc(out, set, n);
	buf_str(out, ".El\n");
	mark(out, "options", false);
	free(set);
}

static void put_key(struct buf *out, int32_t key)
{
	struct buf name = BUF_INIT;
	key_text(&name, key);
	man_text(out, buf_cstr(&name));
	buf_free(&name);
}

static void list_keys(struct buf *out, enum context context)
{
	size_t n;
	const struct binding *b = keys_table(&n);
	buf_str(out, ".Ss ");
	size_t title = out->len;
	buf_str(out, context_name(context));
	out->data[title] = (char)toupper((unsigned char)out->data[title]);
	buf_str(out, "\n.Bl -tag -width Backspace -compact\n");
	for (size_t i = 0; i < n; i++) {
		if (b[i].context != context)
			continue;
		buf_str(out, ".It Ic ");
		put_key(out, b[i].key);
		buf_char(out, '\n');
		man_text(out, binding_help(&b[i]));
		buf_char(out, '\n');
	}
	buf_str(out, ".El\n");
}

static void list_aliases(struct buf *out)
{
	int32_t key, stands_for;
	buf_str(out, ".Ss Other names\n.Bl -tag -width Backspace -compact\n");
	for (size_t i = 0; (i = keys_alias(i, &key, &stands_for)) != 0;) {
		buf_str(out, ".It Ic ");
		put_key(out, key);
		buf_str(out, "\nas ");
		put_key(out, stands_for);
		buf_char(out, '\n');
	}
	buf_str(out, ".El\n");
}

void man_sections(struct buf *out, const struct command *commands, size_t n)
{
	synopsis(out, commands, n);
	list_commands(out, commands, n);
	list_options(out, commands, n);
	mark(out, "keys", true);
	for (int i = 0; i < CONTEXT_COUNT; i++)
		list_keys(out, (enum context)i);
	list_aliases(out);
	mark(out, "keys", false);
}
