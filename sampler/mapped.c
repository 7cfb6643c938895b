/* The file behind a mapping: what is mapped, whatever lies at its path by now. */
#include "sampler/mapped.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mem.h"

enum {
	PHDRS_MAX = 64,
	NOTE_MAX = 4096,
	ID_MAX = 64,
	IMAGE_MAX = 256 << 20,
	CHUNK = 1 << 20,
};

/* Where an ELF file is read from: a descriptor, or a target's memory. */
struct source {
	int fd;      /* -1: memory */
	int tid;
	uint64_t at; /* address of the ELF header */
};

struct head {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr[PHDRS_MAX];
	uint64_t first; /* link-time address of the ELF header */
};

static size_t read_memory(int tid, uint64_t addr, void *buf, size_t n)
{
	struct iovec local = {buf, n}, remote = {(void *)(uintptr_t)addr, n};
	ssize_t got = process_vm_readv(tid, &local, 1, &remote, 1, 0);
	return got > 0 ? (size_t)got : 0;
}

static bool read_source(const struct source *s, uint64_t offset, void *buf, size_t n)
{
	if (s->fd >= 0)
		return pread(s->fd, buf, n, (off_t)offset) == (ssize_t)n;
	return read_memory(s->tid, s->at + offset, buf, n) == n;
}

/* The ELF header and program headers, which lie in the first page of a file and of its memory. */
static bool read_head(const struct source *s, struct head *h)
{
	const Elf64_Ehdr *e = &h->ehdr;
	if (!read_source(s, 0, &h->ehdr, sizeof(h->ehdr)) || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 ||
	    e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_phentsize != sizeof(Elf64_Phdr) ||
	    e->e_phnum > PHDRS_MAX || e->e_phoff > UINT16_MAX ||
	    !read_source(s, e->e_phoff, h->phdr, e->e_phnum * sizeof(Elf64_Phdr)))
		return false;
	for (int i = 0; i < e->e_phnum; i++)
		if (h->phdr[i].p_type == PT_LOAD && h->phdr[i].p_offset <= h->phdr[i].p_vaddr) {
			h->first = h->phdr[i].p_vaddr - h->phdr[i].p_offset;
			return true;
		}
	return false;
}

/* The build-id among notes (gabi, "Note Section"; ld(1) --build-id). Its length, 0: none. */
static size_t find_build_id(const unsigned char *notes, size_t len, uint64_t align,
			    unsigned char id[ID_MAX])
{
	const size_t mask = align == 8 ? 7 : 3;
	for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= len;) {
		Elf64_Nhdr n;
		memcpy(&n, notes + at, sizeof(n));
		size_t name = at + sizeof(n), room = len - name;
		if (n.n_namesz > room || n.n_descsz > room)
			return 0;
		size_t desc = (name + n.n_namesz + mask) & ~mask;
		if (desc > len || n.n_descsz > len - desc)
			return 0;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 && n.n_descsz <= ID_MAX &&
		    !memcmp(notes + name, "GNU", 4)) {
			memcpy(id, notes + desc, n.n_descsz);
			return n.n_descsz;
		}
		at = (desc + n.n_descsz + mask) & ~mask;
	}
	return 0;
}

static size_t read_build_id(const struct source *s, unsigned char id[ID_MAX])
{
	struct head h;
	unsigned char notes[NOTE_MAX];
	if (!read_head(s, &h))
		return 0;
	for (int i = 0; i < h.ehdr.e_phnum; i++) {
		const Elf64_Phdr *p = &h.phdr[i];
		uint64_t from = s->fd >= 0 ? p->p_offset : p->p_vaddr - h.first;
		if (p->p_type != PT_NOTE || p->p_filesz > sizeof(notes) ||
		    !read_source(s, from, notes, p->p_filesz))
			continue;
		size_t n = find_build_id(notes, p->p_filesz, p->p_align, id);
		if (n)
			return n;
	}
	return 0;
}

/* Where the file's ELF header lies in the target's memory; 0: it is not mapped. */
static uint64_t find_header(const struct maps *maps, const struct mapping *m)
{
	for (const struct mapping *x = m; x >= maps->items; x--)
		if (!x->offset && x->inode == m->inode && !strcmp(x->path, m->path))
			return x->start;
	return 0;
}

/* Is this the file that is mapped? */
static bool is_mapped(int fd, const struct mapping *m, const struct source *memory)
{
	unsigned char here[ID_MAX], there[ID_MAX];
	const struct source file = {.fd = fd};
	size_t n = memory->at ? read_build_id(memory, there) : 0;
	if (n)
		return read_build_id(&file, here) == n && !memcmp(here, there, n);
	struct stat st;
	return !fstat(fd, &st) && st.st_ino == m->inode;
}

/* Only a file: to open a device or a pipe does something. */
static int open_file(const char *path)
{
	struct stat st;
	return stat(path, &st) || !S_ISREG(st.st_mode) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static int open_checked(const char *path, const struct mapping *m, const struct source *memory)
{
	int fd = open_file(path);
	if (fd >= 0 && !is_mapped(fd, m, memory)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool write_all(int fd, const char *data, size_t n, uint64_t at)
{
	while (n) {
		ssize_t done = pwrite(fd, data, n, (off_t)at);
		if (done <= 0)
			return false;
		data += done;
		at += (uint64_t)done;
		n -= (size_t)done;
	}
	return true;
}

static bool copy_segment(const struct source *memory, const struct head *h, const Elf64_Phdr *p,
			 int to, char *chunk)
{
	uint64_t from = memory->at + p->p_vaddr - h->first;
	for (uint64_t done = 0; done < p->p_filesz;) {
		size_t n = p->p_filesz - done < CHUNK ? p->p_filesz - done : CHUNK;
		n = read_memory(memory->tid, from + done, chunk, n);
		if (!n)
			return done > 0; /* what there is */
		if (!write_all(to, chunk, n, p->p_offset + done))
			return false;
		done += n;
	}
	return true;
}

/* A file made of the segments in memory. Its section headers are not loaded: none are told of. */
static int make_image(const struct source *memory)
{
	struct head h;
	if (!memory->at || !read_head(memory, &h))
		return -1;
	int fd = memfd_create("cprof-image", MFD_CLOEXEC);
	char *chunk = mem_alloc(CHUNK);
	bool good = fd >= 0;
	for (int i = 0; good && i < h.ehdr.e_phnum; i++) {
		const Elf64_Phdr *p = &h.phdr[i];
		if (p->p_type == PT_LOAD && p->p_filesz < IMAGE_MAX && p->p_offset < IMAGE_MAX)
			good = copy_segment(memory, &h, p, fd, chunk);
	}
	h.ehdr.e_shoff = 0;
	h.ehdr.e_shnum = h.ehdr.e_shstrndx = 0;
	good = good && write_all(fd, (const char *)&h.ehdr, sizeof(h.ehdr), 0);
	free(chunk);
	if (good || fd < 0)
		return fd;
	close(fd);
	return -1;
}

int mapped_open(const struct maps *maps, const struct mapping *m, int tid)
{
	struct source memory = {.fd = -1, .tid = tid, .at = find_header(maps, m)};
	char path[PATH_MAX + 32];
	if (!m->inode)
		return make_image(&memory);
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, tid, m->start, m->end);
	int fd = open_file(path);
	if (fd < 0) {
		snprintf(path, sizeof(path), "/proc/%d/root%s", tid, m->path);
		fd = open_checked(path, m, &memory);
	}
	if (fd < 0) {
		snprintf(path, sizeof(path), "/proc/%d/exe", tid);
		fd = open_checked(path, m, &memory);
	}
	return fd < 0 ? make_image(&memory) : fd;
}
