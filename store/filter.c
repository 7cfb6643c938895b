/* Filters: the terms, and SEL as text. */
#include "store/filter.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

enum {
	VALUE_MAX = 1000, /* bytes: bounds what regcomp may be asked to do, too */
};

#define REGEX_MARK "re:"

#define X(id, name) name,
static const char *const key_names[] = {FILTER_KEYS(X)};
#undef X

void filter_release(struct filter *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->terms[i].value);
	free(f->terms);
	*f = (struct filter)FILTER_INIT;
}

static void append(struct filter *f, enum filter_key key, const char *value, bool negated)
{
	f->terms = mem_grow(f->terms, &f->cap, f->count + 1, sizeof(*f->terms));
	f->terms[f->count++] = (struct filter_term){key, negated, mem_strdup(value)};
}

void filter_copy(struct filter *to, const struct filter *from)
{
	*to = (struct filter){.weight = from->weight, .lines = from->lines};
	for (size_t i = 0; i < from->count; i++)
		append(to, from->terms[i].key, from->terms[i].value, from->terms[i].negated);
}

static bool has_term(const struct filter *f, enum filter_key key, const char *value, bool negated)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->terms[i].key == key && f->terms[i].negated == negated &&
		    !strcmp(f->terms[i].value, value))
			return true;
	return false;
}

/* The order of terms makes no difference. */
bool filter_equal(const struct filter *a, const struct filter *b)
{
	if (a->weight != b->weight || a->lines != b->lines || a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!has_term(b, a->terms[i].key, a->terms[i].value, a->terms[i].negated))
			return false;
	return true;
}

/* ---- one term ---- */

static int check_regex(const char *value, struct err *err)
{
	regex_t re;
	char why[100];
	int rc = regcomp(&re, value + strlen(REGEX_MARK), REG_EXTENDED | REG_ICASE | REG_NOSUB);
	if (!rc) {
		regfree(&re);
		return 0;
	}
	regerror(rc, &re, why, sizeof(why));
	return err_set(err, ERR_USAGE, "cannot read the expression %s: %s", value, why);
}

static void list_words(struct buf *out, int n, const char *(*name)(int i))
{
	for (int i = 0; i < n; i++)
		buf_fmt(out, "%s%s", i ? ", " : "", name(i));
}

static const char *kind_word(int i)
{
	return kind_name((enum frame_kind)i);
}

static const char *state_word(int i)
{
	return state_name((enum thread_state)i);
}

static int no_such(const char *what, const char *value, int n, const char *(*name)(int i),
		   struct err *err)
{
	struct buf words = BUF_INIT;
	list_words(&words, n, name);
	err_set(err, ERR_USAGE, "no such %s: %s; one of %s", what, value, words.data);
	buf_free(&words);
	return -1;
}

static int check_value(enum filter_key key, const char *value, struct err *err)
{
	if (!value[0])
		return err_set(err, ERR_USAGE, "the filter %s has no value", key_names[key]);
	if (strlen(value) > VALUE_MAX)
		return err_set(err, ERR_USAGE, "the filter %s is longer than %d bytes",
			       key_names[key], VALUE_MAX);
	if (key == FILTER_TYPE && kind_parse(value) < 0)
		return no_such("type", value, KIND_COUNT, kind_word, err);
	if (key == FILTER_STATE && state_parse(value) < 0)
		return no_such("state", value, STATE_COUNT, state_word, err);
	if (key == FILTER_MATCH && !strncmp(value, REGEX_MARK, strlen(REGEX_MARK)))
		return check_regex(value, err);
	return 0;
}

int filter_add(struct filter *f, enum filter_key key, const char *value, bool negated,
	       struct err *err)
{
	if (check_value(key, value, err))
		return -1;
	if (!has_term(f, key, value, negated))
		append(f, key, value, negated);
	return 0;
}

void filter_remove(struct filter *f, size_t i)
{
	if (i >= f->count)
		return;
	free(f->terms[i].value);
	memmove(&f->terms[i], &f->terms[i + 1], (f->count - i - 1) * sizeof(*f->terms));
	f->count--;
}

int filter_check(const struct filter *f, struct err *err)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct filter_term *t = &f->terms[i];
		int state = t->key == FILTER_STATE && !t->negated ? state_parse(t->value) : -1;
		if (state >= 0 && !weight_counts(f->weight, (enum thread_state)state))
			return err_set(
				err, ERR_USAGE,
				"the weight %s has no samples of the state %s: use --weight wall "
				"or %s",
				weight_name(f->weight), t->value,
				weight_name(f->weight == WEIGHT_CPU ? WEIGHT_OFF_CPU : WEIGHT_CPU));
	}
	return 0;
}

/* ---- SEL ---- */

/* A part of SEL, quotes taken away. */
struct part {
	bool negated, quoted; /* quoted: from its first character on, so that it is text */
	int key;              /* -1: none was written */
	struct buf value;
};

static int key_of(const char *s, size_t n)
{
	for (int i = 0; i < FILTER_KEY_COUNT; i++)
		if (strlen(key_names[i]) == n && !strncmp(key_names[i], s, n))
			return i;
	return -1;
}

/* `key:`, but not `key::`, which begins a C++ name. */
static const char *read_key(const char *s, struct part *p)
{
	size_t n = strcspn(s, ": \t\"");
	p->key = s[n] == ':' && s[n + 1] != ':' ? key_of(s, n) : -1;
	return p->key < 0 ? s : s + n + 1;
}

/* The next part from *sel on: 1, 0 at the end, -1 error. */
static int next_part(const char **sel, struct part *p, struct err *err)
{
	const char *s = *sel + strspn(*sel, " \t\n");
	bool inside = false;
	*p = (struct part){.key = -1};
	if (!*s)
		return 0;
	if (*s == '!' && s[1] && !isspace((unsigned char)s[1])) {
		p->negated = true;
		s++;
	}
	p->quoted = *s == '"';
	if (!p->quoted)
		s = read_key(s, p);
	for (; *s && (inside || !isspace((unsigned char)*s)); s++) {
		if (*s == '"')
			inside = !inside;
		else if (inside && *s == '\\' && (s[1] == '"' || s[1] == '\\'))
			buf_char(&p->value, *++s);
		else
			buf_char(&p->value, *s);
	}
	if (inside) {
		err_set(err, ERR_USAGE, "cannot read the filter %s: a quote is not closed", *sel);
		buf_free(&p->value);
		return -1;
	}
	*sel = s;
	return 1;
}

/* Is a word meant as a range? @mark, 14:03…, 2026-12-01…, -30s, and what has .. after these. */
static bool looks_like_range(const char *s)
{
	if (*s == '@')
		return true;
	if (!strncmp(s, "..", 2))
		return s[2] == '@' || s[2] == '-' || s[2] == '+' || isdigit((unsigned char)s[2]);
	if (*s == '-')
		return isdigit((unsigned char)s[1]);
	size_t digits = strspn(s, "0123456789");
	if (!digits)
		return false;
	return (s[digits] == ':' && s[digits + 1] != ':') || (digits == 4 && s[digits] == '-') ||
	       strstr(s, "..");
}

static int take_part(const struct part *p, const struct range_context *ctx, struct filter *f,
		     struct range *range, bool *has_range, struct err *err)
{
	const char *value = buf_cstr(&p->value);
	if (p->key >= 0 || p->quoted || !looks_like_range(value))
		return filter_add(f, p->key < 0 ? FILTER_MATCH : (enum filter_key)p->key, value,
				  p->negated, err);
	if (p->negated)
		return err_set(err, ERR_USAGE, "cannot exclude the range %s: ! is for filters",
			       value);
	if (*has_range)
		return err_set(err, ERR_USAGE,
			       "a second range, %s: give one; text in quotes is no range", value);
	struct range r;
	if (range_parse(value, ctx, &r, err))
		return -1;
	*range = r;
	*has_range = true;
	return 0;
}

int filter_parse(const char *sel, const struct range_context *ctx, struct filter *f,
		 struct range *range, bool *has_range, struct err *err)
{
	struct part p;
	int more;
	*has_range = false;
	while ((more = next_part(&sel, &p, err)) > 0) {
		int result = take_part(&p, ctx, f, range, has_range, err);
		buf_free(&p.value);
		if (result)
			return -1;
	}
	return more;
}

/* Would the words be read as something else than this text? */
static bool needs_quotes(const struct filter_term *t)
{
	struct part p = {.key = -1};
	const char *s = t->value;
	if (strpbrk(s, " \t\n\r\v\f\""))
		return true;
	if (t->key != FILTER_MATCH)
		return false;
	read_key(s, &p);
	return p.key >= 0 || *s == '!' || looks_like_range(s);
}

void filter_term_text(struct buf *out, const struct filter_term *t)
{
	if (t->negated)
		buf_char(out, '!');
	if (t->key != FILTER_MATCH)
		buf_fmt(out, "%s:", key_names[t->key]);
	if (!needs_quotes(t)) {
		buf_str(out, t->value);
		return;
	}
	buf_char(out, '"');
	for (const char *s = t->value; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_char(out, '\\');
		buf_char(out, *s);
	}
	buf_char(out, '"');
}

void filter_text(struct buf *out, const struct filter *f)
{
	for (size_t i = 0; i < f->count; i++) {
		if (i)
			buf_char(out, ' ');
		filter_term_text(out, &f->terms[i]);
	}
}
