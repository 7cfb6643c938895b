/* Reading /proc: what the kernel says of processes and threads. Formats: proc(5), and the
 * kernel's fs/proc/{array,base}.c and Documentation/scheduler/sched-stats.rst. */
#ifndef SAMPLER_PROC_H
#define SAMPLER_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct buf;

/* A whole small file relative to a directory descriptor (AT_FDCWD for absolute paths) into
 * text[0..size), NUL-terminated. Gives the length, or -1 with errno. */
ssize_t proc_read(int dir, const char *path, char *text, size_t size);
/* A whole file of any size, at most `limit` bytes; 0, or -1 with errno. */
int proc_slurp(const char *path, struct buf *out, size_t limit);

struct proc_stat {
	char comm[64];
	char state; /* R S D T t Z X I P */
	int ppid;
	uint64_t flags;       /* PF_* of include/linux/sched.h */
	uint64_t start_ticks; /* since boot: with the pid, the identity */
	uint64_t start_stack; /* moves at each exec; 0 where not permitted */
	int cpu;              /* it ran on last */
};
#define PROC_PF_KTHREAD 0x00200000u
/* Of a process (tid 0) or a thread. */
int proc_stat(int pid, int tid, struct proc_stat *out);

struct proc_status {
	int tgid, tracer;
	unsigned uid, gid;  /* effective */
	int nspid;          /* the pid in the innermost namespace */
	int seccomp;        /* 0 off, 1 strict, 2 filter */
};
int proc_status(int tid, struct proc_status *out);

/* /proc/PID/task/TID/schedstat: CPU time, time spent waiting for a CPU, and how often it was
 * given one. */
struct proc_sched {
	uint64_t cpu_ns, wait_ns, switches;
};
bool proc_sched_parse(const char *text, struct proc_sched *out);

/* /proc/PID/task/TID/syscall. */
enum proc_call { CALL_RUNNING, CALL_BLOCKED, CALL_NONE };
struct proc_syscall {
	enum proc_call what;
	long nr; /* -1: blocked outside a system call (a page fault) */
	uint64_t sp, pc; /* sp 0: no user stack */
};
bool proc_syscall_parse(const char *text, struct proc_syscall *out);

/* The newest pid of this namespace: moves whenever a thread or process is made. */
int proc_last_pid(int loadavg_fd);

/* The threads of a process: fills tids (grown, caller frees), gives the count or -1. */
ssize_t proc_tasks(int task_dir, int **tids, size_t *cap);

/* A process's command line with blanks between the arguments, "" if it has none. */
void proc_cmdline(int pid, struct buf *out);
/* Where a link of /proc points (exe, cwd); "" on failure. */
void proc_link(int pid, const char *name, char *text, size_t size);

#endif
