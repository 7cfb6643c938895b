/* Whose a store is: its format file, and the recorder that holds it.
 *
 * STORE/format says "cprof store 1". STORE/recorder is locked (fcntl(2), open file description
 * locks: free when the recorder is dead, however it died, and looked at without being taken)
 * and says who holds it and what it samples. */
#ifndef STORE_HOLD_H
#define STORE_HOLD_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Is the folder a store that this version reads? 0, or -1 and why not. */
int hold_check(const char *path, struct err *err);

/* Make the folder a store, or find that it is one. Refuses and leaves untouched what is neither
 * a store nor new or empty, newer versions and network file systems. */
int hold_create(const char *path, struct err *err);

/* Take the store: the descriptor that holds it until it is closed, or -1. */
int hold_take(const char *path, struct err *err);

/* Write what the holder says of itself. */
int hold_announce(int fd, double rate_hz, const int *pids, size_t n, struct err *err);

struct holder {
	bool live; /* a recorder holds the store now; else the others are the last one's */
	int pid;   /* 0 unknown */
	double rate_hz;
	int *pids;
	size_t npids;
};
void hold_read(const char *path, struct holder *h); /* all zero where nothing can be read */
void holder_release(struct holder *h);

#endif
