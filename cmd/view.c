/* cprof view: look at what was recorded. */
#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/plain.h"
#include "cmd/options.h"
#include "cmd/select.h"

int cmd_view(const struct options *o)
{
	struct selection sel;
	struct names *names = names_new();
	struct err err;
	int status = 0;
	if (select_first(&sel, o, names, &err)) {
		status = err_report(&err);
	} else {
		if (plain_print(sel.store, sel.range, &sel.context, o, &err))
			status = err_report(&err);
		select_close(&sel);
	}
	names_free(names);
	return status;
}
