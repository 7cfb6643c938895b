/* The ways to unwind, by the names that the command line has for them. */
#ifndef SAMPLER_UNWINDER_H
#define SAMPLER_UNWINDER_H

#define UNWINDERS(X)            \
	X(UNWINDER_ROWS, "rows") \
	X(UNWINDER_LIBUNWIND, "libunwind")

#define X(id, name) id,
enum unwinder { UNWINDERS(X) UNWINDER_COUNT };
#undef X

#endif
