"""What the time rules of every language share: folded text, the piece a rule finds, dates written in digits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from smartbrain.text._time_calendar import (
    DAY,
    Cycle,
    Days,
    Unit,
    at_hour,
    month_of,
    one_day,
    shift,
    unit_at,
    yearly,
)

_SIMPLE = str.maketrans(
    "後週禮個兩號這當時剛過來間幾麼麽開點鐘從與節國慶聖誕內裡裏學萬現將體會計劃準備預記約須說話為終雙陽勞動兒"
    "樓線門機廳館對應該離遠醫銀飯邊轉圍報資氣懷甚○〇歲發佈佔沒還給聞頓題歷屆",
    "后周礼个两号这当时刚过来间几么么开点钟从与节国庆圣诞内里里学万现将体会计划准备预记约须说话为终双阳劳动儿"
    "楼线门机厅馆对应该离远医银饭边转围报资气怀什零零岁发布占没还给闻顿题历届",
)
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x2019: 0x27, 0x2018: 0x27}
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_FOLD = _SIMPLE | _WIDE | {code + 0xFEE0: code + 32 for code in _LOWER} | _LOWER

GAP = r"\s{1,2}"
LEFT = r"(?<![a-z0-9_\u00c0-\u024f])"
RIGHT = r"(?![a-z0-9_\u00c0-\u024f])"

FEW = (2, 7)
"""What "a few" and 几 stand for: two to seven. "A couple" is (2, 3)."""

Weak = Literal["", "case", "prep", "name", "abbr"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that names a time, before its neighbours ("since", "to", 以前) have been looked at.

    ``start``/``end`` are days or moments. A ``cycle`` has no bounds yet: which occurrence is meant depends on the
    wording. ``weak`` says what must still be seen before it counts: "case" a capital letter or a preposition, "prep" a
    preposition or a partner, "name" both, because the word is also a verb or a first name, "abbr" a capital and "on",
    "by" or the like. ``word_at`` is where that word starts when it is not the first of the span ("this May"). ``hours``
    are those of the day, over 24 on the next one.
    """

    start: date | None = None
    end: date | None = None
    kind: str = "range"
    strength: str = "hard"
    cycle: Cycle | None = None
    weak: Weak = ""
    hours: tuple[int, int] | None = None
    word_at: int = -1
    span: tuple[int, int] = (0, 0)

    @property
    def bounded(self) -> bool:
        """Whether both ends are known: such a piece can be the partner of another or take "since"."""
        return self.start is not None and self.end is not None

    def settled(self, now: datetime, *, future: bool) -> Piece:
        """The piece with its occurrence chosen and its hours of the day applied."""
        piece = self
        if piece.cycle is not None:
            today = now.date()
            first, after = piece.cycle.coming(today) if future else piece.cycle.latest(today)
            kind = "day" if after - first == DAY else "range"
            piece = replace(piece, start=first, end=after, kind=kind, cycle=None)
        if piece.hours is not None and piece.start is not None:
            first_hour, last_hour = piece.hours
            day = piece.start
            piece = replace(piece, start=at_hour(day, first_hour, now), end=at_hour(day, last_hour, now), hours=None)
        return piece


Build = Callable[["re.Match[str]", datetime], Piece | None]
Rule = tuple["re.Pattern[str]", Build]


def fold(text: str) -> str:
    """``text`` with every character in its place, but lower case, halfwidth and simplified as far as time words go."""
    return text.translate(_FOLD)


def days(found: Days, *, strength: str = "hard", weak: Weak = "") -> Piece:
    """A piece of whole days; its kind is "day" when it is one day."""
    kind = "day" if found[1] - found[0] == DAY else "range"
    return Piece(found[0], found[1], kind, strength, weak=weak)


def cycle(found: Cycle, *, strength: str = "hard", weak: Weak = "") -> Piece:
    """A piece whose occurrence is chosen later."""
    return Piece(strength=strength, cycle=found, weak=weak)


def bare(kind: str) -> Piece:
    """A soft piece without a range ("the first time", "latest", "when did")."""
    return Piece(kind=kind, strength="soft")


def always(piece: Piece) -> Build:
    """The builder of a rule whose answer does not depend on the match."""
    return lambda _match, _now: piece


def moved(unit: Unit, now: datetime, counts: tuple[int, int], sign: int, *, vague: bool) -> Piece:
    """N units ago (``sign`` -1) or from now (1): the whole calendar unit, or all of those the two counts span."""
    near, far = counts
    today = now.date()
    one, other = unit_at(unit, today, sign * near), unit_at(unit, today, sign * far)
    found = (min(one[0], other[0]), max(one[1], other[1]))
    return days(found, strength="soft" if vague or near != far else "hard")


def moved_minutes(minutes: int, now: datetime, sign: int) -> Piece:
    """Hours and minutes ago or from now, always soft: a third of the distance, at least ten minutes, either way."""
    slack = timedelta(minutes=max(10, minutes // 3))
    middle = now.astimezone(UTC) + sign * timedelta(minutes=minutes)
    start, end = (at.astimezone(now.tzinfo) for at in (middle - slack, middle + slack))
    if sign < 0:
        return Piece(start, min(end, now), "range", "soft")
    return Piece(max(start, now), end, "range", "soft")


def rolling(unit: Unit, now: datetime, count: int, sign: int, *, vague: bool = False) -> Piece:
    """The last (-1) or coming (1) ``count`` units as whole days, today included."""
    today = now.date()
    strength = "soft" if vague else "hard"
    if sign < 0:
        return Piece(shift(today, unit, -count), today + DAY, "range", strength)
    return Piece(today, shift(today, unit, count) + DAY, "range", strength)


def got(match: re.Match[str], name: str) -> str | None:
    """A group that not every pattern of a builder has."""
    return match.groupdict().get(name)


def year_in(match: re.Match[str]) -> int | None:
    """The group ``y`` as a year."""
    found = match["y"]
    return int(found) if found else None


def _numeric_date(match: re.Match[str], _now: datetime) -> Piece:
    return days(one_day(date(int(match["y"]), int(match["m"]), int(match["d"]))))


def _slash_date(match: re.Match[str], _now: datetime) -> Piece:
    first, second = int(match["a"]), int(match["b"])
    month, day = (second, first) if first > 12 else (first, second)
    return days(one_day(date(int(match["y"]), month, day)))


def _slash_no_year(match: re.Match[str], _now: datetime) -> Piece:
    month, day = int(match["m"]), int(match["d"])
    return cycle(yearly(lambda y: one_day(date(y, month, day))), weak="prep")


_Y = r"(?P<y>(?:19|20|21)[0-9]{2})"
_M = r"(?P<m>1[0-2]|0[1-9])"
_FREE = r"(?<![0-9a-z_])(?<![/\\.+#=-])"
_END = r"(?![0-9_])(?![-/.:][0-9a-z])"
DIGIT_RULES: tuple[Rule, ...] = (
    (
        re.compile(
            _FREE + _Y + r"(?:(?P<sep>[-/])(?P<m>1[0-2]|0?[1-9])(?P=sep)(?P<d>3[01]|[12][0-9]|0?[1-9])(?![0-9_])"
            r"(?![-/.][0-9a-z]))"
        ),
        _numeric_date,
    ),
    (re.compile(_FREE + _Y + r"\." + _M + r"\.(?P<d>3[01]|[12][0-9]|0[1-9])" + _END), _numeric_date),
    (
        re.compile(_FREE + r"(?P<a>[0-9]{1,2})(?P<sep>[-/.])(?P<b>[0-9]{1,2})(?P=sep)" + _Y + _END),
        _slash_date,
    ),
    (
        re.compile(_FREE + _M + "/" + _Y + _END),
        lambda match, _now: days(month_of(int(match["y"]), int(match["m"]))),
    ),
    (
        re.compile(_FREE + _Y + "[-/]" + _M + _END),
        lambda match, _now: days(month_of(int(match["y"]), int(match["m"]))),
    ),
    (re.compile(_FREE + r"(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12][0-9]|0?[1-9])" + _END), _slash_no_year),
)
"""Dates in digits. With the year last the month is first (03/04/2024 is 4 March) unless it is over 12."""
