/* A process's address space: what lies at a pc. */
#include "sampler/space.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/intern.h"
#include "base/map64.h"
#include "base/mem.h"
#include "sampler/mapped.h"
#include "sampler/proc.h"

/* A file mapped somewhere, found once. */
struct module {
	uint64_t start, end; /* of the mapping it was found by */
	struct elf_file *file;
	uint64_t bias; /* runtime address - link-time address */
};

struct space {
	int pid;
	int tid; /* a living thread, by which /proc is asked: an ended leader has no memory there */
	struct elf_cache *cache;
	struct maps maps;
	struct module *modules;
	size_t nmodules, modules_cap;
	struct map64 index; /* pc -> number in infos */
	struct pc_info *infos;
	size_t ninfos, infos_cap;
	struct pc_info unknown;
	struct intern names; /* of frames without a symbol */
	uint32_t epoch;
	int64_t read_at, read_cost; /* the map: when, and how long it took */
};

enum {
	REREAD_NS = 2 * NS_PER_MS,  /* the least time between two readings of the map */
	REREAD_SHARE = 50,          /* reading it takes at most 1/50 of the time */
};

struct space *space_new(int pid, struct elf_cache *cache)
{
	struct space *s = mem_zalloc(1, sizeof(*s));
	s->pid = s->tid = pid;
	s->cache = cache;
	s->epoch = 1;
	return s;
}

void space_free(struct space *s)
{
	if (!s)
		return;
	maps_release(&s->maps);
	free(s->modules);
	map64_free(&s->index);
	free(s->infos);
	intern_free(&s->names);
	free(s);
}

uint32_t space_epoch(const struct space *s)
{
	return s->epoch;
}

void space_drop_labels(struct space *s)
{
	for (size_t i = 0; i < s->ninfos; i++)
		s->infos[i].label = 0;
}

static void forget(struct space *s)
{
	map64_clear(&s->index);
	s->ninfos = 0;
	s->nmodules = 0;
	s->epoch++;
}

/* Read the map by any thread that has one. */
static int read_maps(struct space *s)
{
	int rc = maps_read(&s->maps, s->tid), *tids = NULL;
	if (rc >= 0)
		return rc;
	char path[32];
	size_t cap = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", s->pid);
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ssize_t n = dir < 0 ? 0 : proc_tasks(dir, &tids, &cap);
	for (ssize_t i = 0; i < n && rc < 0; i++) {
		s->tid = tids[i];
		rc = maps_read(&s->maps, s->tid);
	}
	free(tids);
	if (dir >= 0)
		close(dir);
	return rc;
}

/* Read the map again unless that was done just now. */
static void reread(struct space *s)
{
	int64_t now = clock_mono();
	int64_t pause = s->read_cost * REREAD_SHARE;
	if (s->read_at && now - s->read_at < (pause > REREAD_NS ? pause : REREAD_NS))
		return;
	if (read_maps(s) > 0)
		forget(s);
	s->read_at = clock_mono();
	s->read_cost = s->read_at - now;
}

void space_refresh(struct space *s)
{
	reread(s);
}

static const struct module *add_module(struct space *s, const struct mapping *m)
{
	struct module mod = {m->start, m->end, NULL, 0};
	bool is_file = m->path[0] == '/' || !strcmp(m->path, "[vdso]");
	int fd = is_file ? mapped_open(&s->maps, m, s->tid) : -1;
	if (fd >= 0)
		mod.file = elf_open(s->cache, fd, m->path);
	uint64_t addr;
	if (mod.file && elf_address(mod.file, m->offset, &addr))
		mod.bias = m->start - addr;
	else
		mod.file = NULL;
	s->modules = mem_grow(s->modules, &s->modules_cap, s->nmodules + 1, sizeof(*s->modules));
	s->modules[s->nmodules] = mod;
	return &s->modules[s->nmodules++];
}

static const struct module *find_module(struct space *s, uint64_t pc)
{
	for (size_t i = 0; i < s->nmodules; i++)
		if (pc >= s->modules[i].start && pc < s->modules[i].end)
			return &s->modules[i];
	const struct mapping *m = maps_find(&s->maps, pc);
	return m ? add_module(s, m) : NULL;
}

struct elf_file *space_file(struct space *s, uint64_t pc, uint64_t *bias)
{
	const struct module *mod = find_module(s, pc);
	if (!mod || !mod->file)
		return NULL;
	*bias = mod->bias;
	return mod->file;
}

struct pc_info *space_pc(struct space *s, uint64_t pc)
{
	uint32_t at = pc == MAP64_NONE ? UINT32_MAX : map64_get(&s->index, pc, UINT32_MAX);
	if (at != UINT32_MAX)
		return &s->infos[at];
	const struct mapping *m = maps_find(&s->maps, pc);
	if (!m) {
		reread(s);
		m = maps_find(&s->maps, pc);
	}
	if (!m) { /* not kept: it may be mapped later */
		s->unknown = (struct pc_info){.pc = pc, .row.kind = ROW_NONE};
		return &s->unknown;
	}
	struct pc_info info = {.pc = pc, .executable = m->exec, .row.kind = ROW_NONE};
	const struct module *mod = find_module(s, pc);
	if (mod && mod->file && m->exec) {
		info.file = mod->file;
		info.addr = pc - mod->bias;
		info.row = *elf_row(mod->file, info.addr);
	}
	s->infos = mem_grow(s->infos, &s->infos_cap, s->ninfos + 1, sizeof(*s->infos));
	s->infos[s->ninfos] = info;
	*map64_at(&s->index, pc, 0) = (uint32_t)s->ninfos;
	return &s->infos[s->ninfos++];
}

const void *space_code(struct space *s, uint64_t pc, size_t n)
{
	uint64_t bias;
	const struct mapping *m = maps_find(&s->maps, pc);
	struct elf_file *file = m && m->exec ? space_file(s, pc, &bias) : NULL;
	return file ? elf_bytes(file, pc - bias, n) : NULL;
}

uint64_t space_function_start(struct space *s, uint64_t pc)
{
	uint64_t bias;
	struct elf_file *file = space_file(s, pc, &bias);
	uint64_t start = file ? elf_function_start(file, pc - bias) : 0;
	return start ? start + bias : 0;
}

uint64_t space_mapping_end(struct space *s, uint64_t addr)
{
	const struct mapping *m = maps_find(&s->maps, addr);
	if (!m) {
		reread(s);
		m = maps_find(&s->maps, addr);
	}
	return m ? m->end : 0;
}

size_t space_read(struct space *s, uint64_t addr, void *buf, size_t n)
{
	struct iovec local = {buf, n}, remote = {(void *)(uintptr_t)addr, n};
	ssize_t got = process_vm_readv(s->tid, &local, 1, &remote, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

/* ---- names ----------------------------------------------------------------------------- */

static const char *keep(struct space *s, const char *text)
{
	return intern_get(&s->names, intern_put(&s->names, text, strlen(text), NULL), NULL);
}

static void describe_file(struct space *s, const struct pc_info *info, struct frame_text *out)
{
	struct elf_symbol sym;
	out->module = elf_name(info->file);
	out->build_id = elf_build_id(info->file);
	uint64_t start = 0;
	/* the CFI of a signal's return code begins a byte before it: it is never called */
	uint64_t named = info->addr + (info->row.kind == ROW_SIGNAL);
	if (elf_symbol(info->file, named, &sym)) {
		out->name = sym.name;
		start = sym.start;
	} else {
		/* one name for all of a function's code, where its start is known */
		char text[300];
		uint64_t fde = info->row.kind == ROW_NONE ? 0 : elf_function_start(info->file, info->addr);
		snprintf(text, sizeof(text), "%s+0x%" PRIx64, out->module, fde ? fde : info->addr);
		out->name = keep(s, text);
	}
	const char *file;
	if (elf_line(info->file, info->addr, &file, &out->line))
		out->file = file;
	if (start && elf_line(info->file, start, &file, &out->first_line) && !*out->file)
		out->file = file;
}

void space_describe(struct space *s, const struct pc_info *info, struct frame_text *out)
{
	*out = (struct frame_text){KIND_UNKNOWN, NULL, "", "", "", 0, 0};
	if (info->file) {
		out->kind = KIND_NATIVE;
		describe_file(s, info, out);
		return;
	}
	const struct mapping *m = maps_find(&s->maps, info->pc);
	char text[300];
	if (m && m->exec) {
		const char *base = strrchr(m->path, '/');
		base = base ? base + 1 : m->path;
		out->kind = m->inode ? KIND_NATIVE : KIND_JIT;
		out->module = keep(s, *base ? base : "[anon]");
		snprintf(text, sizeof(text), "%.200s+0x%" PRIx64, out->module, info->pc - m->start);
	} else {
		snprintf(text, sizeof(text), "0x%" PRIx64, info->pc);
	}
	out->name = keep(s, text);
}
