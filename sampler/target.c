/* Which processes can be sampled, and if not, why and what to do about it. */
#include "sampler/target.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "sampler/proc.h"

static int yama_scope(void)
{
	char text[16];
	if (proc_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", text, sizeof(text)) < 0)
		return 0;
	return atoi(text);
}

bool target_counted(void)
{
	char text[96];
	struct proc_sched sched;
	return proc_read(AT_FDCWD, "/proc/self/schedstat", text, sizeof(text)) > 0 &&
	       proc_sched_parse(text, &sched) && sched.switches;
}

bool target_may_ptrace(void)
{
	char text[4096];
	if (proc_read(AT_FDCWD, "/proc/self/status", text, sizeof(text)) < 0)
		return false;
	const char *line = strstr(text, "\nCapEff:");
	return line && (strtoull(line + strlen("\nCapEff:"), NULL, 16) >> 19 & 1);
}

/* Why ptrace access is refused: only what can be seen to be so. */
static int explain_refusal(int pid, int error, struct err *err)
{
	struct proc_status st;
	if (error != EPERM && error != EACCES)
		return err_set(err, ERR_FAILED, "cannot attach to %d: %s", pid, strerror(error));
	int scope = yama_scope();
	bool known = !proc_status(pid, &st);
	if (known && st.uid != geteuid() && geteuid() != 0)
		return err_set(err, ERR_FAILED,
			       "cannot attach to %d: it belongs to user %u; run as that user or as root",
			       pid, st.uid);
	if (scope == 3)
		return err_set(err, ERR_FAILED,
			       "cannot attach to %d: yama ptrace_scope is 3, which forbids it until the "
			       "next boot; boot with kernel.yama.ptrace_scope=1",
			       pid);
	if (scope > 0 && geteuid() != 0)
		return err_set(err, ERR_FAILED,
			       "cannot attach to %d: yama ptrace_scope is %d; run as root, or: sysctl "
			       "kernel.yama.ptrace_scope=0",
			       pid, scope);
	if (geteuid() != 0)
		return err_set(err, ERR_FAILED,
			       "cannot attach to %d: it is not dumpable (it has changed its user or is "
			       "set-user-ID); run as root",
			       pid);
	if (!target_may_ptrace())
		return err_set(err, ERR_FAILED,
			       "cannot attach to %d: CAP_SYS_PTRACE is missing; in a container add: "
			       "--cap-add SYS_PTRACE",
			       pid);
	return err_set(err, ERR_FAILED,
		       "cannot attach to %d: another user namespace or a security module protects it; "
		       "run cprof where it was started from, outside of the container",
		       pid);
}

static int refuse_traced(int pid, int tracer, struct err *err)
{
	char name[64];
	target_name(tracer, name, sizeof(name));
	return err_set(err, ERR_FAILED, "cannot attach to %d: %s (pid %d) is tracing it; detach it first",
		       pid, name, tracer);
}

/* The ELF class of the executable; 0 unknown. */
static int elf_class(int pid)
{
	char path[32];
	unsigned char head[EI_NIDENT] = {0};
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, head, sizeof(head));
	close(fd);
	return n == EI_NIDENT && !memcmp(head, ELFMAG, SELFMAG) ? head[EI_CLASS] : 0;
}

int target_check(int *pid, struct err *err)
{
	struct proc_status st;
	struct proc_stat stat;
	if (*pid <= 0 || proc_status(*pid, &st) || proc_stat(st.tgid, 0, &stat))
		return err_set(err, ERR_FAILED, "no process %d: see the pids with ps -e", *pid);
	*pid = st.tgid;
	if (*pid == getpid())
		return err_set(err, ERR_FAILED, "cannot attach to %d: it is cprof itself; name another",
			       *pid);
	if (stat.flags & PROC_PF_KTHREAD)
		return err_set(err, ERR_FAILED,
			       "cannot attach to %d: %s is a kernel thread and has no user stack; name a "
			       "process",
			       *pid, stat.comm);
	if (stat.state == 'Z' || stat.state == 'X') {
		char path[32];
		snprintf(path, sizeof(path), "/proc/%d/task", *pid);
		int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), *tids = NULL;
		size_t cap = 0;
		ssize_t n = dir < 0 ? 0 : proc_tasks(dir, &tids, &cap);
		free(tids);
		if (dir >= 0)
			close(dir);
		if (n <= 1)
			return err_set(err, ERR_FAILED,
				       "cannot attach to %d: %s has ended and waits for its parent (a "
				       "zombie); nothing runs there",
				       *pid, stat.comm);
	}
	char path[48], text[256];
	if (!target_counted())
		return err_set(err, ERR_FAILED,
			       "cannot sample %d: this kernel does not count how often threads run "
			       "(/proc/PID/schedstat); use one with CONFIG_SCHED_INFO",
			       *pid);
	/* reading this file takes the permission that ptrace takes, and does nothing */
	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", *pid, *pid);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) < 0 && errno != ESRCH)
		return explain_refusal(*pid, errno, err);
	if (st.tracer)
		return refuse_traced(*pid, st.tracer, err);
	if (elf_class(*pid) == ELFCLASS32)
		return err_set(err, ERR_FAILED,
			       "cannot attach to %d: %s is a 32-bit program, which cprof does not sample; "
			       "use perf",
			       *pid, stat.comm);
	return 0;
}

void target_name(int pid, char *name, size_t size)
{
	struct proc_stat st;
	snprintf(name, size, "%s", proc_stat(pid, 0, &st) ? "?" : st.comm);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool is_named(int pid, const char *name)
{
	char comm[64], exe[4096], args[4096], path[32];
	target_name(pid, comm, sizeof(comm));
	if (!strcmp(comm, name))
		return true;
	proc_link(pid, "exe", exe, sizeof(exe));
	char *deleted = strstr(exe, " (deleted)");
	if (deleted && !deleted[10])
		*deleted = '\0';
	if (exe[0] && !strcmp(base_name(exe), name))
		return true;
	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	ssize_t n = proc_read(AT_FDCWD, path, args, sizeof(args));
	if (n <= 0)
		return false;
	if (!strcmp(base_name(args), name))
		return true;
	/* an interpreter's script is its first argument that is no option */
	for (const char *a = args + strlen(args) + 1; a < args + n; a += strlen(a) + 1)
		if (*a != '-')
			return !strcmp(base_name(a), name);
	return false;
}

size_t target_find(const char *name, int **pids)
{
	size_t n = 0, cap = 0;
	*pids = NULL;
	DIR *dir = opendir("/proc");
	struct dirent *e;
	while (dir && (e = readdir(dir))) {
		int pid = atoi(e->d_name);
		if (pid <= 0 || pid == getpid() || pid == getppid() || !is_named(pid, name))
			continue;
		*pids = mem_grow(*pids, &cap, n + 1, sizeof(**pids));
		(*pids)[n++] = pid;
	}
	if (dir)
		closedir(dir);
	return n;
}
