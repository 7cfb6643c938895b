/* Where recordings are: the default place, their names, which is live.
 *
 * $XDG_STATE_HOME/cprof/ (else ~/.local/state/cprof/; root without a HOME: /var/lib/cprof).
 * A STORE argument with a slash, or that exists as a folder, is a path; else it is a name
 * there. */
#ifndef STORE_PLACE_H
#define STORE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

char *place_default(void);              /* the folder; caller frees */
char *place_resolve(const char *store); /* a path for the argument; caller frees */

/* A new recording's folder, NAME-PID-20261201T130731Z in the default place: both are made, with
 * a suffix where the name is taken. Caller frees. */
char *place_new(const char *process_name, int pid, int64_t now_ns, struct err *err);

/* The store for a command without STORE: the live recorder's, else the newest. NULL: none. */
char *place_latest(struct err *err);

/* The store of a recorder of this user that samples pid now, or NULL. */
char *place_recording(int pid);

/* A recorder that records to somewhere else says so by a link in the default place, as long as it
 * runs: its store is listed, too. The link of one that was killed is removed by place_list. */
void place_link(const char *store_path);
void place_unlink(void);

struct recording {
	char *path;
	char *name; /* as an argument STORE; of one that is elsewhere the path */
	bool elsewhere; /* not in the default place; live */
	int64_t start, end; /* ns: the first second, and when it was last written */
	uint64_t bytes;
	bool live;
};
uint64_t place_bytes(const char *path); /* on disk, of all that is in a folder */

/* The recordings there are, newest first (caller frees with recordings_free). */
size_t place_list(struct recording **out);
void recordings_free(struct recording *r, size_t n);

/* Drop recordings in the default place that are older than keep_ns or together larger than
 * max_bytes, oldest first; never a live one, nor anything that is no store. Gives how many. */
size_t place_retain(int64_t now_ns, int64_t keep_ns, uint64_t max_bytes);

#endif
