"""The working copy of the items a commit touches; only ``conflict`` uses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from smartbrain.model import (
    Candidate,
    Changes,
    ConflictNote,
    IdFactory,
    ItemClosure,
    ItemSighting,
    ItemStatus,
    MemoryItem,
    Scope,
    Source,
    Turn,
    Verdict,
)
from smartbrain.policies.wording import render_item

Resolution = Literal["superseded", "versioned", "merged", "retracted"]


class Slot(NamedTuple):
    """What one subject is known by. Only items of the same slot may ever touch each other."""

    type: str
    key: str
    scope: Scope


def slot_of(thing: Any) -> Slot:
    """The slot of an item, a candidate or a retraction."""
    return Slot(thing.type, thing.key, thing.scope)


class Ledger:
    """Items by slot in the order they became valid, and what this commit does to them."""

    def __init__(self, existing: Iterable[MemoryItem], turn: Turn, recorded_at: datetime, new_id: IdFactory) -> None:
        self.turn = turn
        self._recorded_at = recorded_at
        self._new_id = new_id
        self._slots: dict[Slot, list[MemoryItem]] = {}
        for item in existing:
            self._slots.setdefault(slot_of(item), []).append(item)
        self._inserted: set[str] = set()
        self._closures: dict[str, ItemClosure] = {}
        self._sightings: dict[tuple[str, Source], ItemSighting] = {}
        #: What this commit took back.
        self.taken_back: dict[Slot, list[MemoryItem]] = {}
        self.verdicts: list[Verdict] = []
        self.conflicts: list[ConflictNote] = []

    def versions(self, slot: Slot) -> list[MemoryItem]:
        """Every version of a slot, by the moment it became valid; at the same moment, in the order of writing."""
        return sorted(self._slots.get(slot, ()), key=lambda item: item.valid_from)

    def in_force(self, slot: Slot) -> list[MemoryItem]:
        """The active versions of a slot, in the same order."""
        return [item for item in self.versions(slot) if item.status == "active"]

    def insert(
        self,
        candidate: Candidate,
        value: Mapping[str, Any],
        confidence: float,
        *,
        supersedes: Sequence[str] = (),
        status: ItemStatus = "active",
        valid_to: datetime | None = None,
        superseded_by: str | None = None,
        reason: str | None = None,
    ) -> MemoryItem:
        """A new item that says what the candidate says."""
        item = MemoryItem(
            id=self._new_id(),
            type=candidate.type,
            key=candidate.key,
            value=dict(value),
            text=render_item(candidate.type, candidate.key, value, candidate.language),
            confidence=confidence,
            status=status,
            scope=candidate.scope,
            trust=candidate.trust,
            rule=candidate.rule,
            source_turn_id=self.turn.turn_id,
            source_session_id=self.turn.session_id,
            source_message_id=candidate.message_id,
            source_span=candidate.span,
            evidence_refs=candidate.evidence_refs,
            occurred_at=candidate.occurred_at,
            recorded_at=self._recorded_at,
            valid_from=candidate.occurred_at,
            valid_to=valid_to,
            closed_at=None if status == "active" else self._recorded_at,
            supersedes=tuple(supersedes),
            superseded_by=superseded_by,
            reason=reason,
            last_seen_at=candidate.occurred_at,
            sources=(self._source(candidate),),
        )
        self._inserted.add(item.id)
        self._slots.setdefault(slot_of(item), []).append(item)
        return item

    def close(self, closure: ItemClosure) -> None:
        """Takes an item out of the current view, or moves the end of one that had left it already."""
        fields = closure.model_dump(exclude={"item_id"})
        self._replace(closure.item_id, closed_at=self._recorded_at, **fields)
        if closure.item_id not in self._inserted:
            self._closures[closure.item_id] = closure

    def sight(
        self, item: MemoryItem, candidate: Candidate, confidence: float, value: Mapping[str, Any] | None = None
    ) -> None:
        """An item was said again; with ``value`` it says more than before."""
        source = self._source(candidate)
        text = None if value is None else render_item(item.type, item.key, value, candidate.language)
        sure = max(item.confidence, confidence)
        changed: dict[str, Any] = {} if value is None else {"value": dict(value), "text": text}
        if item.id in self._inserted:
            known = item.sources if source in item.sources else (*item.sources, source)
            refs = tuple(dict.fromkeys([*item.evidence_refs, *candidate.evidence_refs]))
            self._replace(item.id, confidence=sure, sources=known, evidence_refs=refs, **changed)
            return
        self._replace(item.id, confidence=sure, last_seen_at=max(item.last_seen_at, candidate.occurred_at), **changed)
        before = self._sightings.get((item.id, source))
        if value is None and before is not None:
            value, text = before.value, before.text
        self._sightings[item.id, source] = ItemSighting(
            item_id=item.id,
            source=source,
            confidence=sure,
            value=None if value is None else dict(value),
            text=text,
        )

    def note(self, old: MemoryItem, new: MemoryItem, fields: Sequence[str], resolution: Resolution, rule: str) -> None:
        """Two values met under one key."""
        self.conflicts.append(
            ConflictNote(
                type=new.type,
                key=new.key,
                old_id=old.id,
                new_id=new.id,
                fields=tuple(fields),
                resolution=resolution,
                rule=rule,
            )
        )

    def changes(self) -> Changes:
        """All of it as data. Items of this commit stand in ``inserts`` in their final state."""
        items = {item.id: item for items in self._slots.values() for item in items if item.id in self._inserted}
        return Changes(
            inserts=tuple(items.values()),
            closures=tuple(self._closures.values()),
            sightings=tuple(self._sightings.values()),
            verdicts=tuple(self.verdicts),
            conflicts=tuple(self.conflicts),
        )

    def _replace(self, item_id: str, **fields: Any) -> None:
        for versions in self._slots.values():
            for place, known in enumerate(versions):
                if known.id == item_id:
                    versions[place] = known.model_copy(update=fields)

    def _source(self, candidate: Candidate) -> Source:
        return Source(
            turn_id=self.turn.turn_id,
            session_id=self.turn.session_id,
            message_id=candidate.message_id,
            span=candidate.span,
            quote=candidate.quote,
            trust=candidate.trust,
            occurred_at=candidate.occurred_at,
        )
