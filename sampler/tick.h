/* One tick: what each thread does now. The sampler's inner part; see sampler.h. */
#ifndef SAMPLER_TICK_H
#define SAMPLER_TICK_H

#include "sampler/copy.h"
#include "sampler/message.h"
#include "sampler/sampler.h"
#include "sampler/schedule.h"
#include "sampler/stop.h"
#include "sampler/throttle.h"
#include "sampler/watched.h"

struct thread_list {
	struct watched_thread **items;
	size_t count, cap;
};

struct sampler {
	struct sampler_opts opts;
	struct ring *ring;
	struct watched watched;
	struct stopper stopper;
	struct schedule schedule;
	uint32_t tick;        /* number of the current tick */
	int64_t tick_moment;  /* when it was due, monotonic */
	int64_t tick_at;      /* when it came */
	int64_t second;       /* UTC second of the current tick */
	int quick_stops;      /* stops that can come while the sampler occupies a CPU itself */
	struct throttle throttle;
	struct msg_sample *held; /* filled while a thread is held: memory that is in the cache, */
	bool held_valid;         /* as the ring's is not */
	int64_t held_at;         /* when its stop was seen (monotonic) */
	size_t ahead;            /* bytes of stack copied before sp was known */
	size_t held_skip;        /* of these: below sp */
	int64_t warm_at;         /* when what a stop runs through was last run through: */
	int warm_tid;            /* by this thread, 0 none, */
	struct copy warm_copy;   /* with this copy of its stack */
	bool polling;         /* has not slept since it asked: the first to stop ran just now */
	uint32_t taken_at_once; /* stops taken while polling in this tick */
	struct keepers *keepers; /* NULL: none are used */
	int64_t keep_at, keep_next; /* when they come: for this tick, for the next */
	int64_t keep_lead;          /* that much after the tick's moment */
	struct thread_list kept;     /* scratch: to be looked at when their keepers are there */
	struct thread_list runners;  /* scratch: to be stopped in this tick */
	struct thread_list sleepers; /* scratch: to be copied where they sleep */
	_Atomic bool paused;
};

/* Look at every thread; ask those that run to stop and take the stops that come at once. */
void tick_take(struct sampler *s);

/* Callbacks of the table of threads. */
void tick_thread_found(void *arg, struct watched_thread *t);
void tick_thread_lost(void *arg, struct watched_thread *t);

/* A message of the given size in the ring with its head filled, or NULL: the ring is full. */
void *tick_message(struct sampler *s, enum msg_type type, size_t size);
void *tick_thread_message(struct sampler *s, enum msg_type type, size_t size,
			  const struct watched_thread *t);

void tick_set_life(struct watched_thread *t, enum watched_life life);
/* It has ended: its process is scanned at the next tick. */
void tick_note_dead(struct watched_thread *t);

#endif
