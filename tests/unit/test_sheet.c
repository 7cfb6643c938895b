/* Sheets: CSV by RFC 4180, JSON that parses, text that lines up; unknown is said as such. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "cmd/sheet.h"

struct row {
	const char *name;
	int64_t count;
	double share;
};

static struct value get_name(const void *p)
{
	const struct row *r = p;
	if (!r->name)
		return (struct value){.kind = VALUE_UNKNOWN};
	return (struct value){.kind = VALUE_TEXT, .text = r->name};
}

static struct value get_count(const void *p)
{
	return (struct value){.kind = VALUE_COUNT, .number = ((const struct row *)p)->count};
}

static struct value get_share(const void *p)
{
	return (struct value){.kind = VALUE_PERCENT, .real = ((const struct row *)p)->share};
}

static const struct column columns[] = {
	{"name", get_name}, {"count", get_count}, {"share", get_share}};

static void expect(const struct sheet_format *format, const struct row *rows, size_t n,
		   const char *want)
{
	char *got;
	size_t size;
	struct sheet t;
	FILE *f = open_memstream(&got, &size);
	sheet_begin(&t, format, columns, 3, f);
	for (size_t i = 0; i < n; i++)
		sheet_row(&t, &rows[i]);
	sheet_end(&t);
	fclose(f);
	assert_string_equal(got, want);
	free(got);
}

static const struct row rows[] = {
	{"main", 1234567, 12.345},
	{"operator,(\"x\")", 0, -0.001},
	{NULL, -5, NAN},
	{"a\\b\tc é", 7, 100},
};

static void csv(void **state)
{
	(void)state;
	expect(&sheet_csv, rows, 4,
	       "name,count,share\n"
	       "main,1234567,12.35\n"
	       "\"operator,(\"\"x\"\")\",0,0.00\n"
	       ",-5,\n"
	       "a\\b\tc é,7,100.00\n");
	expect(&sheet_csv, rows, 0, "name,count,share\n");
}

static void json(void **state)
{
	(void)state;
	expect(&sheet_json, rows, 4,
	       "[\n"
	       "{\"name\": \"main\", \"count\": 1234567, \"share\": 12.35},\n"
	       "{\"name\": \"operator,(\\\"x\\\")\", \"count\": 0, \"share\": 0.00},\n"
	       "{\"name\": null, \"count\": -5, \"share\": null},\n"
	       "{\"name\": \"a\\\\b\\u0009c é\", \"count\": 7, \"share\": 100.00}\n"
	       "]\n");
	expect(&sheet_json, rows, 0, "[]\n");
}

static void text(void **state)
{
	(void)state;
	expect(&sheet_text, rows, 3,
	       "name                count  share\n"
	       "main            1,234,567  12.35\n"
	       "operator,(\"x\")          0   0.00\n"
	       "-                      -5      -\n");
}

static void values(void **state)
{
	(void)state;
	struct buf b = BUF_INIT;
	value_text(&b, &(struct value){.kind = VALUE_REAL, .real = 99});
	buf_char(&b, ' ');
	value_text(&b, &(struct value){.kind = VALUE_REAL, .real = 0.1254});
	buf_char(&b, ' ');
	value_json(&b, &(struct value){.kind = VALUE_TIME, .number = INT64_C(1796133783000000000)});
	buf_char(&b, ' ');
	value_text(&b, &(struct value){.kind = VALUE_RATE, .real = 1.5e9});
	assert_string_equal(b.data, "99 0.125 \"2026-12-01T14:03:03Z\" 1500.0");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv),
		cmocka_unit_test(json),
		cmocka_unit_test(text),
		cmocka_unit_test(values),
	};
	return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
