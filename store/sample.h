/* The words of the model: kinds of frames, states of threads, weights. Names are those of
 * the command line, of reports and of the store's format; numbers are stored: only added. */
#ifndef STORE_SAMPLE_H
#define STORE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a frame is. `unknown` also marks what is not a function: "[truncated]",
 * "[cpu between samples]", "[elided]". */
#define FRAME_KINDS(X)            \
	X(KIND_NATIVE, "native")  \
	X(KIND_PYTHON, "python")  \
	X(KIND_KERNEL, "kernel")  \
	X(KIND_JIT, "jit")        \
	X(KIND_INLINE, "inline")  \
	X(KIND_UNKNOWN, "unknown")

/* What a thread did at the moment of the sample. Only running samples carry CPU time; the others
 * are off-CPU, also the runnable ones: they wait for a CPU, and where a thread is preempted is
 * not where it consumes. */
#define THREAD_STATES(X)             \
	X(STATE_RUNNING, "running")   \
	X(STATE_RUNNABLE, "runnable") \
	X(STATE_SLEEPING, "sleeping") \
	X(STATE_DISK, "disk")         \
	X(STATE_STOPPED, "stopped")   \
	X(STATE_GIL_WAIT, "gil-wait")

/* What a profile is weighed by: which samples count, and what a sample is worth. */
#define WEIGHTS(X)                  \
	X(WEIGHT_CPU, "cpu")         \
	X(WEIGHT_WALL, "wall")       \
	X(WEIGHT_OFF_CPU, "off-cpu")

#define X(id, name) id,
enum frame_kind { FRAME_KINDS(X) KIND_COUNT };
enum thread_state { THREAD_STATES(X) STATE_COUNT };
enum weight { WEIGHTS(X) WEIGHT_COUNT };
#undef X

const char *kind_name(enum frame_kind kind);
const char *state_name(enum thread_state state);
const char *weight_name(enum weight weight);
int kind_parse(const char *s);   /* -1: no such name */
int state_parse(const char *s);
int weight_parse(const char *s);

/* Does a sample in this state carry CPU time? */
static inline bool state_on_cpu(enum thread_state s)
{
	return s == STATE_RUNNING;
}

/* Is a sample in this state counted under the weight? */
static inline bool weight_counts(enum weight w, enum thread_state s)
{
	return w == WEIGHT_WALL || (w == WEIGHT_CPU) == state_on_cpu(s);
}

#endif
