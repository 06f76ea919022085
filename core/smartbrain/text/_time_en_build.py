"""What the English patterns of ``_time_en`` mean: from a match and the moment to a piece."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime

from smartbrain.text._time_calendar import (
    Cycle,
    Days,
    Part,
    Unit,
    day_of_month_cycle,
    month_of,
    months_of,
    one_day,
    part_of,
    season_at,
    season_of,
    unit_at,
    weekday_cycle,
    year_of,
    yearly,
)
from smartbrain.text._time_en_words import (
    HOURS,
    MINUTES,
    MONTHS,
    NAME_LIKE,
    OFFSET,
    ORDINALS,
    WEEKDAYS,
    count_of,
    unit_of,
)
from smartbrain.text._time_holidays import HOLIDAYS
from smartbrain.text._time_pieces import Piece, Weak, cycle, days, got, moved, moved_minutes, rolling, year_in

_HALVES: dict[str, tuple[Unit, int, int]] = {"year": ("month", 5, 7), "month": ("week", 1, 3), "week": ("day", 3, 4)}


def distance(match: re.Match[str], now: datetime, sign: int) -> Piece | None:
    """ "three weeks ago", "in two days": the calendar unit that far away."""
    low, high, vague = count_of(match["n"])
    word = match["unit"]
    vague = vague or bool(got(match, "about"))
    if word in MINUTES:
        return moved_minutes(max(1, MINUTES[word] * (low + high) // 2 or MINUTES[word] // 2), now, sign)
    if got(match, "half") and word == "year":
        return moved("month", now, (low * 12 + 6, low * 12 + 6), sign, vague=vague)
    if not low:
        if word not in _HALVES:
            return None
        unit, near, far = _HALVES[word]
        return moved(unit, now, (near, far), sign, vague=True)
    unit, times = unit_of(word)
    return moved(unit, now, (low * times, high * times), sign, vague=vague)


_OFTEN = re.compile(r"^[^.!?\n]*\b(?:once|twice|times|did|was|were|had|[a-z]{2,}ed)\b")
_HABIT = re.compile(
    r"(?:times|once|twice|per|many|much|every|each|[a-z]ed|took|did|was|were|had|made|got)\b[^.!?\n]{0,40}$"
)


def ahead(match: re.Match[str], now: datetime) -> Piece | None:
    """ "in two weeks" is ahead of now, unless it tells how long something took or how often it happens."""
    before = match.string[max(0, match.start() - 50) : match.start()]
    after = match.string[match.end() : match.end() + 40]
    return None if _HABIT.search(before) or _OFTEN.search(after) else distance(match, now, 1)


def window(match: re.Match[str], now: datetime) -> Piece | None:
    """ "the last two weeks", "the past year", "in the last month", "the next few days"."""
    sign = 1 if match["dir"] in ("next", "coming", "following") else -1
    word = match["unit"]
    _, high, vague = count_of(match["n"])
    if word in MINUTES:
        minutes = max(1, MINUTES[word] * high)
        reach = moved_minutes(minutes, now, sign)
        return Piece(reach.start, None, "recent", "soft") if sign < 0 else None
    unit, times = unit_of(word)
    if not high:
        return rolling("month", now, 6, sign, vague=True) if unit == "year" else None
    return rolling(unit, now, high * times, sign, vague=vague)


def _from_now_to(found: Days, word: str | None, now: datetime) -> Days:
    """ "earlier this week" ends today, "later this week" begins today."""
    today = now.date()
    if word == "earlier":
        return found[0], min(found[1], one_day(today)[1])
    return (max(found[0], today), found[1]) if word == "later" else found


def _spaced(words: str | None) -> str:
    """The words with single blanks between them, whatever stood there."""
    return " ".join((words or "").split())


def _part_name(word: str) -> Part:
    words = re.split(r"[-\s]", word)
    names: tuple[Part, ...] = ("early", "mid", "late", "end")
    return next((name for name in names if any(w.startswith(name) for w in words)), "start")


def relative_day(match: re.Match[str], now: datetime) -> Piece:
    words = match["base"]
    last = words.split()[-1]
    offset = -1 if last == "yesterday" else 0 if last == "today" else 1
    if "before" in words or "after" in words:
        offset *= 2
    found = days(unit_at("day", now.date(), offset))
    if match["part"]:
        return Piece(found.start, found.end, "day", "hard", hours=HOURS[match["part"]])
    return found


def part_of_day(match: re.Match[str], now: datetime) -> Piece:
    last = match["which"] == "last"
    found = days(unit_at("day", now.date(), -1 if last else 0))
    hours = (18, 24) if match["tonight"] else HOURS[match["part"]]
    return Piece(found.start, found.end, "day", "hard", hours=hours)


def named_unit(match: re.Match[str], now: datetime) -> Piece:
    """ "last week", "early next month", "the week before last", "later this year"."""
    unit, _ = unit_of(match["unit"])
    twice, part = got(match, "twice"), got(match, "part")
    offset = (-2 if twice.startswith("before") else 2) if twice else OFFSET[match["ref"].split()[-1]]
    found = _from_now_to(unit_at(unit, now.date(), offset), got(match, "side"), now)
    return days(part_of(found, _part_name(part)) if part else found)


def end_of_the(match: re.Match[str], _now: datetime) -> Piece:
    """ "the end of the month" has no month yet."""
    part, unit = _part_name(match["part"]), match["unit"]
    if unit == "week":
        return cycle(Cycle("week", lambda n: part_of(unit_at("week", date.fromordinal(n * 7 + 1), 0), part)))
    if unit == "month":
        return cycle(Cycle("month", lambda n: part_of(month_of(n // 12, n % 12 + 1), part)))
    return cycle(yearly(lambda y: part_of(year_of(y), part)))


_NO_DAY_BEFORE = re.compile(
    r"(?:every|each|any|most|per|black|good|cyber|ash|palm|super|fat|casual|bloody|other|alternate)\s$"
)


def weekday(match: re.Match[str], now: datetime) -> Piece | None:
    """A weekday: "last" is the latest before today, "this" and "next" are of that calendar week, bare is a cycle."""
    if _NO_DAY_BEFORE.search(match.string[max(0, match.start() - 10) : match.start()]):
        return None
    name = match["wd"] or match["wd2"]
    weak: Weak = "" if name in WEEKDAYS else "abbr"
    number = next(i for i, day in enumerate(WEEKDAYS) if day.startswith(name[:3]))
    hours = HOURS[match["dp"]] if match["dp"] else None
    ref, week = _spaced(match["ref"]), match["wref"] or match["wref2"]
    if match["bl"]:
        found = weekday_cycle(number).latest(weekday_cycle(number).latest(now.date())[0])
    elif week or (ref and ref not in ("last", "this past", "past")):
        offset = OFFSET[(week or ref).split()[-1]]
        first = unit_at("week", now.date(), offset)[0]
        found = one_day(date.fromordinal(first.toordinal() + number))
    elif ref:
        found = weekday_cycle(number).latest(now.date())
    else:
        return Piece(cycle=weekday_cycle(number), weak=weak, hours=hours)
    return Piece(*found, kind="day", weak="case" if weak else "", hours=hours)


def _month_index(word: str) -> int:
    return next(i for i, name in enumerate(MONTHS, 1) if name.startswith(word[:3]))


def _year_of_match(match: re.Match[str], now: datetime) -> int | None:
    """The year written beside a month, season, quarter or feast, if one is."""
    if match["yref"]:
        return now.year + OFFSET[match["yref"]]
    return year_in(match)


def _dated(found: Cycle, year: int | None, ref: str | None, now: datetime, weak: Weak = "") -> Piece:
    """A yearly thing with its year, by reference ("last March"), or still open."""
    if year is not None:
        return days(found.days(year))
    if not ref:
        return cycle(found, weak=weak)
    offset = OFFSET[ref.split()[-1]]
    if offset == 0:
        return days(found.days(now.year))
    if offset > 0:
        return days(min(d for d in map(found.days, range(now.year, now.year + 3)) if d[0] > now.date()))
    return days(max(d for d in map(found.days, range(now.year - 2, now.year + 1)) if d[1] <= now.date()))


def month(match: re.Match[str], now: datetime) -> Piece:
    word = match["mon"].rstrip(".")
    number = _month_index(word)
    part = _part_name(match["part"]) if match["part"] else None

    def of(year: int) -> Days:
        found = month_of(year, number)
        return part_of(found, part) if part else found

    year = _year_of_match(match, now)
    weak: Weak = ""
    if word in NAME_LIKE or word not in MONTHS:
        weak = "" if match["y"] or part else ("case" if year or match["ref"] else "name")
    piece = _dated(yearly(of), year, match["ref"], now)
    return replace(piece, weak=weak, word_at=match.start("mon"))


def month_range(match: re.Match[str], _now: datetime) -> Piece:
    """ "May-July 2023"."""
    first, last = _month_index(match["mon"]), _month_index(match["mon2"])
    count = (last - first) % 12 + 1
    year = year_in(match)
    if year is None:
        return cycle(yearly(lambda y: months_of(y, first, count)), weak="case")
    return days(months_of(year if first <= last else year - 1, first, count))


def month_day(match: re.Match[str], now: datetime) -> Piece | None:
    first = int(match["d"]) if match["d"] else ORDINALS.index(match["ow"]) + 1
    last = int(match["d2"]) if match["d2"] else first
    word = match["mon"].rstrip(".")
    number = _month_index(word)

    def of(year: int) -> Days:
        return date(year, number, first), one_day(date(year, number, last))[1]

    if not 1 <= first <= last <= 31:
        return None
    year = _year_of_match(match, now)
    firm = year is not None or bool(match["ord"]) or (word in MONTHS and word not in ("may", "march"))
    if year is not None:
        return days(of(year))
    return replace(cycle(yearly(of), weak="" if firm else "case"), word_at=match.start("mon"))


def day_of_month(match: re.Match[str], _now: datetime) -> Piece | None:
    day = int(match["d"])
    return cycle(day_of_month_cycle(day), weak="prep") if 1 <= day <= 31 else None


def quarter(match: re.Match[str], now: datetime) -> Piece:
    word = match["q"]
    number = int(word) if word.isdigit() else {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}[word]
    size = 6 if match["half"] or match["half2"] else 3
    found = yearly(lambda y: months_of(y, (number - 1) * size + 1, size))
    year = int(match["y0"]) if match["y0"] else _year_of_match(match, now)
    if size == 6 and number > 2:
        raise ValueError("a year has two halves")
    return _dated(found, year, None, now, "prep")


def season(match: re.Match[str], now: datetime) -> Piece:
    name = "autumn" if match["season"] == "fall" else match["season"]
    year = _year_of_match(match, now)
    if year is None and match["ref"]:
        return days(season_at(name, now.date(), OFFSET[match["ref"].split()[-1]]))
    return _dated(yearly(lambda y: season_of(y, name)), year, None, now, "prep")


def year(match: re.Match[str], _now: datetime) -> Piece | None:
    year, part = int(match["y"]), match["part"]
    folded, end = match.string, match.end()
    if _COUNTED.match(folded, end) or (year % 50 == 0 and _PLURAL.match(folded, end)):
        return None
    return days(part_of(year_of(year), _part_name(part)) if part else year_of(year), weak="" if part else "prep")


_COUNTED = re.compile(
    r"\s(?:rpm|words?|steps|people|users|items|rows|lines|char(?:acter)?s|tokens|ms|sec|seconds|minutes|hours|days|kg|km|m|"
    r"met(?:er|re)s|miles|feet|dollars|usd|euros|yuan|points|times|bytes|[kmg]b|files|requests|pages|k?cal(?:ories)?|px|"
    r"pixels|votes|shares|copies|units|years|customers|employees)\b"
)
_PLURAL = re.compile(r"\s[a-z]{2,16}s\b")


def holiday(match: re.Match[str], now: datetime) -> Piece:
    name = _spaced(match["feast"]).replace("xmas", "christmas").replace("spring festival", "chinese new year")
    name = name.replace("lunar", "chinese").replace("valentines", "valentine's")
    name = re.sub(r"year(?:'?s)?$", "year", re.sub(r"(?<=new )year(?:'?s)?(?= )", "year's", name))
    found = yearly(HOLIDAYS[name.replace("chinese new year's day", "chinese new year")])
    return _dated(
        found,
        _year_of_match(match, now),
        match["ref"],
        now,
        "" if _spaced(match["feast"]).endswith(("'s", " eve", " day")) else "prep",
    )


def decade(match: re.Match[str], _now: datetime) -> Piece:
    first = int(match["dec"]) if len(match["dec"]) == 4 else 1900 + int(match["dec"])
    return days((date(first, 1, 1), date(first + 10, 1, 1)))


def recent(_match: re.Match[str], now: datetime) -> Piece:
    return Piece(rolling("day", now, 30, -1).start, None, "recent", "soft")


def just_now(_match: re.Match[str], now: datetime) -> Piece:
    return Piece(moved_minutes(45, now, -1).start, None, "recent", "soft")


def other_day(_match: re.Match[str], now: datetime) -> Piece:
    return Piece(unit_at("day", now.date(), -7)[0], now.date(), "range", "soft")


def earlier(_match: re.Match[str], now: datetime) -> Piece:
    return Piece(None, now, "range", "soft")
