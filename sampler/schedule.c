/* When samples are taken: one tick in each period, at a random moment of it. */
#include "sampler/schedule.h"

static uint64_t random_next(uint64_t *state)
{
	/* xorshift64* (Vigna 2016) */
	uint64_t x = *state;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1du;
}

static void choose(struct schedule *s)
{
	int64_t within = (int64_t)(random_next(&s->random) % (uint64_t)s->period);
	s->moment = s->origin + (int64_t)s->index * s->period + within;
}

void schedule_start(struct schedule *s, int64_t now, int64_t period, uint64_t seed)
{
	*s = (struct schedule){.origin = now, .period = period, .random = seed | 1};
	choose(s);
}

void schedule_next(struct schedule *s)
{
	s->index++;
	choose(s);
}

int schedule_missed(struct schedule *s, int64_t now, int64_t *moment)
{
	if (now - s->moment < s->period)
		return 0;
	*moment = s->moment;
	schedule_next(s);
	return 1;
}
