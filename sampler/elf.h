/* One ELF file that a target has mapped: its segments, its call frame information as rows,
 * its symbols, its source lines. Shared by all processes that map it: build-id (else device,
 * inode and size) decides, not the path.
 *
 * Addresses here are link-time addresses (p_vaddr). Not thread-safe: the worker owns them. */
#ifndef SAMPLER_ELF_H
#define SAMPLER_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler/cfi.h"

struct elf_file;
struct elf_cache;

struct elf_cache *elf_cache_new(void);
void elf_cache_free(struct elf_cache *c);

/* The file behind an open descriptor (which is taken over), or NULL if it is no ELF file that
 * can be read. `path` is what the target calls it: for its name and for messages. The file
 * belongs to the cache. */
struct elf_file *elf_open(struct elf_cache *c, int fd, const char *path);

const char *elf_name(const struct elf_file *e);     /* basename of the path */
const char *elf_build_id(const struct elf_file *e); /* hex, "" none */

/* The link-time address of a byte of the file, by its program headers; false: not loaded. */
bool elf_address(const struct elf_file *e, uint64_t file_offset, uint64_t *addr);

/* Bytes of the file as loaded at a link-time address; NULL where there are fewer than n. */
const void *elf_bytes(const struct elf_file *e, uint64_t addr, size_t n);

/* The row for an address; kind ROW_NONE where no CFI covers it. Valid until the next call. */
const struct cfi_row *elf_row(struct elf_file *e, uint64_t addr);

/* Where the function's FDE begins, from .eh_frame_hdr; 0 unknown. */
uint64_t elf_function_start(const struct elf_file *e, uint64_t addr);

/* .eh_frame_hdr, for libunwind: its address, size in memory; false: none. */
bool elf_eh_frame_hdr(const struct elf_file *e, uint64_t *addr, uint64_t *size);
/* The lowest and highest loaded address. */
void elf_extent(const struct elf_file *e, uint64_t *low, uint64_t *high);

/* A symbol that covers an address. `name` is demangled, valid as long as the file. */
struct elf_symbol {
	const char *name;
	uint64_t start;
};
bool elf_symbol(struct elf_file *e, uint64_t addr, struct elf_symbol *out);

/* Source file and line of an address; false: none known. `file` is valid as long as e. */
bool elf_line(struct elf_file *e, uint64_t addr, const char **file, uint32_t *line);

#endif
