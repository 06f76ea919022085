"""Which entities a text names: the runtime's bridge between the index and the mention finder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from smartbrain.config import LexicalPolicy
from smartbrain.model import Candidate, MemoryItem, Mention, Scope, Turn
from smartbrain.policies.entities import find_mentions, names_of
from smartbrain.ports import Reader
from smartbrain.retrieval.lexical import QuerySignals, rank_items
from smartbrain.text.terms import query_terms


def entities_named(reader: Reader, scopes: Sequence[Scope], text: str, as_of: datetime | None) -> list[MemoryItem]:
    """The known entities that a text names by name or alias, found through the index of the memory items."""
    found = _perhaps_named(reader, scopes, text, as_of)
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
    for message in turn.messages:
        text = message.text[:_MAX_TEXT]
        if not text:
            continue
        known = [(item.key, names_of(item.value)) for item in _perhaps_named(reader, scopes, text, None)]
        for key, surface, *_ in find_mentions(text, [*known, *fresh]):
            out.setdefault((key, message.id), Mention(key=key, surface=surface, message_id=message.id))
    for key, names in fresh:
        if not any(key == mentioned for mentioned, _ in out):
            # A structured entity need not stand in the words; the turn as a whole names it.
            out[key, None] = Mention(key=key, surface=names[0], message_id=None)
    return list(out.values())


def _perhaps_named(reader: Reader, scopes: Sequence[Scope], text: str, as_of: datetime | None) -> list[MemoryItem]:
    """The entities that share a word with a text, those that share the most."""
    terms = query_terms(text)[:_MAX_TERMS]
    found: dict[str, MemoryItem] = {}
    for scope in scopes:
        view = reader.lexical(scope, "memory", terms, as_of)
        # Most words of a message stand in no memory; this is asked of every message that is committed.
        held = [term for term in terms if len(view.postings[term].ords)]
        if not held:
            continue
        ranked = rank_items(view, held, QuerySignals(), _PLAIN, _MAX_ENTITIES)
        for item in reader.item_docs(scope, ranked.ords, as_of).values():
            if item.type == "entities" and item.status_at(as_of) == "active":
                found[item.id] = item
    return list(found.values())


_MAX_TERMS = 64
_MAX_ENTITIES = 50
_MAX_TEXT = 20_000
_PLAIN = LexicalPolicy()
