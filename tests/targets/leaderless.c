/* leaderless: the main thread has ended, a second one burns CPU time and a third one sleeps. */
#include "target.h"

NOINLINE static void burn(void)
{
	for (;;)
		BURN_NS(100000000);
}

static void *burn_thread(void *arg)
{
	(void)arg;
	burn();
	return NULL;
}

NOINLINE static void doze(void)
{
	for (;;)
		pause();
}

static void *doze_thread(void *arg)
{
	(void)arg;
	doze();
	return NULL;
}

int main(void)
{
	target_begin();
	start_thread(burn_thread, NULL, "burner");
	start_thread(doze_thread, NULL, "dozer");
	target_ready();
	pthread_exit(NULL);
}
