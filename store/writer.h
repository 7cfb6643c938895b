/* Writing a store: one writer a store, in the recorder.
 *
 * A store is a folder of segments, one LMDB environment a day, each whole in itself. A segment
 * begins with the first commit that has something in it, also when a store is continued: what
 * an earlier recorder wrote is never opened for writing again. The
 * numbers that writer_func, _frame, _stack, _process and _thread give are the current
 * segment's: when writer_epoch changes (only in writer_commit), forget them all and intern
 * anew. Interning is a table look-up: no I/O. Nothing is on disk before writer_commit. */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "store/sample.h"

struct err;
struct store_writer;

struct writer_opts {
	double rate_hz;        /* nominal rate, kept in the store */
	const char *command;   /* the command line that records, for info; may be NULL */
	uint64_t segment_bytes; /* start a new segment beyond this; 0: 512 MiB */
};

/* Open or create. A folder that is a store is continued; a path that exists and is none is
 * refused and untouched (ERR_FAILED), so is a store of a newer version, one that another
 * recorder holds (its pid is named), and a network file system. */
int writer_open(struct store_writer **out, const char *path, const struct writer_opts *opts, struct err *err);
int writer_close(struct store_writer *w, struct err *err); /* commits */
uint32_t writer_epoch(const struct store_writer *w);

/* The folder, absolute. */
const char *writer_path(const struct store_writer *w);

/* Publish which pids this recorder samples, so that `top -p` finds it (store/place.h). */
int writer_announce(struct store_writer *w, const int *pids, size_t n, struct err *err);

/* A function. module, file and build_id may be "" or NULL; build_id is raw bytes in hex. */
struct writer_function {
	enum frame_kind kind;
	const char *name, *module, *build_id, *file;
	uint32_t line; /* first line of the function, 0 unknown */
};
uint32_t writer_func(struct store_writer *w, const struct writer_function *f);
uint32_t writer_frame(struct store_writer *w, uint32_t func, uint32_t line);

/* A stack is a node of a prefix tree: its caller's node (WRITER_ROOT for the outermost frame)
 * and a frame. */
#define WRITER_ROOT 0u
uint32_t writer_stack(struct store_writer *w, uint32_t parent, uint32_t frame);

struct writer_process {
	int pid;
	uint64_t start_ticks; /* /proc/PID/stat field 22: with pid the identity */
	const char *name;     /* comm */
	const char *exe, *cmdline; /* may be NULL */
};
uint32_t writer_process(struct store_writer *w, const struct writer_process *p);
uint32_t writer_thread(struct store_writer *w, uint32_t process, int tid, const char *name);

/* One second of one process. Runs of a thread are in the order of ticks and do not overlap;
 * a tick without a run of the thread: the thread was not there (or was not sampled). */
struct sample_run {
	uint16_t tick, count; /* first tick and number of ticks, indices into tick_ms */
	uint8_t state;        /* enum thread_state */
	uint32_t stack;
};

struct second_thread {
	uint32_t thread;
	uint64_t cpu_ns; /* consumed in this second, as the kernel accounts it */
	const struct sample_run *runs;
	size_t nruns;
};

struct second {
	int64_t time;     /* seconds since 1970, UTC; one that exists already is kept twice */
	uint32_t process;
	uint32_t covered_ms; /* recorded part of this second: 1000 except at the ends */
	uint32_t expected, missed; /* ticks; taken = expected - missed = nticks */
	const uint16_t *tick_ms;   /* offset of each taken tick in the second, ascending, 0..999 */
	size_t nticks;
	uint32_t stops, stopless;  /* samples with and without a stop */
	uint64_t stopped_ns;       /* sum over all threads */
	uint32_t truncated;        /* samples whose stack is marked truncated */
	const struct second_thread *threads;
	size_t nthreads;
};
void writer_second(struct store_writer *w, const struct second *s);

/* How long stops took, INTERRUPT to DETACH: kept as a histogram for the whole recording. */
void writer_stop_time(struct store_writer *w, uint64_t ns);

#define EVENT_TYPES(X)            \
	X(EVENT_START, "start")   \
	X(EVENT_END, "end")       \
	X(EVENT_EXEC, "exec")     \
	X(EVENT_EXIT, "exit")     \
	X(EVENT_GAP, "gap")       \
	X(EVENT_RATE, "rate")     \
	X(EVENT_CLOCK, "clock")   \
	X(EVENT_NOTE, "note")
#define X(id, name) id,
enum event_type { EVENT_TYPES(X) EVENT_TYPE_COUNT };
#undef X
const char *event_name(enum event_type t);
#define WRITER_NO_PROCESS UINT32_MAX /* an event of none, or of all */
void writer_event(struct store_writer *w, int64_t time_ns, enum event_type type, uint32_t process, const char *text);

/* Make all of it durable (one LMDB transaction). On failure (disk full, EIO) the seconds and
 * events that were pending are dropped, numbers stay valid, the store is as after the last
 * commit and can be tried again; ERR_FAILED. A disk that has less than 5 % or 32 MiB free
 * counts as full. */
int writer_commit(struct store_writer *w, struct err *err);

#endif
