"""Turns that become known piece by piece, turns a model has not seen yet, and memory made anew from turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from smartbrain.contracts.results import CommitResult
from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.errors import PluginError
from smartbrain.model import Access, Message, Scope, ToolCall, TurnStatus
from smartbrain.ports import OpenTurn
from smartbrain.runtime.context import Workshop, filled
from smartbrain.runtime.writing import Incoming, WritePath, staged_records

MessageLike = Message | Mapping[str, Any]
_PENDING: tuple[TurnStatus, ...] = ("pending",)


class StagePath:
    """Opens, stages, sweeps and catches up."""

    def __init__(self, shop: Workshop, writing: WritePath) -> None:
        self._shop = shop
        self._writing = writing

    def open(
        self, session_id: str, *, access: Access, turn_id: str | None, occurred_at: datetime | None, sweep: bool
    ) -> OpenTurn:
        """Opens a turn; see ``SmartBrain.open_turn``."""
        filled(session_id, "session_id")
        turn_id = self._shop.new_id() if turn_id is None else filled(turn_id, "turn_id")
        if sweep:
            self.sweep(session_id, access=access, older_than=timedelta(0), but=turn_id)
        now = self._shop.clock.now()
        with self._shop.storage.write() as writer:
            return writer.open_turn(
                access.default_write, session_id, turn_id, occurred_at=occurred_at or now, opened_at=now
            )

    def stage(
        self,
        session_id: str,
        turn_id: str,
        *,
        access: Access,
        messages: Sequence[MessageLike],
        tool_calls: Sequence[ToolCall | Mapping[str, Any]],
    ) -> int:
        """Adds to an open turn; see ``SmartBrain.stage``."""
        records = staged_records(messages, tool_calls, turn_id, self._shop.config.policies.secrets)
        with self._shop.storage.write() as writer:
            return writer.stage(access.default_write, session_id, turn_id, records)

    def sweep(
        self, session_id: str | None, *, access: Access, older_than: timedelta, but: str | None = None
    ) -> list[CommitResult]:
        """Commits what was staged of abandoned turns, marked ``aborted``."""
        limit = self._shop.clock.now() - older_than
        with self._shop.storage.read() as reader:
            left = [
                t
                for t in reader.open_turns([access.default_write], session_id)
                if t.turn_id != but and t.opened_at <= limit
            ]
        results: list[CommitResult] = []
        for turn in left:
            incoming = Incoming(
                turn.session_id, turn.turn_id, access, TurnEvents(), (), turn.occurred_at, status="aborted"
            )
            results.append(self._writing.commit(incoming))
            self._shop.tracker.count("aborted_turns")
        return results

    def catch_up(self, limit: int | None) -> int:
        """Lets the extractor see pending turns of every scope; see ``SmartBrain.catch_up``."""
        done = 0
        for scope in self._shop.storage.scopes():
            with self._shop.storage.read() as reader:
                pending = reader.turns([scope], statuses=_PENDING)
            for turn in pending:
                if limit is not None and done >= limit:
                    return done
                try:
                    self._writing.finish(scope, turn.session_id, turn.turn_id)
                except PluginError:
                    self._shop.tracker.count("extractor_failures")
                else:
                    done += 1
        return done

    def rebuild(self, access: Access) -> int:
        """Memory anew from turns, one transaction a scope; see ``SmartBrain.rebuild``."""
        count = 0
        for scope in access.write:
            count += self._rebuild_scope(replace_access(access, scope))
        return count

    def _rebuild_scope(self, access: Access) -> int:
        scope = access.default_write
        with self._shop.storage.write() as writer:
            turns = sorted(writer.turns([scope]), key=lambda t: (t.recorded_at, t.seq))
            writer.clear_derived(scope)
            for turn in turns:
                self._writing.remember_again(writer, turn, access)
            self._shop.vectors.within(writer, [scope])
        self._shop.vectors.committed([scope])
        return len(turns)


def replace_access(access: Access, scope: Scope) -> Access:
    """The same access, writing to ``scope`` by default."""
    return access._replace(default_write=scope)
