"""Names of entities: where they stand in a text, and which names an entity goes by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from smartbrain.model import MemoryItem
from smartbrain.text.folding import fold
from smartbrain.text.sameness import distinct


class Found(NamedTuple):
    """An entity named in a text: its key, the words as they stand, and their span ``[start, end)``."""

    key: str
    surface: str
    start: int
    end: int


class MentionIndex:
    """Many names, looked for in one pass over a text.

    A name matches whatever its case, width or Han variant. Latin words match whole; Han matches anywhere. Names of
    one character are ignored: they would be everywhere. Two entities that share a name are both found.
    """

    def __init__(self, known: Iterable[tuple[str, Sequence[str]]]) -> None:
        self._keys: dict[str, dict[str, None]] = {}
        lengths: dict[str, set[int]] = {}
        for key, names in known:
            for name in names:
                folded = _fold_each(" ".join(name.split()))[0]
                if len(folded) >= 2:
                    self._keys.setdefault(folded, {})[key] = None
                    lengths.setdefault(folded[:2], set()).add(len(folded))
        # Names that start alike, longest first: the longest name that stands at a place is the one meant.
        self._lengths = {start: sorted(found, reverse=True) for start, found in lengths.items()}

    def find(self, text: str) -> list[Found]:
        """The names in the text from left to right, none overlapping another; the longest wins.

        Takes time in proportion to the text, whatever the number of names.
        """
        if not self._keys:
            return []
        folded, places = _fold_each(text)
        if len(self._keys) < len(folded) and not any(name in folded for name in self._keys):
            return []  # the search for a few names by hand is much faster than the walk
        found: list[Found] = []
        at = 0
        while at < len(folded) - 1:
            end = self._match(folded, at)
            if end:
                start, stop = places[at], places[end - 1] + 1
                found += [Found(key, text[start:stop], start, stop) for key in self._keys[folded[at:end]]]
            at = end or at + 1
        return found

    def _match(self, folded: str, at: int) -> int:
        for length in self._lengths.get(folded[at : at + 2], ()):
            end = at + length
            if end <= len(folded) and folded[at:end] in self._keys and _stands_alone(folded, at, end):
                return end
        return 0


def find_mentions(text: str, known: Iterable[tuple[str, Sequence[str]]]) -> list[Found]:
    """Where the known names stand in one text; for many texts make a ``MentionIndex`` once."""
    return MentionIndex(known).find(text)


def names_of(value: Mapping[str, Any]) -> list[str]:
    """The names an entity goes by: its name, its canonical name and its aliases, each once."""
    given = [value.get("name"), value.get("canonical"), *(value.get("aliases") or ())]
    return distinct([name for name in given if isinstance(name, str)])


def known_entities(items: Iterable[MemoryItem]) -> list[tuple[str, list[str]]]:
    """Key and names of every active entity among the items, as ``MentionIndex`` takes them."""
    return [(item.key, names_of(item.value)) for item in items if item.type == "entities" and item.status == "active"]


def _fold_each(text: str) -> tuple[str, Sequence[int]]:
    """The text folded character by character, and for each folded character the place it came from."""
    if text.isascii():
        return text.lower(), range(len(text))
    parts: list[str] = []
    places: list[int] = []
    for place, ch in enumerate(text):
        folded = _fold_one(ch)
        parts.append(folded)
        places += [place] * len(folded)
    return "".join(parts), places


@lru_cache(maxsize=8192)
def _fold_one(ch: str) -> str:
    return fold(ch)


def _stands_alone(folded: str, start: int, end: int) -> bool:
    return not (_joined(folded, start) or _joined(folded, end)) and folded[end : end + 1] not in ("+", "#")


def _joined(folded: str, place: int) -> bool:
    """Whether the characters on both sides of a place belong to one word."""
    return 0 < place < len(folded) and _wordy(folded[place - 1]) and _wordy(folded[place])


def _wordy(ch: str) -> bool:
    return ch == "_" or (ch.isalnum() and not _unspaced(ch))


def _unspaced(ch: str) -> bool:
    # Han, kana and the like are written without spaces, so a neighbour says nothing about where a word ends.
    return "\u2e80" <= ch <= "\u9fff" or "\uf900" <= ch <= "\ufaff" or "\U00020000" <= ch <= "\U0003ffff"
