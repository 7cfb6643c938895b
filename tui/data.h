/* What the screen knows of the store: heat rows, the call tree of the range, threads, events.
 *
 * Asks through store/query.h and only for what is missing: each part is kept until its range,
 * filter or weight changes, or the store has grown inside it. Without a store (tests) the
 * parts are filled by hand and data_update only derives. */
#ifndef TUI_DATA_H
#define TUI_DATA_H

#include "base/err.h"
#include "store/query.h"
#include "tui/compare.h"
#include "tui/heat.h"
#include "tui/label.h"
#include "tui/model.h"

/* One thread's cells of the grid's row that holds the cursor. */
struct data_lane {
	int tid, n;
	int64_t start;
	struct heat_cell cells[60];
};

struct data {
	struct store *store;
	struct names *names;
	bool (*interrupted)(void *arg); /* polled by queries; may be NULL */
	void *arg;

	/* of the store, from the last data_refresh */
	struct range span;
	double rate;
	bool live;
	struct store_info info;
	struct event_rows events;
	double cores; /* of the last seconds */

	/* of the grid */
	struct heat heat;
	struct grid heat_grid;
	struct filter heat_filter;
	int overview;      /* rows of the overview still to be asked */
	int overview_rows; /* rows that the store had when it began */

	/* of the range */
	struct calltree tree;
	uint64_t version; /* of the tree: changes with it */
	bool tree_diff;   /* it has two sides */
	struct range tree_range[2];
	struct filter tree_filter[2];
	bool tree_known, tree_stale;
	uint64_t kind_ns[KIND_COUNT]; /* self time of side 0 */
	unsigned kinds_seen;          /* bit per kind, since the start */

	struct thread_rows threads; /* of the range, whatever the filter but the weight */
	struct range threads_range;
	enum weight threads_weight;
	bool threads_known, threads_stale;
	uint64_t threads_version;
	uint64_t all_ns, all_samples;

	/* of threads */
	int *wanted; /* the lanes that show */
	size_t nwanted, wanted_cap;
	struct data_lane *lanes;
	size_t nlanes, lanes_cap;
	enum zoom lanes_zoom;
	int64_t lanes_row;
	uint64_t grown, lanes_grown; /* grown: times that the store was found larger */
	struct filter lanes_filter;

	/* derived from tree and model */
	uint32_t root, base, frame; /* nodes; frame is CALLTREE_NONE without a selected frame */
	uint32_t hottest; /* the end of the hottest path; in a diff of the largest change */
	struct matcher matcher;
	uint8_t *matches; /* per node of the tree: its function matches the search */
	size_t matches_cap;
	uint64_t match_version, match_ns;
	size_t match_funcs;
	char *match_text;
};

enum data_state { DATA_DONE, DATA_INTERRUPTED, DATA_FAILED };

void data_init(struct data *d, struct store *store, struct names *names);
void data_release(struct data *d);

/* Look whether the store has grown: 1 yes (span and the rest are new), 0 no, -1 error. */
int data_refresh(struct data *d, struct err *err);

/* Bring all that the model shows up to date; may be called again after DATA_INTERRUPTED. */
enum data_state data_update(struct data *d, const struct model *m, struct err *err);
/* Nodes and matches for the model; no query. */
void data_resolve(struct data *d, const struct model *m);
/* Is the picture that of the model's range, or still the one before? */
bool data_current(const struct data *d, const struct model *m);

/* Put a finished tree in place of the present one: it is the data's from now on. */
void data_take_tree(struct data *d, struct calltree *t, bool diff);

/* The heat of one column of the grid: merged, and its recorded length. */
struct heat_cell data_cell(const struct data *d, const struct model *m, int64_t t, int64_t *ns);
/* Heat of `n` cells of the model's grid step from `from`, under its filter and search. */
int data_cells(struct data *d, const struct model *m, int64_t from, struct heat_cell *cells,
	       size_t n, struct err *err);

/* The view of threads says which lanes it shows, and asks for what is missing of them. */
void data_want_lanes(struct data *d, const struct thread_row *const *rows, size_t n);
enum data_state data_update_lanes(struct data *d, const struct model *m, struct err *err);
const struct data_lane *data_lane(const struct data *d, int tid); /* NULL: not known */

/* Leading frames that hold nearly everything fold: base is the last of them from root on. */
#define FOLD_SHARE 0.98
uint32_t data_fold(const struct calltree *t, uint32_t root, bool diff, enum scale scale);

#endif
