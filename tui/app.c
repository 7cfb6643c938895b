/* The screen without a terminal: keys in, cells out. */
#include "tui/app.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/command.h"
#include "tui/heatmap.h"
#include "tui/help.h"
#include "tui/status.h"
#include "tui/view.h"

static void lay_out(struct app *a)
{
	struct ui *ui = &a->ui;
	struct model *m = &ui->model;
	struct layout_opts o = {
		.menu = m->menu,
		.maximised = m->maximised,
		.pane = m->pane,
		.cells = grid_max_cells(m->at.zoom),
		.seconds = m->at.zoom == ZOOM_20MS,
	};
	layout_make(&ui->layout, a->cells.w, a->cells.h, &o);
	/* The keys go to a pane that can be seen. */
	if (m->pane == PANE_MENU && ui->layout.menu.w < 1)
		m->pane = PANE_VIEW;
	const struct rect *grid = &ui->layout.grid;
	int merge = ui->layout.strip ? 1 : layout_fit(grid_max_cells(m->at.zoom), grid->w).merge;
	model_grid_size(m, grid->h, merge);
}

static void load_marks(struct app *a)
{
	struct err err = {0};
	if (!a->ui.opts->store_path)
		return;
	if (marks_load(&a->marks, a->ui.opts->store_path, &err) != 0)
		ui_error(&a->ui, &err);
	for (size_t i = 0; i < a->marks.count; i++) {
		const struct mark *m = &a->marks.items[i];
		spot_mark_set(&a->ui.model.at, m->name, m->range, &m->filter, m->note);
	}
}

static void save_marks(struct app *a)
{
	struct ui *ui = &a->ui;
	struct err err = {0};
	ui->marks_changed = false;
	if (!ui->opts->store_path)
		return;
	for (size_t i = a->marks.count; i-- > 0;)
		if (!spot_mark(&ui->model.at, a->marks.items[i].name))
			marks_remove(&a->marks, a->marks.items[i].name);
	for (size_t i = 0; i < ui->model.at.nmarks; i++) {
		const struct mark *m = &ui->model.at.marks[i];
		marks_set(&a->marks, m->name, m->range, &m->filter, m->note);
	}
	if (marks_save(&a->marks, &err) != 0)
		ui_error(ui, &err);
}

void app_init(struct app *a, const struct tui_opts *opts, int cols, int rows, enum depth depth,
	      bool ascii)
{
	*a = (struct app){.dirty = true};
	struct ui *ui = &a->ui;
	ui->opts = opts;
	ui->depth = opts->no_colour ? DEPTH_MONO : depth;
	theme_init(&ui->theme, opts->theme, ui->depth, ascii || opts->ascii);
	cells_init(&a->cells, cols, rows, ui->theme.ascii);
	model_init(&ui->model, !opts->view_only, opts->utc);
	data_init(&ui->data, opts->store, opts->names);
	for (int i = 0; i < VIEW_COUNT; i++)
		ui->views[i] = view_get((enum view_id)i)->open();
	load_marks(a);
	app_refresh(a);
	lay_out(a);
	model_span(&ui->model, ui->data.span);
	if (opts->view_only)
		model_fit_zoom(&ui->model);
	if (opts->filter) {
		filter_release(&ui->model.at.filter);
		filter_copy(&ui->model.at.filter, opts->filter);
	}
	if (opts->range.from < opts->range.to)
		model_select(&ui->model, opts->range);
}

void app_release(struct app *a)
{
	struct ui *ui = &a->ui;
	for (int i = 0; i < VIEW_COUNT; i++)
		view_get((enum view_id)i)->close(ui->views[i]);
	model_release(&ui->model);
	data_release(&ui->data);
	menu_release(&ui->menu);
	buf_free(&ui->prompt.text);
	if (ui->opts->store_path)
		marks_release(&a->marks);
	cells_release(&a->cells);
}

void app_resize(struct app *a, int cols, int rows)
{
	bool ascii = a->cells.ascii;
	cells_release(&a->cells);
	cells_init(&a->cells, cols, rows, ascii);
	a->dirty = true;
}

static bool inside(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

bool app_act(struct app *a, enum action action)
{
	struct ui *ui = &a->ui;
	bool done = false;
	if (ui->model.help) {
		if (help_act(ui, action))
			return true;
		/* Anything else is meant for what is behind the box. */
		if (action != ACT_QUIT && action != ACT_CANCEL && action != ACT_HELP &&
		    action != ACT_REDRAW && action != ACT_SUSPEND)
			ui->model.help = false;
	}
	if (ui->model.pane == PANE_TIME)
		done = heatmap_act(ui, action);
	else if (ui->model.pane == PANE_MENU)
		done = menu_act(ui, action);
	else
		done = ui_view(ui)->act(ui, ui->views[ui->model.view], action);
	return done || command_act(ui, action);
}

static void mouse_press(struct ui *ui, const struct mouse *m)
{
	const struct layout *l = &ui->layout;
	int64_t t;
	enum view_id view;
	ui->press = *m;
	ui->pressed = true;
	if (inside(l->menu, m->x, m->y)) {
		ui->model.pane = PANE_MENU;
		menu_click(ui, m->x - l->menu.x, m->y - l->menu.y);
	} else if (heatmap_at(ui, m->x, m->y, &t)) {
		ui->model.pane = PANE_TIME;
		model_move_to(&ui->model, t);
	} else if (inside(l->tabs, m->x, m->y) && status_tab_at(ui, m->x - l->tabs.x, &view)) {
		model_show(&ui->model, view);
	} else if (inside(view_body(l), m->x, m->y)) {
		struct rect body = view_body(l);
		ui->model.pane = PANE_VIEW;
		ui_view(ui)->click(ui, ui->views[ui->model.view], m->x - body.x, m->y - body.y);
	}
}

/* A drag over the grid selects. */
static void mouse_release(struct ui *ui, const struct mouse *m)
{
	int64_t from, to;
	bool dragged = ui->pressed && (m->x != ui->press.x || m->y != ui->press.y);
	ui->pressed = false;
	if (!dragged || !heatmap_at(ui, ui->press.x, ui->press.y, &from) ||
	    !heatmap_at(ui, m->x, m->y, &to))
		return;
	int64_t a = from < to ? from : to, b = from < to ? to : from;
	model_select(&ui->model, (struct range){a, b + model_step(&ui->model)});
	model_move_to(&ui->model, to);
}

static void mouse_wheel(struct ui *ui, const struct mouse *m)
{
	const struct layout *l = &ui->layout;
	enum action a = m->kind == MOUSE_WHEEL_UP ? ACT_UP : ACT_DOWN;
	if (inside(l->menu, m->x, m->y))
		menu_act(ui, a);
	else if (inside(l->grid, m->x, m->y))
		heatmap_act(ui, a);
	else if (inside(l->view, m->x, m->y))
		ui_view(ui)->act(ui, ui->views[ui->model.view], a);
}

static void mouse_event(struct ui *ui, const struct mouse *m)
{
	if (ui->model.help) {
		help_act(ui, m->kind == MOUSE_WHEEL_UP     ? ACT_UP
			     : m->kind == MOUSE_WHEEL_DOWN ? ACT_DOWN
							   : ACT_NONE);
		return;
	}
	if (m->kind == MOUSE_PRESS)
		mouse_press(ui, m);
	else if (m->kind == MOUSE_RELEASE)
		mouse_release(ui, m);
	else
		mouse_wheel(ui, m);
}

static void prompt_input(struct ui *ui, int32_t key)
{
	enum prompt_result r = prompt_key(&ui->prompt, key);
	if (r == PROMPT_CANCEL)
		prompt_close(&ui->prompt);
	else if (r == PROMPT_ACCEPT)
		command_prompt(ui);
}

/* Views and menu to data and model; no query. */
static void update_panes(struct app *a)
{
	struct ui *ui = &a->ui;
	struct rect body = view_body(&ui->layout);
	data_resolve(&ui->data, &ui->model);
	ui_view(ui)->update(ui, ui->views[ui->model.view], body.w, body.h);
	menu_update(ui);
	a->dirty = false;
}

void app_key(struct app *a, int32_t key, const struct mouse *mouse)
{
	struct ui *ui = &a->ui;
	if (a->dirty)
		update_panes(a);
	a->dirty = true;
	ui->message[0] = '\0';
	if (key == KEY_CODE_MOUSE) {
		if (mouse && ui->prompt.kind == PROMPT_NONE)
			mouse_event(ui, mouse);
	} else if (ui->prompt.kind != PROMPT_NONE) {
		prompt_input(ui, key);
	} else if (ui->awaiting_mark) {
		command_go_mark(ui, key);
	} else {
		enum action action = keys_action(ui_context(ui), key);
		if (action != ACT_NONE)
			app_act(a, action);
	}
	if (ui->marks_changed)
		save_marks(a);
	lay_out(a);
}

bool app_refresh(struct app *a)
{
	struct ui *ui = &a->ui;
	struct err err = {0};
	if (ui->model.held)
		return false;
	int grown = data_refresh(&ui->data, &err);
	if (grown < 0)
		ui_error(ui, &err);
	if (grown) /* also after a failure: what is known is known */
		model_span(&ui->model, ui->data.span);
	return grown != 0;
}

bool app_settle(struct app *a)
{
	struct ui *ui = &a->ui;
	struct err err = {0};
	lay_out(a);
	enum data_state state = data_update(&ui->data, &ui->model, &err);
	update_panes(a);
	if (ui->model.view == VIEW_THREADS && state == DATA_DONE)
		state = data_update_lanes(&ui->data, &ui->model, &err);
	if (state == DATA_FAILED)
		ui_error(ui, &err);
	ui->busy = state == DATA_INTERRUPTED;
	return state != DATA_INTERRUPTED;
}

void app_catch_up(struct app *a)
{
	a->ui.busy = true;
	lay_out(a);
	update_panes(a);
}

static void draw_panes(struct app *a)
{
	struct ui *ui = &a->ui;
	struct cells *c = &a->cells;
	heatmap_draw(ui, c);
	status_range(ui, c);
	status_tabs(ui, c);
	if (ui->layout.view.h > 0) {
		status_crumb(ui, c);
		cells_window(c, view_body(&ui->layout));
		ui_view(ui)->draw(ui, ui->views[ui->model.view], c);
	}
	status_detail(ui, c);
	if (ui->layout.rule.w) {
		cells_window(c, ui->layout.rule);
		for (int y = 0; y < c->window.h; y++)
			cells_text(c, 0, y, 1, ui->theme.glyph[GLYPH_RULE],
				   ui->theme.style[STYLE_FAINT]);
	}
	if (ui->layout.menu.w) {
		cells_window(c, ui->layout.menu);
		menu_draw(ui, c);
	}
}

void app_draw(struct app *a)
{
	struct ui *ui = &a->ui;
	struct cells *c = &a->cells;
	cells_whole(c);
	cells_clear(c, ui->theme.style[STYLE_TEXT]);
	if (ui->layout.line) {
		status_line(ui, c);
		return;
	}
	status_header(ui, c);
	if (ui->model.help)
		help_draw(ui, c);
	else
		draw_panes(a);
	status_hints(ui, c);
}
