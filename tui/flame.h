/* The geometry of the icicle flamegraph. Pure; tui/flame.c draws it. */
#ifndef TUI_FLAME_H
#define TUI_FLAME_H

#include "tui/compare.h"

struct flame_box {
	uint32_t node;
	int x, w, depth; /* depth 0: children of the base */
	double left;     /* in the units of compare_size, from the base's left edge */
};

/* Boxes by depth, then from left to right; those narrower than a column are left out. */
struct flame_layout {
	struct flame_box *boxes;
	size_t count, cap;
	int depths;
};

void flame_layout(struct flame_layout *f, const struct calltree *t, uint32_t base, int width,
		  bool diff, enum scale scale);
void flame_layout_release(struct flame_layout *f);
const struct flame_box *flame_box_of(const struct flame_layout *f, uint32_t node); /* NULL: none */

#endif
