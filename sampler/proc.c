/* Reading /proc: what the kernel says of processes and threads. */
#include "sampler/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

ssize_t proc_read(int dir, const char *path, char *text, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	size_t len = 0;
	ssize_t n = 0;
	while (len + 1 < size && (n = read(fd, text + len, size - 1 - len)) > 0)
		len += (size_t)n;
	int saved = errno;
	close(fd);
	errno = saved;
	if (n < 0)
		return -1;
	text[len] = '\0';
	return (ssize_t)len;
}

int proc_slurp(const char *path, struct buf *out, size_t limit)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t n = 0;
	while (out->len < limit) {
		buf_reserve(out, 65536);
		n = read(fd, out->data + out->len, 65536);
		if (n <= 0)
			break;
		out->len += (size_t)n;
	}
	int saved = errno;
	close(fd);
	errno = saved;
	buf_bytes(out, "", 0);
	return n < 0 ? -1 : 0;
}

int proc_stat(int pid, int tid, struct proc_stat *out)
{
	char path[64], text[1024];
	if (tid)
		snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	else
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) < 0)
		return -1;
	/* the name may hold blanks and brackets: it ends at the last one */
	char *open_bracket = strchr(text, '('), *close_bracket = strrchr(text, ')');
	if (!open_bracket || !close_bracket || close_bracket < open_bracket) {
		errno = EINVAL;
		return -1;
	}
	*out = (struct proc_stat){.state = '?', .cpu = -1};
	*close_bracket = '\0';
	snprintf(out->comm, sizeof(out->comm), "%s", open_bracket + 1);
	unsigned long long flags = 0, start = 0, stack = 0;
	/* fields 3 state, 4 ppid, 9 flags, 22 starttime, 28 startstack, 39 processor */
	sscanf(close_bracket + 1,
	       " %c %d %*d %*d %*d %*d %llu %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu "
	       "%*u %*d %*u %*u %*u %llu %*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %d",
	       &out->state, &out->ppid, &flags, &start, &stack, &out->cpu);
	out->flags = flags;
	out->start_ticks = start;
	out->start_stack = stack;
	return 0;
}

/* The value of a `Key:` line of /proc/PID/status, or NULL. */
static const char *status_value(const char *text, const char *key)
{
	size_t n = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, n) && line[n] == ':')
			return line + n + 1;
	}
	return NULL;
}

static unsigned long long status_number(const char *text, const char *key, int base)
{
	const char *v = status_value(text, key);
	return v ? strtoull(v, NULL, base) : 0;
}

/* The column after the first, as of Uid (real, effective) */
static unsigned status_effective(const char *text, const char *key)
{
	const char *v = status_value(text, key);
	unsigned real = 0, effective = 0;
	if (v)
		sscanf(v, "%u %u", &real, &effective);
	return effective;
}

static int last_number(const char *line)
{
	int n = 0;
	if (!line)
		return 0;
	const char *end = strchrnul(line, '\n');
	while (line < end) {
		char *next;
		long v = strtol(line, &next, 10);
		if (next == line || next > end)
			break;
		n = (int)v;
		line = next;
	}
	return n;
}

int proc_status(int tid, struct proc_status *out)
{
	char path[32], text[4096];
	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) < 0)
		return -1;
	*out = (struct proc_status){
		.tgid = (int)status_number(text, "Tgid", 10),
		.tracer = (int)status_number(text, "TracerPid", 10),
		.uid = status_effective(text, "Uid"),
		.gid = status_effective(text, "Gid"),
		.nspid = last_number(status_value(text, "NSpid")),
		.seccomp = (int)status_number(text, "Seccomp", 10),
	};
	return 0;
}

bool proc_sched_parse(const char *text, struct proc_sched *out)
{
	char *p;
	out->cpu_ns = strtoull(text, &p, 10);
	if (*p != ' ')
		return false;
	out->wait_ns = strtoull(p, &p, 10);
	if (*p != ' ')
		return false;
	out->switches = strtoull(p, &p, 10);
	return true;
}

bool proc_syscall_parse(const char *text, struct proc_syscall *out)
{
	*out = (struct proc_syscall){.what = CALL_NONE, .nr = -1};
	if (!strncmp(text, "running", 7)) {
		out->what = CALL_RUNNING;
		return true;
	}
	/* "NR ARG*6 SP PC", or "-1 SP PC" */
	char *p;
	out->nr = strtol(text, &p, 10);
	if (p == text)
		return false;
	uint64_t last[2] = {0, 0};
	int fields = 0;
	while (*p == ' ') {
		last[0] = last[1];
		last[1] = strtoull(p + 1, &p, 16);
		fields++;
	}
	if (fields < 2)
		return false;
	out->what = CALL_BLOCKED;
	out->sp = last[0];
	out->pc = last[1];
	return true;
}

int proc_last_pid(int loadavg_fd)
{
	char text[128];
	ssize_t n = pread(loadavg_fd, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	const char *last = strrchr(text, ' ');
	return last ? atoi(last + 1) : -1;
}

ssize_t proc_tasks(int task_dir, int **tids, size_t *cap)
{
	struct entry {
		uint64_t ino;
		int64_t off;
		uint16_t reclen;
		uint8_t type;
		char name[];
	};
	_Alignas(8) char block[16384];
	size_t count = 0;
	if (lseek(task_dir, 0, SEEK_SET) < 0)
		return -1;
	for (;;) {
		long n = syscall(SYS_getdents64, task_dir, block, sizeof(block));
		if (n < 0)
			return -1;
		if (n == 0)
			return (ssize_t)count;
		for (long at = 0; at < n;) {
			const struct entry *e = (const struct entry *)(block + at);
			at += e->reclen;
			int tid = atoi(e->name);
			if (tid <= 0)
				continue;
			*tids = mem_grow(*tids, cap, count + 1, sizeof(**tids));
			(*tids)[count++] = tid;
		}
	}
}

void proc_cmdline(int pid, struct buf *out)
{
	char path[32], text[4096];
	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	ssize_t n = proc_read(AT_FDCWD, path, text, sizeof(text));
	while (n > 0 && !text[n - 1])
		n--;
	for (ssize_t i = 0; i < n; i++)
		buf_char(out, text[i] ? text[i] : ' ');
}

void proc_link(int pid, const char *name, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	ssize_t n = readlink(path, text, size - 1);
	text[n > 0 ? n : 0] = '\0';
}
