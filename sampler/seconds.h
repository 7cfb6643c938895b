/* Seconds under construction: which ticks they have, what went wrong in them, what their
 * threads consumed. Usually one is open; a second one while the first waits for its last stop. */
#ifndef SAMPLER_SECONDS_H
#define SAMPLER_SECONDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/outer.h"
#include "sampler/runs.h"

struct store_writer;

/* A thread as the worker knows it. */
struct worker_thread {
	struct worker_process *process;
	int tid;
	char name[64];
	uint32_t id;        /* the store's number, of `epoch` */
	uint32_t epoch;     /* the writer's; 0 none */
	uint32_t slot;
	struct runs runs;
	bool gone;          /* kept until its last second is written */
	uint32_t want;      /* bytes of stack to copy */
	uint32_t peak;      /* bytes needed lately */
	uint64_t top;       /* where its whole stacks have ended, exclusive; 0 not known */
	struct outer outer; /* of a thread whose stack is too deep to be copied */
	int64_t learnt_at;  /* UTC second of the last attempt at that; 0 none */
	int64_t named_at;   /* second in which its name was read */
	uint64_t cpu_ns;    /* scratch while a second is written */
	unsigned cpu_told;  /* how often it stands in the cpu lists of open seconds */
};

struct space;
struct unwind_lib;
struct worker_process {
	int pid;
	uint64_t start_ticks, start_stack;
	char name[64];
	struct space *space;
	struct unwind_lib *lib;
	uint32_t id, epoch;   /* the store's number */
	bool gone;
	bool ran;             /* since its map was last looked at */
	struct worker_thread **threads;
	size_t count, cap;
	struct worker_thread *exited; /* carries the time of threads that came and went unseen */
};

struct thread_cpu {
	struct worker_thread *thread;
	uint64_t ns;
};

/* Per process and second. */
struct second_stats {
	uint32_t stops;
	uint64_t stopped_ns;
};

struct open_second {
	int64_t time; /* UTC */
	uint32_t first_tick, nticks, missed;
	uint16_t *tick_ms;
	size_t tick_cap;
	int64_t from_ns, to_ns; /* recorded part, UTC ns */
	struct thread_cpu *cpu;
	size_t ncpu, cpu_cap;
	struct second_stats *stats; /* indexed by process */
	size_t nstats, stats_cap;
};

struct open_second *open_second_new(int64_t time, uint32_t first_tick);
void open_second_free(struct open_second *s);
void open_second_tick(struct open_second *s, int64_t real_ns);
void open_second_cpu(struct open_second *s, struct worker_thread *t, uint64_t ns);
struct second_stats *open_second_stats(struct open_second *s, size_t process);
static inline uint32_t open_second_end(const struct open_second *s)
{
	return s->first_tick + s->nticks;
}

/* Is a thread of the process still awaited in this second? */
bool open_second_unresolved(const struct open_second *s, const struct worker_process *p);

/* Make sure that the store's number of a process is of the current segment. */
void worker_process_register(struct worker_process *p, struct store_writer *writer);

/* Hand the second of one process to the writer and drop it from the threads' runs. Gives the
 * number of samples. `lost_stack` stands for stacks that never came. */
uint64_t open_second_write(struct open_second *s, struct worker_process *p, size_t index,
			   struct store_writer *writer, uint32_t lost_stack);

#endif
