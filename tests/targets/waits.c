/* waits SECONDS: threads that wait, each in a call of its own, over and over, with timeouts of
 * 20 ms, and count what came back: "NAME calls N eintr N early N late N" a line each at the end.
 * early and late: a wait that was 2 % and 2 ms shorter or longer than its timeout. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "target.h"

enum { TIMEOUT_MS = 20 };
static const struct timespec timeout = {0, TIMEOUT_MS * 1000000};

struct wait {
	const char *name;
	int (*call)(struct wait *w); /* 0, or the errno */
	int fd, other;
	long calls, eintr, early, late;
};

static int result(long rc)
{
	return rc < 0 ? errno : 0;
}

static int wait_epoll(struct wait *w)
{
	struct epoll_event e;
	return result(epoll_wait(w->fd, &e, 1, TIMEOUT_MS));
}

static int wait_semop(struct wait *w)
{
	struct sembuf op = {0, -1, 0};
	return result(semtimedop(w->fd, &op, 1, &timeout));
}

static int wait_signal(struct wait *w)
{
	(void)w;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 5);
	return result(sigtimedwait(&set, NULL, &timeout));
}

static int wait_recv(struct wait *w)
{
	char c;
	return result(recv(w->fd, &c, 1, 0));
}

static int wait_accept(struct wait *w)
{
	return result(accept(w->fd, NULL, NULL));
}

static int wait_poll(struct wait *w)
{
	struct pollfd p = {.fd = w->fd, .events = POLLIN};
	return result(poll(&p, 1, TIMEOUT_MS));
}

static int wait_select(struct wait *w)
{
	fd_set set;
	FD_ZERO(&set);
	FD_SET(w->fd, &set);
	struct timeval tv = {0, TIMEOUT_MS * 1000};
	return result(select(w->fd + 1, &set, NULL, NULL, &tv));
}

static int wait_nanosleep(struct wait *w)
{
	(void)w;
	return result(nanosleep(&timeout, NULL));
}

static int wait_futex(struct wait *w)
{
	(void)w;
	int word = 0;
	return result(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &timeout, NULL, 0));
}

static int wait_aio(struct wait *w)
{
	char c;
	struct aiocb cb = {.aio_fildes = w->fd, .aio_buf = &c, .aio_nbytes = 1};
	const struct aiocb *list[] = {&cb};
	if (aio_read(&cb))
		return errno;
	int rc = result(aio_suspend(list, 1, &timeout));
	if (write(w->other, "x", 1) != 1)
		return EIO;
	while (aio_error(&cb) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	return rc;
}

/* Woken by the helper thread instead of a timeout. */
static int wait_read(struct wait *w)
{
	char c;
	return result(read(w->fd, &c, 1));
}

static int wait_msgrcv(struct wait *w)
{
	struct {
		long type;
		char text[8];
	} m;
	return result(msgrcv(w->fd, &m, sizeof(m.text), 0, 0));
}

static struct wait waits[] = {
	{.name = "epoll_wait", .call = wait_epoll},   {.name = "semtimedop", .call = wait_semop},
	{.name = "sigtimedwait", .call = wait_signal}, {.name = "recv", .call = wait_recv},
	{.name = "accept", .call = wait_accept},      {.name = "poll", .call = wait_poll},
	{.name = "select", .call = wait_select},      {.name = "nanosleep", .call = wait_nanosleep},
	{.name = "futex", .call = wait_futex},        {.name = "aio", .call = wait_aio},
	{.name = "read", .call = wait_read},          {.name = "msgrcv", .call = wait_msgrcv},
};
enum { WAITS = sizeof(waits) / sizeof(waits[0]) };

static volatile int ending;
static int read_helper, msg_helper;

static void *helper(void *arg)
{
	(void)arg;
	struct {
		long type;
		char text[8];
	} m = {1, "x"};
	while (!ending) {
		nanosleep(&timeout, NULL);
		if (write(read_helper, "x", 1) != 1 || msgsnd(msg_helper, &m, sizeof(m.text), 0))
			break;
	}
	return NULL;
}

static int64_t now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void *wait_often(void *arg)
{
	struct wait *w = arg;
	int timed = w->call != wait_read && w->call != wait_msgrcv;
	while (!ending) {
		int64_t start = now_us();
		int error = w->call(w);
		int64_t took = now_us() - start;
		w->calls++;
		w->eintr += error == EINTR;
		w->early += timed && took < TIMEOUT_MS * 980;
		w->late += timed && took > TIMEOUT_MS * 1020 + 2000;
	}
	return NULL;
}

static int socket_with_timeout(int listening)
{
	struct timeval tv = {0, TIMEOUT_MS * 1000};
	struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, listening ? SOCK_STREAM : SOCK_DGRAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof(any)) || (listening && listen(fd, 1)))
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	return fd;
}

int main(int argc, char **argv)
{
	int pipes[3][2];
	target_begin();
	if (argc != 2 || pipe(pipes[0]) || pipe(pipes[1]) || pipe(pipes[2]))
		return 2;
	for (int i = 0; i < WAITS; i++) {
		struct wait *w = &waits[i];
		w->fd = pipes[0][0];
		if (w->call == wait_epoll)
			w->fd = epoll_create1(0);
		else if (w->call == wait_semop)
			w->fd = semget(IPC_PRIVATE, 1, 0600);
		else if (w->call == wait_recv || w->call == wait_accept)
			w->fd = socket_with_timeout(w->call == wait_accept);
		else if (w->call == wait_aio)
			w->fd = pipes[1][0], w->other = pipes[1][1];
		else if (w->call == wait_read)
			w->fd = pipes[2][0];
		else if (w->call == wait_msgrcv)
			w->fd = msg_helper = msgget(IPC_PRIVATE, 0600);
		if (w->fd < 0)
			return 1;
	}
	read_helper = pipes[2][1];
	pthread_t threads[WAITS + 1];
	for (int i = 0; i < WAITS; i++)
		pthread_create(&threads[i], NULL, wait_often, &waits[i]);
	pthread_create(&threads[WAITS], NULL, helper, NULL);
	target_ready();
	int64_t end = now_us() + arg_number(argc, argv, 1, 5) * 1000000LL;
	while (now_us() < end)
		nanosleep(&timeout, NULL);
	ending = 1;
	for (int i = 0; i < WAITS; i++) /* read and msgrcv are fed until they have seen the end */
		pthread_join(threads[i], NULL);
	pthread_join(threads[WAITS], NULL);
	for (int i = 0; i < WAITS; i++) {
		printf("%s calls %ld eintr %ld early %ld late %ld\n", waits[i].name, waits[i].calls,
		       waits[i].eintr, waits[i].early, waits[i].late);
		if (waits[i].call == wait_semop)
			semctl(waits[i].fd, 0, IPC_RMID);
	}
	msgctl(msg_helper, IPC_RMID, NULL);
	return 0;
}
