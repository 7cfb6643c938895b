/* From a raw sample to frames: unwinding by the chosen way, and frames in the store's terms. */
#ifndef SAMPLER_STACKER_H
#define SAMPLER_STACKER_H

#include "sampler/message.h"
#include "sampler/outer.h"
#include "sampler/unwind.h"
#include "sampler/unwinder.h"

struct store_writer;

/* Unwind a sample. `lib` may be NULL: then a stack that needs libunwind ends truncated. */
void stacker_unwind(enum unwinder how, struct space *space, struct unwind_lib *lib,
		    const struct msg_sample *m, struct unwound *out);

/* One line of /proc/PID/stack: "[<0>] name+0x1/0x2 [module]". Gives the name and its length, or
 * NULL; *text goes on to the next line. Innermost first. */
const char *kernel_frame(const char **text, const char *end, size_t *len);

/* Frames as the store's: nodes for stacks, of one process. */
struct stacker;
struct stacker *stacker_new(struct store_writer *w, enum unwinder how);
void stacker_free(struct stacker *s);

/* The store's number for a sample's stack, and what to know of it. */
struct stacked {
	uint32_t stack;
	bool truncated;  /* it does not reach its root, or not at all known */
	bool too_short;  /* a longer copy would have helped */
	uint32_t needed; /* bytes of the copy that were used */
	uint64_t top;    /* of a stack that is whole: the end of what it used; else 0 */
};
/* `outer`: what is known of the thread's outermost frames. */
void stacker_take(struct stacker *s, struct space *space, struct unwind_lib *lib,
		  const struct msg_sample *m, const struct outer *outer, struct stacked *out);

/* Learn the outermost frames of a stack that is too deep to be copied, from the target's memory
 * as it is now. False: not to be had this time. */
bool stacker_learn(struct stacker *s, struct space *space, const struct msg_sample *m,
		   struct outer *outer);

/* The stack of a sample that was never had. */
uint32_t stacker_lost(struct stacker *s);

/* The writer has begun a new segment: its old numbers mean nothing. */
void stacker_new_epoch(struct stacker *s);

#endif
