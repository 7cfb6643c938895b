/* Two threads whose functions turn4, turn3, turn2 and turn1 take turns of 4, 3, 2 and 1 ms of
 * CPU time, thirty calls deep: 40, 30, 20 and 10 % of the time, each exactly known. */
#include "target.h"

typedef void turn(void);

/* CPU time of the thread when the turn is over: added up, so that what one turn takes too long
 * the next of the same kind takes less. */
static __thread int64_t over[5];

#define TURN(n)                                                                                    \
	NOINLINE static void turn##n(void)                                                         \
	{                                                                                          \
		int64_t start = thread_cpu_ns(), end = start + n * INT64_C(1000000) - over[n];     \
		do {                                                                               \
			for (volatile int i = 0; i < 100000; i++)                                  \
				;                                                                  \
		} while (thread_cpu_ns() < end);                                                   \
		over[n] = thread_cpu_ns() - end;                                                   \
	}
TURN(4)
TURN(3)
TURN(2)
TURN(1)

/* level26 is called by level25, ... by level01. */
#define LEVEL(n, below)                                                                            \
	NOINLINE static void level##n(turn *t)                                                     \
	{                                                                                          \
		below(t);                                                                          \
		__asm__ volatile("");                                                              \
	}
NOINLINE static void level26(turn *t)
{
	t();
	__asm__ volatile("");
}
LEVEL(25, level26)
LEVEL(24, level25)
LEVEL(23, level24)
LEVEL(22, level23)
LEVEL(21, level22)
LEVEL(20, level21)
LEVEL(19, level20)
LEVEL(18, level19)
LEVEL(17, level18)
LEVEL(16, level17)
LEVEL(15, level16)
LEVEL(14, level15)
LEVEL(13, level14)
LEVEL(12, level13)
LEVEL(11, level12)
LEVEL(10, level11)
LEVEL(09, level10)
LEVEL(08, level09)
LEVEL(07, level08)
LEVEL(06, level07)
LEVEL(05, level06)
LEVEL(04, level05)
LEVEL(03, level04)
LEVEL(02, level03)
LEVEL(01, level02)

NOINLINE static void *take_turns(void *arg)
{
	for (;;) {
		level01(turn4);
		level01(turn3);
		level01(turn2);
		level01(turn1);
	}
	return arg;
}

int main(void)
{
	target_begin();
	start_thread(take_turns, NULL, "turns-1");
	start_thread(take_turns, NULL, "turns-2");
	target_ready();
	for (;;)
		pause();
}
