/* Civil time of a zone: days and clocks to moments and back. */
#include "store/zone.h"

#include <time.h>

enum {
	DAY = 86400,
	FIRST_YEAR = 1970,
	LAST_YEAR = 2200, /* nanoseconds in 64 bits reach to 2262 */
};

/* Days from 1970-01-01: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
static int64_t days_of(int year, int month, int day)
{
	int64_t y = year - (month <= 2);
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	int64_t doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
	return era * 146097 + doe - 719468;
}

int64_t civil_seconds(const struct civil *c)
{
	return days_of(c->year, c->month, c->day) * DAY + c->hour * 3600 + c->minute * 60 +
	       c->second;
}

struct civil civil_of(int64_t seconds)
{
	int64_t days = seconds / DAY, rest = seconds % DAY;
	if (rest < 0) {
		rest += DAY;
		days--;
	}
	int64_t z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153;
	int month = (int)(mp < 10 ? mp + 3 : mp - 9);
	return (struct civil){
		.year = (int)(yoe + era * 400 + (month <= 2)),
		.month = month,
		.day = (int)(doy - (153 * mp + 2) / 5 + 1),
		.hour = (int)(rest / 3600),
		.minute = (int)(rest / 60 % 60),
		.second = (int)(rest % 60),
	};
}

bool civil_valid(const struct civil *c)
{
	static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	if (c->year < FIRST_YEAR || c->year > LAST_YEAR || c->month < 1 || c->month > 12 ||
	    c->day < 1 || c->day > lengths[c->month - 1])
		return false;
	bool leap = c->year % 4 == 0 && (c->year % 100 || c->year % 400 == 0);
	if (c->month == 2 && c->day == 29 && !leap)
		return false;
	return c->hour >= 0 && c->hour < 24 && c->minute >= 0 && c->minute < 60 && c->second >= 0 &&
	       c->second < 60;
}

int32_t zone_offset(struct zone z, int64_t moment)
{
	time_t t = (time_t)moment;
	struct tm tm;
	if (z.fixed)
		return z.offset;
	return localtime_r(&t, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}

int64_t zone_moment(struct zone z, int64_t civil)
{
	/* no zone is further from Greenwich than a day, nor changes twice within two */
	int32_t before = zone_offset(z, civil - DAY), after = zone_offset(z, civil + DAY);
	int64_t early = civil - before, late = civil - after;
	if (zone_offset(z, early) == before)
		return early;
	if (zone_offset(z, late) == after)
		return late;
	return early;
}
