/* The menu: processes and threads, kinds, states, marks, events. Enter on a line filters by
 * it, or goes to it. */
#ifndef TUI_MENU_H
#define TUI_MENU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/action.h"

struct ui;
struct cells;

enum menu_kind {
	MENU_HEADING,
	MENU_BLANK,
	MENU_PROCESS,
	MENU_THREAD,
	MENU_MORE, /* threads that are not listed: unfolds them */
	MENU_KIND,
	MENU_STATE,
	MENU_MARK,
	MENU_EVENT,
};

struct menu_item {
	enum menu_kind kind;
	char *text;    /* clean */
	char note[24]; /* at the right: a percentage, a length */
	char *value;   /* of its filter, or the mark's name; NULL: none */
	int id;        /* pid; kind of frame, state; index of an event */
	int64_t time;
	bool on; /* the filter has it */
	bool folded;
};

struct menu {
	struct menu_item *items;
	size_t count, cap;
	size_t at, top; /* the selected line, the first that is shown */
	bool all_threads;
	int *folded; /* pids */
	size_t nfolded, folded_cap;
};

void menu_release(struct menu *m);
void menu_update(struct ui *ui); /* lists what data and model have, for the layout's height */
bool menu_act(struct ui *ui, enum action a);
void menu_click(struct ui *ui, int x, int y);
void menu_draw(const struct ui *ui, struct cells *c);

#endif
