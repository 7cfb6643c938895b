/* Sheets: tables for people and scripts: rows of a table of columns, written as text, CSV or JSON.
 *
 * CSV is RFC 4180 with LF and a header; JSON is an array of objects with the same names. An
 * unknown value is empty in CSV, null in JSON, - in text. Text is laid out when it is ended,
 * so its rows are held until then; the others are written at once. */
#ifndef CMD_SHEET_H
#define CMD_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_TEXT,    /* text: valid UTF-8 (base/text.h) */
	VALUE_COUNT,   /* number */
	VALUE_ID,      /* number, never grouped: a pid, a line */
	VALUE_NS,      /* number of nanoseconds; a duration in text */
	VALUE_RATE,    /* real, nanoseconds a second; milliseconds a second in text */
	VALUE_PERCENT, /* real, two decimals */
	VALUE_REAL,    /* real, up to three decimals */
	VALUE_TIME,    /* number of nanoseconds since 1970; RFC 3339 */
	VALUE_BOOL,    /* number; yes and no in text */
};

struct value {
	enum value_kind kind;
	const char *text;
	int64_t number;
	double real;
	uint32_t indent; /* blanks before it in text */
};

struct column {
	const char *name; /* the header */
	struct value (*get)(const void *row);
};

struct sheet_format;

struct sheet {
	const struct sheet_format *format;
	const struct column *columns;
	size_t ncolumns;
	FILE *out;
	size_t rows;
	struct buf line; /* the row being written */
	char **cells;    /* of text: kept until the end */
	bool *right;     /* of text: the column is aligned right */
	size_t ncells, cap;
};

extern const struct sheet_format sheet_text, sheet_csv, sheet_json;

void sheet_begin(struct sheet *t, const struct sheet_format *format, const struct column *columns,
		 size_t ncolumns, FILE *out);
void sheet_row(struct sheet *t, const void *row);
void sheet_end(struct sheet *t); /* also frees */

/* One value in each form; CSV and JSON with their quotes. */
void value_text(struct buf *out, const struct value *v);
void value_csv(struct buf *out, const struct value *v);
/* A JSON string of clean text, quotes included. */
void json_string(struct buf *out, const char *s);
void value_json(struct buf *out, const struct value *v);

#endif
