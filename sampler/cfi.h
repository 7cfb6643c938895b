/* Call frame information compiled to rows: where the caller's frame is, for a range of pcs.
 *
 * What a row cannot express (DWARF expressions, other registers) is marked ROW_COMPLEX and
 * left to libunwind. Sources: DWARF 5, 6.4; the LSB's .eh_frame; elfutils' libdw.h. */
#ifndef SAMPLER_CFI_H
#define SAMPLER_CFI_H

#include <stdint.h>

enum row_kind {
	ROW_NONE,    /* no CFI covers the pc */
	ROW_SIMPLE,  /* CFA = sp or fp + cfa_offset; saved registers at offsets from the CFA */
	ROW_ROOT,    /* the return address is undefined: the outermost frame */
	ROW_SIGNAL,  /* the frame that the kernel makes for a signal handler */
	ROW_COMPLEX, /* needs more than a row */
};

enum row_rule {
	RULE_SAME,      /* the caller's value is still in the register */
	RULE_OFFSET,    /* saved at CFA + offset */
	RULE_UNDEFINED, /* lost */
};

struct cfi_row {
	uint64_t start, end; /* link-time addresses [start, end) for which it holds */
	int32_t cfa_offset;
	int32_t ra_offset;   /* from the CFA; used where ra_rule is RULE_OFFSET */
	int32_t fp_offset;
	uint8_t kind;        /* enum row_kind */
	uint8_t cfa_is_fp;   /* CFA = fp + cfa_offset, else sp + cfa_offset */
	uint8_t ra_rule, fp_rule;
};

struct Dwarf_CFI_s;

/* Compile the row for an address of a CFI section. *row covers [addr, end), end > addr.
 * -1: no FDE covers the address; row is left alone. */
int cfi_compile(struct Dwarf_CFI_s *cfi, uint64_t addr, struct cfi_row *row);

#endif
