/* A segment's dictionaries in memory, for reading. */
#include "store/dict.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "store/segment.h"

enum { BATCH_BYTES = 256 << 10 };

void dict_release(struct dict *d)
{
	buf_free(&d->text);
	free(d->strings);
	free(d->funcs);
	free(d->frames);
	free(d->stacks);
	free(d->processes);
	free(d->threads);
	free(d->func_ids);
	free(d->line_ids);
	*d = (struct dict){0};
}

const char *dict_string(const struct dict *d, uint32_t id)
{
	return id < d->nstrings ? d->text.data + d->strings[id] : "";
}

/* ---- values into arrays ---- */

static void take_strings(struct dict *d, struct unpacker *u)
{
	const char *s;
	size_t n;
	while (unpack_string(u, &s, &n)) {
		d->strings =
			mem_grow(d->strings, &d->cap_strings, d->nstrings + 1, sizeof(*d->strings));
		d->strings[d->nstrings++] = d->text.len;
		buf_bytes(&d->text, s, n);
		buf_char(&d->text, '\0');
	}
}

#define TAKER(one, type, items, count)                                                             \
	static void take_##items(struct dict *d, struct unpacker *u)                               \
	{                                                                                          \
		struct type r;                                                                     \
		while (one(u, &r)) {                                                               \
			d->items = mem_grow(d->items, &d->cap_##items, d->count + 1, sizeof(r));   \
			d->items[d->count++] = r;                                                  \
		}                                                                                  \
	}
TAKER(unpack_func, func_record, funcs, nfuncs)
TAKER(unpack_frame, frame_record, frames, nframes)
TAKER(unpack_stack, stack_record, stacks, nstacks)
TAKER(unpack_process, process_record, processes, nprocesses)
TAKER(unpack_thread, thread_record, threads, nthreads)
#undef TAKER

static int damaged(enum segment_table table, struct err *err)
{
	return err_set(err, ERR_FAILED,
		       "cannot read the recording: its table of %s is damaged; restore it or "
		       "remove that segment",
		       table_name(table));
}

struct loader {
	enum segment_table table;
	void (*take)(struct dict *d, struct unpacker *u);
	size_t count; /* offset in struct dict of what is there */
};

static size_t count_of(const struct dict *d, const struct loader *l)
{
	size_t n;
	memcpy(&n, (const char *)d + l->count, sizeof(n));
	return n;
}

static int load_table(struct dict *d, struct pages *p, const struct loader *l, struct err *err)
{
	struct record_batch b = RECORD_BATCH_INIT;
	int result = 0;
	do {
		struct segment_key from = key_number((uint32_t)count_of(d, l));
		struct page_range r = {
			.table = table_name(l->table),
			.from = from.bytes,
			.nfrom = from.len,
			.limit = BATCH_BYTES,
		};
		result = pages_read(p, &r, &b, err);
		for (size_t i = 0; !result && i < b.count; i++) {
			struct unpacker u;
			size_t first = b.items[i].nkey == from.len ? bytes_be(b.items[i].key, 4)
								   : SIZE_MAX;
			if (first != count_of(d, l)) {
				result = damaged(l->table, err);
				break;
			}
			unpacker_init(&u, (uint32_t)first, b.items[i].value, b.items[i].nvalue);
			l->take(d, &u);
			if (u.in.bad)
				result = damaged(l->table, err);
		}
	} while (!result && b.more);
	record_batch_free(&b);
	return result;
}

/* ---- what refers to what ---- */

/* Numbers that lead nowhere are damage; found here, once, they need no check later. */
static int check_references(const struct dict *d, size_t frames, size_t stacks, size_t threads,
			    struct err *err)
{
	for (size_t i = d->nfunc_ids; i < d->nfuncs; i++)
		if (d->funcs[i].kind >= KIND_COUNT)
			return damaged(TABLE_FUNCS, err);
	for (size_t i = frames; i < d->nframes; i++)
		if (d->frames[i].func >= d->nfuncs)
			return damaged(TABLE_FRAMES, err);
	for (size_t i = stacks; i < d->nstacks; i++)
		if (i && d->stacks[i].frame >= d->nframes)
			return damaged(TABLE_STACKS, err);
	for (size_t i = threads; i < d->nthreads; i++)
		if (d->threads[i].process >= d->nprocesses)
			return damaged(TABLE_THREADS, err);
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static struct func func_of(const struct dict *d, uint32_t func)
{
	const struct func_record *r = &d->funcs[func];
	const char *module = dict_string(d, r->module);
	return (struct func){
		.kind = r->kind,
		.name = dict_string(d, r->name),
		.module = r->kind == KIND_PYTHON ? module : base_name(module),
		.file = dict_string(d, r->file),
		.line = r->line,
	};
}

static void number_funcs(struct dict *d, struct names *names)
{
	d->func_ids = mem_grow(d->func_ids, &d->cap_func_ids, d->nfuncs, sizeof(*d->func_ids));
	for (; d->nfunc_ids < d->nfuncs; d->nfunc_ids++) {
		struct func f = func_of(d, (uint32_t)d->nfunc_ids);
		d->func_ids[d->nfunc_ids] = names_put(names, &f);
	}
	d->line_ids = mem_grow(d->line_ids, &d->cap_line_ids, d->nframes, sizeof(*d->line_ids));
	for (; d->nline_ids < d->nframes; d->nline_ids++)
		d->line_ids[d->nline_ids] = DICT_NO_ID;
}

uint32_t dict_line_id(struct dict *d, uint32_t frame, struct names *names)
{
	if (d->line_ids[frame] == DICT_NO_ID) {
		const struct frame_record *r = &d->frames[frame];
		struct func f = func_of(d, r->func);
		f.line = r->line ? r->line : f.line;
		d->line_ids[frame] = names_put_line(names, &f);
	}
	return d->line_ids[frame];
}

int dict_load(struct dict *d, struct pages *p, struct names *names, struct err *err)
{
	/* what refers comes before what it refers to: a writer may add to all of them meanwhile */
	static const struct loader loaders[] = {
		{TABLE_THREADS, take_threads, offsetof(struct dict, nthreads)},
		{TABLE_PROCESSES, take_processes, offsetof(struct dict, nprocesses)},
		{TABLE_STACKS, take_stacks, offsetof(struct dict, nstacks)},
		{TABLE_FRAMES, take_frames, offsetof(struct dict, nframes)},
		{TABLE_FUNCS, take_funcs, offsetof(struct dict, nfuncs)},
		{TABLE_STRINGS, take_strings, offsetof(struct dict, nstrings)},
	};
	if (!d->nstacks) {
		d->stacks = mem_grow(d->stacks, &d->cap_stacks, 1, sizeof(*d->stacks));
		d->stacks[d->nstacks++] = (struct stack_record){0, 0};
	}
	size_t frames = d->nframes, stacks = d->nstacks, threads = d->nthreads;
	for (size_t i = 0; i < sizeof(loaders) / sizeof(loaders[0]); i++)
		if (load_table(d, p, &loaders[i], err))
			return -1;
	if (check_references(d, frames, stacks, threads, err))
		return -1;
	number_funcs(d, names);
	return 0;
}
