/* A process's memory map. */
#include "sampler/maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/intern.h"
#include "base/mem.h"
#include "sampler/proc.h"

enum { MAPS_MAX = 64 << 20 }; /* bytes: half a million mappings */

static void clear(struct maps *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->items[i].path);
	m->count = 0;
}

void maps_release(struct maps *m)
{
	clear(m);
	free(m->items);
	*m = (struct maps){0};
}

static void parse_line(struct maps *m, const char *line, size_t len)
{
	struct mapping map;
	char perms[5];
	int at = 0;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %" SCNu64 "%n", &map.start,
		   &map.end, perms, &map.offset, &map.inode, &at) != 5)
		return;
	const char *path = line + at;
	while (path < line + len && *path == ' ')
		path++;
	map.write = perms[1] == 'w';
	map.exec = perms[2] == 'x';
	map.path = mem_strndup(path, (size_t)(line + len - path));
	m->items = mem_grow(m->items, &m->cap, m->count + 1, sizeof(*m->items));
	m->items[m->count++] = map;
}

int maps_read(struct maps *m, int pid)
{
	char path[32];
	struct buf text = BUF_INIT;
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (proc_slurp(path, &text, MAPS_MAX) || !text.len) {
		buf_free(&text);
		return -1;
	}
	uint64_t digest = hash_bytes(text.data, text.len);
	int changed = digest != m->digest || !m->count;
	if (changed) {
		clear(m);
		m->digest = digest;
		for (char *line = text.data, *end; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			parse_line(m, line, (size_t)(end - line));
		}
	}
	buf_free(&text);
	return changed;
}

const struct mapping *maps_find(const struct maps *m, uint64_t addr)
{
	size_t lo = 0, hi = m->count;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (addr >= m->items[mid].end)
			lo = mid + 1;
		else if (addr < m->items[mid].start)
			hi = mid;
		else
			return &m->items[mid];
	}
	return NULL;
}
