/* What the target programs of the tests share. A target prints "ready" when it has reached its
 * state, and runs until it is killed, or for ten minutes: a test that dies leaves nothing. */
#ifndef TESTS_TARGET_H
#define TESTS_TARGET_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static inline void target_begin(void)
{
	/* the tests attach as another process of the same user, also under yama */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	alarm(600);
}

static inline void target_ready(void)
{
	puts("ready");
	fflush(stdout);
}

static inline int64_t thread_cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline int64_t wall_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static inline void sleep_ns(int64_t ns)
{
	struct timespec t = {ns / 1000000000, ns % 1000000000};
	nanosleep(&t, NULL);
}

/* Burn CPU time in the calling function itself: a macro, so that it is its own self time. The
 * clock is a system call and is asked once in some 100 µs. */
#define BURN_NS(ns)                                                                                \
	do {                                                                                       \
		int64_t burn_end_ = thread_cpu_ns() + (ns);                                        \
		do {                                                                               \
			for (volatile int burn_i_ = 0; burn_i_ < 50000; burn_i_++)                 \
				;                                                                  \
		} while (thread_cpu_ns() < burn_end_);                                             \
	} while (0)

static inline void start_thread(void *(*run)(void *), void *arg, const char *name)
{
	pthread_t t;
	if (pthread_create(&t, NULL, run, arg)) {
		perror("pthread_create");
		exit(1);
	}
	if (name)
		pthread_setname_np(t, name);
	pthread_detach(t);
}

static inline int arg_number(int argc, char **argv, int i, int otherwise)
{
	return i < argc ? atoi(argv[i]) : otherwise;
}

#endif
