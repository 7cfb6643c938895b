/* The views, by number. */
#include "tui/view.h"

static const struct view_ops *const views[VIEW_COUNT] = {
	[VIEW_FLAME] = &view_flame,     [VIEW_TREE] = &view_tree,
	[VIEW_TOP] = &view_top,         [VIEW_CALLERS] = &view_callers,
	[VIEW_CHANGES] = &view_changes, [VIEW_THREADS] = &view_threads,
};

const struct view_ops *view_get(enum view_id id)
{
	return views[id];
}

struct rect view_body(const struct layout *l)
{
	struct rect r = l->view;
	int crumb = r.h > 1;
	return (struct rect){r.x, r.y + crumb, r.w, r.h - crumb};
}
