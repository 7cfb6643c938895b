/* The line of input at the bottom. While it is open it takes every key. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tui/cells.h"

struct theme;

/* what it is for, its first words */
#define PROMPTS(X)                                                                                 \
	X(PROMPT_GOTO, "go to: ")                                                                  \
	X(PROMPT_SEARCH, "search: ")                                                               \
	X(PROMPT_FILTER, "filter: ")                                                               \
	X(PROMPT_MARK, "name, note: ")

#define X(id, label) id,
enum prompt_kind { PROMPT_NONE, PROMPTS(X) PROMPT_COUNT };
#undef X

struct prompt {
	enum prompt_kind kind; /* PROMPT_NONE: closed */
	struct buf text;
	size_t at;  /* the cursor, in bytes */
	bool fresh; /* the text is a suggestion: typing replaces it */
};

enum prompt_result { PROMPT_OPEN, PROMPT_ACCEPT, PROMPT_CANCEL };

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *suggestion);
void prompt_close(struct prompt *p);
enum prompt_result prompt_key(struct prompt *p, int32_t key);
void prompt_draw(const struct prompt *p, const struct theme *t,
		 struct cells *c); /* fills the window's first row */

#endif
