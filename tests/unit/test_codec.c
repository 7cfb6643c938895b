/* The codec: what is encoded is decoded, in parts and alone, and no bytes make it crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "store/codec.h"
#include "store/record.h"
#include "store/stops.h"

enum { MAX_PARTS = 400 };

struct parts {
	struct buf part[MAX_PARTS];
	size_t count;
};

static void take_part(void *arg, const void *p, size_t n)
{
	struct parts *to = arg;
	assert_true(to->count < MAX_PARTS);
	assert_true(n <= CODEC_VALUE_BYTES);
	buf_bytes(&to->part[to->count++], p, n);
}

static void parts_free(struct parts *p)
{
	for (size_t i = 0; i < p->count; i++)
		buf_free(&p->part[i]);
	p->count = 0;
}

struct sum {
	uint64_t samples, cpu_ns, on_cpu;
	uint64_t stacks; /* of stack numbers, by sample */
	uint64_t heads;
};

static struct sum decode(const struct parts *p)
{
	struct log_part *part = mem_alloc(sizeof(*part));
	struct log_thread *t = mem_alloc(sizeof(*t));
	struct sum sum = {0};
	for (size_t i = 0; i < p->count; i++) {
		/* a copy of the exact size: a read past the end is seen by the sanitizer */
		void *exact = mem_alloc(p->part[i].len);
		memcpy(exact, p->part[i].data, p->part[i].len);
		assert_int_equal(codec_part(part, exact, p->part[i].len), 0);
		sum.heads += !part->continued;
		int more;
		while ((more = codec_thread(part, t)) > 0) {
			sum.cpu_ns += t->cpu_ns;
			sum.on_cpu += t->on_cpu;
			for (uint32_t k = 0; k < t->nruns; k++) {
				sum.samples += t->runs[k].count;
				sum.stacks += (uint64_t)t->runs[k].stack * t->runs[k].count;
			}
		}
		assert_int_equal(more, 0);
		free(exact);
	}
	free(part);
	free(t);
	return sum;
}

/* A second with `nthreads` threads whose runs are random. */
struct made {
	struct second second;
	uint16_t ticks[1000];
	struct second_thread *threads;
	struct sum sum;
};

static void make_second(struct made *m, uint32_t nticks, size_t nthreads)
{
	memset(m, 0, sizeof(*m));
	for (uint32_t i = 0; i < nticks; i++)
		m->ticks[i] =
			(uint16_t)(i * 1000 / nticks + (nticks < 300 ? (uint32_t)rand() % 3 : 0));
	m->threads = mem_zalloc(nthreads, sizeof(*m->threads));
	m->sum.heads = 1;
	for (size_t t = 0; t < nthreads; t++) {
		struct sample_run *runs = mem_zalloc(nticks, sizeof(*runs));
		size_t n = 0;
		for (uint32_t at = 0; at < nticks;) {
			at += rand() % 4 ? 0 : (uint32_t)rand() % 5;
			uint32_t left = at < nticks ? nticks - at : 0;
			uint32_t count = rand() % 3 ? 1 : 1 + (uint32_t)rand() % 100;
			count = count > left ? left : count;
			if (!count)
				break;
			runs[n] = (struct sample_run){
				(uint16_t)at, (uint16_t)count, (uint8_t)(rand() % STATE_COUNT),
				rand() % 3 ? (uint32_t)rand() % 9 : (uint32_t)rand() * 2u};
			m->sum.samples += count;
			m->sum.stacks += (uint64_t)runs[n].stack * count;
			m->sum.on_cpu += state_on_cpu(runs[n].state) ? count : 0;
			n++;
			at += count;
		}
		uint64_t cpu = rand() % 4 ? (uint64_t)rand() : 0;
		m->sum.cpu_ns += cpu;
		m->threads[t] = (struct second_thread){(uint32_t)rand() % 100000, cpu, runs, n};
	}
	m->second = (struct second){
		.covered_ms = 1000,
		.expected = nticks + 3,
		.missed = 3,
		.tick_ms = m->ticks,
		.nticks = nticks,
		.threads = m->threads,
		.nthreads = nthreads,
	};
}

static void made_free(struct made *m)
{
	for (size_t t = 0; t < m->second.nthreads; t++)
		free((void *)m->threads[t].runs);
	free(m->threads);
}

static void seconds_round_trip(void **state)
{
	(void)state;
	static const uint32_t ticks[] = {0, 1, 2, 99, 249, 999, 1000};
	static const size_t threads[] = {0, 1, 2, 8, 100};
	struct made m;
	static struct parts p;
	srand(3);
	for (size_t i = 0; i < 7; i++)
		for (size_t k = 0; k < 5; k++) {
			make_second(&m, ticks[i], threads[k]);
			if (ticks[i] * threads[k] <= 50000)
				codec_encode(&m.second, take_part, &p);
			else
				p.count = 0;
			struct sum sum = decode(&p);
			if (p.count)
				assert_memory_equal(&sum, &m.sum, sizeof(sum));
			parts_free(&p);
			made_free(&m);
		}
}

static void ticks_and_runs_come_back(void **state)
{
	(void)state;
	static const uint16_t ticks[] = {3, 13, 24, 33, 500, 999};
	static const struct sample_run runs[] = {{0, 1, STATE_RUNNING, 70000},
						 {1, 2, STATE_SLEEPING, 5},
						 {5, 1, STATE_GIL_WAIT, 70000}};
	struct second_thread thread = {42, 12345678901, runs, 3};
	struct second s = {.covered_ms = 700,
			   .expected = 7,
			   .missed = 1,
			   .tick_ms = ticks,
			   .nticks = 6,
			   .threads = &thread,
			   .nthreads = 1};
	static struct parts p;
	static struct log_part part;
	static struct log_thread t;
	codec_encode(&s, take_part, &p);
	assert_int_equal(p.count, 1);
	assert_int_equal(codec_part(&part, p.part[0].data, p.part[0].len), 0);
	assert_int_equal(part.covered_ms, 700);
	assert_int_equal(part.expected, 7);
	assert_int_equal(part.missed, 1);
	assert_int_equal(part.nticks, 6);
	assert_memory_equal(part.tick_ms, ticks, sizeof(ticks));
	assert_int_equal(codec_thread(&part, &t), 1);
	assert_int_equal(t.thread, 42);
	assert_int_equal(t.cpu_ns, 12345678901);
	assert_int_equal(t.nruns, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(t.runs[i].tick, runs[i].tick);
		assert_int_equal(t.runs[i].count, runs[i].count);
		assert_int_equal(t.runs[i].state, runs[i].state);
		assert_int_equal(t.runs[i].stack, runs[i].stack);
	}
	assert_int_equal(codec_thread(&part, &t), 0);
	parts_free(&p);
}

static void a_sleeping_thread_is_a_handful_of_bytes(void **state)
{
	(void)state;
	uint16_t ticks[99];
	for (uint16_t i = 0; i < 99; i++)
		ticks[i] = (uint16_t)(i * 10);
	struct sample_run run = {0, 99, STATE_SLEEPING, 40000};
	struct second_thread one = {7, 0, &run, 1};
	struct second s = {.covered_ms = 1000, .expected = 99, .tick_ms = ticks, .nticks = 99};
	static struct parts empty, p;
	codec_encode(&s, take_part, &empty);
	s.threads = &one;
	s.nthreads = 1;
	codec_encode(&s, take_part, &p);
	assert_true(p.part[0].len - empty.part[0].len <= 10);
	parts_free(&empty);
	parts_free(&p);
}

static void wrong_runs_are_left_out(void **state)
{
	(void)state;
	static const uint16_t ticks[] = {1, 2, 3};
	static const struct sample_run runs[] = {{0, 2, STATE_RUNNING, 1},
						 {1, 1, STATE_RUNNING, 2},
						 {2, 9, 0, 3},
						 {2, 0, 0, 3},
						 {2, 1, 200, 3}};
	struct second_thread thread = {0, 10, runs, 5};
	struct second s = {
		.tick_ms = ticks, .nticks = 3, .threads = &thread, .nthreads = 1, .expected = 3};
	static struct parts p;
	codec_encode(&s, take_part, &p);
	struct sum sum = decode(&p);
	assert_int_equal(sum.samples, 2);
	assert_int_equal(sum.cpu_ns, 10);
	struct heat h = heat_of(&s);
	assert_int_equal(h.running, 2);
	parts_free(&p);
}

/* Flip, cut and make up bytes: an error or not, but bounded. */
static void try_bytes(const void *bytes, size_t n)
{
	static struct log_part part;
	static struct log_thread t;
	void *exact = mem_alloc(n);
	memcpy(exact, bytes, n);
	if (!codec_part(&part, exact, n)) {
		int more, threads = 0;
		while ((more = codec_thread(&part, &t)) > 0) {
			assert_true(t.nruns <= part.nticks);
			for (uint32_t i = 0; i < t.nruns; i++)
				assert_true(t.runs[i].tick + t.runs[i].count <= (int)part.nticks &&
					    t.runs[i].state < STATE_COUNT);
			assert_true(++threads <= (int)n);
		}
	}
	struct heat h;
	heat_decode(exact, n, &h);
	static struct stops stops;
	stops_decode(exact, n, &stops);
	struct unpacker u;
	const char *s;
	size_t len;
	struct func_record f;
	struct frame_record frame;
	struct stack_record stack;
	struct process_record process;
	struct thread_record thread;
	for (unpacker_init(&u, 0, exact, n); unpack_string(&u, &s, &len);)
		assert_true(len <= n);
	for (unpacker_init(&u, 0, exact, n); unpack_func(&u, &f);)
		;
	for (unpacker_init(&u, 0, exact, n); unpack_frame(&u, &frame);)
		;
	for (unpacker_init(&u, 1, exact, n); unpack_stack(&u, &stack);)
		assert_true(stack.parent < u.next);
	for (unpacker_init(&u, 0, exact, n); unpack_process(&u, &process);)
		;
	for (unpacker_init(&u, 0, exact, n); unpack_thread(&u, &thread);)
		;
	free(exact);
}

static void any_bytes_are_survived(void **state)
{
	(void)state;
	static struct parts p;
	struct made m;
	srand(4);
	make_second(&m, 99, 8);
	codec_encode(&m.second, take_part, &p);
	for (int i = 0; i < 30000; i++) {
		unsigned char bytes[CODEC_VALUE_BYTES];
		const struct buf *from = &p.part[(size_t)rand() % p.count];
		size_t n = from->len;
		memcpy(bytes, from->data, n);
		if (rand() % 3 == 0)
			n = (size_t)rand() % (n + 1);
		for (int flips = rand() % 5; n && flips > 0; flips--)
			bytes[(size_t)rand() % n] = (unsigned char)rand();
		if (rand() % 10 == 0)
			for (size_t k = 0; k < n; k++)
				bytes[k] = (unsigned char)(rand() % 2 ? 0xff : rand());
		try_bytes(bytes, n);
	}
	parts_free(&p);
	made_free(&m);
}

static void varints(void **state)
{
	(void)state;
	static const uint64_t numbers[] = {
		0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_C(1) << 35, UINT64_MAX};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct buf b = BUF_INIT;
		bytes_put_varint(&b, numbers[i]);
		struct bytes_in in = bytes_of(b.data, b.len);
		assert_true(bytes_varint(&in) == numbers[i] && in.at == in.end && !in.bad);
		buf_bytes(&b, "12345678", 8);
		in = bytes_of(b.data, b.len);
		assert_true(bytes_varint_quick(&in) == numbers[i] && in.end - in.at == 8 &&
			    !in.bad);
		for (size_t n = 0; n + 8 < b.len; n++) {
			in = bytes_of(b.data, n);
			bytes_varint(&in);
			assert_true(in.bad);
		}
		buf_free(&b);
	}
	struct bytes_in in = bytes_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);
	bytes_varint(&in);
	assert_true(in.bad);
	static const uint32_t pairs[] = {0, 1, 5, 70000, INT32_MAX, UINT32_MAX};
	for (size_t i = 0; i < 6; i++)
		for (size_t k = 0; k < 6; k++)
			assert_int_equal(bytes_unzigzag(pairs[i], bytes_zigzag(pairs[i], pairs[k])),
					 pairs[k]);
}

static void shares_add_up(void **state)
{
	(void)state;
	srand(5);
	for (int i = 0; i < 2000; i++) {
		uint32_t n = 1 + (uint32_t)rand() % CODEC_MAX_TICKS;
		uint64_t sum = (uint64_t)rand() * (uint64_t)(rand() % 1000), got = 0;
		struct spread s = spread_of(sum, n);
		for (uint32_t left = n; left;) {
			uint32_t take = 1 + (uint32_t)rand() % left;
			uint32_t before = n - left, after = before + take;
			uint64_t share = spread_take(&s, take);
			assert_int_equal(share, (uint64_t)((__int128)sum * after / n -
							   (__int128)sum * before / n));
			got += share;
			left -= take;
		}
		assert_int_equal(got, sum);
	}
}

struct kept {
	struct buf value;
	uint32_t firsts[1000];
	size_t ends[1000], count;
};

static int keep_value(void *arg, uint32_t first, const void *p, size_t n)
{
	struct kept *k = arg;
	k->firsts[k->count] = first;
	buf_bytes(&k->value, p, n);
	k->ends[k->count++] = k->value.len;
	return 0;
}

static void dictionaries_round_trip(void **state)
{
	(void)state;
	enum { COUNT = 5000 };
	static struct kept k;
	static struct stack_record stacks[COUNT];
	struct packer p;
	srand(6);
	packer_init(&p, 1, CODEC_VALUE_BYTES, keep_value, &k);
	for (uint32_t i = 1; i < COUNT; i++) {
		stacks[i] = (struct stack_record){(uint32_t)rand() % i, (uint32_t)rand() % 20000};
		pack_stack(&p, &stacks[i]);
	}
	assert_int_equal(packer_finish(&p), 0);
	uint32_t n = 1;
	for (size_t i = 0, from = 0; i < k.count; from = k.ends[i++]) {
		struct unpacker u;
		struct stack_record r;
		assert_true(k.ends[i] - from <= CODEC_VALUE_BYTES);
		assert_int_equal(k.firsts[i], n);
		for (unpacker_init(&u, n, k.value.data + from, k.ends[i] - from);
		     unpack_stack(&u, &r); n++)
			assert_memory_equal(&r, &stacks[n], sizeof(r));
		assert_false(u.in.bad);
	}
	assert_int_equal(n, COUNT);
	buf_free(&k.value);
}

static void stop_times(void **state)
{
	(void)state;
	static struct stops s, back;
	for (uint64_t ns = 1; ns <= 100000; ns++)
		stops_add(&s, ns * 10);
	assert_true(llabs((long long)stops_quantile(&s, 0.5) - 500000) < 25000);
	assert_true(llabs((long long)stops_quantile(&s, 0.99) - 990000) < 50000);
	assert_int_equal(s.max_ns, 1000000);
	stops_add(&s, UINT64_MAX);
	struct buf b = BUF_INIT;
	stops_encode(&b, &s);
	assert_int_equal(stops_decode(b.data, b.len, &back), 0);
	assert_memory_equal(&s, &back, sizeof(s));
	buf_free(&b);
	memset(&s, 0, sizeof(s));
	assert_int_equal(stops_quantile(&s, 0.5), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(varints),
		cmocka_unit_test(shares_add_up),
		cmocka_unit_test(seconds_round_trip),
		cmocka_unit_test(ticks_and_runs_come_back),
		cmocka_unit_test(a_sleeping_thread_is_a_handful_of_bytes),
		cmocka_unit_test(wrong_runs_are_left_out),
		cmocka_unit_test(any_bytes_are_survived),
		cmocka_unit_test(dictionaries_round_trip),
		cmocka_unit_test(stop_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
