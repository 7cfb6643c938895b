/* cprof view: look at what was recorded. */
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/plain.h"
#include "cmd/options.h"
#include "cmd/screen.h"
#include "cmd/look.h"

static int show(struct look *look, const struct options *o, struct err *err)
{
	if (plain_wanted(o))
		return plain_print(look->store, look->range, &look->context, o, err);
	struct screen_opts screen = {.store = look->store};
	if (o->range || o->from || o->to)
		screen.range = look->range;
	return screen_run(&screen, o, err);
}

int cmd_view(const struct options *o)
{
	struct look look;
	struct names *names = names_new();
	struct err err;
	int status = 0;
	if (look_first(&look, o, names, &err)) {
		status = err_report(&err);
	} else {
		if (show(&look, o, &err))
			status = err_report(&err);
		look_close(&look);
	}
	names_free(names);
	return status;
}
