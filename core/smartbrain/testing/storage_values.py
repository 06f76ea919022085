"""Small values for the tests of a store: scopes, moments, and makers of turns and items that fill in the rest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from smartbrain.model import Changes, MemoryItem, Message, Scope, Source, Turn, Verdict
from smartbrain.ports import CommitRecord, DocVectors, Reader, Storage, VectorModel

HERE = Scope("acme", "project", "apollo")
BESIDE = Scope("acme", "project", "hermes")
STRANGERS = {
    "another id": BESIDE,
    "another type": Scope("acme", "expert", "apollo"),
    "another domain": Scope("other", "project", "apollo"),
    "another case": Scope("acme", "project", "Apollo"),
    "parts cut elsewhere": Scope("acmeproject", "", "apollo"),
}
"""Scopes that are not HERE although they come close."""

MODEL = VectorModel("tiny-1", 2)
"""A model of two dimensions."""

EPOCH = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(minutes: float) -> datetime:
    """The moment so many minutes after the tests' epoch."""
    return EPOCH + timedelta(minutes=minutes)


def said(text: str, **fields: Any) -> Message:
    """A message of the user."""
    return Message(role="user", content=text, **fields)


def make_turn(turn_id: str = "t1", *texts: str, minute: float = 1, **fields: Any) -> Turn:
    """A committed turn said and recorded at ``minute``; ``texts`` are messages of the user."""
    messages = tuple(said(text, id=f"{turn_id}-m{number}") for number, text in enumerate(texts))
    given = {
        "session_id": "s1",
        "scope": HERE,
        "seq": 1,
        "messages": messages,
        "occurred_at": at(minute),
        "recorded_at": at(minute),
    }
    return Turn(turn_id=turn_id, **(given | fields))


def make_source(turn_id: str = "t1", minute: float = 1, **fields: Any) -> Source:
    """Where something was said: the first message of a turn of the session ``s1``."""
    given = {"session_id": "s1", "message_id": f"{turn_id}-m0", "span": (0, 4), "quote": "tea!"}
    return Source(turn_id=turn_id, occurred_at=at(minute), **(given | fields))


def make_item(item_id: str = "i1", *, minute: float = 1, **fields: Any) -> MemoryItem:
    """An active preference."""
    given = {
        "type": "preferences",
        "key": "pref:other:drink",
        "value": {"scope": "other", "name": "drink", "value": "tea"},
        "text": "[preferences:pref:other:drink] the user likes tea",
        "confidence": 0.9,
        "scope": HERE,
        "source_turn_id": "t1",
        "source_session_id": "s1",
        "occurred_at": at(minute),
        "recorded_at": at(minute),
        "valid_from": at(minute),
        "last_seen_at": at(minute),
        "sources": (make_source(minute=minute),),
    }
    return MemoryItem(id=item_id, **(given | fields))


def make_verdict(item_id: str | None = "i1", **fields: Any) -> Verdict:
    """What was decided about a preference."""
    given = {
        "subject": "tea",
        "action": "written",
        "rule": "r",
        "reason": "said plainly",
        "type": "preferences",
        "key": "pref:other:drink",
        "confidence": 0.9,
    }
    return Verdict(item_id=item_id, **(given | fields))


def make_commit(minute: float = 1, *verdicts: Verdict, scope: Scope = HERE) -> CommitRecord:
    """The commit of turn ``t1`` at ``minute``."""
    return CommitRecord(f"c{minute}", "s1", "t1", scope, at(minute), verdicts)


def make_vectors(ordinal: int, *windows: Sequence[float], language: str = "en") -> DocVectors:
    """The vectors of one document, one a window."""
    return DocVectors(ordinal, language, np.array(windows, dtype=np.float32))


def append(storage: Storage, *turns: Turn) -> None:
    """Writes turns, each in a transaction of its own."""
    for turn in turns:
        with storage.write() as writer:
            writer.append_turn(turn)


def apply(storage: Storage, changes: Changes, minute: float = 1, scope: Scope = HERE) -> None:
    """Applies changes in one transaction."""
    with storage.write() as writer:
        writer.apply(changes, make_commit(minute, scope=scope))


def found(reader: Reader, term: str, scope: Scope = HERE, kind: Any = "events") -> list[int]:
    """The ordinals of the documents that hold a term."""
    ords: list[int] = reader.lexical(scope, kind, [term]).postings[term].ords.tolist()
    return ords
