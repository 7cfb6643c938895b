/* Which processes can be sampled, and if not, why and what to do about it. */
#ifndef SAMPLER_TARGET_H
#define SAMPLER_TARGET_H

#include <stddef.h>

struct err;

/* Can this process be sampled? A TID is replaced by its process. ERR_FAILED with the cause and
 * the one remedy: no such process, a kernel thread, not permitted (yama, another user, not
 * dumpable, seccomp), traced by another (named), a 32-bit program. */
int target_check(int *pid, struct err *err);

/* The processes of that name: the whole comm, or the basename of the executable, of argv[0] or
 * of an interpreter's script. Not this process. *pids is the caller's. */
size_t target_find(const char *name, int **pids);

/* A process's comm, for titles; "?" if it is gone. */
void target_name(int pid, char *name, size_t size);

#endif
