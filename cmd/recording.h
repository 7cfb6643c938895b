/* A recording as `record` and `top` run it, in this process: from the options to the exit
 * status. */
#ifndef CMD_RECORDING_H
#define CMD_RECORDING_H

#include <stdbool.h>

struct options;
struct targets;

/* Record until the end. With a command (o->command_argv) it is started here, and `targets` gets its
 * pid, else they have been found before. *store: NULL, or the folder it went to (the caller frees)
 * where something was recorded. `detached`: the command's output goes to the file `output` there;
 * else it stays where it is. ready_fd: see struct recorder_opts. What is to be said is said on
 * stderr. Gives the exit status. */
int recording_run(const struct options *o, struct targets *targets, bool detached, int ready_fd,
		  char **store);

/* "4 min 12 s, 1.1 MB": what a store holds, for the last line. The caller frees. */
char *recording_summary(const char *store);

#endif
