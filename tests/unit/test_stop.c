/* Stops forced on threads that sleep, with the stopper alone: no call may fail for it; with real
 * signals at the same time, every handler that ran is told of, and none that did not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "sampler/stop.h"

enum { STOPS = 1500, WAIT_MS = 5 };

/* Shared with the sleeper. */
struct tally {
	_Atomic int ready, quit;
	_Atomic long calls, eintr, handlers;
	/* calls that failed with EINTR and no handler had run in them, and the reverse: but a handler
	 * may also run between the count and the call */
	_Atomic long eintr_alone, handler_alone;
};

static struct tally *tally;
static volatile sig_atomic_t handled;

static void on_signal(int sig)
{
	(void)sig;
	handled++;
	atomic_fetch_add(&tally->handlers, 1);
}

static int sleep_in_epoll(int fd)
{
	struct epoll_event e;
	return epoll_wait(fd, &e, 1, WAIT_MS);
}

static int sleep_in_semop(int fd)
{
	struct sembuf op = {0, -1, 0};
	struct timespec t = {0, WAIT_MS * NS_PER_MS};
	return semtimedop(fd, &op, 1, &t);
}

static int sleep_in_recv(int fd)
{
	char c;
	return (int)recv(fd, &c, 1, 0);
}

static int sleep_in_sigtimedwait(int fd)
{
	(void)fd;
	sigset_t set;
	struct timespec t = {0, WAIT_MS * NS_PER_MS};
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	return sigtimedwait(&set, NULL, &t);
}

static int open_recv(void)
{
	int pair[2];
	struct timeval t = {0, WAIT_MS * 1000};
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		return -1;
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	return pair[0];
}

static int open_epoll(void)
{
	return epoll_create1(0);
}

static int open_sem(void)
{
	return semget(IPC_PRIVATE, 1, 0600);
}

static int open_nothing(void)
{
	return 0;
}

static const struct way {
	const char *name;
	int (*open)(void);
	int (*sleep)(int fd);
} ways[] = {
	{"epoll_wait", open_epoll, sleep_in_epoll},
	{"semtimedop", open_sem, sleep_in_semop},
	{"recv", open_recv, sleep_in_recv},
	{"sigtimedwait", open_nothing, sleep_in_sigtimedwait},
};

static _Noreturn void be_sleeper(const struct way *way, bool signals)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* what happens while it waits for a CPU is not what is looked at; refused to some */
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
	int fd = way->open();
	if (signals) {
		struct sigaction sa = {.sa_handler = on_signal};
		struct itimerval every = {{0, 1000}, {0, 1000}};
		sigaction(SIGALRM, &sa, NULL);
		setitimer(ITIMER_REAL, &every, NULL);
	}
	atomic_store(&tally->ready, 1);
	while (!atomic_load(&tally->quit)) {
		sig_atomic_t before = handled;
		int rc = way->sleep(fd);
		bool eintr = rc < 0 && errno == EINTR;
		bool ran = handled != before;
		atomic_fetch_add(&tally->calls, 1);
		atomic_fetch_add(&tally->eintr, eintr);
		atomic_fetch_add(&tally->eintr_alone, eintr && !ran);
		atomic_fetch_add(&tally->handler_alone, ran && !eintr);
	}
	if (way->sleep == sleep_in_semop)
		semctl(fd, 0, IPC_RMID);
	_exit(0);
}

static int taken;

static void on_copy(void *arg, void *owner, const struct cpu_regs *regs)
{
	(void)arg;
	(void)owner;
	(void)regs;
}

static void on_done(void *arg, void *owner, enum stop_end end, int64_t held_ns)
{
	(void)arg;
	(void)owner;
	(void)held_ns;
	taken += end == STOP_TAKEN;
}

static void pause_us(int64_t us)
{
	struct timespec t = {0, us * NS_PER_US};
	nanosleep(&t, NULL);
}

/* Stop the sleeper again and again, most often in its sleep. */
static void stop_often(pid_t pid)
{
	struct stopper stopper;
	stopper_init(&stopper, (struct stop_ops){.copy = on_copy, .done = on_done}, NULL);
	taken = 0;
	for (int i = 0; i < STOPS; i++) {
		assert_int_equal(stopper_ask(&stopper, pid, false, NULL), 0);
		for (int64_t start = clock_mono(); stopper.count;) {
			assert_true(clock_mono() - start < 5 * NS_PER_S);
			stopper_collect(&stopper, start);
		}
		pause_us(300 + i * 7 % 700);
	}
	stopper_free(&stopper);
	assert_int_equal(taken, STOPS);
}

/* Stop one kind of sleeper often, with or without signals; the tally has what it saw. */
static void stop_sleeper(const struct way *way, bool signals)
{
	int status;
	memset(tally, 0, sizeof(*tally));
	pid_t pid = fork();
	if (pid == 0)
		be_sleeper(way, signals);
	while (!atomic_load(&tally->ready))
		pause_us(100);
	stop_often(pid);
	atomic_store(&tally->quit, 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	print_message("# %s: %ld calls, %ld EINTR, %ld handlers, %ld without\n", way->name,
		      atomic_load(&tally->calls), atomic_load(&tally->eintr),
		      atomic_load(&tally->handlers), atomic_load(&tally->handler_alone));
	assert_int_equal(atomic_load(&tally->eintr_alone), 0);
}

enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static void no_call_fails_for_a_stop(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		stop_sleeper(&ways[i], false);
		assert_int_equal(atomic_load(&tally->eintr), 0);
	}
}

/* On a busy machine a signal may come while the thread waits for a CPU to begin its call again: to
 * the program, just before the call. So the best of a few tries counts. */
static void a_handler_that_ran_is_told_of(void **state)
{
	(void)state;
	enum { TRIES = 6, ONE_IN = 50 };
	for (size_t i = 0; i < WAYS; i++) {
		long handlers, alone;
		int tries = 0;
		do {
			stop_sleeper(&ways[i], true);
			handlers = atomic_load(&tally->handlers);
			alone = atomic_load(&tally->handler_alone);
			assert_true(handlers > 100);
		} while (alone > handlers / ONE_IN && ++tries < TRIES);
		assert_in_range(alone, 0, handlers / ONE_IN);
	}
}

static int map_tally(void **state)
{
	(void)state;
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return tally == MAP_FAILED;
}

int main(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_call_fails_for_a_stop),
		cmocka_unit_test(a_handler_that_ran_is_told_of),
	};
	return cmocka_run_group_tests(tests, map_tally, NULL);
}
