"""How memory changed between two moments, and taking back what one commit did to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from smartbrain.contracts.history import MemoryChange, MemoryChanges, UndoResult
from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.errors import ConflictError, InputError, NotFoundError
from smartbrain.model import Access, MemoryItem, Turn, Verdict
from smartbrain.policies.changes import compare_views
from smartbrain.policies.undoing import Touched, UndoPlan, plan_undo
from smartbrain.ports import Reader, Writer
from smartbrain.runtime.context import Workshop, filled
from smartbrain.runtime.writing import WritePath

_MOMENT = timedelta(microseconds=1)
_UNDO = "undo:"


class HistoryPath:
    """Compares moments and undoes commits."""

    def __init__(self, shop: Workshop, writing: WritePath) -> None:
        self._shop = shop
        self._writing = writing

    # -- between two moments -------------------------------------------------------------------------------------

    def changes(self, access: Access, since: datetime, until: datetime | None, type: str | None) -> MemoryChanges:
        """See ``SmartBrain.changes``."""
        until = until or self._shop.clock.now()
        if until < since:
            raise InputError(f"until ({until.isoformat()}) is before since ({since.isoformat()}); swap them")
        with self._shop.read() as reader:
            before, after = (reader.items(access.read, type=type, as_of=moment) for moment in (since, until))
            changes = [_explained(reader, access, change, until) for change in compare_views(before, after)]
        return MemoryChanges(since=since, until=until, scopes=access.read, changes=tuple(changes))

    # -- undo ----------------------------------------------------------------------------------------------------

    def undo(self, access: Access, session_id: str, turn_id: str, reason: str | None) -> UndoResult:
        """See ``SmartBrain.undo``."""
        filled(session_id, "session_id")
        filled(turn_id, "turn_id")
        why = f"turn {turn_id} was undone" + (f": {filled(reason, 'reason')}" if reason is not None else "")
        name = f"{_UNDO}{self._shop.new_id()}"
        with self._shop.storage.write() as writer:
            turn = _undoable(writer, access, session_id, turn_id)
            plan = self._plan(writer, access, turn, why)
            moment = self._shop.clock.now()
            incoming = self._writing.incoming(
                session_id,
                TurnEvents(meta={"operations": plan.operations, "undoes": turn_id}),
                access=access._replace(default_write=turn.scope),
                turn_id=name,
                occurred_at=moment,
            )
            result = self._writing.commit_in(writer, incoming)
            writer.mark_undone(turn.scope, session_id, turn_id, moment)
            told = _told(writer, access, plan, turn, name, moment, result.explain.retention)
            self._summarize(writer, turn, told)
            self._shop.vectors.within(writer, access.write)
        self._shop.vectors.committed(access.write)
        return told

    def _summarize(self, writer: Writer, turn: Turn, told: UndoResult) -> None:
        """A summary that rests on what was taken back is made anew; a model's own goes with its next one."""
        summary = writer.summary([turn.scope], turn.session_id)
        undo = writer.turn([turn.scope], turn.session_id, told.undone_by)
        gone = {item.id for item in (*told.retracted, *told.unseen, *told.written)}
        if summary is not None and undo is not None and (gone & set(summary.item_ids) or turn.seq <= summary.turn_to):
            self._writing.summarize_anew(writer, undo, "undone")

    def _plan(self, reader: Reader, access: Access, turn: Turn, why: str) -> UndoPlan:
        place = (turn.session_id, turn.turn_id)
        verdicts = reader.turn_verdicts(access.read, *place)
        ids = {verdict.item_id for verdict in verdicts if verdict.item_id}
        slots = {(i.scope, i.type, i.key) for i in reader.items(access.read, ids=ids, status=None)} if ids else set()
        touched: list[Touched] = []
        for scope, kind, key in sorted(slots):
            now = reader.items([scope], type=kind, key=key, status=None)
            before, after = (
                {item.id: item for item in reader.items([scope], type=kind, key=key, status=None, as_of=moment)}
                for moment in (turn.occurred_at - _MOMENT, turn.occurred_at)
            )
            touched += [Touched(item, before.get(item.id), after.get(item.id)) for item in now]
        return plan_undo(place, touched, verdicts, types=self._shop.types, writable=access.write, reason=why)


def _undoable(reader: Reader, access: Access, session_id: str, turn_id: str) -> Turn:
    turn = reader.turn(access.write, session_id, turn_id)
    if turn is None:
        raise NotFoundError(f"no turn {turn_id!r} of session {session_id!r} in the scopes this call may write")
    if "undoes" in turn.meta:
        raise InputError(f"{turn_id} is an undo itself; commit what is meant again in a new turn")
    if turn.undone_at is not None:
        raise ConflictError(f"turn {turn_id} was undone at {turn.undone_at.isoformat()} already; nothing was changed")
    return turn


def _told(
    reader: Reader,
    access: Access,
    plan: UndoPlan,
    turn: Turn,
    name: str,
    moment: datetime,
    verdicts: Sequence[Verdict],
) -> UndoResult:
    ids = {verdict.item_id for verdict in verdicts if verdict.item_id}
    items = {item.id: item for item in reader.items(access.read, ids=ids, status=None)} if ids else {}

    def of(action: str) -> tuple[MemoryItem, ...]:
        return tuple(items[v.item_id] for v in verdicts if v.action == action and v.item_id in items)

    return UndoResult(
        session_id=turn.session_id,
        turn_id=turn.turn_id,
        undone_at=moment,
        undone_by=name,
        retracted=of("retracted"),
        restored=of("restored"),
        written=of("written"),
        unseen=of("unseen"),
        left=plan.left,
        verdicts=tuple(verdicts),
    )


def _explained(reader: Reader, access: Access, change: MemoryChange, until: datetime) -> MemoryChange:
    """With the reason and the decisions behind it."""
    involved = [item for item in (change.before, change.after) if item is not None]
    wanted: dict[str, Any] = {item.id: None for item in involved}
    verdicts = [verdict for item_id in wanted for verdict in reader.verdicts(access.read, item_id)]
    return change.model_copy(update={"verdicts": tuple(verdicts), "reason": _reason(reader, access, change, until)})


def _reason(reader: Reader, access: Access, change: MemoryChange, until: datetime) -> str:
    old, new = change.before, change.after
    if old is not None and (new is None or new.id != old.id):
        ended = next(iter(reader.items(access.read, ids=[old.id], status=None, as_of=until)), old)
        if ended.reason:
            return ended.reason
    if new is None:
        return ""
    said = f"said in turn {new.source_turn_id} of session {new.source_session_id}"
    if change.kind == "said_again":
        return f"{said}, and since then {new.seen} times in all"
    return new.reason or f"{said} ({new.rule})"
