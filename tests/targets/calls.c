/* calls: one thread that works for some 10 us, makes a short system call, and so on. */
#include "target.h"

NOINLINE static void work(void)
{
	for (volatile int i = 0; i < 10000; i++)
		;
}

NOINLINE static void call(void)
{
	thread_cpu_ns();
}

NOINLINE static void *run(void *arg)
{
	for (;;) {
		work();
		call();
	}
	return arg;
}

int main(void)
{
	target_begin();
	start_thread(run, NULL, "calls");
	target_ready();
	for (;;)
		pause();
}
