/* Boxes of the flamegraph. */
#include "tui/flame.h"

#include <stdlib.h>

#include "base/mem.h"

void flame_layout_release(struct flame_layout *f)
{
	free(f->boxes);
	*f = (struct flame_layout){0};
}

/* Edges are rounded, not widths: neighbours share theirs and nothing is lost between them. */
static void add_children(struct flame_layout *f, const struct calltree *t,
			 const struct flame_box *of, double scale_x, bool diff, enum scale scale)
{
	struct flame_box parent = *of;
	double left = parent.left;
	for (uint32_t c = t->nodes[parent.node].child; c != CALLTREE_NONE; c = t->nodes[c].next) {
		double size = compare_size(t, c, diff, scale);
		int x0 = (int)(left * scale_x + 0.5), x1 = (int)((left + size) * scale_x + 0.5);
		if (x1 > parent.x + parent.w)
			x1 = parent.x + parent.w;
		if (x1 > x0) {
			f->boxes = mem_grow(f->boxes, &f->cap, f->count + 1, sizeof(*f->boxes));
			f->boxes[f->count++] =
				(struct flame_box){c, x0, x1 - x0, parent.depth + 1, left};
			if (f->depths < parent.depth + 2)
				f->depths = parent.depth + 2;
		}
		left += size;
	}
}

void flame_layout(struct flame_layout *f, const struct calltree *t, uint32_t base, int width,
		  bool diff, enum scale scale)
{
	f->count = 0;
	f->depths = 0;
	double all = t->count ? compare_size(t, base, diff, scale) : 0;
	if (all <= 0 || width < 1)
		return;
	struct flame_box root = {base, 0, width, -1, 0};
	add_children(f, t, &root, width / all, diff, scale);
	for (size_t i = 0; i < f->count; i++)
		add_children(f, t, &f->boxes[i], width / all, diff, scale);
}

const struct flame_box *flame_box_of(const struct flame_layout *f, uint32_t node)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->boxes[i].node == node)
			return &f->boxes[i];
	return NULL;
}
