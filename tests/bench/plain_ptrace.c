/* What sampling with plain libunwind-ptrace costs the target: plain_ptrace TID HZ SECONDS NAMES.
 *
 * Interrupts the thread, unwinds it where it stands with _UPT_accessors and libunwind's cache,
 * with NAMES 1 also names each frame as a profiler must, lets it go, and prints how long it was
 * held each time: "stops N frames N p50-us X p99-us Y". The benchmark's baseline. */
#include <libunwind-ptrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

static double now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static int unwind(unw_addr_space_t as, void *upt, int names)
{
	unw_cursor_t cursor;
	int frames = 0;
	if (unw_init_remote(&cursor, as, upt))
		return 0;
	do {
		char name[256];
		unw_word_t offset;
		frames++;
		if (names)
			unw_get_proc_name(&cursor, name, sizeof(name), &offset);
	} while (unw_step(&cursor) > 0);
	return frames;
}

int main(int argc, char **argv)
{
	enum { STOPS_MAX = 100000 };
	if (argc != 5)
		return 2;
	int tid = atoi(argv[1]), n = 0, frames = 0, status;
	double period = 1e6 / atof(argv[2]), end = now_us() + atof(argv[3]) * 1e6;
	double *held = malloc(STOPS_MAX * sizeof(*held));
	if (!held || ptrace(PTRACE_SEIZE, tid, 0, 0)) {
		perror("plain_ptrace");
		return 1;
	}
	unw_addr_space_t as = unw_create_addr_space(&_UPT_accessors, 0);
	unw_set_caching_policy(as, UNW_CACHE_GLOBAL);
	void *upt = _UPT_create(tid);
	while (now_us() < end && n < STOPS_MAX) {
		double start = now_us();
		if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) || waitpid(tid, &status, __WALL) != tid)
			break;
		frames = unwind(as, upt, atoi(argv[4]));
		ptrace(PTRACE_CONT, tid, 0, 0);
		held[n++] = now_us() - start;
		double left = period - held[n - 1];
		struct timespec pause = {0, left > 0 ? (long)(left * 1e3) : 0};
		nanosleep(&pause, NULL);
	}
	_UPT_destroy(upt);
	unw_destroy_addr_space(as);
	if (!n)
		return 1;
	qsort(held, (size_t)n, sizeof(*held), by_value);
	printf("stops %d frames %d p50-us %.1f p99-us %.1f\n", n, frames, held[n / 2],
	       held[(size_t)n * 99 / 100]);
	return 0;
}
