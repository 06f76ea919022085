"""What a store holds, as it travels from one store to another: whole values, without what can be derived from them."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field, TypeAdapter

from smartbrain.model import MemoryItem, Mention, Scope, Summary, Text, Turn, Value, Verdict
from smartbrain.text.clean import dumps

Name = tuple[str | int, ...]
"""What a record is called within its scope: its kind, then ids."""


class GivenVerdict(Value):
    """A verdict and the commit that gave it."""

    commit_id: str
    recorded_at: AwareDatetime
    verdict: Verdict


class TurnRecord(Value):
    """One revision of a turn, with the entities it named and, on the current revision, every verdict on the turn."""

    kind: Literal["turn"] = "turn"
    turn: Turn
    mentions: tuple[Mention, ...] = ()
    verdicts: tuple[GivenVerdict, ...] = ()

    @property
    def scope(self) -> Scope:
        return self.turn.scope

    @property
    def name(self) -> Name:
        return turn_name(self.turn.session_id, self.turn.turn_id, self.turn.revision)


class ItemState(Value):
    """How an item stood ``until`` a moment, before a change that its own times do not tell; without its sources."""

    until: AwareDatetime
    item: MemoryItem


class ItemRecord(Value):
    """One version of a memory item, with its sources and how it stood before, oldest change first."""

    kind: Literal["item"] = "item"
    item: MemoryItem
    states: tuple[ItemState, ...] = ()

    @property
    def scope(self) -> Scope:
        return self.item.scope

    @property
    def name(self) -> Name:
        return ("item", self.item.id)


class SummaryRecord(Value):
    """One version of a session's summary."""

    kind: Literal["summary"] = "summary"
    summary: Summary

    @property
    def scope(self) -> Scope:
        return self.summary.scope

    @property
    def name(self) -> Name:
        return ("summary", self.summary.session_id, self.summary.version)


class StagedPart(Value):
    """One record of an open turn, as ``smartbrain.ports.Staged`` has it."""

    key: Text
    kind: Literal["message", "tool_call", "ref", "events"]
    payload: dict[str, Any]


class OpenTurnRecord(Value):
    """A turn that is not committed yet, with what was staged of it, in order."""

    kind: Literal["open_turn"] = "open_turn"
    scope: Scope
    session_id: str
    turn_id: str
    opened_at: AwareDatetime
    occurred_at: AwareDatetime
    staged: tuple[StagedPart, ...] = ()

    @property
    def name(self) -> Name:
        return ("open_turn", self.session_id, self.turn_id)


Record = TurnRecord | ItemRecord | SummaryRecord | OpenTurnRecord

KINDS = ("turn", "item", "summary", "open_turn")
"""In the order in which a scope's records travel."""


def turn_name(session_id: str, turn_id: str, revision: int) -> Name:
    """What the record of a turn's revision is called."""
    return ("turn", session_id, turn_id, revision)


def described(record: Record) -> str:
    """A record in the words of an error."""
    if isinstance(record, TurnRecord):
        turn = record.turn
        return f"turn {turn.turn_id!r} (revision {turn.revision}) of session {turn.session_id!r} in {turn.scope}"
    if isinstance(record, ItemRecord):
        return f"item {record.item.id!r} in {record.scope}"
    if isinstance(record, SummaryRecord):
        return f"summary {record.summary.version} of session {record.summary.session_id!r} in {record.scope}"
    return f"open turn {record.turn_id!r} of session {record.session_id!r} in {record.scope}"


def encode(record: Record) -> str:
    """A record as compact JSON, the same for equal records of any store; defaults are left out."""
    return dumps({"kind": record.kind, **record.model_dump(mode="json", exclude_defaults=True)})


def decode(value: object) -> Record:
    """The record of a JSON value. Raises pydantic's ValidationError for what is none."""
    return _adapter().validate_python(value)


@cache
def _adapter() -> TypeAdapter[Record]:
    return TypeAdapter(Annotated[Record, Field(discriminator="kind")])
