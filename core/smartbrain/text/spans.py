"""Where sentences lie in a text, and how to show a part of a long one. Offsets are those of the text as given."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from smartbrain.text.folding import fold_in_place

ELLIPSIS: Final = "…"

_ABBREVIATIONS: Final = frozenset(
    """
    mr mrs ms dr prof sr jr st vs etc e.g i.e eg ie cf al fig no nos vol ed dept inc ltd co corp approx est min max
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun u.s u.k ph.d a.m p.m
    """.split()  # noqa: SIM905
)
# These also end sentences; only a lower-case letter or a digit after them shows that the sentence goes on.
_MAY_END: Final = frozenset(("etc", "a.m", "p.m", "u.s", "u.k", "inc", "ltd", "co", "no", "min", "max", "sun", "ed"))
_CLOSING = "\"'”’」』）】》)\\]"
# A clip may give up this share of its room to end at a boundary.
_SLACK: Final = 0.4


class Span(NamedTuple):
    """``text[start:end]``."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """The sentences in order, without the white space around them; a line break always ends one.

    。！？；… end a sentence wherever they stand; . ! ? only before white space, the end or a Han character, and a
    full stop not after an abbreviation or an initial.
    """
    found: list[Span] = []
    start = 0
    for match in _ends().finditer(text):
        if match[0][0] == "." and _goes_on(text, match):
            continue
        _append_stripped(found, text, start, match.end())
        start = match.end()
    _append_stripped(found, text, start, len(text))
    return found


def clip(text: str, max_chars: int) -> str:
    """The text, or its beginning up to a sentence or word boundary and "…": at most ``max_chars`` characters."""
    if len(text) <= max_chars:
        return text
    room = max_chars - len(ELLIPSIS)
    if room < 0:
        return ""
    head = text[:room]
    least = int(room * (1 - _SLACK))
    # Two characters more are read, so that a full stop at the edge shows whether it stands inside a number.
    ends = (match.end("mark") for match in _ends().finditer(text, least, room + 2))
    end = max((end for end in ends if end <= room), default=0)
    if not end:
        end = max((match.start() for match in _breaks().finditer(text, least, room + 1)), default=0)
    return head[: _whole_characters(text, end or room)].rstrip() + ELLIPSIS


def window(text: str, terms: Collection[str], max_chars: int) -> Span:
    """The stretch of at most ``max_chars`` characters that holds the most of the terms (as ``terms.terms`` cuts).

    Terms are looked for as beginnings of words, which is what stems are; cutting the whole text anew would cost many
    times as much and change next to nothing. More distinct terms win, then more occurrences, then the earlier place.
    The stretch is made of whole sentences where they fit; the room left over goes to the text before and after.
    """
    if len(text) <= max_chars:
        return Span(0, len(text))
    if max_chars <= 0:
        return Span(0, 0)
    pieces = list(_pieces(text, max_chars))
    if not pieces:
        return Span(0, 0)
    hits: list[list[str]] = [[] for _ in pieces]
    needles = _needles(frozenset(terms))
    if needles is not None:
        starts = [piece.start for piece in pieces]
        for match in needles.finditer(fold_in_place(text)):
            hits[max(0, bisect_right(starts, match.start()) - 1)].append(match.group())
    first, last = _best_run(pieces, hits, max_chars)
    return _widened(pieces, first, last, max_chars)


@lru_cache(maxsize=256)
def _needles(terms: frozenset[str]) -> re.Pattern[str] | None:
    words = sorted({_needle(term) for term in terms if term}, key=lambda word: (-len(word), word))
    if not words:
        return None
    return re.compile("|".join(rf"\b{re.escape(word)}" if word.isascii() else re.escape(word) for word in words))


def _needle(term: str) -> str:
    """What a stem looks like in running text: Snowball turns a final y into i."""
    return term[:-1] if term.isascii() and term.endswith("i") and len(term) > 3 else term


def _best_run(pieces: list[Span], hits: list[list[str]], max_chars: int) -> tuple[int, int]:
    """First and last piece of the best run that fits, trimmed of pieces without a hit."""
    best, best_run = (0, 0), (0, 0)
    inside: Counter[str] = Counter()
    left = 0
    for right, piece in enumerate(pieces):
        inside.update(hits[right])
        while piece.end - pieces[left].start > max_chars:
            inside.subtract(hits[left])
            inside += Counter()
            left += 1
        score = (len(inside), inside.total())
        if score > best:
            best, best_run = score, (left, right)
    first, last = best_run
    while first < last and not hits[first]:
        first += 1
    while last > first and not hits[last]:
        last -= 1
    return first, last


def _widened(pieces: list[Span], first: int, last: int, max_chars: int) -> Span:
    """The run with neighbours added while they fit: one before, then those after, then those before."""

    def fits(left: int, right: int) -> bool:
        return left >= 0 and right < len(pieces) and pieces[right].end - pieces[left].start <= max_chars

    if fits(first - 1, last):
        first -= 1
    while fits(first, last + 1):
        last += 1
    while fits(first - 1, last):
        first -= 1
    return Span(pieces[first].start, pieces[last].end)


def _pieces(text: str, max_chars: int) -> Iterator[Span]:
    """Sentences, those longer than half of the room cut at word boundaries."""
    size = max(max_chars // 2, 1)
    for start, stop in sentences(text):
        at = start
        while stop - at > size:
            room = at + size
            end = max((match.end() for match in _breaks().finditer(text, at + size // 2, room)), default=room)
            end = at + max(_whole_characters(text[at : room + 1], end - at), 1)
            yield Span(at, end)
            at = end
        if at < stop:
            yield Span(at, stop)


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether the full stop belongs to an abbreviation, an initial or the number of a list item."""
    if len(match["mark"]) > 1:
        return False
    before = _last_word().search(text, max(0, match.start() - 12), match.start())
    word = before[0].lower() if before else ""
    following = text[match.end() : match.end() + 1]
    if word in _MAY_END:
        return following.islower() or following.isdigit()
    if word in _ABBREVIATIONS:
        return True
    if before and len(word) == 1 and word.isalpha():
        return before[0].isupper() and word != "i" and before[0].isascii()
    line = text[max(0, match.start() - 8) : match.start()].rpartition("\n")
    return word.isdigit() and len(word) < 3 and line[2].strip() == word and (bool(line[1]) or match.start() <= 8)


def _append_stripped(found: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        start += len(piece) - len(piece.lstrip())
        found.append(Span(start, start + len(stripped)))


def _whole_characters(text: str, end: int) -> int:
    """``end``, or a little before it where it would part a base character from its marks (at most 16)."""
    for at in range(end, max(end - 16, 0), -1):
        if at >= len(text) or not (_joins(text[at]) or text[at - 1] == "\u200d"):
            return at
    return end


def _joins(character: str) -> bool:
    return character == "\u200d" or bool(_marks().match(character))


@cache
def _marks() -> re.Pattern[str]:
    return re.compile("[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")


@cache
def _ends() -> re.Pattern[str]:
    han = "\u3400-\u9fff"
    # Each alternative begins only at the first character of its run, or the time would be quadratic.
    return re.compile(
        rf"(?P<mark>[。！？；…]++[{_CLOSING}]*+|(?<![!?.])[!?.]++[{_CLOSING}]*+(?=\s|$|[{han}])|[\n\r])\s*+"
    )


@cache
def _breaks() -> re.Pattern[str]:
    return re.compile(r"\s+|(?<=[,;:，、；：])")


@cache
def _last_word() -> re.Pattern[str]:
    return re.compile(r"[\w.]+$")
