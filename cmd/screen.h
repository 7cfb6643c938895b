/* From a command's options to the screen. */
#ifndef CMD_SCREEN_H
#define CMD_SCREEN_H

#include <stdbool.h>

#include "store/range.h"

struct err;
struct options;
struct store;

struct screen_opts {
	struct store *store;
	const char *title; /* process name and pid; NULL: from the store */
	bool live;         /* follow what is being recorded */
	bool (*alive)(void *arg); /* does the recorder run? NULL: ask the store */
	void *arg;
	struct range range; /* the selection at first; empty: none */
};

int screen_run(const struct screen_opts *s, const struct options *o, struct err *err);

#endif
