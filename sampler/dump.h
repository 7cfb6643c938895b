/* The stacks of every thread of a process, once. */
#ifndef SAMPLER_DUMP_H
#define SAMPLER_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/unwinder.h"
#include "store/sample.h"

struct err;

struct dump_frame {
	char *name, *module, *file; /* as the target has them: not clean */
	enum frame_kind kind;
	uint32_t line;    /* 0 unknown */
	uint64_t address; /* where it runs or returns to; 0 of kernel frames */
};

struct dump_thread {
	int pid, tid;
	char name[64];
	enum thread_state state;
	bool truncated;
	struct dump_frame *frames; /* leaf first */
	size_t count, cap;
};

struct dump {
	struct dump_thread *threads; /* by tid */
	size_t count, cap;
};

/* pid has been checked by target_check. A thread that cannot be had at once is waited for, at
 * most a second; it is then there without frames. */
int dump_take(struct dump *d, int pid, enum unwinder how, struct err *err);
void dump_release(struct dump *d);

#endif
