/* The subcommands: what a row of the table in cprof.c holds, and the functions behind it.
 *
 * A new subcommand is an id here, a function in a file of its own, and a row in cprof.c. The
 * options it takes are marked with its id in cmd/options.c; --help and the man page follow. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>
#include <stddef.h>

#define CPROF_VERSION "0.1.0"

struct options;

enum command_id {
	CMD_TOP,
	CMD_RECORD,
	CMD_VIEW,
	CMD_REPORT,
	CMD_DIFF,
	CMD_DUMP,
	CMD_INFO,
	CMD_DOCTOR,
};

/* A set of subcommands, for the tables of options. */
#define CMD_BIT(id) (1u << (id))

struct command {
	enum command_id id;
	const char *name;
	const char *usage;                   /* what follows "cprof NAME " */
	const char *help;                    /* one line, lower case, no full stop */
	const char *more;                    /* sentences for its own --help and the man page */
	unsigned min_args, max_args;         /* STOREs, FILEs */
	bool takes_command;                  /* what follows -- is a command to run */
	bool needs_target;                   /* -p, -n or a command must be given */
	int (*run)(const struct options *o); /* gives the exit status */
};

/* Each gives an exit status; what went wrong is on stderr by then. */
int cmd_top(const struct options *o);
int cmd_record(const struct options *o);
int cmd_view(const struct options *o);
int cmd_report(const struct options *o);
int cmd_diff(const struct options *o);
int cmd_dump(const struct options *o);
int cmd_info(const struct options *o);
int cmd_doctor(const struct options *o);

#endif
