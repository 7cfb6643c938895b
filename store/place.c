/* Where recordings are: the default place, their names, which is live. */
#include "store/place.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/hold.h"

#define SYSTEM_PLACE "/var/lib/cprof"
#define LINK_PREFIX ".live-"

enum {
	NAME_MAX_BYTES = 60, /* of a process, in a recording's name */
	OPEN_FOLDERS = 16,   /* for nftw */
};

static char *join(const char *folder, const char *name)
{
	struct buf b = BUF_INIT;
	buf_fmt(&b, "%s/%s", folder, name);
	return buf_take(&b);
}

char *place_default(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	if (state && state[0] == '/') /* the XDG specification: a relative one is to be ignored */
		return join(state, "cprof");
	if (home && home[0])
		return join(home, ".local/state/cprof");
	struct passwd *pw = geteuid() ? getpwuid(geteuid()) : NULL;
	return pw && pw->pw_dir[0] == '/' ? join(pw->pw_dir, ".local/state/cprof")
					  : mem_strdup(SYSTEM_PLACE);
}

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

char *place_resolve(const char *store)
{
	if (strchr(store, '/') || is_folder(store))
		return mem_strdup(store);
	char *place = place_default(), *path = join(place, store);
	free(place);
	return path;
}

/* mkdir -p; the last folders are the user's own. */
static int make_folders(const char *path, struct err *err)
{
	char *copy = mem_strdup(path);
	int result = 0;
	for (char *p = copy + 1; !result; p++) {
		if (*p && *p != '/')
			continue;
		char was = *p;
		*p = '\0';
		if (mkdir(copy, 0700) && errno != EEXIST)
			result = err_set(err, ERR_FAILED,
					 "cannot create %s: %s; name a store with -o", copy,
					 strerror(errno));
		*p = was;
		if (!was)
			break;
	}
	free(copy);
	return result;
}

/* A process's name as a part of a folder's: nothing that a shell or a terminal takes amiss. */
static void plain_name(struct buf *out, const char *name)
{
	for (size_t i = 0; i < NAME_MAX_BYTES && name[i]; i++) {
		unsigned char c = (unsigned char)name[i];
		bool plain = c < 0x80 &&
			     (isalnum(c) || c == '_' || c == '+' || (i && (c == '.' || c == '-')));
		buf_char(out, plain ? (char)c : '_');
	}
	if (!out->len)
		buf_str(out, "process");
}

char *place_new(const char *process_name, int pid, int64_t now_ns, struct err *err)
{
	char *place = place_default(), stamp[32] = "";
	struct buf name = BUF_INIT, path = BUF_INIT;
	time_t now = (time_t)(now_ns / NS_PER_S);
	struct tm tm;
	if (gmtime_r(&now, &tm))
		strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
	plain_name(&name, process_name ? process_name : "");
	int made = make_folders(place, err);
	for (unsigned i = 1; !made; i++) {
		buf_clear(&path);
		buf_fmt(&path, "%s/%s-%d-%s", place, buf_cstr(&name), pid, stamp);
		if (i > 1)
			buf_fmt(&path, "-%u", i);
		if (!mkdir(path.data, 0700))
			break;
		if (errno != EEXIST)
			made = err_set(err, ERR_FAILED,
				       "cannot create %s: %s; name a store with -o", path.data,
				       strerror(errno));
	}
	free(place);
	buf_free(&name);
	if (!made)
		return buf_take(&path);
	buf_free(&path);
	return NULL;
}

/* ---- what there is ---- */

static uint64_t folder_bytes(int fd)
{
	uint64_t bytes = 0;
	DIR *d = fdopendir(fd);
	if (!d) {
		close(fd);
		return 0;
	}
	for (struct dirent *e; (e = readdir(d));) {
		struct stat st;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		bytes += (uint64_t)st.st_blocks * 512;
		int inner = S_ISDIR(st.st_mode)
				    ? openat(dirfd(d), e->d_name,
					     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
				    : -1;
		if (inner >= 0)
			bytes += folder_bytes(inner);
	}
	closedir(d);
	return bytes;
}

uint64_t place_bytes(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? 0 : folder_bytes(fd);
}

static int64_t stamp_of(const char *segment)
{
	struct tm tm = {0};
	if (!strptime(segment, "seg-%Y%m%dT%H%M%SZ", &tm))
		return -1;
	return timegm(&tm) * NS_PER_S;
}

/* When the recording began, as its first segment's name says, and when it was last written. */
static void find_times(const char *path, int64_t *start, int64_t *end)
{
	struct stat st;
	*start = *end = !stat(path, &st) ? st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec : 0;
	DIR *d = opendir(path);
	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));) {
		int64_t t = strncmp(e->d_name, "seg-", 4) ? -1 : stamp_of(e->d_name);
		if (t < 0)
			continue;
		if (t < *start)
			*start = t;
		struct buf b = BUF_INIT;
		buf_fmt(&b, "%s/%s/data.mdb", path, e->d_name);
		if (!stat(b.data, &st) && st.st_mtim.tv_sec * NS_PER_S > *end)
			*end = st.st_mtim.tv_sec * NS_PER_S;
		buf_free(&b);
	}
	closedir(d);
}

static int newest_first(const void *a, const void *b)
{
	const struct recording *x = a, *y = b;
	if (x->start != y->start)
		return x->start > y->start ? -1 : 1;
	return strcmp(y->name, x->name);
}

/* ---- recorders elsewhere ---- */

static char *link_path(void)
{
	char *place = place_default();
	struct buf b = BUF_INIT;
	buf_fmt(&b, "%s/" LINK_PREFIX "%d", place, (int)getpid());
	free(place);
	return buf_take(&b);
}

static bool in_place(const char *store_path)
{
	char *place = place_default(), *absolute = realpath(place, NULL);
	const char *slash = strrchr(store_path, '/');
	size_t n = slash ? (size_t)(slash - store_path) : 0;
	bool in = absolute && strlen(absolute) == n && !strncmp(absolute, store_path, n);
	free(place);
	free(absolute);
	return in;
}

void place_link(const char *store_path)
{
	char *place = place_default(), *path = link_path();
	if (!in_place(store_path) && !make_folders(place, NULL)) {
		unlink(path); /* of a recorder that had this pid */
		if (symlink(store_path, path)) {
			/* it is not found by its targets; nothing else is lost */
		}
	}
	free(place);
	free(path);
}

void place_unlink(void)
{
	char *path = link_path();
	unlink(path);
	free(path);
}

/* What a link leads to, if it is being recorded to; else the link is removed. */
static char *follow_link(const char *path)
{
	char *store = realpath(path, NULL);
	struct holder h = {0};
	if (store && !hold_check(store, NULL))
		hold_read(store, &h);
	if (!h.live) {
		unlink(path);
		free(store);
		store = NULL;
	}
	holder_release(&h);
	return store;
}

/* ---- the list ---- */

static struct recording describe(char *path, const char *name)
{
	struct holder h;
	hold_read(path, &h);
	struct recording r = {
		.path = path,
		.name = mem_strdup(name),
		.bytes = place_bytes(path),
		.live = h.live,
	};
	find_times(path, &r.start, &r.end);
	holder_release(&h);
	return r;
}

size_t place_list(struct recording **out)
{
	char *place = place_default();
	size_t n = 0, cap = 0;
	DIR *d = opendir(place);
	*out = NULL;
	for (struct dirent *e; d && (e = readdir(d));) {
		char *path = join(place, e->d_name);
		bool linked = !strncmp(e->d_name, LINK_PREFIX, strlen(LINK_PREFIX));
		if (linked) {
			char *store = follow_link(path);
			free(path);
			path = store;
		} else if (e->d_name[0] == '.' || hold_check(path, NULL)) {
			free(path);
			path = NULL;
		}
		if (!path)
			continue;
		*out = mem_grow(*out, &cap, n + 1, sizeof(**out));
		(*out)[n] = describe(path, linked ? path : e->d_name);
		(*out)[n++].elsewhere = linked;
	}
	if (d)
		closedir(d);
	free(place);
	if (n > 1)
		qsort(*out, n, sizeof(**out), newest_first);
	return n;
}

void recordings_free(struct recording *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(r[i].path);
		free(r[i].name);
	}
	free(r);
}

char *place_latest(struct err *err)
{
	struct recording *r;
	size_t n = place_list(&r), pick = 0;
	for (size_t i = 0; i < n; i++)
		if (r[i].live) {
			pick = i;
			break;
		}
	char *path = n ? mem_strdup(r[pick].path) : NULL;
	recordings_free(r, n);
	if (!path) {
		char *place = place_default();
		err_set(err, ERR_FAILED,
			"no recordings in %s: make one with cprof record or cprof top, or name a "
			"store",
			place);
		free(place);
	}
	return path;
}

char *place_recording(int pid)
{
	struct recording *r;
	size_t n = place_list(&r);
	char *path = NULL;
	for (size_t i = 0; i < n && !path; i++) {
		struct holder h;
		hold_read(r[i].path, &h);
		for (size_t k = 0; h.live && k < h.npids; k++)
			if (h.pids[k] == pid && !path)
				path = mem_strdup(r[i].path);
		holder_release(&h);
	}
	recordings_free(r, n);
	return path;
}

/* ---- retention ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path); /* what cannot be removed stays */
	return 0;
}

/* Held while it is removed, so that no recorder continues it meanwhile. */
static bool remove_recording(const char *path)
{
	int fd = hold_take(path, NULL);
	if (fd < 0)
		return false;
	nftw(path, remove_one, OPEN_FOLDERS, FTW_PHYS | FTW_DEPTH | FTW_MOUNT);
	close(fd);
	return !is_folder(path);
}

size_t place_retain(int64_t now_ns, int64_t keep_ns, uint64_t max_bytes)
{
	struct recording *r;
	size_t n = place_list(&r), removed = 0;
	uint64_t bytes = 0;
	for (size_t i = 0; i < n; i++)
		bytes += r[i].elsewhere ? 0 : r[i].bytes;
	for (size_t i = n; i-- > 0;) {
		if (r[i].live || r[i].elsewhere ||
		    (now_ns - r[i].end <= keep_ns && bytes <= max_bytes) ||
		    !remove_recording(r[i].path))
			continue;
		bytes -= r[i].bytes;
		removed++;
	}
	recordings_free(r, n);
	return removed;
}
