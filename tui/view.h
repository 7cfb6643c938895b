/* A view: one of the pictures of the range. Each is a const struct at the end of its file,
 * registered in tui/view.c. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/ui.h"

struct view_ops {
	const char *name; /* on its tab */
	enum context context;
	void *(*open)(void);
	void (*close)(void *state);
	/* The tree, the model or the size may be other ones; w and h are those of the window. */
	void (*update)(struct ui *ui, void *state, int w, int h);
	bool (*act)(struct ui *ui, void *state,
		    enum action a); /* false: not an action of this view */
	void (*draw)(const struct ui *ui, const void *state, struct cells *c);
	void (*click)(struct ui *ui, void *state, int x, int y);
};

extern const struct view_ops view_flame, view_tree, view_top, view_callers, view_changes,
	view_threads;

const struct view_ops *view_get(enum view_id id);

/* The part of the view's rectangle below the breadcrumb. */
struct rect view_body(const struct layout *l);

#endif
