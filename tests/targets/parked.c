/* Threads parked for good in known stacks: pause, futex, nanosleep and read. */
#include <linux/futex.h>
#include <string.h>
#include "target.h"

#define PARKED 4

static volatile pid_t tids[PARKED];
static int never[2]; /* a pipe that nobody writes to */
static uint32_t word;

NOINLINE static void park_in_pause(void)
{
	for (;;)
		pause();
}

NOINLINE static void park_in_futex(void)
{
	for (;;)
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

NOINLINE static void park_in_nanosleep(void)
{
	for (;;)
		sleep_ns(INT64_C(3600) * 1000000000);
}

NOINLINE static void park_in_read(void)
{
	char c;
	while (read(never[0], &c, 1) >= 0)
		;
}

static void (*const places[PARKED])(void) = {park_in_pause, park_in_futex, park_in_nanosleep,
					     park_in_read};

NOINLINE static void inner(int i)
{
	places[i]();
	__asm__ volatile("");
}

NOINLINE static void middle(int i)
{
	inner(i);
	__asm__ volatile("");
}

NOINLINE static void outer(int i)
{
	middle(i);
	__asm__ volatile("");
}

static void *park(void *arg)
{
	int i = (int)(intptr_t)arg;
	tids[i] = (pid_t)syscall(SYS_gettid);
	outer(i);
	return NULL;
}

/* Is the thread blocked in a system call? /proc/PID/task/TID/syscall says "running" until then. */
static int is_parked(pid_t tid)
{
	char path[64], text[16] = "";
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)tid);
	FILE *f = tid ? fopen(path, "r") : NULL;
	if (!f)
		return 0;
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	return text[0] && strncmp(text, "running", 7) != 0;
}

int main(void)
{
	static const char *const names[PARKED] = {"in-pause", "in-futex", "in-nanosleep",
						  "in-read"};
	target_begin();
	if (pipe(never))
		return 1;
	for (int i = 0; i < PARKED; i++)
		start_thread(park, (void *)(intptr_t)i, names[i]);
	for (int i = 0; i < PARKED; i++)
		while (!is_parked(tids[i]))
			sleep_ns(1000000);
	target_ready();
	for (;;)
		pause();
}
