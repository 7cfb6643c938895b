/* The guard: reaps for the tracer while that sits in a ptrace call. */
#include "sampler/guard.h"

#include <errno.h>
#include <time.h>

#include "base/clock.h"

enum {
	LOOK_NS = 5 * NS_PER_MS,  /* how often it looks, and */
	LIMIT_NS = 5 * NS_PER_MS, /* how long a call may last before it reaps */
	REST_LOOKS = 20,          /* looks without a call before it rests */
};

void guard_init(struct guard *g)
{
	*g = (struct guard){.since = 0};
	sem_init(&g->wake, 0, 0);
}

void guard_release(struct guard *g)
{
	sem_destroy(&g->wake);
}

static void wake(struct guard *g)
{
	if (atomic_load(&g->rests) && atomic_exchange(&g->rests, false))
		sem_post(&g->wake);
}

void guard_enter(struct guard *g, int64_t now)
{
	atomic_store(&g->since, now);
	atomic_store(&g->calls, atomic_load_explicit(&g->calls, memory_order_relaxed) + 1);
	wake(g);
}

void guard_leave(struct guard *g)
{
	atomic_store_explicit(&g->since, 0, memory_order_relaxed);
}

void guard_over(struct guard *g)
{
	atomic_store(&g->over, true);
	wake(g);
}

/* Until the next call. */
static void rest(struct guard *g, uint32_t calls)
{
	atomic_store(&g->rests, true);
	if ((atomic_load(&g->calls) != calls || atomic_load(&g->over)) &&
	    atomic_exchange(&g->rests, false))
		return;
	while (sem_wait(&g->wake) && errno == EINTR)
		;
}

void guard_watch(struct guard *g, void (*reap)(void))
{
	const struct timespec look = {0, LOOK_NS};
	uint32_t calls = 0;
	int quiet = 0;
	while (!atomic_load(&g->over)) {
		nanosleep(&look, NULL);
		int64_t since = atomic_load(&g->since);
		if (since && clock_mono() - since > LIMIT_NS)
			reap();
		uint32_t now = atomic_load(&g->calls);
		quiet = now != calls || since ? 0 : quiet + 1;
		calls = now;
		if (quiet == REST_LOOKS) {
			rest(g, calls);
			quiet = 0;
		}
	}
}
