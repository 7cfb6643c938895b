/* Options: parsing, --help and the man page, all from the table. */
#include "cmd/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/man.h"
#include "cmd/option_table.h"

static bool takes(const struct option_def *def, const struct command *c)
{
	return def->commands & CMD_BIT(c->id);
}

/* Why getopt_long did not accept `word`: known to another command, cut short, or nowhere. */
static int refuse(const struct command *c, const char *word, int letter, struct err *err)
{
	for (size_t i = 0; i < option_count; i++) {
		size_t n = strlen(option_defs[i].name);
		bool same = letter ? option_defs[i].letter == letter
				   : !strncmp(word, "--", 2) &&
					     !strncmp(word + 2, option_defs[i].name, n) &&
					     (!word[2 + n] || word[2 + n] == '=');
		if (same && takes(&option_defs[i], c) && !option_defs[i].arg)
			return err_set(err, ERR_USAGE, "--%s takes no value; leave it out",
				       option_defs[i].name);
		if (same)
			return err_set(err, ERR_USAGE,
				       "--%s is no option of %s; see: cprof %s --help",
				       option_defs[i].name, c->name, c->name);
	}
	if (letter)
		return err_set(err, ERR_USAGE, "unknown option -%c; see: cprof %s --help", letter,
			       c->name);
	return err_set(err, ERR_USAGE, "unknown option %s; see: cprof %s --help", word, c->name);
}

static int check_targets(const struct options *o, struct err *err)
{
	const struct command *c = o->command;
	int given = (o->npids > 0) + (o->name != NULL) + (o->command_argv != NULL);
	if (given > 1)
		return err_set(err, ERR_USAGE,
			       "more than one of -p, -n and -- CMD; give one of them");
	if (c->needs_target && !given)
		return err_set(err, ERR_USAGE,
			       c->takes_command ? "no target; give -p PID, -n NAME or -- CMD"
						: "no target; give -p PID");
	return 0;
}

static int check(const struct options *o, struct err *err)
{
	const struct command *c = o->command;
	if (o->nargs > c->max_args)
		return err_set(err, ERR_USAGE, "'%s' is one argument too many; usage: cprof %s %s",
			       o->args[c->max_args], c->name, c->usage);
	if (o->nargs < c->min_args)
		return err_set(err, ERR_USAGE, "an argument is missing; usage: cprof %s %s",
			       c->name, c->usage);
	if (o->range && (o->from || o->to))
		return err_set(err, ERR_USAGE,
			       "--range and --from or --to say it twice; give one of them");
	if (check_targets(o, err))
		return -1;
	return filter_check(&o->filter, err);
}

static void add_arg(struct options *o, char *arg)
{
	o->args = mem_realloc(o->args, (o->nargs + 1) * sizeof(*o->args));
	o->args[o->nargs++] = arg;
}

/* What getopt_long gives for option_defs[i]: above all letters. */
enum { LONG_BASE = 256 };

static const struct option_def *find(const struct command *c, int got)
{
	if (got >= LONG_BASE)
		return &option_defs[got - LONG_BASE];
	for (size_t i = 0; i < option_count; i++)
		if (option_defs[i].letter == got && takes(&option_defs[i], c))
			return &option_defs[i];
	return NULL;
}

static int parse_all(struct options *o, int argc, char **argv, struct err *err)
{
	struct option longs[OPTION_MAX + 1] = {{0}};
	char letters[OPTION_MAX * 2 + 3] =
		"-:"; /* arguments in order; ':' where a value is missing */
	size_t nlongs = 0, nletters = 2;
	for (size_t i = 0; i < option_count; i++) {
		if (!takes(&option_defs[i], o->command))
			continue;
		longs[nlongs++] = (struct option){
			option_defs[i].name, option_defs[i].arg ? required_argument : no_argument,
			NULL, LONG_BASE + (int)i};
		if (!option_defs[i].letter)
			continue;
		letters[nletters++] = option_defs[i].letter;
		if (option_defs[i].arg)
			letters[nletters++] = ':';
	}
	optind = 0; /* also resets getopt's own state */
	opterr = 0;
	for (int got; (got = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
		if (got == 1) {
			add_arg(o, optarg);
			continue;
		}
		const struct option_def *def = find(o->command, got == ':' ? optopt : got);
		if (got == ':' && def)
			return err_set(err, ERR_USAGE, "--%s lacks its value; give %s", def->name,
				       def->arg);
		if (!def)
			return refuse(o->command, argv[optind - 1], optopt < LONG_BASE ? optopt : 0,
				      err);
		if (def->set(o, def, optarg, err))
			return -1;
	}
	if (o->command->takes_command && optind < argc)
		o->command_argv = argv + optind;
	else
		for (int i = optind; i < argc; i++)
			add_arg(o, argv[i]);
	return 0;
}

int options_parse(struct options *o, const struct command *command, int argc, char **argv,
		  struct err *err)
{
	*o = (struct options){
		.command = command,
		.rate = RATE_DEFAULT,
		.max_stop = MAX_STOP_DEFAULT,
		.limit = -1,
		.step_ns = NS_PER_S,
		.filter = FILTER_INIT,
	};
	if (!parse_all(o, argc, argv, err) && (o->help || o->version || !check(o, err)))
		return 0;
	options_release(o);
	return -1;
}

void options_release(struct options *o)
{
	free(o->args);
	free(o->pids);
	filter_release(&o->filter);
	*o = (struct options){.command = o->command};
}

/* Append text, folded to lines of 79 columns at most that begin at column `indent`. */
static void fold(struct buf *out, const char *text, size_t indent)
{
	size_t column = indent;
	while (*text) {
		size_t n = strcspn(text, " ");
		if (column > indent && column + 1 + n > 79) {
			buf_fmt(out, "\n%*s", (int)indent, "");
			column = indent;
		}
		if (column > indent) {
			buf_char(out, ' ');
			column++;
		}
		buf_bytes(out, text, n);
		column += n;
		text += n + strspn(text + n, " ");
	}
	buf_char(out, '\n');
}

void options_help(struct buf *out, const struct command *command)
{
	const size_t indent = 26;
	for (size_t i = 0; i < option_count; i++) {
		const struct option_def *d = &option_defs[i];
		if (!takes(d, command))
			continue;
		size_t start = out->len;
		if (d->letter)
			buf_fmt(out, "  -%c, --%s", d->letter, d->name);
		else
			buf_fmt(out, "      --%s", d->name);
		if (d->arg)
			buf_fmt(out, " %s", d->arg);
		size_t width = out->len - start;
		if (width + 2 > indent)
			buf_fmt(out, "\n%*s", (int)indent, "");
		else
			buf_fmt(out, "%*s", (int)(indent - width), "");
		fold(out, d->help, indent);
	}
}

void options_mdoc(struct buf *out, const struct command *const *commands, size_t n)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_def *d = &option_defs[i];
		struct buf names = BUF_INIT;
		size_t taken = 0;
		for (size_t k = 0; k < n; k++) {
			if (!takes(d, commands[k]))
				continue;
			buf_fmt(&names, "%s%s", taken++ ? ", " : "", commands[k]->name);
		}
		if (taken) {
			buf_str(out, ".It ");
			if (d->letter)
				buf_fmt(out, "Fl %c , ", d->letter);
			buf_fmt(out, "Fl Fl %s", d->name);
			if (d->arg)
				buf_fmt(out, " Ar %s", d->arg);
			buf_char(out, '\n');
			man_text(out, d->help);
			buf_str(out, ".\n");
			buf_fmt(out, "(%s)\n", taken == n ? "all commands" : buf_cstr(&names));
		}
		buf_free(&names);
	}
}
