/* Sheets: tables for people and scripts: text, CSV and JSON as three sets of operations. */
#include "cmd/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "store/range.h"

struct sheet_format {
	void (*begin)(struct sheet *t);
	void (*row)(struct sheet *t, const void *row);
	void (*end)(struct sheet *t);
};

/* A real number with at most `decimals`; what is no number is left to the caller. */
static void real(struct buf *out, double v, int decimals)
{
	if (fabs(v) < 0.5 * pow(10, -decimals))
		v = 0; /* no -0.00 */
	buf_fmt(out, "%.*f", decimals, v);
}

/* "99.000" becomes "99", "1.500" becomes "1.5". */
static void trim_zeros(struct buf *b)
{
	while (b->data[b->len - 1] == '0')
		b->len--;
	if (b->data[b->len - 1] == '.')
		b->len--;
	b->data[b->len] = '\0';
}

static bool is_unknown(const struct value *v)
{
	bool is_real = v->kind == VALUE_RATE || v->kind == VALUE_PERCENT || v->kind == VALUE_REAL;
	return v->kind == VALUE_UNKNOWN || (is_real && !isfinite(v->real));
}

/* As scripts get it, without quotes; unknown: nothing. */
static void bare(struct buf *out, const struct value *v)
{
	if (is_unknown(v))
		return;
	switch (v->kind) {
	case VALUE_UNKNOWN:
		break;
	case VALUE_TEXT:
		buf_str(out, v->text);
		break;
	case VALUE_COUNT:
	case VALUE_ID:
	case VALUE_NS:
		buf_fmt(out, "%lld", (long long)v->number);
		break;
	case VALUE_RATE:
		real(out, v->real, 0);
		break;
	case VALUE_PERCENT:
		real(out, v->real, 2);
		break;
	case VALUE_REAL:
		real(out, v->real, 3);
		trim_zeros(out);
		break;
	case VALUE_TIME:
		time_rfc3339(out, v->number);
		break;
	case VALUE_BOOL:
		buf_str(out, v->number ? "true" : "false");
		break;
	}
}

void value_text(struct buf *out, const struct value *v)
{
	buf_fmt(out, "%*s", (int)v->indent, "");
	if (is_unknown(v))
		buf_char(out, '-');
	else if (v->kind == VALUE_COUNT && v->number >= 0)
		text_count(out, (uint64_t)v->number);
	else if (v->kind == VALUE_NS)
		text_duration(out, v->number);
	else if (v->kind == VALUE_RATE)
		real(out, v->real / 1e6, 1);
	else if (v->kind == VALUE_BOOL)
		buf_str(out, v->number ? "yes" : "no");
	else
		bare(out, v);
}

void value_csv(struct buf *out, const struct value *v)
{
	if (v->kind != VALUE_TEXT || !strpbrk(v->text, ",\"\r\n")) {
		bare(out, v);
		return;
	}
	buf_char(out, '"');
	for (const char *s = v->text; *s; s++) {
		if (*s == '"')
			buf_char(out, '"');
		buf_char(out, *s);
	}
	buf_char(out, '"');
}

void json_string(struct buf *out, const char *s)
{
	buf_char(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '"' || c == '\\')
			buf_fmt(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			buf_fmt(out, "\\u%04x", c);
		else
			buf_char(out, (char)c);
	}
	buf_char(out, '"');
}

void value_json(struct buf *out, const struct value *v)
{
	if (is_unknown(v)) {
		buf_str(out, "null");
	} else if (v->kind == VALUE_TEXT) {
		json_string(out, v->text);
	} else if (v->kind == VALUE_TIME) {
		buf_char(out, '"');
		bare(out, v);
		buf_char(out, '"');
	} else {
		bare(out, v);
	}
}

static void write_line(struct sheet *t)
{
	fwrite(buf_cstr(&t->line), 1, t->line.len, t->out);
	buf_clear(&t->line);
}

static void csv_begin(struct sheet *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		buf_fmt(&t->line, "%s%s", i ? "," : "", t->columns[i].name);
	buf_char(&t->line, '\n');
	write_line(t);
}

static void csv_row(struct sheet *t, const void *row)
{
	for (size_t i = 0; i < t->ncolumns; i++) {
		struct value v = t->columns[i].get(row);
		if (i)
			buf_char(&t->line, ',');
		value_csv(&t->line, &v);
	}
	buf_char(&t->line, '\n');
	write_line(t);
}

static void csv_end(struct sheet *t)
{
	(void)t;
}

static void json_begin(struct sheet *t)
{
	buf_char(&t->line, '[');
	write_line(t);
}

static void json_row(struct sheet *t, const void *row)
{
	buf_str(&t->line, t->rows ? ",\n{" : "\n{");
	for (size_t i = 0; i < t->ncolumns; i++) {
		struct value v = t->columns[i].get(row);
		buf_fmt(&t->line, "%s\"%s\": ", i ? ", " : "", t->columns[i].name);
		value_json(&t->line, &v);
	}
	buf_char(&t->line, '}');
	write_line(t);
}

static void json_end(struct sheet *t)
{
	buf_str(&t->line, t->rows ? "\n]\n" : "]\n");
	write_line(t);
}

static void add_cell(struct sheet *t)
{
	t->cells = mem_grow(t->cells, &t->cap, t->ncells + 1, sizeof(*t->cells));
	t->cells[t->ncells++] = buf_take(&t->line);
}

static void text_begin(struct sheet *t)
{
	t->right = mem_zalloc(t->ncolumns, sizeof(*t->right));
	for (size_t i = 0; i < t->ncolumns; i++) {
		buf_str(&t->line, t->columns[i].name);
		add_cell(t);
	}
}

static void text_row(struct sheet *t, const void *row)
{
	for (size_t i = 0; i < t->ncolumns; i++) {
		struct value v = t->columns[i].get(row);
		t->right[i] |= v.kind != VALUE_TEXT && v.kind != VALUE_UNKNOWN;
		value_text(&t->line, &v);
		add_cell(t);
	}
}

static void pad(struct buf *out, size_t n)
{
	while (n--)
		buf_char(out, ' ');
}

static void text_end(struct sheet *t)
{
	/* a very long name does not push the columns behind it off the screen */
	const size_t widest = 60;
	size_t *width = mem_zalloc(t->ncolumns, sizeof(*width));
	for (size_t i = 0; i < t->ncells; i++) {
		size_t w = text_width(t->cells[i]), *most = &width[i % t->ncolumns];
		if (w > *most)
			*most = w > widest ? widest : w;
	}
	for (size_t i = 0; i < t->ncells; i++) {
		size_t c = i % t->ncolumns, w = text_width(t->cells[i]);
		size_t blank = w < width[c] ? width[c] - w : 0;
		bool last = c + 1 == t->ncolumns;
		if (t->right[c])
			pad(&t->line, blank);
		buf_str(&t->line, t->cells[i]);
		if (!t->right[c] && !last)
			pad(&t->line, blank);
		if (!last) {
			buf_str(&t->line, "  ");
			continue;
		}
		while (t->line.len && t->line.data[t->line.len - 1] == ' ')
			t->line.len--;
		buf_char(&t->line, '\n');
		write_line(t);
	}
	free(width);
}

void sheet_begin(struct sheet *t, const struct sheet_format *format, const struct column *columns,
		 size_t ncolumns, FILE *out)
{
	*t = (struct sheet){.format = format, .columns = columns, .ncolumns = ncolumns, .out = out};
	format->begin(t);
}

void sheet_row(struct sheet *t, const void *row)
{
	t->format->row(t, row);
	t->rows++;
}

void sheet_end(struct sheet *t)
{
	t->format->end(t);
	for (size_t i = 0; i < t->ncells; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t->right);
	buf_free(&t->line);
}

const struct sheet_format sheet_text = {.begin = text_begin, .row = text_row, .end = text_end};
const struct sheet_format sheet_csv = {.begin = csv_begin, .row = csv_row, .end = csv_end};
const struct sheet_format sheet_json = {.begin = json_begin, .row = json_row, .end = json_end};
