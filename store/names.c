/* The functions that queries speak of, numbered across segments and stores.
 *
 * Functions lie in blocks that never move, reached by a table of fixed size: a number once
 * given can be looked up while more are entered. */
#include "store/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/text.h"

enum {
	BLOCK_FUNCS = 1024,
	BLOCKS = 8192, /* 8 million functions: more than a host's binaries hold */
};

struct names {
	struct intern keys;    /* what makes a function: its number is the function's */
	struct intern strings; /* clean */
	struct func *blocks[BLOCKS];
	struct buf scratch, key;
};

struct names *names_new(void)
{
	return mem_zalloc(1, sizeof(struct names));
}

void names_free(struct names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < BLOCKS && n->blocks[i]; i++)
		free(n->blocks[i]);
	intern_free(&n->keys);
	intern_free(&n->strings);
	buf_free(&n->scratch);
	buf_free(&n->key);
	free(n);
}

static const char *keep(struct names *n, const char *s)
{
	buf_clear(&n->scratch);
	text_clean(&n->scratch, s, strlen(s));
	return intern_get(&n->strings,
			  intern_put(&n->strings, buf_cstr(&n->scratch), n->scratch.len, NULL),
			  NULL);
}

static uint32_t put(struct names *n, const struct func *f, bool split)
{
	const char *name = f->name && f->name[0] ? f->name : "[unknown]";
	const char *module = f->module ? f->module : "";
	const char *file = f->file ? f->file : "";
	struct buf *key = &n->key;

	buf_clear(key);
	buf_char(key, (char)f->kind);
	buf_char(key, (char)split);
	buf_bytes(key, name, strlen(name) + 1);
	buf_bytes(key, module, strlen(module) + 1);
	if (split || f->kind == KIND_PYTHON)
		buf_str(key, file);
	if (split)
		buf_fmt(key, "%c%u", 0, f->line);

	if (n->keys.count >= (size_t)BLOCKS * BLOCK_FUNCS) {
		uint32_t known;
		return intern_find(&n->keys, key->data, key->len, &known) ? known : 0;
	}
	bool fresh;
	uint32_t id = intern_put(&n->keys, key->data, key->len, &fresh);
	if (!fresh)
		return id;
	struct func **block = &n->blocks[id / BLOCK_FUNCS];
	if (!*block)
		*block = mem_alloc(BLOCK_FUNCS * sizeof(**block));
	(*block)[id % BLOCK_FUNCS] =
		(struct func){f->kind, keep(n, name), keep(n, module), keep(n, file), f->line};
	return id;
}

uint32_t names_put(struct names *n, const struct func *f)
{
	return put(n, f, false);
}

uint32_t names_put_line(struct names *n, const struct func *f)
{
	return put(n, f, true);
}

const struct func *names_func(const struct names *n, uint32_t id)
{
	return &n->blocks[id / BLOCK_FUNCS][id % BLOCK_FUNCS];
}

size_t names_count(const struct names *n)
{
	return n->keys.count;
}
