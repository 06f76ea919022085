"""One item edited or taken back by hand, as the changes that does to memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from smartbrain.model import Changes, IdFactory, ItemClosure, MemoryItem, Source, Turn, Verdict
from smartbrain.policies.wording import render_item


def correct(item: MemoryItem | None, operation: Mapping[str, Any], turn: Turn, new_id: IdFactory) -> Changes:
    """What an ``edit`` or ``retract`` operation changes; nothing, explained, when the item is not current."""
    if item is None or item.status != "active":
        return Changes(verdicts=(_verdict(item, operation, "skipped", "the item is not there or no longer current"),))
    reason = str(operation["reason"])
    if operation["op"] == "retract":
        closure = ItemClosure(item_id=item.id, status="retracted", valid_to=turn.occurred_at, reason=reason)
        return Changes(closures=(closure,), verdicts=(_verdict(item, operation, "retracted", reason),))
    value = {**item.value, **operation["value"]}
    edited = item.model_copy(
        update={
            "id": new_id(),
            "value": value,
            "text": render_item(item.type, item.key, value, item.language),
            "rule": "edited_by_hand",
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
        rule=f"{operation['op']}_by_hand",
        reason=reason,
        type=item.type if item else "unknown",
        key=item.key if item else str(operation["item_id"]),
        confidence=1.0,
        item_id=item.id if item else None,
    )
