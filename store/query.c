/* Reading a store: its segments, and what has been added to them. */
#include "store/query.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/codec.h"
#include "store/hold.h"
#include "store/reader.h"
#include "store/segment.h"

static void view_free(struct view *v)
{
	if (!v)
		return;
	pages_close(v->pages);
	dict_release(&v->dict);
	free(v->name);
	free(v);
}

/* ---- one segment ---- */

static bool edge_second(const struct record_batch *b, uint32_t *second)
{
	if (!b->count || b->items[0].nkey != SECOND_KEY_BYTES)
		return false;
	*second = (uint32_t)bytes_be(b->items[0].key, 4);
	return true;
}

static int view_span(struct view *v, struct err *err)
{
	struct record_batch b = RECORD_BATCH_INIT;
	struct page_range first = {.table = table_name(TABLE_HEAT), .limit = 1};
	int result = pages_last(v->pages, table_name(TABLE_HEAT), &b, err);
	v->empty = !edge_second(&b, &v->last);
	if (!result && !v->empty)
		result = pages_read(v->pages, &first, &b, err);
	if (!v->empty)
		v->empty = !edge_second(&b, &v->first) || v->first > v->last;
	record_batch_free(&b);
	return result;
}

char *view_meta(struct view *v, const char *name, size_t *n)
{
	struct record_batch b = RECORD_BATCH_INIT;
	struct segment_key from = key_name(name);
	struct page_range r = {
		.table = table_name(TABLE_META), .from = from.bytes, .nfrom = from.len, .limit = 1};
	char *value = NULL;
	if (!pages_read(v->pages, &r, &b, NULL) && b.count && b.items[0].nkey == from.len &&
	    !memcmp(b.items[0].key, from.bytes, from.len)) {
		value = mem_strndup((const char *)b.items[0].value, b.items[0].nvalue);
		*n = b.items[0].nvalue;
	}
	record_batch_free(&b);
	return value;
}

/* 1 it has grown, 0 not, -1 error. */
static int view_refresh(struct view *v, struct err *err)
{
	uint64_t version;
	if (pages_version(v->pages, &version, err))
		return -1;
	if (version == v->version)
		return 0;
	if (view_span(v, err))
		return -1;
	v->version = version;
	if (v->rate == 0) {
		size_t n;
		char *rate = view_meta(v, "rate_mhz", &n);
		struct bytes_in in = bytes_of(rate, rate ? n : 0);
		v->rate = (double)bytes_varint(&in) / 1000;
		free(rate);
	}
	return 1;
}

static struct view *view_open(const char *store, const char *name, struct err *err)
{
	struct buf b = BUF_INIT;
	struct view *v = mem_zalloc(1, sizeof(*v));
	buf_fmt(&b, "%s/%s/data.mdb", store, name);
	v->name = mem_strdup(name);
	v->empty = true;
	v->version = v->dict_version = UINT64_MAX;
	if (pages_open(&v->pages, b.data, err) || pages_check(v->pages, err) ||
	    view_refresh(v, err) < 0) {
		view_free(v);
		v = NULL;
	}
	buf_free(&b);
	return v;
}

int view_dict(struct store *s, struct view *v, struct err *err)
{
	if (v->dict_loaded && v->dict_version == v->version)
		return 0;
	if (dict_load(&v->dict, v->pages, s->names, err))
		return -1;
	v->dict_loaded = true;
	v->dict_version = v->version;
	return 0;
}

/* ---- the folder ---- */

static bool has_view(const struct store *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->views[i]->name, name))
			return true;
	return false;
}

/* Views of segments that retention removed go, too. */
static bool drop_missing(struct store *s)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct buf b = BUF_INIT;
		struct stat st;
		buf_fmt(&b, "%s/%s", s->path, s->views[i]->name);
		if (stat(b.data, &st) && errno == ENOENT)
			view_free(s->views[i]);
		else
			s->views[kept++] = s->views[i];
		buf_free(&b);
	}
	bool dropped = kept < s->count;
	s->count = kept;
	return dropped;
}

static int by_view_name(const void *a, const void *b)
{
	const struct view *const *x = a, *const *y = b;
	return strcmp((*x)->name, (*y)->name);
}

/* Open the segments that are new; one that is damaged costs only itself. 1, 0 or -1. */
static int list_segments(struct store *s, struct err *err)
{
	bool changed = drop_missing(s);
	DIR *d = opendir(s->path);
	if (!d)
		return err_set(err, ERR_FAILED, "cannot open %s: %s", s->path, strerror(errno));
	for (struct dirent *e; (e = readdir(d));) {
		struct err why = {0};
		if (strncmp(e->d_name, "seg-", 4) || has_view(s, e->d_name))
			continue;
		struct view *v = view_open(s->path, e->d_name, &why);
		if (v) {
			s->views = mem_grow(s->views, &s->cap, s->count + 1, sizeof(struct view *));
			s->views[s->count++] = v;
			changed = true;
		} else if (!s->damage) {
			s->damage = mem_strdup(why.text);
		}
	}
	closedir(d);
	if (s->count > 1)
		qsort(s->views, s->count, sizeof(struct view *), by_view_name);
	if (!s->count && s->damage)
		return err_set(err, ERR_FAILED, "%s", s->damage);
	return changed;
}

/* The folder's time is as fine as the kernel's tick: a change right after a look shows the same
 * time, so a folder that changed within the last second is listed again. */
static int maybe_list(struct store *s, struct err *err)
{
	struct stat st;
	if (stat(s->path, &st))
		return err_set(err, ERR_FAILED, "cannot open %s: %s", s->path, strerror(errno));
	int64_t changed = st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec;
	if (changed == s->changed.tv_sec * NS_PER_S + s->changed.tv_nsec &&
	    clock_real() - changed > NS_PER_S)
		return 0;
	s->changed = st.st_mtim;
	return list_segments(s, err);
}

int store_refresh(struct store *s, struct err *err)
{
	int grown = maybe_list(s, err);
	if (grown < 0)
		return -1;
	for (size_t i = 0; i < s->count; i++) {
		int r = view_refresh(s->views[i], err);
		if (r < 0)
			return -1;
		grown |= r;
	}
	s->generation += (unsigned)grown;
	return grown;
}

int store_open(struct store **out, const char *path, struct names *names, struct err *err)
{
	*out = NULL;
	if (hold_check(path, err))
		return -1;
	struct store *s = mem_zalloc(1, sizeof(*s));
	s->path = mem_strdup(path);
	s->names = names;
	if (store_refresh(s, err) < 0) {
		store_close(s);
		return -1;
	}
	*out = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++)
		view_free(s->views[i]);
	free(s->views);
	free(s->damage);
	free(s->path);
	free(s);
}

uint64_t store_generation(const struct store *s)
{
	return s->generation;
}

const char *store_path(const struct store *s)
{
	return s->path;
}

struct names *store_names(const struct store *s)
{
	return s->names;
}

const char *store_damage(const struct store *s)
{
	return s->damage;
}

struct range store_span(const struct store *s)
{
	struct range span = {0, 0};
	bool any = false;
	for (size_t i = 0; i < s->count; i++) {
		const struct view *v = s->views[i];
		if (v->empty)
			continue;
		int64_t from = v->first * NS_PER_S, to = (v->last + INT64_C(1)) * NS_PER_S;
		span.from = any && span.from < from ? span.from : from;
		span.to = any && span.to > to ? span.to : to;
		any = true;
	}
	return span;
}

double store_rate(const struct store *s)
{
	for (size_t i = s->count; i-- > 0;)
		if (s->views[i]->rate > 0)
			return s->views[i]->rate;
	struct holder h;
	hold_read(s->path, &h);
	double rate = h.rate_hz;
	holder_release(&h);
	return rate;
}

bool store_live(const struct store *s)
{
	struct holder h;
	hold_read(s->path, &h);
	bool live = h.live;
	holder_release(&h);
	return live;
}

/* ---- what queries share ---- */

struct second_span seconds_of(struct range r, const struct view *v)
{
	struct second_span none = {0, 0, true};
	if (v->empty || r.from >= r.to || r.to <= 0)
		return none;
	int64_t first = r.from < 0 ? 0 : r.from / NS_PER_S, last = (r.to - 1) / NS_PER_S;
	if (first < v->first)
		first = v->first;
	if (last > v->last)
		last = v->last;
	return first > last ? none : (struct second_span){(uint32_t)first, (uint32_t)last, false};
}

bool query_interrupted(const struct query *q, struct err *err)
{
	if (!q->interrupted || !q->interrupted(q->arg))
		return false;
	err_set(err, ERR_NONE, "interrupted");
	return true;
}

struct range covered_window(const struct log_part *p)
{
	int64_t covered = p->covered_ms, from = 0;
	if (p->nticks && p->tick_ms[p->nticks - 1] >= covered)
		from = p->tick_ms[0] < 1000 - covered ? p->tick_ms[0] : 1000 - covered;
	return (struct range){from * NS_PER_MS, (from + covered) * NS_PER_MS};
}
