/* The dictionaries' values: several records of a table packed into one. */
#include "store/record.h"

#include <string.h>

void packer_init(struct packer *p, uint32_t first, size_t limit,
		 int (*put)(void *arg, uint32_t first, const void *p, size_t n), void *arg)
{
	*p = (struct packer){.limit = limit, .first = first, .next = first, .put = put, .arg = arg};
}

static void flush(struct packer *p)
{
	if (p->value.len && !p->result)
		p->result = p->put(p->arg, p->first, p->value.data, p->value.len);
	buf_clear(&p->value);
	p->first = p->next;
	p->last[0] = p->last[1] = 0;
}

/* Does the record in scratch fit behind the others? If not they are put, and it must be encoded
 * anew, as the first of its value. */
static bool fits(struct packer *p)
{
	if (!p->value.len || p->value.len + p->scratch.len <= p->limit)
		return true;
	flush(p);
	return false;
}

static void append(struct packer *p)
{
	buf_bytes(&p->value, p->scratch.data, p->scratch.len);
	p->next++;
}

int packer_finish(struct packer *p)
{
	flush(p);
	buf_free(&p->value);
	buf_free(&p->scratch);
	return p->result;
}

void unpacker_init(struct unpacker *u, uint32_t first, const void *p, size_t n)
{
	*u = (struct unpacker){.in = bytes_of(p, n), .next = first};
}

static bool more(struct unpacker *u)
{
	return u->in.at < u->in.end && !u->in.bad;
}

static bool done(struct unpacker *u)
{
	u->next++;
	return !u->in.bad;
}

void pack_string(struct packer *p, const void *s, size_t n)
{
	buf_clear(&p->scratch);
	bytes_put_varint(&p->scratch, n);
	buf_bytes(&p->scratch, s, n);
	fits(p);
	append(p);
}

bool unpack_string(struct unpacker *u, const char **s, size_t *n)
{
	if (!more(u))
		return false;
	*n = bytes_u32(&u->in);
	*s = (const char *)bytes_raw(&u->in, *n);
	return done(u);
}

void pack_func(struct packer *p, const struct func_record *r)
{
	do {
		buf_clear(&p->scratch);
		bytes_put_varint(&p->scratch, r->kind);
		bytes_put_varint(&p->scratch, bytes_zigzag(p->last[0], r->name));
		bytes_put_varint(&p->scratch, r->module);
		bytes_put_varint(&p->scratch, r->build);
		bytes_put_varint(&p->scratch, r->file);
		bytes_put_varint(&p->scratch, r->line);
	} while (!fits(p));
	p->last[0] = r->name;
	append(p);
}

bool unpack_func(struct unpacker *u, struct func_record *r)
{
	if (!more(u))
		return false;
	r->kind = bytes_u32(&u->in);
	r->name = u->last[0] = bytes_unzigzag(u->last[0], bytes_varint(&u->in));
	r->module = bytes_u32(&u->in);
	r->build = bytes_u32(&u->in);
	r->file = bytes_u32(&u->in);
	r->line = bytes_u32(&u->in);
	return done(u);
}

void pack_frame(struct packer *p, const struct frame_record *r)
{
	do {
		buf_clear(&p->scratch);
		bytes_put_varint(&p->scratch, bytes_zigzag(p->last[0], r->func));
		bytes_put_varint(&p->scratch, bytes_zigzag(p->last[1], r->line));
	} while (!fits(p));
	p->last[0] = r->func;
	p->last[1] = r->line;
	append(p);
}

bool unpack_frame(struct unpacker *u, struct frame_record *r)
{
	if (!more(u))
		return false;
	r->func = u->last[0] = bytes_unzigzag(u->last[0], bytes_varint(&u->in));
	r->line = u->last[1] = bytes_unzigzag(u->last[1], bytes_varint(&u->in));
	return done(u);
}

void pack_stack(struct packer *p, const struct stack_record *r)
{
	do {
		buf_clear(&p->scratch);
		bytes_put_varint(&p->scratch, p->next - r->parent);
		bytes_put_varint(&p->scratch, bytes_zigzag(p->last[0], r->frame));
	} while (!fits(p));
	p->last[0] = r->frame;
	append(p);
}

bool unpack_stack(struct unpacker *u, struct stack_record *r)
{
	if (!more(u))
		return false;
	uint32_t back = bytes_u32(&u->in);
	if (!back || back > u->next)
		u->in.bad = true;
	r->parent = u->next - back;
	r->frame = u->last[0] = bytes_unzigzag(u->last[0], bytes_varint(&u->in));
	return done(u);
}

void pack_process(struct packer *p, const struct process_record *r)
{
	buf_clear(&p->scratch);
	bytes_put_varint(&p->scratch, r->pid);
	bytes_put_varint(&p->scratch, r->start_ticks);
	bytes_put_varint(&p->scratch, r->name);
	bytes_put_varint(&p->scratch, r->exe);
	bytes_put_varint(&p->scratch, r->cmdline);
	fits(p);
	append(p);
}

bool unpack_process(struct unpacker *u, struct process_record *r)
{
	if (!more(u))
		return false;
	r->pid = bytes_u32(&u->in);
	r->start_ticks = bytes_varint(&u->in);
	r->name = bytes_u32(&u->in);
	r->exe = bytes_u32(&u->in);
	r->cmdline = bytes_u32(&u->in);
	return done(u);
}

void pack_thread(struct packer *p, const struct thread_record *r)
{
	buf_clear(&p->scratch);
	bytes_put_varint(&p->scratch, r->process);
	bytes_put_varint(&p->scratch, r->tid);
	bytes_put_varint(&p->scratch, r->name);
	fits(p);
	append(p);
}

bool unpack_thread(struct unpacker *u, struct thread_record *r)
{
	if (!more(u))
		return false;
	r->process = bytes_u32(&u->in);
	r->tid = bytes_u32(&u->in);
	r->name = bytes_u32(&u->in);
	return done(u);
}

size_t record_cut(const char *s, size_t n)
{
	if (n <= RECORD_STRING_MAX)
		return n;
	n = RECORD_STRING_MAX;
	for (size_t back = 0; back < 4; back++)
		if (((unsigned char)s[n - back] & 0xc0) != 0x80)
			return n - back;
	return n;
}
