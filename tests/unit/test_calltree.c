/* The call tree and what differs between its sides. */
#include <math.h>

#include "fixture.h"

#include "store/diff.h"

static uint32_t func(struct names *n, const char *name)
{
	struct func f = {KIND_NATIVE, name, "libdemo.so", "", 0};
	return names_put(n, &f);
}

/* Add samples to a path of single letters, outermost first. */
static void add(struct calltree *t, const char *path, int side, uint64_t samples, uint64_t ns)
{
	uint32_t node = 0;
	for (; *path; path++) {
		char name[2] = {*path, 0};
		node = calltree_child(t, node, func(t->names, name));
	}
	calltree_add(t, node, side, samples, ns);
}

static void totals_and_order(void **state)
{
	(void)state;
	struct names *names = names_new();
	struct calltree t;
	calltree_init(&t, names);
	add(&t, "ab", 0, 1, 10);
	add(&t, "ac", 0, 2, 20);
	add(&t, "ad", 1, 3, 30);
	add(&t, "ae", 0, 1, 10);
	add(&t, "a", 0, 1, 5);
	calltree_finish(&t);
	assert_int_equal(t.nodes[0].side[0].total, 5);
	assert_int_equal(t.nodes[0].side[0].total_ns, 45);
	assert_int_equal(t.nodes[0].side[1].total_ns, 30);
	uint32_t a = find_node(&t, "a"), n = t.nodes[a].child;
	static const char *const order[] = {"d", "c", "b", "e"}; /* both sides' time, then name */
	for (int i = 0; i < 4; i++, n = t.nodes[n].next)
		assert_string_equal(names_func(names, t.nodes[n].func)->name, order[i]);
	assert_int_equal(n, CALLTREE_NONE);
	assert_int_equal(t.nodes[find_node(&t, "a/b")].depth, 2);
	calltree_release(&t);
	names_free(names);
}

static const struct func_row *row(const struct calltree *t, const struct func_row *rows, size_t n,
				  const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names_func(t->names, rows[i].func)->name, name))
			return &rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void recursion_counts_once(void **state)
{
	(void)state;
	struct names *names = names_new();
	struct calltree t;
	calltree_init(&t, names);
	add(&t, "afbfaf", 0, 4, 40);
	add(&t, "ff", 0, 1, 10);
	add(&t, "g", 0, 5, 50);
	calltree_finish(&t);
	struct func_row *rows;
	size_t n = calltree_functions(&t, 0, &rows);
	assert_int_equal(n, 4);
	assert_int_equal(row(&t, rows, n, "f")->side[0].total, 5);
	assert_int_equal(row(&t, rows, n, "f")->side[0].self, 5);
	assert_int_equal(row(&t, rows, n, "a")->side[0].total_ns, 40);
	assert_int_equal(row(&t, rows, n, "a")->side[0].self, 0);
	assert_string_equal(names_func(names, rows[0].func)->name,
			    "f"); /* 50 ns of self, as g: by name */
	free(rows);
	n = calltree_functions(&t, find_node(&t, "a/f/b"), &rows);
	assert_int_equal(n, 3);
	assert_int_equal(row(&t, rows, n, "f")->side[0].total, 4);
	free(rows);

	uint32_t path[8];
	uint32_t node = find_node(&t, "a/f/b/f");
	assert_int_equal(calltree_path(&t, node, path, 8), 4);
	assert_int_equal(calltree_find(&t, path, 4), node);
	path[2] = func(names, "nowhere");
	assert_int_equal(calltree_find(&t, path, 4), find_node(&t, "a/f"));
	assert_int_equal(calltree_path(&t, node, path, 2), 4);
	calltree_release(&t);
	names_free(names);
}

static void empty_tree(void **state)
{
	(void)state;
	struct names *names = names_new();
	struct calltree t;
	calltree_init(&t, names);
	calltree_finish(&t);
	struct func_row *rows;
	assert_int_equal(calltree_functions(&t, 0, &rows), 0);
	free(rows);
	assert_true(calltree_rate(&t, 0, 0) == 0);
	struct diff d = diff_counts(&t, t.nodes[0].side, false);
	assert_int_equal(d.verdict, DIFF_SAME);
	assert_true(isfinite(d.low) && isfinite(d.high) && isfinite(d.a_share));
	calltree_release(&t);
	names_free(names);
}

static void names_are_shared_and_clean(void **state)
{
	(void)state;
	struct names *names = names_new();
	struct func f = {KIND_NATIVE, "f\x1b[0m", "libx", "a.c", 10}, g = f,
		    p = {KIND_PYTHON, "f", "", "a.py", 1}, q = p;
	g.file = "b.c";
	q.file = "b.py";
	uint32_t id = names_put(names, &f);
	assert_int_equal(names_put(names, &g), id);                /* native: by name and module */
	assert_true(names_put(names, &p) != names_put(names, &q)); /* Python: and file */
	assert_string_equal(names_func(names, id)->name, "f\\x1b[0m");
	uint32_t ten = names_put_line(names, &f);
	f.line = 11;
	assert_true(names_put_line(names, &f) != ten);
	assert_true(ten != id);
	struct func none = {KIND_UNKNOWN, NULL, NULL, NULL, 0};
	assert_string_equal(names_func(names, names_put(names, &none))->name, "[unknown]");
	for (uint32_t i = 0; i < 5000; i++) {
		char name[20];
		snprintf(name, sizeof(name), "n%u", i);
		func(names, name);
	}
	assert_string_equal(names_func(names, id)->name, "f\\x1b[0m");
	names_free(names);
}

/* A tree whose root has these samples of 10 ms in 60 s on each side, and f so many of them. */
static struct diff diff_of(uint64_t b_all, uint64_t a_all, uint64_t b, uint64_t a, int64_t b_s,
			   int64_t a_s)
{
	struct names *names = names_new();
	struct calltree t;
	calltree_init(&t, names);
	add(&t, "f", 0, b, b * 10000000);
	add(&t, "g", 0, b_all - b, (b_all - b) * 10000000);
	add(&t, "f", 1, a, a * 10000000);
	add(&t, "g", 1, a_all - a, (a_all - a) * 10000000);
	t.covered_ns[0] = b_s * NS_PER_S;
	t.covered_ns[1] = a_s * NS_PER_S;
	calltree_finish(&t);
	struct diff d = diff_counts(&t, t.nodes[find_node(&t, "f")].side, true);
	assert_true(isfinite(d.a) && isfinite(d.b) && isfinite(d.low) && isfinite(d.high));
	assert_true(d.low <= d.delta && d.delta <= d.high);
	calltree_release(&t);
	names_free(names);
	return d;
}

static void verdicts(void **state)
{
	(void)state;
	assert_int_equal(diff_of(6000, 6000, 1000, 1000, 60, 60).verdict, DIFF_SAME);
	assert_int_equal(diff_of(6000, 6000, 1, 0, 60, 60).verdict, DIFF_SAME);
	assert_int_equal(diff_of(6000, 6000, 0, 1, 60, 60).verdict, DIFF_SAME);
	assert_int_equal(diff_of(6000, 6000, 100, 0, 60, 60).verdict, DIFF_NEW);
	assert_int_equal(diff_of(6000, 6000, 0, 100, 60, 60).verdict, DIFF_GONE);
	assert_int_equal(diff_of(6000, 6000, 1500, 1000, 60, 60).verdict, DIFF_MORE);
	assert_int_equal(diff_of(6000, 6000, 1000, 1500, 60, 60).verdict, DIFF_LESS);
	assert_int_equal(diff_of(6000, 6000, 1020, 1000, 60, 60).verdict,
			 DIFF_SAME); /* within the scatter */
	assert_int_equal(diff_of(12000, 600, 2000, 100, 1200, 60).verdict,
			 DIFF_SAME);                      /* the same rate */
	struct diff d = diff_of(6000, 0, 1000, 0, 60, 0); /* nothing was recorded on side A */
	assert_true(d.a == 0 && d.a_share == 0);
	assert_int_equal(d.verdict, DIFF_NEW);
	d = diff_of(6000, 6000, 3000, 1500, 60, 60);
	assert_true(fabs(d.b - 0.5e9) < 1 && fabs(d.a - 0.25e9) < 1);
	assert_true(fabs(d.b_share - 0.5) < 1e-9 && fabs(d.a_share - 0.25) < 1e-9);
	assert_string_equal(diff_verdict_name(DIFF_GONE), "gone");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_and_order), cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(empty_tree),       cmocka_unit_test(names_are_shared_and_clean),
		cmocka_unit_test(verdicts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
