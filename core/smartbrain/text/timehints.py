"""Time words of a text, English and Chinese, as ranges: a question's filter or boost, a statement's date.

Pure: the clock is the argument. The conventions, for both languages:

- Whole days on the wall clock of the given moment's zone; ranges are half open. Weeks start on Monday.
- "N units ago" is the whole calendar unit N before the current one; "last week", 上周 the previous calendar week. "The
  last N units", 最近N天 are rolling and include today. "A few" is two to seven, "a couple" two to three; both are soft.
- "Last Monday" is the latest Monday before today; "this"/"next Monday", 上/本/下周一 are of that calendar week.
- What has no year (May, 3号, Friday, Christmas, Q3) is its latest occurrence, the running one included, unless the
  wording looks ahead ("will", "by", 打算), then its next one. A bare weekday is never today.
- The hours: morning 0-12, noon 11-14, afternoon 12-18, evening 17-24, tonight and 晚上 18-24, "last night" 18 to 6.
- Early/mid/late (初/中/底) of a month are days 1-10, 11-20, 21 to the end; of a year its thirds, with start/end
  (年初/年底) its first and last quarter. Seasons are the north's; the winter of a year begins in its December.
- 03/04/2024 is 4 March: the month first unless it is over 12. Two-digit years (24年) lie at most five years ahead.
- "Recently", 最近 are the last 30 days, open to the future. Hours and minutes ago are soft, a third either way.
- Feasts: see ``_time_holidays``; 春节 is known for 2000..2035.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from functools import lru_cache
from typing import Literal

from smartbrain.errors import InputError
from smartbrain.text._time_calendar import midnight, unit_at
from smartbrain.text._time_en import en_rules
from smartbrain.text._time_pieces import DIGIT_RULES, LEFT, RIGHT, Piece, days, fold
from smartbrain.text._time_wording import (
    bound_after,
    bound_before,
    counts,
    joined,
    looks_ahead,
    within,
)
from smartbrain.text._time_zh import zh_rules

Prefer = Literal["past", "future"]


@dataclass(frozen=True, slots=True)
class TimeHint:
    """A time that a text names.

    ``start`` is inclusive and ``end`` exclusive, both timezone-aware in the zone of the given moment; None is open.
    ``text`` are the words as they stand, ``text[span[0]:span[1]]`` of the given text. ``kind``: "day" (a day or part of
    one), "range", "recent" (the newest matters), "first"/"last" (an end of the series), "asks_when" (a time is
    wanted; no range). ``strength``: "hard" for what was named ("in March 2024", 上周), "soft" for a leaning or a
    vague amount ("recently", 最近, "a few days ago").
    """

    start: datetime | None
    end: datetime | None
    text: str
    span: tuple[int, int]
    kind: str
    strength: str


_MAY_NAME_TIME = re.compile(
    r"[天日晚早夜周月年号季节春夏秋冬时钟]|[之以从]前|前几|最[近后新早初]|近来|近期|刚刚|刚才|方才|适才|现在|目前|如今|当前|眼下|此刻|现今|"
    r"[今昨明后前]儿|那会儿|曾经|上一?[次回]|第?一[次回]|首次|头一|哪|几点|多久|星期|礼拜|国庆|元旦|圣诞|清明|除夕|[五六]一|十一|双11|这阵子|前阵子|"
    rf"(?:19|20|21)[0-9]{{2}}|[0-9]/[0-9]|{LEFT}(?:"
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|today|tonight|tomorrow|tmrw|tmr|tomoz|2moro|"
    r"yesterday|morning|afternoon|evening|(?:minute|min|second|moment|hour|hr|day|night|weekend|week|fortnight|month|quarter|year|yr)s?|spring|"
    r"summer|autumn|fall|winter|christmas|xmas|halloween|valentine'?s|thanksgiving|easter|ago|past|last|first|latest|newest|"
    r"earliest|recent(?:ly)?|lately|late|now|current(?:ly)?|nowadays|present(?:ly)?|previous(?:ly)?|formerly|used|then|time|when|"
    rf"date|weekday|q[1-4]|h[12]|[0-9]{{1,2}}(?:st|nd|rd|th)|[0-9]{{2,4}}'?s){RIGHT}"
)


_LATIN = re.compile(r"[a-z]|(?:19|20|21)[0-9]{2}")  # "2021-2023" is a rule of the English table
_HAN = re.compile(r"[\u4e00-\u9fff]")


def mentions_time(text: str) -> bool:
    """Whether ``text`` may name a time: a cheap test that is never False where ``time_hints`` finds something."""
    return _MAY_NAME_TIME.search(fold(text)) is not None


def time_hints(text: str, now: datetime) -> list[TimeHint]:
    """The times a question names, in text order, without overlap (the longest reading wins).

    "By X" and "until X" end with X and have no start, "since X" has no end, "before X" ends where X starts.
    Raises ``InputError`` when ``now`` has no zone.
    """
    return [_hint(piece, text, now) for piece in _read(text, now, None, statement=False)]


def resolve_date(text: str, said_at: datetime, *, prefer: Prefer | None = None) -> TimeHint | None:
    """The first day or range that a statement names, seen from the moment it was said; None when it names none.

    ``prefer`` decides which Friday or May is meant; None reads it off the wording, which looks ahead more readily than
    in ``time_hints`` ("need to", 要). A deadline that lies ahead ("by Friday", 周五前) gives the day itself.
    Raises ``InputError`` when ``said_at`` has no zone.
    """
    for piece in _read(text, said_at, prefer, statement=True):
        named = piece.start is not None or piece.strength == "hard"
        if piece.kind in ("day", "range") and named:
            return _hint(piece, text, said_at)
    return None


def _hint(piece: Piece, text: str, now: datetime) -> TimeHint:
    start, end = (_moment(bound, now) for bound in (piece.start, piece.end))
    return TimeHint(start, end, text[slice(*piece.span)], piece.span, piece.kind, piece.strength)


def _moment(bound: date | None, now: datetime) -> datetime | None:
    return bound if bound is None or isinstance(bound, datetime) else midnight(bound, now)


def _read(text: str, now: datetime, prefer: Prefer | None, *, statement: bool) -> tuple[Piece, ...]:
    if now.utcoffset() is None:
        raise InputError("a time without a zone cannot be read from; give a timezone-aware datetime")
    return _pieces(text, now, (now.tzinfo, now.fold), prefer, statement)


@lru_cache(maxsize=64)  # several rules ask for the day of one clause
def _pieces(
    text: str,
    now: datetime,
    zone: tuple[tzinfo | None, int],  # noqa: ARG001 - tells two readings apart
    prefer: Prefer | None,
    statement: bool,
) -> tuple[Piece, ...]:
    """``zone`` tells apart what is equal as a moment: it is another day elsewhere."""
    folded = fold(text)
    if _MAY_NAME_TIME.search(folded) is None:
        return ()
    reader = _Reader(text, folded, now, prefer, statement)
    return tuple(piece for piece in reader.bounded(reader.pieces()) if _ascends(piece, now))


def _ascends(piece: Piece, now: datetime) -> bool:
    start, end = _moment(piece.start, now), _moment(piece.end, now)
    return start is None or end is None or start < end


@dataclass(frozen=True, slots=True)
class _Reader:
    """One reading of one text."""

    text: str
    folded: str
    now: datetime
    prefer: Prefer | None
    statement: bool

    def pieces(self) -> list[Piece]:
        """What the rules find, the longest first where they overlap, in text order."""
        taken = bytearray(len(self.folded))
        kept = []
        found = sorted(self._found(), key=lambda piece: (piece.span[0] - piece.span[1], piece.span[0]))
        for piece in found:
            start, end = piece.span
            if taken[start] or taken[end - 1]:  # nothing longer can lie strictly inside
                continue
            taken[start:end] = b"\1" * (end - start)
            kept.append(piece)
        return sorted(kept, key=lambda piece: piece.span)

    def _found(self) -> Iterator[Piece]:
        latin, han = _LATIN.search(self.folded), _HAN.search(self.folded)
        for pattern, build in (*DIGIT_RULES, *(en_rules() if latin else ()), *(zh_rules() if han else ())):
            for match in pattern.finditer(self.folded):
                try:
                    piece = build(match, self.now)
                except (ValueError, OverflowError):  # 30 February, 9000 years ago: no date, so no hint
                    continue
                if piece is not None and match.end() > match.start():
                    yield replace(piece, span=match.span())

    def bounded(self, pieces: list[Piece]) -> Iterator[Piece]:
        """The pieces with their partners ("from May to July"), bounds ("since", 以前) and occurrences settled."""
        at = 0
        while at < len(pieces):
            first, second = pieces[at], pieces[at + 1] if at + 1 < len(pieces) else None
            try:
                pair = self._pair(first, second) if second is not None else None
                at += 1 if pair is None else 2
                single = pair or self._single(first)
            except (ValueError, OverflowError):
                at += 1
                continue
            if single is not None:
                yield single

    def _pair(self, first: Piece, second: Piece) -> Piece | None:
        """Two dates joined by "to", "and", 到: one range; a partner without a year takes it from the other."""
        if not all(piece.cycle or piece.bounded for piece in (first, second)):
            return None
        if second.cycle is not None and first.start is not None and within(self.folded, first, second):
            narrowed = days(second.cycle.days(_day(first.start).year))  # "last year at Christmas"
            return replace(narrowed, span=(first.span[0], second.span[1]))
        span = joined(self.text, self.folded, first, second)
        if span is None:
            return None
        if first.cycle is not None and second.cycle is None:
            return Piece(first.cycle.latest(_day(second.start))[0], second.end, span=span)
        start = first.settled(self.now, future=self._ahead(first)).start
        end = second.end if second.cycle is None else second.cycle.coming(_day(start))[1]
        return Piece(start, end, span=span)

    def _single(self, piece: Piece) -> Piece | None:
        if piece.cycle is None and not piece.bounded:
            return piece
        before = bound_before(self.folded, piece)
        after = bound_after(self.folded, piece)
        bound = before or after
        if not counts(self.text, self.folded, piece) and (bound is None or piece.weak in ("name", "abbr")):
            return None
        word, span = bound or ("", piece.span)
        ahead = self._ahead(piece) or (word in ("by", "until") and self._may_look_ahead(piece))
        whole = replace(piece.settled(self.now, future=ahead), span=span)
        return self._bound(whole, word) if word else whole

    def _ahead(self, piece: Piece) -> bool:
        if self.prefer is not None:
            return self.prefer == "future"
        return looks_ahead(self.folded, piece.span, statement=self.statement) is True

    def _may_look_ahead(self, piece: Piece) -> bool:
        return self.prefer is None and looks_ahead(self.folded, piece.span, statement=self.statement) is not False

    def _bound(self, piece: Piece, word: str) -> Piece:
        """What "since", "before", "by" make of a day or range."""
        start, end = _moment(piece.start, self.now), _moment(piece.end, self.now)
        if word == "week":
            first, after = unit_at("week", _day(start), 0)
            return replace(piece, start=first, end=after, kind="range")
        ahead = self.statement and end is not None and end > self.now
        if ahead and (word in ("by", "until") or (word == "before" and piece.kind == "day")):
            return piece
        if word == "since":
            return replace(piece, end=None, kind="range")
        if word == "after":
            return replace(piece, start=end, end=None, kind="range")
        if word == "before":
            return replace(piece, start=None, end=start, kind="range")
        return replace(piece, start=None, end=end, kind="range")


def _day(bound: date | None) -> date:
    if bound is None:
        raise ValueError("an open end has no day")
    return bound.date() if isinstance(bound, datetime) else bound
