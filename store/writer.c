/* Writing a store: segments, what is pending, and the commit. */
#include "store/writer.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/codec.h"
#include "store/hold.h"
#include "store/place.h"
#include "store/segment.h"
#include "store/stops.h"
#include "store/tables.h"

enum {
	DAY = 86400,
	SEGMENT_BYTES = 512 << 20,
	SPARE_BYTES = 32 << 20, /* left free on the disk, or SPARE_SHARE of a small one */
	SPARE_SHARE = 20,
	EVENT_TEXT_MAX = 1000,
};

/* A value that waits for the commit. */
struct pending {
	enum segment_table table;
	uint32_t second, process;
	uint64_t time_ns;          /* of an event */
	size_t order, offset, len; /* in pending_bytes */
};

/* The greatest key of log or heat: what is behind it is appended. */
struct last_key {
	bool any;
	uint64_t key;
	uint16_t part;
};

struct store_writer {
	char *path, *command;
	double rate_hz;
	uint64_t segment_bytes;
	int hold;
	bool linked; /* in the default place: see place_link */
	uint32_t epoch;

	struct segment *segment; /* NULL until there is something to write */
	char *folder;            /* its path, hidden until the first commit */
	bool hidden;
	int64_t day;
	int64_t last_second;
	struct tables tables;
	struct tables previous; /* of the segment before, from its end to the next commit */
	struct stops stops;
	struct last_key last[TABLE_COUNT];
	uint32_t nevents;

	struct pending *pending;
	size_t npending, cap_pending;
	struct buf pending_bytes;
};

const char *event_name(enum event_type t)
{
#define X(id, name) name,
	static const char *const names[] = {EVENT_TYPES(X)};
#undef X
	return (unsigned)t < EVENT_TYPE_COUNT ? names[t] : "note";
}

/* ---- open and close ---- */

/* A segment that never saw its first commit has a hidden name: see begin_segment. */
static void remove_unborn(const char *path)
{
	DIR *d = opendir(path);
	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		if (strncmp(e->d_name, ".seg-", 5))
			continue;
		static const char *const inside[] = {"/data.mdb", "/lock.mdb", ""};
		for (size_t i = 0; i < 3; i++) {
			struct buf b = BUF_INIT;
			buf_fmt(&b, "%s/%s%s", path, e->d_name, inside[i]);
			remove(b.data);
			buf_free(&b);
		}
	}
	closedir(d);
}

static void reset_tables(struct store_writer *w)
{
	tables_free(&w->previous);
	w->previous = w->tables;
	tables_init(&w->tables);
	memset(&w->stops, 0, sizeof(w->stops));
	memset(w->last, 0, sizeof(w->last));
	w->nevents = 0;
}

static void writer_free(struct store_writer *w)
{
	segment_close(w->segment);
	if (w->linked)
		place_unlink();
	if (w->hold >= 0)
		close(w->hold);
	tables_free(&w->tables);
	tables_free(&w->previous);
	buf_free(&w->pending_bytes);
	free(w->pending);
	free(w->folder);
	free(w->path);
	free(w->command);
	free(w);
}

int writer_open(struct store_writer **out, const char *path, const struct writer_opts *opts,
		struct err *err)
{
	*out = NULL;
	if (hold_create(path, err))
		return -1;
	int hold = hold_take(path, err);
	if (hold < 0)
		return -1;
	struct store_writer *w = mem_zalloc(1, sizeof(*w));
	char *absolute = realpath(path, NULL);
	w->path = absolute ? absolute : mem_strdup(path);
	w->command = mem_strdup(opts->command ? opts->command : "");
	w->rate_hz = opts->rate_hz;
	w->segment_bytes = opts->segment_bytes ? opts->segment_bytes : SEGMENT_BYTES;
	w->hold = hold;
	w->epoch = 1; /* 0 is free for `none` */
	remove_unborn(w->path);
	reset_tables(w);
	if (writer_announce(w, NULL, 0, err)) {
		writer_free(w);
		return -1;
	}
	*out = w;
	return 0;
}

int writer_close(struct store_writer *w, struct err *err)
{
	if (!w)
		return 0;
	int result = writer_commit(w, err);
	writer_free(w);
	return result;
}

uint32_t writer_epoch(const struct store_writer *w)
{
	return w->epoch;
}

const char *writer_path(const struct store_writer *w)
{
	return w->path;
}

int writer_announce(struct store_writer *w, const int *pids, size_t n, struct err *err)
{
	if (hold_announce(w->hold, w->rate_hz, pids, n, err))
		return -1;
	if (n && !w->linked)
		place_link(w->path);
	w->linked |= n > 0;
	return 0;
}

/* ---- interning ---- */

uint32_t writer_func(struct store_writer *w, const struct writer_function *f)
{
	return tables_func(&w->tables, f);
}

uint32_t writer_frame(struct store_writer *w, uint32_t func, uint32_t line)
{
	return tables_frame(&w->tables, func, line);
}

uint32_t writer_stack(struct store_writer *w, uint32_t parent, uint32_t frame)
{
	return tables_stack(&w->tables, parent, frame);
}

uint32_t writer_process(struct store_writer *w, const struct writer_process *p)
{
	return tables_process(&w->tables, p);
}

uint32_t writer_thread(struct store_writer *w, uint32_t process, int tid, const char *name)
{
	return tables_thread(&w->tables, process, tid, name);
}

uint32_t writer_carry(struct store_writer *w, uint32_t stack)
{
	return tables_carry(&w->tables, &w->previous, stack);
}

/* ---- what is pending ---- */

static void add_pending(struct store_writer *w, const struct pending *like, const void *p, size_t n)
{
	w->pending = mem_grow(w->pending, &w->cap_pending, w->npending + 1, sizeof(*w->pending));
	struct pending *x = &w->pending[w->npending];
	*x = *like;
	x->order = w->npending++;
	x->offset = w->pending_bytes.len;
	x->len = n;
	buf_bytes(&w->pending_bytes, p, n);
}

struct log_put {
	struct store_writer *w;
	struct pending like;
};

static void put_part(void *arg, const void *p, size_t n)
{
	struct log_put *to = arg;
	add_pending(to->w, &to->like, p, n);
}

static uint32_t clamp_second(int64_t s)
{
	return s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

void writer_second(struct store_writer *w, const struct second *s)
{
	struct second kept = *s;
	if (kept.covered_ms > 1000)
		kept.covered_ms = 1000;
	struct log_put to = {
		w, {.table = TABLE_LOG, .second = clamp_second(s->time), .process = s->process}};
	codec_encode(&kept, put_part, &to);

	struct buf b = BUF_INIT;
	struct heat h = heat_of(&kept);
	heat_encode(&b, &h);
	to.like.table = TABLE_HEAT;
	add_pending(w, &to.like, b.data, b.len);
	buf_free(&b);

	for (size_t i = 0; i < s->nthreads; i++)
		for (size_t k = 0; k < s->threads[i].nruns; k++)
			tables_sampled(&w->tables, s->threads[i].runs[k].stack);
}

void writer_stop_time(struct store_writer *w, uint64_t ns)
{
	stops_add(&w->stops, ns);
}

void writer_event(struct store_writer *w, int64_t time_ns, enum event_type type, uint32_t process,
		  const char *text)
{
	struct buf b = BUF_INIT;
	bytes_put_varint(&b, (uint64_t)type);
	bytes_put_varint(&b, process == WRITER_NO_PROCESS ? 0 : (uint64_t)process + 1);
	if (text)
		buf_bytes(&b, text, strnlen(text, EVENT_TEXT_MAX));
	struct pending like = {
		.table = TABLE_EVENTS,
		.second = clamp_second(time_ns / NS_PER_S),
		.time_ns = time_ns < 0 ? 0 : (uint64_t)time_ns,
	};
	add_pending(w, &like, b.data, b.len);
	buf_free(&b);
}

/* ---- the commit ---- */

/* A free name, seg-20261201T130731Z, hidden by a dot: the folder is shown by renaming it once
 * something is in it, so that what is seen is always whole. */
static char *name_segment(const struct store_writer *w, int64_t second)
{
	time_t t = (time_t)second;
	struct tm tm;
	char stamp[32], suffix[16] = "";
	if (!gmtime_r(&t, &tm) || !strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm))
		snprintf(stamp, sizeof(stamp), "%lld", (long long)second);
	for (unsigned i = 2;; i++) {
		struct buf shown = BUF_INIT, hidden = BUF_INIT;
		struct stat st;
		buf_fmt(&shown, "%s/seg-%s%s", w->path, stamp, suffix);
		buf_fmt(&hidden, "%s/.seg-%s%s", w->path, stamp, suffix);
		bool free_name = stat(shown.data, &st) && errno == ENOENT;
		buf_free(&shown);
		if (free_name)
			return buf_take(&hidden);
		buf_free(&hidden);
		snprintf(suffix, sizeof(suffix), "-%u", i);
	}
}

static int begin_segment(struct store_writer *w, struct err *err)
{
	int64_t second = w->pending[0].second;
	free(w->folder);
	w->folder = name_segment(w, second);
	w->hidden = true;
	w->day = second / DAY;
	w->last_second = second;
	if (mkdir(w->folder, 0777) && errno != EEXIST)
		return err_set(err, ERR_FAILED, "cannot write to %s: %s", w->path, strerror(errno));
	return segment_open(&w->segment, w->folder, err);
}

static int show_segment(struct store_writer *w, struct err *err)
{
	struct buf b = BUF_INIT;
	buf_fmt(&b, "%s/%s", w->path, strrchr(w->folder, '/') + 2);
	if (segment_rename(w->segment, b.data, err)) {
		buf_free(&b);
		return -1;
	}
	free(w->folder);
	w->folder = buf_take(&b);
	w->hidden = false;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;
	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->second != y->second)
		return x->second < y->second ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

struct commit {
	struct store_writer *w;
	struct last_key last[TABLE_COUNT];
	uint32_t nevents;
};

/* The clock went back: behind the parts that the second has already. */
static uint16_t next_part(struct segment *s, const struct pending *x)
{
	struct segment_key like = key_second(x->second, x->process, UINT16_MAX), key = like;
	int rc = segment_find_last(s, x->table, &key);
	bool same = !rc && key.len == like.len && !memcmp(key.bytes, like.bytes, like.len - 2);
	return same ? (uint16_t)(bytes_be(key.bytes + like.len - 2, 2) + 1) : 0;
}

static int put_second(struct commit *c, const struct pending *x, const void *p)
{
	struct last_key *last = &c->last[x->table];
	uint64_t key = (uint64_t)x->second << 32 | x->process;
	bool append = !last->any || key >= last->key;
	uint16_t part = last->any && key == last->key ? (uint16_t)(last->part + 1) : 0;
	if (!append)
		part = next_part(c->w->segment, x);
	else
		*last = (struct last_key){true, key, part};
	struct segment_key k = key_second(x->second, x->process, part);
	return segment_put(c->w->segment, x->table, &k, p, x->len, append);
}

static int put_meta(struct segment *s, const char *name, const void *p, size_t n)
{
	struct segment_key key = key_name(name);
	return segment_put(s, TABLE_META, &key, p, n, false);
}

static int put_about(const struct store_writer *w)
{
	struct segment *s = w->segment;
	struct buf b = BUF_INIT;
	int rc = 0;
	if (w->hidden) { /* what never changes */
		bytes_put_varint(&b, (uint64_t)(w->rate_hz * 1000 + 0.5));
		rc = put_meta(s, "rate_mhz", b.data, b.len);
		if (!rc)
			rc = put_meta(s, "command", w->command,
				      strnlen(w->command, RECORD_STRING_MAX));
	}
	buf_clear(&b);
	bytes_put_varint(&b, w->tables.nsampled);
	if (!rc)
		rc = put_meta(s, "sampled", b.data, b.len);
	buf_clear(&b);
	stops_encode(&b, &w->stops);
	if (!rc)
		rc = put_meta(s, "stops", b.data, b.len);
	buf_free(&b);
	return rc;
}

static int fill(struct segment *s, void *arg)
{
	struct commit *c = arg;
	const struct store_writer *w = c->w;
	memcpy(c->last, w->last, sizeof(c->last));
	c->nevents = w->nevents;
	int rc = tables_put(&w->tables, s);
	for (size_t i = 0; !rc && i < w->npending; i++) {
		const struct pending *x = &w->pending[i];
		const char *p = w->pending_bytes.data + x->offset;
		if (x->table == TABLE_EVENTS) {
			struct segment_key key = key_event(x->time_ns, c->nevents++);
			rc = segment_put(s, TABLE_EVENTS, &key, p, x->len, false);
		} else {
			rc = put_second(c, x, p);
		}
	}
	return rc ? rc : put_about(w);
}

/* Stop before the disk is full for everybody else. */
static int check_room(const struct store_writer *w, struct err *err)
{
	struct statvfs fs;
	if (statvfs(w->path, &fs))
		return 0; /* the commit tells what is wrong */
	uint64_t room = (uint64_t)fs.f_bavail * fs.f_frsize,
		 all = (uint64_t)fs.f_blocks * fs.f_frsize;
	uint64_t spare = all / SPARE_SHARE < SPARE_BYTES ? all / SPARE_SHARE : SPARE_BYTES;
	if (room >= spare)
		return 0;
	return err_set(err, ERR_FAILED,
		       "cannot write to %s: the disk is full; make room, or record to another disk",
		       w->path);
}

static void note_time(struct store_writer *w)
{
	for (size_t i = 0; i < w->npending; i++)
		if (w->pending[i].table == TABLE_HEAT)
			w->last_second = w->pending[i].second;
}

static void drop_pending(struct store_writer *w)
{
	w->npending = 0;
	buf_clear(&w->pending_bytes);
}

/* The next second belongs to another day, or the segment has grown enough. */
static void maybe_end_segment(struct store_writer *w)
{
	if ((w->last_second + 1) / DAY == w->day && segment_bytes(w->segment) < w->segment_bytes &&
	    !tables_full(&w->tables))
		return;
	segment_close(w->segment);
	w->segment = NULL;
	reset_tables(w);
	w->epoch++;
}

/* What is written into a folder that has been removed is seen by nobody. */
static int check_there(const struct store_writer *w, struct err *err)
{
	struct stat st;
	if (!w->segment || !stat(w->folder, &st))
		return 0;
	return err_set(err, ERR_FAILED, "cannot write to %s: it has been removed; record to another store",
		       w->path);
}

int writer_commit(struct store_writer *w, struct err *err)
{
	if (!w->npending)
		return 0;
	if (check_there(w, err) || check_room(w, err) || (!w->segment && begin_segment(w, err))) {
		drop_pending(w);
		return -1;
	}
	note_time(w);
	qsort(w->pending, w->npending, sizeof(*w->pending), by_key);
	struct commit c = {.w = w};
	int result = segment_commit(w->segment, fill, &c, err);
	drop_pending(w);
	if (result)
		return -1;
	tables_written(&w->tables);
	tables_free(&w->previous);
	memcpy(w->last, c.last, sizeof(w->last));
	w->nevents = c.nevents;
	if (w->hidden && show_segment(w, err))
		return -1;
	maybe_end_segment(w);
	return 0;
}
