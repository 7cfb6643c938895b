/* The share of time that a thread is held stays within --max-stop, from the first second on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "sampler/throttle.h"

struct seen {
	double percent; /* held, of the worst thread */
	long taken, ticks, told;
};

/* Sample for a time; each tick that is taken holds the first thread for cost_ns, the second half
 * as long. */
static struct seen run(struct throttle *t, int64_t *now, double seconds, double cost_ns)
{
	struct seen s = {0};
	struct throttle_share shares[2] = {{0, 0}, {0, 0}};
	double held = 0, rate;
	int64_t end = *now + (int64_t)(seconds * NS_PER_S);
	for (; *now < end; *now += (int64_t)(NS_PER_S / t->rate_hz)) {
		s.ticks++;
		s.told += throttle_adjust(t, *now, &rate);
		if (!throttle_take(t))
			continue;
		s.taken++;
		held += cost_ns;
		throttle_held(t, &shares[0], (uint64_t)cost_ns);
		throttle_held(t, &shares[1], (uint64_t)(cost_ns / 2));
	}
	s.percent = held * 100 / (seconds * NS_PER_S);
	return s;
}

static void test_cheap_stops_take_all(void **state)
{
	(void)state;
	struct throttle t;
	int64_t now = 0;
	throttle_init(&t, 99, 5, now);
	struct seen s = run(&t, &now, 10, 40e3);
	assert_int_equal(s.taken, s.ticks);
	assert_int_equal(s.told, 0);
}

static void test_first_second_is_within_the_bound(void **state)
{
	(void)state;
	struct throttle t;
	int64_t now = 0;
	throttle_init(&t, 10000, 5, now);
	struct seen s = run(&t, &now, 1, 50e3);
	assert_true(s.percent <= 5);
	assert_true(s.percent >= 4);
	assert_true(s.told >= 1);
}

static void test_follows_the_cost_up_and_down(void **state)
{
	(void)state;
	struct throttle t;
	int64_t now = 0;
	throttle_init(&t, 1000, 5, now);
	run(&t, &now, 2, 20e3);
	run(&t, &now, 3, 200e3); /* follows */
	struct seen dear = run(&t, &now, 5, 200e3);
	assert_true(dear.percent <= 5);
	assert_true(dear.percent >= 4);
	run(&t, &now, 4, 20e3);
	struct seen cheap = run(&t, &now, 5, 20e3);
	assert_int_equal(cheap.taken, cheap.ticks);
}

static void test_one_long_stop_changes_little(void **state)
{
	(void)state;
	struct throttle t;
	int64_t now = 0;
	throttle_init(&t, 999, 5, now);
	run(&t, &now, 5, 20e3);
	struct throttle_share share = {0, 0};
	throttle_held(&t, &share, 4 * NS_PER_MS);
	struct seen s = run(&t, &now, 1, 20e3);
	assert_true(s.taken > s.ticks * 9 / 10);
}

static void test_never_ends(void **state)
{
	(void)state;
	struct throttle t;
	int64_t now = 0;
	throttle_init(&t, 1000, 0.01, now);
	struct seen s = run(&t, &now, 20, 5e6);
	assert_true(s.taken > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cheap_stops_take_all),
		cmocka_unit_test(test_first_second_is_within_the_bound),
		cmocka_unit_test(test_follows_the_cost_up_and_down),
		cmocka_unit_test(test_one_long_stop_changes_little),
		cmocka_unit_test(test_never_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
