/* Writing a segment: one LMDB environment of the store, and the tables in it. The only user of
 * LMDB. A segment is written by the recorder that began it, never opened for writing again. */
#ifndef STORE_SEGMENT_H
#define STORE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* name, what: keys and values are in docs/store-format.md */
#define SEGMENT_TABLES(X)                 \
	X(TABLE_META, "meta")             \
	X(TABLE_STRINGS, "strings")       \
	X(TABLE_FUNCS, "functions")       \
	X(TABLE_FRAMES, "frames")         \
	X(TABLE_STACKS, "stacks")         \
	X(TABLE_PROCESSES, "processes")   \
	X(TABLE_THREADS, "threads")       \
	X(TABLE_EVENTS, "events")         \
	X(TABLE_LOG, "log")               \
	X(TABLE_HEAT, "heat")
#define X(id, name) id,
enum segment_table { SEGMENT_TABLES(X) TABLE_COUNT };
#undef X
const char *table_name(enum segment_table t);

struct segment;

/* Open, or create, the environment in a folder that exists. */
int segment_open(struct segment **out, const char *folder, struct err *err);
void segment_close(struct segment *s);
int segment_rename(struct segment *s, const char *folder, struct err *err);
uint64_t segment_bytes(const struct segment *s); /* of the data file */

/* Run fill in a transaction and commit it: 0, or -1 and nothing was written. fill gives 0 or what
 * segment_put gave; it is called again when the map had to grow. */
int segment_commit(struct segment *s, int (*fill)(struct segment *s, void *arg), void *arg, struct err *err);

/* Inside fill. `append` says that the key is the table's greatest: pages are filled whole. */
struct segment_key {
	uint8_t bytes[16];
	size_t len;
};
int segment_put(struct segment *s, enum segment_table t, const struct segment_key *key, const void *value,
		size_t n, bool append);

/* Inside fill: the greatest key of the table that is <= *key, into *key; not 0: there is none. */
int segment_find_last(struct segment *s, enum segment_table t, struct segment_key *key);

/* Keys. */
struct segment_key key_number(uint32_t first);                                  /* dictionaries */
struct segment_key key_second(uint32_t second, uint32_t process, uint16_t part); /* log, heat */
struct segment_key key_event(uint64_t time_ns, uint32_t n);
struct segment_key key_name(const char *name);                                  /* meta */

struct segment_key key_after(const void *key, size_t n); /* the least that is greater */

enum { SECOND_KEY_BYTES = 10 };

#endif
