/* The processes and threads that are sampled, with the descriptors that make it cheap. */
#include "sampler/watched.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

int watched_init(struct watched *w)
{
	*w = (struct watched){.last_pid = -1, .want_first = WANT_FIRST};
	w->fd_loadavg = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	struct rlimit files;
	w->fd_limit = getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > INT_MAX
			      ? INT_MAX
			      : (int)files.rlim_cur - FD_SPARE;
	w->plans = mem_zalloc(WATCHED_SLOTS, sizeof(*w->plans));
	w->free_slots = mem_alloc(WATCHED_SLOTS * sizeof(*w->free_slots));
	for (uint32_t i = 0; i < WATCHED_SLOTS; i++)
		w->free_slots[w->nfree++] = WATCHED_SLOTS - 1 - i;
	return 0;
}

static void close_thread(struct watched_thread *t)
{
	if (t->fd_sched >= 0)
		close(t->fd_sched);
	if (t->fd_syscall >= 0)
		close(t->fd_syscall);
	free(t);
}

void watched_free(struct watched *w)
{
	for (size_t i = 0; i < w->count; i++) {
		struct watched_process *p = w->processes[i];
		for (size_t k = 0; k < p->count; k++)
			close_thread(p->threads[k]);
		free(p->threads);
		if (p->fd_task >= 0)
			close(p->fd_task);
		free(p);
	}
	free(w->processes);
	free(w->free_slots);
	free(w->plans);
	free(w->tids);
	if (w->fd_loadavg >= 0)
		close(w->fd_loadavg);
}

/* -1 with EMFILE where the last descriptors would be taken: they are opened for each read then. */
static int open_thread_file(const struct watched *w, const struct watched_thread *t, const char *name)
{
	char path[48];
	snprintf(path, sizeof(path), "%d/%s", t->tid, name);
	int fd = openat(t->process->fd_task, path, O_RDONLY | O_CLOEXEC);
	if (fd < w->fd_limit)
		return fd;
	close(fd);
	errno = EMFILE;
	return -1;
}

static void add_thread(struct watched *w, struct watched_process *p, int tid)
{
	if (!w->nfree)
		return; /* past the table: counted by the worker as not there */
	struct watched_thread *t = mem_zalloc(1, sizeof(*t));
	t->process = p;
	t->tid = tid;
	t->fd_sched = open_thread_file(w, t, "schedstat");
	t->fd_syscall = t->fd_sched < 0 ? -1 : open_thread_file(w, t, "syscall");
	if (t->fd_sched < 0 && errno != EMFILE && errno != ENFILE) {
		free(t); /* ended since the folder was read */
		return;
	}
	t->slot = w->free_slots[--w->nfree];
	t->plan = &w->plans[t->slot];
	atomic_store_explicit(&t->plan->top, 0, memory_order_relaxed);
	atomic_store_explicit(&t->plan->want, w->want_first, memory_order_relaxed);
	atomic_store_explicit(&t->plan->tail_len, 0, memory_order_relaxed);
	atomic_store_explicit(&t->plan->again, false, memory_order_relaxed);
	t->seen = true;
	t->life = LIFE_UNKNOWN;
	t->cpu = -1;
	p->running++;
	p->threads = mem_grow(p->threads, &p->cap, p->count + 1, sizeof(struct watched_thread *));
	p->threads[p->count++] = t;
	w->found(w->arg, t);
}

static void drop_thread(struct watched *w, struct watched_process *p, size_t i)
{
	struct watched_thread *t = p->threads[i];
	w->lost(w->arg, t);
	if (t->life != LIFE_ASLEEP)
		p->running--;
	p->churned = true;
	w->free_slots[w->nfree++] = t->slot;
	close_thread(t);
	p->threads[i] = p->threads[--p->count];
}

static int by_tid(const void *a, const void *b)
{
	const struct watched_thread *x = *(struct watched_thread *const *)a;
	const struct watched_thread *y = *(struct watched_thread *const *)b;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static uint64_t count_links(const struct watched_process *p)
{
	struct stat st;
	return fstat(p->fd_task, &st) ? 0 : st.st_nlink;
}

bool watched_grown(const struct watched_process *p)
{
	return count_links(p) != p->links;
}

void watched_scan(struct watched *w, struct watched_process *p)
{
	p->links = count_links(p);
	ssize_t n = proc_tasks(p->fd_task, &w->tids, &w->tids_cap);
	if (n <= 0) {
		n = 0;
		p->gone = true;
	}
	qsort(w->tids, (size_t)n, sizeof(*w->tids), by_number);
	if (p->count)
		qsort(p->threads, p->count, sizeof(struct watched_thread *), by_tid);
	size_t old = p->count, k = 0;
	for (size_t i = 0; i < old; i++)
		p->threads[i]->seen = false;
	for (ssize_t i = 0; i < n; i++) {
		while (k < old && p->threads[k]->tid < w->tids[i])
			k++;
		/* the number of a dead one may have been given to a new thread */
		if (k < old && p->threads[k]->tid == w->tids[i] && !p->threads[k]->dead) {
			p->threads[k]->seen = true;
			continue;
		}
		add_thread(w, p, w->tids[i]);
	}
	for (size_t i = old; i-- > 0;)
		if (!p->threads[i]->seen)
			drop_thread(w, p, i);
}

int watched_add(struct watched *w, int pid)
{
	struct proc_stat st;
	char path[32];
	if (proc_stat(pid, 0, &st))
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	struct watched_process *p = mem_zalloc(1, sizeof(*p));
	p->pid = pid;
	p->index = (uint16_t)w->count;
	p->start_ticks = st.start_ticks;
	p->fd_task = fd;
	p->clock_last = -1;
	if (clock_getcpuclockid(pid, &p->clock))
		p->gone = true;
	struct proc_status status;
	p->strict = !proc_status(pid, &status) && status.seccomp == 2;
	w->processes = mem_grow(w->processes, &w->cap, w->count + 1, sizeof(struct watched_process *));
	w->processes[w->count++] = p;
	watched_scan(w, p);
	return 0;
}

static ssize_t read_at(const struct watched_thread *t, int fd, const char *name, char *text,
		       size_t size)
{
	if (fd >= 0) {
		ssize_t n = pread(fd, text, size - 1, 0);
		if (n > 0)
			text[n] = '\0';
		return n;
	}
	char path[48];
	snprintf(path, sizeof(path), "%d/%s", t->tid, name);
	return proc_read(t->process->fd_task, path, text, size);
}

bool watched_sched(struct watched_thread *t, struct proc_sched *out)
{
	char text[96];
	return read_at(t, t->fd_sched, "schedstat", text, sizeof(text)) > 0 &&
	       proc_sched_parse(text, out);
}

bool watched_syscall(struct watched_thread *t, struct proc_syscall *out)
{
	char text[192];
	return read_at(t, t->fd_syscall, "syscall", text, sizeof(text)) > 0 &&
	       proc_syscall_parse(text, out);
}

int64_t watched_clock(const struct watched_process *p)
{
	struct timespec t;
	if (clock_gettime(p->clock, &t))
		return -1;
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}
