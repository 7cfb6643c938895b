/* The lines of the view: tabs, breadcrumb, the selected frame, hints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/heatmap.h"
#include "tui/status.h"
#include "tui/view.h"

/* "A 1.01 → B 1.31 cores  +30 %", where a difference is shown. */
static void diff_text(const struct ui *ui, bool unit, struct buf *b)
{
	const struct data *d = &ui->data;
	struct side sides[2];
	if (!d->tree_diff || !d->tree.count)
		return;
	/* As shares both sides are 1: their rates say more. */
	enum scale scale = ui->model.scale == SCALE_TIME ? SCALE_TIME : SCALE_RATE;
	struct compare cmp = compare_counts(&d->tree, d->tree.nodes[0].side, false, scale);
	model_sides(&ui->model, sides);
	buf_str(b, sides[0].automatic || sides[1].automatic ? " A auto " : " A ");
	compare_number(b, cmp.a, scale, false);
	buf_fmt(b, " %s B ", ui->theme.glyph[GLYPH_ARROW]);
	compare_number(b, cmp.b, scale, false);
	if (scale == SCALE_RATE && unit)
		buf_fmt(b, " %s", ui_rate_unit(ui));
	if (cmp.a > 0)
		buf_fmt(b, "  %+.0f %%", (cmp.b - cmp.a) / cmp.a * 100);
	buf_str(b, ui->model.scale == SCALE_SHARE ? "  shares " : " ");
}

static void search_text(const struct ui *ui, struct buf *b)
{
	enum { SHOWN_W = 24 };
	const struct data *d = &ui->data;
	if (!ui->model.search || !d->tree.count)
		return;
	struct buf clean = BUF_INIT;
	double all = (double)d->tree.nodes[0].side[0].total_ns;
	text_clean(&clean, ui->model.search, strlen(ui->model.search));
	buf_str(b, " /");
	text_fit(b, buf_cstr(&clean), SHOWN_W, ui->theme.ascii);
	buf_fmt(b, " %.1f%% ", all > 0 ? (double)d->match_ns * 100 / all : 0);
	buf_free(&clean);
}

/* Where there is little room first the difference loses its unit, then all views but the one
 * that is shown their names. */
static bool tabs_fit(const struct ui *ui, bool unit)
{
	struct buf diff = BUF_INIT, search = BUF_INIT;
	int w = 2;
	diff_text(ui, unit, &diff);
	search_text(ui, &search);
	w += (int)text_width(buf_cstr(&diff)) + (int)text_width(buf_cstr(&search));
	for (int i = 0; i < VIEW_COUNT; i++)
		w += (int)strlen(view_get((enum view_id)i)->name) + 5; /* " 1 name " and a line */
	buf_free(&diff);
	buf_free(&search);
	return w <= ui->layout.tabs.w;
}

/* A tab's text and its place; false when there are no more. */
static bool tab(const struct ui *ui, bool roomy, int i, char *text, size_t size, int *x)
{
	if (i >= VIEW_COUNT)
		return false;
	*x = 1;
	for (int k = 0; k <= i; k++) {
		const char *name = view_get((enum view_id)k)->name;
		snprintf(text, size, roomy || k == (int)ui->model.view ? " %d %s " : " %d ", k + 1,
			 name);
		if (k < i)
			*x += (int)strlen(text) + 1;
	}
	return *x + (int)strlen(text) <= ui->layout.tabs.w;
}

bool status_tab_at(const struct ui *ui, int x, enum view_id *view)
{
	char text[32];
	int at;
	bool roomy = tabs_fit(ui, true) || tabs_fit(ui, false);
	for (int i = 0; tab(ui, roomy, i, text, sizeof(text), &at); i++) {
		if (x >= at && x < at + (int)strlen(text)) {
			*view = (enum view_id)i;
			return true;
		}
	}
	return false;
}

/* Text before column `end`, if it leaves `from`; gives where it begins. Empties b. */
static int draw_right(struct cells *c, struct buf *b, int from, int end, struct style style)
{
	int w = (int)text_width(buf_cstr(b));
	bool fits = w && end - w >= from;
	if (fits)
		cells_text(c, end - w, 0, w, buf_cstr(b), style);
	buf_clear(b);
	return fits ? end - w : end;
}

void status_tabs(const struct ui *ui, struct cells *c)
{
	const struct theme *t = &ui->theme;
	cells_window(c, ui->layout.tabs);
	int w = c->window.w, x, end = 1;
	if (ui->layout.tabs.h < 1)
		return;
	cells_repeat(c, 0, 0, w, t->glyph[GLYPH_LINE], t->style[STYLE_FAINT]);
	char text[32];
	bool unit = tabs_fit(ui, true), roomy = unit || tabs_fit(ui, false);
	for (int i = 0; tab(ui, roomy, i, text, sizeof(text), &x); i++) {
		bool on = (enum view_id)i == ui->model.view;
		enum style_id s = !on                           ? STYLE_TAB
				  : ui->model.pane == PANE_VIEW ? STYLE_TAB_FOCUS
								: STYLE_TAB_ON;
		end = x + cells_text(c, x, 0, w - x, text, t->style[s]);
	}
	struct buf b = BUF_INIT;
	diff_text(ui, unit || !roomy, &b);
	int right = draw_right(c, &b, end + 1, w - 1, t->style[STYLE_RANGE]);
	search_text(ui, &b);
	draw_right(c, &b, end + 1, right - (right < w - 1), t->style[STYLE_CHIP]);
	buf_free(&b);
}

/* Frames from the outermost to `node`; the caller frees. */
static uint32_t *ancestors(const struct calltree *t, uint32_t node, size_t *n)
{
	*n = t->nodes[node].depth;
	uint32_t *path = mem_alloc((*n + 1) * sizeof(*path));
	for (size_t i = *n; i-- > 0; node = t->nodes[node].parent)
		path[i] = node;
	return path;
}

static int crumb_width(const struct ui *ui, uint32_t node)
{
	struct buf b = BUF_INIT;
	label_func(&b, names_func(ui->data.names, ui->data.tree.nodes[node].func));
	int w = (int)text_width(buf_cstr(&b));
	buf_free(&b);
	return w;
}

static int draw_crumb(const struct ui *ui, struct cells *c, int x, uint32_t node, int max)
{
	const struct data *d = &ui->data;
	const struct theme *t = &ui->theme;
	struct buf b = BUF_INIT;
	label_func(&b, names_func(d->names, d->tree.nodes[node].func));
	x += cells_text(c, x, 0, c->window.w - x, t->glyph[GLYPH_JOIN], t->style[STYLE_DIM]);
	enum style_id s = node == d->frame  ? STYLE_SELECTED
			  : node == d->root ? STYLE_BRIGHT
					    : STYLE_TEXT;
	x += cells_fit(c, x, 0, max, buf_cstr(&b), t->style[s]);
	buf_free(&b);
	return x;
}

static size_t threads_counted(const struct ui *ui)
{
	size_t n = 0;
	for (size_t i = 0; i < ui->data.threads.count; i++)
		n += ui->data.threads.rows[i].samples > 0;
	return n;
}

/* The scale of the lanes, at the right; gives its columns. */
static int lanes_legend(const struct ui *ui, struct cells *c)
{
	static const char word[] = "a thread  ";
	double top = heatmap_lane_top(ui);
	int w = c->window.w, word_w = (int)strlen(word);
	int legend = heatmap_legend_width(ui, top, w / 2 - word_w);
	if (!legend)
		return 0;
	cells_text(c, w - 1 - legend - word_w, 0, word_w, word, ui->theme.style[STYLE_DIM]);
	heatmap_legend(ui, c, w - 1 - legend, 0, top, legend);
	return legend + word_w + 1;
}

/* `all › _start › … › serve (9)`: the first frames and the last, as many as fit. */
void status_crumb(const struct ui *ui, struct cells *c)
{
	const struct data *d = &ui->data;
	const struct theme *t = &ui->theme;
	enum { JOIN_W = 3, NAME_MAX_W = 40 };
	cells_window(c, ui->layout.view);
	int w = c->window.w, x = 1;
	if (c->window.h < 2 || !d->tree.count)
		return;
	if (ui->model.view == VIEW_THREADS)
		w -= lanes_legend(ui, c);
	x += cells_text(c, x, 0, w - x, "all", t->style[d->base ? STYLE_DIM : STYLE_TEXT]);
	size_t n;
	uint32_t *path = ancestors(&d->tree, d->base, &n);
	char count[32] = "";
	if (n > 1)
		snprintf(count, sizeof(count), " (%zu)", n);
	int room = w - x - (int)strlen(count) - 1;
	int last = n ? crumb_width(ui, path[n - 1]) : 0;
	last = last > NAME_MAX_W ? NAME_MAX_W : last;
	room -= n ? last + JOIN_W : 0;
	for (size_t i = 0; i + 1 < n; i++) {
		int width = crumb_width(ui, path[i]);
		bool next_last = i + 2 == n;
		if (width > NAME_MAX_W || room < width + JOIN_W + (next_last ? 0 : JOIN_W + 1)) {
			x += cells_text(c, x, 0, w - x, t->glyph[GLYPH_JOIN], t->style[STYLE_DIM]);
			x += cells_text(c, x, 0, w - x, t->glyph[GLYPH_DOTS], t->style[STYLE_DIM]);
			break;
		}
		x = draw_crumb(ui, c, x, path[i], width);
		room -= width + JOIN_W;
	}
	if (n)
		x = draw_crumb(ui, c, x, path[n - 1], last);
	x += cells_text(c, x, 0, w - x, count, t->style[STYLE_DIM]);
	size_t threads = threads_counted(ui);
	if (!n && threads && !ui->model.at.filter.count) {
		snprintf(count, sizeof(count), threads == 1 ? "%zu thread" : "%zu threads",
			 threads);
		x += cells_text(c, x, 0, w - x, t->glyph[GLYPH_JOIN], t->style[STYLE_DIM]);
		cells_text(c, x, 0, w - x, count, t->style[STYLE_DIM]);
	}
	free(path);
}

static double share_of(uint64_t part, double all)
{
	return all > 0 ? (double)part * 100 / all : 0;
}

static void detail_plain(const struct ui *ui, struct cells *c, int x, const struct tree_node *n,
			 const struct func *f)
{
	const struct data *d = &ui->data;
	const struct theme *t = &ui->theme;
	struct buf b = BUF_INIT;
	int w = c->window.w;
	bool wide = w >= 96;
	const char *gap = wide ? "   " : "  ";
	double view = (double)d->tree.nodes[d->root].side[0].total_ns;
	if (wide)
		buf_fmt(&b, "%s%s%s%s", kind_name(f->kind), *f->module ? " " : "", f->module, gap);
	const char *word =
		spot_mark(&ui->model.at, "b") && (ui->model.diff || ui->model.at.selected) ? "range"
											   : "view";
	buf_fmt(&b, "total %.1f%% of %s", share_of(n->side[0].total_ns, view), word);
	if (wide) {
		buf_str(&b, ", ");
		label_stacks(&b, n->side[0].total);
	}
	buf_fmt(&b, "%sself %.1f%%", gap, share_of(n->side[0].self_ns, view));
	if (d->all_ns)
		buf_fmt(&b, "%sof all %.1f%%", gap,
			share_of(n->side[0].total_ns, (double)d->all_ns));
	cells_fit(c, x, 0, w - x, buf_cstr(&b), t->style[STYLE_TEXT]);
	buf_free(&b);
}

/* "A 1.3% 0.02 → B 4.0% 0.05 cores  +0.03"; the shares beside other numbers where asked. */
static void sides_text(const struct ui *ui, struct buf *b, const struct tree_node *n,
		       const struct compare *cmp, bool shares)
{
	const struct tree_count *all = ui->data.tree.nodes[0].side;
	enum scale scale = ui->model.scale;
	for (int side = 1; side >= 0; side--) {
		if (side)
			buf_str(b, "A ");
		else
			buf_fmt(b, "%s B ", ui->theme.glyph[GLYPH_ARROW]);
		if (shares && scale != SCALE_SHARE)
			buf_fmt(b, "%.1f%% ",
				share_of(n->side[side].total_ns, (double)all[side].total_ns));
		compare_number(b, side ? cmp->a : cmp->b, scale, false);
		buf_char(b, ' ');
	}
	if (scale == SCALE_RATE)
		buf_str(b, ui_rate_unit(ui));
	buf_str(b, "  ");
	compare_number(b, cmp->delta, scale, true);
}

static void detail_diff(const struct ui *ui, struct cells *c, int x, const struct tree_node *n)
{
	const struct data *d = &ui->data;
	const struct theme *t = &ui->theme;
	struct buf b = BUF_INIT;
	int w = c->window.w;
	enum scale scale = ui->model.scale;
	struct compare cmp = compare_counts(&d->tree, n->side, false, scale);
	sides_text(ui, &b, n, &cmp, true);
	buf_str(&b, " (95%: ");
	compare_number(&b, cmp.low, scale, true);
	buf_fmt(&b, " %s ", t->glyph[GLYPH_DOTS]);
	compare_number(&b, cmp.high, scale, true);
	buf_str(&b, ")  ");
	x += cells_fit(c, x, 0, w - x, buf_cstr(&b), t->style[STYLE_TEXT]);
	enum style_id s = cmp.level > 0 ? STYLE_MORE : cmp.level < 0 ? STYLE_LESS : STYLE_DIM;
	const char *same = w - x > 20 ? "not distinguishable" : diff_verdict_name(DIFF_SAME);
	cells_fit(c, x, 0, w - x, cmp.level ? diff_verdict_name(cmp.verdict) : same, t->style[s]);
	buf_free(&b);
}

/* A function that calls itself is said once. */
static size_t without_recursion(const struct calltree *t, uint32_t *path, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (!kept || t->nodes[path[i]].func != t->nodes[path[kept - 1]].func)
			path[kept++] = path[i];
	return kept;
}

/* Why there is no path to name. */
static const char *no_path(const struct ui *ui)
{
	const struct data *d = &ui->data;
	const struct tree_count *all = d->tree.nodes[0].side;
	if (d->store && !d->tree_known)
		return "reading the recording";
	if (d->span.from == d->span.to)
		return "nothing is recorded yet";
	if (d->tree_diff)
		return all[0].total || all[1].total ? "A and B do not differ"
						    : "nothing ran in A or B";
	return "nothing ran in this range";
}

/* The end of a path, as many frames as fit; the last one always. */
static void path_text(const struct ui *ui, struct buf *b, uint32_t node, int room)
{
	enum { FRAMES_MAX = 6, JOIN_W = 3 };
	const struct data *d = &ui->data;
	size_t n;
	uint32_t *path = ancestors(&d->tree, node, &n);
	n = without_recursion(&d->tree, path, n);
	size_t first = n;
	while (first > 0 && first + FRAMES_MAX > n) {
		int width = crumb_width(ui, path[first - 1]) + JOIN_W;
		if (first < n && width > room)
			break;
		room -= width;
		first--;
	}
	for (size_t i = first; i < n; i++) {
		if (i > first)
			buf_str(b, ui->theme.glyph[GLYPH_JOIN]);
		label_func(b, names_func(d->names, d->tree.nodes[path[i]].func));
	}
	free(path);
}

/* Nothing is selected: where the time goes, or with a difference what changed most. */
static void detail_hottest(const struct ui *ui, struct cells *c)
{
	enum { NAME_LEAST_W = 10 };
	const struct data *d = &ui->data;
	const struct theme *t = &ui->theme;
	int x = 1, w = c->window.w;
	if (!d->hottest) {
		cells_fit(c, 1, 0, w - 1, no_path(ui), t->style[STYLE_DIM]);
		return;
	}
	const struct tree_node *leaf = &d->tree.nodes[d->hottest];
	struct buf path = BUF_INIT, numbers = BUF_INIT;
	enum style_id style = STYLE_TEXT;
	if (d->tree_diff) {
		struct compare cmp = compare_counts(&d->tree, leaf->side, false, ui->model.scale);
		sides_text(ui, &numbers, leaf, &cmp, false);
		style = cmp.level > 0 ? STYLE_MORE : cmp.level < 0 ? STYLE_LESS : STYLE_DIM;
	} else {
		double view = (double)d->tree.nodes[d->root].side[0].total_ns;
		buf_fmt(&numbers, "%.1f%%", share_of(leaf->side[0].total_ns, view));
	}
	x += cells_text(c, x, 0, w - x, d->tree_diff ? "most changed " : "hottest ",
			t->style[STYLE_DIM]);
	int number_w = (int)text_width(buf_cstr(&numbers));
	if (w - x - number_w < NAME_LEAST_W) { /* rather the name than cut numbers */
		buf_clear(&numbers);
		number_w = 0;
	}
	path_text(ui, &path, d->hottest, w - x - number_w - 3);
	x += cells_fit(c, x, 0, w - x - number_w - 2, buf_cstr(&path), t->style[STYLE_TEXT]);
	cells_text(c, x + 2, 0, w - x - 2, buf_cstr(&numbers), t->style[style]);
	buf_free(&path);
	buf_free(&numbers);
}

void status_detail(const struct ui *ui, struct cells *c)
{
	const struct data *d = &ui->data;
	const struct theme *t = &ui->theme;
	cells_window(c, ui->layout.detail);
	if (c->window.h < 1 || c->window.w < 4)
		return;
	if (ui->message[0]) {
		struct buf clean = BUF_INIT;
		text_clean(&clean, ui->message, strlen(ui->message));
		cells_fit(c, 1, 0, c->window.w - 1, buf_cstr(&clean),
			  t->style[ui->message_error ? STYLE_ERROR : STYLE_RANGE]);
		buf_free(&clean);
		return;
	}
	if (!d->tree.count)
		return;
	if (d->frame == CALLTREE_NONE) {
		detail_hottest(ui, c);
		return;
	}
	const struct tree_node *n = &d->tree.nodes[d->frame];
	const struct func *f = names_func(d->names, n->func);
	struct buf b = BUF_INIT;
	label_func(&b, f);
	int x = 1 + cells_fit(c, 1, 0, c->window.w / 2, buf_cstr(&b), t->style[STYLE_BRIGHT]) + 2;
	buf_free(&b);
	if (d->tree_diff)
		detail_diff(ui, c, x, n);
	else
		detail_plain(ui, c, x, n, f);
}

struct hints {
	struct cells *c;
	const struct theme *theme;
	const char *last; /* the hint whose keys are being collected */
	struct buf keys;
	enum context context;
	int x;
};

static void flush_hint(struct hints *h)
{
	if (!h->last)
		return;
	const char *keys = buf_cstr(&h->keys);
	int w = (int)text_width(keys) + 1 + (int)text_width(h->last);
	if (h->x + w < h->c->window.w) {
		h->x += cells_text(h->c, h->x, 0, w, keys, h->theme->style[STYLE_BAR_KEY]) + 1;
		h->x += cells_text(h->c, h->x, 0, w, h->last, h->theme->style[STYLE_BAR]) + 2;
	}
	buf_clear(&h->keys);
	h->last = NULL;
}

/* Neighbours with one hint share it: `a b mark`. */
static void hint(const struct binding *b, void *arg)
{
	struct hints *h = arg;
	if (b->context != h->context || !b->hint)
		return;
	if (!h->last || strcmp(h->last, b->hint) != 0)
		flush_hint(h);
	if (h->last)
		buf_char(&h->keys, ' ');
	h->last = b->hint;
	key_text(&h->keys, b->key);
}

void status_hints(const struct ui *ui, struct cells *c)
{
	cells_window(c, ui->layout.hints);
	if (c->window.h < 1)
		return;
	if (ui->prompt.kind != PROMPT_NONE) {
		prompt_draw(&ui->prompt, &ui->theme, c);
		return;
	}
	cells_fill(c, 0, 0, c->window.w, 1, ui->theme.style[STYLE_BAR]);
	if (ui->awaiting_mark) {
		cells_text(c, 1, 0, c->window.w - 1, "to which mark?",
			   ui->theme.style[STYLE_BAR_KEY]);
		return;
	}
	struct hints h = {.c = c, .theme = &ui->theme, .context = ui_context(ui), .x = 1};
	tui_keys_each(hint, &h);
	flush_hint(&h);
	if (h.context != CONTEXT_BOX) {
		h.context = CONTEXT_ALL;
		tui_keys_each(hint, &h);
		flush_hint(&h);
	}
	buf_free(&h.keys);
}
