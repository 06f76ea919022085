"""What the clause classifier sees of a clause: its words, the families its words belong to, and who speaks how.

A family is a cluster of the static embedder's word vectors, English and Chinese together, so that a trade or a dish
that no training line names still looks like its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeVar
from zlib import crc32

V = TypeVar("V")

_NUMBERS: Final = (1 << 24) - 1
_LONGEST_WORD = 4
_MOST_TOKENS = 60
_KEPT = 1 << 13


class Memo(dict[str, V]):
    """What was made of words, which come again and again; emptied when there are too many."""

    def __init__(self, make: Callable[[str], V]) -> None:
        self._make = make

    def __missing__(self, word: str) -> V:
        if len(self) >= _KEPT:
            self.clear()
        value = self[word] = self._make(word)
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
        self._families = families
        self._names = [f"~{family}" for family in range(max(families.values(), default=0) + 1)]
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
        get, longest, names = self._families.get, self._longest.get, self._names
        words, kin, starts, ends = said.words.append, said.kin.append, said.starts.append, said.ends.append
        at, end = 0, len(run)
        while at < end:
            size = longest(run[at : at + 2], 1)
            word = run[at : at + size]
            family = get(word)
            while family is None and size > 1:
                size -= 1
                word = run[at : at + size]
                family = get(word)
            words(word)
            kin("?" if family is None else names[family])
            starts(start + at)
            at += len(word)
            ends(start + at)

    def _family(self, word: str) -> str:
        family = self._families.get(word)
        if family is None and word.isascii():
            family = next((self._families[stem] for stem in _stems(word) if stem in self._families), None)
        return "?" if family is None else self._names[family]


def _stems(word: str) -> list[str]:
    cut = [word.removesuffix(end) for end in ("'s", "s", "es", "ing", "ed", "er") if word.endswith(end)]
    return [*cut, *(f"{stem}e" for stem in cut)]


def hashed(feature: str) -> int:
    """The number of a feature; the few that share one share its weight."""
    return _crc(feature) & _NUMBERS


def _crc(text: str, before: int = 0) -> int:
    """The checksum of a text that follows one whose checksum is known."""
    return crc32(text.encode("utf-8", "replace"), before)  # a lone surrogate is "?"


def glance(said: Said) -> set[int]:
    """The few features by which most clauses are passed over: words and families alone."""
    names = {f"w {word}" for word in said.words} | {f"f {family}" for family in said.kin}
    return {hashed(name) for name in (*names, f"^ {said.words[0]}")}


class _Word:
    """The checksums of the beginnings of features that name a word, so that each feature costs one step."""

    __slots__ = ("bytes", "follows", "of_alone", "of_apart", "of_kin", "of_pair", "of_three", "of_three_kin")

    def __init__(self, word: str) -> None:
        self.bytes = word.encode("utf-8", "replace")
        self.follows = self.bytes + b" "
        self.of_alone = _crc(f"w {word}") & _NUMBERS
        self.of_pair = _crc(f"b {word} ")
        self.of_kin = _crc(f"bf {word} ")
        self.of_three = _crc(f"t {word} ")
        self.of_three_kin = _crc(f"tf {word} ")
        self.of_apart = _crc(f"s {word} ")


class _Kin:
    """The like for a family."""

    __slots__ = ("bytes", "of_alone", "of_word")

    def __init__(self, family: str) -> None:
        self.bytes = family.encode()
        self.of_alone = _crc(f"f {family}") & _NUMBERS
        self.of_word = _crc(f"fb {family} ")


_WORDS: Final = Memo(_Word)
_KIN: Final = Memo(_Kin)
_PAIR_OF_HAN: Final = crc32(b"h ")


def features(said: Said, text: str, *, asks: bool, capitals: int) -> set[int]:
    """The numbers of the features of a clause.

    ``text`` is folded; ``asks``: its sentence ends with a question mark; ``capitals``: words in capitals behind the
    first. A feature is a word (w), a family (f), two in a row (b, bf, fb), three (t, tf), two with one between (s), two
    or three Han (h), a sign, or a count.
    """
    found = {_counted(f"len{min(len(said), 20) // 2}"), _counted(f"cap{min(capitals, 2)}")}
    if asks:
        found.add(_counted("asks"))
    add = found.add
    earlier, before, kin_before = _WORDS["^^"], _WORDS["^"], _KIN["^"]
    for name, family in zip((*said.words, "$"), (*said.kin, "$"), strict=True):
        word, kin = _WORDS[name], _KIN[family]
        here, kin_here, follows = word.bytes, kin.bytes, before.follows
        add(word.of_alone)
        add(kin.of_alone)
        add(crc32(here, before.of_pair) & _NUMBERS)
        add(crc32(kin_here, before.of_kin) & _NUMBERS)
        add(crc32(here, kin_before.of_word) & _NUMBERS)
        add(crc32(here, crc32(follows, earlier.of_three)) & _NUMBERS)
        add(crc32(kin_here, crc32(follows, earlier.of_three_kin)) & _NUMBERS)
        add(crc32(here, earlier.of_apart) & _NUMBERS)
        earlier, before, kin_before = before, word, kin
    for run in _han().findall(text):
        han = run.encode()
        for at in range(0, len(han) - 3, 3):  # three bytes for each
            pair = crc32(han[at : at + 6], _PAIR_OF_HAN)
            add(pair & _NUMBERS)
            if at + 6 < len(han):
                add(crc32(han[at + 6 : at + 9], pair) & _NUMBERS)
    found.update(_signs().found_in(text))
    return found


_counted = cache(hashed)


def in_words(said: Said) -> Iterator[tuple[str, int]]:
    """The words of the features that are made of words alone (w, b, t), with the numbers of those features."""
    words = ["^^", "^", *said.words, "$"]
    for at in range(2, len(words)):
        for kind, first in (("w", at), ("b", at - 1), ("t", at - 2)):
            named = " ".join(words[first : at + 1])
            yield named, hashed(f"{kind} {named}")


class _Signs:
    """Words that say how something is meant, in both languages."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self._searches = [(hashed(f"sign {name}"), re.compile(pattern).search) for name, pattern in patterns.items()]
        self._names = {hashed(f"sign {name}"): name for name in patterns}

    def found_in(self, text: str) -> list[int]:
        """The numbers of the signs that stand in a folded text."""
        return [number for number, search in self._searches if search(text)]

    def names_in(self, text: str) -> list[str]:
        """Their names."""
        return [self._names[number] for number in self.found_in(text)]


def sign_names(text: str) -> list[str]:
    """The signs of how something is meant that stand in a folded text."""
    return _signs().names_in(text)


@cache
def _signs() -> _Signs:
    return _Signs(
        {
            "me": r"\b(?:i|my|me|i'm|i've|we|our|im|ive)\b|[我俺咱]|本人",
            "you": r"\b(?:you|your)\b|[你您]",
            "them": r"\b(?:he|she|they|his|her|their|him|them)\b|[他她]",
            "asking": r"^(?:what|which|who|why|how|where|when|do|does|did|is|are|can|could|should|would|will)\b|[吗呢?]"
            "|什么|怎么|哪|谁|几点|多少",
            "if": r"\b(?:if|unless|suppose|imagine|whether)\b|如果|要是|假如|假设|万一|除非",
            "maybe": r"\b(?:maybe|perhaps|might|could|would|wish|probably|considering|thinking)\b|可能|也许|说不定|考虑"
            "|好像|大概|差点",
            "was": r"\b(?:used to|once|ago|was|were|had)\b|以前|曾经|当年|小时候|过$",
            "not": r"\b(?:not|no|never|don't|doesn't|can't|won't|isn't|without|stop)\b|[不没别无勿]|讨厌",
            "always": r"\b(?:always|never|every time|from now on|by default|whenever|ever|any more|as a rule)\b"
            "|以后|往后|今后|从此|每次|一律|一直|永远|凡是|固定|默认|都",
            "now": r"\b(?:now|today|tonight|just|currently|right now)\b|现在|今天|刚才|这次|目前",
            "said": r"\b(?:said|says|told|asked|thinks|wants|heard)\b|说|听说|觉得|告诉|让我",
        }
    )


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]+|\d+|[a-z\u00df-\u024f][a-z\u00df-\u024f+#.]*(?:'[a-z]+)?|[^\w\s]")


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]{2,}")
