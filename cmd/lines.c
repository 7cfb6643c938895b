/* A call tree as lines of text. */
#include "cmd/lines.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/rows.h"

/* Percent of its caller's time that a callee has at least, to stand on its line. */
enum { SAME_PERCENT = 98 };
/* Names shown at each end of a long chain. */
enum { ENDS = 2, CHAIN_MAX = 6 };

static uint64_t both(const struct tree_node *n)
{
	return n->side[0].total_ns + n->side[1].total_ns;
}

/* Does the node stand on its caller's line? */
static bool continues(const struct calltree *t, uint32_t i)
{
	const struct tree_node *n = &t->nodes[i], *caller = &t->nodes[n->parent];
	return n->parent && caller->child == i && n->next == CALLTREE_NONE &&
	       both(n) * 100 >= both(caller) * SAME_PERCENT;
}

size_t tree_lines(const struct calltree *t, size_t limit, struct tree_line **lines, size_t *all)
{
	uint32_t *nodes, *line_of = mem_zalloc(t->count, sizeof(*line_of));
	size_t n = tree_preorder(t, &nodes), count = 0, kept = 0;
	struct tree_line *l = mem_alloc(n * sizeof(*l));
	for (size_t i = 0; i < n; i++) {
		uint32_t node = nodes[i], caller = t->nodes[node].parent;
		if (continues(t, node)) {
			line_of[node] = line_of[caller];
			l[line_of[node]].last = node;
			continue;
		}
		uint32_t indent = caller ? l[line_of[caller]].indent + 2 : 0;
		line_of[node] = (uint32_t)count;
		l[count++] = (struct tree_line){node, node, indent};
	}
	for (size_t i = 0; i < count; i++)
		nodes[i] = l[i].first;
	n = tree_keep_largest(t, nodes, count, limit);
	for (size_t i = 0; i < count && kept < n; i++)
		if (l[i].first == nodes[kept])
			l[kept++] = l[i];
	free(nodes);
	free(line_of);
	*lines = l;
	*all = count;
	return kept;
}

void tree_line_text(struct buf *out, const struct calltree *t, const struct tree_line *l,
		    bool ascii)
{
	const char *arrow = ascii ? " > " : " › ";
	size_t n = t->nodes[l->last].depth - t->nodes[l->first].depth + 1;
	uint32_t *chain = mem_alloc(n * sizeof(*chain)), node = l->last;
	for (size_t i = n; i-- > 0; node = t->nodes[node].parent)
		chain[i] = t->nodes[node].func;
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(out, arrow);
		if (n > CHAIN_MAX && i == ENDS) {
			buf_fmt(out, "%s%s", ascii ? ".." : "…", arrow);
			i = n - ENDS;
		}
		buf_str(out, names_func(t->names, chain[i])->name);
	}
	free(chain);
}

bool text_is_ascii(bool asked)
{
	return asked || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}
