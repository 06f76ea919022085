"""Cutting and indexing the words of a whole scope anew, in batches; every document keeps its ordinal."""

from __future__ import annotations

from smartbrain.model import Scope
from smartbrain.ports import IndexedDoc, SpaceKind
from smartbrain.stores.index import engine
from smartbrain.stores.indexing import deleted_doc, item_doc, message_docs
from smartbrain.stores.sql.connection import Connection, Row
from smartbrain.stores.sql.events_writer import EventsWriter
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.values import ITEM, item_from, message_from, moment

_BATCH = 1024  # documents in memory at once
_TURNS = (
    "SELECT first_ord, message_count, turn_pk, session_pk, seq, occurred_us, occurred_offset, superseded_us"
    " FROM turns WHERE scope_id = ? AND message_count > 0"
)
_ITEMS = f"SELECT {ITEM} FROM items WHERE scope_id = ? AND ord >= ? ORDER BY ord LIMIT ?"


class _Space:
    """A space that is filled from the ordinal 0; what has no document leaves a place that is never found."""

    def __init__(self, connection: Connection, scope_id: int, kind: SpaceKind) -> None:
        self._rows = SqlRows(connection, scope_id, kind)
        self._rows.clear()
        self._waiting: list[IndexedDoc] = []
        self.next = 0
        self.count = 0

    def put(self, ordinal: int, doc: IndexedDoc) -> None:
        """The document of the next ordinal that has one."""
        self.skip_to(ordinal)
        self._append(doc)
        self.count += 1

    def skip_to(self, ordinal: int) -> None:
        """Leaves the places before ``ordinal`` empty."""
        while self.next < ordinal:
            self._append(deleted_doc())

    def _append(self, doc: IndexedDoc) -> None:
        self._waiting.append(doc)
        self.next += 1
        if len(self._waiting) >= _BATCH:
            self.write()

    def write(self) -> None:
        """Hands over what waits."""
        engine.add(self._rows, self._waiting)
        self._waiting = []


class Reindexing(EventsWriter):
    """The part of ``Writer`` that makes the index anew from the messages and items."""

    def reindex(self, scope: Scope) -> int:
        """See ``Writer.reindex``. Ordinals stay; neighbours and segments are found anew."""
        with self._step():
            scope_id = self._made_scope(scope)
            return self._reindex_events(scope_id) + self._reindex_items(scope_id, scope)

    def _reindex_events(self, scope_id: int) -> int:
        space = _Space(self._db, scope_id, "events")
        segment = 0
        last = 0
        for row in sorted(self._db.all(_TURNS, (scope_id,))):
            last = max(last, row[0] + row[1])
            if row[7] is None:
                segment = self._reindex_turn(space, scope_id, row, segment)
        space.skip_to(last)
        space.write()
        self._db.run("UPDATE scopes SET next_segment = ? WHERE scope_id = ?", (segment, scope_id))
        return space.count

    def _reindex_turn(self, space: _Space, scope_id: int, row: Row, segment: int) -> int:
        """Indexes the messages of a turn; the next free segment."""
        first_ord, count, turn_pk, session_pk, seq, occurred_us, offset, _ = row
        messages = self._db.all(
            "SELECT ord, payload FROM messages WHERE scope_id = ? AND ord >= ? AND ord < ? ORDER BY ord",
            (scope_id, first_ord, first_ord + count),
        )
        place = self._place_before(scope_id, session_pk, seq, first_ord)
        # One by one, for a message that was forgotten leaves a gap.
        for ordinal, payload in messages:
            placed = message_docs(
                [message_from(payload)],
                moment(occurred_us, offset),
                place=place,
                first_ord=ordinal,
                next_segment=segment,
                speaker=lambda name: self._speaker(scope_id, name),
            )
            space.put(ordinal, placed.docs[0])
            place, segment = placed.place, placed.next_segment
        self._db.run(
            "UPDATE turns SET segment = ?, segment_chars = ? WHERE scope_id = ? AND turn_pk = ?",
            (place.segment, place.chars, scope_id, turn_pk),
        )
        return segment

    def _reindex_items(self, scope_id: int, scope: Scope) -> int:
        space = _Space(self._db, scope_id, "memory")
        while rows := self._db.all(_ITEMS, (scope_id, space.next, _BATCH)):
            for row in rows:
                space.put(row[1], item_doc(item_from(row, scope, ()), row[1]))
        space.write()
        return space.count
