/* A writer's dictionaries in memory. */
#include "store/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/codec.h"

enum { MAX_STACKS = 8 << 20 }; /* nodes; some 400 MB with their keys */

void tables_init(struct tables *t)
{
	*t = (struct tables){.nstacks = 1};
	t->stacks = mem_grow(t->stacks, &t->cap_stacks, 1, sizeof(*t->stacks));
	t->stacks[0] = (struct stack_record){0, 0};
	tables_written(t);
}

void tables_free(struct tables *t)
{
	intern_free(&t->strings);
	intern_free(&t->func_keys);
	intern_free(&t->process_keys);
	intern_free(&t->thread_keys);
	map64_free(&t->frame_keys);
	map64_free(&t->stack_keys);
	free(t->funcs);
	free(t->frames);
	free(t->stacks);
	free(t->processes);
	free(t->threads);
	free(t->sampled);
	*t = (struct tables){0};
}

static uint32_t string(struct tables *t, const char *s)
{
	return s ? intern_put(&t->strings, s, record_cut(s, strlen(s)), NULL)
		 : intern_put(&t->strings, "", 0, NULL);
}

uint32_t tables_func(struct tables *t, const struct writer_function *f)
{
	struct func_record r = {
		.kind = f->kind,
		.name = string(t, f->name),
		.module = string(t, f->module),
		.build = string(t, f->build_id),
		.file = string(t, f->file),
		.line = f->line,
	};
	bool fresh;
	uint32_t id = intern_put(&t->func_keys, &r, sizeof(r), &fresh);
	if (fresh) {
		t->funcs = mem_grow(t->funcs, &t->cap_funcs, t->nfuncs + 1, sizeof(*t->funcs));
		t->funcs[t->nfuncs++] = r;
	}
	return id;
}

uint32_t tables_frame(struct tables *t, uint32_t func, uint32_t line)
{
	uint32_t *id = map64_at(&t->frame_keys, (uint64_t)func << 32 | line, (uint32_t)t->nframes);
	if (*id == t->nframes) {
		t->frames = mem_grow(t->frames, &t->cap_frames, t->nframes + 1, sizeof(*t->frames));
		t->frames[t->nframes++] = (struct frame_record){func, line};
	}
	return *id;
}

uint32_t tables_stack(struct tables *t, uint32_t parent, uint32_t frame)
{
	uint32_t *id =
		map64_at(&t->stack_keys, (uint64_t)parent << 32 | frame, (uint32_t)t->nstacks);
	if (*id == t->nstacks) {
		t->stacks = mem_grow(t->stacks, &t->cap_stacks, t->nstacks + 1, sizeof(*t->stacks));
		t->stacks[t->nstacks++] = (struct stack_record){parent, frame};
	}
	return *id;
}

uint32_t tables_process(struct tables *t, const struct writer_process *p)
{
	struct process_record r;
	memset(&r, 0, sizeof(r)); /* its bytes are the key, padding too */
	r.pid = (uint32_t)p->pid;
	r.start_ticks = p->start_ticks;
	r.name = string(t, p->name);
	r.exe = string(t, p->exe);
	r.cmdline = string(t, p->cmdline);
	bool fresh;
	uint32_t id = intern_put(&t->process_keys, &r, sizeof(r), &fresh);
	if (fresh) {
		t->processes =
			mem_grow(t->processes, &t->cap_processes, t->nprocesses + 1, sizeof(r));
		t->processes[t->nprocesses++] = r;
	}
	return id;
}

uint32_t tables_thread(struct tables *t, uint32_t process, int tid, const char *name)
{
	struct thread_record r = {process, (uint32_t)tid, string(t, name)};
	bool fresh;
	uint32_t id = intern_put(&t->thread_keys, &r, sizeof(r), &fresh);
	if (fresh) {
		t->threads = mem_grow(t->threads, &t->cap_threads, t->nthreads + 1, sizeof(r));
		t->threads[t->nthreads++] = r;
	}
	return id;
}

void tables_sampled(struct tables *t, uint32_t stack)
{
	size_t byte = stack / 8;
	if (stack >= t->nstacks)
		return;
	if (byte >= t->cap_sampled) {
		size_t old = t->cap_sampled;
		t->sampled = mem_grow(t->sampled, &t->cap_sampled, byte + 1, 1);
		memset(t->sampled + old, 0, t->cap_sampled - old);
	}
	uint8_t bit = (uint8_t)(1u << stack % 8);
	t->nsampled += !(t->sampled[byte] & bit);
	t->sampled[byte] |= bit;
}

struct target {
	struct segment *segment;
	enum segment_table table;
};

static int put_value(void *arg, uint32_t first, const void *p, size_t n)
{
	const struct target *to = arg;
	struct segment_key key = key_number(first);
	return segment_put(to->segment, to->table, &key, p, n, true);
}

static void pack_strings(struct packer *p, const struct tables *t)
{
	for (size_t i = p->next; i < t->strings.count; i++) {
		size_t n;
		const void *s = intern_get(&t->strings, (uint32_t)i, &n);
		pack_string(p, s, n);
	}
}

#define PACKER(one, items, many)                                                                   \
	static void one##_all(struct packer *p, const struct tables *t)                            \
	{                                                                                          \
		for (size_t i = p->next; i < t->many; i++)                                         \
			one(p, &t->items[i]);                                                      \
	}
PACKER(pack_func, funcs, nfuncs)
PACKER(pack_frame, frames, nframes)
PACKER(pack_stack, stacks, nstacks)
PACKER(pack_process, processes, nprocesses)
PACKER(pack_thread, threads, nthreads)
#undef PACKER

int tables_put(const struct tables *t, struct segment *s)
{
	static const struct {
		enum segment_table table;
		void (*pack)(struct packer *p, const struct tables *t);
	} each[] = {
		{.table = TABLE_STRINGS, .pack = pack_strings},
		{.table = TABLE_FUNCS, .pack = pack_func_all},
		{.table = TABLE_FRAMES, .pack = pack_frame_all},
		{.table = TABLE_STACKS, .pack = pack_stack_all},
		{.table = TABLE_PROCESSES, .pack = pack_process_all},
		{.table = TABLE_THREADS, .pack = pack_thread_all},
	};
	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		struct target to = {s, each[i].table};
		struct packer p;
		packer_init(&p, t->written[to.table], CODEC_VALUE_BYTES, put_value, &to);
		each[i].pack(&p, t);
		int rc = packer_finish(&p);
		if (rc)
			return rc;
	}
	return 0;
}

void tables_written(struct tables *t)
{
	t->written[TABLE_STRINGS] = (uint32_t)t->strings.count;
	t->written[TABLE_FUNCS] = (uint32_t)t->nfuncs;
	t->written[TABLE_FRAMES] = (uint32_t)t->nframes;
	t->written[TABLE_STACKS] = (uint32_t)t->nstacks;
	t->written[TABLE_PROCESSES] = (uint32_t)t->nprocesses;
	t->written[TABLE_THREADS] = (uint32_t)t->nthreads;
}

bool tables_full(const struct tables *t)
{
	return t->nstacks > MAX_STACKS;
}
