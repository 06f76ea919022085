"""What a new value does to the ones before it: pure, explained, and never beyond its own type, key and scope.

Order within one commit: what is taken back goes first, so that a value said in the same breath stands. Then the
values, in the order they came; where a structured entry and something read from the text have one key, the entry
speaks and the other is only one more source for it. So it is when a model reads a turn again after the rules: what
it is less sure of than the item which the turn already gave adds a source and changes nothing.

*Overwrite* (preferences, goals, tasks): one active item at a time. *Versioned* (decisions, events, cases, patterns,
profile): all versions stay active, and the newest by ``valid_from`` is the one that counts on reading; see
``newest_versions``. A profile version holds the newest fact for every ``k``, so the newest one is complete.
*Merge* (entities): one item that learns names and attributes.

A value said earlier than the current one (imported history) goes into its place in the past: for overwrite types it
is born superseded. One said before its key was taken back is born retracted. Neither changes the present.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from smartbrain.errors import ContractError
from smartbrain.memory_types import BUILTIN_TYPES, MemoryType
from smartbrain.model import Action, Candidate, Changes, IdFactory, ItemClosure, MemoryItem, Retraction, Turn, Verdict
from smartbrain.policies._ledger import Ledger, Slot, slot_of
from smartbrain.policies._settle import New, agrees, conclude, settle
from smartbrain.policies.wording import headline

Decided = tuple[Candidate, Verdict]


def resolve(
    decided: Sequence[Decided],
    retractions: Sequence[Retraction],
    existing: Sequence[MemoryItem],
    *,
    turn: Turn,
    recorded_at: datetime,
    new_id: IdFactory,
    types: Mapping[str, MemoryType] = BUILTIN_TYPES,
) -> Changes:
    """What the candidates that retention kept, and the retractions, change.

    ``decided`` is what ``retention.decide`` returned; its skipped verdicts are passed on, so that the changes hold a
    verdict for everything. ``existing`` must hold every item of the touched keys **whatever its status**; items of
    other keys or scopes are never touched. Raises ContractError for a candidate of an unknown type.
    """
    ledger = Ledger(existing, turn, recorded_at, new_id)
    kept = [pair for pair in decided if pair[1].action != "skipped"]
    ledger.verdicts += [verdict for _, verdict in decided if verdict.action == "skipped"]
    speaking = {slot_of(candidate) for candidate, _ in kept if candidate.explicit}
    leading: list[Decided] = []
    yielding: list[Decided] = []
    for pair in kept:
        (yielding if _yields(pair, speaking, ledger, types) else leading).append(pair)
    again = _replayed(leading, ledger, types)
    for retraction in retractions:
        _take_back(ledger, retraction, again)
    for candidate, verdict in leading:
        settle(ledger, New(_type_of(candidate, types), candidate, verdict), again)
    for candidate, verdict in yielding:
        item = ledger.versions(slot_of(candidate))[-1]
        ledger.sight(item, candidate, verdict.confidence)
        conclude(ledger, verdict, "merged", "surer_source", "what the same turn says more surely stands", item)
    return ledger.changes()


def newest_versions(items: Iterable[MemoryItem]) -> list[MemoryItem]:
    """Of every type, key and scope the active item that counts: the newest, at one moment the most confident.

    In the order of ``items``.
    """
    best: dict[Slot, tuple[Any, MemoryItem]] = {}
    active = [item for item in items if item.status == "active"]
    for place, item in enumerate(active):
        rank = (item.valid_from, item.confidence, item.recorded_at, place)
        if slot_of(item) not in best or rank > best[slot_of(item)][0]:
            best[slot_of(item)] = (rank, item)
    chosen = {item.id for _, item in best.values()}
    return [item for item in active if item.id in chosen]


def _type_of(candidate: Candidate, types: Mapping[str, MemoryType]) -> MemoryType:
    kind = types.get(candidate.type)
    if kind is None:
        raise ContractError(f"there is no memory type {candidate.type!r}", field="type")
    return kind


def _yields(pair: Decided, speaking: set[Slot], ledger: Ledger, types: Mapping[str, MemoryType]) -> bool:
    candidate, verdict = pair
    # Profiles and entities add up, so that all may speak.
    if candidate.explicit or candidate.type == "profile" or _type_of(candidate, types).conflict == "merge":
        return False
    slot = slot_of(candidate)
    if slot in speaking:
        return True
    own = [item for item in ledger.in_force(slot)[-1:] if _is_of(item, ledger.turn)]
    return any(item.recorded_at == ledger.turn.recorded_at and item.confidence > verdict.confidence for item in own)


def _replayed(
    leading: Sequence[Decided], ledger: Ledger, types: Mapping[str, MemoryType]
) -> dict[Slot, list[MemoryItem]]:
    """The slots in which this batch repeats, value for value, what the same turn wrote before."""
    said: dict[Slot, list[Candidate]] = defaultdict(list)
    for candidate, _ in leading:
        said[slot_of(candidate)].append(candidate)
    found = {}
    for slot, candidates in said.items():
        own = [item for item in ledger.versions(slot) if _is_of(item, ledger.turn)]
        if own and _leads_through(own, candidates, _type_of(candidates[0], types)):
            found[slot] = own
    return found


def _leads_through(own: Sequence[MemoryItem], candidates: Sequence[Candidate], kind: MemoryType) -> bool:
    """Whether writing the candidates one by one would give exactly these versions."""
    place = -1
    for candidate in candidates:
        if place >= 0 and agrees(kind, own[place], candidate.value):
            continue
        place += 1
        if place == len(own) or not agrees(kind, own[place], candidate.value):
            return False
    return place == len(own) - 1


def _is_of(item: MemoryItem, turn: Turn) -> bool:
    return (item.source_session_id, item.source_turn_id) == (turn.session_id, turn.turn_id)


def _take_back(ledger: Ledger, retraction: Retraction, again: Mapping[Slot, Sequence[MemoryItem]]) -> None:
    slot = slot_of(retraction)
    # What this very turn said after taking the older value back; committing it again must not take that back, too.
    spared = {item.id for item in again.get(slot, ())}
    active = [item for item in ledger.in_force(slot) if item.id not in spared]
    reason = retraction.reason or "the user took it back"
    for item in active:
        at = max(ledger.turn.occurred_at, item.valid_from)
        ledger.close(ItemClosure(item_id=item.id, status="retracted", valid_to=at, reason=reason))
        ledger.taken_back.setdefault(slot, []).append(item)
        ledger.verdicts.append(_retraction_verdict(retraction, "retracted", reason, item))
    if not active:
        ledger.verdicts.append(_retraction_verdict(retraction, "skipped", "nothing to retract", None))


def _retraction_verdict(retraction: Retraction, action: Action, reason: str, item: MemoryItem | None) -> Verdict:
    return Verdict(
        subject=headline(item.type, item.value, item.language) if item else retraction.key,
        action=action,
        rule=retraction.rule,
        reason=reason,
        type=retraction.type,
        key=retraction.key,
        confidence=item.confidence if item else 0.0,
        message_id=retraction.message_id,
        span=retraction.span,
        item_id=item.id if item else None,
    )
