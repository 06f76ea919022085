"""Structured entries of a turn as candidates: what the caller already knows is worth keeping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic_core import PydanticSerializationError

from smartbrain.contracts.base import contract_error
from smartbrain.contracts.scopes import check_write
from smartbrain.contracts.turn_events import Entry, RetractionEntry, TurnEvents
from smartbrain.errors import ContractError
from smartbrain.extraction.tool_events import tool_candidates
from smartbrain.memory_types import BUILTIN_TYPES, MemoryType, check_key, keyed
from smartbrain.model import TYPE_RULES, Access, Candidate, Message, Retraction, Trust
from smartbrain.text.sameness import plain

_ENTRY_FIELDS = frozenset(Entry.model_fields)
# The field whose words the user may have said as they stand.
_SAID = {
    "preferences": "value",
    "goals": "description",
    "tasks": "title",
    "decisions": "decision",
    "entities": "name",
    "events": "title",
    "cases": "problem",
    "patterns": "rule",
}
_STRUCTURAL_KINDS = frozenset({"url", "repo", "file"})
_CONFIDENCE = 0.9


def structured_candidates(
    events: TurnEvents,
    *,
    access: Access,
    occurred_at: datetime,
    language: str,
    types: Mapping[str, MemoryType] = BUILTIN_TYPES,
    trust: Trust = "user",
) -> tuple[list[Candidate], list[Retraction]]:
    """Every structured entry as an explicit candidate, and every retraction, in the order of contracts.md §2.

    ``trust`` is where the entries come from; tool results that produced an artifact or changed a status are added
    as events with trust "tool". Unconfirmed preferences are candidates too: retention says why it skips them.
    Nothing is written, so an error leaves nothing behind: ContractError names the entry and the field (a key of
    another type, an unknown type, a custom entry its model refuses), ScopeError an entry that may not be written
    where it asks.
    """
    found = [
        _candidate(kind, path, entry, value, events.messages, access, occurred_at, language, trust)
        for kind, path, entry, value in _entries(events, types, occurred_at)
    ]
    found += tool_candidates(events, scope=access.default_write, occurred_at=occurred_at, language=language)
    retractions = [
        _retraction(entry, f"retractions[{index}]", access, types) for index, entry in enumerate(events.retractions)
    ]
    return found, retractions


def _entries(
    events: TurnEvents, types: Mapping[str, MemoryType], occurred_at: datetime
) -> Iterator[tuple[MemoryType, str, Entry, dict[str, Any]]]:
    for name in TYPE_RULES:
        for index, entry in enumerate(getattr(events, name)):
            path = f"{name}[{index}]"
            value = _plain_value(entry, path)
            if name == "events":
                value.setdefault("date", _day_of_key(entry.key) or occurred_at.date().isoformat())
            yield types[name], path, entry, value
    for name, entries in events.custom.items():
        kind = types.get(name)
        if kind is None or name in TYPE_RULES:
            hint = "is a built-in type: give it under its own name" if name in TYPE_RULES else "is not registered"
            raise ContractError(f"TurnEvents: custom.{name}: the type {hint}", entry="custom", field=name)
        for index, raw in enumerate(entries):
            path = f"custom.{name}[{index}]"
            yield kind, path, _checked(Entry, raw, path), _plain_value(_checked(kind.value_model, raw, path), path)


def _day_of_key(key: str | None) -> str | None:
    parts = (key or "").split(":", 3)
    return parts[2] if len(parts) == 4 else None


def _checked(model: type[Any], raw: Mapping[str, Any], path: str) -> Any:
    from pydantic import ValidationError

    try:
        return model.model_validate(raw)
    except ValidationError as error:
        found = contract_error(path, error)
        raise ContractError(str(found), entry=f"{path}.{found.entry}".rstrip("."), field=found.field) from error


def _plain_value(entry: Any, path: str) -> dict[str, Any]:
    # What was not given is left out: a task's status alone must not wipe its title.
    try:
        value: dict[str, Any] = entry.model_dump(
            mode="json", exclude={*_ENTRY_FIELDS, "remember"} if isinstance(entry, Entry) else None, exclude_none=True
        )
    except PydanticSerializationError as error:
        raise ContractError(f"TurnEvents: {path}: holds a value that is not JSON: {error}", entry=path) from error
    return value


def _candidate(
    kind: MemoryType,
    path: str,
    entry: Entry,
    value: dict[str, Any],
    messages: Sequence[Message],
    access: Access,
    occurred_at: datetime,
    language: str,
    trust: Trust,
) -> Candidate:
    key, full = keyed(kind, value, entry.key, path)
    message_id, span, quote = _spoken(messages, entry.message_id, full.get(_SAID.get(kind.name, "")))
    return Candidate(
        type=kind.name,
        key=key,
        value=full,
        confidence=_CONFIDENCE if entry.confidence is None else entry.confidence,
        rule="structured",
        trust=trust,
        explicit=True,
        confirmed=bool(full.get("confirmed")) if kind.name == "preferences" else False,
        hints=_hints(kind.name, entry, full),
        language=language,
        message_id=message_id,
        span=span,
        quote=quote,
        evidence_refs=entry.evidence_refs,
        scope=check_write(access, entry.scope_ref, path),
        occurred_at=occurred_at,
    )


def _hints(type_name: str, entry: Entry, value: Mapping[str, Any]) -> tuple[str, ...]:
    hints = []
    if getattr(entry, "remember", False):
        hints.append("remember")
    if type_name == "entities" and value.get("kind") in _STRUCTURAL_KINDS:
        hints.append("structural")
    return tuple(hints)


def _spoken(
    messages: Sequence[Message], message_id: str | None, said: Any
) -> tuple[str | None, tuple[int, int] | None, str | None]:
    """Where the entry's words stand verbatim, if the user said them so: message id, span and quote."""
    words = plain(said) if said is not None else ""
    for message in messages:
        asked = message.id == message_id if message_id else message.role == "user"
        start = message.text.find(words) if asked and message.id and words.strip() else -1
        if start >= 0:
            return message.id, (start, start + len(words)), words
    return message_id, None, None


def _retraction(entry: RetractionEntry, path: str, access: Access, types: Mapping[str, MemoryType]) -> Retraction:
    kind = types.get(entry.type)
    if kind is None:
        raise ContractError(f"{path}.type: there is no memory type {entry.type!r}", entry=path, field="type")
    check_key(kind, entry.key, path)
    return Retraction(
        type=entry.type,
        key=entry.key,
        reason=entry.reason,
        scope=check_write(access, entry.scope_ref, path),
        message_id=entry.message_id,
    )
