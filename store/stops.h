/* A histogram of times: log-linear buckets, at most 1/32 of their value wide. Pure. */
#ifndef STORE_STOPS_H
#define STORE_STOPS_H

#include <stddef.h>
#include <stdint.h>

struct buf;

enum {
	STOPS_STEPS = 32, /* buckets in each doubling */
	STOPS_BUCKETS =
		STOPS_STEPS * (40 - 4), /* up to 2^40 ns, 18 minutes; the last holds the rest */
};

struct stops {
	uint64_t count[STOPS_BUCKETS];
	uint64_t total, max_ns;
};

void stops_add(struct stops *s, uint64_t ns);
void stops_merge(struct stops *to, const struct stops *from);
/* The time that `share` (0..1) of the stops do not exceed: the middle of a bucket; 0 if empty. */
uint64_t stops_quantile(const struct stops *s, double share);

void stops_encode(struct buf *out, const struct stops *s);
int stops_decode(const void *p, size_t n, struct stops *s);

#endif
