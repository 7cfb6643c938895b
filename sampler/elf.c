/* One ELF file that a target has mapped: segments, rows, symbols, lines. */
#include "sampler/elf.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/map64.h"
#include "base/mem.h"
#include "sampler/symtab.h"

struct segment {
	uint64_t addr, offset, file_size, mem_size;
};

struct elf_file {
	struct elf_file *next;
	char *path;
	const char *name;
	char build_id[2 * 64 + 1];
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec mtime;

	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf_Addr bias; /* libdwfl's address = link-time address + bias */
	const unsigned char *raw;
	size_t raw_size;
	struct segment *segments;
	size_t nsegments, segments_cap;
	uint64_t eh_hdr, eh_hdr_size;

	Dwarf_CFI *cfi[2]; /* .eh_frame, .debug_frame */
	Dwarf_Addr cfi_bias[2];
	struct cfi_row *rows; /* sorted by start, not overlapping */
	size_t nrows, rows_cap;
	struct cfi_row none;

	struct symtab symtab;
	bool symtab_read;
	struct map64 demangled; /* symbol's start -> index into names */
	struct intern names;
};

struct elf_cache {
	struct elf_file *files;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct elf_cache *elf_cache_new(void)
{
	/* libdwfl would ask a debuginfod server, for up to 90 s a module */
	unsetenv("DEBUGINFOD_URLS");
	return mem_zalloc(1, sizeof(struct elf_cache));
}

static void file_free(struct elf_file *e)
{
	if (e->dwfl)
		dwfl_end(e->dwfl);
	free(e->path);
	free(e->segments);
	free(e->rows);
	symtab_release(&e->symtab);
	map64_free(&e->demangled);
	intern_free(&e->names);
	free(e);
}

void elf_cache_free(struct elf_cache *c)
{
	while (c->files) {
		struct elf_file *next = c->files->next;
		file_free(c->files);
		c->files = next;
	}
	free(c);
}

static void read_segments(struct elf_file *e, Elf *elf)
{
	size_t n = 0;
	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;
		if (!gelf_getphdr(elf, (int)i, &ph))
			continue;
		if (ph.p_type == PT_LOAD) {
			e->segments = mem_grow(e->segments, &e->segments_cap, e->nsegments + 1,
					       sizeof(*e->segments));
			e->segments[e->nsegments++] =
				(struct segment){ph.p_vaddr, ph.p_offset, ph.p_filesz, ph.p_memsz};
		}
		if (ph.p_type == PT_GNU_EH_FRAME) {
			e->eh_hdr = ph.p_vaddr;
			e->eh_hdr_size = ph.p_memsz;
		}
	}
}

static void read_build_id(struct elf_file *e)
{
	const unsigned char *bits;
	GElf_Addr addr;
	int n = dwfl_module_build_id(e->module, &bits, &addr);
	for (int i = 0; i < n && i < 64; i++)
		snprintf(e->build_id + 2 * i, 3, "%02x", bits[i]);
}

static int load(struct elf_file *e, int fd)
{
	e->dwfl = dwfl_begin(&callbacks);
	if (!e->dwfl) {
		close(fd);
		return -1;
	}
	dwfl_report_begin(e->dwfl);
	e->module = dwfl_report_offline(e->dwfl, e->name, e->path, fd);
	if (!e->module) {
		close(fd);
		return -1;
	}
	dwfl_report_end(e->dwfl, NULL, NULL);
	Elf *elf = dwfl_module_getelf(e->module, &e->bias);
	if (!elf)
		return -1;
	e->raw = (const unsigned char *)elf_rawfile(elf, &e->raw_size);
	read_segments(e, elf);
	read_build_id(e);
	e->cfi[0] = dwfl_module_eh_cfi(e->module, &e->cfi_bias[0]);
	return 0;
}

struct elf_file *elf_open(struct elf_cache *c, int fd, const char *path)
{
	struct stat st;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return NULL;
	}
	for (struct elf_file *e = c->files; e; e = e->next)
		if (e->dev == st.st_dev && e->ino == st.st_ino && e->size == st.st_size &&
		    !memcmp(&e->mtime, &st.st_mtim, sizeof(st.st_mtim))) {
			close(fd);
			return e->module ? e : NULL;
		}
	struct elf_file *e = mem_zalloc(1, sizeof(*e));
	e->dev = st.st_dev;
	e->ino = st.st_ino;
	e->size = st.st_size;
	e->mtime = st.st_mtim;
	e->path = mem_strdup(path);
	const char *slash = strrchr(e->path, '/');
	e->name = slash && slash[1] ? slash + 1 : e->path;
	if (load(e, fd))
		e->module = NULL;
	for (struct elf_file *same = c->files; e->build_id[0] && same; same = same->next)
		if (same->module && !strcmp(same->build_id, e->build_id)) {
			file_free(e);
			return same;
		}
	e->next = c->files;
	c->files = e;
	return e->module ? e : NULL;
}

const char *elf_name(const struct elf_file *e)
{
	return e->name;
}

const char *elf_build_id(const struct elf_file *e)
{
	return e->build_id;
}

bool elf_address(const struct elf_file *e, uint64_t file_offset, uint64_t *addr)
{
	for (size_t i = 0; i < e->nsegments; i++) {
		const struct segment *s = &e->segments[i];
		/* the kernel maps whole pages around the segment */
		uint64_t skew = s->offset & 4095;
		if (file_offset >= s->offset - skew && file_offset < s->offset + s->file_size) {
			*addr = s->addr - s->offset + file_offset;
			return true;
		}
	}
	return false;
}

const void *elf_bytes(const struct elf_file *e, uint64_t addr, size_t n)
{
	for (size_t i = 0; i < e->nsegments; i++) {
		const struct segment *s = &e->segments[i];
		if (addr < s->addr || addr - s->addr >= s->file_size ||
		    s->file_size - (addr - s->addr) < n)
			continue;
		uint64_t offset = s->offset + (addr - s->addr);
		return offset <= e->raw_size && e->raw_size - offset >= n ? e->raw + offset : NULL;
	}
	return NULL;
}

bool elf_eh_frame_hdr(const struct elf_file *e, uint64_t *addr, uint64_t *size)
{
	*addr = e->eh_hdr;
	*size = e->eh_hdr_size;
	return e->eh_hdr != 0;
}

void elf_extent(const struct elf_file *e, uint64_t *low, uint64_t *high)
{
	*low = UINT64_MAX;
	*high = 0;
	for (size_t i = 0; i < e->nsegments; i++) {
		const struct segment *s = &e->segments[i];
		*low = s->addr < *low ? s->addr : *low;
		*high = s->addr + s->mem_size > *high ? s->addr + s->mem_size : *high;
	}
}

uint64_t elf_function_start(const struct elf_file *e, uint64_t addr)
{
	/* version, encodings, frame pointer, count, then pairs (function, FDE) relative to the
	 * header: LSB, 10.6.2; the encodings that all linkers write */
	const unsigned char *h = elf_bytes(e, e->eh_hdr, 12);
	enum { PCREL_SDATA4 = 0x1b, UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b };
	if (!e->eh_hdr || !h || h[0] != 1 || h[1] != PCREL_SDATA4 || h[2] != UDATA4 ||
	    h[3] != DATAREL_SDATA4)
		return 0;
	uint32_t count;
	memcpy(&count, h + 8, 4);
	const unsigned char *table = elf_bytes(e, e->eh_hdr + 12, (size_t)count * 8);
	if (!table)
		return 0;
	uint32_t lo = 0, hi = count;
	uint64_t start = 0;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int32_t relative;
		memcpy(&relative, table + (size_t)mid * 8, 4);
		uint64_t function = e->eh_hdr + (uint64_t)(int64_t)relative;
		if (function <= addr) {
			start = function;
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return start;
}

static size_t rows_after(const struct elf_file *e, uint64_t addr)
{
	size_t lo = 0, hi = e->nrows;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (e->rows[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static int compile(struct elf_file *e, int which, uint64_t addr, struct cfi_row *row)
{
	if (which == 1 && !e->cfi[1])
		e->cfi[1] = dwfl_module_dwarf_cfi(e->module, &e->cfi_bias[1]);
	if (!e->cfi[which])
		return -1;
	/* cfi_bias takes the section's addresses to libdwfl's, bias the link-time ones */
	uint64_t shift = e->bias - e->cfi_bias[which];
	if (cfi_compile(e->cfi[which], addr + shift, row))
		return -1;
	row->start -= shift;
	row->end -= shift;
	return 0;
}

const struct cfi_row *elf_row(struct elf_file *e, uint64_t addr)
{
	size_t at = rows_after(e, addr);
	if (at && addr < e->rows[at - 1].end)
		return &e->rows[at - 1];
	struct cfi_row row;
	if (compile(e, 0, addr, &row) && compile(e, 1, addr, &row)) {
		e->none = (struct cfi_row){.start = addr, .end = addr + 1, .kind = ROW_NONE};
		return &e->none;
	}
	/* a row that overlaps its neighbours (two sections that disagree) is cut to fit */
	if (at && row.start < e->rows[at - 1].end)
		row.start = e->rows[at - 1].end;
	if (at < e->nrows && row.end > e->rows[at].start)
		row.end = e->rows[at].start;
	e->rows = mem_grow(e->rows, &e->rows_cap, e->nrows + 1, sizeof(*e->rows));
	memmove(e->rows + at + 1, e->rows + at, (e->nrows - at) * sizeof(*e->rows));
	e->rows[at] = row;
	e->nrows++;
	return &e->rows[at];
}

/* ---- symbols --------------------------------------------------------------------------- */

static bool is_code(const GElf_Sym *sym, Elf *elf, GElf_Word shndx)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		break;
	default:
		return false;
	}
	/* assembly's labels have no type: those in code count */
	Elf_Scn *scn = elf ? elf_getscn(elf, shndx) : NULL;
	GElf_Shdr sh;
	return scn && gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_EXECINSTR);
}

/* Is the table that libdwfl reads a full .symtab, not only .dynsym? */
static bool has_symtab(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB && sh.sh_size)
			return true;
	return false;
}

static void read_symtab(struct elf_file *e)
{
	e->symtab_read = true;
	int n = dwfl_module_getsymtab(e->module);
	bool full = false;
	Elf *seen = NULL;
	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		GElf_Word shndx;
		Elf *elf;
		Dwarf_Addr bias;
		const char *name =
			dwfl_module_getsym_info(e->module, i, &sym, &addr, &shndx, &elf, &bias);
		if (!name || !*name || sym.st_shndx == SHN_UNDEF || name[0] == '$' ||
		    !is_code(&sym, elf, shndx))
			continue;
		if (elf != seen)
			full = full || has_symtab(elf);
		seen = elf;
		static const uint8_t rank[16] = {[STB_GLOBAL] = 0, [STB_WEAK] = 1, [STB_LOCAL] = 2,
						 [STB_GNU_UNIQUE] = 0};
		uint64_t start = addr - e->bias;
		symtab_add(&e->symtab, &(struct symbol){start, start + sym.st_size, name,
							rank[GELF_ST_BIND(sym.st_info)]});
	}
	symtab_finish(&e->symtab, full);
}

bool elf_symbol(struct elf_file *e, uint64_t addr, struct elf_symbol *out)
{
	if (!e->symtab_read)
		read_symtab(e);
	const struct symbol *s = symtab_find(&e->symtab, addr);
	if (!s)
		return false;
	uint32_t *id = map64_at(&e->demangled, s->start, UINT32_MAX);
	if (*id == UINT32_MAX) {
		char *name = symbol_demangle(s->name);
		*id = intern_put(&e->names, name, strlen(name), NULL);
		free(name);
	}
	*out = (struct elf_symbol){intern_get(&e->names, *id, NULL), s->start};
	return true;
}

bool elf_line(struct elf_file *e, uint64_t addr, const char **file, uint32_t *line)
{
	Dwfl_Line *l = dwfl_module_getsrc(e->module, addr + e->bias);
	int n = 0;
	const char *path = l ? dwfl_lineinfo(l, NULL, &n, NULL, NULL, NULL) : NULL;
	if (!path)
		return false;
	*file = path;
	*line = (uint32_t)n;
	return n > 0;
}
