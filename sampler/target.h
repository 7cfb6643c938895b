/* Which processes can be sampled, and if not, why and what to do about it. */
#ifndef SAMPLER_TARGET_H
#define SAMPLER_TARGET_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Can this process be sampled? A TID is replaced by its process. ERR_FAILED with the cause and
 * the one remedy: no such process, a kernel thread, not permitted (yama, another user, not
 * dumpable, seccomp), traced by another (named), a 32-bit program. */
int target_check(int *pid, struct err *err);

/* Does this kernel count how often a thread was given a CPU? Without, it gives zeros, and nothing
 * tells who has slept. */
bool target_counted(void);

/* Has this process CAP_SYS_PTRACE (linux/capability.h: 19)? */
bool target_may_ptrace(void);

/* The processes of that name: the whole comm, or the basename of the executable, of argv[0] or
 * of an interpreter's script. Not this process. *pids is the caller's. */
size_t target_find(const char *name, int **pids);

/* A process's comm, for titles; "?" if it is gone. */
void target_name(int pid, char *name, size_t size);

#endif
