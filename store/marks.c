/* Marks: named ranges with their filter and a note, in a text file. */
#include "store/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/mem.h"
#include "store/place.h"

enum {
	FIELDS = 6,         /* of a line */
	FILE_MAX = 4 << 20, /* bytes; a few hundred marks have some KB */
};

/* ---- where ---- */

static char *own_path(const char *store_path)
{
	char *place = place_default(), *absolute = realpath(store_path, NULL);
	const char *name = absolute ? strrchr(absolute, '/') : NULL;
	struct buf b = BUF_INIT;
	/* two stores may have one name */
	uint32_t which = absolute ? (uint32_t)hash_bytes(absolute, strlen(absolute)) : 0;
	buf_fmt(&b, "%s/marks/%s-%08x", place, name && name[1] ? name + 1 : "store", which);
	free(place);
	free(absolute);
	return buf_take(&b);
}

static char *find_path(const char *store_path)
{
	struct buf b = BUF_INIT;
	buf_fmt(&b, "%s/marks", store_path);
	if (!access(store_path, W_OK))
		return buf_take(&b);
	char *own = own_path(store_path);
	if (access(own, F_OK) && !access(b.data, R_OK)) {
		/* what the owner marked is read; a first change makes a copy of one's own */
		free(own);
		return buf_take(&b);
	}
	buf_free(&b);
	return own;
}

/* ---- fields ---- */

static void put_field(struct buf *out, const char *s, char end)
{
	for (; *s; s++) {
		const char *escape = *s == '\t'   ? "\\t"
				     : *s == '\n' ? "\\n"
				     : *s == '\\' ? "\\\\"
						  : NULL;
		if (escape)
			buf_str(out, escape);
		else
			buf_char(out, *s);
	}
	buf_char(out, end);
}

/* In place; false for an escape that is none. */
static bool unescape(char *s)
{
	char *to = s;
	for (; *s; s++) {
		char c = *s;
		if (c == '\\') {
			c = *++s;
			if (c != 't' && c != 'n' && c != '\\')
				return false;
			c = c == 't' ? '\t' : c == 'n' ? '\n' : '\\';
		}
		*to++ = c;
	}
	*to = '\0';
	return true;
}

static bool parse_moment(const char *s, int64_t *ns)
{
	struct range_context none = {.utc = true};
	struct range r;
	if (range_parse_time(s, &none, &r, NULL))
		return false;
	*ns = r.from;
	return true;
}

static bool parse_line(struct marks *m, char *line)
{
	char *field[FIELDS] = {NULL};
	for (size_t i = 0; i < FIELDS; i++) {
		field[i] = strsep(&line, "\t");
		if (!field[i] || !unescape(field[i]))
			return false;
	}
	struct range r, unused;
	struct filter f = FILTER_INIT;
	bool has_range;
	int weight = weight_parse(field[3]);
	if (!field[0][0] || !parse_moment(field[1], &r.from) || !parse_moment(field[2], &r.to) ||
	    weight < 0)
		return false;
	f.weight = (enum weight)weight;
	bool good = !filter_parse(field[4], &(struct range_context){.utc = true}, &f, &unused,
				  &has_range, NULL) &&
		    !has_range;
	if (good)
		marks_set(m, field[0], r, &f, field[5]);
	filter_release(&f);
	return good;
}

/* ---- the file ---- */

static char *read_file(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && (errno == ENOENT || errno == EACCES))
		return mem_strdup(""); /* another's, that are not to be read, are not ours */
	struct buf b = BUF_INIT;
	char block[4096];
	ssize_t n = -1;
	if (fd >= 0)
		while ((n = read(fd, block, sizeof(block))) > 0 && b.len < FILE_MAX)
			buf_bytes(&b, block, (size_t)n);
	int error = errno;
	if (fd >= 0)
		close(fd);
	if (n) {
		err_set(err, ERR_FAILED, "cannot read the marks in %s: %s", path,
			n < 0 ? strerror(error) : "the file is too long");
		buf_free(&b);
		return NULL;
	}
	return buf_take(&b);
}

int marks_load(struct marks *m, const char *store_path, struct err *err)
{
	*m = (struct marks){.path = find_path(store_path)};
	char *text = read_file(m->path, err), *rest = text, *line;
	int result = text ? 0 : -1;
	for (int n = 1; !result && (line = strsep(&rest, "\n")); n++)
		if (*line && *line != '#' && !parse_line(m, line))
			result = err_set(
				err, ERR_FAILED,
				"cannot read the marks in %s: line %d is wrong; mend or remove it",
				m->path, n);
	free(text);
	if (result)
		marks_release(m);
	return result;
}

static void put_mark(struct buf *out, const struct mark *k)
{
	struct buf f = BUF_INIT;
	put_field(out, k->name, '\t');
	time_rfc3339(out, k->range.from);
	buf_char(out, '\t');
	time_rfc3339(out, k->range.to);
	buf_fmt(out, "\t%s\t", weight_name(k->filter.weight));
	filter_text(&f, &k->filter);
	put_field(out, buf_cstr(&f), '\t');
	put_field(out, k->note, '\n');
	buf_free(&f);
}

/* The folders of one's own marks; that of a store is there. */
static void make_folders(const char *path)
{
	char *copy = mem_strdup(path);
	for (char *p = copy + 1; *p; p++)
		if (*p == '/') {
			*p = '\0';
			mkdir(copy, 0700);
			*p = '/';
		}
	free(copy);
}

static int write_file(const char *path, const struct buf *text)
{
	struct buf temporary = BUF_INIT;
	buf_fmt(&temporary, "%s.%d", path, (int)getpid());
	int fd = open(temporary.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	bool good = fd >= 0;
	for (size_t done = 0; good && done < text->len;) {
		ssize_t n = write(fd, text->data + done, text->len - done);
		good = n > 0;
		done += good ? (size_t)n : 0;
	}
	good = good && !fsync(fd);
	int error = errno;
	if (fd >= 0 && close(fd) && good) {
		good = false;
		error = errno;
	}
	if (good && rename(temporary.data, path)) {
		good = false;
		error = errno;
	}
	if (!good && fd >= 0)
		unlink(temporary.data);
	buf_free(&temporary);
	errno = error;
	return good ? 0 : -1;
}

int marks_save(const struct marks *m, struct err *err)
{
	struct buf text = BUF_INIT;
	for (size_t i = 0; i < m->count; i++)
		put_mark(&text, &m->items[i]);
	char *folder = mem_strndup(m->path, (size_t)(strrchr(m->path, '/') - m->path));
	char *path = access(folder, W_OK) && !access(folder, F_OK) ? own_path(folder)
								   : mem_strdup(m->path);
	make_folders(path);
	int result = write_file(path, &text);
	if (result)
		err_set(err, ERR_FAILED, "cannot write the marks to %s: %s", path, strerror(errno));
	buf_free(&text);
	free(path);
	free(folder);
	return result;
}

/* ---- the marks ---- */

static void mark_release(struct mark *k)
{
	free(k->name);
	free(k->note);
	filter_release(&k->filter);
}

void marks_release(struct marks *m)
{
	for (size_t i = 0; i < m->count; i++)
		mark_release(&m->items[i]);
	free(m->items);
	free(m->path);
	*m = (struct marks){0};
}

struct mark *marks_find(struct marks *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->items[i].name, name))
			return &m->items[i];
	return NULL;
}

void marks_set(struct marks *m, const char *name, struct range range, const struct filter *f,
	       const char *note)
{
	struct mark fresh = {
		.name = mem_strdup(name), .note = mem_strdup(note ? note : ""), .range = range};
	filter_copy(&fresh.filter, f);
	struct mark *k = marks_find(m, name);
	if (k) {
		mark_release(k);
	} else {
		m->items = mem_grow(m->items, &m->cap, m->count + 1, sizeof(*m->items));
		k = &m->items[m->count++];
	}
	*k = fresh;
}

void marks_remove(struct marks *m, const char *name)
{
	struct mark *k = marks_find(m, name);
	if (!k)
		return;
	mark_release(k);
	m->count--;
	memmove(k, k + 1, (size_t)(m->items + m->count - k) * sizeof(*k));
}

bool marks_range(void *arg, const char *name, struct range *out)
{
	const struct mark *k = marks_find(arg, name);
	if (k)
		*out = k->range;
	return k != NULL;
}
