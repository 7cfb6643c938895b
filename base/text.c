/* Text for people: made harmless, measured in columns, numbers with units. */
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"

int32_t text_decode(const char *str, size_t n, size_t *used)
{
	const unsigned char *s = (const unsigned char *)str;
	*used = 1;
	if (s[0] < 0x80)
		return s[0];
	int more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : 1;
	if (s[0] < 0xc2 || s[0] > 0xf4 || (size_t)more >= n)
		return -1;
	int32_t c = s[0] & (0x3f >> more);
	for (int i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return -1;
		c = c << 6 | (s[i] & 0x3f);
	}
	static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
	if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return -1;
	*used = (size_t)more + 1;
	return c;
}

/* Format and separator characters that move the cursor's idea of a line or reorder it. */
static bool is_harmful(int32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	       (c >= 0xfff9 && c <= 0xfffb) || c == 0x061c || (c >= 0xe0000 && c <= 0xe0fff);
}

void text_clean(struct buf *out, const char *s, size_t n)
{
	size_t plain = 0;
	for (size_t i = 0; i < n;) {
		size_t used;
		int32_t c = text_decode(s + i, n - i, &used);
		if (c >= 0 && !is_harmful(c)) {
			i += used;
			continue;
		}
		buf_bytes(out, s + plain, i - plain);
		if (c < 0x100)
			buf_fmt(out, "\\x%02x", c < 0 ? (unsigned char)s[i] : (unsigned)c);
		else
			buf_fmt(out, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
		i += used;
		plain = i;
	}
	buf_bytes(out, s + plain, n - plain);
}

struct span {
	int32_t first, last;
};

static bool in_spans(int32_t c, const struct span *spans, size_t n)
{
	size_t lo = 0, hi = n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (c > spans[mid].last)
			lo = mid + 1;
		else if (c < spans[mid].first)
			hi = mid;
		else
			return true;
	}
	return false;
}

/* Unicode 15 EastAsianWidth.txt (W, F) and general category Mn/Me, in the blocks that
 * programs' names use; wcwidth(3) would depend on the locale. */
static const struct span wide[] = {
	{0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
	{0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
	{0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
	{0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
	{0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
	{0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
	{0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
	{0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
	{0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},
	{0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
	{0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
	{0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff},
	{0x1aff0, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e},
	{0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
	{0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0},
	{0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc},
	{0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a},
	{0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5},
	{0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6d7}, {0x1f6dc, 0x1f6df},
	{0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7eb}, {0x1f7f0, 0x1f7f0},
	{0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff},
	{0x20000, 0x2fffd}, {0x30000, 0x3fffd},
};

static const struct span combining[] = {
	{0x0300, 0x036f},   {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
	{0x05c4, 0x05c5},   {0x0610, 0x061a}, {0x064b, 0x065f}, {0x0670, 0x0670}, {0x06d6, 0x06dc},
	{0x06df, 0x06e4},   {0x06e7, 0x06e8}, {0x06ea, 0x06ed}, {0x0900, 0x0902}, {0x093a, 0x093a},
	{0x093c, 0x093c},   {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0951, 0x0957}, {0x0e31, 0x0e31},
	{0x0e34, 0x0e3a},   {0x0e47, 0x0e4e}, {0x1160, 0x11ff}, {0x1ab0, 0x1ace}, {0x1dc0, 0x1dff},
	{0x20d0, 0x20f0},   {0x302a, 0x302d}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
	{0x1f3fb, 0x1f3ff},
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int text_char_width(int32_t c)
{
	if (c < 0x300)
		return 1;
	if (in_spans(c, combining, COUNT(combining)))
		return 0;
	return in_spans(c, wide, COUNT(wide)) ? 2 : 1;
}

size_t text_width(const char *s)
{
	size_t n = strlen(s), width = 0;
	for (size_t i = 0, used; i < n; i += used) {
		int32_t c = text_decode(s + i, n - i, &used);
		width += c < 0 ? 1 : (size_t)text_char_width(c);
	}
	return width;
}

size_t text_fit(struct buf *out, const char *s, size_t width, int ascii)
{
	size_t n = strlen(s);
	if (text_width(s) <= width) {
		buf_bytes(out, s, n);
		return text_width(s);
	}
	const char *dots = ascii ? ".." : "…";
	size_t room = ascii ? 2 : 1;
	if (width < room) {
		dots = ascii && width ? "." : "";
		room = width;
	}
	size_t i = 0, done = 0;
	while (i < n) {
		size_t used;
		int32_t c = text_decode(s + i, n - i, &used);
		size_t w = c < 0 ? 1 : (size_t)text_char_width(c);
		if (done + w > width - room)
			break;
		done += w;
		i += used;
	}
	buf_bytes(out, s, i);
	buf_str(out, dots);
	return done + text_width(dots);
}

void text_count(struct buf *out, uint64_t n)
{
	if (n >= 1000) {
		text_count(out, n / 1000);
		buf_fmt(out, ",%03u", (unsigned)(n % 1000));
	} else {
		buf_fmt(out, "%u", (unsigned)n);
	}
}

void text_duration(struct buf *out, int64_t ns)
{
	if (ns < 0) {
		buf_char(out, '-');
		ns = -ns;
	}
	int64_t s = (ns + NS_PER_S / 2) / NS_PER_S;
	if (ns < NS_PER_MS)
		buf_fmt(out, "%lld µs", (long long)(ns / NS_PER_US));
	else if (ns < NS_PER_S)
		buf_fmt(out, "%lld ms", (long long)(ns / NS_PER_MS));
	else if (ns < 100 * NS_PER_S && ns % NS_PER_S)
		buf_fmt(out, "%.1f s", (double)ns / NS_PER_S);
	else if (s < 120)
		buf_fmt(out, "%lld s", (long long)s);
	else if (s < 3600)
		buf_fmt(out, "%lld min %lld s", (long long)(s / 60), (long long)(s % 60));
	else if (s < 2 * 86400)
		buf_fmt(out, "%lld h %lld min", (long long)(s / 3600), (long long)(s / 60 % 60));
	else
		buf_fmt(out, "%lld d %lld h", (long long)(s / 86400), (long long)(s / 3600 % 24));
}

void text_bytes(struct buf *out, uint64_t n)
{
	static const char *const unit[] = {"B", "KB", "MB", "GB", "TB", "PB"};
	double v = (double)n;
	size_t u = 0;
	for (; v >= 999.5 && u + 1 < COUNT(unit); u++)
		v /= 1000;
	buf_fmt(out, u && v < 99.95 ? "%.1f %s" : "%.0f %s", v, unit[u]);
}
