/* What must not hurt a store: two writers, kill -9, foreign folders, newer versions, damage. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fixture.h"

#include "base/buf.h"
#include "store/place.h"

static const int64_t T0 = 1796130451;

/* One second of one thread that runs in a stack of its own: abc, and a number. */
static void write_one(struct store_writer *w, int64_t time)
{
	char name[32];
	uint32_t p = put_process(w, 812, "demo");
	snprintf(name, sizeof(name), "f%lld", (long long)time);
	uint32_t stack = writer_stack(w, put_stack(w, "abc"), put_frame(w, KIND_NATIVE, name, 1));
	const struct sample_run run = {0, 100, STATE_RUNNING, stack};
	const struct second_thread thread = {writer_thread(w, p, 813, "worker"), 1000000007, &run,
					     1};
	struct simple_second s;
	writer_second(w, simple_second(&s, time, p, &thread, 1));
}

static void write_seconds(const char *path, int n)
{
	struct store_writer *w = open_writer(path);
	for (int i = 0; i < n; i++) {
		write_one(w, T0 + i);
		GOOD(writer_commit(w, err));
	}
	GOOD(writer_close(w, err));
}

struct total {
	uint64_t samples, ns;
};

/* All of a store: every query. 0, or -1 with a line in err. */
static int read_all(const char *path, struct total *total, struct err *err)
{
	struct names *names = names_new();
	struct store *s = NULL;
	struct filter f = FILTER_INIT;
	struct calltree t;
	calltree_init(&t, names);
	int result = store_open(&s, path, names, err);
	if (!result) {
		struct query q = {.range = store_span(s), .filter = &f};
		static struct heat_cell cells[1000];
		struct thread_rows rows = {0};
		struct event_rows events = {0};
		struct store_info info;
		result = query_tree(s, &q, &t, 0, err) ||
					 query_heat(s, &q, NS_PER_S, cells, 1000, err) ||
					 query_threads(s, &q, &rows, err) ||
					 query_events(s, q.range, &events, err) ||
					 query_info(s, &info, err)
				 ? -1
				 : 0;
		if (!result && store_damage(s))
			result = err_set(err, ERR_FAILED, "%s", store_damage(s));
		thread_rows_release(&rows);
		event_rows_release(&events);
	}
	calltree_finish(&t);
	if (total)
		*total = (struct total){t.nodes[0].side[0].total, t.nodes[0].side[0].total_ns};
	calltree_release(&t);
	store_close(s);
	names_free(names);
	return result;
}

static char *only_segment(const char *path)
{
	struct buf b = BUF_INIT;
	DIR *d = opendir(path);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		if (!strncmp(e->d_name, "seg-", 4))
			buf_fmt(&b, "%s/%s/data.mdb", path, e->d_name);
	closedir(d);
	return buf_take(&b);
}

/* ---- two at a time ---- */

static void reading_while_another_writes(void **state)
{
	enum { SECONDS = 400 };
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	GOOD(writer_close(w, err));
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		write_seconds(path, SECONDS);
		_exit(0);
	}
	struct names *names = names_new();
	struct store *s = open_store(path, names);
	struct filter f = FILTER_INIT;
	int64_t seen = 0;
	bool done = false;
	for (;;) {
		GOOD(store_refresh(s, err));
		struct range span = store_span(s);
		int64_t n = (span.to - span.from) / NS_PER_S;
		struct calltree t;
		read_tree(s, span, &f, &t);
		/* whole seconds, never a torn one, and never less than before */
		assert_int_equal(t.nodes[0].side[0].total, n * 100);
		assert_int_equal(t.nodes[0].side[0].total_ns, n * 1000000007);
		assert_int_equal(find_node(&t, "[no stack]"), CALLTREE_NONE);
		calltree_release(&t);
		assert_true(n >= seen);
		seen = n;
		if (done)
			break;
		done = waitpid(child, NULL, WNOHANG) == child;
	}
	assert_int_equal(seen, SECONDS);
	store_close(s);
	names_free(names);
}

static void second_writer_is_told_who_holds(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path), *other;
	struct writer_opts opts = {.rate_hz = 99};
	struct err why = {0};
	char pid[20];
	snprintf(pid, sizeof(pid), "pid %d", (int)getpid());
	assert_int_equal(writer_open(&other, path, &opts, &why), -1);
	assert_non_null(strstr(why.text, pid));
	GOOD(writer_close(w, err));
	w = open_writer(path);
	GOOD(writer_close(w, err));
}

static void kill_loses_only_what_was_not_committed(void **state)
{
	const char *path = in_folder(state, "s");
	int ready[2];
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct store_writer *w = open_writer(path);
		for (int64_t i = 0;; i++) {
			write_one(w, T0 + i);
			if (i == 50) {
				ssize_t n = write(ready[1], "x", 1);
				(void)n;
			}
			GOOD(writer_commit(w, err));
		}
	}
	char c;
	assert_int_equal(read(ready[0], &c, 1), 1);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(ready[0]);
	close(ready[1]);
	struct total total;
	struct err why = {0};
	if (read_all(path, &total, &why))
		fail_msg("%s", why.text);
	assert_true(total.samples >= 50 * 100 && total.samples % 100 == 0);
	uint64_t before = total.samples;
	struct store_writer *w = open_writer(path); /* the dead recorder's lock is free */
	write_one(w, T0 + 100000);
	GOOD(writer_close(w, err));
	assert_int_equal(read_all(path, &total, &why), 0);
	assert_int_equal(total.samples, before + 100);
}

/* ---- what is no store ---- */

static char *listing(const char *path)
{
	char command[400];
	struct buf b = BUF_INIT;
	snprintf(command, sizeof(command),
		 "ls -lan --time-style=full-iso '%s'; cat '%s'/* 2>/dev/null", path, path);
	FILE *f = popen(command, "r");
	assert_non_null(f);
	for (int c; (c = fgetc(f)) != EOF;)
		buf_char(&b, (char)c);
	pclose(f);
	return buf_take(&b);
}

static void expect_refused(const char *path, const char *word)
{
	struct writer_opts opts = {.rate_hz = 99};
	struct store_writer *w;
	struct err why = {0};
	char *before = listing(path);
	assert_int_equal(writer_open(&w, path, &opts, &why), -1);
	assert_null(w);
	assert_int_equal(why.code, ERR_FAILED);
	if (!strstr(why.text, word))
		fail_msg("no \"%s\" in: %s", word, why.text);
	char *after = listing(path);
	assert_string_equal(before, after);
	free(before);
	free(after);
	assert_int_equal(read_all(path, NULL, &why), -1);
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void foreign_folders_are_refused(void **state)
{
	const char *path = in_folder(state, "s");
	assert_int_equal(mkdir(path, 0700), 0);
	put_file(in_folder(state, "s/data.mdb"), "someone's");
	expect_refused(path, "no cprof store");
	put_file(in_folder(state, "file"), "text");
	expect_refused(in_folder(state, "file"), "no cprof store");
	assert_int_equal(mkdir(in_folder(state, "t"), 0700), 0);
	put_file(in_folder(state, "t/format"), "jpeg\n");
	expect_refused(in_folder(state, "t"), "no cprof store");
}

static void newer_versions_are_refused(void **state)
{
	const char *path = in_folder(state, "s");
	write_seconds(path, 1);
	put_file(in_folder(state, "s/format"), "cprof store 2\n");
	expect_refused(path, "newer");
}

static void empty_folder_becomes_a_store(void **state)
{
	const char *path = in_folder(state, "s");
	struct err why = {0};
	assert_int_equal(read_all(path, NULL, &why), -1); /* missing */
	assert_int_equal(mkdir(path, 0700), 0);
	write_seconds(path, 2);
	assert_int_equal(read_all(path, NULL, &why), 0);
}

static void read_only_store(void **state)
{
	char command[400];
	const char *path = in_folder(state, "s");
	write_seconds(path, 5);
	snprintf(command, sizeof(command), "chmod -R a-w,a+rX '%s' '%s'", path, (char *)*state);
	assert_int_equal(system(command), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct total total;
		struct err why = {0};
		if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
			_exit(3);
		_exit(read_all(path, &total, &why) ? 1 : total.samples == 500 ? 0 : 2);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	snprintf(command, sizeof(command), "chmod -R u+w '%s'", (char *)*state);
	assert_int_equal(system(command), 0);
}

/* ---- damage ---- */

static void truncated_is_an_error(void **state)
{
	const char *path = in_folder(state, "s");
	write_seconds(path, 300);
	char *data = only_segment(path);
	struct stat st;
	assert_int_equal(stat(data, &st), 0);
	static const int percent[] = {75, 50, 25, 10, 1, 0};
	for (size_t i = 0; i < 6; i++) {
		struct err why = {0};
		assert_int_equal(truncate(data, st.st_size * percent[i] / 100), 0);
		assert_int_equal(read_all(path, NULL, &why), -1);
		assert_int_equal(why.code, ERR_FAILED);
		assert_non_null(strstr(why.text, "cannot"));
		assert_null(strchr(why.text, '\n'));
	}
	free(data);
	/* the other segments are read, and a recorder may go on */
	struct store_writer *w = open_writer(path);
	write_one(w, T0 + 86400);
	GOOD(writer_close(w, err));
	struct total total;
	struct err why = {0};
	assert_int_equal(read_all(path, &total, &why), -1); /* told */
	assert_int_equal(total.samples, 100);
}

static void flipped_bytes_do_not_crash(void **state)
{
	const char *path = in_folder(state, "s");
	write_seconds(path, 100);
	char *data = only_segment(path);
	struct stat st;
	assert_int_equal(stat(data, &st), 0);
	size_t n = (size_t)st.st_size;
	unsigned char *good = mem_alloc(n), *bad = mem_alloc(n);
	int fd = open(data, O_RDWR);
	assert_int_equal(pread(fd, good, n, 0), n);
	srand(7);
	int told = 0;
	for (int i = 0; i < 400; i++) {
		memcpy(bad, good, n);
		size_t page = (size_t)rand() % (n / 4096) * 4096;
		for (int k = 1 + rand() % 8; k > 0; k--) /* mostly heads of pages, where it hurts */
			bad[page + (size_t)rand() % (rand() % 2 ? 64 : 4096)] =
				(unsigned char)rand();
		assert_int_equal(pwrite(fd, bad, n, 0), n);
		struct err why = {0};
		if (read_all(path, NULL, &why)) {
			assert_true(why.text[0]);
			told++;
		}
	}
	assert_true(told > 30); /* the others hit what nobody reads, or what has no check */
	close(fd);
	free(good);
	free(bad);
	free(data);
}

/* ---- a full disk, as far as a test can make one ---- */

static void failed_commit_can_be_tried_again(void **state)
{
	const char *path = in_folder(state, "s");
	struct store_writer *w = open_writer(path);
	struct rlimit was, small = {.rlim_cur = 400 << 10};
	struct err why = {0};
	struct total total;
	int committed = 0;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_IGN);
	small.rlim_max = was.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small),
			 0); /* EFBIG where a full disk says ENOSPC */
	for (int i = 0; i < 2000 && !why.text[0]; i++) {
		write_one(w, T0 + i);
		committed += !writer_commit(w, &why);
	}
	assert_true(why.text[0] && committed > 5);
	write_one(w, T0 + 5000);
	assert_int_equal(writer_commit(w, &why), -1); /* as long as it lasts */
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_int_equal(read_all(path, &total, &why), 0);
	assert_int_equal(total.samples, committed * 100);
	write_one(w, T0 + 6000);
	GOOD(writer_commit(w, err));
	GOOD(writer_close(w, err));
	assert_int_equal(read_all(path, &total, &why), 0);
	assert_int_equal(total.samples, (committed + 1) * 100);
	assert_int_equal(total.ns, (committed + 1) * 1000000007ll);
}

/* ---- places ---- */

static void places(void **state)
{
	setenv("XDG_STATE_HOME", *state, 1);
	struct err why = {0};
	struct recording *list;
	assert_null(place_latest(&why));
	char *a = place_new("my proc/\x1b", 812, T0 * NS_PER_S, &why);
	assert_non_null(a);
	assert_non_null(strstr(a, "/cprof/my_proc__-812-20261201T130731Z"));
	char *b = place_new("my proc/\x1b", 812, T0 * NS_PER_S, &why);
	assert_string_not_equal(a, b);
	write_seconds(a, 2);
	struct store_writer *w = open_writer(b);
	write_one(w, T0 + 50);
	GOOD(writer_commit(w, err));
	const int pids[] = {812, 900};
	GOOD(writer_announce(w, pids, 2, err));
	assert_int_equal(mkdir(in_folder(state, "cprof/foreign"), 0700), 0);

	assert_int_equal(place_list(&list), 2);
	assert_string_equal(list[0].path, b);
	assert_true(list[0].live);
	assert_false(list[1].live);
	assert_int_equal(list[1].start, T0 * NS_PER_S);
	assert_true(list[1].bytes > 4096);
	recordings_free(list, 2);
	char *found = place_recording(900);
	assert_string_equal(found, b);
	free(found);
	assert_null(place_recording(901));
	found = place_latest(&why);
	assert_string_equal(found, b);
	free(found);
	found = place_resolve(strrchr(a, '/') + 1);
	assert_string_equal(found, a);
	free(found);
	found = place_resolve("x/y");
	assert_string_equal(found, "x/y");
	free(found);

	/* a recorder elsewhere is found by its target, while it runs */
	struct store_writer *other = open_writer(in_folder(state, "elsewhere"));
	GOOD(writer_announce(other, (const int[]){77}, 1, err));
	found = place_recording(77);
	assert_non_null(found);
	assert_string_equal(found, writer_path(other));
	free(found);
	assert_int_equal(place_list(&list), 3);
	recordings_free(list, 3);
	GOOD(writer_close(other, err));
	assert_null(place_recording(77));

	/* too old, too large: the live one stays, and what is no store */
	int64_t later = clock_real() + 100 * NS_PER_S;
	assert_int_equal(place_retain(later, 3600 * NS_PER_S, UINT64_MAX), 0);
	assert_int_equal(place_retain(later, NS_PER_S, 0), 1);
	assert_int_equal(place_list(&list), 1);
	recordings_free(list, 1);
	GOOD(writer_close(w, err));
	assert_int_equal(place_retain(later, 3600 * NS_PER_S, 1), 1);
	assert_int_equal(access(in_folder(state, "cprof/foreign"), F_OK), 0);
	free(a);
	free(b);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
		TEST(reading_while_another_writes),
		TEST(second_writer_is_told_who_holds),
		TEST(kill_loses_only_what_was_not_committed),
		TEST(foreign_folders_are_refused),
		TEST(newer_versions_are_refused),
		TEST(empty_folder_becomes_a_store),
		TEST(read_only_store),
		TEST(truncated_is_an_error),
		TEST(flipped_bytes_do_not_crash),
		TEST(failed_commit_can_be_tried_again),
		TEST(places),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
