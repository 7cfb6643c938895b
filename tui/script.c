/* Keys from a string. */
#include "tui/script.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* "<80x24>": the bytes used, else 0. */
static size_t size_of(const char *s, int *cols, int *rows)
{
	int n = 0;
	if (sscanf(s, "<%dx%d>%n", cols, rows, &n) == 2 && n > 0)
		return (size_t)n;
	return 0;
}

static void settle(struct app *a)
{
	while (!app_settle(a))
		;
	app_draw(a);
}

int script_feed(struct app *a, const char *keys, struct err *err)
{
	settle(a);
	while (*keys && !a->ui.quit) {
		int cols, rows;
		int32_t key;
		size_t used = size_of(keys, &cols, &rows);
		if (used) {
			app_resize(a, cols, rows);
		} else if (*keys == ' ' || *keys == '\n') {
			used = 1;
		} else {
			used = key_parse(keys, &key);
			const char *end = *keys == '<' && key == '<' ? strchr(keys, '>') : NULL;
			if (end && end > keys + 1 && keys[1] != ' ')
				return err_set(err, ERR_USAGE, "unknown key %.*s",
					       (int)(end - keys) + 1, keys);
			app_key(a, key, NULL);
		}
		keys += used;
		settle(a);
	}
	return 0;
}

int tui_script(const struct tui_opts *opts, const char *keys, int cols, int rows, bool styles,
	       struct buf *out, struct err *err)
{
	struct app a;
	app_init(&a, opts, cols, rows, DEPTH_256, false);
	int rc = script_feed(&a, keys, err);
	if (rc == 0)
		cells_dump(out, &a.cells, styles);
	app_release(&a);
	return rc;
}
