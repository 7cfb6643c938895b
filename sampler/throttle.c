/* --max-stop: how many ticks are taken, so that no thread is held for more than its share. */
#include "sampler/throttle.h"

#include "base/clock.h"

enum {
	WINDOW_NS = 100 * NS_PER_MS,
	GUESS_NS = 50 * NS_PER_US,
};

static const double LEAST = 0.001;  /* so that the cost goes on being seen */
static const double WEIGHT = 0.2;   /* of a window in what is followed */
static const double MARGIN = 0.95;  /* for what is seen too late */
static const double TELLING = 0.1;  /* a change of the rate by that much is told */

static void set_keep(struct throttle *t)
{
	double share = t->rate_hz * t->cost_ns / NS_PER_S;
	double keep = MARGIN * t->max_percent / 100 / share;
	t->keep = keep < LEAST ? LEAST : keep < 1 ? keep : 1;
}

void throttle_init(struct throttle *t, double rate_hz, double max_percent, int64_t now)
{
	*t = (struct throttle){.rate_hz = rate_hz,
			       .max_percent = max_percent,
			       .cost_ns = GUESS_NS,
			       .told = 1,
			       .begun = now,
			       .number = 1};
	set_keep(t);
}

bool throttle_take(struct throttle *t)
{
	t->credit += t->keep;
	if (t->credit < 1)
		return false;
	t->credit -= 1;
	t->taken++;
	return true;
}

void throttle_held(struct throttle *t, struct throttle_share *share, uint64_t ns)
{
	if (share->window != t->number)
		*share = (struct throttle_share){t->number, 0};
	share->held_ns += ns;
	if (share->held_ns > t->worst_ns)
		t->worst_ns = share->held_ns;
}

bool throttle_adjust(struct throttle *t, int64_t now, double *rate_hz)
{
	if (now - t->begun < WINDOW_NS)
		return false;
	if (t->taken && t->worst_ns)
		t->cost_ns += WEIGHT * ((double)t->worst_ns / t->taken - t->cost_ns);
	set_keep(t);
	t->begun = now;
	t->number++;
	t->taken = 0;
	t->worst_ns = 0;
	double change = t->keep / t->told - 1;
	bool whole = t->keep == 1 && t->told != 1;
	if (change < TELLING && change > -TELLING && !whole)
		return false;
	t->told = t->keep;
	*rate_hz = t->rate_hz * t->keep;
	return true;
}
