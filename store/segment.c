/* Writing a segment: one LMDB environment of the store. */
#include "store/segment.h"

#include <errno.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "store/bytes.h"

#if MDB_VERSION_MAJOR != 0
#error "store/pages.c reads the file format of LMDB 0.9"
#endif

enum {
	FIRST_MAP = 16 << 20, /* bytes of address space: doubled as the segment grows */
	MODE = 0644,
	DIR_SLACK = 2, /* the map is kept this many times the file's size */
};

struct segment {
	MDB_env *env;
	char *folder;
	MDB_dbi dbi[TABLE_COUNT];
	bool known[TABLE_COUNT]; /* the dbi is open */
	MDB_txn *txn;
	size_t map;
	bool broken; /* a commit failed half-way: LMDB wants the environment opened anew */
};

const char *table_name(enum segment_table t)
{
#define X(id, name) name,
	static const char *const names[] = {SEGMENT_TABLES(X)};
#undef X
	return names[t];
}

static int fail(const struct segment *s, int rc, struct err *err)
{
	if (rc == ENOSPC || rc == EDQUOT)
		return err_set(err, ERR_FAILED,
			       "cannot write to %s: %s; make room, or record to another disk",
			       s->folder, strerror(rc));
	if (rc == EIO) /* LMDB says so for a write that was cut short, too */
		return err_set(err, ERR_FAILED,
			       "cannot write to %s: %s; is the disk full, or failing?", s->folder,
			       strerror(rc));
	return err_set(err, ERR_FAILED, "cannot write to %s: %s", s->folder, mdb_strerror(rc));
}

static int open_env(struct segment *s)
{
	int dead, rc = mdb_env_create(&s->env);
	if (rc)
		return rc;
	s->broken = false;
	memset(s->known, 0, sizeof(s->known));
	if ((rc = mdb_env_set_maxdbs(s->env, TABLE_COUNT + 2)) ||
	    (rc = mdb_env_set_mapsize(s->env, s->map)) ||
	    (rc = mdb_env_open(s->env, s->folder, MDB_NOTLS, MODE)) ||
	    (rc = mdb_reader_check(s->env, &dead))) {
		mdb_env_close(s->env);
		s->env = NULL;
	}
	return rc;
}

int segment_open(struct segment **out, const char *folder, struct err *err)
{
	struct segment *s = mem_zalloc(1, sizeof(*s));
	s->folder = mem_strdup(folder);
	s->map = FIRST_MAP;
	int rc = open_env(s);
	*out = s;
	if (rc) {
		fail(s, rc, err);
		segment_close(s);
		*out = NULL;
	}
	return rc ? -1 : 0;
}

void segment_close(struct segment *s)
{
	if (!s)
		return;
	if (s->env)
		mdb_env_close(s->env);
	free(s->folder);
	free(s);
}

int segment_rename(struct segment *s, const char *folder, struct err *err)
{
	if (rename(s->folder, folder))
		return fail(s, errno, err);
	free(s->folder);
	s->folder = mem_strdup(folder);
	return 0;
}

uint64_t segment_bytes(const struct segment *s)
{
	MDB_envinfo info;
	MDB_stat st;
	if (!s->env || mdb_env_info(s->env, &info) || mdb_env_stat(s->env, &st))
		return 0;
	return (uint64_t)(info.me_last_pgno + 1) * st.ms_psize;
}

static int grow_map(struct segment *s)
{
	s->map *= 2;
	return mdb_env_set_mapsize(s->env, s->map);
}

/* One try: LMDB's code. */
static int try_commit(struct segment *s, int (*fill)(struct segment *s, void *arg), void *arg)
{
	int rc = mdb_txn_begin(s->env, NULL, 0, &s->txn);
	if (rc)
		return rc;
	bool was_known[TABLE_COUNT];
	memcpy(was_known, s->known, sizeof(was_known));
	rc = fill(s, arg);
	if (rc) {
		mdb_txn_abort(s->txn);
	} else {
		rc = mdb_txn_commit(s->txn);
		s->broken = rc && rc != MDB_MAP_FULL;
	}
	s->txn = NULL;
	if (rc) /* tables that this transaction opened are gone with it */
		memcpy(s->known, was_known, sizeof(was_known));
	return rc;
}

int segment_commit(struct segment *s, int (*fill)(struct segment *s, void *arg), void *arg,
		   struct err *err)
{
	int rc = 0;
	if (s->env && s->broken) {
		mdb_env_close(s->env);
		s->env = NULL;
	}
	if (!s->env)
		rc = open_env(s);
	while (!rc && segment_bytes(s) * DIR_SLACK > s->map)
		rc = grow_map(s);
	if (!rc)
		rc = try_commit(s, fill, arg);
	while (rc == MDB_MAP_FULL) {
		rc = grow_map(s);
		if (!rc)
			rc = try_commit(s, fill, arg);
	}
	return rc ? fail(s, rc, err) : 0;
}

static int table_dbi(struct segment *s, enum segment_table t)
{
	if (s->known[t])
		return 0;
	int rc = mdb_dbi_open(s->txn, table_name(t), MDB_CREATE, &s->dbi[t]);
	s->known[t] = !rc;
	return rc;
}

int segment_put(struct segment *s, enum segment_table t, const struct segment_key *key,
		const void *value, size_t n, bool append)
{
	MDB_val k = {key->len, (void *)key->bytes}, v = {n, (void *)value};
	int rc = table_dbi(s, t);
	return rc ? rc : mdb_put(s->txn, s->dbi[t], &k, &v, append ? MDB_APPEND : 0);
}

int segment_find_last(struct segment *s, enum segment_table t, struct segment_key *key)
{
	MDB_cursor *c;
	MDB_val k = {key->len, key->bytes}, v;
	int rc = table_dbi(s, t);
	if (rc || (rc = mdb_cursor_open(s->txn, s->dbi[t], &c)))
		return rc;
	struct segment_key limit = *key;
	rc = mdb_cursor_get(c, &k, &v, MDB_SET_RANGE);
	if (rc == MDB_NOTFOUND)
		rc = mdb_cursor_get(c, &k, &v, MDB_LAST);
	else if (!rc && (k.mv_size != limit.len || memcmp(k.mv_data, limit.bytes, limit.len)))
		rc = mdb_cursor_get(c, &k, &v, MDB_PREV);
	if (!rc && k.mv_size <= sizeof(key->bytes)) {
		memcpy(key->bytes, k.mv_data, k.mv_size);
		key->len = k.mv_size;
	}
	mdb_cursor_close(c);
	return rc;
}

struct segment_key key_number(uint32_t first)
{
	struct segment_key k = {.len = 4};
	bytes_put_be(k.bytes, first, 4);
	return k;
}

struct segment_key key_second(uint32_t second, uint32_t process, uint16_t part)
{
	struct segment_key k = {.len = SECOND_KEY_BYTES};
	bytes_put_be(k.bytes, second, 4);
	bytes_put_be(k.bytes + 4, process, 4);
	bytes_put_be(k.bytes + 8, part, 2);
	return k;
}

struct segment_key key_event(uint64_t time_ns, uint32_t n)
{
	struct segment_key k = {.len = 12};
	bytes_put_be(k.bytes, time_ns, 8);
	bytes_put_be(k.bytes + 8, n, 4);
	return k;
}

struct segment_key key_after(const void *key, size_t n)
{
	struct segment_key k = {.len = 0};
	k.len = n < sizeof(k.bytes) ? n + 1 : sizeof(k.bytes);
	memcpy(k.bytes, key, k.len - 1);
	return k;
}

struct segment_key key_name(const char *name)
{
	struct segment_key k = {.len = strnlen(name, sizeof(k.bytes))};
	memcpy(k.bytes, name, k.len);
	return k;
}
