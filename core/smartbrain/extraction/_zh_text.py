"""A Chinese sentence as the rules read it: folded character by character, and cut into clauses.

Folding keeps the length, so that a place in the folded text is the same place in the user's own words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from smartbrain.extraction.hits import QUOTED, Sentence
from smartbrain.text.folding import fold

HAN = "\u3400-\u9fff"
_QUOTES = "\"'“”‘’「」『』《》〈〉()[]【】`~ \t\u3000*#-—–"
_TAIL = "了啊呀吧呢哦啦哈嘛噢喔嘞哟咯的~ "


class _Folding(dict[int, str]):
    """The folded twin of every character that has one of the same length."""

    def __missing__(self, code: int) -> str:
        folded = fold(chr(code))
        self[code] = twin = folded if len(folded) == 1 else chr(code)
        return twin


_FOLDING = _Folding()


def fold_in_place(text: str) -> str:
    """``text`` folded, of the same length: characters whose folding is longer or empty stay."""
    return text.translate(_FOLDING)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between commas: folded ``text`` at ``start`` of the sentence, ``mark`` is what ended it."""

    text: str
    start: int
    mark: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


@dataclass(slots=True)
class View:
    """One sentence, read once for all rules. ``memo`` keeps what several rules ask for."""

    sentence: Sentence
    text: str
    clauses: list[Clause]
    memo: dict[str, object] = field(default_factory=dict)

    def said(self, start: int, end: int) -> str:
        """The user's own words at a place of the sentence, without quotes around them."""
        return self.sentence.text[start:end].strip(_QUOTES)

    def words(self, clause: Clause, match: re.Match[str]) -> str:
        """The user's own words of the value of a match in a clause (its group v, w, x or y), without particles."""
        name = next((name for name in "vwxy" if match.groupdict().get(name)), "")
        start, end = match.span(name) if name else (0, 0)
        return trimmed(self.said(clause.start + start, clause.start + end))


def view_of(sentence: Sentence) -> View:
    """The sentence folded and cut."""
    text = fold_in_place(sentence.plain)
    return View(sentence, text, list(_clauses(text)))


def trimmed(words: str) -> str:
    """Words without quotes around them and particles behind them."""
    words = words.strip(_QUOTES)
    while words and words[-1] in _TAIL and not words.endswith(("目的", "的的")):
        words = words[:-1]
    return words.strip(_QUOTES)


def unsaid(words: str) -> bool:
    """Whether words hold a part of a quotation, or nothing at all."""
    return not words or QUOTED in words or not any(ch.isalnum() for ch in words)


def _clauses(text: str) -> list[Clause]:
    found: list[Clause] = []
    start = 0
    for match in _cut().finditer(text):
        _append(found, text, start, match.start(), match[0].strip()[:1])
        start = match.end()
    _append(found, text, start, len(text), "")
    return found


def _append(found: list[Clause], text: str, start: int, end: int, mark: str) -> None:
    piece = text[start:end]
    if piece.strip():
        left = len(piece) - len(piece.lstrip())
        found.append(Clause(piece.strip(), start + left, mark))
    elif mark in "?!" and mark and found:
        last = found[-1]
        found[-1] = Clause(last.text, last.start, mark)


@cache
def _cut() -> re.Pattern[str]:
    # A space parts clauses only between Han: "login 页面" is one thing. "1,000" and "10:30" are whole.
    return re.compile(
        rf"(?<!\d)[,:]\s*|[,:](?!\d)\s*|[;。!?…]+\s*|[(（)）~]+|——+|--+|(?<=[{HAN}])\s+(?=[{HAN}])"
        r"|[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]+"
    )
