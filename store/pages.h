/* Reading a segment's data file page by page, without LMDB.
 *
 * LMDB maps a file and trusts it: a truncated one is SIGBUS, a flipped byte SIGSEGV, and a
 * reader needs a writable lock file. This reads the format of LMDB 0.9 (data version 1: struct
 * MDB_meta, MDB_page, MDB_node of mdb.c) by pread and checks every page before it is used;
 * whatever the file holds, the worst is an error.
 *
 * Beside a live writer it takes no lock and no reader slot. A transaction T + 1 leaves the
 * pages of T alone, and so does T + 2: mdb_page_alloc takes only pages freed before the last
 * commit. So what was read of T is whole if the newest committed transaction, looked up
 * afterwards, is T or T + 1; else it is read again. Each call is short (a batch of records,
 * well under a millisecond), and the recorder commits once a second. */
#ifndef STORE_PAGES_H
#define STORE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct err;
struct pages;

int pages_open(struct pages **out, const char *path, struct err *err);
void pages_close(struct pages *p);

/* The newest committed transaction: changes when the file does. 0 is one, too. -1: error. */
int pages_version(struct pages *p, uint64_t *version, struct err *err);

/* Are all pages that the tables' trees refer to inside the file? */
int pages_check(struct pages *p, struct err *err);

struct record {
	const uint8_t *key, *value;
	size_t nkey, nvalue;
};

struct record_batch {
	struct record *items;
	size_t count, cap;
	struct buf bytes; /* the keys and values */
	bool more;        /* the limit was reached: there may be others behind the last */
};

#define RECORD_BATCH_INIT                                                                          \
	{                                                                                          \
		NULL, 0, 0, BUF_INIT, false                                                        \
	}

void record_batch_free(struct record_batch *b);

/* Copy the records of a table with from <= key < to, in order, until they have `limit` bytes;
 * a NULL `to` is the end. A table that is not there has no records. */
struct page_range {
	const char *table;
	const void *from, *to;
	size_t nfrom, nto;
	size_t limit;
};
int pages_read(struct pages *p, const struct page_range *range, struct record_batch *b,
	       struct err *err);

/* The last record of a table; the batch is empty if there is none. */
int pages_last(struct pages *p, const char *table, struct record_batch *b, struct err *err);

#endif
