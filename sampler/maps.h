/* A process's memory map, as /proc/PID/maps tells it (proc(5)). */
#ifndef SAMPLER_MAPS_H
#define SAMPLER_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end; /* [start, end) */
	uint64_t offset;     /* in the file */
	uint64_t inode;      /* 0: anonymous */
	bool exec, write;
	char *path; /* "" anonymous; "[vdso]", "[stack]"; a deleted file ends in " (deleted)" */
};

struct maps {
	struct mapping *items; /* sorted, not overlapping */
	size_t count, cap;
	uint64_t digest; /* of the text: changes when the map does */
};

/* Read the map of a process or thread. 0 unchanged, 1 changed, -1 with errno. */
int maps_read(struct maps *m, int pid);
void maps_release(struct maps *m);
const struct mapping *maps_find(const struct maps *m, uint64_t addr); /* NULL: not mapped */

#endif
