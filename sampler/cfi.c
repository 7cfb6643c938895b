/* Call frame information compiled to rows. */
#include "sampler/cfi.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sampler/arch.h"

#if defined(__x86_64__)
enum { RA_COLUMN = REG_PC };
#else
enum { RA_COLUMN = REG_LR };
#endif

/* CFA = REG + offset, as one breg operation or as breg with a constant added. */
static bool cfa_rule(Dwarf_Frame *frame, struct cfi_row *row)
{
	Dwarf_Op *ops;
	size_t n;
	if (dwarf_frame_cfa(frame, &ops, &n) || n != 1)
		return false;
	Dwarf_Word reg, offset;
	if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
		reg = ops[0].atom - DW_OP_breg0;
		offset = ops[0].number;
	} else if (ops[0].atom == DW_OP_bregx) {
		reg = ops[0].number;
		offset = ops[0].number2;
	} else {
		return false;
	}
	if (reg != REG_SP && reg != REG_FP)
		return false;
	row->cfa_is_fp = reg == REG_FP;
	row->cfa_offset = (int32_t)offset;
	return (int64_t)offset == row->cfa_offset;
}

/* Where a register of the caller is. False: it takes an expression. */
static bool register_rule(Dwarf_Frame *frame, int reg, uint8_t *rule, int32_t *offset)
{
	Dwarf_Op mem[3], *ops;
	size_t n;
	if (dwarf_frame_register(frame, reg, mem, &ops, &n))
		return false;
	if (n == 0) {
		*rule = ops == mem ? RULE_UNDEFINED : RULE_SAME;
		return true;
	}
	if (ops[0].atom != DW_OP_call_frame_cfa)
		return false;
	*rule = RULE_OFFSET;
	*offset = 0;
	if (n == 1)
		return true;
	if (n == 2 && ops[1].atom == DW_OP_plus_uconst)
		*offset = (int32_t)ops[1].number;
	else if (n == 3 && ops[1].atom == DW_OP_consts && ops[2].atom == DW_OP_plus)
		*offset = (int32_t)ops[1].number;
	else
		return false;
	return true;
}

int cfi_compile(Dwarf_CFI *cfi, uint64_t addr, struct cfi_row *row)
{
	Dwarf_Frame *frame;
	if (dwarf_cfi_addrframe(cfi, addr, &frame))
		return -1;
	Dwarf_Addr start, end;
	bool signal = false;
	*row = (struct cfi_row){.start = addr, .end = addr + 1, .kind = ROW_COMPLEX};
	if (dwarf_frame_info(frame, &start, &end, &signal) < 0)
		goto out;
	/* libdw's start can be too low: after a remembered state is restored it is that of the row
	 * before. What holds at addr holds up to end. */
	(void)start;
	row->end = end;
	if (signal) {
		row->kind = ROW_SIGNAL;
		goto out;
	}
	if (!register_rule(frame, RA_COLUMN, &row->ra_rule, &row->ra_offset))
		goto out;
	if (row->ra_rule == RULE_UNDEFINED) {
		row->kind = ROW_ROOT;
		goto out;
	}
	if (cfa_rule(frame, row) && register_rule(frame, REG_FP, &row->fp_rule, &row->fp_offset))
		row->kind = ROW_SIMPLE;
out:
	free(frame);
	return 0;
}
