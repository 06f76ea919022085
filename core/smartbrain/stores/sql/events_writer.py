"""Writing what was said: open turns with their staged records, and turns with the index of their messages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from smartbrain.errors import ConflictError, NotFoundError
from smartbrain.model import Scope, Turn, TurnStatus
from smartbrain.ports import OpenTurn, Staged
from smartbrain.stores.index import engine
from smartbrain.stores.indexing import Place, Placed, message_docs, message_terms
from smartbrain.stores.sql.connection import Row
from smartbrain.stores.sql.events_reader import EventsReader
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.values import message_from, micros, pack, pack_json, stamp, turn_payload
from smartbrain.stores.sql.vectors import VectorsWriter

_NEWEST = (
    "SELECT t.turn_pk, t.revision, t.status, t.first_ord, t.message_count, t.superseded_us FROM turns t"
    " WHERE t.scope_id = ? AND t.turn_id = ? AND t.session_pk = ? ORDER BY t.revision DESC LIMIT 1"
)
_PLACE_BEFORE = (
    "SELECT first_ord + message_count - 1, segment, segment_chars FROM turns WHERE scope_id = ? AND session_pk = ?"
    " AND seq < ? AND first_ord < ? AND message_count > 0 AND superseded_us IS NULL ORDER BY seq DESC LIMIT 1"
)
_INSERT_TURN = (
    "INSERT INTO turns (scope_id, session_pk, turn_id, revision, seq, status, occurred_us, occurred_offset,"
    " recorded_us, recorded_offset, superseded_us, superseded_offset, first_ord, message_count, segment,"
    " segment_chars, has_refs, payload, undone_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class EventsWriter(EventsReader, VectorsWriter):
    """The part of ``Writer`` that records what was said."""

    def open_turn(
        self, scope: Scope, session_id: str, turn_id: str, *, occurred_at: datetime, opened_at: datetime
    ) -> OpenTurn:
        with self._step():
            scope_id = self._made_scope(scope)
            newest = self._newest(scope_id, session_id, turn_id)
            if newest and newest[2] != "open":
                raise ConflictError(f"turn {turn_id!r} of session {session_id!r} was committed before")
            if self._open_pk(scope_id, session_id, turn_id) is None:
                self._db.run(
                    "INSERT INTO open_turns (scope_id, session_id, turn_id, opened_us, opened_offset, occurred_us,"
                    " occurred_offset) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (scope_id, session_id, turn_id, *stamp(opened_at), *stamp(occurred_at)),
                )
            row = self._db.one(
                "SELECT open_pk, session_id, turn_id, opened_us, opened_offset, occurred_us, occurred_offset"
                " FROM open_turns WHERE scope_id = ? AND session_id = ? AND turn_id = ?",
                (scope_id, session_id, turn_id),
            )
            return self._open_turn(scope_id, scope, row or ())

    def stage(self, scope: Scope, session_id: str, turn_id: str, records: Sequence[Staged]) -> int:
        with self._step():
            scope_id = self._made_scope(scope)
            open_pk = self._open_pk(scope_id, session_id, turn_id)
            if open_pk is None:
                raise NotFoundError(f"turn {turn_id!r} of session {session_id!r} is not open in {scope}")
            return sum(self._stage(scope_id, open_pk, record) for record in records)

    def _stage(self, scope_id: int, open_pk: int, record: Staged) -> bool:
        payload = pack_json(record.payload)
        known = self._db.run(
            "UPDATE staged SET kind = ?, payload = ? WHERE scope_id = ? AND open_pk = ? AND key = ?",
            (record.kind, payload, scope_id, open_pk, record.key),
        )
        if known.rowcount:
            return False
        self._db.run(
            "INSERT INTO staged (scope_id, open_pk, key, kind, payload) VALUES (?, ?, ?, ?, ?)",
            (scope_id, open_pk, record.key, record.kind, payload),
        )
        return True

    def close_open_turn(self, scope: Scope, session_id: str, turn_id: str) -> None:
        with self._step():
            scope_id = self._made_scope(scope)
            open_pk = self._open_pk(scope_id, session_id, turn_id)
            self._db.run("DELETE FROM staged WHERE scope_id = ? AND open_pk = ?", (scope_id, open_pk))
            self._db.run("DELETE FROM open_turns WHERE scope_id = ? AND open_pk = ?", (scope_id, open_pk))

    def _open_pk(self, scope_id: int, session_id: str, turn_id: str) -> int | None:
        row = self._db.one(
            "SELECT open_pk FROM open_turns WHERE scope_id = ? AND session_id = ? AND turn_id = ?",
            (scope_id, session_id, turn_id),
        )
        return row[0] if row else None

    def next_seq(self, scope: Scope, session_id: str) -> int:
        # The one statement that looks beyond a scope: numbers run through all scopes of a domain.
        row = self._db.one(
            "SELECT max(last_seq) FROM sessions WHERE domain = ? AND session_id = ?", (scope.domain, session_id)
        )
        return (row[0] if row and row[0] else 0) + 1

    def append_turn(self, turn: Turn) -> None:
        with self._step():
            scope_id = self._made_scope(turn.scope)
            session_pk = self._made_session(scope_id, turn.scope, turn.session_id)
            newest = self._newest(scope_id, turn.session_id, turn.turn_id)
            if newest and newest[1] >= turn.revision:
                raise ConflictError(
                    f"turn {turn.turn_id!r} of session {turn.session_id!r} has the revision {newest[1]} already"
                )
            if newest:
                self._supersede(scope_id, newest, turn.recorded_at)
            grown = counts(turn.status) - (counts(newest[2]) if newest else 0)
            self._insert_whole(scope_id, session_pk, turn, grown)

    def _insert_whole(self, scope_id: int, session_pk: int, turn: Turn, grown: int) -> None:
        """A turn with its messages and their index, by which the session has ``grown`` so many turns."""
        placed, first_ord = self._index_messages(scope_id, session_pk, turn)
        turn_pk = self._insert_turn(scope_id, session_pk, turn, placed.place, first_ord)
        self._db.many(
            "INSERT INTO messages (scope_id, ord, turn_pk, payload) VALUES (?, ?, ?, ?)",
            ((scope_id, ordinal, turn_pk, pack(message)) for ordinal, message in enumerate(turn.messages, first_ord)),
        )
        self._count(scope_id, session_pk, grown, turn.seq, placed.next_segment)

    def _supersede(self, scope_id: int, newest: Row, at: datetime) -> None:
        """Closes a revision: it stays to be read, and search finds it no more."""
        turn_pk, _, _, first_ord, count, superseded = newest
        if superseded is None:
            self._db.run(
                "UPDATE turns SET superseded_us = ?, superseded_offset = ? WHERE scope_id = ? AND turn_pk = ?",
                (*stamp(at), scope_id, turn_pk),
            )
        messages = self._db.all(
            "SELECT ord, payload FROM messages WHERE scope_id = ? AND ord >= ? AND ord < ?",
            (scope_id, first_ord, first_ord + count),
        )
        gone = {ordinal: list(message_terms(message_from(payload))) for ordinal, payload in messages}
        if gone:
            engine.remove(SqlRows(self._db, scope_id, "events"), gone)
            self._forget_vectors(scope_id, "events", gone)

    def _index_messages(self, scope_id: int, session_pk: int, turn: Turn) -> tuple[Placed, int]:
        """Indexes the messages; where the session stands then, and the ordinal of the first one."""
        rows = SqlRows(self._db, scope_id, "events")
        first_ord = rows.head().n_docs
        free = self._db.one("SELECT next_segment FROM scopes WHERE scope_id = ?", (scope_id,))
        placed = message_docs(
            turn.messages,
            turn.occurred_at,
            place=self._place_before(scope_id, session_pk, turn.seq, first_ord),
            first_ord=first_ord,
            next_segment=free[0] if free else 0,
            speaker=lambda name: self._speaker(scope_id, name),
        )
        engine.add(rows, placed.docs)
        if turn.superseded_at is not None and placed.docs:
            gone = {ordinal: list(doc.terms) for ordinal, doc in enumerate(placed.docs, first_ord)}
            engine.remove(rows, gone)
        return placed, first_ord

    def _place_before(self, scope_id: int, session_pk: int, seq: int, first_ord: int) -> Place:
        """Where the session stands before a turn whose messages begin at ``first_ord``."""
        row = self._db.one(_PLACE_BEFORE, (scope_id, session_pk, seq, first_ord))
        return Place(*row) if row else Place()

    def _speaker(self, scope_id: int, name: str) -> int:
        row = self._db.one("SELECT code FROM speakers WHERE scope_id = ? AND name = ?", (scope_id, name))
        if row:
            return int(row[0])
        last = self._db.one("SELECT max(code) FROM speakers WHERE scope_id = ?", (scope_id,))
        code = (last[0] if last and last[0] else 0) + 1
        self._db.run("INSERT INTO speakers (scope_id, code, name) VALUES (?, ?, ?)", (scope_id, code, name))
        return int(code)

    def _insert_turn(self, scope_id: int, session_pk: int, turn: Turn, place: Place, first_ord: int) -> int:
        superseded = stamp(turn.superseded_at) if turn.superseded_at else (None, None)
        times = (*stamp(turn.occurred_at), *stamp(turn.recorded_at), *superseded)
        made = self._db.run(
            _INSERT_TURN,
            (
                *(scope_id, session_pk, turn.turn_id, turn.revision, turn.seq, turn.status),
                *times,
                *(first_ord, len(turn.messages), place.segment, place.chars, int(bool(turn.refs))),
                turn_payload(turn),
                None if turn.undone_at is None else micros(turn.undone_at),
            ),
        )
        return int(made.lastrowid or 0)

    def set_turn_status(self, scope: Scope, session_id: str, turn_id: str, status: TurnStatus) -> None:
        with self._step():
            scope_id = self._made_scope(scope)
            newest = self._said_turn(scope_id, scope, session_id, turn_id)
            self._db.run(
                "UPDATE turns SET status = ? WHERE scope_id = ? AND turn_pk = ?", (status, scope_id, newest[0])
            )
            session_pk = self._made_session(scope_id, scope, session_id)
            self._count(scope_id, session_pk, counts(status) - counts(newest[2]), 0, 0)

    def mark_undone(self, scope: Scope, session_id: str, turn_id: str, at: datetime | None) -> None:
        with self._step():
            scope_id = self._made_scope(scope)
            newest = self._said_turn(scope_id, scope, session_id, turn_id)
            self._db.run(
                "UPDATE turns SET undone_us = ? WHERE scope_id = ? AND turn_pk = ?",
                (None if at is None else micros(at), scope_id, newest[0]),
            )

    def _said_turn(self, scope_id: int, scope: Scope, session_id: str, turn_id: str) -> Row:
        newest = self._newest(scope_id, session_id, turn_id)
        if not newest:
            raise NotFoundError(f"session {session_id!r} in {scope} has no turn {turn_id!r}")
        return newest

    def _newest(self, scope_id: int, session_id: str, turn_id: str) -> Row | None:
        return self._db.one(_NEWEST, (scope_id, turn_id, self._session_pk(scope_id, session_id)))

    def _count(self, scope_id: int, session_pk: int, turns: int, seq: int, next_segment: int) -> None:
        self._db.run(
            "UPDATE sessions SET turn_count = turn_count + ?, last_seq = max(last_seq, ?)"
            " WHERE scope_id = ? AND session_pk = ?",
            (turns, seq, scope_id, session_pk),
        )
        self._db.run(
            "UPDATE scopes SET turn_count = turn_count + ?, next_segment = max(next_segment, ?) WHERE scope_id = ?",
            (turns, next_segment, scope_id),
        )


def counts(status: str) -> int:
    """1 for a turn that is shown, 0 for one that is not."""
    return int(status != "open")
