/* The keys of the time pane, and the geometry that mouse and drawing share. */
#include "tui/heatmap.h"

#include <stdio.h>

#include "tui/peak.h"

static void burst(struct ui *ui)
{
	struct range r;
	struct err err = {0};
	int found = peak_burst(&ui->data, &ui->model, &r, &err);
	if (found > 0) {
		ui->model.follow = false;
		model_select(&ui->model, r);
	} else {
		ui_say(ui, "%s", err.code ? err.text : "nothing ran under the cursor");
	}
}

bool heatmap_act(struct ui *ui, enum action a)
{
	enum { FAR = 10 };
	struct model *m = &ui->model;
	switch (a) {
	case ACT_LEFT:
		model_move_cells(m, -1);
		break;
	case ACT_RIGHT:
		model_move_cells(m, 1);
		break;
	case ACT_UP:
		model_move_rows(m, -1);
		break;
	case ACT_DOWN:
		model_move_rows(m, 1);
		break;
	case ACT_FAR_LEFT:
		model_move_cells(m, -FAR);
		break;
	case ACT_FAR_RIGHT:
		model_move_cells(m, FAR);
		break;
	case ACT_PAGE_UP:
		model_move_rows(m, -m->rows);
		break;
	case ACT_PAGE_DOWN:
		model_move_rows(m, m->rows);
		break;
	case ACT_ROW_START:
		model_row_ends(m, false);
		break;
	case ACT_ROW_END:
		model_row_ends(m, true);
		break;
	case ACT_FIRST:
		model_first(m);
		break;
	case ACT_LAST:
		model_last(m);
		break;
	case ACT_GROW:
		model_grow(m);
		break;
	case ACT_ROW:
		model_select_row(m);
		break;
	case ACT_BURST:
		burst(ui);
		break;
	case ACT_ENTER:
		model_take(m);
		break;
	default:
		return false;
	}
	return true;
}

bool heatmap_at(const struct ui *ui, int x, int y, int64_t *t)
{
	const struct rect *r = &ui->layout.grid;
	const struct model *m = &ui->model;
	if (x < r->x || x >= r->x + r->w || y < r->y || y >= r->y + r->h)
		return false;
	struct grid g = model_grid(m);
	struct fit fit = layout_fit(grid_max_cells(m->at.zoom), r->w);
	int column = (x - r->x) / fit.cell_w;
	if (ui->layout.strip) {
		*t = m->at.cursor - (int64_t)(r->w - 1 - (x - r->x)) * model_step(m);
		return true;
	}
	int64_t row = grid_row_add(g, m->bottom, y - r->y - (r->h - 1));
	*t = row + column * model_step(m);
	return *t < grid_row_add(g, row, 1);
}
