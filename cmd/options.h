/* The options: one table drives parsing, --help and the man page. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdint.h>

#include "cmd/cmd.h"
#include "sampler/unwinder.h"
#include "store/filter.h"

struct buf;
struct err;

/* The rates that can be asked for, and the one without asking: 99 is in step with nothing. */
#define RATE_MIN 1
#define RATE_MAX 10000
#define RATE_DEFAULT 99

/* Percent of the time that a thread may be stopped: far more than a usual rate takes, and
 * little enough that the highest one does not stand in the target's way. */
#define MAX_STOP_DEFAULT 5

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_FOLDED };
enum by { BY_FUNCTION, BY_TREE, BY_THREAD, BY_MODULE, BY_HEAT };

/* What was asked for. Strings are argv's own, or the environment's. */
struct options {
	const struct command *command;
	bool help, version;

	char **args; /* STORE and the like, in order; owned array */
	size_t nargs;
	char **command_argv; /* what follows --, NULL-terminated; NULL: no command */

	int *pids; /* -p, each once, in order; owned */
	size_t npids;
	const char *name;    /* -n */
	const char *output;  /* -o */
	int64_t duration_ns; /* -d; 0: until it ends */
	double rate;
	double max_stop; /* percent of the time that a thread may be held; 100: not bounded */
	enum unwinder unwinder;

	const char *range, *from, *to;
	struct filter filter; /* weight, lines and the terms */
	const char *a, *b;    /* SEL of the sides of a diff */

	enum format format;
	enum by by;
	int64_t limit; /* rows; -1: not asked for; 0: all */
	bool percent_of_all;
	int64_t step_ns; /* a heat row's length */
	bool json;

	bool plain, utc, ascii, no_mouse;
	enum color_mode color;
	const char *theme; /* NULL: the default */
	int verbose;
};

/* Parse what follows the subcommand's name: argv[0] is that name. On success the caller
 * releases; on failure (ERR_USAGE) nothing is held. With --help the rest is not checked. */
int options_parse(struct options *o, const struct command *command, int argc, char **argv,
		  struct err *err);
void options_release(struct options *o);

/* The option lines of the subcommand's --help. */
void options_help(struct buf *out, const struct command *command);

/* The options of all the commands given, as mdoc(7) list items: the man page's section. */
void options_mdoc(struct buf *out, const struct command *const *commands, size_t n);

/* A number in plain decimal within lo..hi: 0 or -1. No signs, exponents, blanks. */
int parse_decimal(const char *text, double lo, double hi, double *out);

#endif
