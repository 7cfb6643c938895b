/* The samples of one thread as runs of ticks. */
#include "sampler/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void runs_init(struct runs *r, uint32_t first_tick)
{
	*r = (struct runs){.next = first_tick};
}

void runs_release(struct runs *r)
{
	free(r->items);
	free(r->waiting);
	*r = (struct runs){0};
}

/* Ticks before `next` are settled already and are not told twice. */
static void append(struct runs *r, uint32_t tick, uint32_t count, uint8_t state, uint32_t stack)
{
	if (tick < r->next) {
		uint32_t skip = r->next - tick;
		if (skip >= count)
			return;
		tick += skip;
		count -= skip;
	}
	r->next = tick + count;
	struct tick_run *last = r->count ? &r->items[r->count - 1] : NULL;
	if (last && last->stack == stack && last->state == state && last->tick + last->count == tick) {
		last->count += count;
		return;
	}
	r->items = mem_grow(r->items, &r->cap, r->count + 1, sizeof(*r->items));
	r->items[r->count++] = (struct tick_run){tick, count, stack, state};
}

/* The ticks that waited get the stack. */
static void settle(struct runs *r, uint8_t truncated, uint32_t stack)
{
	for (size_t i = 0; i < r->nwaiting; i++)
		append(r, r->waiting[i].tick, 1, r->waiting[i].state | truncated, stack);
	r->nwaiting = 0;
}

static void fill_sleep(struct runs *r, uint32_t tick)
{
	if (r->asleep && tick > r->next)
		append(r, r->next, tick - r->next, r->sleep_state, r->sleep_stack);
}

void runs_ran(struct runs *r, uint32_t tick, uint8_t state, uint32_t stack)
{
	fill_sleep(r, tick);
	r->asleep = false;
	append(r, tick, 1, state, stack);
	settle(r, state & RUN_TRUNCATED, stack);
}

void runs_sleeps(struct runs *r, uint32_t tick, uint8_t state, uint32_t stack)
{
	fill_sleep(r, tick);
	settle(r, state & RUN_TRUNCATED, stack);
	if (tick > r->next)
		r->next = tick;
	r->asleep = true;
	r->sleep_stack = stack;
	r->sleep_state = state;
}

void runs_waits(struct runs *r, uint32_t tick, uint8_t state, uint32_t asked)
{
	if (!r->nwaiting) {
		fill_sleep(r, asked);
		r->asleep = false;
		r->asked = asked;
	}
	r->waiting = mem_grow(r->waiting, &r->waiting_cap, r->nwaiting + 1, sizeof(*r->waiting));
	r->waiting[r->nwaiting++] = (struct waiting_tick){tick, state};
}

void runs_end(struct runs *r, uint32_t tick)
{
	fill_sleep(r, tick);
	r->asleep = false;
	r->nwaiting = 0;
}

bool runs_unresolved(const struct runs *r, uint32_t end)
{
	return r->nwaiting && r->asked < end;
}

void runs_complete(struct runs *r, uint32_t end, uint32_t lost_stack)
{
	fill_sleep(r, end);
	if (!runs_unresolved(r, end))
		return;
	size_t kept = 0;
	append(r, r->asked, 1, r->waiting[0].state | RUN_TRUNCATED, lost_stack);
	for (size_t i = 0; i < r->nwaiting; i++) {
		if (r->waiting[i].tick < end)
			append(r, r->waiting[i].tick, 1, r->waiting[i].state | RUN_TRUNCATED, lost_stack);
		else
			r->waiting[kept++] = r->waiting[i];
	}
	r->nwaiting = kept;
	if (r->next < end)
		r->next = end;
	r->asked = end;
}

void runs_drop(struct runs *r, uint32_t end)
{
	size_t gone = 0;
	while (gone < r->count && r->items[gone].tick + r->items[gone].count <= end)
		gone++;
	if (gone)
		memmove(r->items, r->items + gone, (r->count - gone) * sizeof(*r->items));
	r->count -= gone;
	if (r->count && r->items[0].tick < end) {
		r->items[0].count -= end - r->items[0].tick;
		r->items[0].tick = end;
	}
}
