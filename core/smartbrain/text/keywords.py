"""The readable words a question turns on, for expanding it into more questions."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.text import han, stopwords
from smartbrain.text.folding import fold, lower, tidy
from smartbrain.text.scanner import Kind, scan

_QUOTED, _IDENTIFIER, _NAME, _WORD = 5.0, 4.0, 3.0, 2.0
_QUOTE_LIMIT = 40


def keywords(text: str, limit: int = 8) -> list[str]:
    """At most ``limit`` distinct words in their readable form (no stems, case kept), the best first.

    What is quoted comes first, then identifiers, names, and other words, longer before shorter; at the same rank
    what is said first. Stop words never are keywords.
    """
    ranked: dict[str, tuple[float, str]] = {}
    for surface, rank in [*_quoted(text), *_scanned(text)]:
        key = fold(surface)
        if key not in ranked or ranked[key][0] < rank:
            ranked[key] = (rank, surface)
    best = sorted(ranked.values(), key=lambda pair: -pair[0])
    return [surface for _, surface in best[: max(limit, 0)]]


def _quoted(text: str) -> list[tuple[str, float]]:
    found = ("".join(match.groups("")).strip() for match in _quotes().finditer(text))
    return [(inner, _QUOTED) for inner in found if inner and lower(tidy(inner)) not in stopwords.ENGLISH]


def _scanned(text: str) -> list[tuple[str, float]]:
    tidied = tidy(text)
    found: list[tuple[str, float]] = []
    name: list[str] = []  # capitalised words that follow each other
    name_end = -1
    for match in scan(tidied):
        token = match[0]
        capital = match.lastindex == Kind.CHUNK and _is_name(tidied, match)
        if name and not (capital and tidied[name_end : match.start()] == " "):
            found.append((" ".join(name), _NAME))
            name = []
        if capital:
            name.append(token.removesuffix("'s"))
            name_end = match.end()
        elif match.lastindex == Kind.HAN:
            found += [(word, _WORD + min(len(word), 5) / 10) for word in han.cut(token) if _is_han_keyword(word)]
        elif match.lastindex == Kind.CHUNK:
            found += _chunk(token)
        elif match.lastindex != Kind.SYMBOL and len(token) > 1:
            found.append((token.rstrip(".,;:!?"), _IDENTIFIER if match.lastindex in _EXACT else _WORD))
    if name:
        found.append((" ".join(name), _NAME))
    return found


_EXACT = frozenset({Kind.URL, Kind.PHONE, Kind.NUMBER})


def _chunk(token: str) -> list[tuple[str, float]]:
    bare = token.removesuffix("'s")
    if len(bare) > 1 and bare.isalpha() and bare.isupper() and bare.isascii():
        return [(bare, _IDENTIFIER)]  # an acronym, be it spelt like a stop word
    if lower(bare) in stopwords.ENGLISH or "n't" in lower(bare):
        return []
    if bare.isalpha() and (bare[1:].islower() or not bare.isascii()):
        return [(bare, _WORD + min(len(bare), 16) / 20)] if len(bare) > 2 or not bare.isascii() else []
    if bare.isdigit() and len(bare) < 2:
        return []
    return [(bare, _IDENTIFIER)]


def _is_name(tidied: str, match: re.Match[str]) -> bool:
    """Whether it is a capitalised word that does not merely begin a sentence."""
    bare = match[0].removesuffix("'s")
    if not (bare[0].isupper() and bare[1:].islower() and bare.isalpha()) or lower(bare) in stopwords.ENGLISH:
        return False
    before = tidied[max(0, match.start() - 8) : match.start()].rstrip(" \"'(")
    return bool(before) and before[-1] not in ".!?\n。！？:"


def _is_han_keyword(word: str) -> bool:
    return len(word) > 1 and word not in stopwords.HAN


@cache
def _quotes() -> re.Pattern[str]:
    pairs = ["“”", "「」", "『』", "《》", "〈〉", '""', "``"]
    inner = (rf"{pair[0]}([^{pair}\n]{{1,{_QUOTE_LIMIT}}}){pair[1]}" for pair in pairs)
    return re.compile("|".join(inner))
