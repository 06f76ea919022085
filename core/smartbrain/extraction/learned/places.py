"""Where in a clause a value may begin and end, and what the clause classifier sees of such a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from zlib import crc32

from smartbrain.extraction.learned.features import Said
from smartbrain.text import stopwords

PLACE_BUCKETS: Final = 1 << 16
"""How many features of a place are told apart; what collides shares a weight."""
_MOST_PLACES = 40


def boundaries(text: str) -> list[tuple[int, int]]:
    """The places of a folded clause where a value may begin and end: words, and single Han characters."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(text) and len(found) < _MOST_PLACES:
        if text[at].isspace():
            at += 1
            continue
        end = at + 1
        if text[at] < "\u3400":
            while end < len(text) and not text[end].isspace() and text[end] < "\u3400":
                end += 1
        found.append((at, end))
        at = end
    return found


def place_features(words: Sequence[str], kin: Sequence[str], at: int, label: str) -> tuple[list[int], list[int]]:
    """The buckets of a place as a beginning and as an end: what stands around it, alone and with the class."""
    word = _word(words, kin, at)
    left, left2 = _word(words, kin, at - 1), _word(words, kin, at - 2)
    right, right2 = _word(words, kin, at + 1), _word(words, kin, at + 2)
    family = kin[at]
    names = (
        f" {word}",
        f"l {left}",
        f"r {right}",
        f"lw {left} {word}",
        f"wr {word} {right}",
        f"ll {left2} {left}",
        f"rr {right} {right2}",
        f"f {family}",
        f"lf {left} {family}",
        f"p {min(at, 6)}",
        f"q {min(len(words) - at, 6)}",
    )
    coded = [name.encode("utf-8", "replace") for name in names]
    return _buckets(coded, _BEGINNING, label), _buckets(coded, _ENDING, label)


_BEGINNING: Final = crc32(b"b")
_ENDING: Final = crc32(b"e")


def _buckets(names: Sequence[bytes], side: int, label: str) -> list[int]:
    group, whole = f" {label.partition('.')[0]}".encode(), f" {label}".encode()
    plain = [crc32(name, side) for name in names]
    every = (*plain, *[crc32(group, one) for one in plain], *[crc32(whole, one) for one in plain])
    return [one % PLACE_BUCKETS for one in every]


def _word(words: Sequence[str], kin: Sequence[str], at: int) -> str:
    """A word around a place: words of grammar and Han as they are, others by their family: names do not count."""
    if at < 0:
        return "^"
    if at >= len(words):
        return "$"
    word = words[at].strip(".,;:!?'\"") or words[at]
    return word if word[0] >= "\u3400" or len(word) < 4 or word in stopwords.ENGLISH else kin[at]


def families_at(said: Said, places: Sequence[tuple[int, int]]) -> list[str]:
    """The family of the word that stands at each place."""
    found, at = [], 0
    for start, _ in places:
        while at < len(said) - 1 and said.ends[at] <= start:
            at += 1
        found.append(said.kin[at] if said.kin else "?")
    return found
