"""The recent window: the newest turns, whole, oldest first; the oldest shown may be cut between tool groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from smartbrain.contracts.context import RecentMessage
from smartbrain.contracts.evidence import Dropped, EvidenceRef
from smartbrain.model import Turn
from smartbrain.policies.metering import Meter
from smartbrain.policies.toolgroups import LeftOut, Segment, segments


@dataclass(frozen=True, slots=True)
class _Candidate:
    turn: Turn
    segments: list[Segment]
    left_out: list[LeftOut]
    costs: list[int]


@dataclass(frozen=True, slots=True)
class Window:
    """What is shown of the recent turns, oldest first, and its tokens."""

    messages: tuple[RecentMessage, ...] = ()
    cost: int = 0
    dropped: tuple[Dropped, ...] = ()
    whole_turns: frozenset[str] = frozenset()
    message_ids: frozenset[tuple[str, str]] = frozenset()

    def holds(self, ref: EvidenceRef) -> bool:
        """Whether the words that ``ref`` points at stand in the window: its message, or its turn whole."""
        if ref.turn_id is None:
            return False
        return ref.turn_id in self.whole_turns or (ref.turn_id, ref.message_id or "") in self.message_ids


@dataclass(slots=True)
class RecentTurns:
    """The newest ``most`` turns, made ready once, so that windows of different size cost nothing to make."""

    turns: Sequence[Turn]
    most: int
    meter: Meter
    _ready: list[_Candidate] = field(default_factory=list)

    def __post_init__(self) -> None:
        for turn in self.turns[-self.most :][::-1] if self.most else ():
            found, left_out = segments(turn)
            costs = [sum(self.meter.message(message) for message in segment.messages) for segment in found]
            self._ready.append(_Candidate(turn, found, left_out, costs))

    def window(self, room: int) -> Window:
        """The largest window of at most ``room`` tokens. With more room it shows the same and more, never less."""
        shown: list[RecentMessage] = []
        dropped: list[Dropped] = []
        whole: set[str] = set()
        spent, closed = 0, False
        for candidate in self._ready:
            kept = set() if closed else _affordable(candidate, room - spent)
            complete = len(kept) == len(candidate.segments)
            closed = closed or not complete
            spent += sum(candidate.costs[place] for place in kept)
            shown[:0] = _as_recent(candidate, kept)
            dropped += _gone(candidate, kept)
            if complete and not candidate.left_out:
                whole.add(candidate.turn.turn_id)
        ids = frozenset((m.turn_id, m.message.id) for m in shown if m.message.id)
        return Window(tuple(shown), spent, tuple(dropped), frozenset(whole), ids)


def _affordable(candidate: _Candidate, room: int) -> set[int]:
    """The places of the segments to keep: what the user said first, then the rest from the end while it fits."""
    said = {place for place, segment in enumerate(candidate.segments) if segment.from_user}
    left = room - sum(candidate.costs[place] for place in said)
    if left < 0:
        return set()
    kept = set(said)
    for place in reversed(range(len(candidate.segments))):
        if place in said:
            continue
        left -= candidate.costs[place]
        if left < 0:
            break
        kept.add(place)
    return kept


def _as_recent(candidate: _Candidate, kept: set[int]) -> list[RecentMessage]:
    turn = candidate.turn
    return [
        RecentMessage(turn_id=turn.turn_id, occurred_at=message.created_at or turn.occurred_at, message=message)
        for place in sorted(kept)
        for message in candidate.segments[place].messages
    ]


def _gone(candidate: _Candidate, kept: set[int]) -> list[Dropped]:
    turn_id = candidate.turn.turn_id
    gone = [Dropped(id=left.id, reason="filter", detail=left.why) for left in candidate.left_out]
    if candidate.segments and not kept:
        return [*gone, Dropped(id=turn_id, reason="budget", detail="recent turn")]
    for place, segment in enumerate(candidate.segments):
        if place not in kept:
            name = segment.messages[0].id or f"{turn_id}~{place}"
            gone.append(Dropped(id=name, reason="budget", detail=f"part of recent turn {turn_id}"))
    return gone
