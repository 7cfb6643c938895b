/* What the lines of input do. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/command.h"
#include "tui/search.h"

/* Clip a range to what is recorded; false: nothing of it is, which is said. */
static bool clip(struct ui *ui, struct range *r)
{
	if (range_clip(r, ui->data.span) != RANGE_OUTSIDE)
		return true;
	struct buf b = BUF_INIT;
	ui_range_text(ui, &b, ui->data.span);
	ui_say(ui, "nothing is recorded there; the recording is %s", buf_cstr(&b));
	ui->message_error = true;
	buf_free(&b);
	return false;
}

/* The words of go-to that are no RANGE. True: it was one of them. */
static bool goto_word(struct ui *ui, const char *text, struct err *err)
{
	struct model *m = &ui->model;
	int64_t ns;
	if (strcmp(text, "q") == 0) {
		ui->quit = true;
	} else if (strcmp(text, "now") == 0) {
		model_remember(m);
		m->growing = m->at.selected = false;
		model_last(m);
	} else if (*text == '+' && range_parse_duration(text + 1, &ns, err) == 0) {
		int64_t from = m->at.cursor;
		struct range r = {from, ns < INT64_MAX - from ? from + ns : INT64_MAX};
		if (clip(ui, &r))
			model_select(m, r);
	} else {
		return *text == '+';
	}
	return true;
}

static void accept_goto(struct ui *ui, const char *text)
{
	struct err err = {0};
	if (goto_word(ui, text, &err)) {
		if (err.code)
			ui_error(ui, &err);
		return;
	}
	struct range_context ctx = ui_range_context(ui);
	struct range r;
	if (range_parse(text, &ctx, &r, &err) != 0) {
		ui_error(ui, &err);
		return;
	}
	if (!clip(ui, &r))
		return;
	model_move_to(&ui->model, r.from);
	model_select(&ui->model, r);
}

static void accept_search(struct ui *ui, const char *text)
{
	struct err err;
	struct filter probe = FILTER_INIT;
	if (*text && filter_add(&probe, FILTER_MATCH, text, false, &err) != 0) {
		ui_error(ui, &err);
	} else {
		model_set_search(&ui->model, text);
		data_resolve(&ui->data, &ui->model);
		if (*text && ui->model.pane == PANE_VIEW)
			search_next(ui, 1);
		if (*text && !ui->data.match_funcs)
			ui_say(ui, "nothing in the view matches");
	}
	filter_release(&probe);
}

static void accept_filter(struct ui *ui, const char *text)
{
	struct err err;
	struct filter more = FILTER_INIT;
	struct range_context ctx = ui_range_context(ui);
	struct range r;
	bool has_range = false, changed;
	struct model *m = &ui->model;
	if (filter_parse(text, &ctx, &more, &r, &has_range, &err) != 0) {
		ui_error(ui, &err);
		filter_release(&more);
		return;
	}
	model_remember(m);
	for (size_t i = 0; i < more.count; i++)
		filter_add(&m->at.filter, more.terms[i].key, more.terms[i].value,
			   more.terms[i].negated, NULL);
	model_fix_weight(m, &changed);
	if (changed)
		ui_say(ui, "weight is now %s, which counts that state",
		       weight_name(m->at.filter.weight));
	if (has_range && clip(ui, &r))
		model_select(m, r);
	filter_release(&more);
}

/* "NAME note in words". */
static void accept_mark(struct ui *ui, const char *text)
{
	size_t n = strcspn(text, " ,");
	if (!n)
		return;
	char *name = mem_strndup(text, n);
	model_mark(&ui->model, name, text + n + strspn(text + n, " ,"));
	ui->marks_changed = true;
	free(name);
}

void command_prompt(struct ui *ui)
{
	static void (*const accept[PROMPT_COUNT])(struct ui *, const char *) = {
		[PROMPT_GOTO] = accept_goto,
		[PROMPT_SEARCH] = accept_search,
		[PROMPT_FILTER] = accept_filter,
		[PROMPT_MARK] = accept_mark,
	};
	enum prompt_kind kind = ui->prompt.kind;
	const char *text = buf_cstr(&ui->prompt.text);
	text += strspn(text, " ");
	prompt_close(&ui->prompt);
	if (accept[kind] && (*text || kind == PROMPT_SEARCH))
		accept[kind](ui, text);
}

void command_go_mark(struct ui *ui, int32_t key)
{
	ui->awaiting_mark = false;
	if (key <= ' ' || key >= 0x7f)
		return;
	char name[2] = {(char)key, '\0'};
	if (!model_go_mark(&ui->model, name))
		ui_say(ui, "no mark begins with %s", name);
}
