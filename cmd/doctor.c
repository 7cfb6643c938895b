/* cprof doctor: why it does or does not work here, and the one remedy. */
#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "sampler/doctor.h"
#include "store/place.h"

static void clean(struct buf *out, const char *s)
{
	text_clean(out, s, strlen(s));
}

static void print_findings(const struct findings *f)
{
	static const char *const words[] = {
		[FINDING_GOOD] = "yes ", [FINDING_LESS] = "less", [FINDING_BAD] = "NO  "};
	struct buf out = BUF_INIT;
	for (size_t i = 0; i < f->count; i++) {
		const struct finding *x = &f->items[i];
		buf_fmt(&out, "%s  %s: ", words[x->level], x->what);
		clean(&out, x->detail);
		if (x->remedy[0]) {
			buf_str(&out, "; ");
			clean(&out, x->remedy);
		}
		buf_char(&out, '\n');
	}
	fputs(buf_cstr(&out), stdout);
	buf_free(&out);
}

/* The folder, or the nearest of its parents that is there. */
static bool can_write(const char *path)
{
	char *parent = strdup(path);
	bool good = false;
	for (char *slash; parent && *parent; *slash = '\0') {
		if (!access(parent, F_OK)) {
			good = !access(parent, W_OK | X_OK);
			break;
		}
		slash = strrchr(parent, '/');
		if (!slash || slash == parent)
			break;
	}
	free(parent);
	return good;
}

static void see_place(struct findings *f)
{
	char *place = place_default();
	bool good = can_write(place);
	struct finding *x = &f->items[f->count++];
	*x = (struct finding){good ? FINDING_GOOD : FINDING_LESS, "keep recordings", "", ""};
	snprintf(x->detail, sizeof(x->detail), "%.150s %s", place,
		 good ? "can be written" : "cannot be written");
	if (!good)
		snprintf(x->remedy, sizeof(x->remedy), "set XDG_STATE_HOME, or use -o");
	free(place);
}

static void see_terminal(struct findings *f)
{
	const char *term = getenv("TERM");
	bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	bool tty = isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
	struct finding *x = &f->items[f->count++];
	*x = (struct finding){tty && utf8 ? FINDING_GOOD : FINDING_LESS, "the screen", "", ""};
	snprintf(x->detail, sizeof(x->detail), "TERM=%.40s, %s%s", term ? term : "",
		 utf8 ? "UTF-8" : "no UTF-8: drawn in ASCII", tty ? "" : ", no terminal: text only");
	if (!utf8)
		snprintf(x->remedy, sizeof(x->remedy), "export LC_ALL=C.UTF-8");
}

int cmd_doctor(const struct options *o)
{
	struct findings f = {.count = 0};
	if (!o->npids)
		doctor_machine(&f);
	for (size_t i = 0; i < o->npids && f.count + 4 < FINDINGS_MAX; i++)
		doctor_process(&f, o->pids[i]);
	if (!o->npids) {
		see_place(&f);
		see_terminal(&f);
	}
	print_findings(&f);
	for (size_t i = 0; i < f.count; i++)
		if (f.items[i].level == FINDING_BAD)
			return 1;
	return 0;
}
