/* Numbers as bytes: LEB128 varints and zigzag for values, big-endian for keys (so that LMDB's
 * byte order is the numbers' order). Reading is bounded: at a value's end, or at a varint that
 * is no 64-bit number, `bad` is set and 0 given; nothing is read past the end. */
#ifndef STORE_BYTES_H
#define STORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct bytes_in {
	const uint8_t *at, *end;
	bool bad;
};

static inline struct bytes_in bytes_of(const void *p, size_t n)
{
	return (struct bytes_in){p, (const uint8_t *)p + n, false};
}

static inline uint64_t bytes_varint_long(struct bytes_in *in)
{
	uint64_t v = 0;
	for (unsigned shift = 0; in->at < in->end && shift < 64; shift += 7) {
		uint8_t b = *in->at++;
		if (shift == 63 && b > 1)
			break;
		v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	in->bad = true;
	in->at = in->end;
	return 0;
}

/* The same number, where it has at most 5 bytes and 8 can be read: without a branch on its
 * length, which in the log is as good as random. Assumes little-endian words, or goes slow. */
static inline uint64_t bytes_varint(struct bytes_in *in);
static inline uint64_t bytes_varint_quick(struct bytes_in *in)
{
	if (in->end - in->at < 8 || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return bytes_varint(in);
	uint64_t word;
	__builtin_memcpy(&word, in->at, sizeof(word));
	uint64_t stops = ~word & UINT64_C(0x8080808080);
	if (!stops)
		return bytes_varint(in);
	word &= stops ^ (stops - 1); /* up to the first byte without the mark */
	in->at += (__builtin_ctzll(stops) + 1) / 8;
	return (word & 0x7f) | (word >> 1 & 0x3f80) | (word >> 2 & 0x1fc000) |
	       (word >> 3 & 0xfe00000) | (word >> 4 & UINT64_C(0x7f0000000));
}

static inline uint64_t bytes_varint(struct bytes_in *in)
{
	if (in->at < in->end && *in->at < 0x80)
		return *in->at++;
	return bytes_varint_long(in);
}

/* A varint that must fit 32 bits. */
static inline uint32_t bytes_u32(struct bytes_in *in)
{
	uint64_t v = bytes_varint(in);
	if (v > UINT32_MAX)
		in->bad = true;
	return (uint32_t)v;
}

/* n bytes, or NULL. */
static inline const uint8_t *bytes_raw(struct bytes_in *in, uint64_t n)
{
	if (n > (uint64_t)(in->end - in->at)) {
		in->bad = true;
		in->at = in->end;
		return NULL;
	}
	const uint8_t *p = in->at;
	in->at += n;
	return p;
}

static inline void bytes_put_varint(struct buf *b, uint64_t v)
{
	char s[10];
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		s[n++] = (char)(v | 0x80);
	s[n++] = (char)v;
	buf_bytes(b, s, n);
}

/* Differences of 32-bit numbers: small in either direction means few bytes. */
static inline uint64_t bytes_zigzag(uint32_t from, uint32_t to)
{
	int64_t d = (int64_t)to - (int64_t)from;
	return ((uint64_t)d << 1) ^ -(uint64_t)(d < 0);
}

static inline uint32_t bytes_unzigzag(uint32_t from, uint64_t z)
{
	return from + (uint32_t)((z >> 1) ^ (~(z & 1) + 1));
}

static inline void bytes_put_be(uint8_t *p, uint64_t v, unsigned n)
{
	for (unsigned i = n; i-- > 0; v >>= 8)
		p[i] = (uint8_t)v;
}

static inline uint64_t bytes_be(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;
	for (unsigned i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

#endif
