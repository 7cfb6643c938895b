/* Reading a segment's data file page by page, without LMDB: see pages.h. */
#include "store/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

/* LMDB 0.9, mdb.c: struct MDB_page, MDB_node, MDB_db and MDB_meta of a 64-bit host. */
enum {
	PAGE_HEADER = 16,
	PAGE_NUMBER = 0, /* u64 */
	PAGE_FLAGS = 10, /* u16 */
	PAGE_LOWER = 12, /* u16: end of the offsets of nodes */
	PAGE_UPPER = 14, /* u16: start of the nodes */
	PAGE_COUNT = 12, /* u32: overflow pages */
	PAGE_BRANCH = 1,
	PAGE_LEAF = 2,
	PAGE_OVERFLOW = 4,
	PAGE_META = 8,
	PAGE_KIND = 0x6f, /* all but the dirty mark */

	NODE_HEADER = 8,
	NODE_BIG = 1,   /* the data is on overflow pages */
	NODE_TABLE = 2, /* the data is a struct MDB_db */

	META_MAGIC = PAGE_HEADER,
	META_VERSION = META_MAGIC + 4,
	META_PAGE_SIZE = META_MAGIC + 24, /* in the free list's MDB_db */
	META_MAIN = META_MAGIC + 72,
	META_LAST = META_MAGIC + 120,
	META_TXN = META_MAGIC + 128,
	META_END = META_MAGIC + 136,

	DB_DEPTH = 6,
	DB_ROOT = 40,
	DB_BYTES = 48,

	MAX_DEPTH = 32, /* CURSOR_STACK */
	MAX_TRIES = 50, /* a commit takes longer than a batch: see pages.h */
	MAX_PAGE = 65536,
	MAX_VALUE = 1 << 20, /* we store none above some KB */
};

#define MAGIC 0xBEEFC0DEu
#define NO_PAGE UINT64_MAX

struct table {
	uint64_t root;
	unsigned depth;
};

struct pages {
	int fd;
	char *path;
	uint32_t size; /* of a page */
	/* the snapshot */
	uint64_t txn, count; /* count: pages that it may refer to */
	struct table main;
	/* the way to a leaf */
	uint8_t *page[MAX_DEPTH];
	unsigned at[MAX_DEPTH], nodes[MAX_DEPTH];
	unsigned depth;
	uint64_t visited;  /* pages the check has been to: a loop is told by it */
	const char *fault; /* what is wrong, for the error */
};

static uint16_t u16(const uint8_t *p)
{
	uint16_t v;
	memcpy(&v, p, sizeof(v));
	return v;
}

static uint32_t u32(const uint8_t *p)
{
	uint32_t v;
	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t u64(const uint8_t *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof(v));
	return v;
}

static bool fault(struct pages *p, const char *text)
{
	p->fault = text;
	return false;
}

static bool read_at(struct pages *p, void *to, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(p->fd, (char *)to + done, n - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fault(p, strerror(errno));
		if (!got)
			return fault(p, "it is cut short");
		done += (size_t)got;
	}
	return true;
}

static int report(struct pages *p, struct err *err)
{
	return err_set(err, ERR_FAILED,
		       "cannot read %s: %s; it is damaged, restore it or remove its folder",
		       p->path, p->fault);
}

/* ---- the snapshot ---- */

/* A meta page is replaced by one write, which a read can still see half done. */
static bool read_meta(struct pages *p, unsigned which, uint8_t meta[META_END])
{
	uint8_t again[META_END];
	uint64_t offset = (uint64_t)which * p->size;
	for (int i = 0; i < MAX_TRIES; i++) {
		if (!read_at(p, meta, META_END, offset) || !read_at(p, again, META_END, offset))
			return false;
		if (!memcmp(meta, again, META_END))
			return true;
	}
	return fault(p, "its head does not stand still");
}

static bool usable_meta(const struct pages *p, const uint8_t *meta)
{
	return u32(meta + META_MAGIC) == MAGIC && u32(meta + META_VERSION) == 1 &&
	       (u16(meta + PAGE_FLAGS) & PAGE_META) && u32(meta + META_PAGE_SIZE) == p->size;
}

static bool take_table(struct pages *p, const uint8_t *db, struct table *t)
{
	*t = (struct table){u64(db + DB_ROOT), u16(db + DB_DEPTH)};
	if (t->root != NO_PAGE && (!t->depth || t->depth > MAX_DEPTH))
		return fault(p, "a table's depth is wrong");
	return true;
}

static bool newest_meta(struct pages *p, uint8_t newest[META_END])
{
	uint8_t meta[META_END];
	bool found = false;
	for (unsigned i = 0; i < 2; i++) {
		if (!read_meta(p, i, meta))
			return false;
		if (!usable_meta(p, meta) ||
		    (found && u64(meta + META_TXN) <= u64(newest + META_TXN)))
			continue;
		memcpy(newest, meta, META_END);
		found = true;
	}
	return found || fault(p, "it has no valid head");
}

static bool take_snapshot(struct pages *p)
{
	uint8_t meta[META_END];
	if (!newest_meta(p, meta))
		return false;
	p->txn = u64(meta + META_TXN);
	p->count = u64(meta + META_LAST) + 1;
	return take_table(p, meta + META_MAIN, &p->main);
}

/* Was what has been read of the snapshot whole? */
static bool still_whole(struct pages *p)
{
	uint8_t meta[META_END];
	return newest_meta(p, meta) && u64(meta + META_TXN) - p->txn <= 1;
}

int pages_open(struct pages **out, const char *path, struct err *err)
{
	struct pages *p = mem_zalloc(1, sizeof(*p));
	uint8_t meta[META_END];
	*out = NULL;
	p->path = mem_strdup(path);
	p->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0) {
		err_set(err, ERR_FAILED, "cannot open %s: %s", path, strerror(errno));
		pages_close(p);
		return -1;
	}
	if (read_at(p, meta, META_END, 0)) {
		p->size = u32(meta + META_PAGE_SIZE);
		if (u32(meta + META_MAGIC) != MAGIC || u32(meta + META_VERSION) != 1)
			fault(p, "it is no LMDB file of version 1");
		else if (p->size < 512 || p->size > MAX_PAGE || (p->size & (p->size - 1)))
			fault(p, "its page size is wrong");
		else
			take_snapshot(p);
	}
	if (p->fault) {
		report(p, err);
		pages_close(p);
		return -1;
	}
	*out = p;
	return 0;
}

void pages_close(struct pages *p)
{
	if (!p)
		return;
	if (p->fd >= 0)
		close(p->fd);
	for (unsigned i = 0; i < MAX_DEPTH; i++)
		free(p->page[i]);
	free(p->path);
	free(p);
}

int pages_version(struct pages *p, uint64_t *version, struct err *err)
{
	uint8_t meta[META_END];
	if (!newest_meta(p, meta))
		return report(p, err);
	*version = u64(meta + META_TXN);
	return 0;
}

/* ---- pages and nodes ---- */

static bool load(struct pages *p, unsigned level, uint64_t number)
{
	if (number < 2 || number >= p->count)
		return fault(p, "a page's number is out of range");
	if (!p->page[level])
		p->page[level] = mem_alloc(p->size);
	uint8_t *page = p->page[level];
	if (!read_at(p, page, p->size, number * p->size))
		return false;
	unsigned kind = level + 1 < p->depth ? PAGE_BRANCH : PAGE_LEAF;
	unsigned lower = u16(page + PAGE_LOWER), upper = u16(page + PAGE_UPPER);
	if (u64(page + PAGE_NUMBER) != number || (u16(page + PAGE_FLAGS) & PAGE_KIND) != kind)
		return fault(p, "a page is not what it should be");
	if (lower < PAGE_HEADER || lower > upper || upper > p->size || lower % 2)
		return fault(p, "a page's bounds are wrong");
	p->nodes[level] = (lower - PAGE_HEADER) / 2;
	p->at[level] = 0;
	if (!p->nodes[level] && (kind == PAGE_BRANCH || level))
		return fault(p, "a page is empty");
	return true;
}

struct node {
	const uint8_t *key, *data; /* data: of a leaf */
	size_t nkey, ndata;
	unsigned flags;
	uint64_t child; /* of a branch */
};

static bool node_at(struct pages *p, unsigned level, unsigned i, struct node *n)
{
	const uint8_t *page = p->page[level];
	size_t offset = u16(page + PAGE_HEADER + 2 * (size_t)i);
	if (offset < PAGE_HEADER || offset + NODE_HEADER > p->size)
		return fault(p, "a node is out of its page");
	const uint8_t *raw = page + offset;
	n->nkey = u16(raw + 6);
	n->key = raw + NODE_HEADER;
	n->flags = u16(raw + 4);
	n->child = u32(raw) | (uint64_t)n->flags << 32;
	n->data = n->key + n->nkey;
	n->ndata = u32(raw);
	size_t inside = level + 1 < p->depth  ? 0
			: n->flags & NODE_BIG ? sizeof(uint64_t)
					      : n->ndata;
	if (inside > p->size || offset + NODE_HEADER + n->nkey + inside > p->size)
		return fault(p, "a node is out of its page");
	return true;
}

static int compare(const void *a, size_t na, const void *b, size_t nb)
{
	size_t n = na < nb ? na : nb;
	int order = n ? memcmp(a, b, n) : 0;
	return order ? order : na < nb ? -1 : na > nb;
}

/* Go down to the leaf where the key belongs and to its first record that is not less. The first
 * key of a branch stands for everything below. */
static bool seek(struct pages *p, const struct table *t, const void *key, size_t nkey)
{
	uint64_t number = t->root;
	p->depth = t->depth;
	for (unsigned level = 0; level < p->depth; level++) {
		if (!load(p, level, number))
			return false;
		bool leaf = level + 1 == p->depth;
		unsigned lo = leaf ? 0 : 1, hi = p->nodes[level];
		struct node n;
		while (lo < hi) {
			unsigned mid = (lo + hi) / 2;
			if (!node_at(p, level, mid, &n))
				return false;
			int order = compare(n.key, n.nkey, key, nkey);
			if (order < 0 || (!leaf && !order))
				lo = mid + 1;
			else
				hi = mid;
		}
		p->at[level] = leaf ? lo : lo - 1;
		if (leaf)
			break;
		if (!node_at(p, level, p->at[level], &n))
			return false;
		number = n.child;
	}
	return true;
}

/* To the first record of the next leaf: 1, or 0 at the table's end, -1 fault. */
static int next_leaf(struct pages *p)
{
	unsigned level = p->depth - 1;
	do {
		if (!level)
			return 0;
		level--;
	} while (p->at[level] + 1 >= p->nodes[level]);
	p->at[level]++;
	for (; level + 1 < p->depth; level++) {
		struct node n;
		if (!node_at(p, level, p->at[level], &n) || !load(p, level + 1, n.child))
			return -1;
	}
	return 1;
}

/* Append the value of a leaf's node. */
static bool copy_data(struct pages *p, const struct node *n, struct buf *to)
{
	if (!(n->flags & NODE_BIG)) {
		buf_bytes(to, n->data, n->ndata);
		return true;
	}
	uint64_t number = u64(n->data);
	size_t bytes = PAGE_HEADER + n->ndata;
	if (n->ndata > MAX_VALUE || number < 2 || number >= p->count)
		return fault(p, "a long value is out of range");
	uint8_t head[PAGE_HEADER];
	if (!read_at(p, head, sizeof(head), number * p->size))
		return false;
	if (u64(head + PAGE_NUMBER) != number || !(u16(head + PAGE_FLAGS) & PAGE_OVERFLOW) ||
	    (uint64_t)u32(head + PAGE_COUNT) * p->size < bytes)
		return fault(p, "a long value is not what it should be");
	buf_reserve(to, n->ndata);
	if (!read_at(p, to->data + to->len, n->ndata, number * p->size + PAGE_HEADER))
		return false;
	to->len += n->ndata;
	return true;
}

/* 1, 0 no such table, -1 fault. */
static int find_table(struct pages *p, const char *name, struct table *t)
{
	struct node n;
	if (p->main.root == NO_PAGE)
		return 0;
	if (!seek(p, &p->main, name, strlen(name)))
		return -1;
	if (p->at[p->depth - 1] >= p->nodes[p->depth - 1])
		return 0; /* names are few: they share a leaf */
	if (!node_at(p, p->depth - 1, p->at[p->depth - 1], &n))
		return -1;
	if (compare(n.key, n.nkey, name, strlen(name)))
		return 0;
	if (!(n.flags & NODE_TABLE) || n.ndata != DB_BYTES)
		return fault(p, "a table is none"), -1;
	if (!take_table(p, n.data, t))
		return -1;
	return t->root != NO_PAGE;
}

/* ---- batches ---- */

void record_batch_free(struct record_batch *b)
{
	free(b->items);
	buf_free(&b->bytes);
	*b = (struct record_batch)RECORD_BATCH_INIT;
}

static void batch_clear(struct record_batch *b)
{
	b->count = 0;
	b->more = false;
	buf_clear(&b->bytes);
}

static bool batch_add(struct pages *p, const struct node *n, struct record_batch *b)
{
	if (b->count) {
		const struct record *last = &b->items[b->count - 1];
		const char *key = b->bytes.data + b->bytes.len - last->nvalue - last->nkey;
		if (compare(key, last->nkey, n->key, n->nkey) >= 0)
			return fault(p, "its records are out of order");
	}
	buf_bytes(&b->bytes, n->key, n->nkey);
	if (!copy_data(p, n, &b->bytes))
		return false;
	b->items = mem_grow(b->items, &b->cap, b->count + 1, sizeof(*b->items));
	b->items[b->count++] = (struct record){.nkey = n->nkey, .nvalue = n->ndata};
	return true;
}

/* The buffer has its final place: point into it. */
static void batch_point(struct record_batch *b)
{
	const uint8_t *at = (const uint8_t *)b->bytes.data;
	for (size_t i = 0; i < b->count; i++) {
		b->items[i].key = at;
		b->items[i].value = at + b->items[i].nkey;
		at = b->items[i].value + b->items[i].nvalue;
	}
}

static bool read_range(struct pages *p, const struct page_range *r, struct record_batch *b)
{
	struct table t;
	int found = find_table(p, r->table, &t);
	if (found <= 0)
		return !found;
	if (!seek(p, &t, r->from, r->nfrom))
		return false;
	for (;;) {
		unsigned leaf = p->depth - 1;
		for (; p->at[leaf] < p->nodes[leaf]; p->at[leaf]++) {
			struct node n;
			if (!node_at(p, leaf, p->at[leaf], &n))
				return false;
			if (r->to && compare(n.key, n.nkey, r->to, r->nto) >= 0)
				return true;
			if (b->bytes.len >= r->limit) {
				b->more = true;
				return true;
			}
			if (!batch_add(p, &n, b))
				return false;
		}
		int next = next_leaf(p);
		if (next <= 0)
			return !next;
	}
}

static bool read_last(struct pages *p, const struct page_range *r, struct record_batch *b)
{
	struct table t;
	struct node n;
	int found = find_table(p, r->table, &t);
	if (found <= 0)
		return !found;
	uint64_t number = t.root;
	p->depth = t.depth;
	for (unsigned level = 0;; level++) {
		if (!load(p, level, number))
			return false;
		if (!p->nodes[level])
			return true;
		if (!node_at(p, level, p->nodes[level] - 1, &n))
			return false;
		if (level + 1 == p->depth)
			return batch_add(p, &n, b);
		number = n.child;
	}
}

/* Run a read on a snapshot, again if a writer has meanwhile gone too far. */
static int
read_whole(struct pages *p, const struct page_range *r, struct record_batch *b, struct err *err,
	   bool (*reader)(struct pages *, const struct page_range *, struct record_batch *))
{
	for (int i = 0; i < MAX_TRIES; i++) {
		batch_clear(b);
		p->fault = NULL;
		bool good = take_snapshot(p) && reader(p, r, b);
		const char *text = p->fault;
		if (!still_whole(p)) {
			if (p->fault != text)
				break;
			continue;
		}
		if (good) {
			batch_point(b);
			return 0;
		}
		break;
	}
	if (!p->fault)
		p->fault = "it changes faster than it can be read";
	batch_clear(b);
	return report(p, err);
}

int pages_read(struct pages *p, const struct page_range *range, struct record_batch *b,
	       struct err *err)
{
	return read_whole(p, range, b, err, read_range);
}

int pages_last(struct pages *p, const char *table, struct record_batch *b, struct err *err)
{
	struct page_range r = {.table = table};
	return read_whole(p, &r, b, err, read_last);
}

/* ---- the check ---- */

/* Leaves are not read: a file that is cut short is told by the branches, a hundredth of it. */
static bool check_tree(struct pages *p, unsigned level, uint64_t number, uint64_t present)
{
	if (number >= present)
		return fault(p, "it is cut short");
	if (level + 1 >= p->depth)
		return true;
	if (p->visited++ > p->count)
		return fault(p, "its pages form a loop");
	if (!load(p, level, number))
		return false;
	for (unsigned i = 0; i < p->nodes[level]; i++) {
		struct node n;
		if (!node_at(p, level, i, &n) || !check_tree(p, level + 1, n.child, present))
			return false;
	}
	return true;
}

static bool check_tables(struct pages *p, const struct page_range *unused, struct record_batch *b)
{
	(void)unused;
	struct stat st;
	if (fstat(p->fd, &st))
		return fault(p, strerror(errno));
	uint64_t present = (uint64_t)st.st_size / p->size;
	if (p->main.root == NO_PAGE)
		return true;
	p->visited = 0;
	p->depth = p->main.depth;
	if (!check_tree(p, 0, p->main.root, present) || !seek(p, &p->main, "", 0))
		return false;
	for (unsigned i = 0; i < p->nodes[p->depth - 1]; i++) {
		struct node n;
		if (!node_at(p, p->depth - 1, i, &n) || !batch_add(p, &n, b))
			return false;
	}
	batch_point(b);
	for (size_t i = 0; i < b->count; i++) {
		struct table t;
		if (b->items[i].nvalue != DB_BYTES || !take_table(p, b->items[i].value, &t))
			return fault(p, "a table is none");
		p->depth = t.depth;
		if (t.root != NO_PAGE && !check_tree(p, 0, t.root, present))
			return false;
	}
	return true;
}

int pages_check(struct pages *p, struct err *err)
{
	struct record_batch b = RECORD_BATCH_INIT;
	int result = read_whole(p, NULL, &b, err, check_tables);
	record_batch_free(&b);
	return result;
}
