/* Random keys, clicks and sizes: whatever comes, the screen stands. */
#include "tests/unit/tui_fixture.h"

#define STEPS 20000

static int32_t random_key(uint32_t *seed)
{
	static const char common[] = "hjklHLgGvVsnNabdD~+-[]{}123456t %cwu*!FrEpC<>zMT0$,.e'x";
	size_t n;
	const struct binding *b = keys_table(&n);
	unsigned r = tui_random(seed) % 100;
	if (r < 55)
		return common[tui_random(seed) % (sizeof(common) - 1)];
	if (r < 90)
		return b[tui_random(seed) % n].key;
	if (r < 95)
		return (int32_t)(tui_random(seed) % 0x3000);
	return KEY_CODE_FIRST + 1 +
	       (int32_t)(tui_random(seed) % (KEY_CODE_MOUSE - KEY_CODE_FIRST - 1));
}

static const char *random_line(uint32_t *seed)
{
	static const char *const lines[] = {":13:02<Enter>",
					    ":+30s<Enter>",
					    ":-1m<Enter>",
					    "/json<Enter>",
					    "/re:^d<Enter>",
					    "fthread:main<Enter>",
					    "fstate:sleeping<Enter>",
					    "f!type:python<Enter>",
					    "mx a note<Enter>",
					    "'x",
					    ":@x<Enter>",
					    "/zzz<Enter>",
					    "fre:(<Enter>"};
	return lines[tui_random(seed) % (sizeof(lines) / sizeof(lines[0]))];
}

/* What must hold of every picture. */
static void check(const struct screen *s)
{
	const struct ui *ui = &s->app.ui;
	const struct model *m = &ui->model;
	assert_true(m->at.cursor <= model_newest(m));
	assert_true(model_range(m).from <= model_range(m).to);
	assert_true(ui->data.root < ui->data.tree.count);
	assert_true(m->history.nback <= HISTORY_MAX);
}

static void random_walk(void **state)
{
	const char *path = in_folder(state, "s");
	tui_record(path, 0, 200);
	struct screen s;
	screen_open(&s, path, 80, 24, false);
	screen_keys(&s, "");
	uint32_t seed = 20261201;
	int recorded = 200;
	for (int i = 0; i < STEPS; i++) {
		unsigned r = tui_random(&seed) % 200;
		if (r == 0) {
			app_resize(&s.app, 1 + (int)(tui_random(&seed) % 220),
				   1 + (int)(tui_random(&seed) % 70));
		} else if (r < 4) {
			screen_keys(&s, random_line(&seed));
		} else if (r < 10) {
			struct mouse mouse = {(int)(tui_random(&seed) % (unsigned)s.app.cells.w),
					      (int)(tui_random(&seed) % (unsigned)s.app.cells.h),
					      (enum mouse_kind)(tui_random(&seed) % 4)};
			app_key(&s.app, KEY_CODE_MOUSE, &mouse);
		} else {
			app_key(&s.app, random_key(&seed), NULL);
		}
		if (i % 5000 == 4999) {
			tui_record(path, recorded, recorded + 20);
			recorded += 20;
			app_refresh(&s.app);
		}
		s.app.ui.quit = s.app.ui.suspend = false;
		/* Often several keys come before the picture does. */
		if (tui_random(&seed) % 4 == 0) {
			while (!app_settle(&s.app))
				;
			app_draw(&s.app);
			check(&s);
		}
	}
	screen_close(&s);
}

int main(void)
{
	setenv("TZ", "UTC0", 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_walk, folder_setup, folder_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
