/* A synthetic hour: 8 threads of which 2 are busy, 99 Hz, 5,000 distinct stacks 30 deep.
 * Prints what the store costs and how fast it is read. Usage: bench_store [FOLDER [SECONDS]];
 * 0 seconds: only read what is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/place.h"
#include "store/query.h"
#include "store/writer.h"

enum {
	THREADS = 8,
	BUSY = 2,
	HZ = 99,
	DEPTH = 30,
	STACKS = 5000,
	FUNCTIONS = 3000,
	HOUR = 3600,
	ROUNDS = 5
};

static const int64_t START = 1796130000;

static uint64_t seed = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 16) % n);
}

static void check(int result, const struct err *err)
{
	if (result < 0) {
		err_report(err);
		exit(1);
	}
}

static uint32_t make_frame(struct store_writer *w, uint32_t i, uint32_t line)
{
	char name[80], file[80];
	snprintf(name, sizeof(name), "demo::engine::handler_%u(std::string const&)", i);
	snprintf(file, sizeof(file), "src/engine/handler_%u.cc", i / 20);
	struct writer_function f = {
		.kind = KIND_NATIVE,
		.name = name,
		.module = "/usr/lib/libengine.so.1",
		.build_id = "0123456789abcdef0123456789abcdef01234567",
		.file = file,
		.line = i * 10 + 1,
	};
	return writer_frame(w, writer_func(w, &f), i * 10 + 1 + line);
}

/* Stacks branch off an earlier one at a random depth, as those of a program do. */
static void make_stack(struct store_writer *w, uint32_t (*nodes)[DEPTH], uint32_t k)
{
	uint32_t shared = k ? 5 + random_below(DEPTH - 6) : 0, from = k ? random_below(k) : 0;
	for (uint32_t d = 0; d < DEPTH; d++) {
		if (d < shared) {
			nodes[k][d] = nodes[from][d];
			continue;
		}
		uint32_t parent = d ? nodes[k][d - 1] : WRITER_ROOT;
		nodes[k][d] = writer_stack(w, parent,
					   make_frame(w, random_below(FUNCTIONS), random_below(8)));
	}
}

struct generator {
	struct store_writer *w;
	uint32_t process, threads[THREADS], sleep[THREADS];
	uint32_t (*nodes)[DEPTH];
	uint32_t nstacks;
	struct err err;
};

static void write_second(struct generator *g, int64_t i, int64_t seconds)
{
	uint16_t ticks[HZ];
	struct sample_run runs[THREADS][HZ];
	struct second_thread threads[THREADS];
	for (unsigned k = 0; k < HZ; k++)
		ticks[k] = (uint16_t)(k * 1000 / HZ + random_below(4));
	while (g->nstacks < STACKS && (g->nstacks < 50 || g->nstacks < STACKS * (i + 1) / seconds))
		make_stack(g->w, g->nodes, g->nstacks++);
	for (unsigned t = 0; t < THREADS; t++) {
		threads[t] = (struct second_thread){g->threads[t], 0, runs[t], 0};
		if (t >= BUSY) {
			runs[t][0] = (struct sample_run){0, HZ, STATE_SLEEPING, g->sleep[t]};
			threads[t].nruns = 1;
			continue;
		}
		threads[t].cpu_ns = 900000000 + random_below(100000000);
		for (unsigned k = 0; k < HZ; k++) {
			uint32_t among = random_below(3) ? (g->nstacks < 100 ? g->nstacks : 100)
							 : g->nstacks;
			uint32_t s = g->nstacks - 1 - random_below(among);
			runs[t][k] = (struct sample_run){(uint16_t)k, 1, STATE_RUNNING,
							 g->nodes[s][DEPTH - 1]};
		}
		threads[t].nruns = HZ;
	}
	struct second s = {
		.time = START + i,
		.process = g->process,
		.covered_ms = 1000,
		.expected = HZ,
		.tick_ms = ticks,
		.nticks = HZ,
		.stops = BUSY * HZ,
		.stopless = (THREADS - BUSY) * HZ,
		.stopped_ns = 3000000,
		.threads = threads,
		.nthreads = THREADS,
	};
	writer_second(g->w, &s);
	for (unsigned k = 0; k < BUSY * HZ; k++)
		writer_stop_time(g->w, 10000 + random_below(20000));
	check(writer_commit(g->w, &g->err), &g->err);
}

static void write_hour(const char *path, int64_t seconds)
{
	struct generator g = {.nodes = mem_zalloc(STACKS, sizeof(*g.nodes))};
	struct writer_opts opts = {.rate_hz = HZ, .command = "bench_store"};
	check(writer_open(&g.w, path, &opts, &g.err), &g.err);
	struct writer_process p = {.pid = 812, .start_ticks = 5000, .name = "engine"};
	g.process = writer_process(g.w, &p);
	for (int t = 0; t < THREADS; t++) {
		char name[20];
		snprintf(name, sizeof(name), "worker-%d", t);
		g.threads[t] = writer_thread(g.w, g.process, 813 + t, name);
		for (uint32_t d = 0; d < 20; d++)
			g.sleep[t] = writer_stack(g.w, g.sleep[t], make_frame(g.w, d, (uint32_t)t));
	}
	for (int64_t i = 0; i < seconds; i++)
		write_second(&g, i, seconds);
	check(writer_close(g.w, &g.err), &g.err);
	free(g.nodes);
}

static void report(const char *what, int64_t best)
{
	printf("%-28s %8.2f ms\n", what, (double)best / (double)NS_PER_MS);
}

static void read_hour(const char *path)
{
	struct err err;
	struct filter all = FILTER_INIT, text = FILTER_INIT;
	struct filter_term term = {FILTER_MATCH, false, (char *)"handler_12"};
	text.terms = &term;
	text.count = 1;
	static struct heat_cell cells[180000];
	int64_t open = INT64_MAX, tree = INT64_MAX, finish = INT64_MAX, warm = INT64_MAX,
		heat = INT64_MAX, filtered = INT64_MAX, fine = INT64_MAX, idle = INT64_MAX;
	size_t nodes = 0;
#define TIME(best, call)                                                                           \
	do {                                                                                       \
		int64_t begun = clock_mono();                                                      \
		call;                                                                              \
		int64_t took = clock_mono() - begun;                                               \
		best = took < best ? took : best;                                                  \
	} while (0)
	for (int i = 0; i < ROUNDS; i++) {
		struct names *names = names_new();
		struct store *s;
		struct calltree t;
		TIME(open, check(store_open(&s, path, names, &err), &err));
		struct query q = {.range = store_span(s), .filter = &all},
			     qt = {.range = q.range, .filter = &text};
		calltree_init(&t, names);
		TIME(tree, check(query_tree(s, &q, &t, 0, &err), &err));
		TIME(finish, calltree_finish(&t));
		nodes = t.count;
		calltree_release(&t);
		calltree_init(&t, names);
		TIME(warm, check(query_tree(s, &q, &t, 0, &err), &err));
		calltree_release(&t);
		TIME(heat, check(query_heat(s, &q, NS_PER_S, cells, 3600, &err), &err));
		TIME(filtered, check(query_heat(s, &qt, NS_PER_S, cells, 3600, &err), &err));
		TIME(fine, check(query_heat(s, &q, 20 * NS_PER_MS, cells, 180000, &err), &err));
		TIME(idle, check(store_refresh(s, &err), &err));
		store_close(s);
		names_free(names);
	}
#undef TIME
	report("open", open);
	report("tree, dictionaries too", tree);
	report("tree, again", warm);
	report("finish the tree", finish);
	printf("%-28s %8zu\n", "nodes", nodes);
	report("heat by second", heat);
	report("heat by second, text filter", filtered);
	report("heat by 20 ms", fine);
	report("refresh, nothing new", idle);
}

int main(int argc, char **argv)
{
	char temporary[] = "/tmp/cprof-bench-XXXXXX", command[300];
	const char *path = argc > 1 ? argv[1] : mkdtemp(temporary);
	int64_t seconds = argc > 2 ? atoll(argv[2]) : HOUR;
	if (!path || seconds < 0)
		return 2;
	if (!seconds) {
		read_hour(path);
		return 0;
	}
	int64_t begun = clock_mono();
	write_hour(path, seconds);
	double took = (double)(clock_mono() - begun) / (double)NS_PER_S;
	double samples = (double)seconds * THREADS * HZ;
	printf("%-28s %8.0f\n", "samples", samples);
	printf("%-28s %8.2f\n", "bytes a sample", (double)place_bytes(path) / samples);
	printf("%-28s %8.0f samples/s, a commit a second\n", "ingest", samples / took);
	read_hour(path);
	if (argc < 2) {
		snprintf(command, sizeof(command), "rm -rf '%s'", path);
		return system(command) ? 1 : 0;
	}
	return 0;
}
