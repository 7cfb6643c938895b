/* The watchdog: ends a recorder that hangs while it holds a thread of the target. */
#include "sampler/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

enum {
	LOOK_NS = 200 * NS_PER_MS,
	HANG_NS = 700 * NS_PER_MS, /* with a look's delay, below a second */
};

int watchdog_hangs(int64_t now, int64_t sign_at, uint32_t asked)
{
	return sign_at && asked && now - sign_at > HANG_NS;
}

static _Noreturn void watch(const struct life_sign *sign, pid_t recorder)
{
	struct timespec look = {0, LOOK_NS};
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "cprof-watchdog");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == recorder) {
		nanosleep(&look, NULL);
		if (watchdog_hangs(clock_mono(), atomic_load(&sign->at), atomic_load(&sign->asked)))
			kill(recorder, SIGKILL);
	}
	_exit(0);
}

int watchdog_start(struct watchdog *w, struct err *err)
{
	w->sign = mmap(NULL, sizeof(*w->sign), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (w->sign == MAP_FAILED) {
		w->sign = NULL;
		return err_set(err, ERR_FAILED, "cannot get memory: %s", strerror(errno));
	}
	pid_t self = getpid();
	w->pid = fork();
	if (w->pid == 0)
		watch(w->sign, self);
	if (w->pid < 0)
		return err_set(err, ERR_FAILED, "cannot start the watchdog: %s; raise the limit (ulimit -u)",
			       strerror(errno));
	return 0;
}

void watchdog_stop(struct watchdog *w)
{
	if (!w->sign)
		return;
	if (w->pid > 0) {
		kill(w->pid, SIGKILL);
		/* the guard thread may have taken its status: nothing depends on it */
		waitpid(w->pid, NULL, 0);
	}
	munmap(w->sign, sizeof(*w->sign));
	w->sign = NULL;
}
