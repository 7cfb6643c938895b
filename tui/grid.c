/* Rows and cells of time. */
#include "tui/grid.h"

#include <time.h>

#include "base/buf.h"
#include "base/clock.h"

static const struct {
	const char *row, *cell;
	int cells;
	int64_t step;
	int every;
} zooms[ZOOM_COUNT] = {
#define X(id, row, cell, cells, step, every) [id] = {row, cell, cells, step, every},
	ZOOMS(X)
#undef X
};

/* Instants beyond these have no broken-down time worth showing (year 1 to 9999). */
#define TIME_MIN (INT64_C(-62135596800))
#define TIME_MAX (INT64_C(253402300799))

int64_t grid_step(enum zoom z)
{
	return zooms[z].step;
}

int grid_max_cells(enum zoom z)
{
	return zooms[z].cells;
}

int grid_ruler_every(enum zoom z)
{
	return zooms[z].every;
}

const char *grid_row_name(enum zoom z)
{
	return zooms[z].row;
}

const char *grid_cell_name(enum zoom z)
{
	return zooms[z].cell;
}

static int64_t floor_to(int64_t t, int64_t unit)
{
	int64_t r = t % unit;
	return t - (r < 0 ? r + unit : r);
}

static struct tm broken_down(struct grid g, int64_t ns)
{
	int64_t s = floor_to(ns, NS_PER_S) / NS_PER_S;
	time_t t = (time_t)(s < TIME_MIN ? TIME_MIN : s > TIME_MAX ? TIME_MAX : s);
	struct tm tm = {0};
	if (g.utc)
		gmtime_r(&t, &tm);
	else
		localtime_r(&t, &tm);
	return tm;
}

static int64_t row_length(enum zoom z)
{
	return zooms[z].step * (z == ZOOM_HOUR ? 24 : zooms[z].cells);
}

/* Midnight `days` after the day of tm. */
static int64_t midnight(struct grid g, struct tm tm, int days)
{
	tm.tm_mday += days;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	return (int64_t)(g.utc ? timegm(&tm) : mktime(&tm)) * NS_PER_S;
}

int64_t grid_row(struct grid g, int64_t t)
{
	int64_t length = row_length(g.zoom);
	if (g.zoom == ZOOM_20MS || g.zoom == ZOOM_SECOND)
		return floor_to(t, length);
	struct tm tm = broken_down(g, t);
	if (g.zoom == ZOOM_HOUR)
		return midnight(g, tm, 0);
	int64_t offset = (int64_t)tm.tm_gmtoff * NS_PER_S;
	return floor_to(t + offset, length) - offset;
}

int64_t grid_row_add(struct grid g, int64_t row, int n)
{
	if (g.zoom == ZOOM_HOUR)
		return midnight(g, broken_down(g, row), n);
	return grid_row(g, row + n * row_length(g.zoom));
}

static int64_t row_span(struct grid g, int64_t row)
{
	int64_t length = g.zoom == ZOOM_HOUR ? midnight(g, broken_down(g, row), 1) - row
					     : row_length(g.zoom);
	return length > 0 ? length : row_length(g.zoom);
}

int grid_row_cells(struct grid g, int64_t row)
{
	int64_t step = zooms[g.zoom].step;
	int64_t n = (row_span(g, row) + step - 1) / step;
	return n > zooms[g.zoom].cells ? zooms[g.zoom].cells : (int)n;
}

int64_t grid_cell(struct grid g, int64_t t)
{
	int64_t row = grid_row(g, t);
	return row + floor_to(t - row, zooms[g.zoom].step);
}

int grid_column(struct grid g, int64_t t)
{
	return (int)((t - grid_row(g, t)) / zooms[g.zoom].step);
}

int64_t grid_cell_end(struct grid g, int64_t t)
{
	return grid_cell(g, t) + zooms[g.zoom].step;
}

int grid_rows_between(struct grid g, int64_t from, int64_t to, int limit)
{
	int64_t a = grid_row(g, from), b = grid_row(g, to);
	int64_t length = row_length(g.zoom);
	/* Days differ by an hour at most: round to the nearest. */
	int64_t n = (b - a + (b >= a ? length / 2 : -length / 2)) / length;
	return n > limit ? limit : n < -limit ? -limit : (int)n;
}

static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
				 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

void grid_label(struct buf *out, struct grid g, int64_t row)
{
	struct tm tm = broken_down(g, row);
	/* The row of hours that starts a day says which. */
	if (g.zoom == ZOOM_HOUR || (g.zoom == ZOOM_MINUTE && tm.tm_hour == 0))
		buf_fmt(out, "%s%2d", months[tm.tm_mon % 12], tm.tm_mday);
	else if (g.zoom == ZOOM_20MS)
		buf_fmt(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	else
		buf_fmt(out, "%02d:%02d", tm.tm_hour, tm.tm_min);
}

void grid_ruler(struct buf *out, enum zoom z, int column)
{
	if (z == ZOOM_20MS)
		buf_fmt(out, ".%d", column * 2 / 10 % 10);
	else
		buf_fmt(out, "%02d", column);
}

void grid_time(struct buf *out, int64_t ns, int64_t day, bool utc)
{
	struct grid g = {ZOOM_SECOND, utc};
	struct tm tm = broken_down(g, ns), other = broken_down(g, day);
	if (tm.tm_yday != other.tm_yday || tm.tm_year != other.tm_year)
		buf_fmt(out, "%s %d ", months[tm.tm_mon % 12], tm.tm_mday);
	buf_fmt(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	int64_t rest = ns - floor_to(ns, NS_PER_S);
	if (rest)
		buf_fmt(out, ".%03d", (int)(rest / NS_PER_MS));
}
