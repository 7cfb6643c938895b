/* The rows of reports: order of the tree, the limit, modules counted once a stack. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "cmd/lines.h"
#include "cmd/rows.h"

static struct names *names;
static struct calltree tree;

static uint32_t child(uint32_t parent, const char *name, const char *module)
{
	struct func f = {.kind = KIND_NATIVE, .name = name, .module = module, .file = ""};
	return calltree_child(&tree, parent, names_put(names, &f));
}

/* main(app) > work(app) > memcpy(libc) > work(app); main > sleep(libc) */
static int setup(void **state)
{
	(void)state;
	names = names_new();
	calltree_init(&tree, names);
	uint32_t start = child(0, "main", "app");
	uint32_t work = child(start, "work", "app");
	uint32_t copy = child(work, "memcpy", "libc");
	uint32_t back = child(copy, "work", "app");
	uint32_t doze = child(start, "sleep", "libc");
	calltree_add(&tree, work, 0, 1, 10);
	calltree_add(&tree, copy, 0, 2, 20);
	calltree_add(&tree, back, 0, 3, 30);
	calltree_add(&tree, doze, 0, 4, 40);
	calltree_finish(&tree);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	calltree_release(&tree);
	names_free(names);
	return 0;
}

static const char *name_of(uint32_t node)
{
	return names_func(names, tree.nodes[node].func)->name;
}

static void preorder(void **state)
{
	(void)state;
	static const char *const want[] = {"main", "work", "memcpy", "work", "sleep"};
	uint32_t *nodes;
	assert_int_equal(tree_preorder(&tree, &nodes), 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(name_of(nodes[i]), want[i]);
	free(nodes);
}

static void limit_keeps_callers(void **state)
{
	(void)state;
	static const char *const want[] = {"main", "work", "memcpy"};
	uint32_t *nodes;
	size_t n = tree_preorder(&tree, &nodes);
	n = tree_keep_largest(&tree, nodes, n, 3);
	assert_int_equal(n, 3);
	for (int i = 0; i < 3; i++)
		assert_string_equal(name_of(nodes[i]), want[i]);
	free(nodes);
}

static void chains_are_lines(void **state)
{
	(void)state;
	struct tree_line *lines;
	struct buf text = BUF_INIT;
	size_t all, n = tree_lines(&tree, 99, &lines, &all);
	for (size_t i = 0; i < n; i++) {
		buf_fmt(&text, "%u ", lines[i].indent);
		tree_line_text(&text, &tree, &lines[i], true);
		buf_char(&text, '\n');
	}
	assert_string_equal(text.data, "0 main\n2 work\n4 memcpy\n6 work\n2 sleep\n");
	assert_int_equal(all, 5);
	free(lines);
	assert_int_equal(tree_lines(&tree, 2, &lines, &all), 2);
	assert_int_equal(all, 5);
	free(lines);
	buf_free(&text);
}

/* a > b > c > d > e > f > g, all of whose time is spent in g */
static void long_chains_are_cut(void **state)
{
	(void)state;
	static const char *const functions[] = {"a", "b", "c", "d", "e", "f", "g"};
	struct tree_line *lines;
	struct buf text = BUF_INIT;
	size_t all;
	uint32_t at = 0;
	calltree_release(&tree);
	calltree_init(&tree, names);
	for (size_t i = 0; i < 7; i++)
		at = child(at, functions[i], "app");
	calltree_add(&tree, at, 0, 1, 10);
	calltree_finish(&tree);
	assert_int_equal(tree_lines(&tree, 99, &lines, &all), 1);
	tree_line_text(&text, &tree, &lines[0], true);
	assert_string_equal(text.data, "a > b > .. > f > g");
	free(lines);
	buf_free(&text);
}

static void modules_once_a_stack(void **state)
{
	(void)state;
	struct report_row *rows;
	assert_int_equal(tree_modules(&tree, &rows), 2);
	assert_string_equal(rows[0].module, "libc");
	assert_int_equal(rows[0].count.self_ns, 60);
	assert_int_equal(rows[0].count.total_ns, 90);
	assert_int_equal(rows[0].count.total, 9);
	assert_string_equal(rows[1].module, "app");
	assert_int_equal(rows[1].count.self_ns, 40);
	assert_int_equal(rows[1].count.total_ns, 100);
	free(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(preorder, setup, teardown),
		cmocka_unit_test_setup_teardown(limit_keeps_callers, setup, teardown),
		cmocka_unit_test_setup_teardown(chains_are_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(long_chains_are_cut, setup, teardown),
		cmocka_unit_test_setup_teardown(modules_once_a_stack, setup, teardown),
	};
	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
