/* What a recording command samples, and where it records to. */
#include "cmd/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/options.h"
#include "sampler/launch.h"
#include "sampler/target.h"
#include "store/place.h"

#define KEEP_NS (INT64_C(7) * 86400 * NS_PER_S)
#define KEEP_BYTES (UINT64_C(2) * 1000 * 1000 * 1000)

static void add(struct targets *t, int pid)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->pids[i] == pid)
			return;
	t->pids = mem_realloc(t->pids, (t->count + 1) * sizeof(*t->pids));
	t->pids[t->count++] = pid;
}

/* Keep those that can be sampled; the first trouble is the error if none can. */
static int check(struct targets *t, const int *pids, size_t n, struct err *err)
{
	struct err trouble;
	for (size_t i = 0; i < n; i++) {
		int pid = pids[i];
		struct err e;
		if (!target_check(&pid, &e))
			add(t, pid);
		else if (n == 1)
			trouble = e;
		else
			err_note("%s", e.text);
	}
	if (t->count)
		return 0;
	if (n != 1)
		return err_set(err, ERR_FAILED, "none of the %zu processes can be sampled", n);
	*err = trouble;
	return -1;
}

int targets_find(struct targets *t, const struct options *o, struct err *err)
{
	*t = (struct targets){NULL, 0, ""};
	int *found = NULL, rc;
	if (o->name) {
		size_t n = target_find(o->name, &found);
		rc = n ? check(t, found, n, err)
		       : err_set(err, ERR_FAILED, "no process is called %s: see the names with ps -e",
				 o->name);
	} else {
		rc = check(t, o->pids, o->npids, err);
	}
	free(found);
	if (rc)
		targets_release(t);
	else
		target_name(t->pids[0], t->name, sizeof(t->name));
	return rc;
}

int targets_command(struct targets *t, const struct options *o, struct err *err)
{
	const char *slash = strrchr(o->command_argv[0], '/');
	snprintf(t->name, sizeof(t->name), "%s", slash ? slash + 1 : o->command_argv[0]);
	return launch_check(o->command_argv, err);
}

int targets_launch(struct targets *t, const struct options *o, struct launched *l, struct err *err)
{
	if (launch_start(l, o->command_argv, err))
		return -1;
	add(t, l->pid);
	return 0;
}

void targets_release(struct targets *t)
{
	free(t->pids);
	*t = (struct targets){NULL, 0, ""};
}

char *targets_store(const struct targets *t, const struct options *o, struct err *err)
{
	if (o->output)
		return mem_strdup(o->output);
	int64_t now = clock_real();
	place_retain(now, KEEP_NS, KEEP_BYTES);
	return place_new(t->name, t->count ? t->pids[0] : 0, now, err);
}

char *targets_command_line(const struct options *o)
{
	struct buf b = BUF_INIT;
	buf_fmt(&b, "cprof %s", o->command->name);
	if (o->command_argv)
		buf_str(&b, " --");
	for (char **a = o->command_argv; a && *a; a++)
		buf_fmt(&b, " %s", *a);
	if (o->name)
		buf_fmt(&b, " -n %s", o->name);
	for (size_t i = 0; i < o->npids; i++)
		buf_fmt(&b, "%s%d", i ? "," : " -p ", o->pids[i]);
	buf_fmt(&b, " -r %g", o->rate);
	return buf_take(&b);
}
