/* The header, and the line of the range. */
#include "tui/status.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "tui/app.h"
#include "tui/heatmap.h"

enum { HELP_W = 8, RANGE_LEAST = 24, LEGEND_COLS = 60, HEADER_WIDE = 100, LOST_SHOWN_PERMILLE = 5 };

/* Parts of a line from left to right; what does not fit is dropped from the right. */
struct parts {
	struct cells *c;
	int x, end, gap, y;
	bool full;
};

static void part(struct parts *p, const char *text, struct style style)
{
	int w = (int)text_width(text);
	int gap = p->x > 1 ? p->gap : 0;
	if (!*text || p->full)
		return;
	if (p->x + gap + w > p->end) {
		p->full = true;
		return;
	}
	p->x += gap;
	p->x += cells_text(p->c, p->x, p->y, w, text, style);
}

static void part_buf(struct parts *p, struct buf *b, struct style style)
{
	part(p, buf_cstr(b), style);
	buf_clear(b);
}

static void state_part(const struct ui *ui, struct parts *p)
{
	const struct theme *t = &ui->theme;
	char text[32];
	if (ui->model.held)
		snprintf(text, sizeof(text), "%s held", t->glyph[GLYPH_HELD]);
	else if (ui->opts->recorder_status && !ui->data.live && ui->model.live)
		snprintf(text, sizeof(text), "%s ended", t->glyph[GLYPH_HELD]);
	else if (ui->data.live)
		snprintf(text, sizeof(text), "%s live", t->glyph[GLYPH_LIVE]);
	else
		snprintf(text, sizeof(text), "%s", ui->model.live ? "ended" : "");
	part(p, text,
	     t->style[ui->model.held  ? STYLE_HELD
		      : ui->data.live ? STYLE_LIVE
				      : STYLE_BAR]);
}

static void clock_part(const struct ui *ui, struct parts *p, struct buf *b)
{
	const struct range *span = &ui->data.span;
	if (span->from == span->to)
		return;
	/* A recording that is looked at later says its day. */
	grid_time(b, span->to, ui->model.live ? span->to : 0, ui->model.utc);
	buf_char(b, ' ');
	time_zone(b, span->to, ui->model.utc);
	part_buf(p, b, ui->theme.style[STYLE_BAR]);
}

static void numbers(const struct ui *ui, struct parts *p, struct buf *b)
{
	const struct data *d = &ui->data;
	struct style bar = ui->theme.style[STYLE_BAR];
	if (d->span.from == d->span.to) {
		part(p, "waiting for the first second", bar);
		return;
	}
	double cores = d->cores;
	int64_t length = range_length(d->span);
	if (!ui->model.live && length > 0)
		cores = (double)d->info.cpu_ns / (double)length;
	buf_fmt(b, "%.1f cores", cores);
	part_buf(p, b, bar);
	if (d->info.cpu_ns) {
		buf_fmt(b, "stopped %.2f%%",
			(double)d->info.stopped_ns * 100 / (double)d->info.cpu_ns);
		part_buf(p, b, bar);
	}
	if (d->info.expected && d->info.missed * 1000 >= d->info.expected * LOST_SHOWN_PERMILLE) {
		buf_fmt(b, "lost %.1f%%", (double)d->info.missed * 100 / (double)d->info.expected);
		part_buf(p, b, ui->theme.style[STYLE_HELD]);
	}
}

void status_header(const struct ui *ui, struct cells *c)
{
	const struct theme *t = &ui->theme;
	struct buf b = BUF_INIT;
	cells_window(c, ui->layout.header);
	int w = c->window.w;
	cells_fill(c, 0, 0, w, 1, t->style[STYLE_BAR]);
	struct parts p = {c, 1, w > 30 ? w - HELP_W - 1 : w, w >= HEADER_WIDE ? 3 : 2, 0, false};
	if (w >= 40)
		part(&p, "cprof", t->style[STYLE_BAR_BRIGHT]);
	text_fit(&b, ui->opts->title ? ui->opts->title : "", (size_t)(w / 3 > 8 ? w / 3 : 8),
		 t->ascii);
	part_buf(&p, &b, t->style[STYLE_BAR_NAME]);
	state_part(ui, &p);
	if (ui->opts->recorder_status) {
		ui->opts->recorder_status(ui->opts->recorder_arg, &b);
		/* The state before it says so. */
		if (!ui->model.held && strcmp(buf_cstr(&b), "ended") == 0 && !ui->data.live)
			buf_clear(&b);
		part_buf(&p, &b, t->style[STYLE_BAR]);
	}
	clock_part(ui, &p, &b);
	numbers(ui, &p, &b);
	if (ui->data.rate > 0) {
		buf_fmt(&b, "%g Hz", ui->data.rate);
		part_buf(&p, &b, t->style[STYLE_BAR]);
	}
	buf_fmt(&b, "weight %s", weight_name(ui->model.at.filter.weight));
	part_buf(&p, &b, t->style[STYLE_BAR_NAME]);
	if (w > 30)
		cells_text(c, w - HELP_W + 1, 0, HELP_W, "? help", t->style[STYLE_BAR_DIM]);
	buf_free(&b);
}

/* What the range is, in a word before it. */
static const char *range_word(const struct ui *ui)
{
	const struct model *m = &ui->model;
	struct range r = model_range(m);
	const struct mark *b = spot_mark(&m->at, "b"), *a = spot_mark(&m->at, "a");
	if (m->growing)
		return "select";
	if (b && b->range.from == r.from && b->range.to == r.to)
		return "B";
	if (a && a->range.from == r.from && a->range.to == r.to)
		return "A";
	if (m->at.selected)
		return m->diff && !b ? "B" : "";
	return m->live ? "live" : "all";
}

static int range_left(const struct ui *ui, struct cells *c, int end)
{
	const struct theme *t = &ui->theme;
	const struct data *d = &ui->data;
	struct range r = model_range(&ui->model);
	struct buf b = BUF_INIT;
	struct parts p = {c, c->window.w < ui->layout.cols ? 1 : 0, end, 2, 0, false};
	buf_str(&b, range_word(ui));
	buf_str(&b, b.len ? " " : "");
	ui_range_text(ui, &b, r);
	part_buf(&p, &b, t->style[STYLE_RANGE]);
	p.full = false; /* where the times do not fit the rest may */
	p.gap = 2;
	text_duration(&b, range_length(r));
	part_buf(&p, &b, t->style[STYLE_TEXT]);
	const struct tree_count *all =
		d->tree.count ? &d->tree.nodes[0].side[ui->model.swapped && d->tree_diff] : NULL;
	if (all && !(ui->busy && !data_current(d, &ui->model))) {
		label_stacks(&b, all->total);
		part_buf(&p, &b, t->style[STYLE_TEXT]);
		int64_t covered = d->tree.covered_ns[ui->model.swapped && d->tree_diff];
		buf_fmt(&b, "%.1f %s", covered > 0 ? (double)all->total_ns / (double)covered : 0,
			ui_rate_unit(ui));
		part_buf(&p, &b, t->style[STYLE_TEXT]);
	} else if (ui->busy) {
		part(&p, t->glyph[GLYPH_DOTS], t->style[STYLE_DIM]);
	}
	buf_free(&b);
	return p.x;
}

static void chip_text(struct buf *out, const struct filter_term *term)
{
	struct buf raw = BUF_INIT;
	filter_term_text(&raw, term);
	buf_clear(out);
	buf_char(out, ' ');
	text_clean(out, buf_cstr(&raw), raw.len);
	buf_char(out, ' ');
	buf_free(&raw);
}

/* Columns of all chips, with a blank before each. */
static int chips_width(const struct ui *ui)
{
	struct buf b = BUF_INIT;
	int w = 0;
	for (size_t i = 0; i < ui->model.at.filter.count; i++) {
		chip_text(&b, &ui->model.at.filter.terms[i]);
		w += (int)text_width(buf_cstr(&b)) + 1;
	}
	buf_free(&b);
	return w ? w + 2 : 0;
}

/* From the right, the newest last; the first that does not fit is cut. */
static int draw_chips(const struct ui *ui, struct cells *c, int from, int end)
{
	struct style style = ui->theme.style[STYLE_CHIP];
	struct buf b = BUF_INIT;
	int x = end;
	for (size_t i = ui->model.at.filter.count; i-- > 0;) {
		chip_text(&b, &ui->model.at.filter.terms[i]);
		int w = (int)text_width(buf_cstr(&b)), room = x - from - 1;
		if (room < w) {
			if (room > 4)
				cells_fit(c, from + 1, 0, room, buf_cstr(&b), style);
			x = from;
			break;
		}
		cells_text(c, x - w, 0, w, buf_cstr(&b), style);
		x -= w + 1;
	}
	buf_free(&b);
	return x;
}

/* The cursor's cell: "13:07:31  272 max 90/s"; in its shorter forms without the part at its end. */
enum cursor_form { CURSOR_LONG, CURSOR_SHORT, CURSOR_FORMS };

static void cursor_text(const struct ui *ui, enum cursor_form form, struct buf *b)
{
	const struct model *m = &ui->model;
	int64_t ns;
	struct heat_cell cell = data_cell(&ui->data, m, m->at.cursor, &ns);
	buf_clear(b);
	grid_time(b, m->at.cursor, model_range(m).from, m->utc);
	buf_str(b, "  ");
	if (cell.quality == CELL_NONE)
		buf_str(b, "none");
	else if (cell.quality == CELL_GAP)
		buf_str(b, "gap");
	else
		text_count(b, cell.samples);
	if (form == CURSOR_LONG && grid_step(m->at.zoom) > NS_PER_S && cell.max) {
		buf_str(b, "  max ");
		text_count(b, cell.max);
		buf_str(b, "/s");
	}
}

/* The cursor's read-out in the room between; gives the columns that it takes at least. */
static int draw_cursor(const struct ui *ui, struct cells *c, int x, int room, bool draw)
{
	enum { RULE_W = 4 };
	const struct theme *t = &ui->theme;
	struct buf b = BUF_INIT;
	int w = 0;
	for (int form = CURSOR_LONG; form < CURSOR_FORMS; form++) {
		cursor_text(ui, (enum cursor_form)form, &b);
		w = (int)text_width(buf_cstr(&b)) + RULE_W;
		if (draw && w <= room) {
			cells_text(c, x + 2, 0, 1, t->glyph[GLYPH_RULE], t->style[STYLE_FAINT]);
			cells_text(c, x + RULE_W, 0, room, buf_cstr(&b), t->style[STYLE_DIM]);
			break;
		}
	}
	buf_free(&b);
	return w;
}

void status_range(const struct ui *ui, struct cells *c)
{
	const struct data *d = &ui->data;
	cells_window(c, ui->layout.range);
	int w = c->window.w;
	if (w < 1 || ui->layout.range.h < 1 || d->span.from == d->span.to)
		return;
	bool grid = ui->layout.grid.h > 0, filtered = ui->model.at.filter.count > 0;
	int least = w < RANGE_LEAST ? w : RANGE_LEAST;
	int legend =
		w >= LEGEND_COLS && grid && !filtered ? heatmap_legend_least(ui, d->heat.top) : 0;
	int right = filtered ? chips_width(ui) : legend ? legend + 3 : 0;
	/* The short legend comes first; with the keys in the grid, and no range that they grow, then
	 * its cursor, before the end of what is said of the range. */
	bool first = grid && ui->model.pane == PANE_TIME && !ui->model.follow &&
		     !ui->model.growing && !heatmap_says_cursor(ui);
	int cursor = first ? draw_cursor(ui, c, 0, 0, false) : 0;
	right += cursor;
	int x = range_left(ui, c, w - right > least ? w - right : least), end = w - 1;
	if (filtered)
		end = draw_chips(ui, c, x + 1, end);
	if (legend) {
		legend = heatmap_legend_width(ui, d->heat.top, end - x - 2 - cursor);
		if (!legend)
			legend = heatmap_legend_width(ui, d->heat.top, end - x - 2);
		heatmap_legend(ui, c, end - legend, 0, d->heat.top, legend);
	}
	if (grid)
		draw_cursor(ui, c, x, end - legend - x - 2, true);
}

void status_line(const struct ui *ui, struct cells *c)
{
	const struct data *d = &ui->data;
	struct buf b = BUF_INIT;
	cells_whole(c);
	cells_fill(c, 0, 0, c->w, 1, ui->theme.style[STYLE_BAR]);
	buf_fmt(&b, "%.1f cores ", d->cores);
	buf_str(&b, ui->opts->title ? ui->opts->title : "cprof");
	cells_fit(c, 0, 0, c->w, buf_cstr(&b), ui->theme.style[STYLE_BAR]);
	buf_free(&b);
}
