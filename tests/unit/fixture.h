/* What the store's tests share: a folder that goes with the test, and small recordings. */
#ifndef TESTS_UNIT_FIXTURE_H
#define TESTS_UNIT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/query.h"
#include "store/writer.h"

enum { FIXTURE_TICKS = 99, FIXTURE_THREADS = 8 };

/* Every test has a new folder; state is its path. */
static inline int folder_setup(void **state)
{
	char *path = mem_strdup("/tmp/cprof-test-XXXXXX");
	*state = mkdtemp(path);
	return *state ? 0 : -1;
}

static inline int folder_teardown(void **state)
{
	char command[200];
	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	int rc = system(command);
	free(*state);
	return rc;
}

/* A path in the test's folder, good for the next 15 calls. */
static inline const char *in_folder(void **state, const char *name)
{
	static char paths[16][300];
	static unsigned next;
	char *path = paths[next++ % 16];
	snprintf(path, sizeof(paths[0]), "%s/%s", (char *)*state, name);
	return path;
}

#define GOOD(call)                                                                                 \
	do {                                                                                       \
		struct err good_err = {0};                                                         \
		struct err *err = &good_err;                                                       \
		if ((call) < 0)                                                                    \
			fail_msg("%s: %s", #call, good_err.text);                                  \
	} while (0)

static inline struct store_writer *open_writer(const char *path)
{
	struct writer_opts opts = {.rate_hz = 99, .command = "cprof record -p 812"};
	struct store_writer *w;
	GOOD(writer_open(&w, path, &opts, err));
	return w;
}

static inline struct store *open_store(const char *path, struct names *names)
{
	struct store *s;
	GOOD(store_open(&s, path, names, err));
	return s;
}

/* A native function of a module without lines. */
static inline uint32_t put_frame(struct store_writer *w, enum frame_kind kind, const char *name,
				 uint32_t line)
{
	struct writer_function f = {
		.kind = kind, .name = name, .module = "/usr/lib/libdemo.so", .file = "demo.c"};
	return writer_frame(w, writer_func(w, &f), line);
}

/* A stack of native functions, outermost first, named by single letters: "abc". */
static inline uint32_t put_stack(struct store_writer *w, const char *letters)
{
	uint32_t stack = WRITER_ROOT;
	for (; *letters; letters++) {
		char name[2] = {*letters, 0};
		stack = writer_stack(w, stack, put_frame(w, KIND_NATIVE, name, 10));
	}
	return stack;
}

static inline uint32_t put_process(struct store_writer *w, int pid, const char *name)
{
	struct writer_process p = {
		.pid = pid, .start_ticks = 5000, .name = name, .exe = "/bin/demo"};
	return writer_process(w, &p);
}

/* A second with ticks every 10 ms from 5 on. */
struct simple_second {
	uint16_t ticks[100];
	struct second second;
};

static inline struct second *simple_second(struct simple_second *s, int64_t time, uint32_t process,
					   const struct second_thread *threads, size_t n)
{
	for (unsigned i = 0; i < 100; i++)
		s->ticks[i] = (uint16_t)(5 + 10 * i);
	s->second = (struct second){
		.time = time,
		.process = process,
		.covered_ms = 1000,
		.expected = 100,
		.tick_ms = s->ticks,
		.nticks = 100,
		.threads = threads,
		.nthreads = n,
	};
	return &s->second;
}

/* The tree of a range, finished. */
static inline void read_tree(struct store *s, struct range r, const struct filter *f,
			     struct calltree *t)
{
	struct query q = {.range = r, .filter = f};
	calltree_init(t, store_names(s));
	GOOD(query_tree(s, &q, t, 0, err));
	calltree_finish(t);
}

static inline struct range seconds(int64_t from, int64_t to)
{
	return (struct range){from * NS_PER_S, to * NS_PER_S};
}

/* The node of a path of names under the root, "a/b"; CALLTREE_NONE where there is none. */
static inline uint32_t find_node(const struct calltree *t, const char *path)
{
	uint32_t node = 0;
	while (*path) {
		size_t n = strcspn(path, "/");
		uint32_t child = t->nodes[node].child;
		for (; child != CALLTREE_NONE; child = t->nodes[child].next) {
			const char *name = names_func(t->names, t->nodes[child].func)->name;
			if (strlen(name) == n && !strncmp(name, path, n))
				break;
		}
		if (child == CALLTREE_NONE)
			return CALLTREE_NONE;
		node = child;
		path += n + (path[n] == '/');
	}
	return node;
}

static inline const struct tree_count *count_of(const struct calltree *t, const char *path)
{
	uint32_t node = find_node(t, path);
	if (node == CALLTREE_NONE)
		fail_msg("no node %s", path);
	return &t->nodes[node].side[0];
}

#endif
