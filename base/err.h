/* Errors: a code that decides the exit status, and one line of text that says the
 * problem first, then the remedy.
 *
 * A function that can fail takes a `struct err *` last and returns 0 or -1 (or NULL);
 * on failure the struct is filled, on success it is left alone. The text has no
 * "cprof: " in front, no newline, no capital and no full stop: err_report adds the
 * name. Text that came from a target is cleaned by err_report, not by the caller. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/* name, exit status: see EXIT STATUS in cprof(1) */
#define ERR_CODES(X)        \
	X(ERR_NONE, 0)      \
	X(ERR_FAILED, 1)    \
	X(ERR_USAGE, 2)     \
	X(ERR_PARTIAL, 3)   \
	X(ERR_LAUNCH, 125)  \
	X(ERR_NOEXEC, 126)  \
	X(ERR_NOCMD, 127)

enum err_code {
#define X(name, status) name,
	ERR_CODES(X)
#undef X
};

struct err {
	enum err_code code;
	char text[600];
};

/* Fill err and return -1, so that `return err_set(...)` reads well. err may be NULL. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The exit status that belongs to the code. */
int err_status(const struct err *err);

/* Print "cprof: TEXT\n" to stderr, the text made harmless, and return err_status. */
int err_report(const struct err *err);

/* Print "cprof: TEXT\n" to stderr: a warning or a remark, in the same form. */
void err_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
