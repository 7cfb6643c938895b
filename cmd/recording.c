/* A recording as `record` and `top` run it: from the options to the exit status. */
#include "cmd/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"
#include "cmd/options.h"
#include "cmd/targets.h"
#include "sampler/launch.h"
#include "sampler/recorder.h"
#include "store/query.h"

enum { STATUS_PARTIAL = 3 };

/* The status of a recording that was made, whole or not; what is missing is said. */
static int judge(const struct options *o, const struct recorder_result *r)
{
	int status = 0;
	if (r->lost_seconds) {
		err_note("%llu seconds could not be written: %s",
			 (unsigned long long)r->lost_seconds, r->trouble);
		status = STATUS_PARTIAL;
	}
	if (o->duration_ns && r->targets_ended && !o->command_argv) {
		err_note("the target ended before the %g s were over; what there was is recorded",
			 (double)o->duration_ns / 1e9);
		status = STATUS_PARTIAL;
	}
	return status;
}

/* The command's own status, after the recording: one that still runs is ended. */
static int command_status(const struct options *o, struct launched *l, int status)
{
	if (!launch_ended(l)) {
		err_note("%s still ran: ended with TERM", o->command_argv[0]);
		launch_end(l);
	}
	int own = launch_wait(l);
	return status ? status : own;
}

/* Nothing is recorded: the command does not run either. */
static int give_up(const struct options *o, const struct launched *l, struct err *err)
{
	if (o->command_argv && err->code == ERR_FAILED)
		err->code = ERR_LAUNCH;
	int status = err_report(err);
	if (o->command_argv && err->code == ERR_LAUNCH)
		launch_end(l);
	return status;
}

int recording_run(const struct options *o, struct targets *targets, bool detached, int ready_fd,
		  char **store)
{
	struct err err;
	struct launched launched = {0};
	struct recorder_result result;
	*store = NULL;
	if (o->command_argv && targets_launch(targets, o, &launched, &err))
		return err_report(&err);
	char *path = targets_store(targets, o, &err);
	if (!path)
		return give_up(o, &launched, &err);
	struct buf output = BUF_INIT;
	buf_fmt(&output, "%s/output", path);
	char *command = targets_command_line(o);
	struct recorder_opts opts = {
		.pids = targets->pids,
		.npids = targets->count,
		.rate_hz = o->rate,
		.max_stop = o->max_stop,
		.duration_ns = o->duration_ns,
		.unwinder = o->unwinder,
		.store = path,
		.command = command,
		.launched = o->command_argv ? &launched : NULL,
		.output = detached ? buf_cstr(&output) : NULL,
		.ready_fd = ready_fd,
	};
	int status;
	if (recorder_run(&opts, &result, &err)) {
		status = give_up(o, &launched, &err);
		free(path);
	} else {
		*store = path;
		status = judge(o, &result);
		if (o->command_argv)
			status = command_status(o, &launched, status);
	}
	free(command);
	buf_free(&output);
	return status;
}

char *recording_summary(const char *store)
{
	struct buf b = BUF_INIT;
	struct names *names = names_new();
	struct store *s;
	struct store_info info;
	if (!store_open(&s, store, names, NULL)) {
		if (!query_info(s, &info, NULL)) {
			text_duration(&b, info.end - info.start);
			buf_str(&b, ", ");
			text_bytes(&b, info.bytes);
		}
		store_close(s);
	}
	names_free(names);
	return buf_take(&b);
}
