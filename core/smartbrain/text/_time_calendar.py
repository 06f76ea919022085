"""Calendar arithmetic for time hints: whole days in one zone, half-open ranges, things that come round.

Everything here works on ``date``; a bound becomes midnight on the wall clock of the asker's zone only at the end, so a
day of 23 or 25 hours is still one day. Arithmetic that leaves the calendar raises ``ValueError`` or ``OverflowError``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

Days = tuple[date, date]
"""A half-open range of days."""
Unit = Literal["day", "week", "month", "quarter", "year", "weekend"]
Part = Literal["early", "mid", "late", "start", "end"]

DAY = timedelta(days=1)
_MONTHS_IN: dict[str, int] = {"month": 1, "quarter": 3, "year": 12}
_DAYS_IN: dict[str, int] = {"day": 1, "week": 7, "weekend": 7}


@dataclass(frozen=True, slots=True)
class Cycle:
    """Something that comes round (a Monday, the 3rd, a May, a Christmas) and has no year of its own yet.

    ``days(n)`` gives the occurrence in year, month or week number ``n`` and raises ``ValueError`` when there is none
    (29 February). ``strict``: an occurrence that is today does not count, since one would have said "today".
    """

    every: Literal["year", "month", "week"]
    days: Callable[[int], Days]
    strict: bool = False

    def latest(self, today: date) -> Days:
        """The last occurrence that has begun by ``today``."""
        for found in self._around(today, step=-1):
            if found[0] < today or (found[0] == today and not self.strict):
                return found
        raise ValueError("no such day in the years before")

    def coming(self, today: date) -> Days:
        """The first occurrence that is not over on ``today``; a strict one must begin later."""
        for found in self._around(today, step=1):
            if (found[0] > today) if self.strict else (found[1] > today):
                return found
        raise ValueError("no such day in the years to come")

    def _around(self, today: date, step: int) -> Iterator[Days]:
        here = self._number(today)
        for n in range(here - step, here + 9 * step, step):  # 29 February may be eight years away
            try:
                yield self.days(n)
            except ValueError:
                continue

    def _number(self, day: date) -> int:
        if self.every == "year":
            return day.year
        return month_number(day) if self.every == "month" else week_number(day)


def month_number(day: date) -> int:
    """Months since year 0."""
    return day.year * 12 + day.month - 1


def week_number(day: date) -> int:
    """Weeks since the Monday that is ordinal 1; weeks start on Monday."""
    return (day.toordinal() - 1) // 7


def monday(week: int) -> date:
    """The Monday of a week number."""
    return date.fromordinal(week * 7 + 1)


def month(number: int) -> Days:
    """The days of a month number."""
    return date(number // 12, number % 12 + 1, 1), date((number + 1) // 12, (number + 1) % 12 + 1, 1)


def month_of(year: int, number: int) -> Days:
    """The days of month 1..12 of a year."""
    return month(year * 12 + number - 1)


def months_of(year: int, first: int, count: int) -> Days:
    """``count`` months of a year from month ``first``; the range may run into the next year."""
    return month_of(year, first)[0], month(year * 12 + first + count - 2)[1]


def one_day(day: date) -> Days:
    """A day as a range."""
    return day, day + DAY


def year_of(year: int) -> Days:
    """The days of a year."""
    return date(year, 1, 1), date(year + 1, 1, 1)


def unit_at(unit: Unit, today: date, offset: int) -> Days:
    """The whole calendar unit ``offset`` units after the one that holds ``today``."""
    if unit == "day":
        return one_day(today + offset * DAY)
    if unit in ("week", "weekend"):
        first = monday(week_number(today) + offset)
        return (first, first + 7 * DAY) if unit == "week" else (first + 5 * DAY, first + 7 * DAY)
    size = _MONTHS_IN[unit]
    first_month = (month_number(today) // size + offset) * size
    return month(first_month)[0], month(first_month + size - 1)[1]


def shift(day: date, unit: Unit, count: int) -> date:
    """``day`` moved by ``count`` units, the day of the month clamped (31 May less one month is 30 April)."""
    if unit in _DAYS_IN:
        return day + count * _DAYS_IN[unit] * DAY
    first, after = month(month_number(day) + count * _MONTHS_IN[unit])
    return min(first + (day.day - 1) * DAY, after - DAY)


def part_of(days: Days, part: Part) -> Days:
    """The early, middle or late part of a month, a year or any longer range.

    A month: days 1-10, 11-20, 21 to the end. A year: its thirds for early/mid/late, its first or last quarter for
    start/end. A week or anything shorter than a month: its first two, middle three and last two sevenths.
    """
    first, after = days
    length = (after - first).days
    if 28 <= length <= 31:
        marks = (first, first + 10 * DAY, first + 20 * DAY, after)
    elif length >= 365:
        ends = (3, 9) if part in ("start", "end") else (4, 8)
        marks = (first, shift(first, "month", ends[0]), shift(first, "month", ends[1]), after)
    elif length > 31:
        marks = (first, first + length // 3 * DAY, after - length // 3 * DAY, after)
    else:
        cut = max(1, length * 2 // 7)
        marks = (first, first + cut * DAY, after - cut * DAY, after)
    place = {"early": 0, "start": 0, "mid": 1, "late": 2, "end": 2}[part]
    return marks[place], marks[place + 1]


def season_of(year: int, name: str) -> Days:
    """A season of the northern half of the earth by whole months; the winter of a year begins in its December."""
    return months_of(year, {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}[name], 3)


def season_at(name: str, today: date, offset: int) -> Days:
    """A season by reference: -1 the last that is over, 0 the one that runs or is this year's, 1 the next to begin."""
    years = range(today.year - 2, today.year + 3)
    if offset < 0:
        return max(s for s in (season_of(y, name) for y in years) if s[1] <= today)
    if offset > 0:
        return min(s for s in (season_of(y, name) for y in years) if s[0] > today)
    running = [s for s in (season_of(y, name) for y in years) if s[0] <= today < s[1]]
    return running[0] if running else season_of(today.year, name)


def yearly(days: Callable[[int], Days]) -> Cycle:
    """A thing of the year."""
    return Cycle("year", days)


def weekday_cycle(day: int) -> Cycle:
    """Weekday 0 (Monday) .. 6, strict."""
    return Cycle("week", lambda week: one_day(monday(week) + day * DAY), strict=True)


WEEKENDS = Cycle("week", lambda week: unit_at("weekend", monday(week), 0))
"""Saturday and Sunday."""


def day_of_month_cycle(day: int) -> Cycle:
    """Day 1..31 of some month."""
    return Cycle("month", lambda n: one_day(date(n // 12, n % 12 + 1, day)))


def midnight(day: date, now: datetime) -> datetime:
    """The start of a day on the wall clock of ``now``'s zone."""
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)


def at_hour(day: date, hour: int, now: datetime) -> datetime:
    """``hour`` 0..47 of a day on the wall clock; 24 and more is the next day."""
    return midnight(day + (hour // 24) * DAY, now).replace(hour=hour % 24)
