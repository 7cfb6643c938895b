/* Making a stop invisible to a thread that was about to sleep.
 *
 * A ptrace stop interrupts a system call that blocks. Most go on by themselves; those that
 * signal(7) lists as never restarted return EINTR although no signal came. Where that is the
 * case, the call is entered anew: the thread is set back to its syscall instruction. Its
 * relative timeout then starts anew, which cannot be hidden. close(2) is never entered anew:
 * the descriptor may be another's by then. Sources: signal(7), "Interruption of system calls";
 * the kernel's arch/x86/kernel/signal.c and arch/arm64/kernel/signal.c. */
#ifndef SAMPLER_RESTART_H
#define SAMPLER_RESTART_H

#include <stdbool.h>
#include <stdint.h>

struct proc_status;

/* Does this system call return EINTR after a stop with no signal? nr as in the kernel's
 * table of this machine. */
bool restart_listed(long nr);

/* The signals that will be delivered to the thread and explain an EINTR. Ignored ones do not,
 * nor those whose default action is to ignore them. Bit n-1 stands for signal n. */
uint64_t restart_deliverable(const struct proc_status *st);

#endif
