/* Actions of everywhere. */
#include "tui/command.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "tui/peak.h"
#include "tui/search.h"

typedef void command(struct ui *ui);

static bool pane_shown(const struct ui *ui, enum pane p)
{
	if (ui->model.maximised)
		return true;
	if (p == PANE_TIME)
		return ui->layout.grid.h > 0;
	return p == PANE_VIEW ? ui->layout.view.h > 0 : ui->layout.menu.w > 0;
}

static void turn_pane(struct ui *ui, int by)
{
	enum pane p = ui->model.pane;
	for (int i = 0; i < PANE_COUNT; i++) {
		p = (enum pane)((p + PANE_COUNT + by) % PANE_COUNT);
		if (pane_shown(ui, p))
			break;
	}
	ui->model.pane = p;
}

static void next_pane(struct ui *ui)
{
	turn_pane(ui, 1);
}

static void previous_pane(struct ui *ui)
{
	turn_pane(ui, -1);
}

static void show_flame(struct ui *ui)
{
	model_show(&ui->model, VIEW_FLAME);
}

static void show_tree(struct ui *ui)
{
	model_show(&ui->model, VIEW_TREE);
}

static void show_top(struct ui *ui)
{
	model_show(&ui->model, VIEW_TOP);
}

static void show_callers(struct ui *ui)
{
	model_show(&ui->model, VIEW_CALLERS);
}

static void show_changes(struct ui *ui)
{
	model_show(&ui->model, VIEW_CHANGES);
}

static void show_threads(struct ui *ui)
{
	model_show(&ui->model, VIEW_THREADS);
}

static void switch_tree(struct ui *ui)
{
	model_show(&ui->model, ui->model.view == VIEW_TREE ? VIEW_FLAME : VIEW_TREE);
}

static void maximise(struct ui *ui)
{
	ui->model.maximised = !ui->model.maximised;
}

static void toggle_menu(struct ui *ui)
{
	struct model *m = &ui->model;
	bool shown = ui->layout.menu.w > 0, drawer = ui->layout.drawer;
	m->menu = !m->menu;
	if (shown && m->pane == PANE_MENU)
		m->pane = PANE_VIEW;
	else if (!shown || drawer)
		m->pane = m->menu && !shown ? PANE_MENU : m->pane;
}

static void slide_back(struct ui *ui)
{
	model_slide(&ui->model, -1);
}

static void slide_on(struct ui *ui)
{
	model_slide(&ui->model, 1);
}

static void shrink(struct ui *ui)
{
	model_widen(&ui->model, -1);
}

static void widen(struct ui *ui)
{
	model_widen(&ui->model, 1);
}

static void zoom_in(struct ui *ui)
{
	model_zoom(&ui->model, 1);
}

static void zoom_out(struct ui *ui)
{
	model_zoom(&ui->model, -1);
}

static void ask_goto(struct ui *ui)
{
	prompt_open(&ui->prompt, PROMPT_GOTO, NULL);
}

static void ask_search(struct ui *ui)
{
	prompt_open(&ui->prompt, PROMPT_SEARCH, ui->model.search);
}

static void ask_filter(struct ui *ui)
{
	prompt_open(&ui->prompt, PROMPT_FILTER, NULL);
}

static void ask_mark(struct ui *ui)
{
	prompt_open(&ui->prompt, PROMPT_MARK, NULL);
}

static void await_mark(struct ui *ui)
{
	if (ui->model.at.nmarks)
		ui->awaiting_mark = true;
	else
		ui_say(ui, "there are no marks");
}

static void go_event(struct ui *ui, int direction)
{
	const struct event_rows *e = &ui->data.events;
	const struct event_row *best = NULL;
	int64_t from = ui->model.at.cursor, to = from + model_step(&ui->model);
	for (size_t i = 0; i < e->count; i++) {
		const struct event_row *row = &e->rows[i];
		if (direction < 0 && row->time < from)
			best = row;
		if (direction > 0 && row->time >= to && !best)
			best = row;
	}
	if (!best) {
		ui_say(ui,
		       direction < 0 ? "no event before the cursor" : "no event after the cursor");
		return;
	}
	model_move_to(&ui->model, best->time);
	struct buf b = BUF_INIT;
	grid_time(&b, best->time / NS_PER_S * NS_PER_S, ui->data.span.to, ui->model.utc);
	ui_say(ui, "%s %s%s%s", buf_cstr(&b), event_name(best->type), *best->text ? ": " : "",
	       best->text);
	buf_free(&b);
}

static void previous_event(struct ui *ui)
{
	go_event(ui, -1);
}

static void next_event(struct ui *ui)
{
	go_event(ui, 1);
}

static void find(struct ui *ui, int direction)
{
	struct err err = {0};
	int64_t cell;
	if (ui->model.search && ui->model.pane == PANE_VIEW) {
		search_next(ui, direction);
		return;
	}
	const char *what = ui->model.search ? "match" : "peak";
	bool wrapped;
	int found = peak_find(&ui->data, &ui->model, direction, &cell, &wrapped, &err);
	if (found > 0 && cell == ui->model.at.cursor)
		ui_say(ui, "no other %s", what);
	else if (found > 0 && wrapped)
		ui_say(ui, "wrapped to the %s %s", direction > 0 ? "earliest" : "latest", what);
	if (found > 0)
		model_move_to(&ui->model, cell);
	else if (err.code)
		ui_error(ui, &err);
	else if (found == 0)
		ui_say(ui, ui->model.search ? "nothing matches" : "no peak stands out");
}

static void next_match(struct ui *ui)
{
	find(ui, 1);
}

static void previous_match(struct ui *ui)
{
	find(ui, -1);
}

static void mark(struct ui *ui, const char *name, const char *shown)
{
	model_mark(&ui->model, name, "");
	ui->marks_changed = true;
	struct buf b = BUF_INIT;
	ui_range_text(ui, &b, model_range(&ui->model));
	ui_say(ui, "%s is %s", shown, buf_cstr(&b));
	buf_free(&b);
}

static void mark_a(struct ui *ui)
{
	mark(ui, "a", "A");
}

static void mark_b(struct ui *ui)
{
	mark(ui, "b", "B");
}

static void diff(struct ui *ui)
{
	struct model *m = &ui->model;
	m->diff = !m->diff;
	m->swapped = false;
	if (!m->diff)
		return;
	/* What is selected with different filters is compared by shares. */
	struct side sides[2];
	model_sides(m, sides);
	if (!filter_equal(sides[0].filter, sides[1].filter) && m->scale == SCALE_RATE)
		m->scale = SCALE_SHARE;
}

static void say_scale(struct ui *ui)
{
	static const char *const words[SCALE_COUNT] = {"per second of recorded time",
						       "as shares of each side", "absolute"};
	ui_say(ui, "differences are %s", words[ui->model.scale]);
}

static void diff_scale(struct ui *ui)
{
	if (!ui->model.diff) {
		ui_say(ui, "no difference is shown: d");
		return;
	}
	ui->model.scale = (enum scale)((ui->model.scale + 1) % SCALE_COUNT);
	say_scale(ui);
}

static void swap(struct ui *ui)
{
	if (!ui->model.diff)
		ui_say(ui, "no difference is shown: d");
	else
		ui->model.swapped = !ui->model.swapped;
}

static void search_frame(struct ui *ui)
{
	const struct data *d = &ui->data;
	if (d->frame == CALLTREE_NONE) {
		ui_say(ui, "no frame is selected");
		return;
	}
	model_set_search(&ui->model, names_func(d->names, d->tree.nodes[d->frame].func)->name);
}

static void negate(struct ui *ui)
{
	if (!model_negate(&ui->model))
		ui_say(ui, "there is no filter to negate");
}

static void unfilter(struct ui *ui)
{
	model_unfilter(&ui->model);
}

static void weight(struct ui *ui)
{
	static const char *const words[WEIGHT_COUNT] = {[WEIGHT_CPU] = "CPU time",
							[WEIGHT_WALL] = "wall time, running or not",
							[WEIGHT_OFF_CPU] = "time off the CPU"};
	model_next_weight(&ui->model);
	ui_say(ui, "weighed by %s", words[ui->model.at.filter.weight]);
}

static void percent(struct ui *ui)
{
	ui->model.of_all = !ui->model.of_all;
	ui_say(ui, "percentages are of %s",
	       ui->model.of_all ? "all that ran in the range" : "the view");
}

static void colours(struct ui *ui)
{
	static const char *const words[COLOUR_COUNT] = {"kind", "module", "name"};
	struct model *m = &ui->model;
	if (m->pane == PANE_TIME) {
		m->log_heat = !m->log_heat;
		ui_say(ui, "the heat's scale is %s", m->log_heat ? "logarithmic" : "linear");
		return;
	}
	m->colouring = (enum colouring)((m->colouring + 1) % COLOUR_COUNT);
	ui_say(ui, "frames are coloured by %s", words[m->colouring]);
}

static void hold(struct ui *ui)
{
	if (ui->model.held)
		ui->model.held = false;
	else if (ui->data.live)
		ui->model.held = true;
	else
		ui_say(ui, "nothing is being recorded");
}

static void back(struct ui *ui)
{
	if (!model_back(&ui->model))
		ui_say(ui, "nothing to go back to");
	ui->marks_changed = true;
}

static void forward(struct ui *ui)
{
	if (!model_forward(&ui->model))
		ui_say(ui, "nothing to go forward to");
	ui->marks_changed = true;
}

static void next_theme(struct ui *ui)
{
	enum theme_id id = (enum theme_id)((ui->theme.id + 1) % THEME_COUNT);
	theme_init(&ui->theme, id, ui->depth, ui->theme.ascii);
	ui_say(ui, "theme %s", theme_name(id));
}

static void help(struct ui *ui)
{
	ui->model.help = !ui->model.help;
	ui->help_top = 0;
}

static void redraw(struct ui *ui)
{
	ui->redraw = true;
}

static void suspend(struct ui *ui)
{
	ui->suspend = true;
}

static void cancel(struct ui *ui)
{
	if (ui->layout.drawer && ui->model.menu)
		toggle_menu(ui);
	else
		model_cancel(&ui->model);
}

static void quit(struct ui *ui)
{
	if (ui->model.help)
		ui->model.help = false;
	else
		ui->quit = true;
}

static command *const commands[ACT_COUNT] = {
	[ACT_NEXT_PANE] = next_pane,
	[ACT_PREV_PANE] = previous_pane,
	[ACT_VIEW_FLAME] = show_flame,
	[ACT_VIEW_TREE] = show_tree,
	[ACT_VIEW_TOP] = show_top,
	[ACT_VIEW_CALLERS] = show_callers,
	[ACT_VIEW_CHANGES] = show_changes,
	[ACT_VIEW_THREADS] = show_threads,
	[ACT_SWITCH_TREE] = switch_tree,
	[ACT_MAXIMISE] = maximise,
	[ACT_MENU] = toggle_menu,
	[ACT_SLIDE_BACK] = slide_back,
	[ACT_SLIDE_ON] = slide_on,
	[ACT_SHRINK] = shrink,
	[ACT_WIDEN] = widen,
	[ACT_ZOOM_IN] = zoom_in,
	[ACT_ZOOM_OUT] = zoom_out,
	[ACT_GOTO] = ask_goto,
	[ACT_PREV_EVENT] = previous_event,
	[ACT_NEXT_EVENT] = next_event,
	[ACT_NEXT_MATCH] = next_match,
	[ACT_PREV_MATCH] = previous_match,
	[ACT_MARK_A] = mark_a,
	[ACT_MARK_B] = mark_b,
	[ACT_MARK_NAME] = ask_mark,
	[ACT_MARK_GO] = await_mark,
	[ACT_DIFF] = diff,
	[ACT_DIFF_SCALE] = diff_scale,
	[ACT_SWAP] = swap,
	[ACT_SEARCH] = ask_search,
	[ACT_SEARCH_FRAME] = search_frame,
	[ACT_FILTER] = ask_filter,
	[ACT_NEGATE] = negate,
	[ACT_UNFILTER] = unfilter,
	[ACT_WEIGHT] = weight,
	[ACT_PERCENT] = percent,
	[ACT_COLOURS] = colours,
	[ACT_HOLD] = hold,
	[ACT_BACK] = back,
	[ACT_FORWARD] = forward,
	[ACT_THEME] = next_theme,
	[ACT_HELP] = help,
	[ACT_REDRAW] = redraw,
	[ACT_SUSPEND] = suspend,
	[ACT_CANCEL] = cancel,
	[ACT_QUIT] = quit,
};

bool command_act(struct ui *ui, enum action a)
{
	if (!commands[a])
		return false;
	commands[a](ui);
	return true;
}
