"""What the clause classifier sees of a clause: its words, the families its words belong to, and who speaks how.

A family is a cluster of the static embedder's word vectors, English and Chinese together, so that a trade or a dish
that no training line names still looks like its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple
from zlib import crc32

_NUMBERS: Final = (1 << 24) - 1
_LONGEST_WORD = 4
_MOST_TOKENS = 60


class Token(NamedTuple):
    """A word of a clause at ``[start, end)``: its folded text (digits as their number of places) and its family."""

    text: str
    start: int
    end: int
    family: str


def tokens(text: str, families: Mapping[str, int]) -> list[Token]:
    """The words of a folded text in order; Han is cut by the longest known word of up to four characters."""
    found: list[Token] = []
    for match in _runs().finditer(text):
        run, start = match[0], match.start()
        if run[0] >= "\u3400":
            _cut_han(run, start, families, found)
        elif run[0].isdigit():
            found.append(Token(f"#{min(len(run), 5)}", start, match.end(), "#"))
        else:
            found.append(Token(run, start, match.end(), _family(run, families)))
        if len(found) > _MOST_TOKENS:
            break
    return found[:_MOST_TOKENS]


def _cut_han(run: str, start: int, families: Mapping[str, int], found: list[Token]) -> None:
    # Written out for speed: this loop is most of what a Chinese clause costs.
    get = families.get
    at, end = 0, len(run)
    while at < end:
        size = min(_LONGEST_WORD, end - at)
        while size > 1 and (family := get(run[at : at + size])) is None:
            size -= 1
        if size == 1:
            family = get(run[at])
        found.append(Token(run[at : at + size], start + at, start + at + size, "?" if family is None else f"~{family}"))
        at += size


def _family(word: str, families: Mapping[str, int]) -> str:
    family = families.get(word)
    if family is None and word.isascii():
        family = next((families[stem] for stem in _stems(word) if stem in families), None)
    return "?" if family is None else f"~{family}"


def _stems(word: str) -> list[str]:
    cut = [word.removesuffix(end) for end in ("'s", "s", "es", "ing", "ed", "er") if word.endswith(end)]
    return [*cut, *(f"{stem}e" for stem in cut)]


def glance(said: list[Token]) -> list[str]:
    """The few features by which most clauses are passed over: words and families alone."""
    found = [f"w {token.text}" for token in said]
    found += [f"f {token.family}" for token in said]
    found.append(f"^ {said[0].text}")
    return found


def features(said: list[Token], text: str, *, asks: bool, capitals: int) -> list[str]:
    """The features of a clause as strings.

    ``text`` is folded; ``asks``: its sentence ends with a question mark; ``capitals``: words in capitals behind the
    first.
    """
    words = ["^^", "^", *(token.text for token in said), "$"]
    kin = ["", "^", *(token.family for token in said), "$"]
    found = [f"len{min(len(said), 20) // 2}", f"cap{min(capitals, 2)}"]
    if asks:
        found.append("asks")
    for at in range(2, len(words)):
        word, before, earlier = words[at], words[at - 1], words[at - 2]
        found += (
            f"w {word}",
            f"f {kin[at]}",
            f"b {before} {word}",
            f"bf {before} {kin[at]}",
            f"fb {kin[at - 1]} {word}",
            f"t {earlier} {before} {word}",
            f"tf {earlier} {before} {kin[at]}",
            f"s {earlier} {word}",
        )
    for han in _han().findall(text):
        found += [f"h {han[at : at + 2]}" for at in range(len(han) - 1)]
        found += [f"h {han[at : at + 3]}" for at in range(len(han) - 2)]
    found += [f"sign {name}" for name in _signs().findall_names(text)]
    return found


def hashed(feature: str) -> int:
    """The number of a feature; the few that share one share its weight."""
    return crc32(feature.encode("utf-8", "replace")) & _NUMBERS  # a lone surrogate is "?"


class _Signs:
    """Words that say how something is meant, in both languages."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self._patterns = [(name, re.compile(pattern)) for name, pattern in patterns.items()]

    def findall_names(self, text: str) -> list[str]:
        return [name for name, pattern in self._patterns if pattern.search(text)]


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
