"""The numbers of the features of clauses: checksums of their names, which are not spelled."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple
from zlib import crc32

from smartbrain.extraction.learned.features import Memo, Said, coded, hashed
from smartbrain.extraction.learned.signs import meant


class Asked(NamedTuple):
    """A clause to be guessed: its words, its folded text, whether it asks, and its words in capitals."""

    said: Said
    text: str
    asks: bool
    capitals: int


def features(one: Asked) -> list[int]:
    """The checksums of the features of a clause, of which ``NUMBERS`` are their numbers; some come twice.

    A feature is a word (w), a family (f), two in a row (b, bf, fb), three (t, tf), two with one between (s), two or
    three Han (h), a sign, or a count.
    """
    found = [_counted(f"len{min(len(one.said), 20) // 2}"), _counted(f"cap{min(one.capitals, 2)}")]
    if one.asks:
        found.append(_counted("asks"))
    _of_words(one.said, found)
    _of_han(one.text, found)
    found += [_SIGNS[name] for name in meant().found_in(one.text)]
    return found


_counted = cache(hashed)
_SIGNS: Final[Memo[str, int]] = Memo(lambda name: hashed(f"sign {name}"))


class _Word:
    """The checksums of the beginnings of features that name a word, so that each feature costs one step."""

    __slots__ = ("bytes", "follows", "of_alone", "of_apart", "of_kin", "of_pair", "of_three", "of_three_kin")

    def __init__(self, word: str) -> None:
        self.bytes = coded(word)
        self.follows = self.bytes + b" "
        self.of_alone = crc32(coded(f"w {word}"))
        self.of_pair = crc32(coded(f"b {word} "))
        self.of_kin = crc32(coded(f"bf {word} "))
        self.of_three = crc32(coded(f"t {word} "))
        self.of_three_kin = crc32(coded(f"tf {word} "))
        self.of_apart = crc32(coded(f"s {word} "))


class _Kin:
    """The like for a family."""

    __slots__ = ("bytes", "of_alone", "of_word")

    def __init__(self, family: str) -> None:
        self.bytes = coded(family)
        self.of_alone = crc32(coded(f"f {family}"))
        self.of_word = crc32(coded(f"fb {family} "))


_WORDS: Final = Memo(_Word)
_KIN: Final = Memo(_Kin)


def _of_words(said: Said, found: list[int]) -> None:
    # The innermost loop of the classifier: every look-up and every call in it is one for each word that is said.
    crc, words, families = crc32, _WORDS, _KIN
    earlier, before, kin_before = words["^^"], words["^"], families["^"]
    for name, family in zip((*said.words, "$"), (*said.kin, "$"), strict=True):
        word, kin = words[name], families[family]
        here, kin_here, follows = word.bytes, kin.bytes, before.follows
        found += (
            word.of_alone,
            kin.of_alone,
            crc(here, before.of_pair),
            crc(kin_here, before.of_kin),
            crc(here, kin_before.of_word),
            crc(here, crc(follows, earlier.of_three)),
            crc(kin_here, crc(follows, earlier.of_three_kin)),
            crc(here, earlier.of_apart),
        )
        earlier, before, kin_before = before, word, kin


_PAIR_OF_HAN: Final = crc32(b"h ")
_HAN_BYTES: Final = 3


def _of_han(text: str, found: list[int]) -> None:
    two = 2 * _HAN_BYTES
    for run in _han().findall(text):
        han = run.encode()
        pairs = [crc32(han[at : at + two], _PAIR_OF_HAN) for at in range(0, len(han) - _HAN_BYTES, _HAN_BYTES)]
        found += pairs
        found += [
            crc32(han[at : at + _HAN_BYTES], pair)
            for at, pair in zip(range(two, len(han), _HAN_BYTES), pairs, strict=False)
        ]


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]{2,}")
