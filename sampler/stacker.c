/* From a raw sample to frames. */
#include "sampler/stacker.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/map64.h"
#include "base/mem.h"
#include "store/writer.h"

struct stacker {
	struct store_writer *writer;
	enum unwinder how;
	struct unwound unwound; /* scratch */
	struct intern kernel;   /* names of kernel frames */
	struct map64 kernel_frames; /* name's number -> the store's frame */
	uint32_t truncated, elided, lost; /* frames that are marks; 0: not made yet, else frame + 1 */
};

void stacker_unwind(enum unwinder how, struct space *space, struct unwind_lib *lib,
		    const struct msg_sample *m, struct unwound *out)
{
	struct stack_copy stack = {m->stack_base, m->stack_len, m->stack};
	if (!reg_known(&m->regs, REG_PC)) {
		out->count = out->elided = 0;
		out->deepest = 0;
		out->end = UNWIND_TRUNCATED;
		return;
	}
	if (how == UNWINDER_LIBUNWIND && lib) {
		unwind_lib(lib, &m->regs, &stack, out);
		return;
	}
	unwind_rows(space, &m->regs, &stack, out);
	if (out->end == UNWIND_COMPLEX && lib)
		unwind_lib(lib, &m->regs, &stack, out);
}

const char *kernel_frame(const char **text, const char *end, size_t *len)
{
	while (*text < end) {
		const char *line = *text;
		const char *eol = memchr(line, '\n', (size_t)(end - line));
		if (!eol)
			eol = end;
		*text = eol < end ? eol + 1 : end;
		const char *name = memchr(line, ' ', (size_t)(eol - line));
		if (!name || name + 1 >= eol)
			continue;
		name++;
		const char *plus = memchr(name, '+', (size_t)(eol - name));
		*len = (size_t)((plus ? plus : eol) - name);
		if (*len)
			return name;
	}
	return NULL;
}

struct stacker *stacker_new(struct store_writer *w, enum unwinder how)
{
	struct stacker *s = mem_zalloc(1, sizeof(*s));
	s->writer = w;
	s->how = how;
	return s;
}

void stacker_free(struct stacker *s)
{
	if (!s)
		return;
	intern_free(&s->kernel);
	map64_free(&s->kernel_frames);
	free(s);
}

void stacker_new_epoch(struct stacker *s)
{
	map64_clear(&s->kernel_frames);
	s->truncated = s->elided = s->lost = 0;
}

static uint32_t mark_frame(struct stacker *s, uint32_t *slot, const char *name)
{
	if (!*slot) {
		struct writer_function f = {.kind = KIND_UNKNOWN, .name = name};
		*slot = writer_frame(s->writer, writer_func(s->writer, &f), 0) + 1;
	}
	return *slot - 1;
}

uint32_t stacker_lost(struct stacker *s)
{
	return writer_stack(s->writer, WRITER_ROOT, mark_frame(s, &s->lost, "[no stack]"));
}

static uint32_t frame_of(struct stacker *s, struct space *space, uint64_t pc)
{
	struct pc_info *info = space_pc(space, pc);
	if (!info->label) {
		struct frame_text t;
		space_describe(space, info, &t);
		struct writer_function f = {t.kind, t.name, t.module, t.build_id, t.file, t.first_line};
		info->label = writer_frame(s->writer, writer_func(s->writer, &f), t.line) + 1;
	}
	return info->label - 1;
}

static uint32_t user_stack(struct stacker *s, struct space *space, const struct unwound *u)
{
	uint32_t node = WRITER_ROOT;
	if (u->end != UNWIND_ROOT)
		node = writer_stack(s->writer, node, mark_frame(s, &s->truncated, "[truncated]"));
	for (size_t i = u->count; i-- > 0;) {
		if (u->elided && i + 1 == u->elided_at)
			node = writer_stack(s->writer, node, mark_frame(s, &s->elided, "[elided]"));
		node = writer_stack(s->writer, node, frame_of(s, space, u->pc[i]));
	}
	return node;
}

static uint32_t kernel_frame_of(struct stacker *s, const char *name, size_t len)
{
	uint32_t id = intern_put(&s->kernel, name, len, NULL);
	uint32_t *frame = map64_at(&s->kernel_frames, id, UINT32_MAX);
	if (*frame == UINT32_MAX) {
		struct writer_function f = {.kind = KIND_KERNEL,
					    .name = intern_get(&s->kernel, id, NULL),
					    .module = "[kernel]"};
		*frame = writer_frame(s->writer, writer_func(s->writer, &f), 0);
	}
	return *frame;
}

/* Kernel frames lie on top of the user's leaf. */
static uint32_t kernel_stack(struct stacker *s, const struct msg_sample *m, uint32_t node)
{
	enum { KERNEL_MAX = 64 };
	const char *names[KERNEL_MAX];
	size_t lens[KERNEL_MAX], n = 0;
	const char *text = (const char *)m->stack + m->stack_len + m->tail_len, *end = text + m->kernel_len;
	while (n < KERNEL_MAX && (names[n] = kernel_frame(&text, end, &lens[n])))
		n++;
	while (n-- > 0)
		node = writer_stack(s->writer, node, kernel_frame_of(s, names[n], lens[n]));
	return node;
}

void stacker_take(struct stacker *s, struct space *space, struct unwind_lib *lib,
		  const struct msg_sample *m, const struct outer *outer, struct stacked *out)
{
	struct unwound *u = &s->unwound;
	*out = (struct stacked){.stack = WRITER_ROOT};
	stacker_unwind(s->how, space, lib, m, u);
	if (u->count) {
		out->too_short = u->end == UNWIND_SHORT;
		out->top = u->end == UNWIND_ROOT ? u->deepest : 0;
		if (out->too_short && m->tail_len) {
			struct stack_copy tail = {m->tail_base, m->tail_len, m->stack + m->stack_len};
			outer_append(outer, &tail, u);
		}
		out->stack = user_stack(s, space, u);
		out->truncated = u->end != UNWIND_ROOT;
		out->needed = u->deepest > m->stack_base ? (uint32_t)(u->deepest - m->stack_base) : 0;
	}
	out->stack = kernel_stack(s, m, out->stack);
	if (out->stack == WRITER_ROOT) {
		out->stack = stacker_lost(s);
		out->truncated = true;
	}
}

bool stacker_learn(struct stacker *s, struct space *space, const struct msg_sample *m,
		   struct outer *outer)
{
	enum { DEEPEST = 64 << 20 };
	uint64_t from = m->stack_base + m->stack_len, end = space_mapping_end(space, m->stack_base);
	if (!m->stack_len || end <= from || end - m->stack_base > DEEPEST)
		return false;
	size_t len = (size_t)(end - m->stack_base);
	unsigned char *whole = mem_alloc(len);
	memcpy(whole, m->stack, m->stack_len);
	size_t got = space_read(space, from, whole + m->stack_len, len - m->stack_len);
	struct stack_copy stack = {m->stack_base, m->stack_len + got, whole};
	unwind_rows(space, &m->regs, &stack, &s->unwound);
	free(whole);
	if (s->unwound.end != UNWIND_ROOT)
		return false;
	outer_learn(outer, &s->unwound);
	return outer->count > 0;
}
