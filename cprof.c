/* cprof: the table of subcommands, and the way to one of them. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/man.h"
#include "cmd/options.h"

static const struct command commands[] = {
	{
		.id = CMD_TOP,
		.name = "top",
		.usage = "[-p PID[,PID...] | -n NAME | -- CMD...]",
		.help = "record and look, live",
		.more = "Starts a recorder and shows its store as it grows; a process that is "
			"being recorded already is shown from "
			"there. With CMD, that is started, its output goes to the file `output` "
			"in the store, and quitting ends it.",
		.takes_command = true,
		.needs_target = true,
		.run = cmd_top,
	},
	{
		.id = CMD_RECORD,
		.name = "record",
		.usage = "(-p PID[,PID...] | -n NAME | -- CMD...) [-o STORE] [-d SECONDS]",
		.help = "record without a screen",
		.more = "Ends with -d, with Ctrl-C or TERM, or with its targets. With CMD, its "
			"exit status is that of CMD.",
		.takes_command = true,
		.needs_target = true,
		.run = cmd_record,
	},
	{
		.id = CMD_VIEW,
		.name = "view",
		.usage = "[STORE]",
		.help = "look at what was recorded",
		.more = "Shows a store on the screen, also while it is still being recorded. "
			"Without STORE: the one that is "
			"being recorded now, else the newest.",
		.max_args = 1,
		.run = cmd_view,
	},
	{
		.id = CMD_REPORT,
		.name = "report",
		.usage = "[STORE] [--by function|tree|thread|module|heat] [--format text|csv|json]",
		.help = "a table of what was recorded, for people and scripts",
		.more = "Self and total count the samples that the weight selects; times are in "
			"that weight.",
		.max_args = 1,
		.run = cmd_report,
	},
	{
		.id = CMD_DIFF,
		.name = "diff",
		.usage = "STORE [STORE_B] [--a SEL] [--b SEL] [--by function|tree] [--format "
			 "text|csv|json|folded]",
		.help = "what differs between two ranges, threads, filters or stores",
		.more = "Compares time per second of recorded time. Without --a and --b it takes "
			"the marks a and b of the "
			"store; with two stores, all of each.",
		.min_args = 1,
		.max_args = 2,
		.run = cmd_diff,
	},
	{
		.id = CMD_DUMP,
		.name = "dump",
		.usage = "-p PID [--json]",
		.help = "the stacks of every thread, once",
		.needs_target = true,
		.run = cmd_dump,
	},
	{
		.id = CMD_INFO,
		.name = "info",
		.usage = "[STORE]",
		.help = "what is in a store; alone: the recordings there are",
		.max_args = 1,
		.run = cmd_info,
	},
	{
		.id = CMD_DOCTOR,
		.name = "doctor",
		.usage = "[-p PID]",
		.help = "why it does or does not work here, and the one remedy",
		.more = "Tries each ability: yes, less (something is left out) or NO. With -p: "
			"of that process. Status 1 where one is NO.",
		.run = cmd_doctor,
	},
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void help_all(struct buf *out)
{
	buf_str(out, "usage: cprof COMMAND [OPTION...] [ARGUMENT...]\n\n"
		     "A profiler in the terminal: samples running processes, keeps what it saw,\n"
		     "shows when they were busy and with what.\n\n");
	for (size_t i = 0; i < COUNT(commands); i++)
		buf_fmt(out, "  %-8s %s\n", commands[i].name, commands[i].help);
	buf_str(out, "\nThe options of a command: cprof COMMAND --help. The manual: man cprof.\n");
}

static void help_command(struct buf *out, const struct command *c)
{
	buf_fmt(out, "usage: cprof %s %s\n\n%s.\n", c->name, c->usage, c->help);
	if (c->more)
		buf_fmt(out, "%s\n", c->more);
	buf_str(out, "\noptions:\n");
	options_help(out, c);
}

/* Write what is left on stdout. A reader that went away is no error of ours: the status is
 * the shell's for SIGPIPE, and nothing is said. errno may be of a later call than the write
 * that failed: the pipe itself is asked. */
static int finish(int status)
{
	const int sigpipe_status = 141;
	struct pollfd out = {.fd = STDOUT_FILENO};
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	int cause = errno;
	if (cause == EPIPE || (poll(&out, 1, 0) == 1 && out.revents & POLLERR))
		return sigpipe_status;
	err_note("cannot write to stdout%s%s", cause ? ": " : "", cause ? strerror(cause) : "");
	return 1;
}

static int print(struct buf *text)
{
	fputs(buf_cstr(text), stdout);
	buf_free(text);
	return finish(0);
}

static int run(const struct command *c, int argc, char **argv)
{
	struct options o;
	struct err err;
	struct buf text = BUF_INIT;
	int status;
	if (options_parse(&o, c, argc, argv, &err))
		return err_report(&err);
	if (o.help) {
		help_command(&text, c);
		status = print(&text);
	} else if (o.version) {
		buf_str(&text, "cprof " CPROF_VERSION "\n");
		status = print(&text);
	} else {
		status = finish(c->run(&o));
	}
	options_release(&o);
	return status;
}

/* A closed stdin, stdout or stderr would be some file of ours soon. */
static void open_standard_files(void)
{
	int fd;
	while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
		;
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	open_standard_files();
	setlocale(LC_CTYPE, ""); /* only that: numbers keep their point */
	if (argc < 2) {
		err_note("no command; see: cprof --help");
		return 2;
	}
	const char *name = argv[1];
	struct buf text = BUF_INIT;
	if (!strcmp(name, "--help") || !strcmp(name, "-h")) {
		help_all(&text);
		return print(&text);
	}
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		buf_str(&text, "cprof " CPROF_VERSION "\n");
		return print(&text);
	}
	if (!strcmp(name, "--dump-man-sections")) { /* for `make man`; not for users */
		man_sections(&text, commands, COUNT(commands));
		return print(&text);
	}
	for (size_t i = 0; i < COUNT(commands); i++)
		if (!strcmp(name, commands[i].name))
			return run(&commands[i], argc - 1, argv + 1);
	err_note("unknown %s '%s'; see: cprof --help", *name == '-' ? "option" : "command", name);
	return 2;
}
