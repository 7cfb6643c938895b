/* Ranges as text: each form, the days of a change of clocks, and nonsense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "store/range.h"

static int64_t at(const char *utc)
{
	struct tm tm = {0};
	assert_non_null(strptime(utc, "%Y-%m-%dT%H:%M:%S", &tm));
	return timegm(&tm) * NS_PER_S;
}

static bool one_mark(void *arg, const char *name, struct range *out)
{
	(void)arg;
	if (!strcmp(name, "m"))
		*out = (struct range){at("2026-12-01T10:00:00"), at("2026-12-01T10:05:00")};
	else if (!strcmp(name, "n"))
		*out = (struct range){at("2026-12-01T11:00:00"), at("2026-12-01T11:05:00")};
	else
		return false;
	return true;
}

/* A store from 2026-11-30T08:00Z to 2026-12-01T14:04:10Z. */
static struct range_context store(void)
{
	return (struct range_context){
		.span = {at("2026-11-30T08:00:00"), at("2026-12-01T14:04:10")},
		.mark = one_mark,
	};
}

static void zone(const char *tz)
{
	setenv("TZ", tz, 1);
	tzset();
}

static void expect(const struct range_context *ctx, const char *text, const char *from,
		   const char *to)
{
	struct range r;
	struct err err = {0};
	if (range_parse(text, ctx, &r, &err))
		fail_msg("%s: %s", text, err.text);
	if (r.from != at(from) || r.to != at(to)) {
		struct buf b = BUF_INIT;
		time_rfc3339(&b, r.from);
		buf_str(&b, " .. ");
		time_rfc3339(&b, r.to);
		fail_msg("%s: is %s, not %s .. %s", text, b.data, from, to);
	}
}

static void forms(void **state)
{
	(void)state;
	zone("UTC");
	struct range_context c = store();
	expect(&c, "14:03", "2026-12-01T14:03:00", "2026-12-01T14:04:00");
	expect(&c, "14:03:05", "2026-12-01T14:03:05", "2026-12-01T14:03:06");
	expect(&c, "14:05", "2026-11-30T14:05:00",
	       "2026-11-30T14:06:00"); /* the latest in the store */
	expect(&c, "9:00", "2026-12-01T09:00:00", "2026-12-01T09:01:00");
	expect(&c, "2026-12-01", "2026-12-01T00:00:00", "2026-12-02T00:00:00");
	expect(&c, "2026-12-01T14:03", "2026-12-01T14:03:00", "2026-12-01T14:04:00");
	expect(&c, "2026-12-01T14:03:00Z", "2026-12-01T14:03:00", "2026-12-01T14:03:01");
	expect(&c, "2026-12-01T14:03:00+01:00", "2026-12-01T13:03:00", "2026-12-01T13:03:01");
	expect(&c, "-30s", "2026-12-01T14:03:40", "2026-12-01T14:04:10");
	expect(&c, "-2m..-1m", "2026-12-01T14:02:10", "2026-12-01T14:03:10");
	expect(&c, "14:02..14:03", "2026-12-01T14:02:00", "2026-12-01T14:03:00");
	expect(&c, "14:03..14:02", "2026-12-01T14:02:00", "2026-12-01T14:03:00");
	expect(&c, "14:03..14:05", "2026-12-01T14:03:00", "2026-12-01T14:05:00");
	expect(&c, "23:50..00:10", "2026-11-30T23:50:00", "2026-12-01T00:10:00");
	expect(&c, "2026-11-30T23:50..00:10", "2026-11-30T23:50:00", "2026-12-01T00:10:00");
	expect(&c, "23:50..2026-12-01T00:10", "2026-11-30T23:50:00", "2026-12-01T00:10:00");
	expect(&c, "..09:00", "2026-11-30T08:00:00", "2026-12-01T09:00:00");
	expect(&c, "14:00..", "2026-12-01T14:00:00", "2026-12-01T14:04:10");
	expect(&c, "14:00..+30s", "2026-12-01T14:00:00", "2026-12-01T14:00:30");
	expect(&c, "14:00..+1h30m", "2026-12-01T14:00:00", "2026-12-01T15:30:00");
	expect(&c, "@m", "2026-12-01T10:00:00", "2026-12-01T10:05:00");
	expect(&c, "@m..@n", "2026-12-01T10:00:00", "2026-12-01T11:05:00");
	expect(&c, "@n..@m", "2026-12-01T10:00:00", "2026-12-01T11:05:00");
	expect(&c, "@m..+1m", "2026-12-01T10:00:00", "2026-12-01T10:01:00");
	expect(&c, "..", "2026-11-30T08:00:00", "2026-12-01T14:04:10");

	struct range r;
	assert_int_equal(range_parse("14:03:05.25", &c, &r, NULL), 0);
	assert_int_equal(r.from, at("2026-12-01T14:03:05") + 250 * NS_PER_MS);
	assert_int_equal(r.to - r.from, 10 * NS_PER_MS);
	assert_int_equal(range_parse("14:03:05.020..14:03:05.040", &c, &r, NULL), 0);
	assert_int_equal(r.to - r.from, 20 * NS_PER_MS);
}

static void zones(void **state)
{
	(void)state;
	struct range_context c = store();
	zone("Europe/Berlin");
	expect(&c, "15:03", "2026-12-01T14:03:00", "2026-12-01T14:04:00");
	expect(&c, "14:03Z", "2026-12-01T14:03:00", "2026-12-01T14:04:00");
	expect(&c, "2026-12-01", "2026-11-30T23:00:00", "2026-12-01T23:00:00");
	c.utc = true;
	expect(&c, "14:03", "2026-12-01T14:03:00", "2026-12-01T14:04:00");
}

static void clocks_go_back(void **state)
{
	(void)state;
	zone("Europe/Berlin"); /* 2026-10-25: 03:00 summer time, 01:00Z, is 02:00 again */
	struct range_context c = {.span = {at("2026-10-24T20:00:00"), at("2026-10-25T20:00:00")}};
	expect(&c, "01:59", "2026-10-24T23:59:00", "2026-10-25T00:00:00");
	expect(&c, "02:30", "2026-10-25T00:30:00", "2026-10-25T00:31:00"); /* the first one */
	expect(&c, "02:30+01:00", "2026-10-25T01:30:00", "2026-10-25T01:31:00");
	expect(&c, "03:00", "2026-10-25T02:00:00", "2026-10-25T02:01:00");
	expect(&c, "2026-10-25", "2026-10-24T22:00:00", "2026-10-25T23:00:00"); /* 25 hours */
	expect(&c, "02:30..03:00", "2026-10-25T00:30:00", "2026-10-25T02:00:00");
}

static void clocks_go_forward(void **state)
{
	(void)state;
	zone("Europe/Berlin"); /* 2026-03-29: 02:00, 01:00Z, is 03:00 */
	struct range_context c = {.span = {at("2026-03-28T20:00:00"), at("2026-03-29T20:00:00")}};
	expect(&c, "01:59", "2026-03-29T00:59:00", "2026-03-29T01:00:00");
	expect(&c, "02:30", "2026-03-29T01:30:00", "2026-03-29T01:31:00"); /* moved on: 03:30 */
	expect(&c, "03:00", "2026-03-29T01:00:00", "2026-03-29T01:01:00");
	expect(&c, "2026-03-29", "2026-03-28T23:00:00", "2026-03-29T22:00:00"); /* 23 hours */
}

static void nonsense(void **state)
{
	(void)state;
	zone("UTC");
	static const char *const texts[] = {
		"",
		"14",
		"14:0x",
		"14:60",
		"24:00",
		"25:00",
		"14:03:61",
		"2026-13-01",
		"2026-02-29",
		"2026-1-1",
		"9999-01-01",
		"1969-12-31",
		"0000-00-00",
		"-30",
		"-0s",
		"-s",
		"--30s",
		"-30x",
		"-99999999999999999999s",
		"-999999999999d",
		"14:00..+",
		"14:00..+30",
		"+30s",
		"..+30s",
		"14:00...14:05",
		"@",
		"@nothing",
		"@m..@x",
		"14:03:05.",
		"14:03:05.1234567890",
		"2026-12-01T",
		"2026-12-01T14",
		"2026-12-01T14:03Zx",
		"2026-12-01T14:03+99:00",
		"14:03..14:03",
		"abc",
		"14:03 ",
		"\x1b[31m",
	};
	struct range_context c = store();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct range r = {1, 2};
		struct err err = {0};
		if (range_parse(texts[i], &c, &r, &err) != -1)
			fail_msg("%s was read", texts[i]);
		assert_int_equal(err.code, ERR_USAGE);
		assert_null(strchr(err.text, '\n'));
		assert_true(err.text[0]);
	}
	struct err err = {0};
	assert_int_equal(range_parse("14:0x", &c, &(struct range){0}, &err), -1);
	assert_string_equal(
		err.text, "cannot read the range 14:0x: write 14:03, 14:03..14:05, -30s or @mark");
	char longer[5000];
	memset(longer, '1', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(range_parse(longer, &c, &(struct range){0}, &err), -1);
}

static void random_text(void **state)
{
	(void)state;
	zone("Europe/Berlin");
	static const char letters[] = "0123456789:.-+TZ@mnsdh 2026-12-01T14:03..";
	struct range_context c = store();
	srand(1);
	for (int i = 0; i < 200000; i++) {
		char text[24];
		size_t n = (size_t)rand() % (sizeof(text) - 1);
		for (size_t k = 0; k < n; k++)
			text[k] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		text[n] = '\0';
		struct range r;
		if (!range_parse(text, &c, &r, NULL))
			assert_true(r.from <= r.to);
	}
}

static void durations(void **state)
{
	(void)state;
	int64_t ns;
	assert_int_equal(range_parse_duration("20ms", &ns, NULL), 0);
	assert_int_equal(ns, 20 * NS_PER_MS);
	assert_int_equal(range_parse_duration("7d", &ns, NULL), 0);
	assert_int_equal(ns, 7 * 86400 * NS_PER_S);
	assert_int_equal(range_parse_duration("5min", &ns, NULL), 0);
	assert_int_equal(ns, 300 * NS_PER_S);
	assert_int_equal(range_parse_duration("0s", &ns, NULL), -1);
	assert_int_equal(range_parse_duration("9223372036854775807d", &ns, NULL), -1);
	assert_int_equal(range_parse_duration("5", &ns, NULL), -1);
	assert_int_equal(range_parse_duration("5 s", &ns, NULL), -1);
	assert_int_equal(range_parse_duration("", &ns, NULL), -1);
}

static void clipped(void **state)
{
	(void)state;
	struct range span = {100, 200}, r = {50, 150};
	assert_int_equal(range_clip(&r, span), RANGE_CLIPPED);
	assert_int_equal(r.from, 100);
	assert_int_equal(r.to, 150);
	assert_int_equal(range_clip(&r, span), RANGE_INSIDE);
	r = (struct range){200, 300};
	assert_int_equal(range_clip(&r, span), RANGE_OUTSIDE);
}

static void check_text(const struct range_context *c, int64_t from, int64_t to, const char *text)
{
	struct buf b = BUF_INIT;
	struct range back;
	range_text(&b, (struct range){from, to}, c);
	if (text)
		assert_string_equal(b.data, text);
	assert_int_equal(range_parse(b.data, c, &back, NULL), 0);
	assert_int_equal(back.from, from);
	assert_int_equal(back.to, to);
	buf_free(&b);
}

static void text_reads_back(void **state)
{
	(void)state;
	zone("Europe/Berlin");
	struct range_context c = store();
	int64_t t = at("2026-12-01T14:03:00");
	check_text(&c, t, t + 60 * NS_PER_S, "15:03");
	check_text(&c, t, t + NS_PER_S, "15:03:00");
	check_text(&c, t, t + 120 * NS_PER_S, "15:03..15:05");
	check_text(&c, t, t + 20 * NS_PER_MS, "15:03:00..15:03:00.020");
	check_text(&c, at("2026-11-30T09:00:00"), at("2026-11-30T09:05:00"),
		   "2026-11-30T10:00..2026-11-30T10:05");
	check_text(&c, at("2026-11-30T23:00:00"), at("2026-12-01T23:00:00"), "2026-12-01");
	struct range_context twice = {
		.span = {at("2026-10-24T20:00:00"), at("2026-10-25T20:00:00")}};
	check_text(&twice, at("2026-10-25T01:30:00"), at("2026-10-25T01:31:00"), NULL);
	srand(2);
	for (int i = 0; i < 20000; i++) {
		int64_t from = twice.span.from +
			       (int64_t)rand() * 41 * NS_PER_MS % range_length(twice.span);
		check_text(&twice, from,
			   from + 1 + (int64_t)rand() * 3 * NS_PER_MS % (7200 * NS_PER_S), NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms),           cmocka_unit_test(zones),
		cmocka_unit_test(clocks_go_back),  cmocka_unit_test(clocks_go_forward),
		cmocka_unit_test(nonsense),        cmocka_unit_test(random_text),
		cmocka_unit_test(durations),       cmocka_unit_test(clipped),
		cmocka_unit_test(text_reads_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
