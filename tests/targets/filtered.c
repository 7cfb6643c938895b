/* filtered: works and waits for some seconds under a seccomp filter that kills it for any call but
 * those it makes, restart_syscall among them; exits with 7. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#include "target.h"

#define ALLOW(nr)                                                                                  \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

int main(void)
{
	enum { ROUNDS = 800 };
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_write),
		ALLOW(SYS_nanosleep),
		ALLOW(SYS_clock_nanosleep),
		ALLOW(SYS_exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
	target_begin();
	target_ready();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		for (volatile int k = 0; k < 200000; k++)
			;
		sleep_ns(3000000);
	}
	_exit(7);
}
