/* cprof view: look at what was recorded. */
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/plain.h"
#include "cmd/options.h"
#include "cmd/look.h"

int cmd_view(const struct options *o)
{
	struct look look;
	struct names *names = names_new();
	struct err err;
	int status = 0;
	if (look_first(&look, o, names, &err)) {
		status = err_report(&err);
	} else {
		if (plain_print(look.store, look.range, &look.context, o, &err))
			status = err_report(&err);
		look_close(&look);
	}
	names_free(names);
	return status;
}
