"""What a text must hold for a pattern to match anywhere in it: most patterns can be passed over unread.

A pattern is taken apart by the parser of ``re``. What is not understood needs nothing, so that no match is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from operator import add
from typing import Any, Final

SIZE: Final = 2
"""Characters of the longest stretch that is looked for."""
_MOST = 1_000
_MOST_WAYS = 60
_LEVELS = 3
# Shares of a text's characters, roughly. Which stretches are chosen depends on them, and nothing else.
_LETTERS: Final = dict(
    zip(
        " etaoinshrdlcumwfgypbvkjxqz",
        (180, 102, 74, 65, 61, 57, 55, 51, 49, 48, 34, 32, 22, 22, 19, 19, 18, 16, 16, 15, 12, 8, 6, 1, 1, 1, 1),
        strict=True,
    )
)
_COMMON: Final = frozenset("的了是我不在有一个就都也要人这他你会们到说时去来上大为和得那好没能过天看想")


class Sieve:
    """Many patterns, and which of them a text may match, by the stretches in it: a few look-ups for all of them."""

    def __init__(self, patterns: Sequence[re.Pattern[str]], marks: Sequence[Collection[str]] = ()) -> None:
        """``marks``: words for each pattern of which one stands in whatever it is to match; none: it needs no mark."""
        every = (1 << len(patterns)) - 1
        self._width = len(patterns)
        self._free = 0
        self._holders: dict[str, int] = {}
        for at, pattern in enumerate(patterns):
            wanted = needs(pattern)
            if marks and marks[at]:
                wanted = (*wanted[: _LEVELS - 1], frozenset(_rarest(mark.lower()) for mark in marks[at]))
            for level in range(_LEVELS):
                bit = 1 << (at + level * self._width)
                if level >= len(wanted):
                    self._free |= bit
                    continue
                for stretch in wanted[level]:
                    self._holders[stretch] = self._holders.get(stretch, 0) | bit
        self._stretches = frozenset(self._holders)
        self._every = every

    def mask(self, text: str) -> int:
        """The patterns that may match, as bits: the first pattern's is 1."""
        found, holders = self._free, self._holders
        for stretch in self._stretches & stretches(text):
            found |= holders[stretch]
        width = self._width
        return found & (found >> width) & (found >> 2 * width) & self._every

    def may_match(self, text: str) -> list[int]:
        """The places of the patterns that may match, in order."""
        left = self.mask(text)
        places = []
        while left:
            low = left & -left
            places.append(low.bit_length() - 1)
            left ^= low
        return places


@lru_cache(maxsize=128)  # several sieves read the same clause
def stretches(text: str) -> frozenset[str]:
    """Every stretch of at most ``SIZE`` characters of a text, in lower case."""
    text = text.lower()
    found = set(text)
    if not _twins().keys().isdisjoint(found):
        text = text.translate(_twins())
        found = set(text)
    found.update(map(add, text, text[1:]))
    return frozenset(found)


def needs(pattern: re.Pattern[str]) -> tuple[frozenset[str], ...]:
    """Sets of stretches in lower case: of each of them one at least stands in whatever the pattern matches.

    An empty set: the pattern never matches.
    """
    from re import _parser  # type: ignore[attr-defined] # the one that made the pattern

    found, _ = _of_sequence(_parser.parse(pattern.pattern, pattern.flags), _UNKNOWN)
    return tuple(sorted(set(found), key=lambda each: (_weight(each), sorted(each)))[:_LEVELS])


def _weight(wanted: Iterable[str]) -> float:
    """How often a text may hold one of some stretches."""
    return sum(_share(stretch) for stretch in wanted)


@cache
def _share(stretch: str) -> float:
    share = 1.0
    for one in stretch:
        share *= _LETTERS.get(one, 10 if one in _COMMON else 1 if one >= "\u3400" else 5) / 1000
    return share


def _rarest(word: str) -> str:
    return min((word[at : at + SIZE] for at in range(max(len(word) - SIZE + 1, 1))), key=_share)


_Sets = list[frozenset[str]]
_UNKNOWN: Final = frozenset(("",))
"""What may stand right before a place: each way is a string of at most ``SIZE`` - 1 characters; "" is anything."""


def _of_sequence(parts: Iterable[tuple[Any, Any]], tails: frozenset[str]) -> tuple[_Sets, frozenset[str]]:
    found: _Sets = []
    for operation, argument in parts:
        more, tails = _of_part(str(operation), argument, tails)
        found += more
    return found, tails


def _of_part(operation: str, argument: Any, tails: frozenset[str]) -> tuple[_Sets, frozenset[str]]:
    if operation in ("LITERAL", "IN"):
        return _followed(tails, _members([(operation, argument)] if operation == "LITERAL" else argument))
    if operation == "BRANCH":
        return _of_branches(argument[1], tails)
    if operation == "SUBPATTERN":
        return _of_sequence(argument[3], tails)
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return (_of_sequence(argument[2], _UNKNOWN)[0] if argument[0] else []), _UNKNOWN
    if operation == "ATOMIC_GROUP":
        return _of_sequence(argument, tails)
    if operation == "ASSERT":
        return _of_sequence(argument[1], _UNKNOWN)[0], tails
    if operation == "ASSERT_NOT" and not argument[1]:
        return [frozenset()], tails  # (?!) matches nowhere
    return [], tails if operation in ("AT", "ASSERT_NOT") else _UNKNOWN


def _followed(tails: frozenset[str], characters: frozenset[str]) -> tuple[_Sets, frozenset[str]]:
    """What stands where one of some characters follows what was before."""
    if not characters:
        return [], _UNKNOWN
    if len(tails) * len(characters) > _MOST_WAYS:
        tails = _UNKNOWN
    every = frozenset(before + one for before in tails for one in characters)
    return [every], frozenset(one[1 - SIZE :] for one in every)


def _of_branches(branches: Sequence[Any], tails: frozenset[str]) -> tuple[_Sets, frozenset[str]]:
    chosen: list[frozenset[str] | None] = []
    left: set[str] = set()
    for branch in branches:
        found, after = _of_sequence(branch, tails)
        chosen.append(min(found, key=_weight, default=None))
        left |= after
    every = frozenset[str]().union(*(one for one in chosen if one is not None))
    known = None not in chosen and len(every) <= _MOST
    return ([every] if known else []), (frozenset(left) if len(left) <= _MOST_WAYS else _UNKNOWN)


def _members(parts: Sequence[tuple[Any, Any]]) -> frozenset[str]:
    """The characters of a class in lower case; none where they are too many to name, or have more than two cases."""
    found: set[str] = set()
    for operation, argument in parts:
        if str(operation) == "LITERAL":
            found.add(chr(argument))
        elif str(operation) == "RANGE" and argument[1] - argument[0] < _MOST_WAYS:
            found.update(map(chr, range(argument[0], argument[1] + 1)))
        else:
            return frozenset()  # a negation or a category
    cased = any(not one.isascii() and one.lower() != one.upper() for one in found)
    return frozenset() if cased or len(found) > _MOST_WAYS else frozenset(one.lower() for one in found)


@cache
def _twins() -> dict[int, str]:
    """What ``re`` takes for a Latin letter where case is ignored, and ``str.lower`` does not."""
    return {0x212A: "k", 0x17F: "s", 0x130: "i", 0x131: "i"}
