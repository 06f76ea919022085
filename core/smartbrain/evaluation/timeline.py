"""What a question may know: its moment, and the sessions that come too late for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from smartbrain.evaluation.datasets import Line, RecordedTurn
from smartbrain.evaluation.questions import Question

_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one question: the moment it is asked as of, and the sessions that come too late for it."""

    as_of: datetime | None = None
    late: frozenset[str] = frozenset()


class Timeline:
    """When everything in a set was said.

    A question with ``as_of_session_seq`` knows the sessions with a smaller number: it is asked when only they are in
    the store (``steps``), as of their newest moment. A question with only a time is asked as of the end of that day,
    unless ``all_time``. In a conversation that has lines without a time, no moment is a limit.
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

    def steps(self, questions: Sequence[Question]) -> Iterator[tuple[list[RecordedTurn], list[Question]]]:
        """What is committed next, and the questions that are asked then.

        Moments alone do not hide what came later: a session may bear an older date than one before it. In 141 of the
        514 questions of ``realmem`` the very session the question was taken from would be in the store, answer and all.
        """
        rest: list[RecordedTurn] = []
        for conversation, left in self._turns.items():
            limited = [q for q in questions if q.conversation_id == conversation and q.as_of_session_seq is not None]
            for seq, asked in groupby(sorted(limited, key=_limit), key=_limit):
                told = [turn for turn in left if self._counts(turn, seq)]
                left = [turn for turn in left if not self._counts(turn, seq)]  # noqa: PLW2901 - what is left of it
                yield told, list(asked)
            rest += left
        yield rest, [question for question in questions if question.as_of_session_seq is None]

    def out_of_reach(self, question: Question, bounds: Bounds) -> int:
        """How many of the question's gold turns lie beyond its bounds."""
        found = (self._said[question.conversation_id, name] for name in question.gold_turns)
        return sum(turn.session_id in bounds.late or _later(turn, bounds.as_of) for turn in found)

    def _before_session(self, conversation: str, seq: int, timed: bool) -> Bounds:
        turns = self._turns[conversation]
        late = frozenset(turn.session_id for turn in turns if not self._counts(turn, seq))
        if not timed:
            return Bounds(late=late)
        known = [turn.occurred_at for turn in turns if turn.occurred_at and turn.session_id not in late]
        first = min(turn.occurred_at for turn in turns if turn.occurred_at)
        return Bounds(as_of=max(known, default=first - timedelta(microseconds=1)), late=late)

    def _counts(self, turn: RecordedTurn, seq: int) -> bool:
        own = self._seq[turn.conversation_id, turn.session_id]
        return isinstance(own, int) and own < seq


def _limit(question: Question) -> int:
    return question.as_of_session_seq or 0


def _later(turn: RecordedTurn, as_of: datetime | None) -> bool:
    return as_of is not None and turn.occurred_at is not None and turn.occurred_at > as_of
