/* naps SECONDS: one thread that works for 1 ms and sleeps for 4 ms, over and over; at the end it
 * prints what the process has consumed, in ns. */
#include <sys/resource.h>

#include "target.h"

NOINLINE static void work(void)
{
	BURN_NS(1000000);
}

NOINLINE static void rest(void)
{
	sleep_ns(4000000);
}

static int64_t ns(struct timeval t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

int main(int argc, char **argv)
{
	struct rusage used;
	target_begin();
	target_ready();
	int64_t end = wall_ns() + arg_number(argc, argv, 1, 5) * INT64_C(1000000000);
	while (wall_ns() < end) {
		work();
		rest();
	}
	getrusage(RUSAGE_SELF, &used);
	printf("consumed %lld\n", (long long)(ns(used.ru_utime) + ns(used.ru_stime)));
	return 0;
}
