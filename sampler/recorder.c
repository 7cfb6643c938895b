/* A recording from its beginning to its end. */
#include "sampler/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "sampler/guard.h"
#include "sampler/launch.h"
#include "sampler/sampler.h"
#include "sampler/stop.h"
#include "sampler/watchdog.h"
#include "sampler/worker.h"
#include "store/writer.h"

enum {
	RING_BYTES = 32 << 20,
};

struct recorder {
	const struct recorder_opts *opts;
	struct store_writer *writer;
	struct ring ring;
	struct sampler *sampler;
	struct worker *worker;
	struct watchdog watchdog;
	pthread_t sampler_thread, worker_thread, guard_thread;
	struct guard guard;
	_Atomic bool quit;          /* the sampler shall end */
	_Atomic bool pause;         /* it shall hold nobody for a while */
	_Atomic bool sampler_done, worker_done;
};

static void nap(int64_t ns)
{
	struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
	nanosleep(&t, NULL);
}

static void *sampler_body(void *arg)
{
	struct recorder *r = arg;
	sampler_run(r->sampler);
	guard_over(&r->guard);
	atomic_store(&r->sampler_done, true);
	return NULL;
}

static void *worker_body(void *arg)
{
	struct recorder *r = arg;
	worker_run(r->worker, NULL, NULL);
	atomic_store(&r->worker_done, true);
	return NULL;
}

static void *guard_body(void *arg)
{
	struct recorder *r = arg;
	guard_watch(&r->guard, stopper_reap);
	return NULL;
}

static int start_thread(pthread_t *thread, void *(*body)(void *), struct recorder *r,
			const char *name, struct err *err)
{
	int rc = pthread_create(thread, NULL, body, r);
	if (rc)
		return err_set(err, ERR_FAILED, "cannot start a thread: %s; raise the limit (ulimit -u)",
			       strerror(rc));
	pthread_setname_np(*thread, name);
	return 0;
}

static void say_ready(const struct recorder_opts *opts)
{
	if (opts->ready_fd >= 0)
		dprintf(opts->ready_fd, "%s\n", opts->store); /* unheard: nothing depends on it */
}

/* Ctrl-Z: stop like any program, but not while a thread of the target is held. */
static void suspend(struct recorder *r)
{
	atomic_store(&r->pause, true);
	for (int i = 0; i < 100 && !sampler_paused(r->sampler); i++)
		nap(5 * NS_PER_MS);
	raise(SIGSTOP);
	atomic_store(&r->pause, false);
}

/* Wait for the end; gives the signal that asked for it. */
static int wait_for_end(struct recorder *r, const sigset_t *ending)
{
	int signal = 0;
	struct timespec pause = {0, 50 * NS_PER_MS};
	while (!atomic_load(&r->worker_done)) {
		int sig = sigtimedwait(ending, NULL, &pause);
		if (sig == SIGTSTP) {
			suspend(r);
			continue;
		}
		if (sig > 0)
			signal = sig;
		bool ended = r->opts->launched && launch_ended(r->opts->launched);
		if (sig > 0 || ended)
			atomic_store(&r->quit, true);
	}
	return signal;
}

static int run_threads(struct recorder *r, const sigset_t *ending, struct recorder_result *result,
		       struct err *err)
{
	if (start_thread(&r->worker_thread, worker_body, r, "cprof-worker", err))
		return -1;
	int rc = start_thread(&r->sampler_thread, sampler_body, r, "cprof-sampler", err);
	bool guarded = !rc && !start_thread(&r->guard_thread, guard_body, r, "cprof-guard", NULL);
	if (rc) {
		pthread_cancel(r->worker_thread);
		pthread_join(r->worker_thread, NULL);
		return -1;
	}
	say_ready(r->opts);
	rc = r->opts->launched ? launch_go(r->opts->launched, r->opts->output, err) : 0;
	if (rc)
		atomic_store(&r->quit, true);
	result->signal = wait_for_end(r, ending);
	pthread_join(r->sampler_thread, NULL);
	pthread_join(r->worker_thread, NULL);
	if (guarded)
		pthread_join(r->guard_thread, NULL);
	return rc;
}

int recorder_run(const struct recorder_opts *opts, struct recorder_result *result, struct err *err)
{
	struct recorder r = {.opts = opts};
	*result = (struct recorder_result){0};
	sigset_t all, ending;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	sigaddset(&ending, SIGTSTP);
	all = ending;
	sigaddset(&all, SIGCHLD);
	sigaddset(&all, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &all, NULL);

	struct writer_opts wopts = {.rate_hz = opts->rate_hz, .command = opts->command};
	int rc = writer_open(&r.writer, opts->store, &wopts, err);
	if (rc)
		return -1;
	guard_init(&r.guard);
	rc = writer_announce(r.writer, opts->pids, opts->npids, err);
	if (!rc)
		rc = watchdog_start(&r.watchdog, err);
	if (!rc && ring_init(&r.ring, RING_BYTES))
		rc = err_set(err, ERR_FAILED, "cannot get %d MB of memory: %s", RING_BYTES >> 20,
			     strerror(errno));
	if (rc)
		goto out;
	struct sampler_opts sopts = {
		.rate_hz = opts->rate_hz,
		.max_stop = opts->max_stop,
		.kernel_stacks = true,
		.pids = opts->pids,
		.npids = opts->npids,
		.duration_ns = opts->duration_ns,
		.guard = &r.guard,
		.quit = &r.quit,
		.pause = &r.pause,
		.sign = r.watchdog.sign,
	};
	rc = sampler_new(&r.sampler, &sopts, &r.ring, err);
	if (rc)
		goto out;
	r.worker = worker_new(&r.ring, r.sampler, r.writer, opts->unwinder);
	rc = run_threads(&r, &ending, result, err);
	const struct worker_result *wr = worker_result(r.worker);
	result->targets_ended = sampler_all_gone(r.sampler);
	result->lost_seconds = wr->lost_seconds;
	result->samples = wr->samples;
	memcpy(result->trouble, wr->trouble, sizeof(result->trouble));
out:
	watchdog_stop(&r.watchdog);
	worker_free(r.worker);
	sampler_free(r.sampler);
	ring_free(&r.ring);
	guard_release(&r.guard);
	if (writer_close(r.writer, rc ? NULL : err) && !rc)
		rc = -1;
	return rc;
}
