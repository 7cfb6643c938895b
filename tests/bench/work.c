/* Work that can be counted from outside: work FILE THREADS DEPTH | work read FILE.
 *
 * The threads count what they have done in a file that is mapped, DEPTH calls deep; `read` prints
 * the sum. So what a profiler costs is seen as work not done. Ends when FILE is removed, or
 * after ten minutes. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS_MAX = 64, LINE = 64 / sizeof(uint64_t), STEP = 1000 };

static volatile uint64_t *counts; /* a cache line a thread */
static int depth;

__attribute__((noinline)) static void work(volatile uint64_t *count)
{
	for (uint64_t x = 1; *count < UINT64_MAX; *count += 1)
		for (int i = 0; i < STEP; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			__asm__ volatile("" : "+r"(x));
		}
}

__attribute__((noinline)) static void descend(volatile uint64_t *count, int left)
{
	if (left > 0)
		descend(count, left - 1);
	else
		work(count);
	__asm__ volatile("");
}

static void *run(void *arg)
{
	descend(arg, depth);
	return NULL;
}

int main(int argc, char **argv)
{
	int reading = argc == 3 && !strcmp(argv[1], "read");
	if (!reading && argc != 4)
		return 2;
	const char *file = argv[reading ? 2 : 1];
	size_t bytes = THREADS_MAX * LINE * sizeof(uint64_t);
	int fd = open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		return 1;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return 1;
	counts = p;
	if (reading) {
		uint64_t sum = 0;
		for (int i = 0; i < THREADS_MAX; i++)
			sum += counts[i * LINE];
		printf("%llu\n", (unsigned long long)sum);
		return 0;
	}
	int threads = atoi(argv[2]);
	depth = atoi(argv[3]);
	alarm(600);
	for (int i = 0; i < threads && i < THREADS_MAX; i++) {
		pthread_t t;
		if (pthread_create(&t, NULL, run, (void *)&counts[i * LINE]))
			return 1;
	}
	puts("ready");
	fflush(stdout);
	while (!access(file, F_OK))
		usleep(200000);
	return 0;
}
