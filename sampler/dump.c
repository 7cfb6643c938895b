/* The stacks of every thread of a process, once: one tick of the sampler, named at once. */
#include "sampler/dump.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "sampler/proc.h"
#include "sampler/sampler.h"
#include "sampler/stacker.h"

enum { RING_BYTES = 64 << 20, WAIT_NS = NS_PER_S };

struct dumper {
	struct dump *dump;
	struct space *space;
	struct unwind_lib *lib;
	enum unwinder how;
	struct unwound unwound;
	uint32_t *slots; /* slot -> index of the thread + 1 */
	size_t slots_cap;
};

static void add_frame(struct dump_thread *t, struct dump_frame f)
{
	t->frames = mem_grow(t->frames, &t->cap, t->count + 1, sizeof(*t->frames));
	t->frames[t->count++] = f;
}

static void add_kernel_frames(struct dump_thread *t, const struct msg_sample *m)
{
	const char *text = (const char *)m->stack + m->stack_len + m->tail_len, *end = text + m->kernel_len, *name;
	size_t len;
	while ((name = kernel_frame(&text, end, &len)))
		add_frame(t, (struct dump_frame){mem_strndup(name, len), mem_strdup("[kernel]"),
						 mem_strdup(""), KIND_KERNEL, 0, 0});
}

static void add_user_frames(struct dumper *d, struct dump_thread *t, const struct msg_sample *m)
{
	struct unwound *u = &d->unwound;
	stacker_unwind(d->how, d->space, d->lib, m, u);
	t->truncated = u->end != UNWIND_ROOT;
	for (size_t i = 0; i < u->count; i++) {
		struct frame_text f;
		space_describe(d->space, space_pc(d->space, u->pc[i]), &f);
		add_frame(t, (struct dump_frame){mem_strdup(f.name), mem_strdup(f.module),
						 mem_strdup(f.file), f.kind, f.line, u->pc[i] + (i > 0)});
	}
}

static void on_thread(struct dumper *d, const struct msg_thread *m)
{
	struct dump *dump = d->dump;
	size_t old = d->slots_cap;
	d->slots = mem_grow(d->slots, &d->slots_cap, m->msg.slot + 1, sizeof(*d->slots));
	memset(d->slots + old, 0, (d->slots_cap - old) * sizeof(*d->slots));
	dump->threads = mem_grow(dump->threads, &dump->cap, dump->count + 1, sizeof(*dump->threads));
	struct dump_thread *t = &dump->threads[dump->count++];
	*t = (struct dump_thread){.pid = m->pid, .tid = m->tid, .state = STATE_RUNNABLE};
	memcpy(t->name, m->comm, sizeof(t->name));
	d->slots[m->msg.slot] = (uint32_t)dump->count;
}

static void on_message(struct dumper *d, const struct msg *m)
{
	if (m->type == MSG_THREAD)
		on_thread(d, (const struct msg_thread *)m);
	if ((m->type != MSG_SAMPLE && m->type != MSG_SLEEP) || m->slot >= d->slots_cap)
		return;
	const struct msg_sample *s = (const struct msg_sample *)m;
	struct dump_thread *t = &d->dump->threads[d->slots[m->slot] - 1];
	t->state = (enum thread_state)m->state;
	add_kernel_frames(t, s);
	add_user_frames(d, t, s);
}

/* A leader that has ended while others run on is no thread any more. */
static void drop_ended(struct dump *d)
{
	size_t kept = 0;
	for (size_t i = 0; i < d->count; i++) {
		struct dump_thread *t = &d->threads[i];
		struct proc_stat st;
		bool ended = !t->count &&
			     (proc_stat(t->pid, t->tid, &st) || st.state == 'Z' || st.state == 'X');
		if (!ended)
			d->threads[kept++] = *t;
	}
	d->count = kept;
}

static int by_tid(const void *a, const void *b)
{
	const struct dump_thread *x = a, *y = b;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int take(struct dumper *d, int pid, struct ring *ring, struct err *err)
{
	_Atomic bool quit = false;
	struct sampler *sampler;
	struct sampler_opts opts = {
		.rate_hz = 1, .max_stop = 100, .whole_stacks = true, .kernel_stacks = true, .pids = &pid, .npids = 1, .quit = &quit};
	if (sampler_new(&sampler, &opts, ring, err))
		return -1;
	sampler_once(sampler, WAIT_NS);
	sampler_free(sampler);
	const struct msg *m;
	while ((m = ring_peek(ring))) {
		on_message(d, m);
		ring_release(ring, m->size);
	}
	return 0;
}

int dump_take(struct dump *dump, int pid, enum unwinder how, struct err *err)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	*dump = (struct dump){NULL, 0, 0};
	struct ring ring;
	if (ring_init(&ring, RING_BYTES))
		return err_set(err, ERR_FAILED, "cannot get memory: %s", strerror(errno));
	struct elf_cache *cache = elf_cache_new();
	struct dumper d = {.dump = dump, .space = space_new(pid, cache), .how = how};
	space_refresh(d.space);
	d.lib = unwind_lib_new(d.space);
	int rc = take(&d, pid, &ring, err);
	drop_ended(dump);
	if (dump->count)
		qsort(dump->threads, dump->count, sizeof(*dump->threads), by_tid);
	free(d.slots);
	unwind_lib_free(d.lib);
	space_free(d.space);
	elf_cache_free(cache);
	ring_free(&ring);
	return rc;
}

void dump_release(struct dump *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct dump_thread *t = &d->threads[i];
		for (size_t k = 0; k < t->count; k++) {
			free(t->frames[k].name);
			free(t->frames[k].module);
			free(t->frames[k].file);
		}
		free(t->frames);
	}
	free(d->threads);
}
