/* The dictionaries' values: several records of a table packed into one, keyed by the number of
 * the first. Pure. Numbers run from 0 without holes; a value is decoded on its own. */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include "store/bytes.h"

enum { RECORD_STRING_MAX = 4096 }; /* longer strings are cut: see record_cut */

struct func_record {
	uint32_t kind, name, module, build, file, line; /* all but kind and line: string numbers */
};
struct frame_record {
	uint32_t func, line;
};
struct stack_record {
	uint32_t parent, frame; /* parent < the stack's own number */
};
struct process_record {
	uint32_t pid;
	uint64_t start_ticks;
	uint32_t name, exe, cmdline; /* string numbers */
};
struct thread_record {
	uint32_t process, tid, name;
};

/* Pack records into values of at most `limit` bytes (a single record may be longer). */
struct packer {
	struct buf value, scratch;
	size_t limit;
	uint32_t first, next; /* numbers of the value's first record, and of the next one */
	uint32_t last[2];     /* what deltas count from; 0 in a new value */
	int (*put)(void *arg, uint32_t first, const void *p, size_t n); /* not 0: stop */
	void *arg;
	int result; /* of the put that failed */
};

void packer_init(struct packer *p, uint32_t first, size_t limit,
		 int (*put)(void *arg, uint32_t first, const void *p, size_t n), void *arg);
void pack_string(struct packer *p, const void *s, size_t n);
void pack_func(struct packer *p, const struct func_record *r);
void pack_frame(struct packer *p, const struct frame_record *r);
void pack_stack(struct packer *p, const struct stack_record *r);
void pack_process(struct packer *p, const struct process_record *r);
void pack_thread(struct packer *p, const struct thread_record *r);
int packer_finish(struct packer *p); /* puts the last value, frees; the first failed put's result */

/* Read a value record by record: true, or false at its end or when bad (u.in.bad). */
struct unpacker {
	struct bytes_in in;
	uint32_t next; /* the number of the next record */
	uint32_t last[2];
};

void unpacker_init(struct unpacker *u, uint32_t first, const void *p, size_t n);
bool unpack_string(struct unpacker *u, const char **s, size_t *n);
bool unpack_func(struct unpacker *u, struct func_record *r);
bool unpack_frame(struct unpacker *u, struct frame_record *r);
bool unpack_stack(struct unpacker *u, struct stack_record *r);
bool unpack_process(struct unpacker *u, struct process_record *r);
bool unpack_thread(struct unpacker *u, struct thread_record *r);

/* The length to which a string is cut to be kept: whole UTF-8 characters where there are any. */
size_t record_cut(const char *s, size_t n);

#endif
