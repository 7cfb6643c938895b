/* Drawing the heatmap. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "tui/heatmap.h"

enum {
	LEGEND_ZERO = 2, /* "0 " */
	LEGEND_TOP = 32, /* bytes of its other end's text */
	LEGEND_GAP = 7,  /* "  / gap", where there is room */
	SIDE_W = 10,     /* beside the grid, at least */
	SIDE_H = 6,
};

/* What is drawn over the heat: the ranges, and their first cells. */
struct overlay {
	struct range under[4];
	size_t count;
	struct range a, b;
	bool has_a, has_b;
};

static bool holds(struct range r, int64_t from, int64_t to)
{
	return from < r.to && to > r.from;
}

static void overlay_make(struct overlay *o, const struct ui *ui)
{
	const struct model *m = &ui->model;
	*o = (struct overlay){0};
	if (m->at.selected || m->live)
		o->under[o->count++] = model_range(m);
	const struct mark *a = spot_mark(&m->at, "a"), *b = spot_mark(&m->at, "b");
	struct side sides[2];
	model_sides(m, sides);
	o->has_a = a || m->diff;
	o->has_b = b || m->diff;
	o->a = a ? a->range : sides[!m->swapped].range;
	o->b = b ? b->range : sides[m->swapped].range;
	if (o->has_a)
		o->under[o->count++] = o->a;
	if (o->has_b)
		o->under[o->count++] = o->b;
}

static bool underlined(const struct overlay *o, int64_t from, int64_t to)
{
	for (size_t i = 0; i < o->count; i++)
		if (holds(o->under[i], from, to))
			return true;
	return false;
}

static bool event_in(const struct event_rows *e, int64_t from, int64_t to)
{
	size_t lo = 0, hi = e->count;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (e->rows[mid].time < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < e->count && e->rows[lo].time < to;
}

struct brush {
	const struct ui *ui;
	struct cells *c;
	struct overlay overlay;
	int cell_w;
};

/* A cell in which nothing is to be seen of heat: text in faint. */
static struct style plain_cell(const struct brush *b, int x, int y, const char *glyph, int repeat)
{
	struct style s = b->ui->theme.style[STYLE_FAINT];
	cells_fill(b->c, x, y, b->cell_w, 1, s);
	cells_repeat(b->c, x, y, repeat, glyph, s);
	return s;
}

/* A second inside is hotter than the scale's end, which fits the means. */
static bool spikes(const struct brush *b, const struct heat_cell *cell)
{
	const struct ui *ui = b->ui;
	return grid_step(ui->model.at.zoom) > NS_PER_S && ui->data.heat.top > 0 &&
	       (double)cell->max > ui->data.heat.top;
}

/* The heat itself; gives the style that text over it has. */
static struct style draw_heat(const struct brush *b, int x, int y, const struct heat_cell *cell,
			      int64_t ns, bool under)
{
	const struct theme *t = &b->ui->theme;
	const struct data *d = &b->ui->data;
	if (cell->quality == CELL_NONE)
		return plain_cell(b, x, y, " ", 0);
	if (cell->quality == CELL_GAP)
		return plain_cell(b, x, y, t->glyph[GLYPH_GAP], b->cell_w);
	if (!cell->samples)
		return plain_cell(b, x, y, t->glyph[GLYPH_IDLE], 1);
	double rate = heat_rate(cell, ns);
	const struct heat_look *look =
		&t->heat[heat_level(rate, d->heat.top, b->ui->model.log_heat, HEAT_LEVELS)];
	struct style s = look->style;
	const char *glyph = look->glyph;
	if (t->depth == DEPTH_256) {
		if (under)
			glyph = t->glyph[GLYPH_UNDER], s = look->ink;
		if (cell->quality == CELL_PARTIAL && !under) {
			s = (struct style){look->style.bg, COLOUR_DEFAULT, 0};
			glyph = t->glyph[GLYPH_PARTIAL];
		}
	} else {
		if (under)
			s.attr |= ATTR_UNDERLINE;
		if (cell->quality == CELL_PARTIAL)
			s.attr |= ATTR_DIM;
	}
	cells_repeat(b->c, x, y, b->cell_w, glyph, s);
	if (spikes(b, cell))
		cells_text(b->c, x + b->cell_w - 1, y, 1, "'", look->ink);
	return look->ink;
}

static void draw_cell(const struct brush *b, int x, int y, int64_t from)
{
	const struct ui *ui = b->ui;
	const struct theme *t = &ui->theme;
	const struct model *m = &ui->model;
	const struct overlay *o = &b->overlay;
	int64_t ns, to = from + model_step(m);
	struct heat_cell cell = data_cell(&ui->data, m, from, &ns);
	bool under = underlined(o, from, to);
	struct style ink = draw_heat(b, x, y, &cell, ns, under);
	if (under && (!cell.samples || cell.quality == CELL_NONE))
		cells_attr(b->c, x, y, b->cell_w, ATTR_UNDERLINE);
	bool on_heat = ink.bg != COLOUR_DEFAULT;
	if (event_in(&ui->data.events, from, to))
		cells_text(b->c, x, y, 1, t->glyph[GLYPH_EVENT],
			   on_heat ? ink : t->style[STYLE_EVENT]);
	if (o->has_a && o->a.from >= from && o->a.from < to)
		cells_text(b->c, x, y, 1, "A", on_heat ? ink : t->style[STYLE_MARK_A]);
	if (o->has_b && o->b.from >= from && o->b.from < to)
		cells_text(b->c, x, y, 1, "B", on_heat ? ink : t->style[STYLE_MARK_B]);
	if (from != m->at.cursor)
		return;
	/* The cursor shows the heat in the lower half of a bright cell. */
	struct style cursor = t->style[STYLE_CURSOR];
	if (t->depth == DEPTH_256 && !t->ascii) {
		if (on_heat)
			cursor.fg = ink.bg;
		cells_repeat(b->c, x, y, b->cell_w, on_heat ? t->glyph[GLYPH_CURSOR] : " ", cursor);
		if (b->cell_w > 1 && spikes(b, &cell))
			cells_text(b->c, x + b->cell_w - 1, y, 1, "'", t->style[STYLE_CURSOR]);
	} else {
		cells_restyle(b->c, x, y, b->cell_w, cursor);
	}
}

void heatmap_ruler(const struct ui *ui, struct cells *c, int x, int y, struct fit fit)
{
	enum zoom z = ui->model.at.zoom;
	int every = grid_ruler_every(z), n = grid_max_cells(z);
	for (int column = 0; column + 2 <= n; column += every) {
		struct buf b = BUF_INIT;
		grid_ruler(&b, z, column);
		cells_text(c, x + column / fit.merge * fit.cell_w, y, 3, buf_cstr(&b),
			   ui->theme.style[STYLE_FAINT]);
		buf_free(&b);
	}
}

static void draw_ruler(const struct ui *ui, struct cells *c, struct fit fit)
{
	if (ui->model.pane == PANE_TIME) {
		cells_window(c, (struct rect){ui->layout.labels.x, ui->layout.ruler.y,
					      ui->layout.labels.w - 1, 1});
		cells_text(c, 0, 0, c->window.w, "time ", ui->theme.style[STYLE_HEADING_FOCUS]);
	}
	cells_window(c, ui->layout.ruler);
	heatmap_ruler(ui, c, 0, 0, fit);
}

static void draw_row(const struct brush *b, int y, int64_t row, struct fit fit)
{
	const struct ui *ui = b->ui;
	struct grid g = model_grid(&ui->model);
	if (row >= ui->data.span.to || grid_row_add(g, row, 1) <= ui->data.span.from)
		return;
	int n = grid_row_cells(g, row);
	int64_t step = grid_step(ui->model.at.zoom);
	for (int i = 0; i * fit.merge < n; i++) {
		int64_t t = row + (int64_t)i * fit.merge * step;
		if (t < ui->data.span.to && t + step * fit.merge > ui->data.span.from)
			draw_cell(b, i * fit.cell_w, y, t);
	}
}

static void draw_label(const struct ui *ui, struct cells *c, int y, int64_t row)
{
	struct grid g = model_grid(&ui->model);
	struct buf label = BUF_INIT;
	bool inside = row < ui->data.span.to && grid_row_add(g, row, 1) > ui->data.span.from;
	bool here = ui->model.pane == PANE_TIME && grid_row(g, ui->model.at.cursor) == row;
	grid_label(&label, g, row);
	cells_text(c, 0, y, c->window.w, buf_cstr(&label),
		   ui->theme.style[here     ? STYLE_BRIGHT
				   : inside ? STYLE_TEXT
					    : STYLE_FAINT]);
	buf_free(&label);
}

/* A line beside the grid: its longest form that fits, else the last, cut. */
static void side_line(struct cells *c, int y, const char *const *forms, size_t n,
		      struct style style)
{
	size_t i = 0;
	while (i + 1 < n && (int)text_width(forms[i]) > c->window.w)
		i++;
	cells_fit(c, 0, y, c->window.w, forms[i], style);
}

/* The cursor's time: where there is little room without its day, then without its hour, which
 * the row's label says. */
static void side_time(const struct ui *ui, struct cells *c, int y)
{
	const struct model *m = &ui->model;
	struct buf day = BUF_INIT, time = BUF_INIT;
	grid_time(&day, m->at.cursor, ui->data.span.to, m->utc);
	grid_time(&time, m->at.cursor, m->at.cursor, m->utc);
	const char *text = buf_cstr(&time);
	const char *const forms[] = {buf_cstr(&day), text, text + strlen("14:")};
	side_line(c, y, forms, 3, ui->theme.style[STYLE_TEXT]);
	buf_free(&day);
	buf_free(&time);
}

/* What the cell under the cursor holds. */
static void side_cell(const struct ui *ui, struct cells *c, int y)
{
	static const char *const qualities[][2] = {{"not recorded", "no record"},
						   {"partly recorded", "partial"},
						   {"", ""},
						   {"gap: no samples taken", "gap"}};
	struct style dim = ui->theme.style[STYLE_DIM];
	int64_t ns;
	struct heat_cell cell = data_cell(&ui->data, &ui->model, ui->model.at.cursor, &ns);
	struct buf long_form = BUF_INIT, number = BUF_INIT;
	label_stacks(&long_form, cell.samples);
	text_count(&number, cell.samples);
	side_line(c, y, (const char *const[]){buf_cstr(&long_form), buf_cstr(&number)}, 2, dim);
	buf_clear(&long_form);
	buf_clear(&number);
	buf_fmt(&number, "%.2f", (double)cell.cpu_ns / (double)ns);
	buf_fmt(&long_form, "%s cores", buf_cstr(&number));
	side_line(c, y + 1, (const char *const[]){buf_cstr(&long_form), buf_cstr(&number)}, 2, dim);
	side_line(c, y + 2, qualities[cell.quality & 3], 2, dim);
	buf_free(&long_form);
	buf_free(&number);
}

bool heatmap_says_cursor(const struct ui *ui)
{
	return ui->layout.side.w >= SIDE_W && ui->layout.side.h >= SIDE_H;
}

/* Where there is room beside the grid: what a row is, and the cell under the cursor. */
static void draw_side(const struct ui *ui, struct cells *c)
{
	const struct model *m = &ui->model;
	const struct theme *t = &ui->theme;
	cells_window(c, ui->layout.side);
	int w = c->window.w;
	if (w < SIDE_W)
		return;
	char line[64];
	snprintf(line, sizeof(line), "%s   %s", grid_row_name(m->at.zoom),
		 grid_cell_name(m->at.zoom));
	int y = 0;
	if (w >= (int)strlen(line)) {
		cells_text(c, 0, y++, w, line, t->style[STYLE_DIM]);
	} else {
		cells_text(c, 0, y++, w, grid_row_name(m->at.zoom), t->style[STYLE_DIM]);
		cells_text(c, 0, y++, w, grid_cell_name(m->at.zoom), t->style[STYLE_DIM]);
	}
	if (ui->data.span.from == ui->data.span.to || !heatmap_says_cursor(ui))
		return;
	side_time(ui, c, y + 1);
	side_cell(ui, c, y + 2);
}

static void draw_strip(struct brush *b)
{
	const struct model *m = &b->ui->model;
	cells_window(b->c, b->ui->layout.grid);
	b->cell_w = 1;
	for (int x = 0; x < b->c->window.w; x++) {
		int64_t t = m->at.cursor - (b->c->window.w - 1 - x) * model_step(m);
		if (t + model_step(m) > b->ui->data.span.from)
			draw_cell(b, x, 0, t);
	}
}

void heatmap_draw(const struct ui *ui, struct cells *c)
{
	const struct layout *l = &ui->layout;
	const struct model *m = &ui->model;
	struct brush b = {.ui = ui, .c = c};
	if (l->grid.h < 1 || ui->data.span.from == ui->data.span.to)
		return;
	overlay_make(&b.overlay, ui);
	if (l->strip) {
		draw_strip(&b);
		return;
	}
	struct fit fit = layout_fit(grid_max_cells(m->at.zoom), l->grid.w);
	b.cell_w = fit.cell_w;
	draw_ruler(ui, c, fit);
	struct grid g = model_grid(m);
	for (int y = 0; y < l->grid.h; y++) {
		int64_t row = grid_row_add(g, m->bottom, y - (l->grid.h - 1));
		cells_window(c, l->labels);
		draw_label(ui, c, y, row);
		cells_window(c, l->grid);
		draw_row(&b, y, row, fit);
	}
	draw_side(ui, c);
}

static void legend_top(const struct ui *ui, double top, char *text, size_t size)
{
	snprintf(text, size, " %g/s%s", top, ui->model.log_heat ? " log" : "");
}

int heatmap_legend_least(const struct ui *ui, double top)
{
	char text[LEGEND_TOP];
	if (top <= 0)
		return 0;
	legend_top(ui, top, text, sizeof(text));
	return LEGEND_ZERO + HEAT_LEVELS + (int)strlen(text);
}

int heatmap_legend_width(const struct ui *ui, double top, int max)
{
	int w = heatmap_legend_least(ui, top);
	return w && max >= w + LEGEND_GAP ? w + LEGEND_GAP : max >= w ? w : 0;
}

int heatmap_legend(const struct ui *ui, struct cells *c, int x, int y, double top, int max)
{
	const struct theme *t = &ui->theme;
	char text[LEGEND_TOP];
	int width = heatmap_legend_width(ui, top, max), end = x + width;
	if (!width)
		return 0;
	legend_top(ui, top, text, sizeof(text));
	x += cells_text(c, x, y, LEGEND_ZERO, "0 ", t->style[STYLE_DIM]);
	for (int i = 0; i < HEAT_LEVELS; i++)
		x += cells_text(c, x, y, 1, t->heat[i].glyph, t->heat[i].style);
	x += cells_text(c, x, y, end - x, text, t->style[STYLE_DIM]);
	if (end - x >= LEGEND_GAP) {
		x += cells_text(c, x, y, 2, "  ", t->style[STYLE_DIM]);
		x += cells_text(c, x, y, 1, t->glyph[GLYPH_GAP], t->style[STYLE_FAINT]);
		cells_text(c, x, y, 4, " gap", t->style[STYLE_DIM]);
	}
	return width;
}

double heatmap_lane_top(const struct ui *ui)
{
	double most = heat_round(ui->data.rate), top = ui->data.heat.top;
	return top < most ? top : most;
}
