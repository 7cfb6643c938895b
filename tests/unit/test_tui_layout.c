/* Layout, the grid of time, cells. */
#include <time.h>

#include "base/buf.h"
#include "tests/unit/fixture.h"
#include "tui/cells.h"
#include "tui/grid.h"
#include "tui/layout.h"

static struct layout made(int cols, int rows)
{
	struct layout l;
	struct layout_opts o = {0};
	layout_make(&l, cols, rows, &o);
	return l;
}

static void check_rect(struct rect r, int x, int y, int w, int h)
{
	assert_int_equal(r.x, x);
	assert_int_equal(r.y, y);
	assert_int_equal(r.w, w);
	assert_int_equal(r.h, h);
}

static void layout_of_80x24(void **state)
{
	(void)state;
	struct layout l = made(80, 24);
	check_rect(l.header, 0, 0, 80, 1);
	check_rect(l.ruler, 20, 1, 60, 1);
	check_rect(l.grid, 20, 2, 60, 6);
	check_rect(l.labels, 14, 2, 6, 6);
	check_rect(l.menu, 0, 1, 13, 7);
	check_rect(l.rule, 13, 1, 1, 7);
	check_rect(l.range, 0, 8, 80, 1);
	check_rect(l.tabs, 0, 9, 80, 1);
	check_rect(l.view, 0, 10, 80, 12);
	check_rect(l.detail, 0, 22, 80, 1);
	check_rect(l.hints, 0, 23, 80, 1);
}

static void layout_grows_with_the_terminal(void **state)
{
	(void)state;
	static const struct {
		int rows, grid;
	} heights[] = {{40, 12}, {39, 8}, {30, 8}, {29, 6}, {24, 6},
		       {23, 3},  {18, 3}, {17, 1}, {10, 1}, {9, 0}};
	for (size_t i = 0; i < sizeof(heights) / sizeof(heights[0]); i++)
		assert_int_equal(made(80, heights[i].rows).grid.h, heights[i].grid);
	struct layout l = made(120, 36);
	check_rect(l.menu, 0, 1, 20, 34);
	check_rect(l.view, 21, 12, 99, 22);
	assert_int_equal(l.grid.x, 28);
	assert_int_equal(layout_fit(60, l.grid.w).cell_w, 1);
	l = made(147, 36);
	assert_int_equal(layout_fit(60, l.grid.w).cell_w, 2);
	assert_int_equal(layout_fit(60, made(400, 36).grid.w).cell_w, 2);
	assert_int_equal(layout_fit(60, made(146, 36).grid.w).cell_w, 1);
	l = made(66, 24);
	check_rect(l.grid, 6, 2, 60, 6);
	assert_int_equal(l.menu.w, 0);
	assert_int_equal(layout_fit(60, made(65, 24).grid.w).merge, 2);
	assert_int_equal(layout_fit(60, made(36, 24).grid.w).merge, 2);
	assert_true(made(35, 24).strip);
	assert_true(made(19, 24).line);
	assert_true(made(80, 4).line);
	assert_false(made(20, 5).line);
}

static void check_inside(const struct layout *l, struct rect r)
{
	if (r.w <= 0 || r.h <= 0)
		return;
	assert_true(r.x >= 0 && r.y >= 0);
	assert_true(r.x + r.w <= l->cols && r.y + r.h <= l->rows);
}

static void layout_stays_inside(void **state)
{
	(void)state;
	static const int cells[] = {60, 50, 25};
	for (int i = 0; i < 2 * 2 * PANE_COUNT * 3; i++) {
		struct layout_opts o = {.menu = i & 1,
					.maximised = i & 2,
					.pane = (enum pane)(i / 4 % PANE_COUNT),
					.cells = cells[i / 4 / PANE_COUNT]};
		o.seconds = o.cells == 50;
		for (int cols = 1; cols < 220; cols++) {
			for (int rows = 1; rows < 64; rows++) {
				struct layout l;
				layout_make(&l, cols, rows, &o);
				const struct rect all[] = {l.header, l.ruler, l.labels, l.grid,
							   l.side,   l.range, l.tabs,   l.view,
							   l.detail, l.hints, l.menu,   l.rule};
				for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
					check_inside(&l, all[k]);
			}
		}
	}
}

static void use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void grid_has_days_of_23_and_25_hours(void **state)
{
	(void)state;
	use_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	struct grid g = {ZOOM_HOUR, false};
	int64_t spring = INT64_C(1774742400) * NS_PER_S; /* 2026-03-29 00:00 UTC */
	int64_t autumn = INT64_C(1792886400) * NS_PER_S; /* 2026-10-25 00:00 UTC */
	assert_int_equal(grid_row_cells(g, grid_row(g, spring)), 23);
	assert_int_equal(grid_row_cells(g, grid_row(g, autumn)), 25);
	assert_int_equal(grid_row_cells(g, grid_row_add(g, grid_row(g, autumn), 1)), 24);
	assert_int_equal(grid_rows_between(g, spring, autumn, 10000), 210);
	int64_t row = grid_row(g, spring);
	for (int i = 0; i < 400; i++) {
		assert_int_equal(grid_row_add(g, row, i), grid_row(g, grid_row_add(g, row, i)));
		assert_int_equal(grid_rows_between(g, row, grid_row_add(g, row, i), 10000), i);
	}
	use_zone("UTC0");
}

static void grid_rows_follow_the_clock(void **state)
{
	(void)state;
	use_zone("IST-5:30");
	int64_t t = INT64_C(1796130000) * NS_PER_S + 123456789; /* 18:30:00 there */
	struct grid g = {ZOOM_MINUTE, false};
	assert_int_equal(grid_column(g, t), 30);
	struct buf b = BUF_INIT;
	grid_label(&b, g, grid_row(g, t));
	assert_string_equal(buf_cstr(&b), "18:00");
	g = (struct grid){ZOOM_20MS, true};
	buf_clear(&b);
	grid_label(&b, g, grid_row(g, t));
	assert_string_equal(buf_cstr(&b), "13:00:00");
	assert_int_equal(grid_column(g, t), 6);
	assert_int_equal(grid_cell_end(g, t) - grid_cell(g, t), 20 * NS_PER_MS);
	g.zoom = ZOOM_SECOND;
	assert_int_equal(grid_cell(g, -1), -NS_PER_S);
	assert_int_equal(grid_row(g, -1), -60 * NS_PER_S);
	buf_clear(&b);
	grid_time(&b, t / NS_PER_S * NS_PER_S + 20 * NS_PER_MS, 0, true);
	assert_string_equal(buf_cstr(&b), "Dec 1 13:00:00.020");
	buf_free(&b);
	use_zone("UTC0");
}

static void cells_clip_and_keep_characters_whole(void **state)
{
	(void)state;
	struct style s = {1, 2, 0};
	struct cells c;
	cells_init(&c, 8, 2, false);
	assert_int_equal(cells_text(&c, 6, 0, 9, "日本", s), 4);
	assert_string_equal(c.at[6].text, "日");
	assert_int_equal(c.at[7].width, 0);
	cells_text(&c, 7, 0, 1, "x", s); /* the left half goes, too */
	assert_string_equal(c.at[6].text, " ");
	assert_string_equal(c.at[7].text, "x");
	cells_text(&c, -1, 1, 9, "abc", s);
	assert_string_equal(c.at[8].text, "b");
	cells_text(&c, 0, 1, 9,
		   "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81z", s);
	assert_string_equal(c.at[9].text, "z");
	assert_true(strlen(c.at[8].text) < CELL_TEXT);
	cells_text(&c, 0, 0, 100, "one line that is far too long", s);
	cells_text(&c, 0, 99, 100, "below", s);
	cells_window(&c, (struct rect){-5, -5, 100, 100});
	cells_fill(&c, -9, -9, 99, 99, s);
	cells_window(&c, (struct rect){6, 1, 50, 50});
	assert_int_equal(c.window.w, 2);
	assert_int_equal(c.window.h, 1);
	cells_release(&c);
	cells_init(&c, 6, 1, true);
	cells_text(&c, 0, 0, 6, "a日é", s);
	struct buf b = BUF_INIT;
	cells_dump(&b, &c, false);
	assert_string_equal(buf_cstr(&b), "a???\n");
	buf_free(&b);
	cells_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout_of_80x24),
		cmocka_unit_test(layout_grows_with_the_terminal),
		cmocka_unit_test(layout_stays_inside),
		cmocka_unit_test(grid_has_days_of_23_and_25_hours),
		cmocka_unit_test(grid_rows_follow_the_clock),
		cmocka_unit_test(cells_clip_and_keep_characters_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
