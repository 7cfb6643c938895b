/* Errors: filling and printing `struct err`. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	if (!err)
		return -1;
	va_list ap;
	va_start(ap, fmt);
	err->code = code;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return -1;
}

int err_status(const struct err *err)
{
	switch (err->code) {
#define X(name, status)                                                                            \
	case name:                                                                                 \
		return status;
		ERR_CODES(X)
#undef X
	}
	return 1;
}

static void print_line(const char *text)
{
	struct buf line = BUF_INIT;
	buf_str(&line, "cprof: ");
	text_clean(&line, text, strlen(text));
	buf_char(&line, '\n');
	fflush(stdout);
	fwrite(line.data, 1, line.len, stderr);
	buf_free(&line);
}

int err_report(const struct err *err)
{
	print_line(err->text);
	return err_status(err);
}

void err_note(const char *fmt, ...)
{
	char text[1000];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print_line(text);
}
