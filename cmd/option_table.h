/* The table of options, as cmd/options.c reads it: names, help, and who parses the value. */
#ifndef CMD_OPTION_TABLE_H
#define CMD_OPTION_TABLE_H

#include "cmd/options.h"

struct option_def;
typedef int option_set(struct options *o, const struct option_def *def, const char *arg,
		       struct err *err);

struct option_def {
	char letter; /* 0: none */
	const char *name;
	const char *arg;   /* what the value is called; NULL: takes none */
	unsigned commands; /* CMD_BIT of those that take it */
	option_set *set;   /* ERR_USAGE where the value is malformed */
	size_t at;         /* the field of struct options that a plain flag or text goes to */
	const char *help;
};

enum { OPTION_MAX = 64 }; /* room that option_count stays within */
extern const struct option_def option_defs[];
extern const size_t option_count;

#endif
