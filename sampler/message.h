/* What the sampler thread tells the worker, in the order in which it happened.
 *
 * Threads and processes are known by slots, small numbers that are used anew after
 * MSG_THREAD_GONE or MSG_PROCESS_GONE. A tick is opened by MSG_TICK; what follows belongs to it
 * until the next, except that a sample carries its own tick number, as a thread without a CPU
 * stops later than it was asked to. A thread that was seen asleep goes on sleeping with the
 * same stack in each tick that says nothing of it. */
#ifndef SAMPLER_MESSAGE_H
#define SAMPLER_MESSAGE_H

#include "sampler/arch.h"

enum msg_type {
	MSG_BEGIN,        /* msg_clock: recording begins */
	MSG_TICK,         /* msg_tick */
	MSG_MISSED,       /* msg_missed: ticks of a second that could not be taken */
	MSG_PROCESS,      /* msg_process: a new process */
	MSG_PROCESS_GONE, /* msg */
	MSG_THREAD,       /* msg_thread: a new thread */
	MSG_THREAD_GONE,  /* msg */
	MSG_SAMPLE,       /* msg_sample: of a thread that ran and was stopped */
	MSG_SLEEP,        /* msg_sample: of a thread that sleeps and was not */
	MSG_WAITING,      /* msg_waiting: asked to stop at an earlier tick, has not run since */
	MSG_CPU,          /* msg_cpu: what a thread consumed up to this tick */
	MSG_RATE,         /* msg_rate: the rate was lowered or raised */
	MSG_END,          /* msg_clock: recording ends */
};

struct msg {
	uint32_t size; /* of the whole message */
	uint8_t type;  /* enum msg_type */
	uint8_t state; /* enum thread_state, of samples and MSG_WAITING */
	uint16_t process;
	uint32_t slot; /* of the thread */
	uint32_t tick; /* number of the tick, counted from 0 */
};

struct msg_clock {
	struct msg msg;
	int64_t real_ns;
};

struct msg_tick {
	struct msg msg;
	int64_t real_ns;
};

struct msg_missed {
	struct msg msg;
	int64_t second; /* UTC, in which they would have been */
	uint32_t count;
};

struct msg_process {
	struct msg msg;
	int32_t pid;
	uint64_t start_ticks;
};

struct msg_thread {
	struct msg msg;
	int32_t pid, tid;
	char comm[64];
};

struct msg_sample {
	struct msg msg;
	uint64_t stop_ns; /* INTERRUPT to DETACH; 0 without a stop */
	struct cpu_regs regs;
	uint64_t stack_base; /* address of stack[0] in the target */
	uint64_t tail_base;  /* of a second copy, of a deep stack's outermost part */
	uint32_t stack_len;
	uint32_t tail_len;   /* usually 0 */
	uint32_t kernel_len; /* bytes of /proc/.../stack text */
	unsigned char stack[]; /* stack_len bytes, then tail_len, then kernel_len */
};

struct msg_waiting {
	struct msg msg;
	uint32_t asked; /* the tick at which it was asked */
};

struct msg_cpu {
	struct msg msg; /* slot UINT32_MAX: consumed by threads of the process that came and went */
	int64_t second; /* UTC, in which */
	uint64_t cpu_ns;
};

struct msg_rate {
	struct msg msg;
	double rate_hz;
};

#endif
