"""Which characters a text must hold for a pattern to match anywhere in it: most patterns can be passed over unread.

A pattern is taken apart by the parser of ``re``. What is not understood needs nothing, so that no match is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

_MOST = 300
_COMMON: Final = frozenset("的了是我不在有一个就都也要人这他你会")


class Sieve:
    """Many patterns, and which of them a text may match, by its characters: a few look-ups for all of them."""

    def __init__(self, patterns: Sequence[re.Pattern[str]]) -> None:
        self._all = (1 << len(patterns)) - 1
        self._levels: list[tuple[dict[str, int], int]] = []
        wanted = [needs(pattern) for pattern in patterns]
        for level in range(_LEVELS):
            holders: dict[str, int] = {}
            free = 0
            for at, sets in enumerate(wanted):
                if level >= len(sets):
                    free |= 1 << at
                    continue
                for character in sets[level]:
                    holders[character] = holders.get(character, 0) | 1 << at
            self._levels.append((holders, free))

    def may_match(self, text: str) -> list[int]:
        """The places of the patterns that may match, in order."""
        left = self._all
        characters = set(text)
        for holders, free in self._levels:
            found = free
            for character in characters & holders.keys():
                found |= holders[character]
            left &= found
            if not left:
                return []
        places = []
        while left:
            low = left & -left
            places.append(low.bit_length() - 1)
            left ^= low
        return places


_LEVELS = 3


def needs(pattern: re.Pattern[str]) -> tuple[frozenset[str], ...]:
    """Sets of characters: of each of them one at least stands in whatever the pattern matches."""
    from re import _parser  # type: ignore[attr-defined] # the one that made the pattern

    folds = bool(pattern.flags & re.IGNORECASE)
    found = _of_sequence(_parser.parse(pattern.pattern, pattern.flags), folds)
    return tuple(sorted(set(found), key=lambda each: (_weight(each), sorted(each)))[:_LEVELS])


def _weight(characters: Iterable[str]) -> int:
    return sum(20 if one in _COMMON else 1 for one in characters)


def _of_sequence(parts: Iterable[tuple[Any, Any]], folds: bool) -> list[frozenset[str]]:
    found: list[frozenset[str]] = []
    for operation, argument in parts:
        found += _of_part(str(operation), argument, folds)
    return found


def _of_part(operation: str, argument: Any, folds: bool) -> list[frozenset[str]]:
    if operation == "LITERAL":
        return [_cased(chr(argument), folds)]
    if operation == "IN":
        members = _members(argument, folds)
        return [members] if members else []
    if operation == "BRANCH":
        return _of_branches(argument[1], folds)
    if operation == "SUBPATTERN":
        # A group may switch case folding on or off for itself.
        return _of_sequence(argument[3], (folds or bool(argument[1] & re.IGNORECASE)))
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _of_sequence(argument[2], folds) if argument[0] else []
    if operation == "ATOMIC_GROUP":
        return _of_sequence(argument, folds)
    return []


def _of_branches(branches: Sequence[Any], folds: bool) -> list[frozenset[str]]:
    chosen = []
    for branch in branches:
        found = _of_sequence(branch, folds)
        if not found:
            return []
        chosen.append(min(found, key=_weight))
    every = frozenset().union(*chosen)
    return [every] if len(every) <= _MOST else []


def _members(parts: Sequence[tuple[Any, Any]], folds: bool) -> frozenset[str]:
    found: set[str] = set()
    for operation, argument in parts:
        if str(operation) == "LITERAL":
            found |= _cased(chr(argument), folds)
        elif str(operation) == "RANGE" and argument[1] - argument[0] < _MOST:
            for code in range(argument[0], argument[1] + 1):
                found |= _cased(chr(code), folds)
        else:
            return frozenset()  # a negation, a category, or too many to name
    return frozenset(found) if len(found) <= _MOST else frozenset()


def _cased(character: str, folds: bool) -> frozenset[str]:
    if not folds:
        return frozenset((character,))
    if not character.isascii() and character.lower() != character.upper():
        return frozenset()  # unusual cases have more than two forms
    return frozenset((character.lower(), character.upper(), *_TWINS.get(character.lower(), "")))


_TWINS: Final = {"k": "\u212a", "s": "\u017f", "i": "\u0130\u0131"}
