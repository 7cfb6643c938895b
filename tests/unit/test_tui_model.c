/* The model's transitions, heat, differences, search, keys. */
#include "tests/unit/fixture.h"
#include "base/buf.h"
#include "tui/heat.h"
#include "tui/keys.h"
#include "tui/label.h"
#include "tui/model.h"
#include "tui/prompt.h"

#define S NS_PER_S
#define T0 (INT64_C(1796130000) * S) /* 13:00:00 UTC */

static void start(struct model *m, bool live, int64_t seconds)
{
	model_init(m, live, true);
	model_grid_size(m, 6, 1);
	model_span(m, (struct range){T0, T0 + seconds * S});
}

static void check_range(struct range r, int64_t from, int64_t to)
{
	assert_int_equal((r.from - T0) / S, from);
	assert_int_equal((r.to - T0) / S, to);
}

static void views_show_selection_window_or_all(void **state)
{
	(void)state;
	struct model m;
	start(&m, true, 600);
	check_range(model_range(&m), 540, 600);
	model_span(&m, (struct range){T0, T0 + 601 * S});
	check_range(model_range(&m), 541, 601);
	model_move_cells(&m, -5);
	check_range(model_range(&m), 541, 601); /* the cursor is not the range */
	model_select(&m, (struct range){T0 + 9 * S, T0 + 3 * S});
	check_range(model_range(&m), 3, 9);
	assert_true(model_cancel(&m));
	check_range(model_range(&m), 541, 601);
	assert_false(model_cancel(&m));
	model_release(&m);
	start(&m, false, 600);
	check_range(model_range(&m), 0, 600);
	model_release(&m);
}

static void cursor_follows_until_it_moves(void **state)
{
	(void)state;
	struct model m;
	start(&m, true, 100);
	assert_int_equal(m.at.cursor, T0 + 99 * S);
	model_span(&m, (struct range){T0, T0 + 130 * S});
	assert_int_equal(m.at.cursor, T0 + 129 * S);
	model_move_cells(&m, -1);
	model_span(&m, (struct range){T0, T0 + 140 * S});
	assert_int_equal(m.at.cursor, T0 + 128 * S);
	model_last(&m);
	model_span(&m, (struct range){T0, T0 + 150 * S});
	assert_int_equal(m.at.cursor, T0 + 149 * S);
	model_release(&m);
}

static void steps_clamp_at_the_ends(void **state)
{
	(void)state;
	struct model m;
	start(&m, false, 7200);
	model_move_cells(&m, 10);
	assert_int_equal(m.at.cursor, T0 + 7199 * S);
	model_move_rows(&m, -1);
	assert_int_equal(m.at.cursor, T0 + 7139 * S);
	model_move_rows(&m, -100000);
	assert_int_equal(m.at.cursor, T0 + 59 * S);
	model_row_ends(&m, false);
	assert_int_equal(m.at.cursor, T0);
	model_move_cells(&m, -1);
	assert_int_equal(m.at.cursor, T0);
	assert_int_equal(m.bottom, T0 + 5 * 60 * S); /* the screen is full */
	model_move_rows(&m, 1000000);
	assert_int_equal(m.at.cursor, T0 + 7140 * S);
	assert_int_equal(m.bottom, T0 + 7140 * S);
	model_release(&m);
}

static void a_range_grows_with_the_cursor(void **state)
{
	(void)state;
	struct model m;
	start(&m, false, 600);
	model_move_to(&m, T0 + 100 * S);
	model_grow(&m);
	check_range(model_range(&m), 100, 101);
	model_move_cells(&m, 3);
	check_range(model_range(&m), 100, 104);
	model_move_cells(&m, -13);
	check_range(model_range(&m), 90, 101);
	model_take(&m);
	assert_int_equal(m.pane, PANE_VIEW);
	check_range(model_range(&m), 90, 101);
	assert_true(model_back(&m));
	assert_false(m.at.selected);
	assert_true(model_forward(&m));
	check_range(model_range(&m), 90, 101);
	model_release(&m);
}

static void a_range_slides_and_changes_its_end(void **state)
{
	(void)state;
	struct model m;
	start(&m, false, 600);
	model_select(&m, (struct range){T0 + 100 * S, T0 + 130 * S});
	model_slide(&m, 1);
	check_range(model_range(&m), 130, 160);
	model_slide(&m, -1);
	model_slide(&m, -1);
	model_slide(&m, -1);
	model_slide(&m, -1);
	model_slide(&m, -1);
	check_range(model_range(&m), 0, 30);
	model_widen(&m, 1);
	check_range(model_range(&m), 0, 31);
	model_widen(&m, -40);
	check_range(model_range(&m), 0, 1);
	model_widen(&m, 100000);
	check_range(model_range(&m), 0, 600);
	model_release(&m);
}

static void zoom_keeps_the_cursor(void **state)
{
	(void)state;
	struct model m;
	start(&m, false, 7200);
	model_move_to(&m, T0 + 3700 * S);
	model_zoom(&m, -1);
	assert_int_equal(m.at.zoom, ZOOM_MINUTE);
	assert_int_equal(m.at.cursor, T0 + 3660 * S);
	model_zoom(&m, -1);
	model_zoom(&m, -1);
	assert_int_equal(m.at.zoom, ZOOM_HOUR);
	model_zoom(&m, 1);
	model_zoom(&m, 1);
	model_zoom(&m, 1);
	model_zoom(&m, 1);
	assert_int_equal(m.at.zoom, ZOOM_20MS);
	assert_true(model_back(&m));
	assert_int_equal(m.at.zoom, ZOOM_SECOND);
	model_release(&m);
	start(&m, false, 5);
	model_fit_zoom(&m);
	assert_int_equal(m.at.zoom, ZOOM_20MS);
	model_span(&m, (struct range){T0, T0 + 360 * S});
	model_fit_zoom(&m);
	assert_int_equal(m.at.zoom, ZOOM_SECOND);
	model_span(&m, (struct range){T0, T0 + 361 * S});
	model_fit_zoom(&m);
	assert_int_equal(m.at.zoom, ZOOM_MINUTE);
	model_release(&m);
}

static void sides_are_marks_or_ranges(void **state)
{
	(void)state;
	struct model m;
	struct side sides[2];
	start(&m, false, 600);
	model_select(&m, (struct range){T0 + 100 * S, T0 + 130 * S});
	m.diff = true;
	model_sides(&m, sides);
	check_range(sides[0].range, 100, 130);
	check_range(sides[1].range, 70, 100);
	assert_true(sides[1].automatic);
	model_mark(&m, "a", "");
	model_select(&m, (struct range){T0 + 200 * S, T0 + 230 * S});
	bool changed;
	GOOD(model_filter_add(&m, FILTER_THREAD, "worker-1", &changed, err));
	model_mark(&m, "b", "note");
	model_unfilter(&m);
	model_sides(&m, sides);
	check_range(sides[0].range, 200, 230);
	check_range(sides[1].range, 100, 130);
	assert_int_equal(sides[0].filter->count, 1);
	assert_int_equal(sides[1].filter->count, 0);
	m.swapped = true;
	model_sides(&m, sides);
	check_range(sides[0].range, 100, 130);
	assert_true(model_back(&m)); /* the filter */
	assert_true(model_back(&m)); /* the mark */
	assert_null(spot_mark(&m.at, "b"));
	assert_true(model_forward(&m));
	assert_non_null(spot_mark(&m.at, "b"));
	assert_true(model_go_mark(&m, "a"));
	check_range(model_range(&m), 100, 130);
	assert_false(model_go_mark(&m, "z"));
	model_release(&m);
}

static void cancel_drops_the_innermost(void **state)
{
	(void)state;
	struct model m;
	start(&m, false, 600);
	uint32_t root = 7;
	bool changed;
	GOOD(model_filter_add(&m, FILTER_THREAD, "main", &changed, err));
	model_select(&m, (struct range){T0, T0 + 30 * S});
	m.diff = true;
	model_set_root(&m, &root, 1);
	model_set_search(&m, "x");
	m.help = true;
	assert_true(model_cancel(&m) && !m.help);
	assert_true(model_cancel(&m) && !m.search);
	assert_true(model_cancel(&m) && !m.at.root.n);
	assert_true(model_cancel(&m) && !m.diff);
	assert_true(model_cancel(&m) && !m.at.selected);
	assert_false(model_cancel(&m));
	assert_int_equal(m.at.filter.count, 1);
	model_release(&m);
}

static void weight_follows_the_states_asked_for(void **state)
{
	(void)state;
	struct model m;
	bool changed;
	start(&m, false, 600);
	GOOD(model_filter_only(&m, FILTER_STATE, "sleeping", &changed, err));
	assert_true(changed);
	assert_int_equal(m.at.filter.weight, WEIGHT_OFF_CPU);
	GOOD(model_filter_only(&m, FILTER_STATE, "sleeping", &changed, err));
	assert_int_equal(m.at.filter.count, 0);
	model_next_weight(&m);
	assert_int_equal(m.at.filter.weight, WEIGHT_CPU);
	struct err err;
	assert_int_equal(model_filter_add(&m, FILTER_TYPE, "nonsense", &changed, &err), -1);
	model_release(&m);
}

static void heat_scales(void **state)
{
	(void)state;
	assert_true(heat_round(0) == 1 && heat_round(1) == 1 && heat_round(1.1) == 2 &&
		    heat_round(21) == 50);
	assert_true(heat_round(200) == 200 && heat_round(201) == 500 && heat_round(999) == 1000);
	assert_true(heat_move_top(0, 280) == 500);
	assert_true(heat_move_top(500, 620) == 500); /* not left by 25 % */
	assert_true(heat_move_top(500, 626) == 1000);
	assert_true(heat_move_top(500, 160) == 500);
	assert_true(heat_move_top(500, 140) == 200);
	assert_int_equal(heat_level(1, 800, false, 8), 0);
	assert_int_equal(heat_level(799, 800, false, 8), 7);
	assert_int_equal(heat_level(5000, 800, false, 8), 7);
	assert_true(heat_level(80, 800, true, 8) > heat_level(80, 800, false, 8));
	struct heat_cell half = {
		.samples = 50, .expected = 100, .taken = 50, .quality = CELL_PARTIAL};
	assert_true(heat_rate(&half, NS_PER_S) == 100); /* a lowered rate is no calm */
	struct heat_cell cells[] = {
		{.samples = 5, .max = 5, .quality = CELL_FULL}, {.quality = CELL_GAP}, {0}};
	struct heat_cell sum = heat_merge(cells, 3);
	assert_int_equal(sum.quality, CELL_PARTIAL);
	assert_int_equal(sum.samples, 5);
	assert_int_equal(heat_merge(cells + 1, 2).quality, CELL_GAP);
	assert_int_equal(heat_merge(cells + 2, 1).quality, CELL_NONE);
}

static void one_outlier_moves_no_scale(void **state)
{
	(void)state;
	struct heat h = {0};
	for (int row = 0; row < 10; row++) {
		struct heat_row *r = heat_put(&h, row * 60 * S, 60);
		for (int i = 0; i < 60; i++)
			r->cells[i] = (struct heat_cell){.samples = 90, .quality = CELL_FULL};
	}
	h.rows[3].cells[7].samples = 100000;
	heat_measure(&h, S, (struct range){0, 600 * S});
	assert_true(h.top == 100 && h.median == 90);
	heat_put(&h, 180 * S, 60);
	assert_int_equal(h.count, 10);
	heat_spoil(&h, 540 * S, 60 * S);
	assert_true(h.rows[9].stale && !h.rows[8].stale);
	heat_release(&h);
}

/* A recording that begins late in its hour: its mean is over what is recorded of the hour. */
static void means_are_over_recorded_time(void **state)
{
	(void)state;
	struct heat h = {0};
	struct range span = {3300 * S, 3600 * S};
	heat_put(&h, 0, 24)->cells[0] =
		(struct heat_cell){.samples = 300 * 32, .max = 90, .quality = CELL_FULL};
	heat_measure(&h, 3600 * S, span);
	assert_true(h.p99 == 32 && h.top == 50);
	assert_true(heat_length(0, S, span) == S && heat_length(3300 * S, S, span) == S);
	assert_true(heat_length(3540 * S, 120 * S, span) == 60 * S);
	heat_release(&h);
}

static void labels_and_searches(void **state)
{
	(void)state;
	struct func f = {KIND_PYTHON, "dumps", "python3.11", "/usr/lib/json/__init__.py", 238};
	struct buf b = BUF_INIT;
	struct matcher m;
	label_func(&b, &f);
	assert_string_equal(buf_cstr(&b), "dumps (json/__init__.py:238)");
	static const struct {
		const char *text;
		bool hit;
	} cases[] = {{"DUMP", true},       {"python3", true}, {"/json/", true}, {"x", false},
		     {"re:^du.ps$", true}, {"re:^x", false},  {"re:(", false},  {"", false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		matcher_init(&m, cases[i].text);
		assert_int_equal(matcher_match(&m, &f), cases[i].hit);
		matcher_release(&m);
	}
	buf_free(&b);
}

static void keys_have_names(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int32_t key;
	} cases[] = {{"j", 'j'},
		     {"<Enter>", KEY_RETURN},
		     {"<C-r>", KEY_CTRL('R')},
		     {"<lt>", '<'},
		     {"<", '<'},
		     {"< >", '<'},
		     {"é", 0xe9},
		     {"<F10>", KEY_CODE_F10},
		     {"<Space>", ' '}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int32_t key;
		assert_true(key_parse(cases[i].text, &key) > 0);
		assert_int_equal(key, cases[i].key);
	}
	int32_t key;
	assert_int_equal(key_parse("", &key), 0);
}

/* No key means two things: none is bound twice in a context. */
static void no_key_is_bound_twice(void **state)
{
	(void)state;
	size_t n;
	const struct binding *b = keys_table(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			assert_false(b[i].key == b[k].key && b[i].context == b[k].context);
	assert_int_equal(keys_action(CONTEXT_TIME, KEY_CODE_LEFT), ACT_LEFT);
	assert_int_equal(keys_action(CONTEXT_TOP, KEY_CODE_F1), ACT_HELP);
	assert_int_equal(keys_action(CONTEXT_TOP, 'h'), ACT_NONE);
}

static void type(struct prompt *p, const char *keys)
{
	int32_t key;
	for (size_t used; (used = key_parse(keys, &key)) > 0; keys += used)
		prompt_key(p, key);
}

static void prompt_edits_characters(void **state)
{
	(void)state;
	struct prompt p = {0};
	prompt_open(&p, PROMPT_FILTER, NULL);
	type(&p, "aéb<Left><BS>x<Home>y<End>!");
	assert_string_equal(p.text.data, "yaxb!");
	type(&p, "<C-w>one two<C-w>");
	assert_string_equal(p.text.data, "one ");
	assert_int_equal(prompt_key(&p, 0x202e), PROMPT_OPEN); /* no bidi control gets in */
	assert_string_equal(p.text.data, "one ");
	for (int i = 0; i < 1000; i++)
		prompt_key(&p, 0x65e5);
	assert_true(p.text.len < 500);
	type(&p, "<C-u>");
	assert_int_equal(p.text.len, 0);
	assert_int_equal(prompt_key(&p, KEY_BACK), PROMPT_CANCEL);
	prompt_open(&p, PROMPT_SEARCH, "old");
	type(&p, "n");
	assert_string_equal(p.text.data, "n");
	buf_free(&p.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(views_show_selection_window_or_all),
		cmocka_unit_test(cursor_follows_until_it_moves),
		cmocka_unit_test(steps_clamp_at_the_ends),
		cmocka_unit_test(a_range_grows_with_the_cursor),
		cmocka_unit_test(a_range_slides_and_changes_its_end),
		cmocka_unit_test(zoom_keeps_the_cursor),
		cmocka_unit_test(sides_are_marks_or_ranges),
		cmocka_unit_test(cancel_drops_the_innermost),
		cmocka_unit_test(weight_follows_the_states_asked_for),
		cmocka_unit_test(heat_scales),
		cmocka_unit_test(one_outlier_moves_no_scale),
		cmocka_unit_test(means_are_over_recorded_time),
		cmocka_unit_test(labels_and_searches),
		cmocka_unit_test(keys_have_names),
		cmocka_unit_test(no_key_is_bound_twice),
		cmocka_unit_test(prompt_edits_characters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
