/* Heat: rows of cells, rates and the scale. */
#include "tui/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

void heat_clear(struct heat *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->rows[i].cells);
	h->count = 0;
}

void heat_release(struct heat *h)
{
	heat_clear(h);
	free(h->rows);
	*h = (struct heat){0};
}

/* The first row that starts at or after `start`. */
static size_t lower_bound(const struct heat *h, int64_t start)
{
	size_t lo = 0, hi = h->count;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (h->rows[mid].start < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct heat_row *heat_find(const struct heat *h, int64_t start)
{
	size_t i = lower_bound(h, start);
	return i < h->count && h->rows[i].start == start ? &h->rows[i] : NULL;
}

struct heat_row *heat_put(struct heat *h, int64_t start, int n)
{
	struct heat_row *row = heat_find(h, start);
	if (!row) {
		size_t i = lower_bound(h, start);
		h->rows = mem_grow(h->rows, &h->cap, h->count + 1, sizeof(*h->rows));
		memmove(&h->rows[i + 1], &h->rows[i], (h->count - i) * sizeof(*h->rows));
		h->count++;
		row = &h->rows[i];
	} else {
		free(row->cells);
	}
	*row = (struct heat_row){start, n, false, mem_zalloc((size_t)n, sizeof(*row->cells))};
	return row;
}

void heat_spoil(struct heat *h, int64_t from, int64_t row_ns)
{
	for (size_t i = 0; i < h->count; i++)
		if (h->rows[i].start + row_ns > from)
			h->rows[i].stale = true;
}

double heat_rate(const struct heat_cell *c, int64_t ns)
{
	if (ns <= 0 || !c->samples)
		return 0;
	double scale = c->taken && c->expected > c->taken ? (double)c->expected / c->taken : 1;
	return (double)c->samples * scale * NS_PER_S / (double)ns;
}

struct heat_cell heat_merge(const struct heat_cell *cells, int n)
{
	struct heat_cell sum = {0};
	bool partial = false, full = false, gap = false;
	for (int i = 0; i < n; i++) {
		const struct heat_cell *c = &cells[i];
		sum.samples += c->samples;
		sum.cpu_ns += c->cpu_ns;
		sum.expected += c->expected;
		sum.taken += c->taken;
		if (c->max > sum.max)
			sum.max = c->max;
		partial |= c->quality == CELL_PARTIAL;
		full |= c->quality == CELL_FULL;
		gap |= c->quality == CELL_GAP;
	}
	if (partial || full)
		sum.quality = partial || gap ? CELL_PARTIAL : CELL_FULL;
	else
		sum.quality = gap ? CELL_GAP : CELL_NONE;
	return sum;
}

int heat_level(double rate, double top, bool logarithmic, int levels)
{
	if (rate <= 0 || top <= 0)
		return 0;
	double v = rate / top;
	if (logarithmic) /* 1/1000 of the top and less is the lowest */
		v = 1 + log10(v) / 3;
	int level = (int)floor(v * levels);
	return level < 0 ? 0 : level >= levels ? levels - 1 : level;
}

double heat_round(double v)
{
	if (!(v > 1))
		return 1;
	double ten = pow(10, floor(log10(v)));
	double m = v / ten;
	/* What arithmetic leaves of 1, 2 or 5 is no reason to go up. */
	const double slack = 1 + 1e-9;
	return ten * (m <= 1 * slack ? 1 : m <= 2 * slack ? 2 : m <= 5 * slack ? 5 : 10);
}

/* The step below a rounded number: 100 for 200. */
static double step_below(double top)
{
	double ten = pow(10, floor(log10(top) + 1e-9));
	double m = top / ten;
	return m > 4 ? 2 * ten : m > 1.5 ? ten : ten / 2;
}

double heat_move_top(double top, double p99)
{
	if (top <= 0)
		return heat_round(p99);
	if (p99 > top * 1.25 || p99 < step_below(top) * 0.75)
		return heat_round(p99);
	return top;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int64_t heat_length(int64_t start, int64_t step, struct range span)
{
	int64_t from = start > span.from ? start : span.from;
	int64_t to = start + step < span.to ? start + step : span.to;
	return to > from ? to - from : step;
}

void heat_measure(struct heat *h, int64_t step, struct range span)
{
	double *rates = NULL;
	size_t n = 0, cap = 0;
	for (size_t i = 0; i < h->count; i++) {
		const struct heat_row *row = &h->rows[i];
		for (int k = 0; k < row->n; k++) {
			int64_t ns = heat_length(row->start + k * step, step, span);
			double rate = heat_rate(&row->cells[k], ns);
			if (rate <= 0)
				continue;
			rates = mem_grow(rates, &cap, n + 1, sizeof(*rates));
			rates[n++] = rate;
		}
	}
	h->median = h->p99 = 0;
	if (n) {
		qsort(rates, n, sizeof(*rates), by_value);
		h->median = rates[n / 2];
		h->p99 = rates[(n * 99 + 99) / 100 - 1];
		h->top = heat_move_top(h->top, h->p99);
	}
	free(rates);
}
