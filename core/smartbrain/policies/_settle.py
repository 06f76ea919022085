"""How one new value settles beside the versions that are there; ``conflict`` says in what order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from smartbrain.memory_types import MemoryType, as_given, over_older
from smartbrain.model import Action, Candidate, ItemClosure, MemoryItem, Verdict
from smartbrain.policies._ledger import Ledger, Slot, slot_of
from smartbrain.policies.wording import headline
from smartbrain.text.sameness import same

# When something was first settled stays with it, however often it is said again.
_LASTING = frozenset({"made_at", "date"})
# A preference that does not say whether it is liked is: most callers only hand over what is wanted.
_UNSAID: Mapping[str, Any] = {"polarity": "like"}


def fields_of(kind: MemoryType, *values: Mapping[str, Any]) -> Sequence[str]:
    return kind.conflict_fields or list(dict.fromkeys(name for value in values for name in value))


def changed(kind: MemoryType, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [name for name in fields_of(kind, old, new) if not same(_held(old, name), _held(new, name))]


def _held(value: Mapping[str, Any], name: str) -> Any:
    return value.get(name, _UNSAID.get(name))


def agrees(kind: MemoryType, item: MemoryItem, given: Mapping[str, Any]) -> bool:
    return not changed(kind, item.value, kind.build(item.value, given))


class New(NamedTuple):
    """One value on its way into memory."""

    kind: MemoryType
    candidate: Candidate
    verdict: Verdict

    @property
    def at(self) -> datetime:
        return self.candidate.occurred_at

    def on(self, base: MemoryItem | None) -> dict[str, Any]:
        """The full value, built on a version."""
        return self.kind.build({} if base is None else base.value, self.candidate.value)

    def repeats(self, item: MemoryItem | None) -> bool:
        return item is not None and agrees(self.kind, item, self.candidate.value)


def settle(ledger: Ledger, new: New, again: Mapping[Slot, Sequence[MemoryItem]]) -> None:
    slot = slot_of(new.candidate)
    own = next((item for item in again.get(slot, ()) if new.repeats(item)), None)
    if own is not None:
        ledger.sight(own, new.candidate, new.verdict.confidence)
        conclude(ledger, new.verdict, "replayed", "same_turn", "this turn said it before", own)
        return
    versions = ledger.versions(slot)
    after = next((item for item in versions if item.status != "retracted" and item.valid_from > new.at), None)
    gone = _taken_back_after(ledger, versions, new.at)
    if gone is not None and (after is None or gone <= after.valid_from):
        _settle_taken_back(ledger, new, versions, gone)
    elif new.kind.conflict == "merge":
        _settle_merge(ledger, new, next(reversed(ledger.in_force(slot)), None))
    else:
        before = next((item for item in reversed(versions) if _holds_at(item, new.at)), None)
        if new.kind.conflict == "versioned":
            _settle_version(ledger, new, before, after)
        elif after is None:
            _settle_overwrite(ledger, new, before)
        else:
            _settle_past(ledger, new, before, after)


def _holds_at(item: MemoryItem, moment: datetime) -> bool:
    if item.status == "retracted" or item.valid_from > moment:
        return False
    return item.status == "active" or (item.valid_to is not None and item.valid_to > moment)


def _taken_back_after(ledger: Ledger, versions: Sequence[MemoryItem], moment: datetime) -> datetime | None:
    """When an earlier commit took the key back, if that was after ``moment``."""
    ours = {item.id for item in ledger.taken_back.get(slot_of(versions[0]), ())} if versions else set()
    ends = [v.valid_to for v in versions if v.status == "retracted" and v.id not in ours and v.valid_to is not None]
    return min((end for end in ends if end > moment), default=None)


def _settle_taken_back(ledger: Ledger, new: New, versions: Sequence[MemoryItem], gone: datetime) -> None:
    known = next((item for item in versions if item.status == "retracted" and new.repeats(item)), None)
    why = "said before it was taken back"
    if known is not None:
        ledger.sight(known, new.candidate, new.verdict.confidence)
        conclude(ledger, new.verdict, "merged", "taken_back", why, known)
        return
    item = ledger.insert(
        new.candidate, new.on(None), new.verdict.confidence, status="retracted", valid_to=gone, reason=why
    )
    conclude(ledger, new.verdict, "retracted", "taken_back", why, item)


def _settle_overwrite(ledger: Ledger, new: New, current: MemoryItem | None) -> None:
    if current is not None and new.repeats(current):
        _say_again(ledger, new, current)
        return
    value = new.on(current)
    replaced = [current] if current is not None else []
    item = ledger.insert(new.candidate, value, new.verdict.confidence, supersedes=[old.id for old in replaced])
    _written(ledger, new, item)
    for old in replaced:
        _supersede(ledger, old, item, new.at)
        ledger.note(old, item, changed(new.kind, old.value, value), "superseded", "overwrite")


def _settle_past(ledger: Ledger, new: New, before: MemoryItem | None, after: MemoryItem) -> None:
    """An overwrite value from before ``after`` takes its place in the history."""
    for known in (before, after):
        if known is not None and new.repeats(known):
            _say_again(ledger, new, known)
            return
    value = new.on(before)
    item = ledger.insert(
        new.candidate,
        value,
        new.verdict.confidence,
        supersedes=[before.id] if before is not None else [],
        status="superseded",
        valid_to=after.valid_from,
        superseded_by=after.id,
        reason="a newer value was known already",
    )
    conclude(ledger, new.verdict, "superseded", "older_than_current", "a newer value was known already", item)
    if before is not None:
        _supersede(ledger, before, item, new.at)
    ledger.note(item, after, changed(new.kind, value, after.value), "superseded", "older_than_current")


def _settle_version(ledger: Ledger, new: New, before: MemoryItem | None, after: MemoryItem | None) -> None:
    for known in (before, after):
        if known is not None and new.repeats(known):
            _say_again(ledger, new, known)
            return
    value = new.on(before)
    item = ledger.insert(new.candidate, value, new.verdict.confidence)
    _written(ledger, new, item)
    met = before or after
    if met is not None:
        old, newer = (met, item) if met is before else (item, met)
        ledger.note(old, newer, changed(new.kind, old.value, newer.value), "versioned", "versioned")
    for later in ledger.in_force(slot_of(item)):
        # A profile learnt late: what newer versions do not know yet still holds.
        carried = new.kind.build(new.candidate.value, later.value)
        if later.valid_from > new.at and changed(new.kind, later.value, carried):
            ledger.sight(later, new.candidate, later.confidence, carried)


def _settle_merge(ledger: Ledger, new: New, current: MemoryItem | None) -> None:
    if current is None:
        _written(ledger, new, ledger.insert(new.candidate, new.on(None), new.verdict.confidence))
        return
    given = dict(new.candidate.value)
    build = over_older if new.kind.build is as_given else new.kind.build
    if new.at < current.last_seen_at and isinstance(given.get("attrs"), dict):
        # Said earlier than what is known: it may add, not replace.
        given["attrs"] = {k: v for k, v in given["attrs"].items() if k not in (current.value.get("attrs") or {})}
    merged = build(current.value, given)
    fields = changed(new.kind, current.value, merged)
    ledger.sight(current, new.candidate, new.verdict.confidence, merged if fields else None)
    if fields:
        conclude(ledger, new.verdict, "merged", "merge", f"{', '.join(fields)} merged into it", current)
        ledger.note(current, current, fields, "merged", "merge")
    else:
        conclude(ledger, new.verdict, "merged", "same_value", "it is known already", current)


def _say_again(ledger: Ledger, new: New, item: MemoryItem) -> None:
    """The same value once more: one more source, and whatever it says besides that was not known."""
    more = _besides(new, item)
    ledger.sight(item, new.candidate, new.verdict.confidence, {**item.value, **more} if more else None)
    names = fields_of(new.kind, item.value, new.candidate.value)
    exact = all(item.value.get(name) == new.candidate.value.get(name, item.value.get(name)) for name in names)
    rule = "refined" if more else "same_value" if exact else "near_same_value"
    why = f"it is known already; {', '.join(more)} added" if more else "it is known already"
    conclude(ledger, new.verdict, "merged", rule, why, item)


def _besides(new: New, item: MemoryItem) -> dict[str, Any]:
    settled = {*fields_of(new.kind, item.value, new.candidate.value), *new.kind.key_fields}
    late = new.at < item.valid_from
    found = {}
    for name, value in new.candidate.value.items():
        known = item.value.get(name)
        if name in settled or value in (None, "", [], {}) or same(known, value):
            continue
        if known in (None, "", [], {}) or not (late or name in _LASTING):
            found[name] = value
    return found


def _supersede(ledger: Ledger, old: MemoryItem, item: MemoryItem, at: datetime) -> None:
    why = f"replaced by {item.id}"
    ledger.close(ItemClosure(item_id=old.id, status="superseded", valid_to=at, reason=why, superseded_by=item.id))
    ledger.verdicts.append(
        Verdict(
            subject=headline(old.type, old.value, old.language),
            action="superseded",
            rule="overwrite",
            reason=why,
            type=old.type,
            key=old.key,
            confidence=old.confidence,
            trust=old.trust,
            message_id=old.source_message_id,
            span=old.source_span,
            item_id=old.id,
        )
    )


def _written(ledger: Ledger, new: New, item: MemoryItem) -> None:
    conclude(ledger, new.verdict, "written", new.verdict.rule, "", item)
    for old in ledger.taken_back.get(slot_of(item), ()):
        fields = changed(new.kind, old.value, item.value)
        if fields:
            ledger.note(old, item, fields, "retracted", "retraction")


def conclude(ledger: Ledger, verdict: Verdict, action: Action, rule: str, why: str, item: MemoryItem) -> None:
    reason = "; ".join(part for part in (verdict.reason, why) if part)
    changed = {"action": action, "rule": rule, "reason": reason, "item_id": item.id}
    ledger.verdicts.append(verdict.model_copy(update=changed))
