"""The clauses of a sentence as the classifier reads them: folded text, and where it stands in the sentence."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from smartbrain.extraction._en_clauses import clauses
from smartbrain.extraction._zh_text import HAN, fold_in_place, view_of
from smartbrain.extraction.hits import Sentence

_LONGEST = 120


class Piece(NamedTuple):
    """A clause: ``text`` folded, of the same length as the words at ``[start, end)`` of the sentence."""

    text: str
    start: int
    end: int
    asks: bool
    capitals: int


def pieces(sentence: Sentence) -> list[Piece]:
    """The clauses of a sentence in order, overlong ones left out; a sentence with Han is cut as Chinese."""
    if _kana().search(sentence.plain):
        return []
    if is_chinese(sentence):
        cut = [(one.start, one.text, one.mark == "?") for one in view_of(sentence).clauses]
    else:
        asks = sentence.plain.rstrip(" \"'”)").endswith("?")
        cut = [(one.start, fold_in_place(one.text), asks and one.last) for one in clauses(sentence)]
    capitals = _capitals if _capital().search(sentence.text) else _none
    return [
        Piece(text, start, start + len(text), asks, capitals(sentence.text[start : start + len(text)]))
        for start, text, asks in cut
        if len(text) <= _LONGEST
    ]


def is_chinese(sentence: Sentence) -> bool:
    """Whether a sentence is read as Chinese: it holds Han."""
    return _han().search(sentence.plain) is not None


def _capitals(said: str) -> int:
    return len(_capital().findall(said))


def _none(_said: str) -> int:
    return 0


@cache
def _han() -> re.Pattern[str]:
    return re.compile(f"[{HAN}]")


@cache
def _kana() -> re.Pattern[str]:
    return re.compile("[\u3041-\u30fa]")


@cache
def _capital() -> re.Pattern[str]:
    return re.compile(r"(?<=[\s\u3400-\u9fff])(?!I\b|I')[A-Z]")
