/* execs N: eight threads that burn CPU time, one of which executes the program anew, N times in
 * all; says "done" at the end and exits with 7. */
#include "target.h"

NOINLINE static void burn(void)
{
	for (;;)
		BURN_NS(10000000);
}

static void *burn_thread(void *arg)
{
	(void)arg;
	burn();
	return NULL;
}

static char *next[4];

static void *exec_thread(void *arg)
{
	(void)arg;
	BURN_NS(5000000);
	execv("/proc/self/exe", next);
	perror("execv");
	exit(1);
}

int main(int argc, char **argv)
{
	static char left[16];
	int n = arg_number(argc, argv, 1, 200);
	target_begin();
	if (n == 0) {
		puts("done");
		return 7;
	}
	if (argc < 3)
		target_ready();
	snprintf(left, sizeof(left), "%d", n - 1);
	next[0] = argv[0], next[1] = left, next[2] = "again", next[3] = NULL;
	for (int i = 0; i < 7; i++)
		start_thread(burn_thread, NULL, NULL);
	start_thread(exec_thread, NULL, "execs");
	burn();
}
