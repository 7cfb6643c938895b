/* What a recording command samples, and where it records to. */
#ifndef CMD_TARGETS_H
#define CMD_TARGETS_H

#include <stddef.h>

struct err;
struct launched;
struct options;

struct targets {
	int *pids;     /* checked; owned */
	size_t count;
	char name[64]; /* of the first, for titles and folders */
};

/* The processes that -p and -n name. A bad one among good ones is a warning; none good is
 * ERR_FAILED. */
int targets_find(struct targets *t, const struct options *o, struct err *err);
/* The name of the command after --, before it is started; ERR_NOCMD or ERR_NOEXEC if it cannot be
 * run. */
int targets_command(struct targets *t, const struct options *o, struct err *err);
/* The command after --, started but not let run yet. */
int targets_launch(struct targets *t, const struct options *o, struct launched *l, struct err *err);
void targets_release(struct targets *t);

/* The folder to record into: -o, or a new one in the default place, where old recordings are
 * dropped first. The caller frees. */
char *targets_store(const struct targets *t, const struct options *o, struct err *err);

/* The command line, for info; the caller frees. */
char *targets_command_line(const struct options *o);

#endif
