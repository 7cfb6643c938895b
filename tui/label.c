/* Labels of functions, and the search in them. */
#include "tui/label.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"

#define REGEX_PREFIX "re:"

const char *label_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return path;
	if (strncmp(slash, "/__", 3) != 0)
		return slash + 1;
	const char *p = slash;
	while (p > path && p[-1] != '/')
		p--;
	return p;
}

void label_func(struct buf *out, const struct func *f)
{
	buf_str(out, f->name);
	if (f->kind == KIND_PYTHON && *f->file) {
		buf_fmt(out, " (%s", label_file(f->file));
		if (f->line)
			buf_fmt(out, ":%u", f->line);
		buf_char(out, ')');
	}
}

void matcher_init(struct matcher *m, const char *text)
{
	*m = (struct matcher){0};
	if (!text || !*text)
		return;
	size_t n = strlen(REGEX_PREFIX);
	if (strncmp(text, REGEX_PREFIX, n) == 0) {
		m->is_regex = true;
		if (regcomp(&m->regex, text + n, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
			return;
	}
	m->text = mem_strdup(text);
}

void matcher_release(struct matcher *m)
{
	if (m->text && m->is_regex)
		regfree(&m->regex);
	free(m->text);
	*m = (struct matcher){0};
}

static bool holds(const struct matcher *m, const char *s)
{
	return m->is_regex ? regexec(&m->regex, s, 0, NULL, 0) == 0
			   : strcasestr(s, m->text) != NULL;
}

bool matcher_match(const struct matcher *m, const struct func *f)
{
	return m->text && (holds(m, f->name) || holds(m, f->module) || holds(m, f->file));
}

void label_stacks(struct buf *out, uint64_t n)
{
	text_count(out, n);
	buf_str(out, n == 1 ? " stack" : " stacks");
}
