/* The worker: takes the sampler's messages, makes stacks of them, and writes the store.
 *
 * It runs on a thread of its own and does everything that can be slow. A second is written
 * when the ticks after it have begun and no thread of it is still awaited; each second is one
 * commit. A commit that fails (disk full) is tried again; the seconds it had are lost and
 * counted. */
#ifndef SAMPLER_WORKER_H
#define SAMPLER_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sampler/ring.h"
#include "sampler/stacker.h"

struct err;
struct sampler;
struct store_writer;
struct worker;

struct worker_result {
	uint64_t lost_seconds;   /* could not be written */
	char trouble[300];       /* why, the last time; "" none */
	uint64_t samples;
	int64_t first, last;     /* seconds written, UTC */
};

struct worker *worker_new(struct ring *ring, struct sampler *sampler, struct store_writer *writer,
			  enum unwinder how);
void worker_free(struct worker *w);

/* The thread's body: returns after the sampler's last message has been handled. `on_commit` is
 * called after each commit (may be NULL). */
void worker_run(struct worker *w, void (*on_commit)(void *arg), void *arg);
const struct worker_result *worker_result(const struct worker *w);

#endif
