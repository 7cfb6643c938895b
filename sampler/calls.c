/* System calls that a stop meets. */
#include "sampler/calls.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>


/* They fail with EINTR for a stop alone. */
static const long failing[] = {
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

static const long waiting[] = {
#ifdef SYS_poll
	SYS_poll,         SYS_select,        SYS_epoll_wait,    SYS_pause,
#endif
	SYS_nanosleep,    SYS_clock_nanosleep, SYS_futex,       SYS_ppoll,
	SYS_pselect6,     SYS_epoll_pwait,   SYS_rt_sigtimedwait, SYS_rt_sigsuspend,
	SYS_wait4,        SYS_waitid,        SYS_semop,         SYS_semtimedop,
};

static bool is_among(long nr, const long *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == nr)
			return true;
	return false;
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { ERESTARTSYS = 512, ERESTART_RESTARTBLOCK = 516 };

bool call_must_restart(long nr, int64_t result, bool strict)
{
	if (result == -EINTR)
		return is_among(nr, failing, COUNT(failing));
	return strict && result == -ERESTART_RESTARTBLOCK;
}

bool call_only_waits(long nr)
{
	return is_among(nr, waiting, COUNT(waiting));
}

bool call_timed_out(long nr, int64_t result)
{
	switch (nr) {
	case SYS_futex:
		return result == -ETIMEDOUT;
	case SYS_rt_sigtimedwait:
	case SYS_semtimedop:
		return result == -EAGAIN;
	default:
		return call_only_waits(nr) && result == 0;
	}
}

bool call_was_interrupted(int64_t result)
{
	return result == -EINTR || (result <= -ERESTARTSYS && result >= -ERESTART_RESTARTBLOCK);
}
