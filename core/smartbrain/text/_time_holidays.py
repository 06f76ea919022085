"""Feasts whose days can be computed, and the Chinese New Year by a table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from smartbrain.text._time_calendar import DAY, Days, one_day

# Month and day of the first day of the Chinese year from 2000. A table and no formula: the civil rule needs the true
# new moon to the minute on Beijing's meridian. A test holds every entry against the mean moon. Outside it, no hint.
_FIRST_TABLE_YEAR = 2000
_CHINESE_NEW_YEAR = [
    "0205",
    "0124",
    "0212",
    "0201",
    "0122",
    "0209",
    "0129",
    "0218",
    "0207",
    "0126",
    "0214",
    "0203",
    "0123",
    "0210",
    "0131",
    "0219",
    "0208",
    "0128",
    "0216",
    "0205",
    "0125",
    "0212",
    "0201",
    "0122",
    "0210",
    "0129",
    "0217",
    "0206",
    "0126",
    "0213",
    "0203",
    "0123",
    "0211",
    "0131",
    "0219",
    "0208",
]


def chinese_new_year(year: int) -> date:
    """The first day of the Chinese year that begins in ``year``; ``ValueError`` outside 2000..2035."""
    place = year - _FIRST_TABLE_YEAR
    if not 0 <= place < len(_CHINESE_NEW_YEAR):
        raise ValueError("outside the table of Chinese years")
    return date(year, int(_CHINESE_NEW_YEAR[place][:2]), int(_CHINESE_NEW_YEAR[place][2:]))


def easter_sunday(year: int) -> date:
    """Gregorian Easter by the anonymous algorithm (Meeus, Astronomical Algorithms, chapter 8)."""
    a, (b, c) = year % 19, divmod(year, 100)
    (d, e), g = divmod(b, 4), (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    x = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * x) // 451
    n, p = divmod(h + x - 7 * m + 114, 31)
    return date(year, n, p + 1)


def _thanksgiving(year: int) -> Days:
    first = date(year, 11, 1)
    return one_day(first + ((3 - first.weekday()) % 7 + 21) * DAY)


def _fixed(month: int, day: int, length: int = 1) -> Callable[[int], Days]:
    return lambda year: (date(year, month, day), date(year, month, day) + length * DAY)


HOLIDAYS: dict[str, Callable[[int], Days]] = {
    "christmas": _fixed(12, 24, 3),
    "christmas eve": _fixed(12, 24),
    "christmas day": _fixed(12, 25),
    "new year": lambda year: (date(year - 1, 12, 31), date(year, 1, 2)),
    "new year's eve": _fixed(12, 31),
    "new year's day": _fixed(1, 1),
    "valentine's day": _fixed(2, 14),
    "halloween": _fixed(10, 31),
    "thanksgiving": _thanksgiving,
    "easter": lambda year: (easter_sunday(year) - 2 * DAY, easter_sunday(year) + 2 * DAY),
    "chinese new year": lambda year: (chinese_new_year(year) - DAY, chinese_new_year(year) + 7 * DAY),
    "chinese new year's eve": lambda year: one_day(chinese_new_year(year) - DAY),
    "national day week": _fixed(10, 1, 7),
    "labour day week": _fixed(5, 1, 5),
    "children's day": _fixed(6, 1),
    "singles' day": _fixed(11, 11),
    "qingming": _fixed(4, 4, 3),
}
"""Feast -> the days it fills in a year. "christmas" is the 24th to the 26th, "easter" Good Friday to Easter Monday,
"new year" of year Y the last day of Y-1 and the first of Y, "qingming" the three days it can fall on."""
