"""What of an entry is shown: L0 its name, L1 what it is about, L2 what it says."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from smartbrain.contracts.plan import Layer, Output
from smartbrain.resources.layers import Entry
from smartbrain.text.spans import clip, sentences, window

Level = Literal["l0", "l1", "l2"]
_ABSTRACT_CHARS = 240
_LEVELS: dict[Layer, Level] = {"D1_DOCUMENT_CATALOG": "l1", "D3_ENTITY_CATALOG": "l1", "D5_RELATION_GRAPH": "l1"}


class Snippet(NamedTuple):
    """The text to show and where it begins and ends in the entry's text (0, 0 for a name alone)."""

    text: str
    level: Level
    start: int
    end: int


def level_of(entry: Entry, output: Output) -> Level:
    """At which level the plan's output shows an entry: ``auto`` shows a document, a named thing and a relation by what
    they are about, everything else by what it says."""
    return _LEVELS.get(entry.layer, "l2") if output.snippet_policy == "auto" else output.snippet_policy


def stands_for_document(entry: Entry, level: Level) -> bool:
    """Whether an entry is shown by its document's abstract: a fact, a thing, a step, a link is about itself."""
    return level == "l1" and bool(entry.abstract) and entry.layer in {"D0_DOC_CHUNKS", "D1_DOCUMENT_CATALOG"}


def snippet(entry: Entry, output: Output, terms: Collection[str]) -> Snippet:
    """The entry as the plan's output wants it, in at most ``max_snippet_chars`` characters: what it says is shown where
    the asked ``terms`` stand thickest."""
    room = output.max_snippet_chars
    level = level_of(entry, output)
    if not output.include_snippets:
        return Snippet("", level, 0, 0)
    if level == "l0":
        return Snippet(clip(" › ".join(filter(None, (entry.title, *entry.heading))), room), level, 0, 0)
    if level == "l1":
        return _abstract(entry, min(room, _ABSTRACT_CHARS))
    span = window(entry.text, terms, room)
    return Snippet(entry.text[span.start : span.end], level, span.start, span.end)


def _abstract(entry: Entry, room: int) -> Snippet:
    """The abstract of its document; else the first sentences that fit, and of one that does not, its beginning."""
    if stands_for_document(entry, "l1"):
        return Snippet(clip(entry.abstract, room), "l1", 0, 0)
    found = sentences(entry.text[: room * 4])
    fits = [span for span in found if span.end - found[0].start <= room]
    if fits:
        start, end = found[0].start, fits[-1].end
        return Snippet(entry.text[start:end], "l1", start, end)
    shown = clip(entry.text.strip(), room)
    return Snippet(shown, "l1", 0, min(len(entry.text), len(shown)))
