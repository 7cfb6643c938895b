/* A segment's dictionaries in memory, for reading; grown as the segment grows. */
#ifndef STORE_DICT_H
#define STORE_DICT_H

#include "store/names.h"
#include "store/pages.h"
#include "store/record.h"

struct dict {
	struct buf text; /* the strings, each with a NUL */
	size_t *strings; /* where each begins */
	struct func_record *funcs;
	struct frame_record *frames;
	struct stack_record *stacks; /* [0] is the root */
	struct process_record *processes;
	struct thread_record *threads;
	uint32_t *func_ids; /* a function's number in the names */
	uint32_t *line_ids; /* a frame's, split by line; DICT_NO_ID: not asked for yet */
	size_t nstrings, nfuncs, nframes, nstacks, nprocesses, nthreads, nfunc_ids, nline_ids;
	size_t cap_strings, cap_funcs, cap_frames, cap_stacks, cap_processes, cap_threads,
		cap_func_ids, cap_line_ids;
};

#define DICT_NO_ID UINT32_MAX

void dict_release(struct dict *d);

/* Read what is there and not loaded yet. */
int dict_load(struct dict *d, struct pages *p, struct names *names, struct err *err);

const char *dict_string(const struct dict *d, uint32_t id);
uint32_t dict_line_id(struct dict *d, uint32_t frame, struct names *names);

#endif
