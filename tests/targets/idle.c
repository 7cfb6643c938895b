/* idle N: N threads that sleep. */
#include "target.h"

NOINLINE static void *doze(void *arg)
{
	for (;;)
		pause();
	return arg;
}

int main(int argc, char **argv)
{
	int n = arg_number(argc, argv, 1, 1);
	target_begin();
	for (int i = 0; i < n; i++)
		start_thread(doze, NULL, "idle");
	target_ready();
	for (;;)
		pause();
}
