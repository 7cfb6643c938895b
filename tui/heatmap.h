/* The heatmap: rows of time, a cell a unit, coloured by what was counted in it. */
#ifndef TUI_HEATMAP_H
#define TUI_HEATMAP_H

#include "tui/ui.h"

void heatmap_draw(const struct ui *ui,
		  struct cells *c); /* ruler, labels, grid, read-out beside it */
bool heatmap_act(struct ui *ui, enum action a);
/* The time under a place of the screen; false: not on the grid. */
bool heatmap_at(const struct ui *ui, int x, int y, int64_t *t);
/* The ruler's numbers in row y of the window, over cells from column x on. */
void heatmap_ruler(const struct ui *ui, struct cells *c, int x, int y, struct fit fit);
/* The legend of a scale that ends at `top`, of at most `max` columns, from column x of row y;
 * gives the columns used. 0: there is no room, or no scale yet. */
int heatmap_legend(const struct ui *ui, struct cells *c, int x, int y, double top, int max);
int heatmap_legend_width(const struct ui *ui, double top, int max);
int heatmap_legend_least(const struct ui *ui, double top); /* of its short form; 0: no scale yet */

/* There is room beside the grid, and the cursor's cell is said there. */
bool heatmap_says_cursor(const struct ui *ui);
/* Where the scale of single threads ends: with the grid's, but no higher than the rate, since a
 * thread has one stack a tick. Filtered by a thread the grid has the same. */
double heatmap_lane_top(const struct ui *ui);

#endif
