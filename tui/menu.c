/* The menu's list and its keys; tui/menu_draw.c draws it. */
#include "tui/menu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/ui.h"

enum {
	EVENTS_SHOWN = 8,
	THREADS_COMPACT = 3, /* where the menu is as low as the grid */
	COMPACT_W = 14,      /* a menu narrower than this stands beside the grid only */
};

static void clear(struct menu *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->items[i].text);
		free(m->items[i].value);
	}
	m->count = 0;
}

void menu_release(struct menu *m)
{
	clear(m);
	free(m->items);
	free(m->folded);
	*m = (struct menu){0};
}

static struct menu_item *add(struct menu *m, enum menu_kind kind, const char *text,
			     const char *value)
{
	m->items = mem_grow(m->items, &m->cap, m->count + 1, sizeof(*m->items));
	struct menu_item *item = &m->items[m->count++];
	*item = (struct menu_item){
		.kind = kind, .text = mem_strdup(text), .value = value ? mem_strdup(value) : NULL};
	return item;
}

static bool compact(const struct ui *ui)
{
	return ui->layout.menu.w < COMPACT_W;
}

static void heading(struct ui *ui, const char *text)
{
	if (compact(ui))
		return;
	if (ui->menu.count)
		add(&ui->menu, MENU_BLANK, "", NULL);
	add(&ui->menu, MENU_HEADING, text, NULL);
}

static void percent(struct menu_item *item, uint64_t part, uint64_t all)
{
	double v = all ? (double)part * 100 / (double)all : 0;
	if (part)
		snprintf(item->note, sizeof(item->note), v < 0.5 ? "<1%%" : "%.0f%%", v);
}

static bool is_folded(const struct menu *m, int pid)
{
	for (size_t i = 0; i < m->nfolded; i++)
		if (m->folded[i] == pid)
			return true;
	return false;
}

static void set_folded(struct menu *m, int pid, bool on)
{
	for (size_t i = 0; i < m->nfolded; i++) {
		if (m->folded[i] != pid)
			continue;
		if (!on)
			m->folded[i] = m->folded[--m->nfolded];
		return;
	}
	if (!on)
		return;
	m->folded = mem_grow(m->folded, &m->folded_cap, m->nfolded + 1, sizeof(*m->folded));
	m->folded[m->nfolded++] = pid;
}

static int by_process(const void *a, const void *b)
{
	const struct thread_row *x = *(const struct thread_row *const *)a,
				*y = *(const struct thread_row *const *)b;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void add_thread(struct ui *ui, const struct thread_row *row)
{
	char tid[16];
	const char *value = ui_thread_value(ui, row, tid);
	struct menu_item *item = add(&ui->menu, MENU_THREAD, *row->name ? row->name : tid, value);
	item->id = row->pid;
	item->on = model_filtered(&ui->model, FILTER_THREAD, value);
	percent(item, row->ns, ui->data.all_ns);
}

static void add_process(struct ui *ui, const struct thread_row *const *rows, size_t n, size_t most)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < n; i++)
		ns += rows[i]->ns;
	char pid[16];
	snprintf(pid, sizeof(pid), "%d", rows[0]->pid);
	bool folded = is_folded(&ui->menu, rows[0]->pid);
	struct menu_item *item = add(&ui->menu, MENU_PROCESS, rows[0]->process, pid);
	item->id = rows[0]->pid;
	item->folded = folded;
	item->on = model_filtered(&ui->model, FILTER_PROCESS, pid);
	percent(item, ns, ui->data.all_ns);
	if (folded)
		return;
	size_t shown = n > most && !ui->menu.all_threads ? most : n;
	for (size_t i = 0; i < shown; i++)
		add_thread(ui, rows[i]);
	if (shown < n) {
		char text[48];
		snprintf(text, sizeof(text), "%zu more", n - shown);
		add(&ui->menu, MENU_MORE, text, NULL)->id = rows[0]->pid;
	}
}

static size_t count_kinds(const struct ui *ui)
{
	size_t n = 0;
	for (unsigned bits = ui->data.kinds_seen; bits; bits >>= 1)
		n += bits & 1;
	return n;
}

/* Lines that the other sections need, so that the threads leave them room. */
static size_t thread_room(const struct ui *ui, size_t processes, const size_t states)
{
	if (compact(ui))
		return THREADS_COMPACT;
	size_t events = ui->data.events.count < EVENTS_SHOWN ? ui->data.events.count : EVENTS_SHOWN;
	size_t others = 3 + count_kinds(ui) + 2 + states + 2 * (ui->model.at.nmarks > 0) +
			ui->model.at.nmarks + 2 * (events > 0) + events + processes;
	size_t h = (size_t)(ui->layout.menu.h > 0 ? ui->layout.menu.h : 0);
	size_t room = h > others ? h - others : 0;
	room /= processes ? processes : 1;
	return room < THREADS_COMPACT ? THREADS_COMPACT : room;
}

static void list_processes(struct ui *ui, size_t states)
{
	const struct thread_rows *threads = &ui->data.threads;
	if (!threads->count)
		return;
	const struct thread_row **rows =
		mem_alloc(threads->count * sizeof(const struct thread_row *));
	for (size_t i = 0; i < threads->count; i++)
		rows[i] = &threads->rows[i];
	qsort(rows, threads->count, sizeof(*rows), by_process);
	size_t processes = 1;
	for (size_t i = 1; i < threads->count; i++)
		processes += rows[i]->pid != rows[i - 1]->pid;
	size_t most = thread_room(ui, processes, states);
	heading(ui, "PROCESSES");
	for (size_t i = 0, end; i < threads->count; i = end) {
		for (end = i + 1; end < threads->count && rows[end]->pid == rows[i]->pid;)
			end++;
		add_process(ui, rows + i, end - i, most);
	}
	free(rows);
}

static void list_kinds(struct ui *ui)
{
	uint64_t all = 0;
	for (int k = 0; k < KIND_COUNT; k++)
		all += ui->data.kind_ns[k];
	if (!ui->data.kinds_seen)
		return;
	heading(ui, "KINDS");
	for (int k = 0; k < KIND_COUNT; k++) {
		if (!(ui->data.kinds_seen & 1u << k))
			continue;
		const char *name = kind_name((enum frame_kind)k);
		/* `unknown` is no filter: it marks what could not be told. */
		struct menu_item *item =
			add(&ui->menu, MENU_KIND, name, k == KIND_UNKNOWN ? NULL : name);
		item->id = k;
		item->on = model_filtered(&ui->model, FILTER_TYPE, name);
		percent(item, ui->data.kind_ns[k], all);
	}
}

static size_t sum_states(const struct ui *ui, uint64_t sums[STATE_COUNT], uint64_t *all)
{
	size_t n = 0;
	*all = 0;
	for (int s = 0; s < STATE_COUNT; s++) {
		sums[s] = 0;
		for (size_t i = 0; i < ui->data.threads.count; i++)
			sums[s] += ui->data.threads.rows[i].by_state[s];
		*all += sums[s];
		n += sums[s] > 0;
	}
	return n;
}

static void list_states(struct ui *ui, const uint64_t sums[STATE_COUNT], uint64_t all)
{
	if (!all)
		return;
	/* All that may be chosen is shown, also what the weight does not count. */
	heading(ui, ui->model.at.filter.weight == WEIGHT_WALL ? "STATES" : "STATES (wall)");
	for (int s = 0; s < STATE_COUNT; s++) {
		const char *name = state_name((enum thread_state)s);
		bool on = model_filtered(&ui->model, FILTER_STATE, name);
		if (!sums[s] && !on)
			continue;
		struct menu_item *item = add(&ui->menu, MENU_STATE, name, name);
		item->id = s;
		item->on = on;
		percent(item, sums[s], all);
	}
}

static void list_marks(struct ui *ui)
{
	const struct spot *at = &ui->model.at;
	if (at->nmarks)
		heading(ui, "MARKS");
	for (size_t i = 0; i < at->nmarks; i++) {
		const struct mark *m = &at->marks[i];
		struct buf time = BUF_INIT, length = BUF_INIT, name = BUF_INIT;
		grid_time(&time, m->range.from, m->range.from, ui->model.utc);
		bool side = !strcmp(m->name, "a") || !strcmp(m->name, "b");
		text_clean(&name, m->name, strlen(m->name));
		struct menu_item *item =
			add(&ui->menu, MENU_MARK, buf_cstr(side ? &time : &name), m->name);
		text_duration(&length, range_length(m->range));
		snprintf(item->note, sizeof(item->note), "%s",
			 side ? buf_cstr(&length) : buf_cstr(&time));
		item->time = m->range.from;
		buf_free(&time);
		buf_free(&length);
		buf_free(&name);
	}
}

static void list_events(struct ui *ui)
{
	const struct event_rows *events = &ui->data.events;
	if (!events->count)
		return;
	heading(ui, "EVENTS");
	size_t first = events->count > EVENTS_SHOWN ? events->count - EVENTS_SHOWN : 0;
	for (size_t i = events->count; i-- > first;) {
		struct buf time = BUF_INIT;
		grid_time(&time, events->rows[i].time / NS_PER_S * NS_PER_S, ui->data.span.to,
			  ui->model.utc);
		struct menu_item *item = add(&ui->menu, MENU_EVENT, buf_cstr(&time), NULL);
		const char *text = events->rows[i].type == EVENT_NOTE
					   ? events->rows[i].text
					   : event_name(events->rows[i].type);
		struct buf note = BUF_INIT;
		text_fit(&note, text, 10, ui->theme.ascii);
		snprintf(item->note, sizeof(item->note), "%s", buf_cstr(&note));
		buf_free(&note);
		item->id = (int)i;
		item->time = events->rows[i].time;
		buf_free(&time);
	}
}

static bool can_select(const struct menu_item *item)
{
	return item->kind != MENU_HEADING && item->kind != MENU_BLANK;
}

/* The selected line, or the nearest that can be. */
static void settle(struct menu *m, int direction)
{
	if (m->at >= m->count)
		m->at = m->count ? m->count - 1 : 0;
	size_t at = m->at;
	while (at < m->count && !can_select(&m->items[at])) {
		if (direction < 0 && at == 0)
			direction = 1;
		at = direction < 0 ? at - 1 : at + 1;
	}
	m->at = at < m->count ? at : 0;
}

void menu_update(struct ui *ui)
{
	struct menu *m = &ui->menu;
	uint64_t sums[STATE_COUNT], all;
	clear(m);
	size_t states = sum_states(ui, sums, &all);
	list_processes(ui, states);
	list_kinds(ui);
	list_states(ui, sums, all);
	list_marks(ui);
	list_events(ui);
	settle(m, 1);
	size_t h = (size_t)(ui->layout.menu.h > 1 ? ui->layout.menu.h - 1 : 1);
	m->top = ui_scroll(m->top, m->at, h, m->count);
}

static void step(struct ui *ui, int by)
{
	struct menu *m = &ui->menu;
	int64_t at = (int64_t)m->at + by, last = m->count ? (int64_t)m->count - 1 : 0;
	m->at = (size_t)(at < 0 ? 0 : at > last ? last : at);
	settle(m, by < 0 ? -1 : 1);
}

static void filter_by(struct ui *ui, enum filter_key key, const char *value)
{
	struct err err;
	bool changed;
	if (model_filter_only(&ui->model, key, value, &changed, &err) != 0)
		ui_error(ui, &err);
	else if (changed)
		ui_say(ui, "weight is now %s: %s does not count these",
		       weight_name(ui->model.at.filter.weight), weight_name(WEIGHT_CPU));
}

static void enter(struct ui *ui, struct menu_item *item)
{
	static const enum filter_key keys[] = {[MENU_PROCESS] = FILTER_PROCESS,
					       [MENU_THREAD] = FILTER_THREAD,
					       [MENU_KIND] = FILTER_TYPE,
					       [MENU_STATE] = FILTER_STATE};
	switch (item->kind) {
	case MENU_PROCESS:
	case MENU_THREAD:
	case MENU_KIND:
	case MENU_STATE:
		if (item->value)
			filter_by(ui, keys[item->kind], item->value);
		else
			ui_say(ui, "%s frames cannot be chosen", item->text);
		break;
	case MENU_MORE:
		ui->menu.all_threads = true;
		break;
	case MENU_MARK:
		model_go_mark(&ui->model, item->value);
		break;
	case MENU_EVENT:
		model_move_to(&ui->model, item->time);
		break;
	default:
		break;
	}
}

static void fold(struct ui *ui, struct menu_item *item, bool on)
{
	if (item->kind == MENU_PROCESS || item->kind == MENU_THREAD || item->kind == MENU_MORE)
		set_folded(&ui->menu, item->id, on);
	if (on) {
		ui->menu.all_threads = false;
		while (ui->menu.at && ui->menu.items[ui->menu.at].kind != MENU_PROCESS &&
		       (item->kind == MENU_THREAD || item->kind == MENU_MORE))
			ui->menu.at--;
	}
}

bool menu_act(struct ui *ui, enum action a)
{
	struct menu *m = &ui->menu;
	struct menu_item none = {.kind = MENU_BLANK};
	struct menu_item *item = m->at < m->count ? &m->items[m->at] : &none;
	int page = ui->layout.menu.h > 2 ? ui->layout.menu.h - 2 : 1;
	switch (a) {
	case ACT_DOWN:
		step(ui, 1);
		break;
	case ACT_UP:
		step(ui, -1);
		break;
	case ACT_PAGE_DOWN:
		step(ui, page);
		break;
	case ACT_PAGE_UP:
		step(ui, -page);
		break;
	case ACT_FIRST:
		step(ui, -(int)m->count);
		break;
	case ACT_LAST:
		step(ui, (int)m->count);
		break;
	case ACT_LEFT:
		fold(ui, item, true);
		break;
	case ACT_RIGHT:
		fold(ui, item, false);
		break;
	case ACT_ENTER:
		enter(ui, item);
		break;
	case ACT_REMOVE:
		if (item->kind == MENU_MARK) {
			model_remember(&ui->model);
			spot_mark_remove(&ui->model.at, item->value);
			ui->marks_changed = true;
		} else {
			ui_say(ui, "only marks can be removed");
		}
		break;
	default:
		return false;
	}
	return true;
}

void menu_click(struct ui *ui, int x, int y)
{
	(void)x;
	struct menu *m = &ui->menu;
	size_t at = m->top + (size_t)(y > 0 ? y - 1 : 0);
	if (y < 1 || at >= m->count || !can_select(&m->items[at]))
		return;
	if (m->at == at)
		enter(ui, &m->items[at]);
	m->at = at;
}
