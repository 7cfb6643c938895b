/* The bundled workload of `make demo`: a made-up server whose minute has phases that can be
 * told apart in a heatmap: calm, bursts, idle gaps, and a hot spell in another function.
 * It ends by itself after an hour, or after the seconds given. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define KEEP() __asm__ volatile("" ::: "memory")

#define PAGE 4096
static volatile uint64_t sink;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void rest(double seconds)
{
	struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
	nanosleep(&t, NULL);
}

/* --- what the requests do --- */

NOINLINE static uint64_t hash_bytes(const unsigned char *p, size_t n)
{
	uint64_t h = 1469598103934665603u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 1099511628211u;
	return h;
}

NOINLINE static int compare_keys(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

NOINLINE static void sift_down(uint32_t *keys, size_t at, size_t n)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && compare_keys(&keys[child], &keys[child + 1]) < 0)
			child++;
		if (compare_keys(&keys[at], &keys[child]) >= 0)
			break;
		uint32_t t = keys[at];
		keys[at] = keys[child];
		keys[child] = t;
	}
	KEEP();
}

/* A heapsort. */
NOINLINE static void sort_results(uint32_t *keys, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift_down(keys, i, n);
	for (size_t end = n; end-- > 1;) {
		uint32_t t = keys[0];
		keys[0] = keys[end];
		keys[end] = t;
		sift_down(keys, 0, end);
	}
	KEEP();
}

NOINLINE static void query_index(unsigned seed)
{
	uint32_t keys[3000];
	for (size_t i = 0; i < 3000; i++)
		keys[i] = (uint32_t)(seed = seed * 1664525u + 1013904223u);
	sort_results(keys, 3000);
	sink += keys[0];
}

NOINLINE static void parse_headers(const char *text, size_t n)
{
	size_t colons = 0;
	for (int round = 0; round < 12; round++)
		for (size_t i = 0; i < n; i++)
			colons += text[i] == ':';
	sink += colons;
}

NOINLINE static void read_request(char *page)
{
	for (size_t i = 0; i < PAGE; i++)
		page[i] = (char)(32 + (i * 7 + (size_t)sink) % 90);
	parse_headers(page, PAGE);
	KEEP();
}

NOINLINE static void render_page(char *page)
{
	double y = 0;
	for (int i = 1; i < 6000; i++)
		y += sqrt((double)i) / (double)(i + page[i % PAGE]);
	sink += (uint64_t)y;
}

NOINLINE static void handle_request(unsigned seed)
{
	char page[PAGE];
	read_request(page);
	query_index(seed);
	render_page(page);
	sink += hash_bytes((unsigned char *)page, PAGE);
}

NOINLINE static void serve(double until, double load)
{
	for (unsigned seed = 1; now() < until; seed++) {
		double begin = now();
		handle_request(seed);
		if (load < 1)
			rest((now() - begin) * (1 / load - 1));
	}
}

/* --- the hot spell --- */

NOINLINE static size_t match_length(const unsigned char *a, const unsigned char *b, size_t n)
{
	size_t i = 0;
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

NOINLINE static size_t find_longest_match(const unsigned char *data, size_t at, size_t window)
{
	size_t best = 0;
	for (size_t back = 1; back < window && back <= at; back++) {
		size_t n = match_length(data + at, data + at - back, 64);
		best = n > best ? n : best;
	}
	return best;
}

NOINLINE static void compress_block(const unsigned char *data, size_t n)
{
	for (size_t at = 0; at + 64 < n; at += 16)
		sink += find_longest_match(data, at, 256);
}

NOINLINE static void compact_segments(double until)
{
	static unsigned char data[1 << 14];
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * i >> 3 & 3);
	while (now() < until)
		compress_block(data, sizeof(data));
}

/* --- who does it, and when --- */

struct phase {
	double from, to; /* seconds of the minute */
	double load;     /* share of the time that a worker is busy; 0: idle */
};

static const struct phase day[] = {
	{0, 8, 0.10},  {8, 10, 0.9}, {10, 16, 0.12}, {16, 17, 1},   {17, 20, 0.12},
	{20, 21, 1},   {21, 26, 0},  {26, 32, 0.2},  {32, 44, 0.1}, {44, 50, 0.15},
	{50, 53, 0.8}, {53, 57, 0},  {57, 60, 0.1},
};

static double start;

static void *worker(void *arg)
{
	double share = 1 - 0.25 * (double)(intptr_t)arg; /* later workers get less to do */
	for (;;) {
		double t = now() - start, second = fmod(t, 60), minute = start + t - second;
		for (size_t i = 0; i < sizeof(day) / sizeof(day[0]); i++) {
			if (second < day[i].from || second >= day[i].to)
				continue;
			if (day[i].load > 0)
				serve(minute + day[i].to, day[i].load * share);
			else
				rest(minute + day[i].to - now());
		}
	}
	return NULL;
}

/* Wakes each second; from 32 to 44 it compacts, with all its might. */
static void *compactor(void *arg)
{
	for (;;) {
		double second = fmod(now() - start, 60);
		if (second >= 32 && second < 44)
			compact_segments(now() + 44 - second);
		else
			rest(1 - fmod(now() - start, 1));
	}
	return arg;
}

NOINLINE static void flush_log(unsigned n)
{
	char line[256];
	for (unsigned i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "%u: %lu requests", i, (unsigned long)sink);
		sink += hash_bytes((unsigned char *)line, strlen(line));
	}
}

static void *logger(void *arg)
{
	for (;;) {
		flush_log(4000);
		rest(0.25);
	}
	return arg;
}

static void spawn(void *(*run)(void *), intptr_t arg, const char *name)
{
	pthread_t t;
	if (pthread_create(&t, NULL, run, (void *)arg)) {
		perror("pthread_create");
		exit(1);
	}
	pthread_setname_np(t, name);
	pthread_detach(t);
}

int main(int argc, char **argv)
{
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* yama: any process may look */
	start = now();
	spawn(worker, 0, "worker-1");
	spawn(worker, 1, "worker-2");
	spawn(worker, 2, "worker-3");
	spawn(compactor, 0, "compactor");
	spawn(logger, 0, "logger");
	puts("ready");
	fflush(stdout);
	rest(argc > 1 ? atof(argv[1]) : 3600);
	return 0;
}
