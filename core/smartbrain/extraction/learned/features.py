"""What the clause classifier sees of a clause: its words, the families its words belong to, and who speaks how.

A family is a cluster of the static embedder's word vectors, English and Chinese together, so that a trade or a dish
that no training line names still looks like its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import Final, TypeVar
from zlib import crc32

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

NUMBERS: Final = (1 << 24) - 1
"""The highest number of a feature."""
_LONGEST_WORD = 4
_MOST_TOKENS = 60
_KEPT = 1 << 13


class Memo(dict[K, V]):
    """What was made of things that come again and again, as words do; emptied when there are too many."""

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make

    def __missing__(self, thing: K) -> V:
        if len(self) >= _KEPT:
            self.clear()
        value = self[thing] = self._make(thing)
        return value


@dataclass(slots=True)
class Said:
    """The words of a clause in order, side by side: their folded text (digits as their number of places), their
    families, and where each stands, from ``starts`` to before ``ends``."""

    words: list[str] = field(default_factory=list)
    kin: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.words)

    def add(self, word: str, start: int, end: int, family: str) -> None:
        """One more word."""
        self.words.append(word)
        self.kin.append(family)
        self.starts.append(start)
        self.ends.append(end)


class Vocabulary:
    """The words that have a family."""

    def __init__(self, families: Mapping[str, int]) -> None:
        names = [f"~{family}" for family in range(max(families.values(), default=0) + 1)]
        self._named = {word: names[family] for word, family in families.items()}
        self._latin = Memo(self._family)
        # By its first two characters, how long a word of Han may be: most stretches are looked up once or twice only.
        self._longest: dict[str, int] = {}
        for word in families:
            if len(word) > 1 and word[0] >= "\u3400":
                self._longest[word[:2]] = max(self._longest.get(word[:2], 0), min(len(word), _LONGEST_WORD))

    def read(self, text: str) -> Said:
        """The words of a folded text; Han is cut by the longest known word of up to four characters."""
        said = Said()
        for match in _runs().finditer(text):
            run, start = match[0], match.start()
            if run[0] >= "\u3400":
                self._cut_han(run, start, said)
            elif run[0].isdigit():
                said.add(f"#{min(len(run), 5)}", start, match.end(), "#")
            else:
                said.add(run, start, match.end(), self._latin[run])
            if len(said.words) > _MOST_TOKENS:
                break
        if len(said.words) <= _MOST_TOKENS:
            return said
        return Said(
            said.words[:_MOST_TOKENS], said.kin[:_MOST_TOKENS], said.starts[:_MOST_TOKENS], said.ends[:_MOST_TOKENS]
        )

    def _cut_han(self, run: str, start: int, said: Said) -> None:
        # Written out for speed: this loop is most of what reading a Chinese clause costs.
        named, longest = self._named, self._longest.get
        words: list[str] = []
        at, end = 0, len(run)
        while at < end:
            size = longest(run[at : at + 2], 1)
            word = run[at : at + size]
            while size > 1 and word not in named:
                size -= 1
                word = run[at : at + size]
            words.append(word)
            at += len(word)
        said.words += words
        said.kin += [named.get(word, "?") for word in words]
        ends = list(accumulate(map(len, words), initial=start))
        said.starts += ends[:-1]
        said.ends += ends[1:]

    def _family(self, word: str) -> str:
        known = [word, *(_stems(word) if word.isascii() else ())]
        return next((self._named[one] for one in known if one in self._named), "?")


def _stems(word: str) -> list[str]:
    cut = [word.removesuffix(end) for end in ("'s", "s", "es", "ing", "ed", "er") if word.endswith(end)]
    return [*cut, *(f"{stem}e" for stem in cut)]


def hashed(feature: str) -> int:
    """The number of a feature; the few that share one share its weight."""
    return crc32(coded(feature)) & NUMBERS


def coded(text: str) -> bytes:
    """A text as checksums take it: a lone surrogate is "?"."""
    return text.encode("utf-8", "replace")


def glance(said: Said) -> set[int]:
    """The few features by which most clauses are passed over: words and families alone."""
    names = {f"w {word}" for word in said.words} | {f"f {family}" for family in said.kin}
    return {hashed(name) for name in (*names, f"^ {said.words[0]}")}


def in_words(said: Said) -> Iterator[tuple[str, int]]:
    """The words of the features that are made of words alone (w, b, t), with the numbers of those features."""
    words = ["^^", "^", *said.words, "$"]
    for at in range(2, len(words)):
        for kind, first in (("w", at), ("b", at - 1), ("t", at - 2)):
            named = " ".join(words[first : at + 1])
            yield named, hashed(f"{kind} {named}")


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]+|\d+|[a-z\u00df-\u024f][a-z\u00df-\u024f+#.]*(?:'[a-z]+)?|[^\w\s]")
