/* Columns of numbers before a function's name, for the tree and the lists. A column is a row
 * of a table: header, width, from which width of the view it shows, value, text. */
#ifndef TUI_TABLE_H
#define TUI_TABLE_H

#include "tui/ui.h"

struct buf;

struct table {
	const struct calltree *tree;
	bool diff, self; /* self: differences are of self time */
	enum scale scale;
	double base;      /* percentages are of this many ns */
	const char *dots; /* between the ends of an interval */
};

struct column {
	const char *head; /* %s: the unit of the scale */
	int width;        /* columns, right-aligned */
	int from;         /* shown where the view is at least so wide */
	bool diff;        /* of a difference, else of one side */
	bool meter;       /* with a bar of its percentage */
	bool signal;      /* coloured by the difference */
	double (*value)(const struct table *t,
			const struct tree_count side[2]); /* to sort, larger first */
	void (*text)(struct buf *out, const struct table *t, const struct tree_count side[2]);
};

extern const struct column columns_tree[], columns_top[], columns_changes[]; /* head NULL ends */

struct table table_of(const struct ui *ui, bool self);
/* What is sorted by at first: a difference by what changed most, a profile by its first column. */
const struct column *table_first_sort(const struct column *all, bool diff);
/* The columns that show in a width; fills at most `max`. */
size_t table_columns(const struct column *all, const struct table *t, int width,
		     const struct column **out, size_t max);
#define TABLE_COLUMNS_MAX 8

/* Draw a header or a row's numbers at (0, y); gives the column where the name begins. */
int table_head(struct cells *c, const struct theme *th, const struct table *t,
	       const struct column *const *cols, size_t n, size_t sort, int y);
int table_row(struct cells *c, const struct theme *th, const struct table *t,
	      const struct column *const *cols, size_t n, const struct tree_count side[2], int y,
	      bool selected);

#endif
