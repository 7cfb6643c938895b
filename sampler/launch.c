/* Starting the command after `--`. */
#include "sampler/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"

/* What the keeper tells first: the command's pid, or why there is none. */
struct report {
	int pid, error;
};

static void detach(const char *output)
{
	setsid();
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	int out = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (out >= 0) {
		dup2(out, STDOUT_FILENO);
		dup2(out, STDERR_FILENO);
	}
}

/* Who called sudo(8), if that is how this became root; -1 nobody. */
static long sudo_caller(void)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	return geteuid() == 0 && uid && gid ? strtol(uid, NULL, 10) : -1;
}

/* Under sudo, root is for the recorder: the command runs as who asked for it. */
static bool become_caller(void)
{
	long uid = sudo_caller();
	if (uid <= 0)
		return true;
	gid_t gid = (gid_t)strtol(getenv("SUDO_GID"), NULL, 10);
	const struct passwd *user = getpwuid((uid_t)uid);
	if (user) {
		setenv("HOME", user->pw_dir, 1);
		setenv("USER", user->pw_name, 1);
		setenv("LOGNAME", user->pw_name, 1);
	}
	return !(user ? initgroups(user->pw_name, gid) : setgroups(1, &gid)) && !setgid(gid) &&
	       !setuid((uid_t)uid);
}

/* In the command's process, before its exec. Does not return. */
static _Noreturn void become(char **argv, int go, int failure)
{
	/* the name of the file for its output, with its NUL */
	char output[PATH_MAX];
	ssize_t got;
	while ((got = read(go, output, sizeof(output))) < 0 && errno == EINTR)
		;
	if (got < 1)
		_exit(125); /* the recorder ended before it could begin */
	output[got - 1] = '\0';
	if (*output)
		detach(output);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (become_caller())
		execvp(argv[0], argv);
	int error = errno;
	ssize_t n = write(failure, &error, sizeof(error));
	_exit(n == sizeof(error) && error == ENOENT ? 127 : 126);
}

/* In the keeper: start the command, wait for it, tell. Does not return. */
static _Noreturn void keep(char **argv, const int go[2], int report_fd, int failure)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close(go[1]);
	struct report r = {.pid = fork()};
	if (r.pid == 0)
		become(argv, go[0], failure);
	r.error = r.pid < 0 ? errno : 0;
	close(failure);
	close(go[0]);
	int status = 0;
	if (write(report_fd, &r, sizeof(r)) != sizeof(r) || r.pid < 0)
		_exit(1);
	while (waitpid(r.pid, &status, 0) < 0 && errno == EINTR)
		;
	ssize_t n = write(report_fd, &status, sizeof(status));
	_exit(n != sizeof(status));
}

/* Where execvp(3) would find it, by its rules; errno tells why not. */
static bool can_run(const char *name)
{
	if (strchr(name, '/'))
		return !access(name, X_OK);
	const char *path = getenv("PATH");
	int error = ENOENT;
	for (const char *dir = path ? path : "/bin:/usr/bin"; *dir;) {
		char file[PATH_MAX];
		size_t n = strcspn(dir, ":");
		snprintf(file, sizeof(file), "%.*s/%s", n ? (int)n : 1, n ? dir : ".", name);
		if (!access(file, X_OK))
			return true;
		if (errno == EACCES)
			error = EACCES;
		dir += n + (dir[n] == ':');
	}
	errno = error;
	return false;
}

static int refuse(const char *name, int error, struct err *err)
{
	return err_set(err, error == ENOENT ? ERR_NOCMD : ERR_NOEXEC,
		       "cannot run %s: %s; check its name and permissions", name, strerror(error));
}

int launch_check(char **argv, struct err *err)
{
	return can_run(argv[0]) ? 0 : refuse(argv[0], errno, err);
}

static int pipe_cloexec(int fds[2], struct err *err)
{
	if (pipe2(fds, O_CLOEXEC))
		return err_set(err, ERR_LAUNCH, "cannot make a pipe: %s; try again", strerror(errno));
	return 0;
}

int launch_start(struct launched *l, char **argv, struct err *err)
{
	int go[2], report[2], failure[2];
	if (pipe_cloexec(go, err) || pipe_cloexec(report, err) || pipe_cloexec(failure, err))
		return -1;
	pid_t keeper = fork();
	if (keeper < 0)
		return err_set(err, ERR_LAUNCH, "cannot start %s: %s; try again", argv[0],
			       strerror(errno));
	if (keeper == 0) {
		close(report[0]);
		close(failure[0]);
		keep(argv, go, report[1], failure[1]);
	}
	close(go[0]);
	close(report[1]);
	close(failure[1]);
	if (sudo_caller() > 0)
		err_note("%s runs as the caller of sudo; to run it as root: sudo env -u SUDO_UID cprof ...",
			 argv[0]);
	struct report r;
	if (read(report[0], &r, sizeof(r)) != sizeof(r) || r.pid < 0)
		return err_set(err, ERR_LAUNCH, "cannot start %s: %s; try again", argv[0],
			       strerror(r.error));
	*l = (struct launched){r.pid, go[1], report[0], failure[0]};
	return 0;
}

int launch_go(struct launched *l, const char *output, struct err *err)
{
	int error = 0;
	/* bytes, not the end of the pipe: a process that was forked meanwhile has this end too */
	const char *name = output ? output : "";
	if (write(l->go_fd, name, strlen(name) + 1) != (ssize_t)strlen(name) + 1)
		error = errno;
	close(l->go_fd);
	if (error)
		return err_set(err, ERR_LAUNCH, "the command is gone before it began: %s; try again",
			       strerror(error));
	ssize_t n;
	while ((n = read(l->failure_fd, &error, sizeof(error))) < 0 && errno == EINTR)
		;
	close(l->failure_fd);
	if (n != sizeof(error))
		return 0;
	return refuse("the command", error, err);
}

int launch_wait(struct launched *l)
{
	int status = 0;
	ssize_t n;
	while ((n = read(l->status_fd, &status, sizeof(status))) < 0 && errno == EINTR)
		;
	close(l->status_fd);
	if (n != sizeof(status))
		return 125;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int launch_ended(const struct launched *l)
{
	struct pollfd p = {.fd = l->status_fd, .events = POLLIN};
	return poll(&p, 1, 0) > 0;
}

void launch_end(const struct launched *l)
{
	kill(l->pid, SIGTERM);
}
