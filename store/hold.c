/* Whose a store is: its format file, and the recorder that holds it. */
#include "store/hold.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define FORMAT_FILE "format"
#define RECORDER_FILE "recorder"
#define FORMAT_WORDS "cprof store "

enum {
	FORMAT_VERSION = 1,
	TEXT_MAX = 64 << 10, /* of the recorder file: thousands of pids */
	MODE = 0644,
};

static char *join(const char *folder, const char *name)
{
	struct buf b = BUF_INIT;
	buf_fmt(&b, "%s/%s", folder, name);
	return buf_take(&b);
}

/* A small text file of the folder, or NULL with errno. */
static char *read_text(const char *folder, const char *name)
{
	char *path = join(folder, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(path);
	if (fd < 0)
		return NULL;
	char *text = mem_alloc(TEXT_MAX + 1);
	size_t n = 0;
	ssize_t got = 0;
	while (n < TEXT_MAX && (got = read(fd, text + n, TEXT_MAX - n)) > 0)
		n += (size_t)got;
	int error = errno;
	close(fd);
	text[n] = '\0';
	if (got < 0) {
		free(text);
		errno = error;
		return NULL;
	}
	return text;
}

/* 1 a store, 0 has no format file, -1 error. */
static int read_format(const char *path, struct err *err)
{
	char *text = read_text(path, FORMAT_FILE);
	if (!text && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!text)
		return err_set(err, ERR_FAILED, "cannot read %s/" FORMAT_FILE ": %s", path,
			       strerror(errno));
	int result = 1;
	char *end;
	size_t words = strlen(FORMAT_WORDS);
	long version = strncmp(text, FORMAT_WORDS, words) ? 0 : strtol(text + words, &end, 10);
	if (version > FORMAT_VERSION)
		result = err_set(err, ERR_FAILED,
				 "%s is a store of version %ld and this cprof knows up to %d: use "
				 "a newer cprof",
				 path, version, FORMAT_VERSION);
	else if (version < 1)
		result = err_set(err, ERR_FAILED,
				 "%s is no cprof store: its file " FORMAT_FILE " says other words",
				 path);
	free(text);
	return result;
}

int hold_check(const char *path, struct err *err)
{
	struct stat st;
	if (stat(path, &st))
		return err_set(err, ERR_FAILED, "cannot open %s: %s", path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return err_set(err, ERR_FAILED, "%s is no cprof store: it is no folder", path);
	int is = read_format(path, err);
	if (is < 0)
		return -1;
	return is ? 0
		  : err_set(err, ERR_FAILED, "%s is no cprof store: it has no file " FORMAT_FILE,
			    path);
}

/* statfs(2) and linux/magic.h: file systems where another host can write, or where locks and
 * mapped files do not hold. */
static const char *network_fs(const char *path)
{
	static const struct {
		uint32_t magic;
		const char *name;
	} kinds[] = {
		{0x6969, "NFS"},       {0x517b, "SMB"},      {0xff534d42, "CIFS"},
		{0xfe534d42, "SMB"},   {0x01021997, "9p"},   {0x65735546, "FUSE"},
		{0x5346414f, "AFS"},   {0x00c36400, "Ceph"}, {0x0bd00bd0, "Lustre"},
		{0x73757245, "Coda"},  {0x47504653, "GPFS"}, {0x01161970, "GFS2"},
		{0x7461636f, "OCFS2"},
	};
	struct statfs fs;
	if (statfs(path, &fs))
		return NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if ((uint32_t)fs.f_type == kinds[i].magic)
			return kinds[i].name;
	return NULL;
}

/* Nothing in it but what a recorder that died while creating it leaves behind. */
static bool is_empty(const char *path)
{
	DIR *d = opendir(path);
	if (!d)
		return false;
	bool empty = true;
	for (struct dirent *e; empty && (e = readdir(d));)
		empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
			!strcmp(e->d_name, RECORDER_FILE) || !strcmp(e->d_name, "." FORMAT_FILE);
	closedir(d);
	return empty;
}

/* By rename: there is no moment at which it is half there. */
static int write_format(const char *path, struct err *err)
{
	char *temporary = join(path, "." FORMAT_FILE), *final = join(path, FORMAT_FILE);
	FILE *f = fopen(temporary, "we");
	int result = -1;
	if (f) {
		bool good = fprintf(f, FORMAT_WORDS "%d\n", FORMAT_VERSION) > 0;
		good = fclose(f) == 0 && good;
		result = good ? rename(temporary, final) : -1;
	}
	if (result)
		err_set(err, ERR_FAILED, "cannot write %s: %s", final, strerror(errno));
	free(temporary);
	free(final);
	return result;
}

int hold_create(const char *path, struct err *err)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	if (!exists && errno != ENOENT)
		return err_set(err, ERR_FAILED, "cannot create %s: %s", path, strerror(errno));
	if (exists && !S_ISDIR(st.st_mode))
		return err_set(err, ERR_FAILED,
			       "%s exists and is no cprof store: choose another name", path);
	int is = exists ? read_format(path, err) : 0;
	if (is < 0)
		return -1;
	if (exists && !is && !is_empty(path))
		return err_set(err, ERR_FAILED,
			       "%s exists, is not empty and is no cprof store: choose another name",
			       path);
	if (!exists && mkdir(path, 0777))
		return err_set(err, ERR_FAILED, "cannot create %s: %s", path, strerror(errno));
	const char *network = network_fs(path);
	if (network) {
		if (!exists)
			rmdir(path);
		return err_set(err, ERR_FAILED,
			       "cannot record to %s: it is on a network file system (%s); use a "
			       "local disk",
			       path, network);
	}
	return is ? 0 : write_format(path, err);
}

static struct flock whole_file(short type)
{
	return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

int hold_take(const char *path, struct err *err)
{
	char *file = join(path, RECORDER_FILE);
	int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, MODE);
	struct flock lock = whole_file(F_WRLCK);
	if (fd < 0) {
		err_set(err, ERR_FAILED, "cannot write to %s: %s", file, strerror(errno));
	} else if (fcntl(fd, F_OFD_SETLK, &lock)) {
		int error = errno;
		struct holder h;
		close(fd);
		fd = -1;
		hold_read(path, &h);
		if (error != EAGAIN && error != EACCES)
			err_set(err, ERR_FAILED, "cannot lock %s: %s", file, strerror(error));
		else if (h.pid)
			err_set(err, ERR_FAILED,
				"%s is being recorded to by pid %d: choose another store, or end "
				"that one",
				path, h.pid);
		else
			err_set(err, ERR_FAILED, "%s is being recorded to: choose another store",
				path);
		holder_release(&h);
	}
	free(file);
	return fd;
}

int hold_announce(int fd, double rate_hz, const int *pids, size_t n, struct err *err)
{
	struct buf b = BUF_INIT;
	buf_fmt(&b, "recorder %d\nrate_mhz %lld\n", (int)getpid(),
		(long long)(rate_hz * 1000 + 0.5));
	for (size_t i = 0; i < n; i++)
		buf_fmt(&b, "pid %d\n", pids[i]);
	buf_str(&b, "end\n");
	/* one write, then the rest of an older, longer text: readers stop at "end" */
	bool good = pwrite(fd, b.data, b.len, 0) == (ssize_t)b.len && !ftruncate(fd, (off_t)b.len);
	buf_free(&b);
	return good ? 0
		    : err_set(err, ERR_FAILED, "cannot write the recorder's file: %s",
			      strerror(errno));
}

static bool is_held(const char *path)
{
	char *file = join(path, RECORDER_FILE);
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct flock lock = whole_file(F_WRLCK);
	bool held = fd >= 0 && !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
	if (fd >= 0)
		close(fd);
	free(file);
	return held;
}

void hold_read(const char *path, struct holder *h)
{
	*h = (struct holder){.live = is_held(path)};
	char *text = read_text(path, RECORDER_FILE), *rest = NULL;
	if (!text)
		return;
	size_t cap = 0;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		int pid;
		long long
			millihertz; /* whole numbers: text with a decimal point depends on the locale */
		if (!strcmp(line, "end"))
			break;
		if (sscanf(line, "pid %d", &pid) == 1) {
			h->pids = mem_grow(h->pids, &cap, h->npids + 1, sizeof(*h->pids));
			h->pids[h->npids++] = pid;
		} else if (sscanf(line, "rate_mhz %lld", &millihertz) == 1) {
			h->rate_hz = (double)millihertz / 1000;
		} else {
			sscanf(line, "recorder %d", &h->pid);
		}
	}
	free(text);
}

void holder_release(struct holder *h)
{
	free(h->pids);
	*h = (struct holder){0};
}
