/* The processes and threads that are sampled, with the descriptors that make it cheap.
 *
 * Used by the sampler thread alone, except for the plans, which the worker adjusts. A process is
 * a pid and its start time; its threads are found by reading its task folder, which is done
 * when the newest pid of the system has moved. Slots are small numbers that name a thread to
 * the worker; they are used anew. */
#ifndef SAMPLER_WATCHED_H
#define SAMPLER_WATCHED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "sampler/proc.h"
#include "sampler/throttle.h"

enum watched_life {
	LIFE_UNKNOWN, /* new, or not seen since it woke */
	LIFE_ASLEEP,  /* its stack is known and it has not had a CPU since */
	LIFE_RAN,     /* last seen running */
	LIFE_ASKED,   /* asked to stop, has not yet */
};

/* Who displaced it for this sample. */
enum watched_kept {
	KEPT_NOT,
	KEPT_HERE, /* the sampler, on its own CPU */
	KEPT_AWAY, /* a keeper, on another */
};

/* What to copy of a thread's stack: from sp up to `top`, if that is not too much, else what it
 * wants and its tail. */
struct copy_plan {
	_Atomic uint64_t top;       /* where its stacks have ended, exclusive; 0 not known */
	_Atomic uint32_t want;      /* bytes from sp on */
	_Atomic uint32_t tail_len;  /* and of the outermost part; 0: not */
	_Atomic uint64_t tail_from;
	_Atomic bool again;         /* copy it anew even if it still sleeps */
};

struct watched_thread {
	struct watched_process *process;
	int tid;
	uint32_t slot;
	int fd_sched, fd_syscall; /* -1: opened for each read (out of descriptors) */
	enum watched_life life;
	uint64_t switches, wait_ns, cpu_ns; /* as last read */
	uint64_t cpu_reported; /* told to the worker */
	struct proc_syscall call; /* where it was blocked when last looked at */
	bool ran_this_second;
	bool zombie;           /* ended, kept by the kernel as the leader of others */
	bool dead;             /* a look has failed: dropped by the next scan */
	bool seen;             /* in the scan under way */
	uint16_t quiet;        /* looks in a row that found it asleep */
	bool refused;          /* asked in vain: traced by another, or ending */
	int64_t ask_again;     /* when refused: not before (monotonic) */
	uint32_t asked_tick;
	int64_t asked_tick_at; /* monotonic */
	uint64_t low;          /* sp at its last stops, the lowest or near it; 0: none yet */
	struct proc_sched at_stop; /* of a stop that was not polled for */
	struct throttle_share held;
	uint8_t calls;         /* samples until it is taken for one without system calls: held.h */
	int cpu;               /* it ran on last, where that matters; -1 not known */
	enum watched_kept kept;
	bool kept_ran;         /* it had the CPU just before its keeper came */
	int64_t kept_ns;       /* how long it was displaced before it was asked */
	struct copy_plan *plan; /* the worker sets it */
};

struct watched_process {
	int pid;
	uint16_t index;
	uint64_t start_ticks;
	int fd_task;
	clockid_t clock;
	int64_t clock_last;   /* process CPU time as last read, -1 never */
	int64_t exited_base;  /* CPU time of threads that had ended before, see watched_exited */
	bool gone, gone_told;
	int64_t zombie_since; /* monotonic; 0: it is none */
	bool strict;          /* a seccomp filter is installed */
	size_t running;       /* threads not known to be asleep */
	uint16_t quiet;       /* ticks in a row in which nobody ran */
	bool churned;         /* threads ended in this second */
	int64_t next_scan;    /* monotonic; 0: at once */
	uint64_t links;       /* of its task folder at the last scan: two and one a thread */
	struct watched_thread **threads;
	size_t count, cap;
};

enum {
	WATCHED_SLOTS = 1 << 16,
	FD_SPARE = 64,          /* descriptors that the store and the symbols may need */
	WANT_FIRST = 64 << 10,  /* bytes of stack copied of a new thread */
	WANT_LEAST = 16 << 10,  /* and of one whose stacks have been shallow for minutes */
	WANT_MAX = 256 << 10,
};

struct watched {
	struct watched_process **processes;
	size_t count, cap;
	int fd_loadavg;
	int fd_limit; /* descriptors from here on are left to others */
	int last_pid;
	uint32_t want_first; /* bytes of stack to copy of a new thread: WANT_FIRST */
	struct copy_plan *plans; /* WATCHED_SLOTS, indexed by slot */
	uint32_t *free_slots;
	size_t nfree;
	int *tids; /* scratch for scans */
	size_t tids_cap;
	/* Called when a thread is found, and before it is dropped. */
	void (*found)(void *arg, struct watched_thread *t);
	void (*lost)(void *arg, struct watched_thread *t);
	void *arg;
};

int watched_init(struct watched *w);
void watched_free(struct watched *w);

/* Add a process; its threads are scanned at once. -1 with errno. */
int watched_add(struct watched *w, int pid);

/* Look for threads made and ended since the last look. */
void watched_scan(struct watched *w, struct watched_process *p);

/* Does the process have another number of threads than at the last scan? */
bool watched_grown(const struct watched_process *p);

/* Read schedstat, or syscall, of a thread. False: it has ended. */
bool watched_sched(struct watched_thread *t, struct proc_sched *out);
bool watched_syscall(struct watched_thread *t, struct proc_syscall *out);

/* The process's CPU time; -1: it has ended. */
int64_t watched_clock(const struct watched_process *p);

#endif
