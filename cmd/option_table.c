/* The table of options, and how each value is read. */
#include "cmd/option_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "tui/theme.h"

struct choice {
	const char *name;
	int value;
	unsigned commands; /* that have it */
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define ALL (~0u)
#define RECORDERS (CMD_BIT(CMD_TOP) | CMD_BIT(CMD_RECORD))
#define TARGETS (RECORDERS | CMD_BIT(CMD_DUMP))
#define NAMERS (TARGETS | CMD_BIT(CMD_DOCTOR))
#define TABLES (CMD_BIT(CMD_REPORT) | CMD_BIT(CMD_DIFF))
#define READERS (TABLES | CMD_BIT(CMD_VIEW))
#define SCREENS (CMD_BIT(CMD_TOP) | CMD_BIT(CMD_VIEW))
#define LOOKERS (READERS | SCREENS)

static int bad_value(const struct option_def *def, const char *arg, const char *wanted,
		     struct err *err)
{
	return err_set(err, ERR_USAGE, "--%s: '%s' is not %s", def->name, arg, wanted);
}

int parse_decimal(const char *text, double lo, double hi, double *out)
{
	size_t n = strlen(text);
	if (!n || n > 30 || strspn(text, "0123456789.") != n || strspn(text, ".") == n)
		return -1;
	const char *dot = strchr(text, '.');
	if (dot && strchr(dot + 1, '.'))
		return -1;
	double v = strtod(text, NULL);
	if (v < lo || v > hi)
		return -1;
	*out = v;
	return 0;
}

static int set_flag(struct options *o, const struct option_def *def, const char *arg,
		    struct err *err)
{
	(void)arg, (void)err;
	*(bool *)((char *)o + def->at) = true;
	return 0;
}

static int set_text(struct options *o, const struct option_def *def, const char *arg,
		    struct err *err)
{
	if (!*arg)
		return err_set(err, ERR_USAGE, "--%s: the value is empty; give %s", def->name,
			       def->arg);
	*(const char **)((char *)o + def->at) = arg;
	return 0;
}

static int set_verbose(struct options *o, const struct option_def *def, const char *arg,
		       struct err *err)
{
	(void)def, (void)arg, (void)err;
	o->verbose++;
	return 0;
}

static void add_pid(struct options *o, int pid)
{
	for (size_t i = 0; i < o->npids; i++)
		if (o->pids[i] == pid)
			return;
	o->pids = mem_realloc(o->pids, (o->npids + 1) * sizeof(*o->pids));
	o->pids[o->npids++] = pid;
}

static int set_pids(struct options *o, const struct option_def *def, const char *arg,
		    struct err *err)
{
	const double pid_max = 4194304; /* PID_MAX_LIMIT of linux/threads.h */
	const char *s = arg;
	for (;;) {
		char part[16] = "";
		size_t n = strcspn(s, ",");
		double v;
		if (n < sizeof(part))
			memcpy(part, s, n);
		if (strchr(part, '.') || parse_decimal(part, 1, pid_max, &v))
			return bad_value(def, arg, "a process id, or several with commas between",
					 err);
		add_pid(o, (int)v);
		if (!s[n])
			return 0;
		s += n + 1;
	}
}

static int set_duration(struct options *o, const struct option_def *def, const char *arg,
			struct err *err)
{
	const double longest = 366.0 * 86400;
	double s;
	if (!parse_decimal(arg, 0.001, longest, &s)) {
		o->duration_ns = (int64_t)(s * NS_PER_S);
		return 0;
	}
	if (!range_parse_duration(arg, &o->duration_ns, NULL) &&
	    o->duration_ns <= (int64_t)longest * NS_PER_S)
		return 0;
	return bad_value(def, arg, "a number of seconds, at most 366 days", err);
}

static int set_rate(struct options *o, const struct option_def *def, const char *arg,
		    struct err *err)
{
	if (!parse_decimal(arg, RATE_MIN, RATE_MAX, &o->rate))
		return 0;
	return err_set(err, ERR_USAGE, "--%s: '%s' is not a rate; give samples a second, %d to %d",
		       def->name, arg, RATE_MIN, RATE_MAX);
}

static int set_max_stop(struct options *o, const struct option_def *def, const char *arg,
			struct err *err)
{
	if (!parse_decimal(arg, 0.001, 100, &o->max_stop))
		return 0;
	return bad_value(def, arg, "a percentage, 0.001 to 100", err);
}

static int set_limit(struct options *o, const struct option_def *def, const char *arg,
		     struct err *err)
{
	double v;
	if (strchr(arg, '.') || parse_decimal(arg, 0, 1e9, &v))
		return bad_value(def, arg, "a number of rows (0: all)", err);
	o->limit = (int64_t)v;
	return 0;
}

static int set_step(struct options *o, const struct option_def *def, const char *arg,
		    struct err *err)
{
	if (!range_parse_duration(arg, &o->step_ns, NULL) && o->step_ns >= NS_PER_MS &&
	    o->step_ns <= 86400 * NS_PER_S)
		return 0;
	return bad_value(def, arg, "a length from 1ms to 1d, as 20ms, 1s, 1m or 1h", err);
}

/* The value of arg among the choices that the command has; -1 and a line that lists them. */
static int choose(const struct options *o, const struct option_def *def,
		  const struct choice *choices, size_t n, const char *arg, struct err *err)
{
	struct buf names = BUF_INIT;
	for (size_t i = 0; i < n; i++) {
		if (!(choices[i].commands & CMD_BIT(o->command->id)))
			continue;
		if (!strcmp(arg, choices[i].name)) {
			buf_free(&names);
			return choices[i].value;
		}
		buf_fmt(&names, "%s%s", names.len ? ", " : "", choices[i].name);
	}
	err_set(err, ERR_USAGE, "--%s: no '%s' here; choose from %s", def->name, arg,
		buf_cstr(&names));
	buf_free(&names);
	return -1;
}

static int set_unwinder(struct options *o, const struct option_def *def, const char *arg,
			struct err *err)
{
	static const struct choice unwinders[] = {
#define X(id, name) {name, id, ALL},
		UNWINDERS(X)
#undef X
	};
	int v = choose(o, def, unwinders, COUNT(unwinders), arg, err);
	o->unwinder = (enum unwinder)v;
	return v < 0 ? -1 : 0;
}

static int set_color(struct options *o, const struct option_def *def, const char *arg,
		     struct err *err)
{
	static const struct choice modes[] = {
		{"auto", COLOR_AUTO, ALL},
		{"always", COLOR_ALWAYS, ALL},
		{"never", COLOR_NEVER, ALL},
	};
	int v = choose(o, def, modes, COUNT(modes), arg, err);
	o->color = (enum color_mode)v;
	return v < 0 ? -1 : 0;
}

static int set_format(struct options *o, const struct option_def *def, const char *arg,
		      struct err *err)
{
	static const struct choice formats[] = {
		{"text", FORMAT_TEXT, TABLES | CMD_BIT(CMD_INFO)},
		{"csv", FORMAT_CSV, TABLES},
		{"json", FORMAT_JSON, TABLES | CMD_BIT(CMD_INFO)},
		{"folded", FORMAT_FOLDED, CMD_BIT(CMD_DIFF)},
	};
	int v = choose(o, def, formats, COUNT(formats), arg, err);
	o->format = (enum format)v;
	return v < 0 ? -1 : 0;
}

static int set_by(struct options *o, const struct option_def *def, const char *arg, struct err *err)
{
	static const struct choice bys[] = {
		{"function", BY_FUNCTION, TABLES},
		{"tree", BY_TREE, TABLES},
		{"thread", BY_THREAD, CMD_BIT(CMD_REPORT)},
		{"module", BY_MODULE, CMD_BIT(CMD_REPORT)},
		{"heat", BY_HEAT, CMD_BIT(CMD_REPORT)},
	};
	int v = choose(o, def, bys, COUNT(bys), arg, err);
	o->by = (enum by)v;
	return v < 0 ? -1 : 0;
}

static int set_theme(struct options *o, const struct option_def *def, const char *arg,
		     struct err *err)
{
	static const struct choice themes[] = {
#define X(id, name) {name, id, ALL},
		THEMES(X)
#undef X
	};
	o->theme = arg;
	return choose(o, def, themes, COUNT(themes), arg, err) < 0 ? -1 : 0;
}

static int set_percent_of(struct options *o, const struct option_def *def, const char *arg,
			  struct err *err)
{
	static const struct choice wholes[] = {{"view", 0, ALL}, {"all", 1, ALL}};
	int v = choose(o, def, wholes, COUNT(wholes), arg, err);
	o->percent_of_all = v == 1;
	return v < 0 ? -1 : 0;
}

static int set_weight(struct options *o, const struct option_def *def, const char *arg,
		      struct err *err)
{
	static const struct choice weights[] = {
#define X(id, name) {name, id, ALL},
		WEIGHTS(X)
#undef X
	};
	int v = choose(o, def, weights, COUNT(weights), arg, err);
	o->filter.weight = (enum weight)v;
	return v < 0 ? -1 : 0;
}

/* A filter's key is its option's name; --pid is the process. */
static int set_filter(struct options *o, const struct option_def *def, const char *arg,
		      struct err *err)
{
	static const struct choice keys[] = {
		{"pid", FILTER_PROCESS, ALL}, {"thread", FILTER_THREAD, ALL},
		{"type", FILTER_TYPE, ALL},   {"state", FILTER_STATE, ALL},
		{"match", FILTER_MATCH, ALL},
	};
	if (!*arg)
		return err_set(err, ERR_USAGE, "--%s: the value is empty; give %s", def->name,
			       def->arg);
	for (size_t i = 0; i < COUNT(keys); i++)
		if (!strcmp(def->name, keys[i].name))
			return filter_add(&o->filter, (enum filter_key)keys[i].value, arg, false,
					  err);
	return 0;
}

#define FIELD(name) offsetof(struct options, name)

const struct option_def option_defs[] = {
	{'p', "pid", "PID[,PID...]", NAMERS, set_pids, 0,
	 "the processes to sample; a thread's id means its process"},
	{'n', "name", "NAME", RECORDERS, set_text, FIELD(name),
	 "sample all processes of this name: the whole comm, or the basename of the program, of "
	 "argv[0] or of the script"},
	{'o', "output", "STORE", RECORDERS, set_text, FIELD(output),
	 "record into this folder; one that is a store is continued, anything else that exists is "
	 "refused"},
	{'d', "duration", "SECONDS", RECORDERS, set_duration, 0,
	 "end after this time; a target that ends before is status 3"},
	{'r', "rate", "HZ", RECORDERS, set_rate, 0,
	 "samples a second of each thread, 1 to 10000 (99)"},
	{0, "max-stop", "PERCENT", RECORDERS, set_max_stop, 0,
	 "lower the rate where a thread would be stopped for more than this share of the time "
	 "(5)"},
	{0, "unwinder", "rows|libunwind", TARGETS, set_unwinder, 0,
	 "how stacks are unwound: compiled unwind rows with libunwind behind them (rows), or "
	 "libunwind alone"},
	{0, "range", "RANGE", READERS, set_text, FIELD(range),
	 "the part to look at; see RANGES in cprof(1)"},
	{0, "from", "TIME", READERS, set_text, FIELD(from), "from this time on"},
	{0, "to", "TIME", READERS, set_text, FIELD(to), "up to this time"},
	{0, "a", "SEL", CMD_BIT(CMD_DIFF), set_text, FIELD(a),
	 "the side to compare with; without it the mark a"},
	{0, "b", "SEL", CMD_BIT(CMD_DIFF), set_text, FIELD(b),
	 "the side that is looked at; without it the mark b"},
	{0, "pid", "PID|NAME", READERS, set_filter, 0,
	 "only this process; may be given several times, as the next four"},
	{0, "thread", "NAME|TID", LOOKERS, set_filter, 0, "only this thread; NAME may end in *"},
	{0, "type", "TYPE", LOOKERS, set_filter, 0,
	 "only the frames of this type: native, python, kernel, jit or inline"},
	{0, "state", "STATE", LOOKERS, set_filter, 0,
	 "only samples in this state: running, runnable, sleeping, disk, stopped or gil-wait"},
	{0, "match", "TEXT", LOOKERS, set_filter, 0,
	 "only samples with this text in a function, module or file on their stack; re:EXPR is a "
	 "regular expression"},
	{0, "weight", "cpu|wall|off-cpu", LOOKERS, set_weight, 0,
	 "count CPU time (cpu), all time (wall) or the time spent waiting (off-cpu)"},
	{0, "by", "WHAT", TABLES, set_by, 0,
	 "a row for each: function, tree; report also thread, module, heat"},
	{0, "format", "FORMAT", TABLES | CMD_BIT(CMD_INFO), set_format, 0,
	 "text; json; csv with report and diff; folded with diff"},
	{0, "json", NULL, CMD_BIT(CMD_DUMP) | CMD_BIT(CMD_INFO), set_flag, FIELD(json),
	 "JSON on stdout"},
	{0, "limit", "N", TABLES, set_limit, 0,
	 "at most N rows, 0 for all (text 30, csv and json all)"},
	{0, "percent-of", "view|all", CMD_BIT(CMD_REPORT), set_percent_of, 0,
	 "percentages of what range and filters leave (view), or of all that the range holds (all)"},
	{0, "lines", NULL, TABLES, set_flag, FIELD(filter.lines), "split functions by line"},
	{0, "step", "LENGTH", CMD_BIT(CMD_REPORT), set_step, 0,
	 "the length of a row with --by heat: 20ms, 1s, 1m, 1h (1s)"},
	{0, "plain", NULL, SCREENS, set_flag, FIELD(plain),
	 "text on stdout instead of the screen; so also where stdout is no terminal"},
	{0, "color", "auto|always|never", SCREENS, set_color, 0,
	 "colours; auto follows the terminal and NO_COLOR"},
	{0, "theme", "NAME", SCREENS, set_theme, 0,
	 "the colours: default, light, classic or monochrome"},
	{0, "ascii", NULL, SCREENS, set_flag, FIELD(ascii), "draw with ASCII characters only"},
	{0, "no-mouse", NULL, SCREENS, set_flag, FIELD(no_mouse),
	 "leave the mouse to the terminal"},
	{0, "utc", NULL, LOOKERS, set_flag, FIELD(utc), "times are in UTC, not in the local zone"},
	{'v', "verbose", NULL, ALL, set_verbose, 0, "say more on stderr"},
	{'h', "help", NULL, ALL, set_flag, FIELD(help), "say what there is, and end"},
	{'V', "version", NULL, ALL, set_flag, FIELD(version), "say the version, and end"},
};

const size_t option_count = COUNT(option_defs);
_Static_assert(COUNT(option_defs) <= OPTION_MAX, "raise OPTION_MAX");
