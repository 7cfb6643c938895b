/* Unwinding a copied stack by libunwind, with accessors that read the copy.
 *
 * libunwind asks for registers and memory: registers are the sample's, memory is the stack
 * copy, and what lies in a mapped file is read from that file, not from the target, which runs
 * on. Unwind tables are found by the file's .eh_frame_hdr. Source: libunwind's
 * unw_create_addr_space(3), and dwarf_search_unwind_table of its remote interface. */
#include "sampler/unwind.h"

#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Exported by libunwind for remote unwinders; declared in none of its public headers. */
#define SEARCH_UNWIND_TABLE UNW_OBJ(dwarf_search_unwind_table)
int SEARCH_UNWIND_TABLE(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di, unw_proc_info_t *pi,
			int need_unwind_info, void *arg);

struct unwind_lib {
	struct space *space;
	unw_addr_space_t as;
	uint32_t epoch; /* the space's, for which libunwind's cache holds */
	const struct cpu_regs *regs;
	const struct stack_copy *stack;
	uint64_t deepest;
};

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need, void *arg)
{
	struct unwind_lib *u = arg;
	uint64_t bias, hdr, size, low, high;
	struct elf_file *file = space_file(u->space, ip, &bias);
	if (!file || !elf_eh_frame_hdr(file, &hdr, &size) || size < 12)
		return -UNW_ENOINFO;
	const unsigned char *h = elf_bytes(file, hdr, 12);
	/* version 1, pcrel|sdata4, udata4, datarel|sdata4: what linkers write */
	if (!h || h[0] != 1 || h[1] != 0x1b || h[2] != 0x03 || h[3] != 0x3b)
		return -UNW_ENOINFO;
	uint32_t count;
	memcpy(&count, h + 8, 4);
	elf_extent(file, &low, &high);
	unw_dyn_info_t di = {
		.start_ip = low + bias,
		.end_ip = high + bias,
		.format = UNW_INFO_FORMAT_REMOTE_TABLE,
		.u.rti = {
			.segbase = hdr + bias,
			.table_data = hdr + bias + 12,
			.table_len = (unw_word_t)count * 8 / sizeof(unw_word_t),
		},
	};
	return SEARCH_UNWIND_TABLE(as, ip, &di, pi, need, arg);
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as;
	(void)arg;
	free(pi->unwind_info);
	pi->unwind_info = NULL;
}

static int dyn_info_list(unw_addr_space_t as, unw_word_t *addr, void *arg)
{
	(void)as;
	(void)addr;
	(void)arg;
	return -UNW_ENOINFO;
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *value, int write, void *arg)
{
	(void)as;
	struct unwind_lib *u = arg;
	if (write)
		return -UNW_EINVAL;
	uint64_t word;
	if (stack_word(u->stack, addr, &word)) {
		if (addr + 8 > u->deepest)
			u->deepest = addr + 8;
		*value = word;
		return 0;
	}
	uint64_t bias;
	struct elf_file *file = space_file(u->space, addr, &bias);
	if (!file)
		return -UNW_EINVAL;
	/* a word at the end of a segment is read as far as it goes */
	*value = 0;
	for (size_t n = sizeof(*value); n; n--) {
		const void *bytes = elf_bytes(file, addr - bias, n);
		if (bytes) {
			memcpy(value, bytes, n);
			return 0;
		}
	}
	return -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value, int write, void *arg)
{
	(void)as;
	struct unwind_lib *u = arg;
	/* its register numbers are DWARF's on both machines */
	if (write || reg < 0 || reg >= REG_COUNT || !reg_known(u->regs, reg))
		return -UNW_EBADREG;
	*value = u->regs->reg[reg];
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *value, int write, void *arg)
{
	(void)as;
	(void)reg;
	(void)value;
	(void)write;
	(void)arg;
	return -UNW_EBADREG;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

static int proc_name(unw_addr_space_t as, unw_word_t addr, char *name, size_t len, unw_word_t *offset,
		     void *arg)
{
	(void)as;
	(void)addr;
	(void)name;
	(void)len;
	(void)offset;
	(void)arg;
	return -UNW_ENOINFO;
}

struct unwind_lib *unwind_lib_new(struct space *space)
{
	unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = dyn_info_list,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = resume,
		.get_proc_name = proc_name,
	};
	struct unwind_lib *u = mem_zalloc(1, sizeof(*u));
	u->space = space;
	u->as = unw_create_addr_space(&accessors, 0);
	unw_set_caching_policy(u->as, UNW_CACHE_GLOBAL);
	return u;
}

void unwind_lib_free(struct unwind_lib *u)
{
	if (!u)
		return;
	unw_destroy_addr_space(u->as);
	free(u);
}

/* Whether the walk ended at a root: a frame whose CFI says so, or a null return address. */
static enum unwind_end classify(struct unwind_lib *u, const struct unwound *out, int rc)
{
	if (!out->count)
		return UNWIND_TRUNCATED;
	size_t last = out->elided ? UNWIND_HEAD + (out->elided - 1) % (UNWIND_MAX - UNWIND_HEAD)
				  : out->count - 1;
	if (space_pc(u->space, out->pc[last])->row.kind == ROW_ROOT)
		return UNWIND_ROOT;
	if (rc >= 0)
		return UNWIND_ROOT;
	return u->deepest + 256 >= u->stack->base + u->stack->len ? UNWIND_SHORT : UNWIND_TRUNCATED;
}

void unwind_lib(struct unwind_lib *u, const struct cpu_regs *regs, const struct stack_copy *stack,
		struct unwound *out)
{
	enum { STEPS_MAX = 1 << 20 };
	unw_cursor_t cursor;
	u->regs = regs;
	u->stack = stack;
	u->deepest = regs->reg[REG_SP];
	if (u->epoch != space_epoch(u->space)) {
		unw_flush_cache(u->as, 0, 0);
		u->epoch = space_epoch(u->space);
	}
	out->count = out->elided = 0;
	int rc = unw_init_remote(&cursor, u->as, u);
	bool exact = true;
	for (int i = 0; rc >= 0 && i < STEPS_MAX; i++) {
		unw_word_t pc;
		if (unw_get_reg(&cursor, UNW_REG_IP, &pc) || !pc)
			break;
		unwound_push(out, exact ? pc : pc - 1, 0);
		exact = unw_is_signal_frame(&cursor) > 0;
		rc = unw_step(&cursor);
		if (rc <= 0)
			break;
	}
	out->deepest = u->deepest;
	unwound_finish(out, classify(u, out, rc));
}
