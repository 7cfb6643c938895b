/* A byte buffer that grows. `data` is NUL-terminated after buf_char, buf_str, buf_fmt
 * and buf_bytes, so that it can be used as a string; it is NULL while empty and new. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stddef.h>

struct buf {
	char *data;
	size_t len, cap;
};

#define BUF_INIT {NULL, 0, 0}

void buf_free(struct buf *b);
void buf_clear(struct buf *b);             /* keeps the memory */
void buf_reserve(struct buf *b, size_t more);
void buf_char(struct buf *b, char c);
void buf_str(struct buf *b, const char *s);
void buf_bytes(struct buf *b, const void *p, size_t n);
void buf_fmt(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *buf_take(struct buf *b);             /* the string, now the caller's; b is new again */
const char *buf_cstr(const struct buf *b); /* never NULL */

#endif
