/* A thread while it is held: what is copied of it, and what it did at the tick. The sampler's inner
 * part; see sampler.h. */
#ifndef SAMPLER_HELD_H
#define SAMPLER_HELD_H

#include "sampler/tick.h"

/* What the stopper calls; its argument is the sampler, an owner a watched_thread. */
extern const struct stop_ops held_ops;

/* Go through a stop without one, if all it needs has had time to leave the caches: who runs is held
 * half as long then. The copy is of a stack that moves, and is thrown away. Nobody who ran lately:
 * nothing is done. */
void held_rehearse(struct sampler *s);

/* Has the thread been seen in system calls lately? Then it needs a keeper (sampler/keeper.h). */
bool held_needs_keeper(const struct watched_thread *t);

#endif
