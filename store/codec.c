/* The log's values: one second of one process as bytes, in parts. */
#include "store/codec.h"

#include <string.h>

enum {
	PART_CONTINUED = 1,

	/* a run's first byte */
	RUN_STATE = 7,
	RUN_GAP = 8,        /* varint: ticks between the last run and this one */
	RUN_MANY = 16,      /* varint: ticks - 2; else one tick */
	RUN_RING_SHIFT = 5, /* which of the ring's stacks */
	RUN_NEW_STACK = 7,  /* none of them: varint, zigzag to the last new one */

	RUN_BOUND = 1 + 3 + 3 + 5, /* the most bytes a run takes */
	THREAD_BOUND = 5 + 10 + 3 + 3,
};

_Static_assert(STATE_COUNT <= RUN_STATE + 1, "a state fits its bits");

/* ---- ticks: first offset, smallest distance, and what each distance is above it, packed ---- */

static unsigned bits_of(uint32_t v)
{
	unsigned n = 0;
	for (; v; v >>= 1)
		n++;
	return n;
}

/* How many of the ticks ascend within the second; the others are not encoded. */
static uint32_t usable_ticks(const struct second *s)
{
	uint32_t n = 0;
	while (n < s->nticks && n < CODEC_MAX_TICKS && s->tick_ms[n] <= 999 &&
	       (!n || s->tick_ms[n] >= s->tick_ms[n - 1]))
		n++;
	return n;
}

static void encode_ticks(struct buf *out, const uint16_t *ms, uint32_t n)
{
	bytes_put_varint(out, n);
	if (!n)
		return;
	bytes_put_varint(out, ms[0]);
	if (n == 1)
		return;
	uint16_t least = UINT16_MAX, most = 0;
	for (uint32_t i = 1; i < n; i++) {
		uint16_t d = (uint16_t)(ms[i] - ms[i - 1]);
		least = d < least ? d : least;
		most = d > most ? d : most;
	}
	unsigned width = bits_of((uint32_t)(most - least));
	bytes_put_varint(out, least);
	buf_char(out, (char)width);
	uint64_t pending = 0;
	unsigned held = 0;
	for (uint32_t i = 1; i < n; i++) {
		pending |= (uint64_t)(uint16_t)(ms[i] - ms[i - 1] - least) << held;
		for (held += width; held >= 8; held -= 8, pending >>= 8)
			buf_char(out, (char)pending);
	}
	if (held)
		buf_char(out, (char)pending);
}

static bool decode_ticks(struct bytes_in *in, struct log_part *p)
{
	p->nticks = bytes_u32(in);
	if (in->bad || p->nticks > CODEC_MAX_TICKS)
		return false;
	if (!p->nticks)
		return true;
	uint64_t ms = bytes_varint(in);
	if (ms > 999)
		return false;
	p->tick_ms[0] = (uint16_t)ms;
	if (p->nticks == 1)
		return !in->bad;
	uint64_t least = bytes_varint(in);
	const uint8_t *w = bytes_raw(in, 1);
	if (!w || *w > 10 || least > 999)
		return false;
	const uint8_t *packed = bytes_raw(in, ((uint64_t)(p->nticks - 1) * *w + 7) / 8);
	if (!packed)
		return false;
	uint64_t pending = 0;
	unsigned held = 0;
	for (uint32_t i = 1; i < p->nticks; i++) {
		for (; held < *w; held += 8)
			pending |= (uint64_t)*packed++ << held;
		ms += least + (pending & ((1u << *w) - 1));
		pending >>= *w;
		held -= *w;
		if (ms > 999)
			return false;
		p->tick_ms[i] = (uint16_t)ms;
	}
	return true;
}

/* ---- encoding ---- */

struct encoder {
	const struct second *s;
	uint32_t nticks;
	struct buf part, runs;
	size_t head;  /* bytes of the part before its first thread */
	size_t limit; /* of the part */
	bool continued;
	uint32_t thread, last_stack, ring[CODEC_RING], ring_at;
	void (*put)(void *arg, const void *p, size_t n);
	void *arg;
};

static void begin_part(struct encoder *e)
{
	buf_clear(&e->part);
	bytes_put_varint(&e->part, e->continued ? PART_CONTINUED : 0);
	bytes_put_varint(&e->part, e->s->covered_ms);
	bytes_put_varint(&e->part, e->s->expected);
	bytes_put_varint(&e->part, e->s->missed);
	encode_ticks(&e->part, e->s->tick_ms, e->nticks);
	e->head = e->part.len;
	e->limit = e->head < CODEC_VALUE_BYTES / 2 ? CODEC_VALUE_BYTES : e->head * 2;
	e->thread = e->last_stack = e->ring_at = 0;
	memset(e->ring, 0, sizeof(e->ring));
}

static void end_part(struct encoder *e)
{
	e->put(e->arg, e->part.data, e->part.len);
	e->continued = true;
}

static void encode_run(struct encoder *e, const struct sample_run *r, uint32_t gap)
{
	unsigned ref = 0;
	while (ref < CODEC_RING && e->ring[ref] != r->stack)
		ref++;
	buf_char(&e->runs, (char)((r->state & RUN_STATE) | (gap ? RUN_GAP : 0) |
				  (r->count > 1 ? RUN_MANY : 0) | ref << RUN_RING_SHIFT));
	if (gap)
		bytes_put_varint(&e->runs, gap);
	if (r->count > 1)
		bytes_put_varint(&e->runs, r->count - 2u);
	if (ref == RUN_NEW_STACK) {
		bytes_put_varint(&e->runs, bytes_zigzag(e->last_stack, r->stack));
		e->last_stack = r->stack;
		e->ring[e->ring_at] = r->stack;
		e->ring_at = (e->ring_at + 1) % CODEC_RING;
	}
}

/* Does the run lie in the ticks, behind the one before it? Others are not encoded. */
static bool usable_run(const struct sample_run *r, uint32_t at, uint32_t nticks)
{
	return r->count && r->tick >= at && (uint32_t)r->tick + r->count <= nticks &&
	       r->state < STATE_COUNT;
}

static uint32_t count_on_cpu(const struct second_thread *t, uint32_t nticks)
{
	uint32_t n = 0, at = 0;
	for (size_t i = 0; i < t->nruns; i++)
		if (usable_run(&t->runs[i], at, nticks)) {
			at = (uint32_t)t->runs[i].tick + t->runs[i].count;
			n += state_on_cpu(t->runs[i].state) ? t->runs[i].count : 0;
		}
	return n;
}

/* Append the thread's runs from *next on, as many as the part has room for. */
static void encode_piece(struct encoder *e, const struct second_thread *t, size_t *next,
			 uint32_t *at, struct spread *cpu, uint64_t cpu_ns)
{
	uint32_t nruns = 0, on_cpu = 0, tick = 0;
	buf_clear(&e->runs);
	for (; *next < t->nruns; ++*next) {
		const struct sample_run *r = &t->runs[*next];
		if (!usable_run(r, *at, e->nticks))
			continue;
		if (e->part.len + THREAD_BOUND + e->runs.len + RUN_BOUND > e->limit && nruns)
			break;
		encode_run(e, r, r->tick - tick);
		tick = *at = (uint32_t)r->tick + r->count;
		if (state_on_cpu(r->state)) {
			on_cpu += r->count;
			cpu_ns += spread_take(cpu, r->count);
		}
		nruns++;
	}
	if (!nruns && !cpu_ns)
		return;
	bytes_put_varint(&e->part, bytes_zigzag(e->thread, t->thread));
	bytes_put_varint(&e->part, cpu_ns);
	bytes_put_varint(&e->part, nruns);
	bytes_put_varint(&e->part, on_cpu);
	buf_bytes(&e->part, e->runs.data, e->runs.len);
	e->thread = t->thread;
}

static void encode_thread(struct encoder *e, const struct second_thread *t)
{
	uint32_t on_cpu = count_on_cpu(t, e->nticks), at = 0;
	struct spread cpu = spread_of(t->cpu_ns, on_cpu);
	uint64_t between = on_cpu ? 0 : t->cpu_ns;
	size_t next = 0;
	do {
		if (e->part.len + THREAD_BOUND + RUN_BOUND > e->limit && e->part.len > e->head) {
			end_part(e);
			begin_part(e);
		}
		encode_piece(e, t, &next, &at, &cpu, between);
		between = 0;
	} while (next < t->nruns);
}

void codec_encode(const struct second *s, void (*put)(void *arg, const void *p, size_t n),
		  void *arg)
{
	struct encoder e = {.s = s, .nticks = usable_ticks(s), .put = put, .arg = arg};
	begin_part(&e);
	for (size_t i = 0; i < s->nthreads; i++)
		encode_thread(&e, &s->threads[i]);
	end_part(&e);
	buf_free(&e.part);
	buf_free(&e.runs);
}

/* ---- decoding ---- */

int codec_part(struct log_part *p, const void *value, size_t n)
{
	struct bytes_in *in = &p->in;
	*in = bytes_of(value, n);
	p->continued = bytes_varint(in) & PART_CONTINUED;
	p->covered_ms = bytes_u32(in);
	p->expected = bytes_u32(in);
	p->missed = bytes_u32(in);
	if (in->bad || p->covered_ms > 1000 || !decode_ticks(in, p))
		return -1;
	p->thread = p->last_stack = p->ring_at = 0;
	memset(p->ring, 0, sizeof(p->ring));
	return 0;
}

/* The runs of a thread. `in` and the ring are copies: what is stored through a byte pointer in
 * *p would have to be loaded again and again. */
static bool decode_runs(struct log_part *p, struct log_thread *t)
{
	struct bytes_in in = p->in;
	uint32_t ring[CODEC_RING], ring_at = p->ring_at, last = p->last_stack, on_cpu = 0;
	uint64_t at = 0, nticks = p->nticks;
	memcpy(ring, p->ring, sizeof(ring));
	for (uint32_t i = 0; i < t->nruns; i++) {
		if (in.at == in.end)
			return false;
		struct sample_run *r = &t->runs[i];
		unsigned first = *in.at++, ref = first >> RUN_RING_SHIFT, state = first & RUN_STATE;
		uint64_t count = 1;
		if (first & RUN_GAP)
			at += bytes_u32(&in);
		if (first & RUN_MANY)
			count = 2 + (uint64_t)bytes_u32(&in);
		if (ref == RUN_NEW_STACK) {
			last = bytes_unzigzag(last, bytes_varint_quick(&in));
			ring[ring_at] = last;
			ring_at = ring_at + 1 == CODEC_RING ? 0 : ring_at + 1;
		}
		r->stack = ref == RUN_NEW_STACK ? last : ring[ref];
		r->state = (uint8_t)state;
		r->tick = (uint16_t)at;
		r->count = (uint16_t)count;
		at += count;
		if (at > nticks || state >= STATE_COUNT)
			return false;
		on_cpu += state_on_cpu(state) ? (uint32_t)count : 0;
	}
	memcpy(p->ring, ring, sizeof(ring));
	p->ring_at = ring_at;
	p->last_stack = last;
	p->in = in;
	return on_cpu == t->on_cpu && !in.bad;
}

int codec_thread(struct log_part *p, struct log_thread *t)
{
	struct bytes_in *in = &p->in;
	if (in->at == in->end)
		return in->bad ? -1 : 0;
	t->thread = p->thread = bytes_unzigzag(p->thread, bytes_varint(in));
	t->cpu_ns = bytes_varint(in);
	t->nruns = bytes_u32(in);
	t->on_cpu = bytes_u32(in);
	if (in->bad || t->nruns > p->nticks || t->on_cpu > p->nticks)
		return -1;
	return decode_runs(p, t) ? 1 : -1;
}

/* ---- heat ---- */

/* Wall time of a second is shared by its ticks, as queries do: see query_tree. */
static uint64_t wall_of(const struct second_thread *t, struct spread wall, uint32_t nticks)
{
	uint64_t ns = 0;
	uint32_t at = 0;
	for (size_t i = 0; i < t->nruns; i++) {
		const struct sample_run *r = &t->runs[i];
		if (!usable_run(r, at, nticks))
			continue;
		spread_take(&wall, r->tick - at);
		ns += spread_take(&wall, r->count);
		at = (uint32_t)r->tick + r->count;
	}
	return ns;
}

struct heat heat_of(const struct second *s)
{
	uint32_t nticks = usable_ticks(s);
	struct heat h = {
		.expected = s->expected,
		.missed = s->missed,
		.covered_ms = s->covered_ms,
		.stops = s->stops,
		.stopless = s->stopless,
		.stopped_ns = s->stopped_ns,
		.truncated = s->truncated,
	};
	struct spread wall = spread_of((uint64_t)s->covered_ms * 1000000, nticks);
	for (size_t i = 0; i < s->nthreads; i++) {
		const struct second_thread *t = &s->threads[i];
		uint32_t at = 0;
		h.cpu_ns += t->cpu_ns;
		h.wall_ns += wall_of(t, wall, nticks);
		for (size_t k = 0; k < t->nruns; k++) {
			const struct sample_run *r = &t->runs[k];
			if (!usable_run(r, at, nticks))
				continue;
			at = (uint32_t)r->tick + r->count;
			*(r->state == STATE_RUNNING    ? &h.running
			  : r->state == STATE_RUNNABLE ? &h.runnable
			  : r->state == STATE_SLEEPING ? &h.sleeping
						       : &h.other) += r->count;
		}
	}
	return h;
}

void heat_encode(struct buf *out, const struct heat *h)
{
#define X(name) bytes_put_varint(out, h->name);
	HEAT_FIELDS(X)
#undef X
}

int heat_decode(const void *p, size_t n, struct heat *h)
{
	struct bytes_in in = bytes_of(p, n);
#define X(name) h->name = bytes_varint(&in);
	HEAT_FIELDS(X)
#undef X
	return in.bad ? -1 : 0;
}

void heat_add(struct heat *to, const struct heat *h)
{
#define X(name) to->name += h->name;
	HEAT_FIELDS(X)
#undef X
}
