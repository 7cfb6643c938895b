/* Keepers: threads of ours that hold a CPU for the moment of a sample. */
#include "sampler/keeper.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum {
	STAY_NS = 80 * NS_PER_US, /* it leaves then, released or not */
	STACK_BYTES = 64 << 10,
};

struct keeper {
	struct keepers *all;
	pthread_t thread;
	int cpu;
	bool made;
	sem_t wake;
	_Atomic bool rests;     /* it waits for `wake`, not for a moment */
	_Atomic int64_t moment; /* when it is expected; 0: not */
	_Atomic int64_t here;   /* the moment for which it is there; 0: it is not */
};

struct keepers {
	bool refused; /* a real-time priority is not permitted */
	struct keeper *items; /* by CPU */
	int count;
	_Atomic bool over;
	_Atomic int64_t released; /* all moments up to this one */
	_Atomic int sampler_cpu;  /* where the sampler displaces by itself */
};

struct keepers *keepers_new(void)
{
	struct keepers *k = mem_zalloc(1, sizeof(*k));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	k->count = cpus > 0 && cpus < CPU_SETSIZE ? (int)cpus : 0;
	k->items = mem_zalloc((size_t)k->count + 1, sizeof(*k->items));
	return k;
}

bool keepers_useful(const struct keepers *k)
{
	return k && !k->refused && k->count;
}

static void wake(struct keeper *x)
{
	if (atomic_load(&x->rests) && atomic_exchange(&x->rests, false))
		sem_post(&x->wake);
}

void keepers_free(struct keepers *k)
{
	if (!k)
		return;
	atomic_store(&k->over, true);
	atomic_store(&k->released, INT64_MAX);
	for (int i = 0; i < k->count; i++) {
		struct keeper *x = &k->items[i];
		if (!x->made)
			continue;
		wake(x);
		pthread_join(x->thread, NULL);
		sem_destroy(&x->wake);
	}
	free(k->items);
	free(k);
}

/* Wait for another moment than the one that was served; false: it is over. */
static bool rest(struct keeper *x, int64_t served)
{
	while (!atomic_load(&x->all->over)) {
		int64_t moment = atomic_load(&x->moment);
		if (moment && moment != served)
			return true;
		atomic_store(&x->rests, true);
		if ((atomic_load(&x->moment) != moment || atomic_load(&x->all->over)) &&
		    atomic_exchange(&x->rests, false))
			continue;
		while (sem_wait(&x->wake) && errno == EINTR)
			;
	}
	return false;
}

static void stay(struct keeper *x, int64_t moment)
{
	int64_t until = clock_mono() + STAY_NS;
	atomic_store(&x->here, moment);
	while (atomic_load(&x->all->released) < moment && clock_mono() < until)
		;
	atomic_store(&x->here, 0);
}

static void *keep(void *arg)
{
	struct keeper *x = arg;
	cpu_set_t set;
	int64_t served = 0;
	CPU_ZERO(&set);
	CPU_SET(x->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set); /* refused: it comes elsewhere, and is of no use */
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	while (rest(x, served)) {
		served = atomic_load(&x->moment);
		struct timespec t = {served / NS_PER_S, served % NS_PER_S};
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
			;
		if (atomic_load(&x->all->sampler_cpu) != x->cpu)
			stay(x, served);
	}
	return NULL;
}

/* With a real-time priority it displaces whoever runs at once (without, late, and no better than no
 * keeper); bound to its CPU, it need not look for another. A failure is none: the samples are as
 * good as they are otherwise. */
static void make(struct keepers *k, struct keeper *x, int cpu)
{
	const struct sched_param fifo = {.sched_priority = 1};
	pthread_attr_t attr;
	x->all = k;
	x->cpu = cpu;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &fifo);
	sem_init(&x->wake, 0, 0);
	int rc = pthread_create(&x->thread, &attr, keep, x);
	x->made = !rc;
	k->refused = rc == EPERM;
	if (x->made)
		pthread_setname_np(x->thread, "cprof-keeper");
	else
		sem_destroy(&x->wake);
	pthread_attr_destroy(&attr);
}

void keepers_expect(struct keepers *k, int cpu, int64_t moment)
{
	if (!keepers_useful(k) || cpu < 0 || cpu >= k->count)
		return;
	struct keeper *x = &k->items[cpu];
	if (!x->made)
		make(k, x, cpu);
	if (!x->made || atomic_load(&x->moment) == moment)
		return;
	atomic_store(&x->moment, moment);
	wake(x);
}

bool keepers_expected(const struct keepers *k, int cpu, int64_t moment)
{
	return k && cpu >= 0 && cpu < k->count && k->items[cpu].made &&
	       atomic_load(&k->items[cpu].moment) == moment;
}

void keepers_begin(struct keepers *k)
{
	if (k)
		atomic_store(&k->sampler_cpu, sched_getcpu());
}

bool keepers_own(const struct keepers *k, int cpu)
{
	return k && atomic_load(&k->sampler_cpu) == cpu;
}

bool keepers_await(struct keepers *k, int cpu, int64_t moment)
{
	if (!keepers_expected(k, cpu, moment))
		return false;
	struct keeper *x = &k->items[cpu];
	do {
		if (atomic_load(&x->here) == moment)
			return true;
	} while (clock_mono() < moment + STAY_NS);
	return false;
}

void keepers_release(struct keepers *k, int64_t moment)
{
	if (k)
		atomic_store(&k->released, moment);
}

void keepers_postpone(struct keepers *k, int64_t from, int64_t to)
{
	for (int cpu = 0; k && cpu < k->count; cpu++)
		if (keepers_expected(k, cpu, from))
			atomic_store(&k->items[cpu].moment, to);
	keepers_release(k, from);
}
