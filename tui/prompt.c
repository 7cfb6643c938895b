/* Editing a line. */
#include "tui/prompt.h"

#include <string.h>

#include "base/text.h"
#include "tui/keys.h"
#include "tui/theme.h"

/* What is typed can be as long as a sensible expression, no longer. */
#define TEXT_MAX 400

static const char *const labels[PROMPT_COUNT] = {
#define X(id, label) [id] = label,
	PROMPTS(X)
#undef X
};

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *suggestion)
{
	buf_clear(&p->text);
	buf_str(&p->text, suggestion ? suggestion : "");
	p->kind = kind;
	p->at = p->text.len;
	p->fresh = p->text.len > 0;
}

void prompt_close(struct prompt *p)
{
	p->kind = PROMPT_NONE;
}

static bool continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t before(const struct prompt *p, size_t at)
{
	if (at)
		at--;
	while (at && continues(p->text.data[at]))
		at--;
	return at;
}

static size_t after(const struct prompt *p, size_t at)
{
	if (at < p->text.len)
		at++;
	while (at < p->text.len && continues(p->text.data[at]))
		at++;
	return at;
}

static void erase(struct prompt *p, size_t from, size_t to)
{
	if (from >= to)
		return;
	memmove(p->text.data + from, p->text.data + to, p->text.len - to);
	p->text.len -= to - from;
	p->text.data[p->text.len] = '\0';
	p->at = from;
}

static size_t encode(char out[4], int32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const int lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[n] | c);
	return n;
}

static void insert(struct prompt *p, int32_t c)
{
	char raw[4];
	size_t n = encode(raw, c);
	struct buf clean = BUF_INIT;
	text_clean(&clean, raw, n);
	if (clean.len == n && p->text.len + n <= TEXT_MAX) {
		if (p->fresh)
			erase(p, 0, p->text.len);
		buf_reserve(&p->text, n + 1);
		char *data = p->text.data;
		memmove(data + p->at + n, data + p->at, p->text.len - p->at);
		memcpy(data + p->at, raw, n);
		p->text.len += n;
		data[p->text.len] = '\0';
		p->at += n;
	}
	buf_free(&clean);
}

static size_t word_before(const struct prompt *p)
{
	size_t at = p->at;
	while (at && p->text.data[at - 1] == ' ')
		at--;
	while (at && p->text.data[at - 1] != ' ')
		at--;
	return at;
}

enum prompt_result prompt_key(struct prompt *p, int32_t key)
{
	switch (key) {
	case KEY_RETURN:
		return PROMPT_ACCEPT;
	case KEY_ESC:
	case KEY_CTRL('C'):
		return PROMPT_CANCEL;
	case KEY_BACK:
	case KEY_CTRL('H'):
		if (!p->text.len)
			return PROMPT_CANCEL;
		erase(p, before(p, p->at), p->at);
		break;
	case KEY_CODE_DEL:
		erase(p, p->at, after(p, p->at));
		break;
	case KEY_CTRL('U'):
		erase(p, 0, p->at);
		break;
	case KEY_CTRL('K'):
		erase(p, p->at, p->text.len);
		break;
	case KEY_CTRL('W'):
		erase(p, word_before(p), p->at);
		break;
	case KEY_CODE_LEFT:
	case KEY_CTRL('B'):
		p->at = before(p, p->at);
		break;
	case KEY_CODE_RIGHT:
	case KEY_CTRL('F'):
		p->at = after(p, p->at);
		break;
	case KEY_CODE_HOME:
	case KEY_CTRL('A'):
		p->at = 0;
		break;
	case KEY_CODE_END:
	case KEY_CTRL('E'):
		p->at = p->text.len;
		break;
	default:
		if (key < ' ' || key >= KEY_CODE_FIRST)
			return PROMPT_OPEN;
		insert(p, key);
		break;
	}
	p->fresh = false;
	return PROMPT_OPEN;
}

void prompt_draw(const struct prompt *p, const struct theme *t, struct cells *c)
{
	struct style bar = t->style[STYLE_BAR];
	cells_fill(c, 0, 0, c->window.w, 1, bar);
	int x = cells_text(c, 1, 0, c->window.w - 2, labels[p->kind], t->style[STYLE_BAR_KEY]) + 1;
	/* Show the part around the cursor where the line is too long. */
	const char *text = buf_cstr(&p->text);
	struct buf head = BUF_INIT;
	buf_bytes(&head, text, p->at);
	buf_char(&head, '\0');
	size_t start = 0;
	int room = c->window.w - x - 1;
	while (start < p->at && (int)text_width(head.data + start) > room)
		start = after(p, start);
	int cursor = (int)text_width(head.data + start);
	cells_text(c, x, 0, room + 1, text + start,
		   t->style[p->fresh ? STYLE_BAR_DIM : STYLE_BAR_BRIGHT]);
	cells_cursor(c, x + cursor, 0);
	buf_free(&head);
}
