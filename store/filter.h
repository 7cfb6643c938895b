/* Filters: which samples of a range are counted, and by what they are weighed.
 *
 * SEL is [RANGE] [thread:N] [process:NAME|PID] [type:T] [state:S] [text]; `!` before a part
 * negates it; the same key twice is or, different keys are and. A value with blanks is put
 * in double quotes. thread: is a TID or a name ("worker-3", or "worker-*"). Text and state
 * keep whole samples; type keeps the frames of that type. Text matches a function's name,
 * module or file, ignoring case; "re:EXPR" is a POSIX extended regular expression. */
#ifndef STORE_FILTER_H
#define STORE_FILTER_H

#include "store/range.h"
#include "store/sample.h"

struct err;
struct buf;

#define FILTER_KEYS(X)              \
	X(FILTER_PROCESS, "process") \
	X(FILTER_THREAD, "thread")   \
	X(FILTER_TYPE, "type")       \
	X(FILTER_STATE, "state")     \
	X(FILTER_MATCH, "match")

#define X(id, name) id,
enum filter_key { FILTER_KEYS(X) FILTER_KEY_COUNT };
#undef X

struct filter_term {
	enum filter_key key;
	bool negated;
	char *value; /* owned; as written */
};

struct filter {
	enum weight weight;
	bool lines; /* functions are split by line */
	struct filter_term *terms;
	size_t count, cap;
};

#define FILTER_INIT {WEIGHT_CPU, false, NULL, 0, 0}

void filter_release(struct filter *f);
void filter_copy(struct filter *to, const struct filter *from); /* to: released or new */
bool filter_equal(const struct filter *a, const struct filter *b);

/* Add a term. The value is checked (a type, a state, a regular expression): ERR_USAGE. A term
 * that is there already is not added again. */
int filter_add(struct filter *f, enum filter_key key, const char *value, bool negated, struct err *err);
void filter_remove(struct filter *f, size_t i);

/* A state asked for that the weight excludes is wrong usage. */
int filter_check(const struct filter *f, struct err *err);

/* Parse SEL. *has_range tells whether it named a range; range is left alone otherwise. */
int filter_parse(const char *sel, const struct range_context *ctx, struct filter *f, struct range *range,
		 bool *has_range, struct err *err);

/* The terms as SEL text, read back by filter_parse; one term as a chip, "thread:worker-1". */
void filter_text(struct buf *out, const struct filter *f);
void filter_term_text(struct buf *out, const struct filter_term *t);

#endif
