/* The machine: its registers by DWARF number, and what the unwinder must know of them.
 *
 * Sources: System V ABI, AMD64 supplement, figure 3.36 (DWARF numbers) and 3.4.1 (signal
 * frame, with the kernel's arch/x86/include/uapi/asm/sigcontext.h); DWARF for the Arm 64-bit
 * Architecture, 4.1, with arch/arm64/include/uapi/asm/sigcontext.h. */
#ifndef SAMPLER_ARCH_H
#define SAMPLER_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
enum {
	REG_COUNT = 17,
	REG_FP = 6,   /* rbp */
	REG_SP = 7,   /* rsp */
	REG_PC = 16,  /* rip; also the CFI's return address column */
	REG_LR = -1,  /* the return address is on the stack */
	RED_ZONE = 128,
};
#elif defined(__aarch64__)
enum {
	REG_COUNT = 33,
	REG_FP = 29,
	REG_SP = 31,
	REG_PC = 32,
	REG_LR = 30, /* also the CFI's return address column */
	RED_ZONE = 0,
};
#else
#error "cprof knows x86-64 and aarch64"
#endif

/* A thread's registers, as far as they are known: of a thread that sleeps, only sp and pc. */
struct cpu_regs {
	uint64_t reg[REG_COUNT];
	uint64_t known; /* bit n: reg[n] holds the thread's value */
	uint64_t tls;   /* fs_base; 0 unknown */
	int64_t call;   /* the system call it stopped in; -1 none, or not known */
	int64_t result; /* of that call, as it stands at the stop */
};

#define REG_ALL_KNOWN ((UINT64_C(1) << REG_COUNT) - 1)

static inline bool reg_known(const struct cpu_regs *r, int n)
{
	return r->known >> n & 1;
}

/* In a signal frame, sp points at this many bytes before the saved register; -1: not saved. */
static inline int sigframe_offset(int reg)
{
#if defined(__x86_64__)
	/* struct ucontext: uc_mcontext at 40; gregs r8-r15 rdi rsi rbp rbx rdx rax rcx rsp rip */
	static const int8_t slot[REG_COUNT] = {13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16};
	return 40 + 8 * slot[reg];
#else
	/* struct rt_sigframe: siginfo 128, ucontext's mcontext at 176, fault_address, x0-x30, sp, pc */
	return 128 + 176 + 8 + 8 * reg;
#endif
}

#endif
