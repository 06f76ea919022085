"""What a question may know: its moment, and the sessions that come too late for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from smartbrain.evaluation.datasets import Line, RecordedTurn
from smartbrain.evaluation.questions import Question

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one question. ``late`` sessions do not count; ``leaking`` of their messages are older than
    ``as_of`` all the same, so a ranked list must be that much longer."""

    as_of: datetime | None = None
    late: frozenset[str] = frozenset()
    leaking: int = 0


class Timeline:
    """When everything in a set was said.

    A question with ``as_of_session_seq`` knows the sessions with a smaller number: it is asked as of their newest
    moment, so that none of them is hidden, and what lies in other sessions is taken off the ranked list. A question
    with only a time is asked as of the end of that day, unless ``all_time``. In a conversation that has lines without
    a time, no moment is a limit.
    """

    def __init__(self, lines: Sequence[Line], turns: Sequence[RecordedTurn], *, all_time: bool = False) -> None:
        self._all_time = all_time
        self._turns: dict[str, list[RecordedTurn]] = {}
        for turn in turns:
            self._turns.setdefault(turn.conversation_id, []).append(turn)
        self._seq = {(line.conversation_id, line.session_id): line.more.get("session_seq") for line in lines}
        self._timed = {name for name, own in self._turns.items() if all(turn.occurred_at for turn in own)}
        self._said = {(turn.conversation_id, message.id): turn for turn in turns for message in turn.messages}
        moments = [turn.occurred_at for turn in turns if turn.occurred_at]
        self.end = max(moments, default=_LONG_AGO)
        """The newest moment of the set; a clock that stands there makes runs repeatable."""

    def bounds(self, question: Question) -> Bounds:
        """What the question may know."""
        timed = question.conversation_id in self._timed
        if question.as_of_session_seq is not None:
            return self._before_session(question.conversation_id, question.as_of_session_seq, timed)
        return Bounds(as_of=question.end_of_day if timed and not self._all_time else None)

    def out_of_reach(self, question: Question, bounds: Bounds) -> int:
        """How many of the question's gold turns lie beyond its bounds."""
        found = (self._said[question.conversation_id, name] for name in question.gold_turns)
        return sum(turn.session_id in bounds.late or _later(turn, bounds.as_of) for turn in found)

    def _before_session(self, conversation: str, seq: int, timed: bool) -> Bounds:
        turns = self._turns[conversation]
        late = frozenset(turn.session_id for turn in turns if not self._counts(turn, seq))
        if not timed:
            hidden = sum(len(turn.messages) for turn in turns if turn.session_id in late)
            return Bounds(late=late, leaking=hidden)
        known = [turn.occurred_at for turn in turns if turn.occurred_at and turn.session_id not in late]
        first = min(turn.occurred_at for turn in turns if turn.occurred_at)
        as_of = max(known, default=first - timedelta(microseconds=1))
        leaking = sum(len(t.messages) for t in turns if t.session_id in late and not _later(t, as_of))
        return Bounds(as_of=as_of, late=late, leaking=leaking)

    def _counts(self, turn: RecordedTurn, seq: int) -> bool:
        own = self._seq[turn.conversation_id, turn.session_id]
        return isinstance(own, int) and own < seq


def _later(turn: RecordedTurn, as_of: datetime | None) -> bool:
    return as_of is not None and turn.occurred_at is not None and turn.occurred_at > as_of
