/* Unwinding a copied stack by compiled rows. */
#include "sampler/unwind.h"

#include <string.h>

/* ---- the result ------------------------------------------------------------------------ */

void unwound_push(struct unwound *out, uint64_t pc, uint64_t slot)
{
	/* the outer part is a ring: its oldest frame makes room */
	size_t tail = UNWIND_MAX - UNWIND_HEAD;
	size_t at = out->count < UNWIND_MAX ? out->count++ : UNWIND_HEAD + out->elided++ % tail;
	out->pc[at] = pc;
	out->slot[at] = slot;
}

static void reverse(uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint64_t t = v[i];
		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

/* Make a ring of n begin with what is at `first`. */
static void rotate(uint64_t *ring, size_t first, size_t n)
{
	reverse(ring, first);
	reverse(ring + first, n - first);
	reverse(ring, n);
}

void unwound_finish(struct unwound *out, enum unwind_end end)
{
	size_t tail = UNWIND_MAX - UNWIND_HEAD, oldest = out->elided % tail;
	out->end = end;
	out->elided_at = UNWIND_HEAD;
	rotate(out->pc + UNWIND_HEAD, oldest, out->elided ? tail : 0);
	rotate(out->slot + UNWIND_HEAD, oldest, out->elided ? tail : 0);
}

bool stack_word(const struct stack_copy *stack, uint64_t addr, uint64_t *value)
{
	uint64_t at = addr - stack->base;
	if (addr < stack->base || stack->len < 8 || at > stack->len - 8)
		return false;
	memcpy(value, stack->data + at, 8);
	return true;
}

/* ---- one step -------------------------------------------------------------------------- */

struct walk {
	struct space *space;
	const struct stack_copy *stack;
	struct unwound *out;
	uint64_t pc, sp, fp, lr;
	uint64_t slot; /* where pc lay, of a caller; 0 nowhere */
	bool fp_known, lr_known;
	bool exact; /* pc is an instruction that ran, not a return address */
	bool trial; /* only to see where it leads: no searching */
};

static bool load(struct walk *w, uint64_t addr, uint64_t *value)
{
	if (!stack_word(w->stack, addr, value))
		return false;
	if (addr + 8 > w->out->deepest)
		w->out->deepest = addr + 8;
	return true;
}

/* Is the address outside of the copy, above it? Then a longer copy may help. */
static enum unwind_end missing(const struct walk *w, uint64_t addr)
{
	return addr >= w->stack->base + w->stack->len ? UNWIND_SHORT : UNWIND_TRUNCATED;
}

/* The target of the direct call before a return address, 0 for an indirect call, or -1 where
 * no call precedes it. */
static uint64_t call_before(struct space *space, uint64_t ra)
{
#if defined(__x86_64__)
	const unsigned char *code = space_code(space, ra - 7, 7);
	if (!code)
		return (uint64_t)-1;
	if (code[2] == 0xe8) { /* call rel32 */
		int32_t rel;
		memcpy(&rel, code + 3, 4);
		return ra + (uint64_t)(int64_t)rel;
	}
	/* call r/m64: ff /2, of 2, 3, 4, 6 or 7 bytes */
	static const int lengths[] = {2, 3, 4, 6, 7};
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		int at = 7 - lengths[i];
		if (code[at] == 0xff && (code[at + 1] >> 3 & 7) == 2)
			return 0;
	}
	return (uint64_t)-1;
#else
	const unsigned char *code = space_code(space, ra - 4, 4);
	uint32_t insn;
	if (!code)
		return (uint64_t)-1;
	memcpy(&insn, code, 4);
	if (insn >> 26 == 0x25) /* bl imm26 */
		return ra - 4 + (uint64_t)((int64_t)((uint64_t)insn << 38) >> 36);
	return (insn & 0xfffffc1f) == 0xd63f0000 ? 0 : (uint64_t)-1; /* blr */
#endif
}

/* A frame pointer pair (caller's fp, return address) that could lie at an address. */
static bool is_pair(struct walk *w, uint64_t at, uint64_t *fp, uint64_t *called)
{
	uint64_t ra;
	if (!stack_word(w->stack, at, fp) || !stack_word(w->stack, at + 8, &ra))
		return false;
	*called = call_before(w->space, ra);
	return *called != (uint64_t)-1;
}

static bool step(struct walk *w, const struct pc_info *info, enum unwind_end *end);

/* Does the stack go on from a frame pointer pair to the thread's root, by CFI all the way? */
static bool leads_to_root(const struct walk *w, uint64_t at)
{
	enum { TRIAL_MAX = 64 };
	struct walk t = *w;
	struct unwound none;
	none.count = none.elided = 0;
	none.deepest = 0;
	enum unwind_end end = UNWIND_TRUNCATED;
	t.out = &none;
	t.trial = true;
	t.exact = false;
	t.sp = at + 16;
	t.fp_known = stack_word(w->stack, at, &t.fp) && stack_word(w->stack, at + 8, &t.pc);
	for (int i = 0; t.fp_known && i < TRIAL_MAX && t.pc; i++)
		if (!step(&t, space_pc(t.space, t.pc - 1), &end))
			break;
	return end == UNWIND_ROOT;
}

/* A call that does not say what it calls: an indirect one, or one of a PLT entry, which no
 * function begins at. */
static bool calls_anything(struct space *space, uint64_t called)
{
	return !called || space_function_start(space, called) != called;
}

/* Code that no file holds has left a return address here: what it calls cannot be seen. */
static bool returns_to_jit(struct walk *w, uint64_t at)
{
	uint64_t ra;
	if (!stack_word(w->stack, at + 8, &ra) || !ra)
		return false;
	const struct pc_info *info = space_pc(w->space, ra - 1);
	return info->executable && !info->file;
}

/* The slot of the pair that belongs to the function `start`, by a direct call of it, or, failing
 * that, by a call of anything from which the stack goes on; 0: none. */
static uint64_t search_pair(struct walk *w, uint64_t start, bool direct)
{
	enum { SEARCH = 64 << 10 };
	for (uint64_t at = (w->sp + 7) & ~UINT64_C(7); at < w->sp + SEARCH; at += 8) {
		uint64_t fp, called, next_fp, next_called;
		if (at + 16 > w->stack->base + w->stack->len || returns_to_jit(w, at))
			return 0;
		if (!is_pair(w, at, &fp, &called))
			continue;
		bool linked = fp > at && !(fp & 7);
		if (direct ? called && called == start && (linked || leads_to_root(w, at))
			   : calls_anything(w->space, called) &&
				     ((linked && is_pair(w, fp, &next_fp, &next_called) &&
				       next_fp > fp) ||
				      leads_to_root(w, at)))
			return at;
	}
	return 0;
}

/* Of a thread asleep the frame pointer is not known. A function with frame pointers has put
 * its caller's on the stack: search upward from sp for the pair that a call of this very function
 * has left. What returned long ago may lie there, too, so that only behind a call that may have
 * called anything another pair is taken: one linked to a next, or from which the stack goes on to
 * its root. */
static bool find_fp(struct walk *w)
{
	uint64_t start = space_function_start(w->space, w->pc - !w->exact);
	uint64_t at = start ? search_pair(w, start, true) : 0;
	if (!at)
		at = search_pair(w, start, false);
	if (!at)
		return false;
	w->fp = at;
	w->fp_known = true;
	return true;
}

/* Go to the caller by a row. */
static bool step_row(struct walk *w, const struct cfi_row *row, enum unwind_end *end)
{
	struct cfi_row kept = *row; /* a search looks up other pcs, which may move the row */
	if (kept.cfa_is_fp && !w->fp_known) {
		row = &kept;
		if (w->trial || !find_fp(w)) {
			*end = UNWIND_TRUNCATED;
			return false;
		}
	}
	uint64_t cfa = (row->cfa_is_fp ? w->fp : w->sp) + (uint64_t)(int64_t)row->cfa_offset;
	uint64_t ra = w->lr, fp;
	*end = UNWIND_TRUNCATED;
	if (cfa < w->sp || (row->ra_rule == RULE_SAME && !w->lr_known))
		return false;
	if (row->ra_rule == RULE_OFFSET && !load(w, cfa + (uint64_t)(int64_t)row->ra_offset, &ra)) {
		*end = missing(w, cfa + (uint64_t)(int64_t)row->ra_offset);
		return false;
	}
	if (row->fp_rule == RULE_OFFSET) {
		w->fp_known = load(w, cfa + (uint64_t)(int64_t)row->fp_offset, &fp);
		w->fp = w->fp_known ? fp : 0;
	} else if (row->fp_rule == RULE_UNDEFINED) {
		w->fp_known = false;
	}
	if (cfa == w->sp && ra == w->pc)
		return false; /* no progress */
	w->slot = row->ra_rule == RULE_OFFSET ? cfa + (uint64_t)(int64_t)row->ra_offset : 0;
	w->sp = cfa;
	w->pc = ra;
	w->lr_known = false;
	w->exact = false;
	return true;
}

/* Through the frame that the kernel has put there for a signal handler. */
static bool step_signal(struct walk *w, enum unwind_end *end)
{
	uint64_t pc, sp, fp;
	uint64_t frame = w->sp;
	if (!load(w, frame + (uint64_t)sigframe_offset(REG_PC), &pc) ||
	    !load(w, frame + (uint64_t)sigframe_offset(REG_SP), &sp) ||
	    !load(w, frame + (uint64_t)sigframe_offset(REG_FP), &fp)) {
		*end = missing(w, frame + (uint64_t)sigframe_offset(REG_PC));
		return false;
	}
#if defined(__aarch64__)
	w->lr_known = load(w, frame + (uint64_t)sigframe_offset(REG_LR), &w->lr);
#endif
	w->slot = 0;
	w->pc = pc;
	w->sp = sp;
	w->fp = fp;
	w->fp_known = true;
	w->exact = true;
	return true;
}

/* Code without CFI: the frame pointer, where it leads to a return address behind a call. */
static bool step_fp(struct walk *w, enum unwind_end *end)
{
	uint64_t fp, ra;
	*end = UNWIND_TRUNCATED;
	if (!w->fp_known || w->fp < w->sp || w->fp & 7)
		return false;
	if (!load(w, w->fp, &fp) || !load(w, w->fp + 8, &ra)) {
		*end = missing(w, w->fp);
		return false;
	}
	if (ra && !space_pc(w->space, ra - 1)->executable)
		return false;
	w->slot = w->fp + 8;
	w->sp = w->fp + 16;
	w->fp = fp;
	w->pc = ra;
	w->exact = false;
	return true;
}

/* A jump to where no code is: the caller has just pushed its return address. */
static bool step_wild(struct walk *w, enum unwind_end *end)
{
	uint64_t ra;
	*end = UNWIND_TRUNCATED;
	if (w->out->count != 1 || !load(w, w->sp, &ra) || call_before(w->space, ra) == (uint64_t)-1)
		return false;
	w->slot = w->sp;
	w->sp += 8;
	w->pc = ra;
	w->exact = false;
	return true;
}

static bool step(struct walk *w, const struct pc_info *info, enum unwind_end *end)
{
	switch (info->row.kind) {
	case ROW_SIMPLE:
		return step_row(w, &info->row, end);
	case ROW_SIGNAL:
		return step_signal(w, end);
	case ROW_ROOT:
		*end = UNWIND_ROOT;
		return false;
	case ROW_COMPLEX:
		*end = UNWIND_COMPLEX;
		return false;
	default:
		return info->executable ? step_fp(w, end) : step_wild(w, end);
	}
}

void unwind_rows(struct space *space, const struct cpu_regs *regs, const struct stack_copy *stack,
		 struct unwound *out)
{
	enum { STEPS_MAX = 1 << 20 };
	struct walk w = {
		.space = space,
		.stack = stack,
		.out = out,
		.pc = regs->reg[REG_PC],
		.sp = regs->reg[REG_SP],
		.fp = regs->reg[REG_FP],
		.fp_known = reg_known(regs, REG_FP),
		.exact = true,
	};
#if defined(__aarch64__)
	w.lr = regs->reg[REG_LR];
	w.lr_known = reg_known(regs, REG_LR);
#endif
	out->count = out->elided = 0;
	out->deepest = w.sp;
	enum unwind_end end = UNWIND_ROOT;
	for (int i = 0; i < STEPS_MAX && w.pc; i++) {
		uint64_t pc = w.exact ? w.pc : w.pc - 1;
		unwound_push(out, pc, w.slot);
		if (!step(&w, space_pc(space, pc), &end))
			break;
	}
	if (!out->count)
		end = UNWIND_TRUNCATED;
	unwound_finish(out, end);
}
