/* The store end to end: what is written is what is read, and what a query counts. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fixture.h"

static const int64_t T0 = 1796130451; /* 2026-12-01T13:07:31Z */

/* Two seconds of a thread that works in a/b and a/c, and of one that sleeps in a/s. */
static void write_two_seconds(struct store_writer *w, int64_t t0)
{
	uint32_t p = put_process(w, 812, "demo");
	uint32_t worker = writer_thread(w, p, 813, "worker-1"),
		 sleeper = writer_thread(w, p, 814, "sleeper");
	uint32_t ab = put_stack(w, "ab"), ac = put_stack(w, "ac"), as = put_stack(w, "as");
	const struct sample_run busy[] = {
		{0, 30, STATE_RUNNING, ab},
		{30, 20, STATE_RUNNING, ac},
		{60, 10, STATE_SLEEPING, as},
	};
	const struct sample_run idle[] = {{0, 100, STATE_SLEEPING, as}};
	const struct second_thread threads[] = {
		{worker, 500000001, busy, 3},
		{sleeper, 77, idle, 1},
	};
	struct simple_second s;
	for (int i = 0; i < 2; i++)
		writer_second(w, simple_second(&s, t0 + i, p, threads, 2));
}

static void write_store(const char *path, int64_t t0)
{
	struct store_writer *w = open_writer(path);
	write_two_seconds(w, t0);
	GOOD(writer_close(w, err));
}

static void reads_what_was_written(void **state)
{
	const char *path = in_folder(state, "s");
	write_store(path, T0);
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct range span = store_span(s);
	assert_int_equal(span.from, T0 * NS_PER_S);
	assert_int_equal(span.to, (T0 + 2) * NS_PER_S);
	assert_true(store_rate(s) == 99);
	assert_false(store_live(s));

	struct filter f = FILTER_INIT;
	struct calltree t;
	read_tree(s, span, &f, &t);
	assert_int_equal(count_of(&t, "")->total, 100);
	assert_int_equal(count_of(&t, "")->total_ns, 2 * (500000001 + 77));
	assert_int_equal(count_of(&t, "a")->self, 0);
	assert_int_equal(count_of(&t, "a/b")->self, 60);
	assert_int_equal(count_of(&t, "a/c")->self, 40);
	assert_int_equal(count_of(&t, "a/b")->self_ns, 2 * 300000000);
	assert_int_equal(count_of(&t, "a/c")->self_ns, 2 * 200000001);
	assert_int_equal(count_of(&t, "[cpu between samples]")->self, 0);
	assert_int_equal(count_of(&t, "[cpu between samples]")->self_ns, 2 * 77);
	assert_int_equal(find_node(&t, "a/s"), CALLTREE_NONE);
	assert_int_equal(t.covered_ns[0], 2 * NS_PER_S);
	calltree_release(&t);

	f.weight = WEIGHT_WALL;
	read_tree(s, span, &f, &t);
	assert_int_equal(count_of(&t, "")->total, 2 * 160);
	assert_int_equal(count_of(&t, "")->total_ns, 2 * 160 * INT64_C(10000000));
	calltree_release(&t);

	f.weight = WEIGHT_OFF_CPU;
	read_tree(s, span, &f, &t);
	assert_int_equal(count_of(&t, "")->total, 2 * 110);
	assert_int_equal(count_of(&t, "a/s")->self_ns, 2 * 110 * INT64_C(10000000));
	assert_int_equal(find_node(&t, "a/b"), CALLTREE_NONE);
	calltree_release(&t);
	store_close(s);
	names_free(names);
}

static void a_runnable_thread_waits(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	uint32_t p = put_process(w, 812, "demo"), ab = put_stack(w, "ab"), ac = put_stack(w, "ac");
	const struct sample_run runs[] = {{0, 10, STATE_RUNNING, ab}, {10, 90, STATE_RUNNABLE, ac}};
	const struct second_thread thread = {writer_thread(w, p, 813, "worker"), 1000, runs, 2};
	struct simple_second second;
	writer_second(w, simple_second(&second, T0, p, &thread, 1));
	GOOD(writer_close(w, err));
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct filter f = FILTER_INIT;
	struct calltree t;
	read_tree(s, store_span(s), &f, &t);
	assert_int_equal(count_of(&t, "a/b")->self_ns, 1000);
	assert_int_equal(find_node(&t, "a/c"), CALLTREE_NONE);
	calltree_release(&t);
	f.weight = WEIGHT_OFF_CPU;
	read_tree(s, store_span(s), &f, &t);
	assert_int_equal(count_of(&t, "a/c")->self, 90);
	calltree_release(&t);
	struct store_info info;
	GOOD(query_info(s, &info, err));
	assert_int_equal(info.running, 10);
	assert_int_equal(info.samples, 100);
	store_close(s);
	names_free(names);
}

/* The cells of a range under a filter, and its tree: the same samples, at every step and cut. */
static void check_sums(struct store *s, struct range r, const struct filter *f)
{
	static const int64_t steps[] = {20 * NS_PER_MS, 333 * NS_PER_MS, NS_PER_S, 60 * NS_PER_S};
	struct calltree t;
	read_tree(s, r, f, &t);
	for (size_t i = 0; i < 4; i++) {
		size_t n = (size_t)((r.to - r.from + steps[i] - 1) / steps[i]);
		struct heat_cell *cells = mem_zalloc(n, sizeof(*cells));
		struct query q = {.range = r, .filter = f};
		GOOD(query_heat(s, &q, steps[i], cells, n, err));
		uint64_t samples = 0;
		for (size_t k = 0; k < n; k++)
			samples += cells[k].samples;
		assert_int_equal(samples, t.nodes[0].side[0].total);
		free(cells);
	}
	calltree_release(&t);
}

static void cells_add_up_to_the_root(void **state)
{
	const char *path = in_folder(state, "s");
	write_store(path, T0);
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	static const struct {
		enum filter_key key;
		const char *value;
		bool negated;
	} terms[] = {
		{FILTER_PROCESS, "812", false},   {FILTER_PROCESS, "other", false},
		{FILTER_THREAD, "work*", false},  {FILTER_THREAD, "813", true},
		{FILTER_TYPE, "native", false},   {FILTER_TYPE, "native", true},
		{FILTER_STATE, "running", false}, {FILTER_STATE, "running", true},
		{FILTER_MATCH, "B", false},       {FILTER_MATCH, "b", true},
	};
	const struct range ranges[] = {
		seconds(T0, T0 + 2),
		{T0 * NS_PER_S + 123 * NS_PER_MS, (T0 + 1) * NS_PER_S + 456 * NS_PER_MS},
		{T0 * NS_PER_S + 205 * NS_PER_MS, T0 * NS_PER_S + 305 * NS_PER_MS},
		seconds(T0 - 100, T0 + 100),
		seconds(T0 + 5, T0 + 6),
	};
	for (int w = 0; w < WEIGHT_COUNT; w++)
		for (size_t k = 0; k < sizeof(ranges) / sizeof(ranges[0]); k++) {
			struct filter f = FILTER_INIT;
			f.weight = (enum weight)w;
			check_sums(s, ranges[k], &f);
			for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
				struct filter_term term = {terms[i].key, terms[i].negated,
							   (char *)terms[i].value};
				f.terms = &term;
				f.count = 1;
				check_sums(s, ranges[k], &f);
			}
		}
	store_close(s);
	names_free(names);
}

static void cut_second_takes_the_samples_inside(void **state)
{
	const char *path = in_folder(state, "s");
	write_store(path, T0);
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct filter f = FILTER_INIT;
	struct calltree t;
	int64_t t0 = T0 * NS_PER_S;
	uint64_t ns = 0, samples = 0;
	/* [0,205) holds ticks 5..195: 20; the pieces' time adds up to the whole, to the nanosecond */
	static const int64_t cuts[] = {0, 205, 305, 306, 700, 1000};
	for (size_t i = 0; i + 1 < 6; i++) {
		read_tree(s, (struct range){t0 + cuts[i] * NS_PER_MS, t0 + cuts[i + 1] * NS_PER_MS},
			  &f, &t);
		if (i == 0) {
			assert_int_equal(count_of(&t, "a/b")->self, 20);
			assert_int_equal(count_of(&t, "[cpu between samples]")->self_ns, 77);
			assert_int_equal(t.covered_ns[0], 205 * NS_PER_MS);
		} else {
			assert_int_equal(find_node(&t, "[cpu between samples]"), CALLTREE_NONE);
		}
		ns += t.nodes[0].side[0].total_ns;
		samples += t.nodes[0].side[0].total;
		calltree_release(&t);
	}
	assert_int_equal(ns, 500000001 + 77);
	assert_int_equal(samples, 50);
	store_close(s);
	names_free(names);
}

static void continues_after_close(void **state)
{
	const char *path = in_folder(state, "s");
	write_store(path, T0);
	write_store(path, T0 + 10);
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct filter f = FILTER_INIT;
	struct calltree t;
	read_tree(s, store_span(s), &f, &t);
	assert_int_equal(count_of(&t, "a/b")->self, 120);
	assert_int_equal(t.covered_ns[0], 4 * NS_PER_S);
	calltree_release(&t);
	store_close(s);
	names_free(names);
}

static void a_second_that_comes_twice_is_kept_twice(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	write_two_seconds(w, T0);
	GOOD(writer_commit(w, err));
	write_two_seconds(w, T0); /* the clock went back */
	GOOD(writer_commit(w, err));
	write_two_seconds(w, T0 + 1);
	write_two_seconds(w, T0 - 7);
	GOOD(writer_close(w, err));
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct filter f = FILTER_INIT;
	struct calltree t;
	read_tree(s, seconds(T0, T0 + 2), &f, &t);
	assert_int_equal(t.nodes[0].side[0].total, 5 * 50);
	calltree_release(&t);
	read_tree(s, seconds(T0 - 7, T0 + 3), &f, &t);
	assert_int_equal(t.nodes[0].side[0].total, 8 * 50);
	calltree_release(&t);
	check_sums(s, seconds(T0 - 7, T0 + 3), &f);
	store_close(s);
	names_free(names);
}

static void a_day_is_a_segment(void **state)
{
	const char *path = in_folder(state, "s");
	int64_t midnight = T0 / 86400 * 86400 + 86400;
	struct store_writer *w = open_writer(path);
	uint32_t epoch = writer_epoch(w);
	write_two_seconds(w, midnight - 2);
	GOOD(writer_commit(w, err));
	assert_true(writer_epoch(w) != epoch);
	write_two_seconds(w, midnight);
	GOOD(writer_commit(w, err));
	GOOD(writer_close(w, err));
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct store_info info;
	GOOD(query_info(s, &info, err));
	assert_int_equal(info.segments, 2);
	assert_int_equal(info.samples, 4 * 160);
	assert_int_equal(info.running, 4 * 50);
	assert_int_equal(info.threads, 2);
	assert_int_equal(info.processes, 1);
	assert_int_equal(info.functions, 4);
	assert_int_equal(info.cpu_ns, 4 * INT64_C(500000078));
	assert_int_equal(info.wall_ns, 4 * 160 * INT64_C(10000000));
	assert_string_equal(info.command, "cprof record -p 812");
	struct filter f = FILTER_INIT;
	check_sums(s, store_span(s), &f);
	store_close(s);
	names_free(names);
}

static void a_grown_segment_is_ended(void **state)
{
	const char *path = in_folder(state, "s");
	struct writer_opts opts = {.rate_hz = 99, .segment_bytes = 160 << 10};
	struct store_writer *w;
	GOOD(writer_open(&w, path, &opts, err));
	for (int i = 0; i < 600; i++) {
		write_two_seconds(w, T0 + 2 * i); /* numbers are asked for anew each time */
		GOOD(writer_commit(w, err));
	}
	assert_true(writer_epoch(w) > 0);
	GOOD(writer_close(w, err));
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct store_info info;
	GOOD(query_info(s, &info, err));
	assert_true(info.segments > 1);
	assert_int_equal(info.samples, 1200 * 160);
	struct filter f = FILTER_INIT;
	check_sums(s, store_span(s), &f);
	store_close(s);
	names_free(names);
}

/* Above the first map of 16 MiB: it grows, and what was there stays. */
static void the_map_grows(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	uint32_t p = put_process(w, 812, "demo"), worker = writer_thread(w, p, 813, "worker");
	struct sample_run runs[100];
	struct second_thread thread = {worker, 1000000000, runs, 100};
	uint32_t n = 0;
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 2000; k++) {
			struct simple_second s;
			for (uint16_t r = 0; r < 100; r++)
				runs[r] =
					(struct sample_run){r, 1, STATE_RUNNING, n++ * 2654435761u};
			writer_second(w,
				      simple_second(&s, T0 - 40000 + i * 2000 + k, p, &thread, 1));
		}
		GOOD(writer_commit(w, err));
	}
	GOOD(writer_close(w, err));
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct store_info info;
	GOOD(query_info(s, &info, err));
	assert_int_equal(info.samples, n);
	assert_true(info.bytes > 20 << 20);
	store_close(s);
	names_free(names);
}

static void threads_and_events(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	write_two_seconds(w, T0);
	writer_event(w, T0 * NS_PER_S + 5, EVENT_EXEC, put_process(w, 812, "demo"),
		     "now \x1b[31m red");
	writer_event(w, T0 * NS_PER_S + 3, EVENT_START, WRITER_NO_PROCESS, "start");
	GOOD(writer_close(w, err));
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct filter f = FILTER_INIT;
	struct query q = {.range = seconds(T0, T0 + 1), .filter = &f};
	struct thread_rows rows;
	GOOD(query_threads(s, &q, &rows, err));
	assert_int_equal(rows.count, 2);
	assert_string_equal(rows.rows[0].name, "worker-1");
	assert_string_equal(rows.rows[0].process, "demo");
	assert_int_equal(rows.rows[0].tid, 813);
	assert_int_equal(rows.rows[0].samples, 50);
	assert_int_equal(rows.rows[0].ns, 500000001);
	assert_int_equal(rows.rows[0].by_state[STATE_SLEEPING], 10);
	assert_int_equal(rows.rows[1].samples, 0);
	assert_int_equal(rows.rows[1].cpu_ns, 77);
	thread_rows_release(&rows);

	struct event_rows events;
	GOOD(query_events(s, seconds(T0, T0 + 1), &events, err));
	assert_int_equal(events.count, 2);
	assert_int_equal(events.rows[0].type, EVENT_START);
	assert_int_equal(events.rows[0].pid, 0);
	assert_int_equal(events.rows[1].pid, 812);
	assert_string_equal(events.rows[1].text, "now \\x1b[31m red");
	event_rows_release(&events);
	store_close(s);
	names_free(names);
}

static void quality_of_cells(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	uint32_t p = put_process(w, 812, "demo");
	struct simple_second s;
	writer_second(w, simple_second(&s, T0, p, NULL, 0)); /* full, and idle */
	simple_second(&s, T0 + 1, p, NULL, 0)->nticks = 50;  /* the first half of the ticks */
	s.second.missed = 50;
	writer_second(w, &s.second);
	simple_second(&s, T0 + 2, p, NULL, 0)->nticks = 0;
	s.second.missed = 100;
	writer_second(w, &s.second);
	for (int i = 0; i < 40; i++)
		s.ticks[i] = (uint16_t)(605 + 10 * i); /* a recording that begins at 600 ms */
	s.second = (struct second){.time = T0 + 4,
				   .process = p,
				   .covered_ms = 400,
				   .expected = 40,
				   .tick_ms = s.ticks,
				   .nticks = 40};
	writer_second(w, &s.second);
	GOOD(writer_close(w, err));
	struct names *names = names_new();
	struct store *store = open_store(path, names);
	struct filter f = FILTER_INIT;
	struct query q = {.range = seconds(T0 - 1, T0 + 6), .filter = &f};
	static const uint8_t by_second[] = {CELL_NONE, CELL_FULL, CELL_PARTIAL, CELL_GAP,
					    CELL_NONE, CELL_PARTIAL, CELL_NONE};
	struct heat_cell cells[7 * 50];
	GOOD(query_heat(store, &q, NS_PER_S, cells, 7, err));
	for (int i = 0; i < 7; i++)
		assert_int_equal(cells[i].quality, by_second[i]);
	assert_int_equal(cells[2].expected, 100);
	assert_int_equal(cells[2].taken, 50);
	GOOD(query_heat(store, &q, 20 * NS_PER_MS, cells, 7 * 50, err));
	for (int i = 0; i < 7 * 50; i++) {
		int second = i / 50, at = i % 50;
		uint8_t want = second == 2   ? (at < 25 ? CELL_PARTIAL : CELL_GAP)
			       : second == 5 ? (at < 30 ? CELL_NONE : CELL_FULL)
					     : by_second[second];
		assert_int_equal(cells[i].quality, want);
	}
	struct calltree t;
	read_tree(store, q.range, &f, &t);
	assert_int_equal(t.covered_ns[0], 3400 * NS_PER_MS);
	calltree_release(&t);
	GOOD(query_heat(store, &q, 60 * NS_PER_S, cells, 1, err));
	assert_int_equal(cells[0].quality, CELL_PARTIAL);
	store_close(store);
	names_free(names);
}

static void refresh_sees_what_was_added(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct filter f = FILTER_INIT;
	struct calltree t;
	assert_int_equal(store_span(s).from, store_span(s).to);
	assert_true(store_live(s));
	for (int i = 0; i < 5; i++) {
		write_two_seconds(w, T0 + 2 * i);
		GOOD(writer_commit(w, err));
		uint64_t before = store_generation(s);
		assert_int_equal(store_refresh(s, NULL), 1);
		assert_true(store_generation(s) != before);
		assert_int_equal(store_refresh(s, NULL), 0);
		read_tree(s, store_span(s), &f, &t);
		assert_int_equal(t.nodes[0].side[0].total, (i + 1) * 100);
		calltree_release(&t);
	}
	GOOD(writer_close(w, err));
	assert_false(store_live(s));
	store_close(s);
	names_free(names);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
		TEST(reads_what_was_written),
		TEST(a_runnable_thread_waits),
		TEST(cells_add_up_to_the_root),
		TEST(cut_second_takes_the_samples_inside),
		TEST(continues_after_close),
		TEST(a_second_that_comes_twice_is_kept_twice),
		TEST(a_day_is_a_segment),
		TEST(a_grown_segment_is_ended),
		TEST(the_map_grows),
		TEST(threads_and_events),
		TEST(quality_of_cells),
		TEST(refresh_sees_what_was_added),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
