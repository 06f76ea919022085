"""Hard filters and soft preferences of a plan, applied to one entry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from smartbrain.contracts.plan import Filters, Preferences
from smartbrain.resources.layers import Entry

OBEYED = frozenset(
    {"document_ids", "language", "path_prefixes", "exclude_path_prefixes", "exclude_like_patterns", "metadata"}
)
"""The filters that an entry can answer; the others are listed in ``ignored_fields``."""

_PATH, _LIKE, _NAMED, _LANGUAGE = 0.15, 0.2, 0.1, 0.05


def admits(filters: Filters, entry: Entry) -> bool:
    """Whether an entry passes every filter that it can answer; see ``Filters`` for what each means."""
    path = entry.path.lower()
    if filters.document_ids and entry.document_id not in filters.document_ids:
        return False
    if filters.language and entry.language not in filters.language:
        return False
    if filters.path_prefixes and not path.startswith(tuple(p.lower() for p in filters.path_prefixes)):
        return False
    if filters.exclude_path_prefixes and path.startswith(tuple(p.lower() for p in filters.exclude_path_prefixes)):
        return False
    if any(like(pattern, path) for pattern in filters.exclude_like_patterns):
        return False
    own = {name.lower(): value.strip().lower() for name, value in entry.metadata.items()}
    return all(own.get(name.lower()) == value.strip().lower() for name, value in filters.metadata.items())


def both(one: Filters, other: Filters | None) -> Filters:
    """A plan's filters with those of one of its queries, which take the place of the same ones."""
    if other is None:
        return one
    own = {name: getattr(other, name) for name in type(other).model_fields if getattr(other, name)}
    return one.model_copy(update=own)


def boost(preferences: Preferences, entry: Entry) -> float:
    """What an entry's fitting the wishes adds to its relevance, as a share of it: 0 (fits none) to 0.5.

    The first path prefix counts 0.15, later ones evenly less; each pattern that matches closes half of what is left of
    0.2; a source that the message names 0.1; the language 0.05.
    """
    path = entry.path.lower()
    prefixes = preferences.path_prefixes
    place = next((n for n, prefix in enumerate(prefixes) if path.startswith(prefix.lower())), None)
    gained = 0.0 if place is None else _PATH * (1 - place / len(prefixes))
    names = (path, entry.title.lower())
    matched = sum(any(like(pattern, name) for name in names) for pattern in preferences.like_patterns)
    gained += _LIKE * (1 - 0.5**matched)
    if any(source.lower() in name for source in preferences.source_uri_prefix for name in names):
        gained += _NAMED
    if entry.language and entry.language in preferences.language:
        gained += _LANGUAGE
    return gained


def like(pattern: str, text: str) -> bool:
    """SQL ``LIKE`` without case: ``%`` is any text, ``_`` any one character. ``text`` is in lower case already."""
    first, *rest = _pieces(pattern.lower())
    at = first.match(text)
    if at is None:
        return False
    end = at.end()
    if not rest:
        return end == len(text)
    *middle, last = rest
    for piece in middle:
        at = piece.search(text, end)
        if at is None:
            return False
        end = at.end()
    # The last piece stands at the very end: its length is that of what it matches.
    start = len(text) - len(pattern.rpartition("%")[2])
    return start >= end and last.match(text, start) is not None


@lru_cache(maxsize=1024)
def _pieces(pattern: str) -> Sequence[re.Pattern[str]]:
    """What stands between the ``%``; looked for one after the other, so time is linear whatever the pattern."""
    return [
        re.compile("".join("." if letter == "_" else re.escape(letter) for letter in piece), re.DOTALL)
        for piece in pattern.split("%")
    ]
