"""One item changed by an operation that stands in the log: edited or taken back by hand, or what an undo does to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smartbrain.model import Changes, IdFactory, ItemAmendment, ItemClosure, MemoryItem, Source, Turn, Verdict
from smartbrain.policies.wording import render_item


def correct(item: MemoryItem | None, operation: Mapping[str, Any], turn: Turn, new_id: IdFactory) -> Changes:
    """What an operation changes; nothing, explained, when the item is not there or not as the operation wants it.

    ``edit`` gives a new version, ``retract`` takes the item back, ``restore`` puts it in force again, and ``unsee``
    takes from it what one turn said of it.
    """
    if item is None or (item.status == "active") == (operation["op"] == "restore"):
        return Changes(verdicts=(_verdict(item, operation, "skipped", "the item is not there or no longer current"),))
    reason = str(operation["reason"])
    if operation["op"] == "edit":
        return _edited(item, operation, turn, new_id)
    if operation["op"] == "restore":
        amendment = ItemAmendment(item_id=item.id, at=turn.occurred_at, reason=reason, reopen=True)
        return Changes(amendments=(amendment,), verdicts=(_verdict(item, operation, "restored", reason),))
    if operation["op"] == "unsee":
        return _unseen(item, operation, turn)
    return _retracted(item, operation, turn)


def _retracted(item: MemoryItem, operation: Mapping[str, Any], turn: Turn) -> Changes:
    reason = str(operation["reason"])
    closure = ItemClosure(item_id=item.id, status="retracted", valid_to=turn.occurred_at, reason=reason)
    return Changes(closures=(closure,), verdicts=(_verdict(item, operation, "retracted", reason),))


def _unseen(item: MemoryItem, operation: Mapping[str, Any], turn: Turn) -> Changes:
    session_id, turn_id = operation["without"]
    if all((source.session_id, source.turn_id) == (session_id, turn_id) for source in item.counting):
        return _retracted(item, operation, turn)
    value = operation.get("value")
    amendment = ItemAmendment(
        item_id=item.id,
        at=turn.occurred_at,
        reason=str(operation["reason"]),
        without=(session_id, turn_id),
        value=value,
        text=None if value is None else render_item(item.type, item.key, value, item.language),
    )
    return Changes(amendments=(amendment,), verdicts=(_verdict(item, operation, "unseen", amendment.reason),))


def _edited(item: MemoryItem, operation: Mapping[str, Any], turn: Turn, new_id: IdFactory) -> Changes:
    reason = str(operation["reason"])
    value = {**item.value, **operation["value"]}
    edited = item.model_copy(
        update={
            "id": new_id(),
            "value": value,
            "text": render_item(item.type, item.key, value, item.language),
            "rule": operation.get("rule", "edited_by_hand"),
            "confidence": 1.0,
            "source_turn_id": turn.turn_id,
            "source_session_id": turn.session_id,
            "source_message_id": None,
            "source_span": None,
            "occurred_at": turn.occurred_at,
            "recorded_at": turn.recorded_at,
            "valid_from": turn.occurred_at,
            "supersedes": (item.id,),
            "reason": reason,
            "seen": 1,
            "last_seen_at": turn.occurred_at,
            "sources": (Source(turn_id=turn.turn_id, session_id=turn.session_id, occurred_at=turn.occurred_at),),
        }
    )
    closure = ItemClosure(
        item_id=item.id, status="superseded", valid_to=turn.occurred_at, reason=reason, superseded_by=edited.id
    )
    return Changes(
        inserts=(edited,),
        closures=(closure,),
        verdicts=(
            _verdict(edited, operation, "written", reason),
            _verdict(item, operation, "superseded", reason),
        ),
    )


def _verdict(item: MemoryItem | None, operation: Mapping[str, Any], action: Any, reason: str) -> Verdict:
    return Verdict(
        subject=item.key if item else str(operation["item_id"]),
        action=action,
        rule=operation.get("rule", f"{operation['op']}_by_hand"),
        reason=reason,
        type=item.type if item else "unknown",
        key=item.key if item else str(operation["item_id"]),
        confidence=1.0,
        item_id=item.id if item else None,
    )
