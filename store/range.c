/* Ranges of time as text: reading and writing them. */
#include "store/range.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "store/zone.h"

enum {
	DAY = 86400,
	TEXT_MAX = 200,
	MAX_DAYS_BACK = 4000, /* to look for a clock time: longer than a store is kept */
};

#define MAX_DURATION (INT64_C(50) * 366 * DAY * NS_PER_S) /* with a date it stays in 64 bits */
#define FORMS "write 14:03, 14:03..14:05, -30s or @mark"

/* What is being read, for the error. */
struct source {
	const char *what, *text;
};

static int unreadable(const struct source *from, struct err *err)
{
	return err_set(err, ERR_USAGE, "cannot read the %s %.*s: " FORMS, from->what, TEXT_MAX,
		       from->text);
}

/* ---- durations ---- */

struct unit {
	const char *name;
	int64_t ns;
};

static const struct unit units[] = {
	{"ms", NS_PER_MS},    {"s", NS_PER_S},        {"min", 60 * NS_PER_S},
	{"m", 60 * NS_PER_S}, {"h", 3600 * NS_PER_S}, {"d", DAY *NS_PER_S},
};

/* One number and its unit from *s on. */
static bool read_amount(const char **s, int64_t *ns)
{
	uint64_t n = 0;
	const char *p = *s;
	if (!isdigit((unsigned char)*p))
		return false;
	for (; isdigit((unsigned char)*p); p++) {
		n = n * 10 + (uint64_t)(*p - '0');
		if (n > (uint64_t)MAX_DURATION)
			return false;
	}
	size_t len = strspn(p, "dhimns");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) != len || strncmp(units[i].name, p, len))
			continue;
		if (n > (uint64_t)(MAX_DURATION / units[i].ns))
			return false;
		*ns = (int64_t)n * units[i].ns;
		*s = p + len;
		return true;
	}
	return false;
}

/* "30s", "1h30m": false if it is none, is 0, or is longer than MAX_DURATION. */
static bool read_duration(const char *s, int64_t *ns)
{
	int64_t sum = 0, one;
	do {
		if (!read_amount(&s, &one) || one > MAX_DURATION - sum)
			return false;
		sum += one;
	} while (*s);
	*ns = sum;
	return sum > 0;
}

int range_parse_duration(const char *text, int64_t *ns, struct err *err)
{
	if (read_duration(text, ns))
		return 0;
	return err_set(err, ERR_USAGE,
		       "cannot read the duration %.*s: write 20ms, 30s, 5m, 1h or 7d", TEXT_MAX,
		       text);
}

/* ---- one T, as it is written ---- */

enum time_form { FORM_MARK, FORM_BACK, FORM_CLOCK, FORM_DATE, FORM_BOTH };

/* What a T says, before the store tells which day it means. */
struct moment {
	enum time_form form;
	struct range range; /* of a mark, or of what is so long before the end */
	struct civil civil;
	int64_t ns;   /* below the second */
	int64_t unit; /* ns */
	bool zoned;   /* it names its zone */
	struct zone zone;
};

static bool read_digits(const char **s, int n, int *out)
{
	*out = 0;
	for (int i = 0; i < n; i++, ++*s) {
		if (!isdigit((unsigned char)**s))
			return false;
		*out = *out * 10 + (**s - '0');
	}
	return true;
}

static bool read_char(const char **s, char c)
{
	bool is = **s == c;
	*s += is;
	return is;
}

static bool read_date(const char **s, struct civil *c)
{
	return read_digits(s, 4, &c->year) && read_char(s, '-') && read_digits(s, 2, &c->month) &&
	       read_char(s, '-') && read_digits(s, 2, &c->day);
}

static bool read_fraction(const char **s, struct moment *m)
{
	m->unit = NS_PER_S;
	if (!isdigit((unsigned char)**s))
		return false;
	for (; isdigit((unsigned char)**s); ++*s) {
		m->unit /= 10;
		if (!m->unit)
			return false; /* finer than a nanosecond */
		m->ns += (**s - '0') * m->unit;
	}
	return true;
}

static bool read_clock(const char **s, struct moment *m)
{
	struct civil *c = &m->civil;
	const char *p = *s;
	if (!isdigit((unsigned char)*p))
		return false;
	if (!read_digits(&p, isdigit((unsigned char)p[1]) ? 2 : 1, &c->hour) ||
	    !read_char(&p, ':') || !read_digits(&p, 2, &c->minute))
		return false;
	m->unit = 60 * NS_PER_S;
	if (read_char(&p, ':')) {
		m->unit = NS_PER_S;
		if (!read_digits(&p, 2, &c->second))
			return false;
		/* not the dots between two ends */
		if (*p == '.' && p[1] != '.' && (p++, !read_fraction(&p, m)))
			return false;
	}
	*s = p;
	return true;
}

/* Z, +01:00, +0100 or +01; nothing is a zone, too. */
static bool read_zone(const char **s, struct moment *m)
{
	int hours, minutes = 0;
	if (read_char(s, 'Z') || read_char(s, 'z')) {
		m->zoned = true;
		m->zone = ZONE_UTC;
		return true;
	}
	if (**s != '+' && **s != '-')
		return true;
	int sign = *(*s)++ == '-' ? -1 : 1;
	if (!read_digits(s, 2, &hours))
		return false;
	bool colon = read_char(s, ':');
	if ((colon || isdigit((unsigned char)**s)) && !read_digits(s, 2, &minutes))
		return false;
	m->zoned = true;
	m->zone = (struct zone){true, sign * (hours * 3600 + minutes * 60)};
	return hours <= 18 && minutes < 60;
}

static bool read_back(const char *s, const struct range_context *ctx, struct moment *m)
{
	int64_t back;
	if (!read_duration(s + 1, &back))
		return false;
	m->form = FORM_BACK;
	m->range = (struct range){ctx->span.to - back, ctx->span.to};
	return true;
}

static int read_mark(const char *s, const struct range_context *ctx, struct moment *m,
		     struct err *err)
{
	m->form = FORM_MARK;
	if (ctx->mark && ctx->mark(ctx->arg, s + 1, &m->range))
		return 0;
	return err_set(err, ERR_USAGE, "no such mark: %.*s; cprof view shows the marks there are",
		       TEXT_MAX, s);
}

static int read_moment(const char *text, const struct source *from, const struct range_context *ctx,
		       struct moment *m, struct err *err)
{
	const char *s = text;
	*m = (struct moment){.zone = {ctx->utc, 0}, .civil = {1970, 1, 1, 0, 0, 0}};
	if (*s == '@')
		return read_mark(s, ctx, m, err);
	if (*s == '-')
		return read_back(s, ctx, m) ? 0 : unreadable(from, err);
	m->form = FORM_CLOCK;
	if (strspn(s, "0123456789") == 4) {
		m->form = FORM_DATE;
		m->unit = DAY * NS_PER_S;
		if (!read_date(&s, &m->civil))
			return unreadable(from, err);
		if (read_char(&s, 'T') || read_char(&s, 't') || read_char(&s, ' '))
			m->form = FORM_BOTH;
	}
	if (m->form != FORM_DATE && !read_clock(&s, m))
		return unreadable(from, err);
	if (!read_zone(&s, m) || *s)
		return unreadable(from, err);
	if (!civil_valid(&m->civil))
		return err_set(err, ERR_USAGE, "there is no time %.*s: " FORMS, TEXT_MAX, text);
	return 0;
}

/* ---- which moment it is ---- */

static int64_t floor_day(int64_t civil)
{
	return civil - (civil % DAY + DAY) % DAY;
}

/* The day, as civil seconds, of the last moment of the store, in the zone of a T. */
static int64_t last_day(const struct range_context *ctx, struct zone z)
{
	int64_t last = ctx->span.to > ctx->span.from ? ctx->span.to - 1 : ctx->span.to;
	int64_t s = last / NS_PER_S;
	return floor_day(s + zone_offset(z, s));
}

/* The range of a T; a clock time is on the day given. */
static struct range on_day(const struct moment *m, int64_t day)
{
	if (m->form == FORM_MARK || m->form == FORM_BACK)
		return m->range;
	int64_t civil = civil_seconds(&m->civil);
	if (m->form == FORM_CLOCK)
		civil += day;
	int64_t from = zone_moment(m->zone, civil) * NS_PER_S + m->ns;
	if (m->form == FORM_DATE)
		return (struct range){from, zone_moment(m->zone, civil + DAY) * NS_PER_S};
	return (struct range){from, from + m->unit};
}

static bool meets(struct range r, struct range span)
{
	return r.from < span.to && r.to > span.from;
}

static int64_t days_in(const struct range_context *ctx)
{
	int64_t days = range_length(ctx->span) / (DAY * NS_PER_S) + 2;
	return days < 1 ? 1 : days > MAX_DAYS_BACK ? MAX_DAYS_BACK : days;
}

/* The latest in the store; where there is none, that of the store's last day. */
static struct range resolve(const struct moment *m, const struct range_context *ctx)
{
	int64_t day = last_day(ctx, m->zone);
	for (int64_t k = 0; m->form == FORM_CLOCK && k < days_in(ctx); k++) {
		struct range r = on_day(m, day - k * DAY);
		if (meets(r, ctx->span))
			return r;
	}
	return on_day(m, day);
}

int range_parse_time(const char *text, const struct range_context *ctx, struct range *out,
		     struct err *err)
{
	struct source from = {"time", text};
	struct moment m;
	if (read_moment(text, &from, ctx, &m, err))
		return -1;
	*out = resolve(&m, ctx);
	return 0;
}

/* ---- two ends ---- */

static struct range ordered(int64_t a, int64_t b)
{
	return a < b ? (struct range){a, b} : (struct range){b, a};
}

/* Where the end of a range is: a mark's own end, else the moment itself. */
static int64_t end_of(const struct moment *m, struct range r)
{
	return m->form == FORM_MARK ? r.to : r.from;
}

/* Two marks span all of both. */
static struct range joined(const struct moment *a, struct range ra, const struct moment *b,
			   struct range rb)
{
	if (a->form == FORM_MARK && b->form == FORM_MARK)
		return (struct range){ra.from < rb.from ? ra.from : rb.from,
				      ra.to > rb.to ? ra.to : rb.to};
	return ordered(ra.from, end_of(b, rb));
}

static int64_t civil_day(struct zone z, int64_t ns)
{
	int64_t s = ns / NS_PER_S;
	return floor_day(s + zone_offset(z, s));
}

/* A clock time as the other end of one that is known: of the same day, or over midnight,
 * whichever makes the shorter range. */
static int64_t near(const struct moment *m, int64_t other, int direction)
{
	int64_t day = civil_day(m->zone, other);
	int64_t same = on_day(m, day).from, over = on_day(m, day + direction * DAY).from;
	return llabs(over - other) < llabs(same - other) && (over - other) * direction > 0 &&
			       (same - other) * direction < 0
		       ? over
		       : same;
}

static struct range both_clocks(const struct moment *a, const struct moment *b,
				const struct range_context *ctx)
{
	int64_t day = last_day(ctx, a->zone);
	struct range latest = {0, 0};
	for (int64_t k = 0; k < days_in(ctx) + 1; k++) {
		int64_t from = on_day(a, day - k * DAY).from;
		struct range r = ordered(from, near(b, from, 1));
		if (!k)
			latest = r;
		if (meets(r, ctx->span))
			return r;
	}
	return latest;
}

static struct range between(const struct moment *a, const struct moment *b,
			    const struct range_context *ctx)
{
	bool clock_a = a->form == FORM_CLOCK, clock_b = b->form == FORM_CLOCK;
	if (clock_a && clock_b)
		return both_clocks(a, b, ctx);
	if (clock_b) {
		int64_t from = resolve(a, ctx).from;
		return ordered(from, near(b, from, 1));
	}
	if (clock_a) {
		int64_t to = end_of(b, resolve(b, ctx));
		return ordered(near(a, to, -1), to);
	}
	return joined(a, resolve(a, ctx), b, resolve(b, ctx));
}

static int parse_ends(const char *from, const char *to, const struct source *source,
		      const struct range_context *ctx, struct range *out, struct err *err)
{
	struct moment a = {0}, b = {0};
	int64_t length = 0;
	if (*from && read_moment(from, source, ctx, &a, err))
		return -1;
	if (*from && *to == '+') {
		if (range_parse_duration(to + 1, &length, err))
			return -1;
		int64_t start = resolve(&a, ctx).from;
		*out = (struct range){start, start + length};
		return 0;
	}
	if (*to && read_moment(to, source, ctx, &b, err))
		return -1;
	if (*from && *to) {
		*out = between(&a, &b, ctx);
		if (out->from == out->to)
			return err_set(err, ERR_USAGE,
				       "the range %.*s is empty: name two times that differ",
				       TEXT_MAX, source->text);
	} else if (*from) {
		*out = ordered(resolve(&a, ctx).from, ctx->span.to);
	} else if (*to) {
		*out = ordered(ctx->span.from, end_of(&b, resolve(&b, ctx)));
	} else {
		*out = ctx->span;
	}
	return 0;
}

int range_parse(const char *text, const struct range_context *ctx, struct range *out,
		struct err *err)
{
	char copy[TEXT_MAX];
	const char *dots = strstr(text, "..");
	struct source source = {"range", text};
	struct moment m;
	if (!*text || strlen(text) >= sizeof(copy))
		return unreadable(&source, err);
	if (!dots) {
		if (read_moment(text, &source, ctx, &m, err))
			return -1;
		*out = resolve(&m, ctx);
		return 0;
	}
	memcpy(copy, text, strlen(text) + 1);
	copy[dots - text] = '\0';
	return parse_ends(copy, copy + (dots - text) + 2, &source, ctx, out, err);
}

enum range_clip range_clip(struct range *r, struct range span)
{
	if (!meets(*r, span))
		return RANGE_OUTSIDE;
	struct range was = *r;
	r->from = was.from < span.from ? span.from : was.from;
	r->to = was.to > span.to ? span.to : was.to;
	return r->from != was.from || r->to != was.to ? RANGE_CLIPPED : RANGE_INSIDE;
}

/* ---- as text ---- */

static int64_t floor_second(int64_t ns)
{
	return ns / NS_PER_S - (ns % NS_PER_S < 0);
}

static void put_fraction(struct buf *out, int64_t ns)
{
	int64_t rest = ns - floor_second(ns) * NS_PER_S;
	if (rest % NS_PER_MS == 0 && rest)
		buf_fmt(out, ".%03d", (int)(rest / NS_PER_MS));
	else if (rest % NS_PER_US == 0 && rest)
		buf_fmt(out, ".%06d", (int)(rest / NS_PER_US));
	else if (rest)
		buf_fmt(out, ".%09d", (int)rest);
}

static struct civil civil_at(int64_t ns, struct zone z)
{
	int64_t s = floor_second(ns);
	return civil_of(s + zone_offset(z, s));
}

void time_rfc3339(struct buf *out, int64_t ns)
{
	struct civil c = civil_at(ns, ZONE_UTC);
	buf_fmt(out, "%04d-%02d-%02dT%02d:%02d:%02d", c.year, c.month, c.day, c.hour, c.minute,
		c.second);
	put_fraction(out, ns);
	buf_char(out, 'Z');
}

void time_zone(struct buf *out, int64_t ns, bool utc)
{
	int32_t offset = zone_offset((struct zone){utc, 0}, floor_second(ns));
	int32_t minutes = abs(offset) / 60;
	if (utc)
		buf_char(out, 'Z');
	else
		buf_fmt(out, "%c%02d:%02d", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

/* One end: with a date if asked, seconds and finer where they are not zero, or asked. */
static void put_end(struct buf *out, int64_t ns, struct zone z, bool date, bool with_seconds)
{
	struct civil c = civil_at(ns, z);
	if (date)
		buf_fmt(out, "%04d-%02d-%02dT", c.year, c.month, c.day);
	buf_fmt(out, "%02d:%02d", c.hour, c.minute);
	if (with_seconds)
		buf_fmt(out, ":%02d", c.second);
	put_fraction(out, ns);
}

static bool whole_minute(int64_t ns)
{
	return ns % (60 * NS_PER_S) == 0;
}

/* The shortest form, which is not yet known to be read back as the same. */
static void put_range(struct buf *out, struct range r, const struct range_context *ctx)
{
	struct zone z = {ctx->utc, 0};
	bool date = civil_day(z, r.from) != last_day(ctx, z) ||
		    civil_day(z, r.to - 1) != last_day(ctx, z);
	struct civil c = civil_at(r.from, z);
	int64_t length = range_length(r);
	if (!c.hour && !c.minute && !c.second && length > 20 * 3600 * NS_PER_S &&
	    length < 28 * 3600 * NS_PER_S) {
		size_t start = out->len;
		struct range day = {0, 0};
		buf_fmt(out, "%04d-%02d-%02d", c.year, c.month, c.day);
		if (!range_parse(out->data + start, ctx, &day, NULL) && day.from == r.from &&
		    day.to == r.to)
			return;
		out->len = start;
		out->data[start] = '\0';
	}
	if (length == 60 * NS_PER_S && whole_minute(r.from)) {
		put_end(out, r.from, z, date, false);
	} else if (length == NS_PER_S && r.from % NS_PER_S == 0) {
		put_end(out, r.from, z, date, true);
	} else {
		bool with_seconds = !whole_minute(r.from) || !whole_minute(r.to);
		put_end(out, r.from, z, date, with_seconds);
		buf_str(out, "..");
		put_end(out, r.to, z, date, with_seconds);
	}
}

void range_text(struct buf *out, struct range r, const struct range_context *ctx)
{
	size_t start = out->len;
	struct range back = {0, 0};
	put_range(out, r, ctx);
	if (!range_parse(out->data + start, ctx, &back, NULL) && back.from == r.from &&
	    back.to == r.to)
		return;
	out->len = start; /* the hour that comes twice, and the like */
	time_rfc3339(out, r.from);
	buf_str(out, "..");
	time_rfc3339(out, r.to);
}
