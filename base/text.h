/* Text for people: made harmless, measured in columns, numbers with units.
 *
 * Strings that come from a target are bytes. text_clean makes them valid, printable
 * UTF-8: control characters (C0, DEL and C1, as raw bytes or as code points), invalid
 * bytes and the bidi and other format characters that can disturb a terminal become
 * \xNN or \uNNNN. Everything printed or drawn has been through it, once. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct buf;

void text_clean(struct buf *out, const char *s, size_t n);

/* Decode one UTF-8 character of s[0..n), n > 0: its code point and, in *used, its bytes; -1
 * and *used = 1 for an invalid byte (overlong, surrogate, above U+10FFFF, cut short). */
int32_t text_decode(const char *s, size_t n, size_t *used);

/* Columns of a code point on a terminal: 0 (combining), 1 or 2. Independent of the locale. */
int text_char_width(int32_t c);

/* Columns of clean UTF-8. */
size_t text_width(const char *s);

/* Append s cut to at most `width` columns; what is cut ends in "…" (or ASCII ".." with ascii).
 * Nothing is padded. Gives the columns appended. */
size_t text_fit(struct buf *out, const char *s, size_t width, int ascii);

/* Numbers: "4,431"; "44.8 s", "4 min 12 s", "310 ms", "15 µs"; "1.1 MB". */
void text_count(struct buf *out, uint64_t n);
void text_duration(struct buf *out, int64_t ns);
void text_bytes(struct buf *out, uint64_t n);

#endif
