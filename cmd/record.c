/* cprof record: sample processes into a store, with no screen. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/recording.h"
#include "cmd/targets.h"

/* How a user names the store: its own words, or the folder's name in the default place. */
static const char *shown_name(const struct options *o, const char *store)
{
	const char *slash = strrchr(store, '/');
	return o->output || !slash ? store : slash + 1;
}

int cmd_record(const struct options *o)
{
	struct err err;
	struct targets targets = {NULL, 0, ""};
	char *store;
	if (o->command_argv ? targets_command(&targets, o, &err) : targets_find(&targets, o, &err))
		return err_report(&err);
	int status = recording_run(o, &targets, false, -1, &store);
	char *summary = store ? recording_summary(store) : NULL;
	if (summary && *summary)
		err_note("kept %s: cprof view %s", summary, shown_name(o, store));
	free(summary);
	free(store);
	targets_release(&targets);
	return status;
}
