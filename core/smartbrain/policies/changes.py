"""What memory gained, lost and changed between two views of it: pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from smartbrain.contracts.history import MemoryChange
from smartbrain.model import MemoryItem
from smartbrain.policies._ledger import slot_of
from smartbrain.policies.conflict import newest_versions


def compare_views(before: Iterable[MemoryItem], after: Iterable[MemoryItem]) -> list[MemoryChange]:
    """What became of each key, by scope, type and key; what did not change is left out, reasons are still to be told.

    Both are items as they stood at their moment; of several versions the newest counts.
    """
    olds = {slot_of(item): item for item in newest_versions(before)}
    news = {slot_of(item): item for item in newest_versions(after)}
    found = []
    for slot in sorted({*olds, *news}, key=lambda slot: (slot.scope, slot.type, slot.key)):
        change = _change(olds.get(slot), news.get(slot))
        if change is not None:
            found.append(change)
    return found


def _change(old: MemoryItem | None, new: MemoryItem | None) -> MemoryChange | None:
    item = new or old
    if item is None:
        return None
    fields = _differing({} if old is None else old.value, {} if new is None else new.value)
    told = {"type": item.type, "key": item.key, "scope": item.scope, "before": old, "after": new}
    if old is None:
        return MemoryChange(kind="gained", fields=fields, **told)
    if new is None:
        return MemoryChange(kind="lost", fields=fields, **told)
    if fields:
        return MemoryChange(kind="changed", fields=fields, **told)
    if (old.id, old.seen) == (new.id, new.seen):
        return None
    return MemoryChange(kind="said_again", **told)


def _differing(old: dict[str, Any], new: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    names = dict.fromkeys([*old, *new])
    return {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}
