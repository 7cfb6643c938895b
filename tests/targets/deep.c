/* deep N: a thread that burns CPU time N calls deep, in calls of 48 bytes and more. */
#include "target.h"

static int depth;

NOINLINE static void bottom(void)
{
	for (;;)
		BURN_NS(100000000);
}

NOINLINE static void dig(int left)
{
	if (left > 0)
		dig(left - 1);
	else
		bottom();
	__asm__ volatile("");
}

NOINLINE static void start_digging(void)
{
	dig(depth);
	__asm__ volatile("");
}

static void *dig_thread(void *arg)
{
	start_digging();
	return arg;
}

int main(int argc, char **argv)
{
	enum { FRAME = 64 };
	pthread_attr_t attr;
	pthread_t t;
	depth = arg_number(argc, argv, 1, 100000);
	target_begin();
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)depth * FRAME + (1 << 20));
	if (pthread_create(&t, &attr, dig_thread, NULL))
		return 1;
	target_ready();
	for (;;)
		pause();
}
