/* The file behind a mapping: what is mapped, whatever lies at its path by now.
 *
 * /proc/PID/map_files leads to it, but takes CAP_CHECKPOINT_RESTORE (proc(5)). Without it the path
 * is opened inside of the target's root, then /proc/PID/exe, and taken only if its build-id is the
 * one in the target's memory; where there is none, if its inode is the mapping's. (The inode alone
 * does not decide: on overlayfs and btrfs maps and stat tell different ones.) In the end an
 * image is made of what the target has in memory: without sections, but with its dynamic symbols
 * and its .eh_frame. That is what the vDSO always is. */
#ifndef SAMPLER_MAPPED_H
#define SAMPLER_MAPPED_H

#include "sampler/maps.h"

/* A descriptor for reading the file behind `m`, one of `maps`; tid a living thread of the process.
 * -1: there is none. */
int mapped_open(const struct maps *maps, const struct mapping *m, int tid);

#endif
