/* A recording from its beginning to its end: the sampler's, the worker's and the guard's
 * threads, and what ends them.
 *
 * recorder_run blocks INT, TERM and HUP and takes them itself: they end the recording in good
 * order. Call it in a process that has no other threads. */
#ifndef SAMPLER_RECORDER_H
#define SAMPLER_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/stacker.h"

struct err;
struct launched;

struct recorder_opts {
	const int *pids; /* checked by target_check */
	size_t npids;
	double rate_hz;
	double max_stop; /* percent */
	int64_t duration_ns; /* 0: until told to stop or all targets have ended */
	enum unwinder unwinder;
	const char *store;   /* the folder */
	const char *command; /* this command line, for info */
	struct launched *launched; /* let go when sampling has begun; may be NULL */
	const char *output;  /* the file for its output; NULL: it keeps what it has */
	int ready_fd;        /* the store's path and a newline, when it is there; -1 none */
};

struct recorder_result {
	bool targets_ended;    /* before they were told to, or before the duration was over */
	uint64_t lost_seconds; /* could not be written */
	char trouble[300];     /* why */
	uint64_t samples;
	int signal;            /* that ended it; 0 none */
};

int recorder_run(const struct recorder_opts *opts, struct recorder_result *result, struct err *err);

#endif
