/* Holding threads of the target for a moment: the only part that uses ptrace. */
#include "sampler/stop.h"

#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "sampler/calls.h"

#if defined(__x86_64__)
typedef struct user_regs_struct raw_regs;
#else
typedef struct user_pt_regs raw_regs;
#endif

/* A thread between SEIZE and DETACH. */
struct asked {
	int tid;
	bool strict;
	void *owner;
	int64_t since; /* INTERRUPT */
};

static int get_regs(int tid, raw_regs *raw)
{
	struct iovec io = {raw, sizeof(*raw)};
	return (int)ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &io);
}

void stopper_init(struct stopper *s, struct stop_ops ops, void *arg)
{
	*s = (struct stopper){.ops = ops, .arg = arg};
}

void stopper_free(struct stopper *s)
{
	if (s->dummy) {
		kill(s->dummy, SIGKILL);
		while (waitpid(s->dummy, NULL, __WALL) < 0 && errno == EINTR)
			;
	}
	free(s->dummy_stack);
	free(s->asked);
	*s = (struct stopper){.arg = NULL};
}

/* In the dummy, which shares this program's memory: nothing but system calls that succeed. */
static int stand_still(void *arg)
{
	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
	return 0;
}

void stopper_train(struct stopper *s)
{
	enum { STACK_BYTES = 16 << 10 };
	s->dummy_stack = mem_alloc(STACK_BYTES);
	char *top = (char *)s->dummy_stack + STACK_BYTES;
	int status, pid = clone(stand_still, top, CLONE_VM | SIGCHLD, NULL);
	if (pid < 0)
		return;
	s->dummy = pid;
	if (ptrace(PTRACE_SEIZE, pid, 0, (void *)PTRACE_O_EXITKILL)) {
		kill(pid, SIGKILL);
		return;
	}
	ptrace(PTRACE_INTERRUPT, pid, 0, 0);
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
}

void stopper_rehearse(struct stopper *s)
{
	raw_regs raw;
	int status;
	if (!s->dummy)
		return;
	ptrace(PTRACE_SEIZE, s->dummy, 0, 0); /* fails, having gone most of the way */
	ptrace(PTRACE_INTERRUPT, s->dummy, 0, 0);
	waitpid(s->dummy, &status, __WALL | __WNOTHREAD | WNOHANG);
	get_regs(s->dummy, &raw);
}

int stopper_ask(struct stopper *s, int tid, bool strict, void *owner)
{
	if (ptrace(PTRACE_SEIZE, tid, 0, 0))
		return -errno;
	int64_t now = clock_mono();
	ptrace(PTRACE_INTERRUPT, tid, 0, 0); /* fails only where the thread has ended: waited for */
	s->asked = mem_grow(s->asked, &s->cap, s->count + 1, sizeof(*s->asked));
	s->asked[s->count++] = (struct asked){tid, strict, owner, now};
	return 0;
}

static void set_regs(int tid, raw_regs *raw)
{
	struct iovec io = {raw, sizeof(*raw)};
	ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &io);
}

static void to_dwarf(const raw_regs *raw, struct cpu_regs *regs)
{
	regs->known = REG_ALL_KNOWN;
#if defined(__x86_64__)
	const uint64_t reg[REG_COUNT] = {
		raw->rax, raw->rdx, raw->rcx, raw->rbx, raw->rsi, raw->rdi, raw->rbp, raw->rsp, raw->r8,
		raw->r9,  raw->r10, raw->r11, raw->r12, raw->r13, raw->r14, raw->r15, raw->rip,
	};
	memcpy(regs->reg, reg, sizeof(reg));
	regs->tls = raw->fs_base;
	regs->call = (int64_t)raw->orig_rax;
	regs->result = (int64_t)raw->rax;
#else
	memcpy(regs->reg, raw->regs, sizeof(raw->regs));
	regs->reg[REG_SP] = raw->sp;
	regs->reg[REG_PC] = raw->pc;
	regs->tls = 0;
	regs->call = -1;
	regs->result = 0;
#endif
}

/* The stop has made the thread's system call return: tell the kernel, in its own code, to begin
 * it again unless a signal is handled first. It looks at this before the thread is back in user
 * mode, together with the signals, so that none can slip in between. */
static void make_restart(const struct asked *a, raw_regs *raw)
{
#if defined(__x86_64__)
	long nr = (long)raw->orig_rax;
	unsigned long long *result = &raw->rax;
#else
	long nr = (long)raw->regs[8];
	unsigned long long *result = &raw->regs[0];
#endif
	if (nr < 0 || !call_must_restart(nr, (int64_t)*result, a->strict))
		return;
	*result = (unsigned long long)-CALL_ERESTARTNOHAND;
	set_regs(a->tid, raw);
}

static struct asked *find(struct stopper *s, int tid)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->asked[i].tid == tid)
			return &s->asked[i];
	return NULL;
}

static void finish(struct stopper *s, struct asked *a, enum stop_end end, int64_t held)
{
	void *owner = a->owner;
	*a = s->asked[--s->count];
	s->ops.done(s->arg, owner, end, held);
}

/* It has stopped: copy, let go. */
static void take(struct stopper *s, struct asked *a, bool group, int signal, int64_t from)
{
	raw_regs raw;
	enum stop_end end = STOP_GONE; /* killed while it was held */
	if (s->ops.ahead)
		s->ops.ahead(s->arg, a->owner);
	if (!get_regs(a->tid, &raw)) {
		struct cpu_regs regs;
		to_dwarf(&raw, &regs);
		s->ops.copy(s->arg, a->owner, &regs);
		end = group ? STOP_GROUP : STOP_TAKEN;
		if (!signal)
			make_restart(a, &raw);
	}
	ptrace(PTRACE_DETACH, a->tid, 0, (void *)(long)signal);
	finish(s, a, end, clock_mono() - from);
}

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* A thread that was asked under another number: an exec gives it its leader's. */
static void let_go(const struct stopper *s, int tid, int status)
{
	if (tid != s->dummy && WIFSTOPPED(status))
		ptrace(PTRACE_DETACH, tid, 0, (void *)(long)(status >> 16 ? 0 : WSTOPSIG(status)));
}

int stopper_collect(struct stopper *s, int64_t polling)
{
	int handled = 0, status;
	pid_t tid;
	while ((tid = waitpid(-1, &status, __WALL | __WNOTHREAD | WNOHANG)) > 0) {
		struct asked *a = find(s, tid);
		if (!a) {
			let_go(s, tid, status);
			continue;
		}
		handled++;
		if (!WIFSTOPPED(status)) {
			finish(s, a, STOP_GONE, 0);
			continue;
		}
		int sig = WSTOPSIG(status), event = status >> 16;
		bool group = event == PTRACE_EVENT_STOP && is_stop_signal(sig);
		take(s, a, group, event ? 0 : sig, a->since >= polling ? a->since : clock_mono());
	}
	return handled;
}

void stopper_forget(struct stopper *s, void *owner)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->asked[i].owner == owner) {
			finish(s, &s->asked[i], STOP_GONE, 0);
			return;
		}
}

void stopper_reap(void)
{
	siginfo_t si;
	do
		si.si_pid = 0;
	while (!waitid(P_ALL, 0, &si, WEXITED | __WALL | WNOHANG) && si.si_pid);
}
