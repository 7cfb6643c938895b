/* What threads have consumed: schedstat's first field, exact after each sleep and each stop, told to
 * the worker once a second; in sum it is what the kernel accounts to the process. */
#ifndef SAMPLER_ACCOUNT_H
#define SAMPLER_ACCOUNT_H

#include "sampler/tick.h"

/* Of all threads, at the end of a second or of the recording. */
void account_second(struct sampler *s);

/* Of one: before it is forgotten. */
void account_thread(struct sampler *s, struct watched_thread *t);

#endif
