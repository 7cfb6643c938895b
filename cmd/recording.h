/* A recording as `record` and `top` run it, in this process: from the options to the exit
 * status. */
#ifndef CMD_RECORDING_H
#define CMD_RECORDING_H

#include <stdbool.h>

struct options;
struct targets;

/* Record until the end. With a command (o->command_argv) it is started here: `targets` is
 * filled then, else it has been found before. `store` is the folder; `output` the file for the
 * command's output, NULL to leave it where it is; a byte goes to ready_fd when the store is
 * there (-1: nobody waits). What is to be said is said on stderr. *made (or NULL): something was
 * recorded. Gives the exit status. */
int recording_run(const struct options *o, struct targets *targets, const char *store,
		  const char *output, int ready_fd, bool *made);

/* "4 min 12 s, 1.1 MB": what a store holds, for the last line. The caller frees. */
char *recording_summary(const char *store);

#endif
