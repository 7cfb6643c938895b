/* Transitions of the cursor, the range and the grid. */
#include "tui/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

void model_init(struct model *m, bool live, bool utc)
{
	*m = (struct model){.live = live, .follow = true, .utc = utc, .rows = 1, .merge = 1};
	m->at.zoom = ZOOM_SECOND;
}

void model_release(struct model *m)
{
	spot_release(&m->at);
	history_release(&m->history);
	path_release(&m->frame);
	free(m->search);
	m->search = NULL;
}

struct grid model_grid(const struct model *m)
{
	return (struct grid){m->at.zoom, m->utc};
}

int64_t model_step(const struct model *m)
{
	return grid_step(m->at.zoom) * m->merge;
}

int64_t model_cell(const struct model *m, int64_t t)
{
	int64_t row = grid_row(model_grid(m), t), step = model_step(m);
	return row + (t - row) / step * step;
}

int64_t model_newest(const struct model *m)
{
	return model_cell(m, m->span.to > m->span.from ? m->span.to - 1 : m->span.to);
}

struct range model_range(const struct model *m)
{
	if (m->at.selected)
		return m->at.range;
	struct range r = m->span;
	int64_t window = LIVE_WINDOW_S * NS_PER_S;
	if (m->live && r.to - r.from > window)
		r.from = r.to - window;
	return r;
}

void model_sides(const struct model *m, struct side out[2])
{
	struct side b = {model_range(m), &m->at.filter, false};
	const struct mark *mark = m->diff ? spot_mark(&m->at, "b") : NULL;
	if (mark)
		b = (struct side){mark->range, &mark->filter, false};
	struct side a = {{b.range.from - range_length(b.range), b.range.from}, b.filter, true};
	mark = spot_mark(&m->at, "a");
	if (mark)
		a = (struct side){mark->range, &mark->filter, false};
	out[m->swapped && m->diff] = b;
	out[!(m->swapped && m->diff)] = a;
}

/* The rows shown end at the newest or above it, and hold the cursor. */
static void scroll(struct model *m)
{
	struct grid g = model_grid(m);
	int64_t newest = grid_row(g, model_newest(m)), cursor = grid_row(g, m->at.cursor);
	m->bottom = grid_row(g, m->bottom);
	if (m->bottom < cursor)
		m->bottom = cursor;
	if (grid_rows_between(g, cursor, m->bottom, m->rows) >= m->rows)
		m->bottom = grid_row_add(g, cursor, m->rows - 1);
	int64_t full = grid_row_add(g, grid_row(g, m->span.from), m->rows - 1);
	if (m->bottom < full)
		m->bottom = full;
	if (m->bottom > newest)
		m->bottom = newest;
}

/* What cells and rows reach beyond a finished recording is no part of a range. While it grows
 * the end of a cell is still to come. */
static struct range recorded(const struct model *m, struct range r)
{
	struct range clipped = r;
	if (m->live || range_clip(&clipped, m->span) == RANGE_OUTSIDE)
		return r;
	return clipped;
}

static void follow_range(struct model *m)
{
	if (!m->growing)
		return;
	int64_t cursor = m->at.cursor, step = model_step(m);
	m->at.selected = true;
	struct range r = {m->anchor < cursor ? m->anchor : cursor,
			  (m->anchor > cursor ? m->anchor : cursor) + step};
	m->at.range = recorded(m, r);
}

static void set_cursor(struct model *m, int64_t t)
{
	int64_t first = model_cell(m, m->span.from), last = model_newest(m);
	int64_t cell = model_cell(m, t);
	m->at.cursor = cell > last ? last : cell < first ? first : cell;
	scroll(m);
	follow_range(m);
}

void model_span(struct model *m, struct range span)
{
	struct grid g = model_grid(m);
	bool newest = m->bottom >= grid_row(g, model_newest(m));
	m->span = span;
	if (m->follow)
		m->at.cursor = model_newest(m);
	if (newest)
		m->bottom = grid_row(g, model_newest(m));
	set_cursor(m, m->at.cursor);
}

void model_grid_size(struct model *m, int rows, int merge)
{
	bool newest = m->bottom >= grid_row(model_grid(m), model_newest(m));
	m->rows = rows < 1 ? 1 : rows;
	m->merge = merge < 1 ? 1 : merge;
	if (newest)
		m->bottom = grid_row(model_grid(m), model_newest(m));
	set_cursor(m, m->follow ? model_newest(m) : m->at.cursor);
}

void model_fit_zoom(struct model *m)
{
	for (int z = 0; z < ZOOM_COUNT; z++) {
		struct grid g = {(enum zoom)z, m->utc};
		m->at.zoom = (enum zoom)z;
		int64_t last = m->span.to > m->span.from ? m->span.to - 1 : m->span.to;
		if (grid_rows_between(g, m->span.from, last, m->rows) < m->rows)
			break;
	}
	m->bottom = grid_row(model_grid(m), model_newest(m));
	set_cursor(m, m->follow ? model_newest(m) : m->at.cursor);
}

void model_move_to(struct model *m, int64_t t)
{
	m->follow = false;
	m->taken = false;
	set_cursor(m, t);
}

void model_move_cells(struct model *m, int n)
{
	model_move_to(m, m->at.cursor + n * model_step(m));
}

/* The same place in another row; past the ends the cursor stays in the last row's reach. */
void model_move_rows(struct model *m, int n)
{
	struct grid g = model_grid(m);
	int64_t row = grid_row(g, m->at.cursor), to = grid_row_add(g, row, n);
	int64_t first = grid_row(g, m->span.from), last = grid_row(g, model_newest(m));
	to = to < first ? first : to > last ? last : to;
	int64_t end = to + (grid_row_cells(g, to) - 1) * grid_step(m->at.zoom);
	int64_t t = to + (m->at.cursor - row);
	model_move_to(m, t > end ? end : t);
}

void model_row_ends(struct model *m, bool end)
{
	struct grid g = model_grid(m);
	int64_t row = grid_row(g, m->at.cursor);
	model_move_to(m, end ? row + (grid_row_cells(g, row) - 1) * grid_step(m->at.zoom) : row);
}

void model_first(struct model *m)
{
	model_move_to(m, m->span.from);
}

void model_last(struct model *m)
{
	model_move_to(m, model_newest(m));
	m->follow = true;
}

void model_remember(struct model *m)
{
	history_remember(&m->history, &m->at);
}

void model_grow(struct model *m)
{
	if (m->growing) {
		m->growing = false;
		m->taken = true;
		return;
	}
	model_remember(m);
	m->growing = true;
	m->follow = false;
	m->anchor = m->at.cursor;
	follow_range(m);
}

void model_select(struct model *m, struct range r)
{
	model_remember(m);
	m->growing = false;
	m->taken = true;
	m->at.selected = true;
	m->at.range = recorded(m, r.from < r.to ? r : (struct range){r.to, r.from});
}

void model_select_row(struct model *m)
{
	struct grid g = model_grid(m);
	int64_t row = grid_row(g, m->at.cursor);
	model_select(m, (struct range){row, grid_row_add(g, row, 1)});
	m->follow = false;
}

void model_take(struct model *m)
{
	if (!m->growing && !(m->taken && m->at.selected))
		model_select(m, (struct range){m->at.cursor, m->at.cursor + model_step(m)});
	m->growing = false;
	m->follow = false;
	m->pane = PANE_VIEW;
}

void model_slide(struct model *m, int direction)
{
	struct range r = model_range(m);
	int64_t by = range_length(r) * direction;
	if (by < 0 && r.from + by < m->span.from)
		by = m->span.from < r.from ? m->span.from - r.from : 0;
	if (by > 0 && r.to + by > m->span.to)
		by = m->span.to > r.to ? m->span.to - r.to : 0;
	model_remember(m);
	m->growing = false;
	model_move_to(m, direction < 0 ? r.from + by : r.to + by - 1);
	model_select(m, (struct range){r.from + by, r.to + by});
}

void model_widen(struct model *m, int cells)
{
	struct range r = model_range(m);
	int64_t step = model_step(m), to = r.to + cells * step;
	int64_t limit = model_newest(m) + step;
	if (to > limit)
		to = r.to > limit ? r.to : limit;
	if (to < r.from + step)
		to = r.to < r.from + step ? r.to : r.from + step;
	model_select(m, (struct range){r.from, to});
}

void model_zoom(struct model *m, int finer)
{
	int z = (int)m->at.zoom - finer;
	if (z < 0 || z >= ZOOM_COUNT)
		return;
	model_remember(m);
	struct grid g = model_grid(m);
	int below = grid_rows_between(g, m->at.cursor, m->bottom, m->rows);
	m->at.zoom = (enum zoom)z;
	m->growing = false;
	g = model_grid(m);
	m->bottom = grid_row_add(g, grid_row(g, m->at.cursor), below);
	set_cursor(m, m->follow ? model_newest(m) : m->at.cursor);
}

void model_set_search(struct model *m, const char *text)
{
	char *copy = text && *text ? mem_strdup(text) : NULL;
	free(m->search);
	m->search = copy;
}

void model_set_root(struct model *m, const uint32_t *funcs, size_t n)
{
	model_remember(m);
	path_set(&m->at.root, funcs, n);
}

static bool gone(struct model *m, bool moved)
{
	if (moved) {
		m->growing = false;
		m->follow = m->follow && m->at.cursor >= model_newest(m);
		set_cursor(m, m->at.cursor);
	}
	return moved;
}

bool model_back(struct model *m)
{
	return gone(m, history_back(&m->history, &m->at));
}

bool model_forward(struct model *m)
{
	return gone(m, history_forward(&m->history, &m->at));
}

bool model_cancel(struct model *m)
{
	if (m->help) {
		m->help = false;
	} else if (m->growing) {
		m->growing = false;
		m->at.selected = false;
	} else if (m->search) {
		model_set_search(m, NULL);
	} else if (m->at.root.n) {
		model_set_root(m, NULL, 0);
	} else if (m->diff) {
		m->diff = m->swapped = false;
	} else if (m->at.selected) {
		model_remember(m);
		m->at.selected = false;
	} else {
		return false;
	}
	return true;
}

void model_show(struct model *m, enum view_id view)
{
	m->view = view;
	m->pane = PANE_VIEW;
}
