"""What undoing a commit does to each item it had to do with: pure, and every item that is left alone has its reason.

What the turn added is taken back, unless others said it too: then only its saying no longer counts. What the turn
replaced or took back is in force again. What later turns changed rests on the turn, and their word stands: a value
that was replaced since stays replaced, and of one that grew since (an entity, a profile) only what the turn itself
brought is taken out, as far as it still stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from smartbrain.memory_types import MemoryType
from smartbrain.model import MemoryItem, Scope, Verdict
from smartbrain.policies._ledger import Slot, slot_of

RULE = "undone"
_GONE: Any = object()


@dataclass(frozen=True, slots=True)
class Touched:
    """An item the turn had to do with: as it is, as it was just before the turn, and just after it (None: not yet)."""

    now: MemoryItem
    before: MemoryItem | None
    after: MemoryItem | None


@dataclass
class UndoPlan:
    """The operations of an undo, in order, and why each of the other items is left alone (by id)."""

    operations: list[dict[str, Any]] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)


def plan_undo(
    turn: tuple[str, str],
    touched: Sequence[Touched],
    verdicts: Sequence[Verdict],
    *,
    types: Mapping[str, MemoryType],
    writable: Sequence[Scope],
    reason: str,
) -> UndoPlan:
    """The plan for one turn, (session_id, turn_id).

    ``touched`` are all versions under the keys that the turn's ``verdicts`` name. Items of a scope that is not
    ``writable`` are left alone.
    """
    planning = _Planning(turn, touched, verdicts, types, reason)
    for one in touched:
        if one.now.scope not in writable:
            if planning.concerns(one):
                planning.plan.left[one.now.id] = f"it belongs to {one.now.scope}, where this call may not write"
            continue
        planning.take_out(one)
    for one in touched:
        if one.now.scope in writable:
            planning.put_back(one)
    return planning.plan


class _Planning:
    def __init__(
        self,
        turn: tuple[str, str],
        touched: Sequence[Touched],
        verdicts: Sequence[Verdict],
        types: Mapping[str, MemoryType],
        reason: str,
    ) -> None:
        self.plan = UndoPlan()
        self._turn = turn
        self._touched = touched
        self._types = types
        self._reason = reason
        # What a revision of the turn no longer said is not what the turn did: it stays taken back.
        self._ended = {v.item_id for v in verdicts if v.action == "retracted" and v.rule != "turn_revised"}
        self._gone: set[str] = set()

    def concerns(self, one: Touched) -> bool:
        """Whether the turn added the item, said it, replaced it or took it back."""
        return self._said(one.now) or one.now.id in self._ended or self._replaced_by(one.now) is not None

    # -- what the turn brought -----------------------------------------------------------------------------------

    def take_out(self, one: Touched) -> None:
        """What the turn said of an item."""
        item = one.now
        if not self._said(item):
            return
        if item.status != "active":
            self._leave_history(item)
        elif any((source.session_id, source.turn_id) != self._turn for source in item.counting):
            self._operate("unsee", item, without=list(self._turn), value=self._value_without(one))
        else:
            self._gone.add(item.id)
            self._operate("retract", item)
            self._take_out_of_later(one)

    def _leave_history(self, item: MemoryItem) -> None:
        if item.status == "superseded":
            later = item.superseded_by or "a later value"
            self.plan.left[item.id] = f"{later} replaced it since, and stands; this is history already"
        elif item.reason is None or "revised" not in item.reason:
            self.plan.left[item.id] = f"it was taken back already: {item.reason}"

    def _value_without(self, one: Touched) -> dict[str, Any] | None:
        """What an item that goes on says without the turn; None where that is the same."""
        if one.before is None or one.after is None:
            return None
        value: dict[str, Any] = without_change(one.before.value, one.after.value, one.now.value)
        return None if value == one.now.value else value

    def _take_out_of_later(self, one: Touched) -> None:
        """A profile's versions hold all that was known by then, so the newest one still says what the turn said."""
        own = [t.now for t in self._touched if slot_of(t.now) == slot_of(one.now) and self._is_of(t.now)]
        if one.now.type != "profile" or one.now.id != own[-1].id:
            return
        self._gone.update(item.id for item in own)
        newest = self._newest(slot_of(one.now), but=one.now)
        if newest is None or newest.now.valid_from <= one.now.valid_from:
            return
        older = self._at(slot_of(one.now), one)
        value = without_change({} if older is None else older.value, one.now.value, newest.now.value)
        if value != newest.now.value:
            self._operate("edit", newest.now, value=value)

    def _at(self, slot: Slot, one: Touched) -> MemoryItem | None:
        """The version that was in force before the turn."""
        before = [t.before for t in self._touched if slot_of(t.now) == slot and t.before is not None]
        held = [item for item in before if item.status == "active" and item.valid_from <= one.now.valid_from]
        return max(held, key=lambda item: item.valid_from, default=None)

    # -- what the turn ended -------------------------------------------------------------------------------------

    def put_back(self, one: Touched) -> None:
        """An item that the turn replaced or took back."""
        item = one.now
        replaced = self._replaced_by(item)
        if item.status == "active" or (replaced is None and item.id not in self._ended):
            return
        if replaced is not None and replaced not in self._gone:
            self.plan.left[item.id] = f"{replaced}, which replaced it, is left as it is"
            return
        if item.status == "retracted" and item.id not in self._ended:
            return
        later = self._newest(slot_of(item), but=item)
        if later is not None:
            self.plan.left[item.id] = f"{later.now.id} was said under its key since, and stands"
            return
        self._operate("restore", item)

    def _replaced_by(self, item: MemoryItem) -> str | None:
        """The item of the turn that replaced this one."""
        by = next((t.now for t in self._touched if t.now.id == item.superseded_by), None)
        return by.id if by is not None and self._is_of(by) else None

    # -- small change --------------------------------------------------------------------------------------------

    def _newest(self, slot: Slot, but: MemoryItem) -> Touched | None:
        """What holds under a key when the turn's own is gone; items that were in force before beside it do not count
        as later."""
        standing = [
            t
            for t in self._touched
            if slot_of(t.now) == slot and t.now.status == "active" and t.now.id not in {*self._gone, but.id}
        ]
        after = [t for t in standing if t.before is None or t.before.status != "active"]
        return max(after, key=lambda t: t.now.valid_from, default=None)

    def _is_of(self, item: MemoryItem) -> bool:
        return (item.source_session_id, item.source_turn_id) == self._turn

    def _said(self, item: MemoryItem) -> bool:
        return any((source.session_id, source.turn_id) == self._turn for source in item.counting)

    def _operate(self, op: str, item: MemoryItem, **more: Any) -> None:
        told = {name: value for name, value in more.items() if value is not None}
        self.plan.operations.append(
            {"op": op, "item_id": item.id, "scope": list(item.scope), "rule": RULE, "reason": self._reason, **told}
        )


def without_change(before: Any, after: Any, now: Any) -> Any:
    """``now`` without what changed from ``before`` to ``after``, as far as it still stands in ``now``."""
    if isinstance(before, Mapping) and isinstance(after, Mapping) and isinstance(now, Mapping):
        names = dict.fromkeys([*now, *before])
        kept = {name: _field_without(name, before, after, now) for name in names}
        return {name: value for name, value in kept.items() if value is not _GONE}
    if all(isinstance(value, (list, tuple)) for value in (before, after, now)):
        return _list_without(before, after, now)
    return before if now == after else now


def _field_without(name: str, before: Mapping[str, Any], after: Mapping[str, Any], now: Mapping[str, Any]) -> Any:
    old, new, held = before.get(name, _GONE), after.get(name, _GONE), now.get(name, _GONE)
    if old is not _GONE and new is not _GONE and old == new:
        return held
    if old is _GONE and isinstance(new, (Mapping, list, tuple)) and held is not _GONE:
        left = without_change(type(new)(), new, held)
        return left or _GONE
    return old if held == new else without_change(old, new, held) if held is not _GONE else _GONE


def _list_without(before: Sequence[Any], after: Sequence[Any], now: Sequence[Any]) -> list[Any]:
    """Entries that came are taken out; an entry that went comes back where its successor still stands (a fact's
    successor is the one of the same ``k``)."""
    came = [entry for entry in after if entry not in before]
    went = [entry for entry in before if entry not in after]
    kept: list[Any] = []
    for entry in now:
        if entry not in came:
            kept.append(entry)
            continue
        back = [old for old in went if _kind(old) == _kind(entry) and old not in now]
        kept += [old for old in back if old not in kept]
    unfollowed = [old for old in went if all(_kind(old) != _kind(entry) for entry in came)]
    return [*kept, *(old for old in unfollowed if old not in kept)]


def _kind(entry: Any) -> Any:
    return entry.get("k", _GONE) if isinstance(entry, Mapping) else _GONE
