/* Why sampling does or does not work here: each ability tried, with the one remedy. */
#include "sampler/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "sampler/maps.h"
#include "sampler/proc.h"
#include "sampler/stop.h"
#include "sampler/target.h"

static struct finding *add(struct findings *f, enum finding_level level, const char *what)
{
	struct finding *x = &f->items[f->count < FINDINGS_MAX ? f->count++ : FINDINGS_MAX - 1];
	*x = (struct finding){.level = level, .what = what};
	return x;
}

static void say(char text[200], const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(char text[200], const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, 200, fmt, ap);
	va_end(ap);
}

/* A child that burns CPU time, to try things on. */
static pid_t start_patient(void)
{
	pid_t pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(5);
	for (;;)
		;
}

static void end_patient(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* ---- stopping -------------------------------------------------------------------------- */

struct trial {
	bool taken;
	int64_t held_ns;
};

static void trial_copy(void *arg, void *owner, const struct cpu_regs *regs)
{
	(void)arg;
	(void)owner;
	(void)regs;
}

static void trial_done(void *arg, void *owner, enum stop_end end, int64_t held_ns)
{
	(void)owner;
	struct trial *t = arg;
	t->taken = end == STOP_TAKEN;
	t->held_ns = held_ns;
}

static void try_stop(struct findings *f, pid_t pid)
{
	struct trial trial = {false, 0};
	struct stopper stopper;
	stopper_init(&stopper, (struct stop_ops){.copy = trial_copy, .done = trial_done}, &trial);
	int rc = stopper_ask(&stopper, pid, false, NULL);
	int64_t start = clock_mono();
	while (!rc && stopper.count && clock_mono() - start < NS_PER_S)
		stopper_collect(&stopper, start);
	stopper_free(&stopper);
	struct finding *x = add(f, trial.taken ? FINDING_GOOD : FINDING_BAD, "stop a thread");
	if (trial.taken) {
		say(x->detail, "ptrace holds a thread for %lld us", (long long)(trial.held_ns / 1000));
		return;
	}
	say(x->detail, "ptrace: %s", rc ? strerror(-rc) : "no stop within a second");
	say(x->remedy, "%s", rc == -EPERM ? "a seccomp filter forbids ptrace here; in a container "
					    "add: --cap-add SYS_PTRACE"
					  : "run outside of this sandbox");
}

static void try_copy(struct findings *f, pid_t pid)
{
	static const char here[] = "cprof";
	char there[sizeof(here)] = "";
	struct iovec local = {there, sizeof(there)}, remote = {(void *)(uintptr_t)here, sizeof(here)};
	bool good = process_vm_readv(pid, &local, 1, &remote, 1, 0) == sizeof(here);
	struct finding *x = add(f, good ? FINDING_GOOD : FINDING_BAD, "copy a stack");
	say(x->detail, "process_vm_readv: %s", good ? "works" : strerror(errno));
	if (!good)
		say(x->remedy, "a seccomp filter forbids it here; in a container add: --cap-add SYS_PTRACE");
}

/* ---- what /proc tells ------------------------------------------------------------------ */

static void try_sched(struct findings *f)
{
	bool there = target_counted();
	struct finding *x = add(f, there ? FINDING_GOOD : FINDING_BAD, "see that a thread has slept");
	say(x->detail, "/proc/PID/schedstat: %s", there ? "counts" : "does not count");
	if (!there)
		say(x->remedy, "use a kernel with CONFIG_SCHED_INFO (all distributions' have it)");
}

static void try_syscall(struct findings *f)
{
	char text[256];
	bool good = proc_read(AT_FDCWD, "/proc/self/syscall", text, sizeof(text)) > 0;
	struct finding *x = add(f, good ? FINDING_GOOD : FINDING_BAD, "read a thread that sleeps");
	say(x->detail, "/proc/PID/syscall: %s", good ? "works" : strerror(errno));
	if (!good)
		say(x->remedy, "use a kernel with CONFIG_HAVE_ARCH_TRACEHOOK, and /proc not masked");
}

static void try_kernel_stack(struct findings *f)
{
	char text[4096];
	bool good = proc_read(AT_FDCWD, "/proc/self/stack", text, sizeof(text)) > 0;
	struct finding *x = add(f, good ? FINDING_GOOD : FINDING_LESS, "kernel stacks of threads that sleep");
	say(x->detail, "/proc/PID/stack: %s", good ? "works" : strerror(errno));
	if (!good)
		say(x->remedy, "run as root (CAP_SYS_ADMIN) to see them");
}

static void try_map_files(struct findings *f)
{
	struct maps maps = {0};
	char path[80];
	bool good = false;
	maps_read(&maps, getpid());
	for (size_t i = 0; i < maps.count && !good; i++) {
		snprintf(path, sizeof(path), "/proc/self/map_files/%lx-%lx",
			 (unsigned long)maps.items[i].start, (unsigned long)maps.items[i].end);
		int fd = maps.items[i].inode ? open(path, O_RDONLY | O_CLOEXEC) : -1;
		good = fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	maps_release(&maps);
	struct finding *x = add(f, good ? FINDING_GOOD : FINDING_LESS, "files that were deleted or replaced");
	say(x->detail, "/proc/PID/map_files: %s", good ? "works" : "not permitted, names come from memory");
	if (!good)
		say(x->remedy, "run as root (CAP_CHECKPOINT_RESTORE) for local names and lines, too");
}

static void try_priority(struct findings *f)
{
	int before = getpriority(PRIO_PROCESS, 0);
	bool good = !setpriority(PRIO_PROCESS, 0, -20);
	if (good)
		setpriority(PRIO_PROCESS, 0, before);
	struct finding *x = add(f, good ? FINDING_GOOD : FINDING_LESS, "not be descheduled while holding a thread");
	say(x->detail, "a higher priority: %s", good ? "permitted" : "not permitted");
	if (!good)
		say(x->remedy, "run as root (CAP_SYS_NICE), or raise the limit: ulimit -e 40");
}

static void try_files(struct findings *f)
{
	struct rlimit files;
	getrlimit(RLIMIT_NOFILE, &files);
	bool good = files.rlim_max >= 16384;
	struct finding *x = add(f, good ? FINDING_GOOD : FINDING_LESS, "thousands of threads");
	say(x->detail, "%llu open files: two a thread are used", (unsigned long long)files.rlim_max);
	if (!good)
		say(x->remedy, "raise the limit: ulimit -Hn 65536");
}

static void see_yama(struct findings *f)
{
	char text[16];
	int scope = proc_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", text, sizeof(text)) < 0
			    ? 0
			    : atoi(text);
	bool all = target_may_ptrace(), good = scope < 3 && (all || (!scope && geteuid()));
	struct finding *x = add(f, good ? FINDING_GOOD : FINDING_LESS, "attach to running processes");
	say(x->detail, "yama ptrace_scope is %d, CAP_SYS_PTRACE is %s", scope,
	    all ? "there" : geteuid() ? "not there: your own only" : "missing");
	if (!good)
		say(x->remedy, "%s", scope == 3 ? "boot with kernel.yama.ptrace_scope=1"
				     : geteuid() ? "run as root, or: sysctl kernel.yama.ptrace_scope=0"
						 : "in a container add: --cap-add SYS_PTRACE");
}

void doctor_machine(struct findings *f)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pid_t patient = start_patient();
	if (patient > 0) {
		try_stop(f, patient);
		try_copy(f, patient);
		end_patient(patient);
	}
	try_sched(f);
	try_syscall(f);
	see_yama(f);
	try_kernel_stack(f);
	try_map_files(f);
	try_priority(f);
	try_files(f);
}

/* ---- one process ----------------------------------------------------------------------- */

static void see_seccomp(struct findings *f, int pid)
{
	struct proc_status st;
	if (proc_status(pid, &st) || st.seccomp != 2)
		return;
	struct finding *x = add(f, FINDING_GOOD, "its system call filter");
	say(x->detail, "a seccomp filter is installed: calls that a stop interrupts are entered anew");
}

void doctor_process(struct findings *f, int pid)
{
	struct err err;
	char name[64];
	int asked = pid;
	target_name(pid, name, sizeof(name));
	if (target_check(&pid, &err)) {
		struct finding *x = add(f, FINDING_BAD, "this process");
		char *remedy = strchr(err.text, ';');
		say(x->detail, "%.*s", remedy ? (int)(remedy - err.text) : 190, err.text);
		say(x->remedy, "%.190s", remedy ? remedy + 2 : "");
		return;
	}
	struct finding *x = add(f, FINDING_GOOD, "this process");
	if (asked != pid)
		say(x->detail, "%d is a thread of %s, process %d, which can be sampled", asked, name, pid);
	else
		say(x->detail, "%s can be sampled", name);
	see_seccomp(f, pid);
}
