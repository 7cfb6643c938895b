/* cprof top: record and look, live. The recorder is a child process; this one shows its store. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/plain.h"
#include "cmd/recording.h"
#include "cmd/screen.h"
#include "cmd/targets.h"
#include "store/place.h"
#include "store/query.h"

enum { PLAIN_EVERY_S = 10 };

/* The recorder as its parent sees it. */
struct child {
	pid_t pid;  /* 0: it has been waited for */
	int status; /* its exit status, then */
	int words;  /* what it writes to stderr: kept off the screen until that is left */
};

static _Noreturn void become_recorder(const struct options *o, struct targets *targets, int ready,
				      int words)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0); /* the terminal's keys are not for it */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	dup2(words, STDERR_FILENO);
	char *store;
	_exit(recording_run(o, targets, true, ready, &store));
}

/* Start the recorder and wait until it says where its store is: *store, the caller's. NULL: it has
 * failed, and said why. */
static int start_recorder(struct child *c, const struct options *o, struct targets *targets,
			  char **store, struct err *err)
{
	int ready[2];
	c->words = memfd_create("cprof-recorder", MFD_CLOEXEC);
	if (c->words < 0 || pipe2(ready, O_CLOEXEC))
		return err_set(err, ERR_FAILED, "cannot start the recorder: %s", strerror(errno));
	c->pid = fork();
	if (c->pid < 0)
		return err_set(err, ERR_FAILED, "cannot start the recorder: %s", strerror(errno));
	if (c->pid == 0)
		become_recorder(o, targets, ready[1], c->words);
	close(ready[1]);
	FILE *f = fdopen(ready[0], "r");
	size_t cap = 0;
	*store = NULL;
	ssize_t n = f ? getline(store, &cap, f) : -1;
	if (n > 0 && (*store)[n - 1] == '\n') {
		(*store)[n - 1] = '\0';
	} else {
		free(*store);
		*store = NULL;
	}
	if (f)
		fclose(f);
	return 0;
}

/* Has the recorder ended? */
static bool child_ended(struct child *c)
{
	int status;
	if (c->pid && waitpid(c->pid, &status, WNOHANG) == c->pid) {
		c->pid = 0;
		c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	return !c->pid;
}

static bool recorder_alive(void *arg)
{
	return !child_ended(arg);
}

static void end_recorder(struct child *c)
{
	int status;
	if (child_ended(c))
		return;
	kill(c->pid, SIGTERM);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	c->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* What the recorder said while the screen was up. */
static void repeat_words(const struct child *c)
{
	char text[4096];
	ssize_t n;
	off_t at = 0;
	while ((n = pread(c->words, text, sizeof(text), at)) > 0) {
		fwrite(text, 1, (size_t)n, stderr);
		at += n;
	}
}

/* ---- without a screen ------------------------------------------------------------------ */

/* The last ten seconds, if there is anything new in them since `shown`. */
static int print_once(struct store *s, const struct options *o, int64_t *shown, struct err *err)
{
	if (store_refresh(s, err) < 0)
		return -1;
	struct range span = store_span(s);
	struct range_context context = {.span = span, .utc = o->utc};
	struct range last = {span.to - PLAIN_EVERY_S * NS_PER_S, span.to};
	if (last.from < span.from)
		last.from = span.from;
	if (last.from < *shown)
		last.from = *shown;
	if (span.from == span.to || span.to - *shown < NS_PER_S * 3 / 2)
		return 0;
	*shown = span.to;
	int rc = plain_print(s, last, &context, o, err);
	fflush(stdout);
	return rc;
}

/* Every ten seconds what the last ten were, until the recorder ends or somebody says so. */
static int show_plain(struct child *c, struct store *s, const struct options *o, struct err *err)
{
	int64_t next = clock_mono() + PLAIN_EVERY_S * NS_PER_S, shown = 0;
	const struct timespec pause = {0, 100 * NS_PER_MS};
	sigset_t ending;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	while (sigtimedwait(&ending, NULL, &pause) < 0 && !child_ended(c)) {
		if (clock_mono() < next)
			continue;
		next += PLAIN_EVERY_S * NS_PER_S;
		if (print_once(s, o, &shown, err))
			return -1;
	}
	end_recorder(c);
	return print_once(s, o, &shown, err);
}

/* ---- top ------------------------------------------------------------------------------- */

static int show(struct child *c, const char *store, const char *title, const struct options *o,
		struct err *err)
{
	struct names *names = names_new();
	struct store *s = NULL;
	int rc = store_open(&s, store, names, err);
	if (!rc && plain_wanted(o)) {
		rc = show_plain(c, s, o, err);
	} else if (!rc) {
		struct screen_opts opts = {.store = s,
					   .title = title,
					   .live = true,
					   .alive = recorder_alive,
					   .arg = c};
		rc = screen_run(&opts, o, err);
	}
	store_close(s);
	names_free(names);
	return rc;
}

/* The last word: what was kept, and how to see it again. */
static void say_kept(const struct options *o, const char *store)
{
	char *summary = recording_summary(store);
	const char *slash = strrchr(store, '/');
	if (*summary)
		err_note("kept %s: cprof view %s", summary,
			 o->output || !slash ? store : slash + 1);
	free(summary);
}

static int record_and_show(struct targets *targets, const struct options *o, struct err *err)
{
	struct child child = {0};
	char *store = NULL;
	int rc = start_recorder(&child, o, targets, &store, err);
	char title[128];
	if (o->command_argv)
		snprintf(title, sizeof(title), "%s", targets->name);
	else
		snprintf(title, sizeof(title), "%s %d", targets->name, targets->pids[0]);
	/* a command that could not be run has ended by now, and has been told of */
	bool failed = !store || (child_ended(&child) && child.status);
	if (!rc && !failed)
		rc = show(&child, store, title, o, err);
	end_recorder(&child);
	repeat_words(&child);
	int status = rc ? err_report(err) : child.status;
	if (store && !failed)
		say_kept(o, store);
	free(store);
	return status;
}

/* Somebody records it already: look at that. */
static int show_recording(const char *store, const struct options *o, struct err *err)
{
	struct names *names = names_new();
	struct store *s = NULL;
	int rc = store_open(&s, store, names, err);
	err_note("%d is being recorded already: showing %s", o->pids[0], store);
	if (!rc && plain_wanted(o)) {
		rc = print_once(s, o, &(int64_t){0}, err);
	} else if (!rc) {
		struct screen_opts opts = {.store = s, .title = NULL, .live = true};
		rc = screen_run(&opts, o, err);
	}
	store_close(s);
	names_free(names);
	return rc ? err_report(err) : 0;
}

int cmd_top(const struct options *o)
{
	struct targets targets = {NULL, 0, ""};
	struct err err;
	char *recording = o->npids == 1 && !o->output ? place_recording(o->pids[0]) : NULL;
	if (recording) {
		int status = show_recording(recording, o, &err);
		free(recording);
		return status;
	}
	if (o->command_argv ? targets_command(&targets, o, &err) : targets_find(&targets, o, &err))
		return err_report(&err);
	int status = record_and_show(&targets, o, &err);
	targets_release(&targets);
	return status;
}
