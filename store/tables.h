/* A writer's dictionaries in memory: what was interned in this segment, and how much of it the
 * segment holds already. */
#ifndef STORE_TABLES_H
#define STORE_TABLES_H

#include "base/intern.h"
#include "base/map64.h"
#include "store/record.h"
#include "store/segment.h"
#include "store/writer.h"

struct tables {
	struct intern strings;
	struct intern func_keys, process_keys, thread_keys; /* numbers are the records' */
	struct map64 frame_keys, stack_keys;
	struct func_record *funcs;
	struct frame_record *frames;
	struct stack_record *stacks; /* [0] is the root */
	struct process_record *processes;
	struct thread_record *threads;
	size_t nfuncs, nframes, nstacks, nprocesses, nthreads;
	size_t cap_funcs, cap_frames, cap_stacks, cap_processes, cap_threads;
	uint32_t written[TABLE_COUNT]; /* records in the segment */
	uint8_t *sampled;              /* a bit for each stack that a sample had */
	size_t cap_sampled;
	uint64_t nsampled;
};

void tables_init(struct tables *t);
void tables_free(struct tables *t);

uint32_t tables_func(struct tables *t, const struct writer_function *f);
uint32_t tables_frame(struct tables *t, uint32_t func, uint32_t line);
uint32_t tables_stack(struct tables *t, uint32_t parent, uint32_t frame);
uint32_t tables_process(struct tables *t, const struct writer_process *p);
uint32_t tables_thread(struct tables *t, uint32_t process, int tid, const char *name);
void tables_sampled(struct tables *t, uint32_t stack);

/* Inside a segment's transaction: put what it does not hold yet. */
int tables_put(const struct tables *t, struct segment *s);
/* After the commit. */
void tables_written(struct tables *t);

/* Are they so large that a new segment should begin? */
bool tables_full(const struct tables *t);

#endif
