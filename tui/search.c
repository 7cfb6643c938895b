/* Walking over the tree from match to match. */
#include "tui/search.h"

/* The next node in preorder under root; CALLTREE_NONE at the end. */
static uint32_t next_node(const struct calltree *t, uint32_t node, uint32_t root)
{
	if (t->nodes[node].child != CALLTREE_NONE)
		return t->nodes[node].child;
	while (node != root && t->nodes[node].next == CALLTREE_NONE)
		node = t->nodes[node].parent;
	return node == root ? CALLTREE_NONE : t->nodes[node].next;
}

void search_next(struct ui *ui, int direction)
{
	const struct data *d = &ui->data;
	const struct calltree *t = &d->tree;
	if (!t->count || !d->matches)
		return;
	uint32_t first = CALLTREE_NONE, last = CALLTREE_NONE, before = CALLTREE_NONE,
		 after = CALLTREE_NONE;
	bool passed = false;
	for (uint32_t n = d->root; n != CALLTREE_NONE; n = next_node(t, n, d->root)) {
		if (n == d->frame) {
			passed = true;
			continue;
		}
		if (!(d->matches[n] & 1))
			continue;
		if (first == CALLTREE_NONE)
			first = n;
		if (!passed)
			before = n;
		else if (after == CALLTREE_NONE)
			after = n;
		last = n;
	}
	/* Past an end it goes on at the other; without a selected frame it starts at one. */
	uint32_t to = direction > 0 ? (passed ? after : first) : (passed ? before : last);
	if (to == CALLTREE_NONE)
		to = direction > 0 ? first : last;
	if (to != CALLTREE_NONE)
		ui_select(ui, to);
	else
		ui_say(ui, "no frame matches here");
}
