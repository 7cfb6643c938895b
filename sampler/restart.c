/* Making a stop invisible to a thread that was about to sleep: which calls, which signals. */
#include "sampler/restart.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "sampler/proc.h"

static const long listed[] = {
#ifdef SYS_epoll_wait
	SYS_epoll_wait,
#endif
	SYS_epoll_pwait,
#ifdef SYS_epoll_pwait2
	SYS_epoll_pwait2,
#endif
	SYS_semop,         SYS_semtimedop, SYS_rt_sigtimedwait, SYS_recvfrom, SYS_recvmsg,
	SYS_recvmmsg,      SYS_sendto,     SYS_sendmsg,         SYS_sendmmsg, SYS_accept,
	SYS_accept4,       SYS_connect,    SYS_io_getevents,
#ifdef SYS_io_pgetevents
	SYS_io_pgetevents,
#endif
#ifdef SYS_io_uring_enter
	SYS_io_uring_enter,
#endif
};

bool restart_listed(long nr)
{
	for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++)
		if (listed[i] == nr)
			return true;
	return false;
}

static uint64_t bit(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

uint64_t restart_deliverable(const struct proc_status *st)
{
	uint64_t harmless = bit(SIGCHLD) | bit(SIGURG) | bit(SIGWINCH) | bit(SIGCONT);
	return st->sig_pending & ~st->sig_blocked & ~st->sig_ignored &
	       ~(harmless & ~st->sig_caught);
}
