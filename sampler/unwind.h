/* Unwinding a copied stack.
 *
 * The unwinder takes registers and a copy of the stack; it knows nothing of processes but
 * their address space. It ends at the thread's root, or says why not; it never guesses. */
#ifndef SAMPLER_UNWIND_H
#define SAMPLER_UNWIND_H

#include "sampler/arch.h"
#include "sampler/space.h"

/* A copy of [base, base + len) of the target's memory. */
struct stack_copy {
	uint64_t base;
	size_t len;
	const unsigned char *data;
};

enum unwind_end {
	UNWIND_ROOT,      /* reached the thread's outermost frame */
	UNWIND_SHORT,     /* the copy ends before the stack does */
	UNWIND_TRUNCATED, /* no way to go on that is certain */
	UNWIND_COMPLEX,   /* a row needs libunwind: only from unwind_rows */
};

/* Frames, leaf first. Of a stack with more than UNWIND_MAX frames the middle is left out:
 * the innermost UNWIND_HEAD and the outermost others are kept. */
enum { UNWIND_MAX = 1024, UNWIND_HEAD = 640 };
struct unwound {
	uint64_t pc[UNWIND_MAX];   /* to look up: a caller's is one less than its return address */
	uint64_t slot[UNWIND_MAX]; /* where that return address lay on the stack; 0 nowhere */
	size_t count;
	size_t elided;    /* frames left out in the middle; 0 usually */
	size_t elided_at; /* number of the first frame after them */
	uint64_t deepest;  /* highest stack address used, exclusive: what the next copy needs */
	enum unwind_end end;
};

/* By rows: fast, and all that a thread asleep can have. */
void unwind_rows(struct space *space, const struct cpu_regs *regs, const struct stack_copy *stack,
		 struct unwound *out);

/* The value at an address of the copy. */
bool stack_word(const struct stack_copy *stack, uint64_t addr, uint64_t *value);

/* For filling an unwound stack. */
void unwound_push(struct unwound *out, uint64_t pc, uint64_t slot);
void unwound_finish(struct unwound *out, enum unwind_end end);

/* By libunwind alone: what rows cannot express, and the oracle. One for each process. */
struct unwind_lib;
struct unwind_lib *unwind_lib_new(struct space *space);
void unwind_lib_free(struct unwind_lib *u);
void unwind_lib(struct unwind_lib *u, const struct cpu_regs *regs, const struct stack_copy *stack,
		struct unwound *out);

#endif
