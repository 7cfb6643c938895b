/* The sampler's pure parts: schedule, runs, ring, /proc's formats, symbols, EINTR's rules. */
#include <setjmp.h>
#include <errno.h>
#include <stdio.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sampler/message.h"
#include "sampler/proc.h"
#include "sampler/calls.h"
#include "sampler/ring.h"
#include "sampler/runs.h"
#include "sampler/schedule.h"
#include "sampler/stacker.h"
#include "sampler/symtab.h"
#include "sampler/watchdog.h"
#include "store/sample.h"

/* ---- schedule -------------------------------------------------------------------------- */

static void each_period_has_one_tick_at_a_random_moment(void **state)
{
	(void)state;
	enum { PERIOD = 1000, N = 10000, BINS = 10 };
	struct schedule s;
	int bins[BINS] = {0};
	schedule_start(&s, 5000, PERIOD, 42);
	for (int i = 0; i < N; i++, schedule_next(&s)) {
		int64_t within = s.moment - 5000 - (int64_t)i * PERIOD;
		assert_in_range(within, 0, PERIOD - 1);
		bins[within * BINS / PERIOD]++;
	}
	for (int i = 0; i < BINS; i++) /* N/BINS = 1000, sd 30 */
		assert_in_range(bins[i], 850, 1150);
}

static void a_tick_late_by_a_period_is_missed(void **state)
{
	(void)state;
	struct schedule s;
	int64_t moment, first;
	schedule_start(&s, 0, 100, 7);
	first = s.moment;
	assert_false(schedule_missed(&s, first + 99, &moment));
	assert_true(schedule_missed(&s, first + 100, &moment));
	assert_int_equal(moment, first);
	int n = 1;
	while (schedule_missed(&s, 1000, &moment))
		n++;
	assert_in_range(n, 9, 10);
	assert_true(s.moment > 900);
}

/* ---- runs ------------------------------------------------------------------------------ */

static void check_runs(const struct runs *r, const char *want)
{
	char got[400] = "";
	for (size_t i = 0; i < r->count; i++) {
		const struct tick_run *t = &r->items[i];
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u+%u:%u%c", i ? " " : "",
			 t->tick, t->count, t->stack, "RrSDTg"[t->state & 15]);
	}
	assert_string_equal(got, want);
}

static void a_sleeper_is_sampled_by_silence(void **state)
{
	(void)state;
	struct runs r;
	runs_init(&r, 10);
	runs_ran(&r, 10, STATE_RUNNING, 5);
	runs_sleeps(&r, 11, STATE_SLEEPING, 6);
	runs_ran(&r, 20, STATE_RUNNING, 5);
	runs_ran(&r, 21, STATE_RUNNING, 5);
	runs_sleeps(&r, 22, STATE_DISK, 7);
	runs_complete(&r, 30, 99);
	check_runs(&r, "10+1:5R 11+9:6S 20+2:5R 22+8:7D");
	runs_drop(&r, 25);
	check_runs(&r, "25+5:7D");
	runs_end(&r, 32);
	check_runs(&r, "25+7:7D");
	runs_release(&r);
}

static void ticks_that_wait_get_the_stack_that_comes(void **state)
{
	(void)state;
	struct runs r;
	runs_init(&r, 0);
	runs_ran(&r, 0, STATE_RUNNING, 1);
	runs_waits(&r, 2, STATE_RUNNABLE, 1);
	runs_waits(&r, 3, STATE_RUNNABLE, 1);
	assert_true(runs_unresolved(&r, 2));
	assert_false(runs_unresolved(&r, 1));
	runs_ran(&r, 1, STATE_RUNNABLE, 4);
	assert_false(runs_unresolved(&r, 4));
	check_runs(&r, "0+1:1R 1+3:4r");
	runs_release(&r);
}

static void a_stack_that_never_comes_is_lost_not_dropped(void **state)
{
	(void)state;
	struct runs r;
	runs_init(&r, 0);
	runs_sleeps(&r, 0, STATE_SLEEPING, 3);
	runs_waits(&r, 6, STATE_RUNNABLE, 5);
	runs_waits(&r, 7, STATE_RUNNABLE, 5);
	runs_complete(&r, 7, 99);
	check_runs(&r, "0+5:3S 5+2:99r");
	runs_ran(&r, 5, STATE_RUNNABLE, 4); /* late: only what is still open */
	check_runs(&r, "0+5:3S 5+2:99r 7+1:4r");
	runs_release(&r);
}

static void ticks_of_which_nothing_is_known_stay_empty(void **state)
{
	(void)state;
	struct runs r;
	runs_init(&r, 3);
	runs_ran(&r, 3, STATE_RUNNING, 1);
	runs_ran(&r, 6, STATE_RUNNING, 1);
	runs_complete(&r, 9, 99);
	check_runs(&r, "3+1:1R 6+1:1R");
	runs_release(&r);
}

/* ---- ring ------------------------------------------------------------------------------ */

static void the_ring_keeps_order_across_its_end_and_refuses_when_full(void **state)
{
	(void)state;
	enum { SIZE = 65536, BODY = 1000 };
	struct ring r;
	assert_int_equal(ring_init(&r, SIZE), 0);
	uint32_t in = 0, out = 0;
	for (int round = 0; round < 500; round++) {
		while (1) {
			uint32_t *m = ring_reserve(&r, BODY + 96);
			if (!m)
				break;
			for (int i = 0; i < BODY / 4; i++)
				m[i] = in;
			ring_commit(&r, BODY);
			in++;
		}
		assert_true(in - out >= SIZE / (BODY + 96) - 1);
		for (int k = 0; k < 40 && out < in; k++) {
			const uint32_t *m = ring_peek(&r);
			for (int i = 0; i < BODY / 4; i++)
				assert_int_equal(m[i], out);
			ring_release(&r, BODY);
			out++;
		}
	}
	ring_free(&r);
}

/* ---- /proc ----------------------------------------------------------------------------- */

static void proc_formats_are_read(void **state)
{
	(void)state;
	struct proc_sched sched;
	assert_true(proc_sched_parse("644481 145514 3\n", &sched));
	assert_int_equal(sched.cpu_ns, 644481);
	assert_int_equal(sched.switches, 3);
	assert_false(proc_sched_parse("", &sched));
	assert_false(proc_sched_parse("12", &sched));

	struct proc_syscall call;
	assert_true(proc_syscall_parse("running\n", &call));
	assert_int_equal(call.what, CALL_RUNNING);
	assert_true(proc_syscall_parse("232 0x3 0x7f 0x8 0xffffffff 0x0 0x0 0x7ffd10 0x7f3916\n", &call));
	assert_int_equal(call.what, CALL_BLOCKED);
	assert_int_equal(call.nr, 232);
	assert_int_equal(call.sp, 0x7ffd10);
	assert_int_equal(call.pc, 0x7f3916);
	assert_true(proc_syscall_parse("-1 0x7ffd10 0x401000\n", &call));
	assert_int_equal(call.nr, -1);
	assert_int_equal(call.sp, 0x7ffd10);
	assert_true(proc_syscall_parse("-1 0x0 0x0\n", &call));
	assert_int_equal(call.sp, 0);
	assert_false(proc_syscall_parse("", &call));
	assert_false(proc_syscall_parse("7\n", &call));
}

static void kernel_stacks_are_read(void **state)
{
	(void)state;
	const char text[] = "[<0>] do_epoll_wait+0x5a1/0x6e0\n[<0>] nf_hook+0x1/0x2 [nf_tables]\n\n[<0>] "
			    "entry_SYSCALL_64_after_hwframe+0x76/0x7e";
	const char *at = text, *end = text + strlen(text);
	static const char *const want[] = {"do_epoll_wait", "nf_hook", "entry_SYSCALL_64_after_hwframe"};
	size_t len;
	for (size_t i = 0; i < 3; i++) {
		const char *name = kernel_frame(&at, end, &len);
		assert_non_null(name);
		assert_int_equal(len, strlen(want[i]));
		assert_memory_equal(name, want[i], len);
	}
	assert_null(kernel_frame(&at, end, &len));
}

/* ---- symbols --------------------------------------------------------------------------- */

static const char *name_at(const struct symtab *t, uint64_t addr)
{
	const struct symbol *s = symtab_find(t, addr);
	return s ? s->name : "-";
}

static void one_of_several_aliases_is_chosen(void **state)
{
	(void)state;
	struct symtab t = {0};
	const struct symbol in[] = {
		{100, 150, "__libc_read", 0}, {100, 150, "read", 1},   {100, 150, "__read", 0},
		{200, 200, "label", 2},       {300, 400, "outer", 0},  {320, 330, "inner", 2},
		{400, 400, "edge", 0},        {400, 420, "sized", 2},
	};
	for (size_t i = 0; i < sizeof(in) / sizeof(in[0]); i++)
		symtab_add(&t, &in[i]);
	symtab_finish(&t, true);
	assert_string_equal(name_at(&t, 100), "__read");
	assert_string_equal(name_at(&t, 149), "__read");
	assert_string_equal(name_at(&t, 150), "-");
	assert_string_equal(name_at(&t, 250), "label");
	assert_string_equal(name_at(&t, 325), "inner");
	assert_string_equal(name_at(&t, 331), "outer");
	assert_string_equal(name_at(&t, 399), "outer");
	assert_string_equal(name_at(&t, 400), "sized");
	assert_string_equal(name_at(&t, 50), "-");
	symtab_release(&t);
}

static void a_dynamic_symbol_without_size_names_only_its_address(void **state)
{
	(void)state;
	struct symtab t = {0};
	symtab_add(&t, &(struct symbol){100, 100, "entry", 0});
	symtab_finish(&t, false);
	assert_string_equal(name_at(&t, 100), "entry");
	assert_string_equal(name_at(&t, 101), "-");
	symtab_release(&t);
}

static void names_are_demangled(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"_ZN3foo3barEi", "foo::bar(int)"},
		{"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"},
		{"_RNvC6_123foo3bar", "123foo::bar"},
		{"memcpy@@GLIBC_2.14", "memcpy"},
		{"main.cold", "main.cold"},
		{"_Zounds", "_Zounds"},
		{"go.main", "go.main"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		char *name = symbol_demangle(pairs[i][0]);
		assert_string_equal(name, pairs[i][1]);
		free(name);
	}
}

/* ---- EINTR ----------------------------------------------------------------------------- */

static void calls_that_a_stop_interrupts_go_on(void **state)
{
	(void)state;
	assert_true(call_must_restart(SYS_epoll_pwait, -EINTR, false));
	assert_true(call_must_restart(SYS_semtimedop, -EINTR, false));
	assert_true(call_must_restart(SYS_rt_sigtimedwait, -EINTR, false));
	assert_false(call_must_restart(SYS_epoll_pwait, 0, false));
	assert_false(call_must_restart(SYS_epoll_pwait, -EAGAIN, true));
	assert_false(call_must_restart(SYS_close, -EINTR, true));
	assert_false(call_must_restart(SYS_nanosleep, -516, false));
	assert_true(call_must_restart(SYS_nanosleep, -516, true));
}

static void what_only_waits_is_known(void **state)
{
	(void)state;
	assert_true(call_only_waits(SYS_nanosleep));
	assert_true(call_only_waits(SYS_futex));
	assert_false(call_only_waits(SYS_read));
	assert_false(call_only_waits(-1));
	assert_true(call_was_interrupted(-EINTR));
	assert_true(call_was_interrupted(-514));
	assert_false(call_was_interrupted(0));
	assert_false(call_was_interrupted(-517));
}

static void a_hang_is_a_thread_held_without_a_sign_of_life(void **state)
{
	(void)state;
	const int64_t s = 1000000000;
	assert_false(watchdog_hangs(10 * s, 0, 1));              /* not begun, or over */
	assert_false(watchdog_hangs(10 * s, 8 * s, 0));          /* nobody is held */
	assert_false(watchdog_hangs(10 * s, 10 * s - s / 2, 1)); /* not yet */
	assert_true(watchdog_hangs(10 * s, 10 * s - s * 3 / 4, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_period_has_one_tick_at_a_random_moment),
		cmocka_unit_test(a_tick_late_by_a_period_is_missed),
		cmocka_unit_test(a_sleeper_is_sampled_by_silence),
		cmocka_unit_test(ticks_that_wait_get_the_stack_that_comes),
		cmocka_unit_test(a_stack_that_never_comes_is_lost_not_dropped),
		cmocka_unit_test(ticks_of_which_nothing_is_known_stay_empty),
		cmocka_unit_test(the_ring_keeps_order_across_its_end_and_refuses_when_full),
		cmocka_unit_test(proc_formats_are_read),
		cmocka_unit_test(kernel_stacks_are_read),
		cmocka_unit_test(one_of_several_aliases_is_chosen),
		cmocka_unit_test(a_dynamic_symbol_without_size_names_only_its_address),
		cmocka_unit_test(names_are_demangled),
		cmocka_unit_test(calls_that_a_stop_interrupts_go_on),
		cmocka_unit_test(what_only_waits_is_known),
		cmocka_unit_test(a_hang_is_a_thread_held_without_a_sign_of_life),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
