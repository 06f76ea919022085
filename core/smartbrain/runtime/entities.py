"""Which entities a text names: the runtime's bridge between the index and the mention finder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain

from smartbrain.config import LexicalPolicy
from smartbrain.model import Candidate, MemoryItem, Mention, Scope, Turn
from smartbrain.policies.entities import find_mentions, names_of
from smartbrain.ports import LexicalView, Reader
from smartbrain.retrieval.lexical import QuerySignals, rank_items
from smartbrain.text.terms import query_terms


def entities_named(reader: Reader, scopes: Sequence[Scope], text: str, as_of: datetime | None) -> list[MemoryItem]:
    """The known entities that a text names by name or alias, found through the index of the memory items."""
    (found,) = _perhaps_named(reader, scopes, [text], as_of)
    named = {key for key, *_ in find_mentions(text, [(item.id, names_of(item.value)) for item in found])}
    return [item for item in found if item.id in named]


def mentions_in(
    reader: Reader,
    scopes: Sequence[Scope],
    turn: Turn,
    candidates: Sequence[Candidate],
    proposed: Sequence[Mention],
) -> list[Mention]:
    """Which entities each message of a turn names: those known, those proposed now, those an extractor saw."""
    fresh = [(c.key, names_of(c.value)) for c in candidates if c.type == "entities"]
    out = {(m.key, m.message_id): m for m in proposed}
    texts = [(message.id, text) for message in turn.messages if (text := message.text[:_MAX_TEXT])]
    named = _perhaps_named(reader, scopes, [text for _, text in texts], None)
    for (message_id, text), items in zip(texts, named, strict=True):
        known = [(item.key, names_of(item.value)) for item in items]
        for key, surface, *_ in find_mentions(text, [*known, *fresh]):
            out.setdefault((key, message_id), Mention(key=key, surface=surface, message_id=message_id))
    for key, names in fresh:
        if not any(key == mentioned for mentioned, _ in out):
            # A structured entity need not stand in the words; the turn as a whole names it.
            out[key, None] = Mention(key=key, surface=names[0], message_id=None)
    return list(out.values())


def _perhaps_named(
    reader: Reader, scopes: Sequence[Scope], texts: Sequence[str], as_of: datetime | None
) -> list[list[MemoryItem]]:
    """For each text the entities that share a word with it, those that share the most."""
    asked = [query_terms(text)[:_MAX_TERMS] for text in texts]
    found: list[dict[str, MemoryItem]] = [{} for _ in texts]
    for scope in scopes if texts else ():
        # All words at once: this is asked of every message that is committed, and most stand in no memory.
        view = reader.lexical(scope, "memory", list(chain.from_iterable(asked)), as_of)
        for terms, items in zip(asked, found, strict=True):
            held = [term for term in terms if len(view.postings[term].ords)]
            if not held:
                continue
            for item in reader.item_docs(scope, _nearest(view, held), as_of).values():
                if item.type == "entities" and item.status_at(as_of) == "active":
                    items[item.id] = item
    return [list(items.values()) for items in found]


def _nearest(view: LexicalView, terms: Sequence[str]) -> Collection[int]:
    """The items that hold some of the terms, where they are too many those that hold the most."""
    postings = [view.postings[term].ords for term in terms]
    every: set[int] = set().union(*(ords[: _MAX_ENTITIES + 1].tolist() for ords in postings))
    if len(every) <= _MAX_ENTITIES:
        return every
    return rank_items(view, terms, QuerySignals(), _PLAIN, _MAX_ENTITIES).ords


_MAX_TERMS = 64
_MAX_ENTITIES = 50
_MAX_TEXT = 20_000
_PLAIN = LexicalPolicy()
