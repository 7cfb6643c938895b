/* Reading a store: many readers, also while it grows.
 *
 * A `struct store` is a read-only look at a folder of segments. Readers take no locks and hold
 * nothing that a writer would wait for (store/pages.h); they need no permission but to read.
 * What a store holds is fixed until store_refresh. A query may be interrupted: it then gives
 * -1 with ERR_NONE. A store is used by one thread at a time; its names: see
 * store/names.h. */
#ifndef STORE_QUERY_H
#define STORE_QUERY_H

#include "store/calltree.h"
#include "store/filter.h"
#include "store/writer.h"

struct err;
struct store;

/* Open for reading. Missing, not a store, newer version, damaged: one line each, ERR_FAILED. Of
 * several segments a damaged one is left out: store_damage says so. No segment yet is no error.
 * Functions are numbered in `names`, which must outlive the store and may be shared. */
int store_open(struct store **out, const char *path, struct names *names, struct err *err);
void store_close(struct store *s);

/* Look whether the store has grown: 1 yes, 0 no, -1 error. Costs microseconds when not. */
int store_refresh(struct store *s, struct err *err);
uint64_t store_generation(const struct store *s); /* changes whenever refresh gave 1 */

const char *store_path(const struct store *s);
struct names *store_names(const struct store *s);
struct range store_span(const struct store *s); /* whole seconds; empty: from == to */
double store_rate(const struct store *s);       /* nominal, Hz */
bool store_live(const struct store *s);         /* a recorder holds it now */
const char *store_damage(const struct store *s); /* why a segment is left out; NULL: none is */

/* What a query asks. */
struct query {
	struct range range;
	const struct filter *filter;
	bool (*interrupted)(void *arg); /* may be NULL; polled every few milliseconds */
	void *arg;
};

/* A cell of the heatmap. */
enum cell_quality { CELL_NONE, CELL_PARTIAL, CELL_FULL, CELL_GAP };
struct heat_cell {
	uint64_t samples;  /* that the views would show for it under weight and filters */
	uint64_t cpu_ns;   /* CPU time of the threads kept, whatever the weight */
	uint32_t expected, taken; /* ticks of the processes kept */
	uint64_t max;      /* most samples in one second inside; == samples up to 1 s */
	uint8_t quality;   /* NONE: not recorded; PARTIAL: < 95 % taken; GAP: recorded, none taken */
};

/* Cells of `step` ns from range.from on; n = length / step, rounded up. The samples of the
 * cells of a range add up to the root of its call tree, under every weight and filter. */
int query_heat(struct store *s, const struct query *q, int64_t step, struct heat_cell *cells, size_t n, struct err *err);

/* Add the stacks of a range to one side of a tree and its recorded time to covered_ns (time
 * in which at least one process kept was recorded). The caller finishes the tree. */
int query_tree(struct store *s, const struct query *q, struct calltree *t, int side, struct err *err);

/* Threads and processes seen in a range, with what was counted for them (under the filter). */
struct thread_row {
	int pid, tid;
	char *name, *process; /* clean; owned by the row set */
	uint64_t samples, ns, cpu_ns;
	uint64_t by_state[STATE_COUNT]; /* samples, not restricted by the weight */
};
struct thread_rows {
	struct thread_row *rows;
	size_t count;
};
int query_threads(struct store *s, const struct query *q, struct thread_rows *out, struct err *err);
void thread_rows_release(struct thread_rows *r);

struct event_row {
	int64_t time;
	enum event_type type;
	int pid;
	char *text; /* clean */
};
struct event_rows {
	struct event_row *rows;
	size_t count;
};
int query_events(struct store *s, struct range range, struct event_rows *out, struct err *err);
void event_rows_release(struct event_rows *r);

/* What info prints. */
struct store_info {
	uint64_t samples, running; /* all, and of threads that ran */
	uint64_t expected, missed; /* ticks, over all processes */
	uint64_t threads, processes, stacks, functions, segments;
	uint64_t stops, stopless, truncated;
	uint64_t stopped_ns, cpu_ns, wall_ns; /* wall: over all threads */
	int64_t start, end;
	uint64_t stop_p50_ns, stop_p99_ns, stop_max_ns;
	uint64_t bytes; /* on disk, st_blocks of the folder */
	char command[256];
};
int query_info(struct store *s, struct store_info *out, struct err *err);

#endif
