/* From a command's options to the screen. */
#include "cmd/screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "cmd/options.h"
#include "store/query.h"
#include "tui/app.h"

static void recorder_status(void *arg, struct buf *out)
{
	const struct screen_opts *s = arg;
	if (s->alive && !s->alive(s->arg))
		buf_str(out, "ended");
}

/* "orders-api 4711", by the store's busiest words: its folder's name. */
static const char *title_of(const struct screen_opts *s)
{
	const char *path = store_path(s->store), *slash = strrchr(path, '/');
	return s->title ? s->title : slash && slash[1] ? slash + 1 : path;
}

int screen_run(const struct screen_opts *s, const struct options *o, struct err *err)
{
	const char *no_color = getenv("NO_COLOR");
	int theme = o->theme ? theme_parse(o->theme) : THEME_DEFAULT;
	if (theme < 0)
		return err_set(err, ERR_USAGE,
			       "no theme is called %s: take default, light, classic or monochrome",
			       o->theme);
	struct tui_opts opts = {
		.store = s->store,
		.names = store_names(s->store),
		.title = title_of(s),
		.store_path = store_path(s->store),
		.view_only = !s->live,
		.range = s->range,
		.filter = &o->filter,
		.utc = o->utc,
		.theme = (enum theme_id)theme,
		.ascii = o->ascii,
		.no_colour = o->color == COLOR_NEVER ||
			     (o->color == COLOR_AUTO && no_color && *no_color),
		.no_mouse = o->no_mouse,
		.recorder_status = recorder_status,
		.recorder_arg = (void *)s,
	};
	return tui_run(&opts, err);
}
