/* System calls that a stop meets: which must be entered anew, which do nothing but wait.
 *
 * A ptrace stop interrupts a system call that blocks. Most go on by themselves; those that
 * signal(7) lists as never restarted return EINTR although no signal came. Where that is the
 * case, the call is entered anew: the thread is set back to its syscall instruction. Its
 * relative timeout then starts anew, which cannot be hidden. close(2) is never entered anew:
 * the descriptor may be another's by then. Sources: signal(7), "Interruption of system calls";
 * the kernel's arch/x86/kernel/signal.c and arch/arm64/kernel/signal.c. */
#ifndef SAMPLER_CALLS_H
#define SAMPLER_CALLS_H

#include <stdbool.h>
#include <stdint.h>

struct proc_status;

/* Does this system call return EINTR after a stop with no signal? nr as in the kernel's
 * table of this machine. */
bool call_fails_with_eintr(long nr);

/* Does this system call do nothing but wait? What is consumed inside of it is falling asleep and
 * waking up. */
bool call_only_waits(long nr);

/* Is this the result of a system call that a stop has interrupted, before anything else is made
 * of it? EINTR, or one of the kernel's ERESTART codes (include/linux/errno.h). */
bool call_was_interrupted(int64_t result);

/* The signals that will be delivered to the thread and explain an EINTR. Ignored ones do not,
 * nor those whose default action is to ignore them. Bit n-1 stands for signal n. */
uint64_t signals_deliverable(const struct proc_status *st);

#endif
