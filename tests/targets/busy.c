/* busy N DEPTH: N threads that burn CPU time DEPTH calls deep. */
#include "target.h"

static int depth;

NOINLINE static void burn(void)
{
	for (;;)
		BURN_NS(100000000);
}

NOINLINE static void descend(int left)
{
	if (left > 0)
		descend(left - 1);
	else
		burn();
	__asm__ volatile("");
}

static void *run(void *arg)
{
	descend(depth);
	return arg;
}

int main(int argc, char **argv)
{
	int n = arg_number(argc, argv, 1, 1);
	target_begin();
	depth = arg_number(argc, argv, 2, 10);
	for (int i = 0; i < n; i++) {
		char name[16];
		snprintf(name, sizeof(name), "busy-%d", i);
		start_thread(run, NULL, name);
	}
	target_ready();
	for (;;)
		pause();
}
