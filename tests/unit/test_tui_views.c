/* The screen on a synthetic recording: pictures, tasks, keys. */
#include "tests/unit/tui_fixture.h"
#include "tui/command.h"
#include "tui/keys.h"
#include "tui/view.h"

static int record_setup(void **state)
{
	if (folder_setup(state) != 0)
		return -1;
	tui_record(in_folder(state, "s"), 0, TUI_SECONDS);
	return 0;
}

static void remove_marks(void **state)
{
	char path[400];
	snprintf(path, sizeof(path), "%s/marks", in_folder(state, "s"));
	unlink(path);
}

static void pictures(void **state)
{
	static const struct {
		const char *name, *keys;
		int cols, rows;
		bool view_only;
	} shots[] = {
		{"flame-120x36", "", 120, 36, true},
		{"flame-80x24", "", 80, 24, false},
		{"flame-200x60", "N s <Enter> j j j", 200, 60, true},
		{"tree-120x36", "N s 2 j j j", 120, 36, true},
		{"tree-80x24", "2 j l l <Enter>", 80, 24, false},
		{"top-120x36", "3 j j >", 120, 36, true},
		{"callers-120x36", "3 g <Enter>", 120, 36, true},
		{"callers-80x24", "N s d 1 j j j 4 j", 80, 24, false},
		{"changes-120x36", "N s d 5 j", 120, 36, true},
		{"changes-80x24", "N s d 5", 80, 24, false},
		{"changes-none-80x24", "5", 80, 24, false},
		{"threads-120x36", "k 6 j j", 120, 36, true},
		{"threads-80x24", "6 j <Enter>", 80, 24, false},
		{"threads-200x60", "6 j", 200, 60, true},
		{"diff-flame-120x36", "N s d", 120, 36, true},
		{"diff-tree-120x36", "N s d 2 j j", 120, 36, true},
		{"diff-top-80x24", "N s d 3 D j", 80, 24, true},
		{"search-120x36", "/ j s o n <Enter> 1", 120, 36, true},
		{"filter-80x24", "f thread:worker-1 <Enter> w", 80, 24, true},
		{"root-120x36", "1 l j j j j r", 120, 36, true},
		{"help-120x36", "?", 120, 36, true},
		{"menu-66x24", "M", 66, 24, false},
		{"narrow-40x18", "", 40, 18, false},
		{"strip-30x12", "", 30, 12, false},
		{"small-20x5", "", 20, 5, false},
		{"line-15x3", "", 15, 3, false},
		{"hours-120x36", "- - h", 120, 36, true},
		{"minutes-160x36", "- g", 160, 36, true},
		{"ticks-120x36", "+ + h h h", 120, 36, true},
		{"ticks-80x24", "+ + h h h", 80, 24, true},
		{"grow-80x24", "k k v h h h h h h h h h h", 80, 24, true},
		{"prompt-80x24", ": 13:03", 80, 24, true},
	};
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct screen s;
		remove_marks(state);
		screen_open(&s, in_folder(state, "s"), shots[i].cols, shots[i].rows,
			    shots[i].view_only);
		screen_keys(&s, shots[i].keys);
		golden(shots[i].name, &s.app.cells);
		screen_close(&s);
	}
}

/* Depths of colour and themes change styles, and only in monochrome and ASCII the text. */
static void depths(void **state)
{
	static const struct {
		const char *name;
		enum depth depth;
		enum theme_id theme;
		bool ascii;
	} looks[] = {
		{"basic", DEPTH_BASIC, THEME_DEFAULT, false},
		{"mono", DEPTH_MONO, THEME_DEFAULT, false},
		{"ascii", DEPTH_MONO, THEME_DEFAULT, true},
		{"light", DEPTH_256, THEME_LIGHT, false},
	};
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		struct screen s;
		char name[64];
		remove_marks(state);
		screen_open(&s, in_folder(state, "s"), 80, 24, true);
		app_release(&s.app);
		s.opts.theme = looks[i].theme;
		app_init(&s.app, &s.opts, 80, 24, looks[i].depth, looks[i].ascii);
		screen_keys(&s, "N s d");
		snprintf(name, sizeof(name), "depth-%s-80x24", looks[i].name);
		golden(name, &s.app.cells);
		for (int k = 0; k < s.app.cells.w * s.app.cells.h && looks[i].ascii; k++)
			assert_true((unsigned char)s.app.cells.at[k].text[0] < 0x80);
		screen_close(&s);
	}
}

static int64_t cursor_of(const struct screen *s)
{
	return s->app.ui.model.at.cursor / NS_PER_S - TUI_START;
}

static struct range range_of(const struct screen *s)
{
	struct range r = model_range(&s->app.ui.model);
	return (struct range){r.from / NS_PER_S - TUI_START, r.to / NS_PER_S - TUI_START};
}

/* The spike against the calm before, in three keys. */
static void task_spike(void **state)
{
	struct screen s;
	remove_marks(state);
	screen_open(&s, in_folder(state, "s"), 80, 24, false);
	screen_keys(&s, "N s d");
	assert_int_equal(range_of(&s).from, SPIKE_FROM);
	assert_int_equal(range_of(&s).to, SPIKE_TO);
	assert_true(screen_shows(&s, "A auto"));
	assert_true(s.app.ui.data.tree_diff);
	screen_close(&s);
}

/* Past the last peak the first one comes again, and the other way about. */
static void peaks_wrap(void **state)
{
	struct screen s;
	remove_marks(state);
	screen_open(&s, in_folder(state, "s"), 120, 36, true);
	screen_keys(&s, "n");
	int64_t peak = cursor_of(&s);
	assert_true(screen_shows(&s, "wrapped to the earliest peak"));
	assert_true(peak >= SPIKE_FROM && peak < SPIKE_TO);
	screen_keys(&s, "n");
	assert_true(screen_shows(&s, "no other peak"));
	assert_int_equal(cursor_of(&s), peak);
	screen_keys(&s, "g N");
	assert_true(screen_shows(&s, "wrapped to the latest peak"));
	assert_int_equal(cursor_of(&s), peak);
	screen_close(&s);
}

/* 13:03, this morning. */
static void task_go_to(void **state)
{
	struct screen s;
	remove_marks(state);
	screen_open(&s, in_folder(state, "s"), 120, 36, true);
	screen_keys(&s, ":13:03<Enter>");
	assert_int_equal(range_of(&s).from, 180);
	assert_int_equal(range_of(&s).to, 240);
	assert_int_equal(cursor_of(&s), 180);
	screen_keys(&s, ":09:00<Enter>");
	assert_true(screen_shows(&s, "nothing is recorded there"));
	screen_keys(&s, ":nonsense<Enter>");
	assert_true(s.app.ui.message_error);
	screen_keys(&s, ":-30s<Enter>");
	assert_int_equal(range_of(&s).from, TUI_SECONDS - 30);
	screen_keys(&s, ", :+20s<Enter>");
	assert_int_equal(range_of(&s).from, SPIKE_FROM - 1);
	assert_int_equal(range_of(&s).to, SPIKE_FROM + 19);
	screen_keys(&s, ":+1h<Enter>");
	assert_int_equal(range_of(&s).to, TUI_SECONDS);
	screen_keys(&s, ":now<Enter>");
	assert_false(s.app.ui.model.at.selected);
	screen_keys(&s, ":q<Enter>");
	assert_true(s.app.ui.quit);
	screen_close(&s);
}

/* One thread against the others: filters are part of a mark. */
static void task_thread_against_others(void **state)
{
	struct screen s;
	remove_marks(state);
	screen_open(&s, in_folder(state, "s"), 80, 24, true);
	screen_keys(&s, "f thread:worker-2 <Enter> b ! a d");
	const struct tree_count *all = s.app.ui.data.tree.nodes[0].side;
	assert_true(all[0].total > 0 && all[1].total > all[0].total);
	assert_int_equal(s.app.ui.model.scale, SCALE_SHARE);
	screen_close(&s);
	/* The marks are there the next time. */
	screen_open(&s, in_folder(state, "s"), 120, 36, true);
	screen_keys(&s, "<Tab><Tab> G g");
	assert_int_equal(s.app.ui.model.at.nmarks, 2);
	assert_true(screen_shows(&s, "MARKS"));
	screen_close(&s);
}

/* The cells of a range add up to the flamegraph's root, under any filter and weight. */
static void cells_add_up_to_the_root(void **state)
{
	static const char *const keys[] = {
		"", "w", "f thread:main <Enter>", "f json <Enter>", "w w", "f type:python <Enter>"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct screen s;
		remove_marks(state);
		screen_open(&s, in_folder(state, "s"), 120, 36, true);
		screen_keys(&s, keys[i]);
		const struct model *m = &s.app.ui.model;
		uint64_t sum = 0;
		for (int64_t t = m->span.from; t < m->span.to; t += NS_PER_S) {
			int64_t ns;
			sum += data_cell(&s.app.ui.data, m, t, &ns).samples;
		}
		assert_true(sum > 0);
		assert_int_equal(sum, s.app.ui.data.tree.nodes[0].side[0].total);
		screen_close(&s);
	}
}

static void views_keep_the_selected_frame(void **state)
{
	struct screen s;
	remove_marks(state);
	screen_open(&s, in_folder(state, "s"), 120, 36, true);
	screen_keys(&s, "1 G");
	uint32_t frame = s.app.ui.data.frame;
	assert_int_not_equal(frame, CALLTREE_NONE);
	screen_keys(&s, "t");
	assert_int_equal(s.app.ui.model.view, VIEW_TREE);
	assert_int_equal(s.app.ui.data.frame, frame);
	screen_keys(&s, "t");
	assert_int_equal(s.app.ui.data.frame, frame);
	screen_keys(&s, "k k r");
	uint32_t root = s.app.ui.data.root;
	assert_int_not_equal(root, 0);
	screen_keys(&s, "t");
	assert_int_equal(s.app.ui.data.root, root);
	screen_keys(&s, "t <BS> <BS> <BS> <BS> <BS> <BS>");
	assert_int_equal(s.app.ui.data.root, 0);
	screen_keys(&s, "u");
	assert_int_not_equal(s.app.ui.data.root, 0);
	screen_close(&s);
}

static void menu_filters_and_goes(void **state)
{
	struct screen s;
	remove_marks(state);
	screen_open(&s, in_folder(state, "s"), 120, 36, true);
	screen_keys(&s, "<Tab> <Tab> j <Enter>");
	assert_int_equal(s.app.ui.model.at.filter.count, 1);
	assert_true(screen_shows(&s, "thread:"));
	screen_keys(&s, "<Enter>");
	assert_int_equal(s.app.ui.model.at.filter.count, 0);
	screen_keys(&s, "g h l G <Enter>"); /* the event */
	assert_int_equal(cursor_of(&s), SPIKE_FROM - 1);
	screen_keys(&s, "a G k <Del>");
	assert_true(s.app.ui.model.at.nmarks <= 1);
	screen_close(&s);
}

/* Every binding does something, wherever it is listed. */
static void no_key_is_dead(void **state)
{
	static const struct {
		enum context context;
		const char *keys;
	} reach[CONTEXT_COUNT] = {
		[CONTEXT_ALL] = {CONTEXT_ALL, ""},
		[CONTEXT_TIME] = {CONTEXT_TIME, ""},
		[CONTEXT_FLAME] = {CONTEXT_FLAME, "1"},
		[CONTEXT_TREE] = {CONTEXT_TREE, "2"},
		[CONTEXT_TOP] = {CONTEXT_TOP, "3"},
		[CONTEXT_CALLERS] = {CONTEXT_CALLERS, "4"},
		[CONTEXT_CHANGES] = {CONTEXT_CHANGES, "d 5"},
		[CONTEXT_THREADS] = {CONTEXT_THREADS, "6"},
		[CONTEXT_MENU] = {CONTEXT_MENU, "<Tab><Tab>"},
		[CONTEXT_BOX] = {CONTEXT_BOX, "?"},
	};
	size_t n;
	const struct binding *b = keys_table(&n);
	for (size_t i = 0; i < n; i++) {
		struct screen s;
		remove_marks(state);
		screen_open(&s, in_folder(state, "s"), 80, 24, false);
		screen_keys(&s, reach[b[i].context].keys);
		if (b[i].context != CONTEXT_ALL)
			assert_int_equal(ui_context(&s.app.ui), b[i].context);
		assert_true(*binding_help(&b[i]) != '\0');
		assert_int_equal(keys_action(ui_context(&s.app.ui), b[i].key), b[i].action);
		if (!app_act(&s.app, b[i].action))
			fail_msg("%s is dead in %s", action_name(b[i].action),
				 context_name(b[i].context));
		screen_close(&s);
	}
}

static void waiting_recording_is_a_state(void **state)
{
	const char *path = in_folder(state, "empty");
	struct store_writer *w = open_writer(path);
	GOOD(writer_close(w, err));
	static const int sizes[][2] = {{80, 24}, {120, 36}, {40, 12}, {20, 5}, {1, 1}};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct screen s;
		screen_open(&s, path, sizes[i][0], sizes[i][1], false);
		screen_keys(&s, "h j v s <Enter> 1 j l r 2 j l p E < 3 j <Enter> d D ~ N n , . + - "
				"[ ] { } g G a b ' a M z / x <Enter> n u");
		screen_close(&s);
	}
	struct screen s;
	screen_open(&s, path, 80, 24, false);
	screen_keys(&s, "");
	golden("empty-80x24", &s.app.cells);
	screen_close(&s);
}

/* The screen follows a recording that grows, and holds. */
static void live_follows_and_holds(void **state)
{
	const char *path = in_folder(state, "growing");
	tui_record(path, 0, 90);
	struct screen s;
	screen_open(&s, path, 80, 24, false);
	screen_keys(&s, "");
	assert_int_equal(range_of(&s).to, 90);
	tui_record(path, 90, 100);
	assert_true(app_refresh(&s.app));
	screen_keys(&s, "");
	assert_int_equal(range_of(&s).from, 40);
	assert_int_equal(range_of(&s).to, 100);
	assert_int_equal(cursor_of(&s), 99);
	assert_false(app_refresh(&s.app));
	s.app.ui.model.held = true;
	tui_record(path, 100, 110);
	assert_false(app_refresh(&s.app));
	screen_keys(&s, "<Space>");
	assert_true(app_refresh(&s.app));
	screen_keys(&s, "");
	assert_int_equal(range_of(&s).to, 110);
	screen_close(&s);
}

int main(void)
{
	setenv("TZ", "UTC0", 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pictures),
		cmocka_unit_test(depths),
		cmocka_unit_test(task_spike),
		cmocka_unit_test(peaks_wrap),
		cmocka_unit_test(task_go_to),
		cmocka_unit_test(task_thread_against_others),
		cmocka_unit_test(cells_add_up_to_the_root),
		cmocka_unit_test(views_keep_the_selected_frame),
		cmocka_unit_test(menu_filters_and_goes),
		cmocka_unit_test(no_key_is_dead),
		cmocka_unit_test_setup_teardown(waiting_recording_is_a_state, folder_setup,
						folder_teardown),
		cmocka_unit_test_setup_teardown(live_follows_and_holds, folder_setup,
						folder_teardown),
	};
	return cmocka_run_group_tests(tests, record_setup, folder_teardown);
}
