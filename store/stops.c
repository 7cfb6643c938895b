/* A histogram of times: log-linear buckets. */
#include "store/stops.h"

#include "store/bytes.h"

/* Below STOPS_STEPS a bucket a nanosecond; then the bits behind the leading one choose. */
static size_t bucket_of(uint64_t ns)
{
	if (ns < STOPS_STEPS)
		return (size_t)ns;
	unsigned top = 63 - (unsigned)__builtin_clzll(ns), shift = top - 5;
	size_t b = (size_t)(shift + 1) * STOPS_STEPS + (size_t)((ns >> shift) - STOPS_STEPS);
	return b < STOPS_BUCKETS ? b : STOPS_BUCKETS - 1;
}

static uint64_t middle_of(size_t bucket)
{
	if (bucket < STOPS_STEPS)
		return bucket;
	unsigned shift = (unsigned)(bucket / STOPS_STEPS) - 1;
	uint64_t low = (uint64_t)(bucket % STOPS_STEPS + STOPS_STEPS) << shift;
	return low + (shift ? UINT64_C(1) << (shift - 1) : 0);
}

void stops_add(struct stops *s, uint64_t ns)
{
	s->count[bucket_of(ns)]++;
	s->total++;
	if (ns > s->max_ns)
		s->max_ns = ns;
}

void stops_merge(struct stops *to, const struct stops *from)
{
	for (size_t i = 0; i < STOPS_BUCKETS; i++)
		to->count[i] += from->count[i];
	to->total += from->total;
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
}

uint64_t stops_quantile(const struct stops *s, double share)
{
	uint64_t rank = (uint64_t)(share * (double)s->total), seen = 0;
	if (!s->total)
		return 0;
	if (rank >= s->total)
		rank = s->total - 1;
	for (size_t i = 0; i < STOPS_BUCKETS; i++) {
		seen += s->count[i];
		if (seen > rank) {
			uint64_t ns = middle_of(i);
			return ns < s->max_ns ? ns : s->max_ns;
		}
	}
	return s->max_ns;
}

void stops_encode(struct buf *out, const struct stops *s)
{
	size_t last = 0;
	bytes_put_varint(out, s->max_ns);
	for (size_t i = 0; i < STOPS_BUCKETS; i++)
		if (s->count[i]) {
			bytes_put_varint(out, i - last);
			bytes_put_varint(out, s->count[i]);
			last = i;
		}
}

int stops_decode(const void *p, size_t n, struct stops *s)
{
	struct bytes_in in = bytes_of(p, n);
	*s = (struct stops){.max_ns = bytes_varint(&in)};
	for (uint64_t i = 0; in.at < in.end;) {
		i += bytes_u32(&in);
		uint64_t count = bytes_varint(&in);
		if (in.bad || i >= STOPS_BUCKETS)
			return -1;
		s->count[i] += count;
		s->total += count;
	}
	return in.bad ? -1 : 0;
}
