/* The loop: keys and time in, pictures out. */
#include "base/clock.h"
#include "base/err.h"
#include "tui/app.h"
#include "tui/term.h"

enum {
	TICK_MS = 200,     /* how often the store is looked at */
	FIRST_TRY_MS = 12, /* a query that takes longer is drawn around: the key shows first */
};

struct loop {
	struct terminal *term;
	int64_t deadline; /* of the present query; 0: none */
	bool slow;        /* the last query took longer than a try: draw before the next */
};

static bool interrupted(void *arg)
{
	const struct loop *l = arg;
	return term_pending(l->term) || (l->deadline && clock_mono() > l->deadline);
}

static void show(struct loop *l, struct app *a, bool all)
{
	app_draw(a);
	term_show(l->term, &a->cells, all);
}

/* Bring the picture up to date; a key that comes meanwhile ends it. False: not done. */
static bool settle(struct loop *l, struct app *a)
{
	int64_t start = clock_mono();
	bool done = false;
	if (l->slow) {
		app_catch_up(a);
	} else {
		l->deadline = start + FIRST_TRY_MS * NS_PER_MS;
		done = app_settle(a);
		l->deadline = 0;
	}
	show(l, a, false);
	if (!done && !term_pending(l->term)) {
		done = app_settle(a);
		show(l, a, false);
	}
	l->slow = !done || clock_mono() - start > FIRST_TRY_MS * NS_PER_MS;
	return done;
}

static bool handle(struct loop *l, struct app *a, int32_t key, const struct mouse *mouse)
{
	int cols, rows;
	switch (key) {
	case KEY_CODE_NONE:
		return false;
	case KEY_CODE_EOF:
		a->ui.quit = true;
		return true;
	case KEY_CODE_RESIZE:
	case KEY_CODE_REDRAW:
		term_size(l->term, &cols, &rows);
		app_resize(a, cols, rows);
		a->ui.redraw = true;
		return true;
	default:
		app_key(a, key, mouse);
		return true;
	}
}

static void run(struct loop *l, struct app *a)
{
	bool done = settle(l, a);
	int64_t next = clock_mono() + TICK_MS * NS_PER_MS;
	while (!a->ui.quit) {
		struct mouse mouse;
		int64_t left = (next - clock_mono()) / NS_PER_MS;
		int32_t key = term_key(l->term, !done || left < 0 ? 0 : (int)left + 1, &mouse);
		bool changed = handle(l, a, key, &mouse);
		/* Keys that wait already are taken before anything is drawn. */
		for (int burst = 0; changed && !a->ui.quit && !a->ui.suspend && burst < 64;
		     burst++) {
			key = term_pending(l->term) ? term_key(l->term, 0, &mouse) : KEY_CODE_NONE;
			if (!handle(l, a, key, &mouse))
				break;
		}
		if (a->ui.suspend) {
			a->ui.suspend = false;
			term_suspend(l->term);
			handle(l, a, KEY_CODE_REDRAW, NULL);
		}
		if (clock_mono() >= next) {
			changed |= app_refresh(a);
			next = clock_mono() + TICK_MS * NS_PER_MS;
		}
		if (a->ui.redraw) {
			a->ui.redraw = false;
			app_settle(a);
			show(l, a, true);
		}
		if (changed || !done)
			done = settle(l, a);
	}
}

int tui_run(const struct tui_opts *opts, struct err *err)
{
	struct loop l = {0};
	struct app a;
	int cols, rows;
	if (term_open(&l.term, !opts->no_mouse, err) != 0)
		return -1;
	term_size(l.term, &cols, &rows);
	app_init(&a, opts, cols, rows, term_depth(l.term), term_ascii(l.term));
	a.ui.data.interrupted = interrupted;
	a.ui.data.arg = &l;
	run(&l, &a);
	app_release(&a);
	term_close(l.term);
	return 0;
}
