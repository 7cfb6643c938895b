/* cprof info: what is in a store; alone: the recordings there are. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/look.h"
#include "cmd/options.h"
#include "cmd/sheet.h"
#include "store/place.h"
#include "store/query.h"

struct facts {
	struct store_info in;
	const char *name, *path, *command; /* clean */
	double rate;
	bool live;
};

static struct value text(const char *s)
{
	if (!*s)
		return (struct value){.kind = VALUE_UNKNOWN};
	return (struct value){.kind = VALUE_TEXT, .text = s};
}

static struct value number(enum value_kind kind, uint64_t n)
{
	return (struct value){.kind = kind, .number = (int64_t)n};
}

static struct value real(enum value_kind kind, double v)
{
	return (struct value){.kind = kind, .real = v};
}

static struct value when(int64_t ns)
{
	return (struct value){.kind = ns ? VALUE_TIME : VALUE_UNKNOWN, .number = ns};
}

/* A time of stops: unknown without any. */
static struct value stop_us(const struct facts *f, uint64_t ns)
{
	if (!f->in.stops)
		return (struct value){.kind = VALUE_UNKNOWN};
	return real(VALUE_REAL, (double)ns / 1000);
}

static struct value percent(uint64_t part, uint64_t whole)
{
	if (!whole)
		return (struct value){.kind = VALUE_UNKNOWN};
	return real(VALUE_REAL, 100 * (double)part / (double)whole);
}

/* The keys, in their order: a contract; new ones are added at the end. */
#define KEYS(X)                                                                                    \
	X("name", name, text(f->name))                                                             \
	X("path", path, text(f->path))                                                             \
	X("command", command, text(f->command))                                                    \
	X("start", start, when(f->in.start))                                                       \
	X("end", end, when(f->in.end))                                                             \
	X("duration", duration, real(VALUE_REAL, (double)(f->in.end - f->in.start) / NS_PER_S))    \
	X("rate", rate, real(VALUE_REAL, f->rate))                                                 \
	X("samples", samples, number(VALUE_ID, f->in.samples))                                     \
	X("running", running, number(VALUE_ID, f->in.running))                                     \
	X("expected", expected, number(VALUE_ID, f->in.expected))                                  \
	X("missed", missed, number(VALUE_ID, f->in.missed))                                        \
	X("threads", threads, number(VALUE_ID, f->in.threads))                                     \
	X("processes", processes, number(VALUE_ID, f->in.processes))                               \
	X("functions", functions, number(VALUE_ID, f->in.functions))                               \
	X("stacks", stacks, number(VALUE_ID, f->in.stacks))                                        \
	X("segments", segments, number(VALUE_ID, f->in.segments))                                  \
	X("stops", stops, number(VALUE_ID, f->in.stops))                                           \
	X("stopless", stopless, number(VALUE_ID, f->in.stopless))                                  \
	X("stop-p50-us", stop_p50, stop_us(f, f->in.stop_p50_ns))                                  \
	X("stop-p99-us", stop_p99, stop_us(f, f->in.stop_p99_ns))                                  \
	X("stop-max-us", stop_max, stop_us(f, f->in.stop_max_ns))                                  \
	X("stopped-percent", stopped, percent(f->in.stopped_ns, f->in.cpu_ns))                     \
	X("truncated-percent", truncated, percent(f->in.truncated, f->in.samples))                 \
	X("cpu-s", cpu, real(VALUE_REAL, (double)f->in.cpu_ns / NS_PER_S))                         \
	X("store-bytes", bytes, number(VALUE_ID, f->in.bytes))                                     \
	X("live", live, number(VALUE_BOOL, f->live))                                               \
	X("taken", taken, number(VALUE_ID, f->in.expected - f->in.missed))

#define X(key, id, expression)                                                                     \
	static struct value fact_##id(const struct facts *f)                                       \
	{                                                                                          \
		return expression;                                                                 \
	}
KEYS(X)
#undef X

static const struct {
	const char *key;
	struct value (*get)(const struct facts *f);
} keys[] = {
#define X(key, id, expression) {key, fact_##id},
	KEYS(X)
#undef X
};

static void print_facts(const struct facts *f, bool json)
{
	struct buf line = BUF_INIT;
	size_t n = sizeof(keys) / sizeof(keys[0]);
	if (json)
		buf_str(&line, "{\n");
	for (size_t i = 0; i < n; i++) {
		struct value v = keys[i].get(f);
		if (json) {
			buf_fmt(&line, "  \"%s\": ", keys[i].key);
			value_json(&line, &v);
			buf_str(&line, i + 1 < n ? ",\n" : "\n}\n");
		} else {
			buf_fmt(&line, "%s: ", keys[i].key);
			value_text(&line, &v);
			buf_char(&line, '\n');
		}
	}
	fputs(buf_cstr(&line), stdout);
	buf_free(&line);
}

static char *clean(const char *s)
{
	struct buf b = BUF_INIT;
	text_clean(&b, s, strlen(s));
	return buf_take(&b);
}

static int print_store(const char *store, bool json, struct err *err)
{
	struct names *names = names_new();
	struct store *s = NULL;
	struct facts f = {0};
	char *path = place_resolve(store);
	int failed = store_open(&s, path, names, err) || query_info(s, &f.in, err);
	if (!failed) {
		char *where = clean(store_path(s)), *command = clean(f.in.command);
		const char *slash = strrchr(where, '/');
		f.path = where;
		f.name = slash && slash[1] ? slash + 1 : where;
		f.command = command;
		f.rate = store_rate(s);
		f.live = store_live(s);
		look_damage(s);
		print_facts(&f, json);
		free(where);
		free(command);
	}
	if (s)
		store_close(s);
	free(path);
	names_free(names);
	return failed ? -1 : 0;
}

/* A row of the list of recordings. */
static struct value row_name(const void *row)
{
	return text(((const struct recording *)row)->name);
}

static struct value row_start(const void *row)
{
	return when(((const struct recording *)row)->start);
}

static struct value row_bytes(const void *row)
{
	return number(VALUE_COUNT, ((const struct recording *)row)->bytes);
}

static struct value row_live(const void *row)
{
	return number(VALUE_BOOL, ((const struct recording *)row)->live);
}

static struct value row_path(const void *row)
{
	return text(((const struct recording *)row)->path);
}

static void list_recordings(bool json)
{
	static const struct column columns[] = {{"name", row_name},
						{"start", row_start},
						{"bytes", row_bytes},
						{"live", row_live},
						{"path", row_path}};
	struct recording *list;
	size_t n = place_list(&list);
	struct sheet t;
	if (!n && !json) {
		char *place = place_default();
		err_note("no recordings in %s; make one with: cprof record -p PID", place);
		free(place);
	} else {
		sheet_begin(&t, json ? &sheet_json : &sheet_text, columns,
			    sizeof(columns) / sizeof(columns[0]), stdout);
		for (size_t i = 0; i < n; i++)
			sheet_row(&t, &list[i]);
		sheet_end(&t);
	}
	recordings_free(list, n);
}

int cmd_info(const struct options *o)
{
	struct err err;
	bool json = o->json || o->format == FORMAT_JSON;
	if (!o->nargs)
		list_recordings(json);
	else if (print_store(o->args[0], json, &err))
		return err_report(&err);
	return 0;
}
