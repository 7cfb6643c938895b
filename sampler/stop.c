/* Holding threads of the target for a moment: the only part that uses ptrace. */
#include "sampler/stop.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/mem.h"
#include "sampler/proc.h"
#include "sampler/calls.h"

#if defined(__x86_64__)
typedef struct user_regs_struct raw_regs;
#else
typedef struct user_pt_regs raw_regs;
#endif

/* A thread between SEIZE and DETACH. */
struct asked {
	int tid;
	void *owner;
	int64_t since;     /* INTERRUPT */
	bool entering;     /* sampled; runs up to the system call it was set back to */
	raw_regs original; /* while entering: the registers before */
};

enum { SYSCALL_STOP = SIGTRAP | 0x80 }; /* PTRACE_O_TRACESYSGOOD */

void stopper_init(struct stopper *s, struct stop_ops ops, void *arg)
{
	*s = (struct stopper){.ops = ops, .arg = arg};
}

void stopper_free(struct stopper *s)
{
	free(s->asked);
	s->asked = NULL;
}

int stopper_ask(struct stopper *s, int tid, void *owner)
{
	if (ptrace(PTRACE_SEIZE, tid, 0, (void *)PTRACE_O_TRACESYSGOOD))
		return -errno;
	int64_t now = clock_mono();
	ptrace(PTRACE_INTERRUPT, tid, 0, 0); /* fails only where the thread has ended: waited for */
	s->asked = mem_grow(s->asked, &s->cap, s->count + 1, sizeof(*s->asked));
	struct asked *a = &s->asked[s->count++];
	a->tid = tid;
	a->owner = owner;
	a->since = now;
	a->entering = false;
	return 0;
}

static int get_regs(int tid, raw_regs *raw)
{
	struct iovec io = {raw, sizeof(*raw)};
	return (int)ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &io);
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

/* Set the thread back to the system call that its stop has made fail with EINTR, if that is
 * what happened and no signal explains it. The file is read only in this rare case. */
static bool set_back(int tid, raw_regs *raw)
{
#if defined(__x86_64__)
	if ((int64_t)raw->rax != -EINTR || !call_fails_with_eintr((long)raw->orig_rax))
		return false;
	struct proc_status st;
	if (proc_status(tid, &st) || signals_deliverable(&st))
		return false;
	raw->rax = raw->orig_rax;
	raw->rip -= 2; /* the length of syscall */
	raw->orig_rax = (unsigned long long)-1;
	set_regs(tid, raw);
	return true;
#else
	/* x0 has been overwritten by the result: the call cannot be entered anew from outside */
	(void)tid;
	(void)raw;
	return false;
#endif
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
	bool sampled = a->entering;
	*a = s->asked[--s->count];
	if (!sampled || end == STOP_GONE)
		s->ops.done(s->arg, owner, end, held);
}

/* The first stop: copy, let go. */
static void take(struct stopper *s, struct asked *a, bool group, int signal, int64_t from)
{
	raw_regs raw;
	if (get_regs(a->tid, &raw)) { /* killed while it was held */
		ptrace(PTRACE_DETACH, a->tid, 0, 0);
		finish(s, a, STOP_GONE, 0);
		return;
	}
	struct cpu_regs regs;
	to_dwarf(&raw, &regs);
	s->ops.copy(s->arg, a->owner, &regs);
	raw_regs original = raw;
	if (!group && !signal && set_back(a->tid, &raw)) {
		ptrace(PTRACE_SYSCALL, a->tid, 0, 0);
		a->original = original;
		s->ops.done(s->arg, a->owner, STOP_TAKEN, clock_mono() - from);
		a->entering = true;
		return;
	}
	ptrace(PTRACE_DETACH, a->tid, 0, (void *)(long)signal);
	finish(s, a, group ? STOP_GROUP : STOP_TAKEN, clock_mono() - from);
}

/* The second stop of a thread that was set back: at the call's entry it is let go; where a
 * signal comes first, its handler must see the EINTR. */
static void take_entering(struct stopper *s, struct asked *a, int signal)
{
	if (signal)
		set_regs(a->tid, &a->original);
	ptrace(PTRACE_DETACH, a->tid, 0, (void *)(long)signal);
	finish(s, a, STOP_TAKEN, 0);
}

static bool is_stop_signal(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

int stopper_collect(struct stopper *s, int64_t polling)
{
	int handled = 0, status;
	pid_t tid;
	while (s->count && (tid = waitpid(-1, &status, __WALL | __WNOTHREAD | WNOHANG)) > 0) {
		struct asked *a = find(s, tid);
		if (!a)
			continue;
		handled++;
		if (!WIFSTOPPED(status)) {
			finish(s, a, STOP_GONE, 0);
			continue;
		}
		int sig = WSTOPSIG(status), event = status >> 16;
		bool group = event == PTRACE_EVENT_STOP && is_stop_signal(sig);
		int signal = event || sig == SYSCALL_STOP ? 0 : sig;
		if (a->entering)
			take_entering(s, a, signal);
		else
			take(s, a, group, signal, a->since >= polling ? a->since : clock_mono());
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
