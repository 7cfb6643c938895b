/* Options: what is accepted, what is refused with which line, what --help says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "cmd/options.h"

static const struct command record = {.id = CMD_RECORD,
				      .name = "record",
				      .usage = "...",
				      .takes_command = true,
				      .needs_target = true};
static const struct command report = {
	.id = CMD_REPORT, .name = "report", .usage = "[STORE]", .max_args = 1};
static const struct command diff = {
	.id = CMD_DIFF, .name = "diff", .usage = "STORE", .min_args = 1, .max_args = 2};

static struct options o;
static struct err err;

/* Parse a line of words; blanks part them. The words stay valid until the next call. */
static int parse(const struct command *c, const char *line)
{
	static char words[400];
	static char *argv[40];
	int argc = 0;
	err = (struct err){0};
	snprintf(words, sizeof(words), "%s %s", c->name, line);
	for (char *save, *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	return options_parse(&o, c, argc, argv, &err);
}

static void refused(const struct command *c, const char *line, const char *says)
{
	if (!parse(c, line))
		fail_msg("accepted: %s", line);
	assert_int_equal(err_status(&err), 2);
	if (!strstr(err.text, says))
		fail_msg("%s: '%s' lacks '%s'", line, err.text, says);
	assert_null(strchr(err.text, '\n'));
}

static void defaults(void **state)
{
	(void)state;
	assert_int_equal(parse(&report, ""), 0);
	assert_true(o.rate > 98.9 && o.rate < 99.1);
	assert_int_equal(o.format, FORMAT_TEXT);
	assert_int_equal(o.by, BY_FUNCTION);
	assert_int_equal(o.limit, -1);
	assert_int_equal(o.step_ns, NS_PER_S);
	assert_int_equal(o.filter.weight, WEIGHT_CPU);
	assert_null(o.command_argv);
	options_release(&o);
}

static void pids(void **state)
{
	(void)state;
	assert_int_equal(parse(&record, "-p 12,7,12 --pid 9"), 0);
	assert_int_equal(o.npids, 3);
	assert_int_equal(o.pids[0], 12);
	assert_int_equal(o.pids[1], 7);
	assert_int_equal(o.pids[2], 9);
	options_release(&o);
	refused(&record, "-p 0", "'0' is not a process id");
	refused(&record, "-p 12,", "is not a process id");
	refused(&record, "-p ,", "is not a process id");
	refused(&record, "-p 1.5", "is not a process id");
	refused(&record, "-p -3", "is not a process id");
	refused(&record, "-p 99999999999999999999", "is not a process id");
	refused(&record, "-p x", "is not a process id");
}

static void rates(void **state)
{
	(void)state;
	assert_int_equal(parse(&record, "-p 1 -r 10000"), 0);
	options_release(&o);
	assert_int_equal(parse(&record, "-p 1 --rate=1"), 0);
	options_release(&o);
	refused(&record, "-p 1 -r 0", "1 to 10000");
	refused(&record, "-p 1 -r 1000000", "1 to 10000");
	refused(&record, "-p 1 -r fast", "1 to 10000");
	refused(&record, "-p 1 -r nan", "1 to 10000");
	refused(&record, "-p 1 -r 1e3", "1 to 10000");
	refused(&record, "-p 1 -r -5", "1 to 10000");
	refused(&record, "-p 1 -r", "lacks its value");
}

static void durations(void **state)
{
	(void)state;
	assert_int_equal(parse(&record, "-p 1 -d 1.5"), 0);
	assert_int_equal(o.duration_ns, 1500 * NS_PER_MS);
	options_release(&o);
	assert_int_equal(parse(&record, "-p 1 -d 2m"), 0);
	assert_int_equal(o.duration_ns, 120 * NS_PER_S);
	options_release(&o);
	refused(&record, "-p 1 -d 0", "seconds");
	refused(&record, "-p 1 -d -1", "seconds");
	refused(&record, "-p 1 -d 1.2.3", "seconds");
}

static void targets(void **state)
{
	(void)state;
	refused(&record, "", "no target");
	refused(&record, "-p 1 -n redis", "more than one");
	refused(&record, "-p 1 -- true", "more than one");
	refused(&record, "redis", "one argument too many");
}

static void the_command_keeps_its_options(void **state)
{
	(void)state;
	assert_int_equal(parse(&record, "-r 50 -- grep -r --help -- x"), 0);
	assert_false(o.help);
	assert_string_equal(o.command_argv[0], "grep");
	assert_string_equal(o.command_argv[1], "-r");
	assert_string_equal(o.command_argv[4], "x");
	assert_null(o.command_argv[5]);
	options_release(&o);
}

static void arguments_and_options_mix(void **state)
{
	(void)state;
	assert_int_equal(parse(&report, "here --by tree --format csv -v --lines"), 0);
	assert_int_equal(o.nargs, 1);
	assert_string_equal(o.args[0], "here");
	assert_int_equal(o.by, BY_TREE);
	assert_int_equal(o.format, FORMAT_CSV);
	assert_int_equal(o.verbose, 1);
	assert_true(o.filter.lines);
	options_release(&o);
	assert_int_equal(parse(&report, "-- --by"), 0);
	assert_string_equal(o.args[0], "--by");
	options_release(&o);
}

static void unknown_options(void **state)
{
	(void)state;
	refused(&report, "--nonsense", "unknown option --nonsense; see: cprof report --help");
	refused(&report, "-q", "unknown option -q");
	refused(&report, "-d 3", "--duration is no option of report");
	refused(&report, "--duration=3", "--duration is no option of report");
	refused(&record, "--by tree", "--by is no option of record");
	refused(&report, "--utc=yes", "--utc takes no value");
}

static void choices(void **state)
{
	(void)state;
	refused(&report, "--format xml", "choose from text, csv, json");
	refused(&report, "--format folded", "choose from text, csv, json");
	refused(&diff, "a --by module", "choose from function, tree");
	refused(&report, "--weight gpu", "choose from cpu, wall, off-cpu");
	assert_int_equal(parse(&diff, "a b --format folded"), 0);
	assert_int_equal(o.format, FORMAT_FOLDED);
	options_release(&o);
}

static void counts_of_arguments(void **state)
{
	(void)state;
	refused(&diff, "", "an argument is missing");
	refused(&diff, "a b c", "'c' is one argument too many");
	refused(&report, "--range 14:03 --to 14:04", "give one of them");
	refused(&report, "--limit -1", "number of rows");
	refused(&report, "--step 0s", "length");
	refused(&report, "--step 1fortnight", "length");
	refused(&report, "--thread=", "the value is empty");
}

static void filters(void **state)
{
	(void)state;
	assert_int_equal(
		parse(&report, "--thread w-1 --thread w-2 --pid 7 --type python --weight wall"), 0);
	assert_int_equal(o.filter.count, 4);
	assert_int_equal(o.filter.terms[0].key, FILTER_THREAD);
	assert_int_equal(o.filter.terms[2].key, FILTER_PROCESS);
	options_release(&o);
	refused(&report, "--type cobol", "cobol");
	refused(&report, "--state dancing", "dancing");
	refused(&report, "--state sleeping", "sleeping"); /* the weight is cpu */
	assert_int_equal(parse(&report, "--state sleeping --weight off-cpu"), 0);
	options_release(&o);
}

static void help(void **state)
{
	(void)state;
	struct buf text = BUF_INIT;
	assert_int_equal(parse(&record, "--help"), 0); /* also without a target */
	assert_true(o.help);
	options_release(&o);
	options_help(&text, &record);
	assert_non_null(strstr(text.data, "-r, --rate HZ"));
	assert_null(strstr(text.data, "--format"));
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 79);
	buf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(pids),
		cmocka_unit_test(rates),
		cmocka_unit_test(durations),
		cmocka_unit_test(targets),
		cmocka_unit_test(the_command_keeps_its_options),
		cmocka_unit_test(arguments_and_options_mix),
		cmocka_unit_test(unknown_options),
		cmocka_unit_test(choices),
		cmocka_unit_test(counts_of_arguments),
		cmocka_unit_test(filters),
		cmocka_unit_test(help),
	};
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
