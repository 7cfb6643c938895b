/* System calls that a stop meets: which must be told to go on, which do nothing but wait.
 *
 * A ptrace stop interrupts a system call that blocks. Most go on by themselves: they return one
 * of the kernel's ERESTART codes, which it turns, on the way back to user mode, into the call's
 * being begun again or, where a handler runs, into EINTR. Those that signal(7) lists as never
 * restarted return EINTR at once, although no signal came. Set to ERESTARTNOHAND while the thread
 * is held, such a result is treated as the others are: begun again if no handler runs. What it
 * cannot hide: a relative timeout starts anew. close(2) is never begun again: the descriptor may
 * be another's by then.
 *
 * Calls with a timeout return ERESTART_RESTARTBLOCK and go on by restart_syscall(2), which a
 * strict seccomp filter may punish by death: with such a filter they are begun again, too.
 * Sources: signal(7), "Interruption of system calls"; the kernel's include/linux/errno.h,
 * arch/x86/kernel/signal.c and arch/arm64/kernel/signal.c. */
#ifndef SAMPLER_CALLS_H
#define SAMPLER_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { CALL_ERESTARTNOHAND = 514 };

/* Must a call that stands at this result after a stop be made to begin again? nr as in the
 * kernel's table of this machine; `strict`: the thread has a seccomp filter. */
bool call_must_restart(long nr, int64_t result, bool strict);

/* Does this system call do nothing but wait? What is consumed inside of it is falling asleep and
 * waking up. */
bool call_only_waits(long nr);

/* Has a call that only waits ended with this result because its time was over? */
bool call_timed_out(long nr, int64_t result);

/* Is this the result of a system call that a stop has interrupted, before anything else is made
 * of it? EINTR, or one of the kernel's ERESTART codes (include/linux/errno.h). */
bool call_was_interrupted(int64_t result);

#endif
