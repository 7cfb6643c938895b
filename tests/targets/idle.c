/* idle N [BUSY]: N threads that sleep, and some that burn CPU time. */
#include "target.h"

NOINLINE static void *doze(void *arg)
{
	for (;;)
		pause();
	return arg;
}

NOINLINE static void *burn(void *arg)
{
	for (;;)
		BURN_NS(100000000);
	return arg;
}

int main(int argc, char **argv)
{
	int n = arg_number(argc, argv, 1, 1), busy = arg_number(argc, argv, 2, 0);
	target_begin();
	for (int i = 0; i < n; i++)
		start_thread(doze, NULL, "idle");
	for (int i = 0; i < busy; i++)
		start_thread(burn, NULL, "busy");
	target_ready();
	for (;;)
		pause();
}
