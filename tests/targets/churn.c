/* Threads that come and go: always eight, each lives for some 10 ms of CPU time. */
#include <semaphore.h>
#include "target.h"

static sem_t seats;

NOINLINE static void short_life(void)
{
	BURN_NS(10000000);
}

static void *live(void *arg)
{
	short_life();
	sem_post(&seats);
	return arg;
}

int main(void)
{
	target_begin();
	sem_init(&seats, 0, 8);
	target_ready();
	for (;;) {
		sem_wait(&seats);
		start_thread(live, NULL, "churn");
	}
}
