/* exits MS [STATUS]: busy for MS milliseconds, then ends with STATUS. */
#include "target.h"

NOINLINE static void last_work(int ms)
{
	int64_t end = wall_ns() + ms * INT64_C(1000000);
	while (wall_ns() < end)
		BURN_NS(1000000);
}

int main(int argc, char **argv)
{
	target_begin();
	target_ready();
	last_work(arg_number(argc, argv, 1, 500));
	return arg_number(argc, argv, 2, 0);
}
