"""What a text must hold for a pattern to match anywhere in it: most patterns can be passed over unread.

A pattern is taken apart by the parser of ``re``. What is not understood needs nothing, so that no match is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, cached_property, lru_cache, reduce
from operator import add, or_
from typing import Any, Final, NamedTuple

from smartbrain.extraction.starts import searched

_KEPT = 1 << 10
_PAIRS: Final = range(1, 3)
_MOST = 1_000
_MOST_WAYS = 60
_LEVELS = 3
_PART = 9
# Shares of a text's characters, roughly. Which stretches are chosen depends on them, and nothing else.
_LETTERS: Final = dict(
    zip(
        " etaoinshrdlcumwfgypbvkjxqz",
        (180, 102, 74, 65, 61, 57, 55, 51, 49, 48, 34, 32, 22, 22, 19, 19, 18, 16, 16, 15, 12, 8, 6, 1, 1, 1, 1),
        strict=True,
    )
)
_COMMON: Final = frozenset("的了是我不在有一个就都也要人这他你会们到说时去来上大为和得那好没能过天看想")


class Source(NamedTuple):
    """A pattern that is not compiled yet, and need not be before a text may match it."""

    pattern: str
    flags: int = 0


Known = re.Pattern[str] | Source


class Sieve:
    """Many patterns, and which of them a text may match, by the stretches in it: a few look-ups for all of them."""

    def __init__(
        self, patterns: Sequence[Known], marks: Sequence[Collection[str]] = (), *, sizes: range = _PAIRS
    ) -> None:
        """``marks``: words for each pattern of which one stands in whatever it is to match; none: it needs no mark.
        ``sizes``: how many characters a stretch has that is looked for; one or two do for Han."""
        self._sizes = sizes
        self._width = len(patterns)
        self._free = 0
        self._holders: dict[str, int] = {}
        for at, pattern in enumerate(patterns):
            wanted = needs(pattern, sizes)
            if marks and marks[at]:
                wanted = (*wanted[: _LEVELS - 1], frozenset(_rarest(mark.lower(), sizes[-1]) for mark in marks[at]))
            for level in range(_LEVELS):
                bit = 1 << (at + level * self._width)
                if level >= len(wanted):
                    self._free |= bit
                    continue
                for stretch in wanted[level]:
                    self._holders[stretch] = self._holders.get(stretch, 0) | bit
        self._stretches = frozenset(self._holders)

    def mask(self, text: str) -> int:
        """The patterns that may match, as bits: the first pattern's is 1."""
        held = self._stretches & _stretches(text, self._sizes)
        found = reduce(or_, map(self._holders.__getitem__, held), self._free)
        width = self._width
        return found & (found >> width) & (found >> 2 * width) & ((1 << width) - 1)

    def may_match(self, text: str) -> list[int]:
        """The places of the patterns that may match, in order."""
        return places(self.mask(text))


def places(mask: int) -> list[int]:
    """Where the bits of a mask stand, in order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


class Sifter:
    """All patterns of a language behind one sieve: what a text may match is found out once, whoever asks.

    Patterns are entered when modules are imported and made when the first text is read.
    """

    def __init__(self, sizes: range = _PAIRS) -> None:
        self._sizes = sizes
        self._makers: list[Callable[[], Known]] = []
        self._marks: list[Collection[str]] = []
        self._sifted: list[Sifted] = []
        self.known: dict[str, int] = {}

    def sifted(self, make: Callable[[], re.Pattern[str]]) -> Sifted:
        """Enters the pattern that a function makes; the decorator of such functions."""
        self._sifted.append(Sifted(self, cache(make), self.enter([make])))
        return self._sifted[-1]

    def make(self) -> None:
        """Makes the sieve and all the patterns that were entered one by one, as they are searched for, now."""
        self.mask("")
        for pattern in self._sifted:
            pattern.quick()

    def enter(self, makers: Sequence[Callable[[], Known]], marks: Sequence[Collection[str]] = ()) -> int:
        """Enters several patterns; the place of the first among all."""
        first = len(self._makers)
        self._makers += makers
        self._marks += marks or [()] * len(makers)
        self.known.clear()
        self.__dict__.pop("_sieve", None)
        return first

    def mask(self, text: str) -> int:
        """The patterns that may match anywhere in a text, as bits."""
        found = self.known.get(text)
        if found is None:
            if len(self.known) >= _KEPT:
                self.known.clear()
            found = self.known[text] = self._sieve.mask(text)
        return found

    def holds(self, text: str, pieces: Iterable[str]) -> None:
        """Takes what a text may match for what pieces of it may, too, unless they are but a small part of it.

        No piece can match more than the whole; to look through it again costs more than the patterns that it spares.
        """
        mask = self.mask(text)
        for piece in pieces:
            if len(piece) * _PART >= len(text):
                self.known.setdefault(piece, mask)

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve([make() for make in self._makers], self._marks, sizes=self._sizes)


class Sifted:
    """A pattern in a sifter: called, it gives the pattern; its methods pass over texts that it cannot match.

    They are meant for texts that are asked about many times; for a piece of one the pattern itself is quicker.
    """

    __slots__ = ("_bit", "_known", "_quick", "_sifter", "make")

    def __init__(self, sifter: Sifter, make: Callable[[], re.Pattern[str]], place: int) -> None:
        self._sifter = sifter
        self._known = sifter.known
        self._bit = 1 << place
        self._quick: re.Pattern[str] | None = None  # made when it is first searched for
        self.make = make

    def __call__(self) -> re.Pattern[str]:
        return self.make()

    def may(self, text: str) -> bool:
        """Whether the pattern may match anywhere in a text."""
        mask = self._known.get(text)  # asked hundreds of times a message: no further call for known texts
        return bool((self._sifter.mask(text) if mask is None else mask) & self._bit)

    def search(self, text: str, end: int | None = None) -> re.Match[str] | None:
        """As ``re`` does; with ``end`` in ``text[:end]``."""
        mask = self._known.get(text)
        if not (self._sifter.mask(text) if mask is None else mask) & self._bit:
            return None
        return self.quick().search(text) if end is None else self.quick().search(text, 0, end)

    def quick(self) -> re.Pattern[str]:
        """The pattern, quick to search for."""
        if self._quick is None:
            self._quick = searched((made := self.make()).pattern, made.flags)
        return self._quick

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As ``re`` does."""
        mask = self._known.get(text)
        return self.make().fullmatch(text) if (self._sifter.mask(text) if mask is None else mask) & self._bit else None

    def match(self, text: str) -> re.Match[str] | None:
        """As ``re`` does."""
        mask = self._known.get(text)
        return self.make().match(text) if (self._sifter.mask(text) if mask is None else mask) & self._bit else None


def _stretches(text: str, sizes: range) -> set[str]:
    """Every stretch of a text that has one of some sizes, in lower case."""
    text = text.lower()
    if not text.isascii() and not _TWINS.keys().isdisjoint(text):
        text = text.translate(_TWIN_CODES)
    found = set(text) if sizes[0] == 1 else set()
    for size in range(max(sizes[0], 2), sizes.stop):
        longer: Iterable[str] = text
        for at in range(1, size):
            longer = map(add, longer, text[at:])
        found.update(longer)
    return found


_TWINS: Final = {"\u212a": "k", "\u017f": "s", "\u0130": "i", "\u0131": "i"}
"""What ``re`` takes for a Latin letter where case is ignored, and ``str.lower`` does not."""
_TWIN_CODES: Final = str.maketrans(_TWINS)


def needs(pattern: Known, sizes: range = _PAIRS) -> tuple[frozenset[str], ...]:
    """Sets of stretches in lower case: of each of them one at least stands in whatever the pattern matches.

    An empty set: the pattern never matches.
    """
    from re import _parser  # type: ignore[attr-defined] # the one that made the pattern

    found, _ = _Needs(sizes).of_sequence(_parser.parse(pattern.pattern, pattern.flags), _UNKNOWN)
    return tuple(sorted(dict.fromkeys(found), key=_weight)[:_LEVELS])


@lru_cache(maxsize=1 << 12)
def _weight(wanted: frozenset[str]) -> float:
    """How often a text may hold one of some stretches."""
    return sum(map(_share, wanted))


@cache
def _share(stretch: str) -> float:
    share = 1.0
    for one in stretch:
        share *= _LETTERS.get(one, 10 if one in _COMMON else 1 if one >= "\u3400" else 5) / 1000
    return share


def _rarest(word: str, size: int) -> str:
    return min((word[at : at + size] for at in range(max(len(word) - size + 1, 1))), key=_share)


_UNKNOWN: Final = frozenset(("",))
"""What may stand right before a place: each way is a string shorter than a stretch; "" is anything."""
_Found = tuple[list[frozenset[str]], frozenset[str]]
"""The sets of stretches that a part of a pattern needs, and what may stand right before what follows it."""


class _Needs:
    """Reads the parts of a pattern for stretches of some sizes."""

    def __init__(self, sizes: range) -> None:
        self._least, self._most = sizes[0], sizes[-1]

    def of_sequence(self, parts: Iterable[tuple[Any, Any]], tails: frozenset[str]) -> _Found:
        found: list[frozenset[str]] = []
        for operation, argument in parts:
            more, tails = self._of_part(str(operation), argument, tails)
            found += more
        return found, tails

    def _of_part(self, operation: str, argument: Any, tails: frozenset[str]) -> _Found:
        if operation == "LITERAL":
            return self._followed(tails, _character(argument))
        if operation == "IN":
            return self._followed(tails, _members(argument))
        if operation == "BRANCH":
            return self._of_branches(argument[1], tails)
        if operation == "SUBPATTERN":
            return self.of_sequence(argument[3], tails)
        if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return (self.of_sequence(argument[2], _UNKNOWN)[0] if argument[0] else []), _UNKNOWN
        if operation == "ATOMIC_GROUP":
            return self.of_sequence(argument, tails)
        if operation == "ASSERT":
            return self.of_sequence(argument[1], _UNKNOWN)[0], tails
        if operation == "ASSERT_NOT" and not argument[1]:
            return [frozenset()], tails  # (?!) matches nowhere
        return [], tails if operation in ("AT", "ASSERT_NOT") else _UNKNOWN

    def _followed(self, tails: frozenset[str], characters: frozenset[str]) -> _Found:
        """What stands where one of some characters follows what was before."""
        if not characters:
            return [], _UNKNOWN
        if len(tails) * len(characters) > _MOST_WAYS:
            tails = _UNKNOWN
        every = frozenset([before + one for before in tails for one in characters])
        long_enough = len(min(every, key=len)) >= self._least
        return [every] if long_enough else [], frozenset([one[1 - self._most :] for one in every])

    def _of_branches(self, branches: Sequence[Any], tails: frozenset[str]) -> _Found:
        chosen: list[frozenset[str] | None] = []
        left: set[str] = set()
        for branch in branches:
            found, after = self.of_sequence(branch, tails)
            chosen.append(min(found, key=_weight, default=None))
            left |= after
        every = frozenset[str]().union(*(one for one in chosen if one is not None))
        known = None not in chosen and len(every) <= _MOST
        return ([every] if known else []), (frozenset(left) if len(left) <= _MOST_WAYS else _UNKNOWN)


@cache
def _character(code: int) -> frozenset[str]:
    """A character in lower case; none where it has more than two cases."""
    one = chr(code)
    if one.isascii():
        return frozenset((one.lower(),))
    return frozenset() if one.lower() != one.upper() else frozenset((one,))


def _members(parts: Sequence[tuple[Any, Any]]) -> frozenset[str]:
    """The characters of a class in lower case; none where they are too many to name, or have more than two cases."""
    found: set[str] = set()
    for operation, argument in parts:
        if str(operation) == "LITERAL":
            codes = range(argument, argument + 1)
        elif str(operation) == "RANGE" and argument[1] - argument[0] < _MOST_WAYS:
            codes = range(argument[0], argument[1] + 1)
        else:
            return frozenset()  # a negation or a category
        for code in codes:
            if not _character(code):
                return frozenset()
            found |= _character(code)
    return frozenset(found) if len(found) <= _MOST_WAYS else frozenset()
