/* Starting the command after `--`.
 *
 * The command is started by a process of its own, its parent, so that the sampler's waiting
 * never takes its exit status: that process waits for it and tells. The command does not run
 * before it is let go, so that its first instruction is sampled. Under sudo(8) it runs as the user
 * who called that (SUDO_UID, SUDO_GID). */
#ifndef SAMPLER_LAUNCH_H
#define SAMPLER_LAUNCH_H

struct err;

struct launched {
	int pid;      /* of the command */
	int go_fd;    /* closing it lets the command start */
	int status_fd; /* its wait status comes here */
	int failure_fd; /* an exec that failed is told here */
};

/* Can it be found and run? ERR_NOCMD or ERR_NOEXEC (127, 126 as env(1)): before anything is made
 * for it. */
int launch_check(char **argv, struct err *err);

/* Start its process, which waits. ERR_LAUNCH. */
int launch_start(struct launched *l, char **argv, struct err *err);

/* Let it run. With `output`, a file, it has its own session, stdin from /dev/null and its stdout
 * and stderr there; with NULL it keeps what this process has. ERR_NOCMD or ERR_NOEXEC if the exec
 * fails. */
int launch_go(struct launched *l, const char *output, struct err *err);

/* Its exit status as a shell gives it: its own, or 128 + the signal; waits for the end. */
int launch_wait(struct launched *l);

/* Has it ended? */
int launch_ended(const struct launched *l);

/* End it: TERM. */
void launch_end(const struct launched *l);

#endif
