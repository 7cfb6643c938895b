/* The log's values: one second of one process as bytes, in parts. Pure.
 *
 * A part is decoded on its own: it repeats the second's head, and a thread that is cut between
 * two parts has its CPU time cut likewise. docs/store-format.md has the layout. Decoding
 * trusts nothing: bad bytes give -1, whatever they are. */
#ifndef STORE_CODEC_H
#define STORE_CODEC_H

#include "store/bytes.h"
#include "store/writer.h"

/* Three values of this size and their keys fill an LMDB page of 4 KiB: (4096 - 16) / 3 - 20. */
#define CODEC_VALUE_BYTES 1340

enum {
	CODEC_MAX_TICKS = 4000, /* in one second; more are not encoded */
	CODEC_RING = 7,         /* stacks a run can refer to by 3 bits */
};

/* A sum handed out in n equal shares of whole numbers: share i is floor((i+1)*sum/n) -
 * floor(i*sum/n), so any n shares together are the sum exactly. */
struct spread {
	uint64_t each; /* sum / n */
	uint32_t rest; /* sum % n */
	uint32_t n;
	uint32_t carry; /* i * rest % n */
};

static inline struct spread spread_of(uint64_t sum, uint32_t n)
{
	return n ? (struct spread){sum / n, (uint32_t)(sum % n), n, 0} : (struct spread){0, 0, 1, 0};
}

/* The next `count` shares together. count <= n <= CODEC_MAX_TICKS: 32 bits hold the products. */
static inline uint64_t spread_take(struct spread *s, uint32_t count)
{
	uint32_t carry = s->carry + count * s->rest;
	uint64_t sum = count * s->each;
	if (count == 1) { /* without a branch: it would be as good as random */
		uint32_t over = carry >= s->n;
		carry -= s->n & -over;
		sum += over;
	} else {
		sum += carry / s->n;
		carry %= s->n;
	}
	s->carry = carry;
	return sum;
}

/* What a second adds up to: a record of the heat table. Names are those of docs/store-format.md. */
#define HEAT_FIELDS(X) \
	X(running) X(runnable) X(sleeping) X(other) X(cpu_ns) X(wall_ns) X(expected) X(missed) \
	X(covered_ms) X(stops) X(stopless) X(stopped_ns) X(truncated)
struct heat {
#define X(name) uint64_t name;
	HEAT_FIELDS(X)
#undef X
};

struct heat heat_of(const struct second *s);
void heat_encode(struct buf *out, const struct heat *h);
int heat_decode(const void *p, size_t n, struct heat *h); /* fields behind the known are ignored */
void heat_add(struct heat *to, const struct heat *h);

/* Encode a second; `put` gets each part, in order. */
void codec_encode(const struct second *s, void (*put)(void *arg, const void *p, size_t n), void *arg);

struct log_part {
	bool continued; /* of the same second as the part before it */
	uint32_t covered_ms, expected, missed;
	uint32_t nticks;
	uint16_t tick_ms[CODEC_MAX_TICKS];
	/* the decoder's state */
	struct bytes_in in;
	uint32_t thread, last_stack, ring[CODEC_RING], ring_at;
};

struct log_thread {
	uint32_t thread;
	uint64_t cpu_ns;
	uint32_t on_cpu; /* samples of the runs that carry CPU time */
	uint32_t nruns;
	struct sample_run runs[CODEC_MAX_TICKS];
};

int codec_part(struct log_part *p, const void *value, size_t n);
/* The next thread: 1, 0 at the end, -1 bad. Runs ascend, do not overlap and lie in the ticks. */
int codec_thread(struct log_part *p, struct log_thread *t);

#endif
