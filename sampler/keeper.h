/* Keepers: what makes the moment of a sample independent of the system calls of who is sampled.
 *
 * To stop a thread on another CPU, the kernel marks it and sends an interrupt. Until that arrives
 * (1 us on bare metal, 10 us in a virtual machine), the thread goes on; if it comes to the end of a
 * system call in between, it sees the mark and stops there. A program with a system call each 10 us
 * is found in one nearly always, whatever it does with its time (kernel/signal.c:
 * signal_wake_up_state, kick_process; kernel/entry/common.c: exit_to_user_mode_loop).
 *
 * A timer of the CPU itself interrupts wherever the program is. So for such a thread a keeper, a
 * thread of ours that is bound to its CPU, wakes there at the moment of the sample and displaces it.
 * It keeps the CPU until the sampler has marked the thread, which stands still meanwhile; then
 * sleeps. The thread stops before its next instruction.
 *
 * One keeper a CPU, made when it is first expected. All calls come from the sampler thread. */
#ifndef SAMPLER_KEEPER_H
#define SAMPLER_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

struct keepers;

/* Where a real-time priority is refused (CAP_SYS_NICE, RLIMIT_RTPRIO) none ever comes. NULL stands
 * for no keepers at all. */
struct keepers *keepers_new(void);
void keepers_free(struct keepers *k); /* ends them; NULL is good */

bool keepers_useful(const struct keepers *k); /* false: none will come, do not ask */

/* Let the keeper of a CPU come at a moment (monotonic), once. One that is there now goes to sleep
 * for that only when it is released. */
void keepers_expect(struct keepers *k, int cpu, int64_t moment);

/* Is it expected at that moment? */
bool keepers_expected(const struct keepers *k, int cpu, int64_t moment);

/* A sample begins: on this CPU the sampler itself has displaced who ran, and needs no keeper. */
void keepers_begin(struct keepers *k);

/* Is that the sampler's own CPU in this sample? Then no keeper is needed there. */
bool keepers_own(const struct keepers *k, int cpu);

/* Has it come? Waits for that, at most as long as one that was not descheduled would stay. */
bool keepers_await(struct keepers *k, int cpu, int64_t moment);

/* There is no sample at `from`: all that are expected then are expected at `to` instead. */
void keepers_postpone(struct keepers *k, int64_t from, int64_t to);

/* Let those go that came, or will come, for a moment up to this one. */
void keepers_release(struct keepers *k, int64_t moment);

#endif
