/* What the tests of the screen share: a synthetic recording of three threads, an app on it,
 * and golden files. The recording is the same in every run. */
#ifndef TESTS_UNIT_TUI_FIXTURE_H
#define TESTS_UNIT_TUI_FIXTURE_H

#include <math.h>

#include "base/buf.h"
#include "tests/unit/fixture.h"
#include "tui/script.h"

/* 2026-12-01 13:00:00 UTC; the recording is 7 min 32 s long. */
#define TUI_START INT64_C(1796130000)
enum { TUI_SECONDS = 452, TUI_TICKS = 99, TUI_THREADS = 3 };
/* Seconds that differ: a gap, an idle stretch, two seconds partly taken, a spike. */
enum {
	GAP_FROM = 130,
	GAP_TO = 140,
	IDLE_FROM = 233,
	IDLE_TO = 240,
	PART_FROM = 200,
	PART_TO = 202,
	SPIKE_FROM = 391,
	SPIKE_TO = 406
};

static inline unsigned tui_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static inline double tui_chance(uint32_t *state)
{
	return tui_random(state) / 16777216.0;
}

struct tui_writer {
	struct store_writer *w;
	uint32_t epoch, process, threads[TUI_THREADS];
	uint32_t stacks[8], wait;
};

static inline uint32_t tui_frame(struct store_writer *w, enum frame_kind kind, const char *name,
				 const char *module, const char *file, uint32_t line)
{
	struct writer_function f = {
		.kind = kind, .name = name, .module = module, .file = file, .line = line};
	return writer_frame(w, writer_func(w, &f), line);
}

static inline uint32_t tui_py(struct store_writer *w, uint32_t parent, const char *name,
			      const char *file, uint32_t line)
{
	return writer_stack(w, parent, tui_frame(w, KIND_PYTHON, name, "python3.11", file, line));
}

static inline uint32_t tui_c(struct store_writer *w, uint32_t parent, const char *name,
			     const char *module)
{
	return writer_stack(w, parent, tui_frame(w, KIND_NATIVE, name, module, "", 0));
}

static inline void tui_intern(struct tui_writer *t)
{
	struct store_writer *w = t->w;
	struct writer_process p = {.pid = 4711,
				   .start_ticks = 5000,
				   .name = "orders-api",
				   .exe = "/usr/bin/python3.11"};
	t->epoch = writer_epoch(w);
	t->process = writer_process(w, &p);
	t->threads[0] = writer_thread(w, t->process, 4711, "main");
	t->threads[1] = writer_thread(w, t->process, 4712, "worker-1");
	t->threads[2] = writer_thread(w, t->process, 4713, "worker-2");
	uint32_t start = tui_c(w, WRITER_ROOT, "_start", "python3.11");
	uint32_t serve = tui_py(w, tui_py(w, start, "main", "/srv/app.py", 88), "serve",
				"/srv/server.py", 41);
	uint32_t order = tui_py(w, serve, "handle_order", "/srv/orders.py", 120);
	uint32_t json = tui_py(w, tui_py(w, order, "to_json", "/srv/orders.py", 77), "dumps",
			       "/usr/lib/json/__init__.py", 238);
	t->stacks[0] = tui_c(w, json, "encoder_listencode_dict", "_json.so");
	t->stacks[1] =
		writer_stack(w, t->stacks[0],
			     tui_frame(w, KIND_INLINE, "ascii_escape_unicode", "_json.so", "", 0));
	t->stacks[2] = tui_py(w, order, "validate", "/srv/orders.py", 61);
	uint32_t body = tui_py(w, serve, "read_body", "/srv/http.py", 310);
	t->stacks[3] = writer_stack(w, tui_c(w, body, "recv", "libc.so.6"),
				    tui_frame(w, KIND_KERNEL, "tcp_recvmsg", "[kernel]", "", 0));
	uint32_t thread =
		tui_c(w, tui_c(w, WRITER_ROOT, "clone3", "libc.so.6"), "start_thread", "libc.so.6");
	uint32_t deflate = tui_c(w, tui_py(w, thread, "compress", "/srv/zlib_worker.py", 19),
				 "deflate", "libz.so.1");
	t->stacks[4] = tui_c(w, tui_c(w, deflate, "deflate_slow", "libz.so.1"), "longest_match",
			     "libz.so.1");
	t->stacks[5] = tui_c(w, deflate, "crc32_z", "libz.so.1");
	t->wait = tui_c(w, serve, "epoll_wait", "libc.so.6");
}

static inline double tui_load(int s, uint32_t *seed)
{
	if (s >= IDLE_FROM && s < IDLE_TO)
		return 0;
	if (s >= SPIKE_FROM && s < SPIKE_TO)
		return 0.92;
	return 0.22 + 0.15 * sin(s / 17.0) + 0.16 * tui_chance(seed);
}

static inline void tui_second(struct tui_writer *t, int s, uint32_t *seed)
{
	uint16_t ticks[TUI_TICKS];
	struct sample_run runs[TUI_THREADS][TUI_TICKS];
	struct second_thread threads[TUI_THREADS];
	bool gap = s >= GAP_FROM && s < GAP_TO, part = s >= PART_FROM && s < PART_TO;
	int n = gap ? 0 : part ? 60 : TUI_TICKS;
	double load = tui_load(s, seed);
	for (int i = 0; i < n; i++)
		ticks[i] = (uint16_t)(i * 10 + 3);
	for (int k = 0; k < TUI_THREADS; k++) {
		uint64_t cpu = 0;
		for (int i = 0; i < n; i++) {
			bool run = tui_chance(seed) < load;
			unsigned r = tui_random(seed) % 100;
			uint32_t stack = k ? t->stacks[r < 70 ? 4 : 5]
					 : s >= SPIKE_FROM && s < SPIKE_TO
						 ? t->stacks[r < 45   ? 0
							     : r < 70 ? 1
							     : r < 90 ? 2
								      : 3]
						 : t->stacks[r < 15   ? 0
							     : r < 25 ? 1
							     : r < 55 ? 2
								      : 3];
			cpu += run ? NS_PER_S / TUI_TICKS : 0;
			runs[k][i] = (struct sample_run){(uint16_t)i, 1,
							 run ? STATE_RUNNING : STATE_SLEEPING,
							 run ? stack : t->wait};
		}
		threads[k] = (struct second_thread){t->threads[k], cpu, runs[k], (size_t)n};
	}
	struct second second = {.time = TUI_START + s,
				.process = t->process,
				.covered_ms = 1000,
				.expected = TUI_TICKS,
				.missed = (uint32_t)(TUI_TICKS - n),
				.tick_ms = ticks,
				.nticks = (size_t)n,
				.stops = 50,
				.stopless = 20,
				.stopped_ns = 200000,
				.threads = threads,
				.nthreads = TUI_THREADS};
	writer_second(t->w, &second);
}

/* Record seconds [from, to) of the story. */
static inline void tui_record(const char *path, int from, int to)
{
	struct tui_writer t = {.w = open_writer(path), .epoch = UINT32_MAX};
	uint32_t seed = 4;
	for (int s = from; s < to; s++) {
		if (t.epoch != writer_epoch(t.w))
			tui_intern(&t);
		tui_second(&t, s, &seed);
		if (s == SPIKE_FROM - 1)
			writer_event(t.w, (TUI_START + s) * NS_PER_S, EVENT_NOTE, t.process,
				     "deploy");
	}
	GOOD(writer_close(t.w, err));
}

struct screen {
	struct names *names;
	struct store *store;
	struct tui_opts opts;
	struct app app;
};

static inline void screen_open(struct screen *s, const char *path, int cols, int rows,
			       bool view_only)
{
	*s = (struct screen){.names = names_new()};
	s->store = open_store(path, s->names);
	s->opts = (struct tui_opts){.store = s->store,
				    .names = s->names,
				    .title = "orders-api 4711",
				    .store_path = path,
				    .view_only = view_only,
				    .utc = true};
	app_init(&s->app, &s->opts, cols, rows, DEPTH_256, false);
}

static inline void screen_close(struct screen *s)
{
	app_release(&s->app);
	store_close(s->store);
	names_free(s->names);
}

static inline void screen_keys(struct screen *s, const char *keys)
{
	GOOD(script_feed(&s->app, keys, err));
}

/* A line of the screen as text; the caller frees. */
static inline char *screen_row(struct screen *s, int y)
{
	struct buf b = BUF_INIT;
	for (int x = 0; x < s->app.cells.w; x++)
		buf_str(&b, s->app.cells.at[y * s->app.cells.w + x].text);
	buf_str(&b, "");
	return buf_take(&b);
}

static inline bool screen_shows(struct screen *s, const char *text)
{
	struct buf b = BUF_INIT;
	cells_dump(&b, &s->app.cells, false);
	bool found = strstr(buf_cstr(&b), text) != NULL;
	buf_free(&b);
	return found;
}

/* Compare with tests/golden/NAME.txt; GOLDENS=rewrite, or `make goldens` by its CPROF_GOLDENS=write,
 * makes the file anew. */
static inline void golden(const char *name, const struct cells *c)
{
	char path[200];
	struct buf now = BUF_INIT, was = BUF_INIT;
	snprintf(path, sizeof(path), "tests/golden/%s.txt", name);
	cells_dump(&now, c, true);
	const char *mode = getenv("GOLDENS"), *make = getenv("CPROF_GOLDENS");
	bool rewrite =
		(mode && strcmp(mode, "rewrite") == 0) || (make && strcmp(make, "write") == 0);
	FILE *f = fopen(path, rewrite ? "w" : "r");
	if (!f)
		fail_msg("cannot open %s", path);
	if (rewrite) {
		fwrite(now.data, 1, now.len, f);
	} else {
		char chunk[4096];
		for (size_t n; (n = fread(chunk, 1, sizeof(chunk), f)) > 0;)
			buf_bytes(&was, chunk, n);
		if (strcmp(buf_cstr(&was), buf_cstr(&now)) != 0)
			fail_msg("%s differs; it is now:\n%s", path, buf_cstr(&now));
	}
	fclose(f);
	buf_free(&now);
	buf_free(&was);
}

#endif
