/* cprof dump: the stacks of every thread, once. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/sheet.h"
#include "cmd/targets.h"
#include "sampler/dump.h"

static void clean(struct buf *out, const char *s)
{
	text_clean(out, s, strlen(s));
}

static void json_text(struct buf *out, const char *s)
{
	struct buf text = BUF_INIT;
	clean(&text, s);
	json_string(out, buf_cstr(&text));
	buf_free(&text);
}

static void text_thread(struct buf *out, const struct dump_thread *t)
{
	buf_fmt(out, "thread %d ", t->tid);
	clean(out, t->name);
	buf_fmt(out, " %s\n", state_name(t->state));
	for (size_t i = 0; i < t->count; i++) {
		const struct dump_frame *f = &t->frames[i];
		buf_fmt(out, "  #%-3zu ", i);
		clean(out, f->name);
		if (f->line) {
			buf_str(out, " (");
			clean(out, f->file);
			buf_fmt(out, ":%" PRIu32 ")", f->line);
		} else if (*f->module) {
			buf_str(out, " [");
			clean(out, f->module);
			buf_char(out, ']');
		}
		buf_char(out, '\n');
	}
	if (t->truncated)
		buf_str(out, "  (truncated)\n");
}

static void json_frame(struct buf *out, const struct dump_frame *f)
{
	buf_str(out, "{\"name\":");
	json_text(out, f->name);
	buf_str(out, ",\"module\":");
	json_text(out, f->module);
	buf_fmt(out, ",\"kind\":\"%s\",\"file\":", kind_name(f->kind));
	if (*f->file)
		json_text(out, f->file);
	else
		buf_str(out, "null");
	if (f->line)
		buf_fmt(out, ",\"line\":%" PRIu32, f->line);
	else
		buf_str(out, ",\"line\":null");
	if (f->address)
		buf_fmt(out, ",\"address\":\"0x%" PRIx64 "\"}", f->address);
	else
		buf_str(out, ",\"address\":null}");
}

static void json_thread(struct buf *out, const struct dump_thread *t)
{
	buf_fmt(out, "{\"pid\":%d,\"tid\":%d,\"name\":", t->pid, t->tid);
	json_text(out, t->name);
	buf_fmt(out, ",\"state\":\"%s\",\"truncated\":%s,\"frames\":[", state_name(t->state),
		t->truncated ? "true" : "false");
	for (size_t i = 0; i < t->count; i++) {
		if (i)
			buf_char(out, ',');
		json_frame(out, &t->frames[i]);
	}
	buf_str(out, "]}");
}

static int dump_process(const struct options *o, int pid, struct buf *out, bool *any)
{
	struct dump d;
	struct err err;
	if (dump_take(&d, pid, o->unwinder, &err))
		return err_report(&err);
	for (size_t i = 0; i < d.count; i++) {
		if (o->json && *any)
			buf_char(out, ',');
		*any = true;
		if (o->json)
			json_thread(out, &d.threads[i]);
		else
			text_thread(out, &d.threads[i]);
	}
	dump_release(&d);
	return 0;
}

int cmd_dump(const struct options *o)
{
	struct targets targets;
	struct err err;
	if (targets_find(&targets, o, &err))
		return err_report(&err);
	struct buf out = BUF_INIT;
	bool any = false;
	int status = 0;
	if (o->json)
		buf_str(&out, "{\"threads\":[");
	for (size_t i = 0; i < targets.count && !status; i++)
		status = dump_process(o, targets.pids[i], &out, &any);
	if (o->json)
		buf_str(&out, "]}\n");
	if (any)
		fwrite(out.data, 1, out.len, stdout);
	buf_free(&out);
	targets_release(&targets);
	return status;
}
