/* What a reading command looks at: the store, and the range of it that was asked for. */
#include "cmd/look.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "cmd/options.h"
#include "store/place.h"

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

void look_damage(const struct store *s)
{
	if (store_damage(s))
		err_note("%s", store_damage(s));
}

int look_open(struct look *s, const struct options *o, const char *store, struct names *names,
	      struct err *err)
{
	*s = (struct look){0};
	char *path = store ? place_resolve(store) : place_latest(err);
	if (!path)
		return -1;
	if (!store)
		err_note("showing %s", last_part(path));
	int failed = store_open(&s->store, path, names, err) || marks_load(&s->marks, path, err);
	free(path);
	if (failed) {
		look_close(s);
		return -1;
	}
	look_damage(s->store);
	s->range = store_span(s->store);
	s->context = (struct range_context){s->range, o->utc, marks_range, &s->marks};
	return 0;
}

void look_close(struct look *s)
{
	marks_release(&s->marks);
	if (s->store)
		store_close(s->store);
	*s = (struct look){0};
}

int look_clip(struct look *s, struct range want, struct err *err)
{
	struct range got = want;
	struct buf span = BUF_INIT, text = BUF_INIT;
	enum range_clip clip = range_clip(&got, s->context.span);
	range_text(&span, s->context.span, &s->context);
	if (clip == RANGE_OUTSIDE) {
		range_text(&text, want, &s->context);
		err_set(err, ERR_FAILED, "nothing was recorded in %s; the store holds %s",
			buf_cstr(&text), buf_cstr(&span));
	} else {
		if (clip == RANGE_CLIPPED)
			err_note("the range is clipped to what the store holds: %s",
				 buf_cstr(&span));
		s->range = got;
	}
	buf_free(&span);
	buf_free(&text);
	return clip == RANGE_OUTSIDE ? -1 : 0;
}

int look_range(struct look *s, const struct options *o, struct err *err)
{
	if (!o->range && !o->from && !o->to)
		return 0;
	struct range want;
	struct buf text = BUF_INIT;
	if (o->range)
		buf_str(&text, o->range);
	else
		buf_fmt(&text, "%s..%s", o->from ? o->from : "", o->to ? o->to : "");
	int failed = range_parse(buf_cstr(&text), &s->context, &want, err);
	buf_free(&text);
	return failed ? -1 : look_clip(s, want, err);
}

int look_first(struct look *s, const struct options *o, struct names *names, struct err *err)
{
	if (look_open(s, o, o->nargs ? o->args[0] : NULL, names, err))
		return -1;
	if (!look_range(s, o, err))
		return 0;
	look_close(s);
	return -1;
}

void look_text(struct buf *out, const struct look *s)
{
	range_text(out, s->range, &s->context);
	buf_char(out, ' ');
	time_zone(out, s->range.from, s->context.utc);
}
