/* The rows of reports and their columns: what `--by` chooses from. */
#ifndef CMD_ROWS_H
#define CMD_ROWS_H

#include "cmd/options.h"
#include "cmd/sheet.h"
#include "store/query.h"

/* A row of any report; each kind fills what its columns read. */
struct report_row {
	const struct func *func;   /* function, tree */
	uint32_t depth;            /* tree: 0 is the outermost frame */
	const char *line;          /* tree as text: the line, */
	uint32_t indent;           /* and where it begins */
	const char *module, *kind; /* module */
	const char *thread;        /* thread */
	int pid, tid;
	int64_t time; /* heat: the start of the cell */
	struct heat_cell cell;
	struct tree_count count;
	uint64_t whole_ns; /* what the percentages are of */
};

struct column_set {
	const struct column *columns;
	size_t count;
};

/* The columns of a report for scripts (the contract) and for people. */
struct column_set report_columns(enum by by);
struct column_set report_text_columns(enum by by);

/* The nodes of a tree but its root, each before its children; the caller frees. */
size_t tree_preorder(const struct calltree *t, uint32_t **nodes);

/* Keep the `limit` nodes with the largest total of both sides, in their order; gives how many
 * are kept. A node that is kept has its callers. */
size_t tree_keep_largest(const struct calltree *t, uint32_t *nodes, size_t n, size_t limit);

/* By module and kind, sorted by self_ns, then name; a module counts once a stack. The caller
 * frees. */
size_t tree_modules(const struct calltree *t, struct report_row **rows);

#endif
