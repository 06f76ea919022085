"""Whether two values say the same: case, width, white space, sentence punctuation and articles do not count."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from smartbrain.text.clean import dumps
from smartbrain.text.folding import fold


def distinct(names: Sequence[str]) -> list[str]:
    """The names in order, each once; spelling in another case or width is not another name."""
    kept: dict[str, str] = {}
    for name in names:
        if name.strip():
            kept.setdefault(fold(name), name)
    return list(kept.values())


# Punctuation that changes no meaning where it stands beside a word. What code and numbers are made of
# (+ # * / _ @ $ % & = < > ~ ^ | \ and brackets) always counts, so that C, C++ and C# stay three things.
_QUOTES = re.compile(r"[\"'`“”‘’«»《》〈〉「」『』【】]+")
_STOPS = re.compile(r"(?<![a-z0-9])[.,;:!?。、…·—]+(?![a-z0-9])|[.,;:!?。、…·—]+(?=\s|$|[^\x00-\x7f])|[。、…·—]+")
_HYPHENS = re.compile(r"(?<=[a-z])-(?=[a-z])")
# Only before a word: "vitamin a" ends with one that is none.
_ARTICLES = re.compile(r"(?:^|(?<= ))(?:the|an?) (?=[a-z])")
_HAN_SPACE = re.compile(r"\s+(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])\s+")


def normal(value: Any) -> Any:
    """A value as comparisons see it: case, width, white space, quotes and sentence punctuation do not count."""
    if isinstance(value, Mapping):
        return {str(name): normal(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple)):
        return [normal(inner) for inner in value]
    text = plain(value) if value is not None else ""
    return normal_text(text)


def normal_text(text: str) -> str:
    """Text as comparisons see it; see ``normal``. A text of nothing but punctuation is compared as it is."""
    folded = fold(text)
    bare = _HYPHENS.sub(" ", _STOPS.sub(" ", _QUOTES.sub("", folded)))
    return _HAN_SPACE.sub("", " ".join(bare.split())) or folded.strip()


def same(one: Any, other: Any) -> bool:
    """Whether two values say the same, up to spelling and "a" or "the" before a word."""
    if one == other:
        return True
    this, that = normal(one), normal(other)
    return bool(this == that or _without_articles(this) == _without_articles(that))


def _without_articles(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_articles(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_articles(inner) for inner in value]
    return _ARTICLES.sub("", value)


def plain(value: Any) -> str:
    """A JSON value as text: text as it is, everything else as compact JSON (a whole float without its point)."""
    if isinstance(value, str):
        return value
    return dumps(int(value) if isinstance(value, float) and value.is_integer() else value)
