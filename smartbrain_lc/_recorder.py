"""Recording turns: staged piece by piece as they happen, committed once when they end."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import BaseMessage, ToolMessage

from smartbrain.errors import ConflictError, NotFoundError
from smartbrain.model import Message, ToolCall, Turn
from smartbrain.tool_texts import Owner
from smartbrain_lc._guard import Guard
from smartbrain_lc._messages import to_neutral, tool_record, tool_records
from smartbrain_lc._turns import Mark, kept, tail, turn_messages

MOST_WAITING = 1000
"""So many turns whose commit failed are kept in memory for another try; beyond, the oldest go (they stay staged)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A whole turn on its way into the brain."""

    owner: Owner
    turn_id: str
    messages: tuple[Message, ...]
    tool_calls: tuple[ToolCall, ...]


def ended_turn(owner: Owner, turn_id: str, messages: Sequence[BaseMessage]) -> Ended:
    """A turn out of its messages, each call with its result."""
    return Ended(owner, turn_id, tuple(to_neutral(m) for m in messages), tuple(tool_records(messages)))


class Recorder:
    """Stages and commits. Keeps nothing of a run, only turns that a failing store refused."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._brain = guard.brain
        self._lock = threading.Lock()
        self._waiting: deque[Ended] = deque(maxlen=MOST_WAITING)

    def begin(self, mark: Mark, said: Sequence[BaseMessage]) -> None:
        """Opens the turn with what the user said; turns that were left open in the session are swept."""
        self._guard.run("begin", lambda: self._stage(mark, [to_neutral(m) for m in said], [], sweep=True), None)

    def stage(self, mark: Mark, messages: Sequence[BaseMessage]) -> None:
        """Keeps the newest messages of the open turn; staging them again replaces them in place."""
        new = tail(messages)
        if new:
            self._guard.run("stage", lambda: self._stage(mark, [to_neutral(m) for m in new], tool_records(new)), None)

    def stage_result(self, mark: Mark, call: ToolCall, result: ToolMessage) -> None:
        """Keeps a tool's result with its call, before the graph's state knows of it."""
        self._guard.run("stage", lambda: self._stage(mark, [], [tool_record(call, result)]), None)

    def commit(self, mark: Mark, messages: Sequence[BaseMessage]) -> None:
        """Commits the turn once. Committed before with other content (a fork, an edit), it becomes a revision."""
        whole = turn_messages(messages, mark)
        if whole is None:
            self._guard.run("commit", lambda: self._commit_staged(mark, messages), None)
            return
        self.finish(ended_turn(mark.owner, mark.turn_id, whole))

    def finish(self, ended: Ended) -> None:
        """Commits a whole turn; one that the store refuses waits for another try."""
        try:
            self._guard.run("commit", lambda: self._commit(ended), None)
        finally:
            self.flush()

    def flush(self) -> int:
        """Tries turns again whose commit failed; returns how many went in. Stops at the first that fails again."""
        done = 0
        while True:
            with self._lock:
                if not self._waiting:
                    return done
                ended = self._waiting.popleft()
            try:
                self._write(ended)
            except Exception:  # noqa: BLE001 - it was logged and counted when it failed first; it waits on
                with self._lock:
                    self._waiting.appendleft(ended)
                return done
            done += 1

    @property
    def waiting(self) -> int:
        """How many turns wait for another try."""
        return len(self._waiting)

    # -- inside the guard ----------------------------------------------------------------------------------------

    def _stage(
        self, mark: Mark, messages: Sequence[Message], calls: Sequence[ToolCall], *, sweep: bool = False
    ) -> None:
        owner = mark.owner
        given: dict[str, Any] = {"messages": messages, "tool_calls": calls, **owner.scopes()}
        try:
            if sweep:
                self._brain.open_turn(owner.session_id, turn_id=mark.turn_id, **owner.scopes())
            self._brain.stage(owner.session_id, mark.turn_id, **given)
        except NotFoundError:
            self._stage_late(mark, given)
        except ConflictError:
            return  # committed before: what comes now is a revision, made whole by the commit

    def _stage_late(self, mark: Mark, given: dict[str, Any]) -> None:
        """Opening failed, or another run of the session swept the turn: open it again, if it may be."""
        try:
            self._brain.open_turn(mark.owner.session_id, turn_id=mark.turn_id, sweep=False, **mark.owner.scopes())
            self._brain.stage(mark.owner.session_id, mark.turn_id, **given)
        except ConflictError:
            return

    def _commit(self, ended: Ended) -> None:
        try:
            self._write(ended)
        except Exception:
            with self._lock:
                self._waiting.append(ended)
            raise

    def _write(self, ended: Ended) -> None:
        events = {"messages": ended.messages, "tool_calls": ended.tool_calls}
        self._brain.commit_turn(ended.owner.session_id, events, turn_id=ended.turn_id, **ended.owner.scopes())
        # A commit keeps all that was staged. What was staged on a way not taken (a checkpoint gone back to) must not
        # stay: the state is the authority, and a second commit of the closed turn says exactly that.
        stored = self._stored(ended.owner, ended.turn_id)
        if stored is not None and [m.id for m in stored.messages] != [m.id for m in ended.messages]:
            self._brain.commit_turn(ended.owner.session_id, events, turn_id=ended.turn_id, **ended.owner.scopes())

    def _commit_staged(self, mark: Mark, messages: Sequence[BaseMessage]) -> None:
        """The state lost what the user said (it was summarised away): the turn is what was staged."""
        stored = self._stored(mark.owner, mark.turn_id)
        if stored is not None and stored.status != "aborted":
            rest = kept(messages)
            ended = ended_turn(mark.owner, mark.turn_id, rest)
            self._write(replace(ended, messages=(*_before(stored, ended.messages), *ended.messages)))
            return
        new = tail(messages)
        self._stage(mark, [to_neutral(m) for m in new], tool_records(new))
        self._brain.commit_turn(mark.owner.session_id, {}, turn_id=mark.turn_id, **mark.owner.scopes())

    def _stored(self, owner: Owner, turn_id: str) -> Turn | None:
        turns = self._brain.recall_history(owner.session_id, turn_ids=[turn_id], around=0, **owner.scopes())
        return next((t for t in turns if t.session_id == owner.session_id), None)


def _before(stored: Turn, rest: Sequence[Message]) -> list[Message]:
    """What a turn that was committed before said ahead of the messages that the state still holds."""
    held = {message.id for message in rest}
    first = next((place for place, message in enumerate(stored.messages) if message.id in held), None)
    return [m for place, m in enumerate(stored.messages) if (m.role == "user" if first is None else place < first)]
