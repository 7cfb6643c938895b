/* The state of the screen, and its transitions. Pure: no drawing, no store, no clock.
 *
 * The views show one range: the selection, else the live window, else the whole store. The
 * cursor is not the range; it is the start of a cell. */
#ifndef TUI_MODEL_H
#define TUI_MODEL_H

#include "tui/layout.h"
#include "tui/history.h"

#define VIEWS(X)                                                                                   \
	X(VIEW_FLAME, "flame")                                                                     \
	X(VIEW_TREE, "tree")                                                                       \
	X(VIEW_TOP, "top")                                                                         \
	X(VIEW_CALLERS, "callers")                                                                 \
	X(VIEW_CHANGES, "changes")                                                                 \
	X(VIEW_THREADS, "threads")
#define X(id, name) id,
enum view_id { VIEWS(X) VIEW_COUNT };
#undef X

/* How a difference is counted, percentages are based, and frames are coloured. */
enum scale { SCALE_RATE, SCALE_SHARE, SCALE_TIME, SCALE_COUNT };
enum colouring { COLOUR_KIND, COLOUR_MODULE, COLOUR_NAME, COLOUR_COUNT };

#define LIVE_WINDOW_S 60

struct model {
	struct spot at;
	struct history history;

	enum pane pane;
	enum view_id view;
	bool maximised;
	bool menu; /* M: see struct layout_opts */
	bool help; /* the help box is open */
	bool held;
	bool live; /* a recording that is watched: the live window is the last 60 s */
	bool utc;

	struct range span; /* what the store holds, whole seconds */
	bool follow;       /* the cursor stays on the newest cell */
	bool growing;
	bool taken;     /* the selection was made about the cursor, which has not moved since */
	int64_t anchor; /* the cell where the growing range began */
	int64_t bottom; /* the lowest row of the grid that is shown */
	int rows;       /* rows of the grid that are shown, at least 1 */
	int merge;      /* cells in a column of the screen */

	struct path frame; /* the selected frame; empty: none */
	char *search;      /* NULL: none */

	bool diff, swapped;
	enum scale scale;
	bool of_all; /* percentages of everything in the range, not of the view */
	bool log_heat;
	enum colouring colouring;
};

/* One side of what is shown: 0 is the range (B), 1 what it is compared with (A). */
struct side {
	struct range range;
	const struct filter *filter; /* the model's: good until the next transition */
	bool automatic;              /* A is the time just before B */
};

void model_init(struct model *m, bool live, bool utc);
void model_release(struct model *m);

/* What the store holds now, and how much of the grid is shown. */
void model_span(struct model *m, struct range span);
void model_grid_size(struct model *m, int rows, int merge);
/* The finest zoom whose rows all fit: how a recording opens. */
void model_fit_zoom(struct model *m);

struct grid model_grid(const struct model *m);
struct range model_range(const struct model *m);
void model_sides(const struct model *m, struct side out[2]);
int64_t model_step(const struct model *m);            /* ns a column of the grid */
int64_t model_cell(const struct model *m, int64_t t); /* the start of t's column */
int64_t model_newest(const struct model *m);          /* the last cell */

/* The cursor. Steps clamp at the ends; a growing range follows. */
void model_move_cells(struct model *m, int n);
void model_move_rows(struct model *m, int n);
void model_move_to(struct model *m, int64_t t);
void model_row_ends(struct model *m, bool end);
void model_first(struct model *m);
void model_last(struct model *m); /* and follow */

/* The range. */
void model_grow(struct model *m); /* start, or end */
void model_select(struct model *m,
		  struct range r); /* ends in order; clipped to whole cells only by the caller */
void model_select_row(struct model *m);
void model_take(struct model *m); /* Enter: this cell, or the range just made; focus the view */
void model_slide(struct model *m, int direction);
void model_widen(struct model *m, int cells);
void model_zoom(struct model *m, int finer); /* +1, -1 */

/* Filters and marks. Each is remembered for back. */
void model_remember(struct model *m);
void model_unfilter(struct model *m);
bool model_negate(struct model *m); /* false: no filter */
/* Add a term; a state that the weight excludes changes the weight, *changed tells. */
int model_filter_add(struct model *m, enum filter_key key, const char *value, bool *changed,
		     struct err *err);
/* "Only this": the terms of the key become this one; the same again: none. */
int model_filter_only(struct model *m, enum filter_key key, const char *value, bool *changed,
		      struct err *err);
bool model_filtered(const struct model *m, enum filter_key key, const char *value);
void model_next_weight(struct model *m);
void model_fix_weight(struct model *m, bool *changed); /* after filters changed otherwise */
void model_mark(struct model *m, const char *name, const char *note);
bool model_go_mark(struct model *m, const char *name); /* a name, or the first that starts so */

void model_set_search(struct model *m, const char *text); /* NULL or "": none */
void model_set_root(struct model *m, const uint32_t *funcs, size_t n);
bool model_back(struct model *m);
bool model_forward(struct model *m);
/* Esc: drop the innermost of help, growing range, search, root, diff, range. False: none. */
bool model_cancel(struct model *m);
void model_show(struct model *m, enum view_id view); /* and focus it */

#endif
