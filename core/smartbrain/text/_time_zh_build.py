"""What the Chinese patterns of ``_time_zh`` mean: from a match and the moment to a piece."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime

from smartbrain.text._time_calendar import (
    DAY,
    Cycle,
    Days,
    Unit,
    day_of_month_cycle,
    month_of,
    months_of,
    one_day,
    part_of,
    season_of,
    unit_at,
    weekday_cycle,
    year_of,
    yearly,
)
from smartbrain.text._time_holidays import HOLIDAYS
from smartbrain.text._time_pieces import Piece, cycle, days, got, moved, moved_minutes, rolling
from smartbrain.text._time_zh_words import (
    DAYS,
    DIGITS,
    FEASTS,
    HOURS,
    MINUTES,
    PARTS,
    SEASONS,
    UNITS,
    YEARS,
    count_of,
    number,
    spelled_year,
)

_HALVES: dict[str, tuple[Unit, int, int]] = {"年": ("month", 5, 7), "月": ("week", 1, 3), "天": ("day", 0, 1)}


def _year_of(match: re.Match[str], now: datetime) -> int | None:
    if got(match, "yr"):
        return now.year + YEARS[match["yr"]]
    return spelled_year(match["y"], now) if got(match, "y") else None


def _yearly(found: Cycle, match: re.Match[str], now: datetime) -> Piece:
    year = _year_of(match, now)
    return days(found.days(year)) if year is not None else cycle(found)


def month(match: re.Match[str], now: datetime) -> Piece:
    """五月, 2024年3月, 去年三月初, 5月3日, 五月三号到五号."""
    month = number(match["m"])
    if got(match, "d"):
        first = number(match["d"])
        last = number(match["d2"]) if got(match, "d2") else first
        if last < first:
            raise ValueError("a range of days that runs backwards")
        found = yearly(lambda y: (date(y, month, first), one_day(date(y, month, last))[1]))
        return replace(_yearly(found, match, now), hours=HOURS.get(match["dp"]))
    if got(match, "part"):
        part = PARTS[match["part"]]
        return _yearly(yearly(lambda y: part_of(month_of(y, month), part)), match, now)
    if got(match, "m2"):
        count = (number(match["m2"]) - month) % 12 + 1
        return _yearly(yearly(lambda y: months_of(y, month, count)), match, now)
    return _yearly(yearly(lambda y: month_of(y, month)), match, now)


def of_year(match: re.Match[str], now: datetime) -> Piece | None:
    """A season, half, quarter, feast or part of a year, or the year itself."""
    if got(match, "season"):
        season = SEASONS[match["season"]]
        found = yearly(lambda y: season_of(y, season))
    elif got(match, "half"):
        first = 1 if got(match, "half") == "上" else 7
        found = yearly(lambda y: months_of(y, first, 6))
    elif got(match, "q"):
        quarter = number(match["q"])
        found = yearly(lambda y: months_of(y, quarter * 3 - 2, 3))
    elif got(match, "feast"):
        found = yearly(HOLIDAYS[FEASTS[match["feast"]]])
    elif got(match, "part"):
        part = PARTS["年" + match["part"][-1]]
        found = yearly(lambda y: part_of(year_of(y), part))
    else:
        return None
    return _yearly(found, match, now)


_BEFORE_SHORT_YEAR = re.compile(r"(?:^|[\s，,。.！!？?、；;：:（(“\"]|[在从自于是到和至])$")


def bare_year(match: re.Match[str], now: datetime) -> Piece | None:
    """A year alone. 24年 may be a length of time, so two digits count only where a date can stand."""
    word = match["y"]
    if word and len(word) == 2:
        before = match.string[max(0, match.start() - 1) : match.start()]
        if not _BEFORE_SHORT_YEAR.search(before) or re.match(
            r"[前后来多间内半了以的制级]", match.string[match.end() :][:1]
        ):
            return None
    year = _year_of(match, now)
    return days(year_of(year)) if year is not None else None


def month_ref(match: re.Match[str], now: datetime) -> Piece:
    """上个月, 下个月15号, 本月底."""
    word = match["ref"]
    offset = {"上": -1, "下": 1}.get(word[0], 0) * len(word.rstrip("一"))
    found = unit_at("month", now.date(), offset)
    if match["d"]:
        return days(one_day(found[0].replace(day=number(match["d"]))))
    return days(part_of(found, PARTS[match["part"]]) if match["part"] else found)


def end_of(match: re.Match[str], _now: datetime) -> Piece:
    """月底 has no month yet, 年初 no year."""
    word = match["word"]
    if word[0] == "月":
        part = PARTS[word[1:]]
        return cycle(Cycle("month", lambda n: part_of(month_of(n // 12, n % 12 + 1), part)))
    return cycle(yearly(lambda y: part_of(year_of(y), PARTS[word])))


def day_of_month(match: re.Match[str], _now: datetime) -> Piece:
    return replace(cycle(day_of_month_cycle(number(match["d"]))), hours=HOURS.get(match["dp"]))


def _offset(word: str) -> int:
    return {"上": -1, "下": 1}.get(word[0], 0) * len(word)


def week_ref(match: re.Match[str], now: datetime) -> Piece:
    """上周, 下下个星期, 本周末, 上周三晚上: the calendar week that far away and a day of it."""
    offset, day = _offset(match["ref"]), match["wd"]
    if match["end"]:
        return days(unit_at("weekend", now.date(), offset))
    week = unit_at("week", now.date(), offset)
    if not day:
        return days(week)
    return _at(one_day(week[0] + _weekday_number(day) * DAY), match["dp"])


def _weekday_number(word: str) -> int:
    return "一二三四五六日".index(word.replace("天", "日"))


def weekday(match: re.Match[str], _now: datetime) -> Piece:
    hours = HOURS[match["dp"]] if match["dp"] else None
    return Piece(cycle=weekday_cycle(_weekday_number(match["wd"])), hours=hours)


def _at(found: Days, part: str | None) -> Piece:
    return Piece(*found, kind="day", hours=HOURS[part] if part else None)


def relative_day(match: re.Match[str], now: datetime) -> Piece:
    part = got(match, "dp") or got(match, "short")
    return _at(unit_at("day", now.date(), DAYS[match["day"]]), part)


def distance(match: re.Match[str], now: datetime) -> Piece | None:
    """三天前, 两个月后, 半年前, 一年半前, 几周前."""
    sign = -1 if match["dir"] == "前" else 1
    low, high, vague = count_of(match["n"])
    vague = vague or bool(match["more"]) or bool(match["about"])
    word = match["unit"]
    if word == "月" and not match["ge"] and match["n"] not in ("半", "几", "数"):
        return None  # 五月前 is before May
    if word in MINUTES:
        return moved_minutes(max(1, (MINUTES[word] * (low + high) or MINUTES[word]) // 2), now, sign)
    if not high:
        if word not in _HALVES:
            return None
        unit, near, far = _HALVES[word]
        return moved(unit, now, (near, far), sign, vague=True)
    if match["half"] and word == "年":
        return moved("month", now, (low * 12 + 6, low * 12 + 6), sign, vague=vague)
    unit, times = UNITS[word]
    return moved(unit, now, (low * times, high * times), sign, vague=vague)


def few_before(match: re.Match[str], now: datetime) -> Piece:
    """前几天 is a few days ago; 前两天 is as loose, one to three. Never firm."""
    low, high, vague = count_of(match["n"])
    unit, _ = UNITS[match["unit"]]
    return moved(unit, now, (low, high) if vague else (1, 3), -1, vague=True)


def window(match: re.Match[str], now: datetime) -> Piece | None:
    """最近一周, 近三个月, 过去半年, 未来两周, 这几天."""
    sign = 1 if match["dir"] in ("未来", "接下来", "今后") else -1
    _, high, vague = count_of(match["n"])
    word = match["unit"]
    if word in MINUTES:
        reach = moved_minutes(max(1, MINUTES[word] * high), now, sign)
        return Piece(reach.start, None, "recent", "soft") if sign < 0 else None
    if not high:
        halves: dict[str, tuple[Unit, int]] = {"年": ("month", 6), "月": ("day", 15), "天": ("day", 1)}
        if word not in halves:
            return None
        unit, count = halves[word]
        return rolling(unit, now, count, sign)
    return rolling(UNITS[word][0], now, high, sign, vague=vague or match["dir"] == "这")


def decade(match: re.Match[str], _now: datetime) -> Piece:
    word = match["dec"]
    first = int(word) if word.isascii() else DIGITS.index(word[0]) * 10
    first = first if first >= 1000 else 1900 + first
    return days((date(first, 1, 1), date(first + 10, 1, 1)))


def some_days(now: datetime) -> Piece:
    today = now.date()
    return Piece(today - 90 * DAY, today - 7 * DAY, "range", "soft")


def recent(now: datetime) -> Piece:
    return Piece(now.date() - 30 * DAY, None, "recent", "soft")
