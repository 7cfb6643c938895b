/* A process's address space: what lies at a pc. One per process, the worker's own.
 *
 * What is known of a pc is kept in a table, so that unwinding and naming a frame seen before
 * costs one look-up. The table is dropped when the memory map has changed. */
#ifndef SAMPLER_SPACE_H
#define SAMPLER_SPACE_H

#include "sampler/cfi.h"
#include "sampler/elf.h"
#include "sampler/maps.h"
#include "store/sample.h"

struct space;

struct pc_info {
	uint64_t pc;
	uint64_t addr;         /* link-time address in file */
	struct elf_file *file; /* NULL: no file */
	struct cfi_row row;    /* addresses are of no use here, offsets and rules are */
	bool executable;       /* a mapping that may hold code */
	uint32_t label;        /* free for the owner: what the worker knows of the frame; 0 new */
};

struct space *space_new(int pid, struct elf_cache *cache);
void space_free(struct space *s);

/* What lies at pc; never NULL. An unknown one makes the map be read again, but not often. The
 * pointer holds until the next call; the number of epochs tells when labels were dropped. */
struct pc_info *space_pc(struct space *s, uint64_t pc);
uint32_t space_epoch(const struct space *s);
/* Set all labels to 0. */
void space_drop_labels(struct space *s);

/* Look whether the map has changed: once a second is enough. */
void space_refresh(struct space *s);

/* Code bytes at a runtime address, from the file; NULL: none there. */
const void *space_code(struct space *s, uint64_t pc, size_t n);
/* Where the function that holds pc begins, as a runtime address; 0 unknown. */
uint64_t space_function_start(struct space *s, uint64_t pc);
/* The file mapped at a runtime address, and what to subtract for its link-time address. */
struct elf_file *space_file(struct space *s, uint64_t pc, uint64_t *bias);

/* The end of the mapping that holds an address; 0: not mapped. */
uint64_t space_mapping_end(struct space *s, uint64_t addr);
/* Read the target's memory while it runs: bytes read. */
size_t space_read(struct space *s, uint64_t addr, void *buf, size_t n);

/* A frame in words. The strings are valid as long as the space; `module` and `file` may be "". */
struct frame_text {
	enum frame_kind kind;
	const char *name, *module, *file, *build_id;
	uint32_t line, first_line; /* of the pc, of the function; 0 unknown */
};
void space_describe(struct space *s, const struct pc_info *info, struct frame_text *out);

#endif
