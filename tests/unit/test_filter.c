/* Filters: SEL as text both ways, wrong values, globs; and marks, which are made of them. */
#include <sys/stat.h>
#include <time.h>

#include "fixture.h"

#include "base/buf.h"
#include "store/marks.h"
#include "store/select.h"

static const struct range_context context = {.span = {0, 3600 * NS_PER_S}, .utc = true};

static void parse(const char *sel, struct filter *f, struct range *r, bool *has)
{
	struct err err = {0};
	*f = (struct filter)FILTER_INIT;
	if (filter_parse(sel, &context, f, r, has, &err))
		fail_msg("%s: %s", sel, err.text);
}

static void expect_text(const char *sel, const char *text)
{
	struct filter f, again;
	struct range r;
	bool has;
	struct buf b = BUF_INIT;
	parse(sel, &f, &r, &has);
	filter_text(&b, &f);
	assert_string_equal(buf_cstr(&b), text);
	parse(buf_cstr(&b), &again, &r, &has);
	assert_true(filter_equal(&f, &again));
	assert_false(has);
	filter_release(&f);
	filter_release(&again);
	buf_free(&b);
}

static void text_both_ways(void **state)
{
	(void)state;
	expect_text("", "");
	expect_text("  thread:worker-1  type:native ", "thread:worker-1 type:native");
	expect_text("thread:\"a b\"", "thread:\"a b\"");
	expect_text("\"a b\" !\"c\"", "\"a b\" !c");
	expect_text("std::vector", "std::vector");
	expect_text("\"type:native\"", "\"type:native\"");
	expect_text("\"14:03\" \"!x\" \"@m\"", "\"14:03\" \"!x\" \"@m\"");
	expect_text("a a a", "a");
	expect_text("match:abc", "abc");
	expect_text("!state:sleeping process:812", "!state:sleeping process:812");
	expect_text("\"say \\\"hi\\\" \\\\ now\"", "\"say \\\"hi\\\" \\\\ now\"");
	expect_text("re:^a.*b$", "re:^a.*b$");
	expect_text("operator!", "operator!");
}

static void ranges_in_sel(void **state)
{
	(void)state;
	struct filter f;
	struct range r = {1, 2};
	bool has;
	parse("thread:x", &f, &r, &has);
	assert_false(has);
	assert_int_equal(r.from, 1);
	filter_release(&f);
	parse("00:10..00:20 thread:x foo", &f, &r, &has);
	assert_true(has);
	assert_int_equal(r.from, 600 * NS_PER_S);
	assert_int_equal(f.count, 2);
	filter_release(&f);
	parse("foo -30s", &f, &r, &has);
	assert_true(has);
	filter_release(&f);
}

static void wrong(void **state)
{
	(void)state;
	static const char *const sels[] = {"type:nativ",  "state:", "thread:\"a",  "re:(",
					   "00:10 00:20", "14:0x",  "@nothing",    "!00:10",
					   "state:gone",  "\"",     "process:\"\""};
	for (size_t i = 0; i < sizeof(sels) / sizeof(sels[0]); i++) {
		struct filter f = FILTER_INIT;
		struct range r;
		bool has;
		struct err err = {0};
		if (filter_parse(sels[i], &context, &f, &r, &has, &err) != -1)
			fail_msg("%s was read", sels[i]);
		assert_int_equal(err.code, ERR_USAGE);
		filter_release(&f);
	}
	struct filter f = FILTER_INIT;
	assert_int_equal(filter_add(&f, FILTER_STATE, "sleeping", false, NULL), 0);
	assert_int_equal(filter_check(&f, NULL), -1);
	f.weight = WEIGHT_WALL;
	assert_int_equal(filter_check(&f, NULL), 0);
	filter_release(&f);
}

static void globs(void **state)
{
	(void)state;
	assert_true(select_glob("worker-*", "worker-12"));
	assert_true(select_glob("*", ""));
	assert_true(select_glob("a*b*c", "axxbxbxc"));
	assert_false(select_glob("a*b", "axc"));
	assert_false(select_glob("worker", "worker-1"));
	assert_true(select_glob("", ""));
}

/* ---- what is counted ---- */

static uint64_t count(struct store *s, enum weight w, const char *sel, uint64_t *ns)
{
	struct filter f;
	struct range r;
	bool has;
	struct calltree t;
	parse(sel, &f, &r, &has);
	f.weight = w;
	read_tree(s, store_span(s), &f, &t);
	uint64_t samples = t.nodes[0].side[0].total;
	if (ns)
		*ns = t.nodes[0].side[0].total_ns;
	calltree_release(&t);
	filter_release(&f);
	return samples;
}

static void write_mixed(const char *path)
{
	struct store_writer *w = open_writer(path);
	uint32_t p = put_process(w, 812, "demo"), q = put_process(w, 900, "other");
	uint32_t native = put_frame(w, KIND_NATIVE, "main", 1),
		 py = put_frame(w, KIND_PYTHON, "handle", 2);
	uint32_t deep = put_frame(w, KIND_NATIVE, "deep", 3);
	uint32_t base = writer_stack(w, WRITER_ROOT, native), mid = writer_stack(w, base, py);
	uint32_t top = writer_stack(w, mid, deep);
	const struct sample_run one[] = {{0, 40, STATE_RUNNING, top},
					 {40, 60, STATE_SLEEPING, base}};
	const struct sample_run two[] = {{0, 10, STATE_RUNNING, base},
					 {10, 90, STATE_GIL_WAIT, mid}};
	const struct second_thread first = {writer_thread(w, p, 813, "worker-1"), 400, one, 2};
	const struct second_thread second = {writer_thread(w, q, 901, "worker-2"), 1000, two, 2};
	struct simple_second s;
	writer_second(w, simple_second(&s, 1796130451, p, &first, 1));
	writer_second(w, simple_second(&s, 1796130451, q, &second, 1));
	GOOD(writer_close(w, err));
}

static void what_is_counted(void **state)
{
	const char *path = in_folder(state, "s");
	write_mixed(path);
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	uint64_t ns;
	assert_int_equal(count(s, WEIGHT_CPU, "", &ns), 50);
	assert_int_equal(ns, 1400);
	assert_int_equal(count(s, WEIGHT_WALL, "", &ns), 200);
	assert_int_equal(ns, 2 * NS_PER_S);
	assert_int_equal(count(s, WEIGHT_OFF_CPU, "", NULL), 150);
	assert_int_equal(count(s, WEIGHT_CPU, "process:demo", &ns), 40);
	assert_int_equal(ns, 400);
	assert_int_equal(count(s, WEIGHT_CPU, "process:900", NULL), 10);
	assert_int_equal(count(s, WEIGHT_CPU, "process:900 process:demo", NULL), 50);
	assert_int_equal(count(s, WEIGHT_CPU, "process:900 thread:813", NULL), 0);
	assert_int_equal(count(s, WEIGHT_CPU, "thread:worker-*", NULL), 50);
	assert_int_equal(count(s, WEIGHT_CPU, "!thread:worker-1", NULL), 10);
	assert_int_equal(count(s, WEIGHT_WALL, "state:gil-wait state:runnable", NULL), 90);
	assert_int_equal(count(s, WEIGHT_WALL, "!state:gil-wait", NULL), 110);
	assert_int_equal(count(s, WEIGHT_WALL, "HANDLE", NULL), 130);
	assert_int_equal(count(s, WEIGHT_WALL, "!handle", NULL), 70);
	assert_int_equal(count(s, WEIGHT_WALL, "deep main", NULL), 200);
	assert_int_equal(count(s, WEIGHT_WALL, "re:^(deep|handle)$", NULL), 130);
	assert_int_equal(count(s, WEIGHT_WALL, "libdemo", NULL), 200);
	assert_int_equal(count(s, WEIGHT_CPU, "type:python", &ns), 40);
	assert_int_equal(ns, 400);
	assert_int_equal(count(s, WEIGHT_WALL, "!type:native", NULL), 130);
	assert_int_equal(count(s, WEIGHT_WALL, "type:kernel", NULL), 0);

	struct filter f = FILTER_INIT;
	struct calltree t;
	GOOD(filter_add(&f, FILTER_TYPE, "python", false, err));
	f.weight = WEIGHT_WALL;
	read_tree(s, store_span(s), &f, &t);
	assert_int_equal(count_of(&t, "handle")->self, 130); /* deep's self goes to its caller */
	assert_int_equal(count_of(&t, "")->self, 0);
	calltree_release(&t);
	filter_release(&f);
	store_close(s);
	names_free(names);
}

/* ---- marks ---- */

static void marks_are_kept(void **state)
{
	const char *path = in_folder(state, "s");
	struct marks m;
	assert_int_equal(mkdir(path, 0700), 0);
	GOOD(marks_load(&m, path, err));
	assert_int_equal(m.count, 0);
	struct filter f = FILTER_INIT;
	f.weight = WEIGHT_WALL;
	GOOD(filter_add(&f, FILTER_THREAD, "a \"b\"\tc", true, err));
	GOOD(filter_add(&f, FILTER_MATCH, "back\\slash", false, err));
	marks_set(&m, "a", (struct range){1796130451123456789, 1796130452000000000}, &f,
		  "tab\there\nand \\n");
	marks_set(&m, "b", seconds(10, 20), &f, "first");
	marks_set(&m, "b", seconds(10, 30), &f, NULL);
	marks_set(&m, "gone", seconds(10, 30), &f, NULL);
	marks_remove(&m, "gone");
	GOOD(marks_save(&m, err));
	marks_release(&m);

	GOOD(marks_load(&m, path, err));
	assert_int_equal(m.count, 2);
	const struct mark *a = marks_find(&m, "a");
	assert_non_null(a);
	assert_int_equal(a->range.from, 1796130451123456789);
	assert_int_equal(a->range.to, 1796130452000000000);
	assert_true(filter_equal(&a->filter, &f));
	assert_string_equal(a->note, "tab\there\nand \\n");
	struct range r;
	assert_true(marks_range(&m, "b", &r));
	assert_int_equal(r.to, 30 * NS_PER_S);
	assert_false(marks_range(&m, "gone", &r));
	marks_release(&m);
	filter_release(&f);
}

static void damaged_marks_are_told(void **state)
{
	const char *path = in_folder(state, "s");
	static const char *const lines[] = {
		"a", "a\tb\tc\td\te\tf",
		"a\t1970-01-01T00:00:01Z\t1970-01-01T00:00:02Z\tcpu\t\t\\x",
		"a\t1970-01-01T00:00:01Z\t1970-01-01T00:00:02Z\tcpu\ttype:x\t", "\t\t\t\t\t"};
	assert_int_equal(mkdir(path, 0700), 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct marks m;
		struct err err = {0};
		FILE *file = fopen(in_folder(state, "s/marks"), "w");
		assert_non_null(file);
		fprintf(file, "%s\n", lines[i]);
		fclose(file);
		assert_int_equal(marks_load(&m, path, &err), -1);
		assert_non_null(strstr(err.text, "line 1"));
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_both_ways),
		cmocka_unit_test(ranges_in_sel),
		cmocka_unit_test(wrong),
		cmocka_unit_test(globs),
		TEST(what_is_counted),
		TEST(marks_are_kept),
		TEST(damaged_marks_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
