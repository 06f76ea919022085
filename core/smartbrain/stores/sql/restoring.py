"""Writing records as they were in the store they come from."""

from __future__ import annotations

from smartbrain.errors import ConflictError
from smartbrain.ports import Staged
from smartbrain.records import ItemRecord, OpenTurnRecord, Record, SummaryRecord, TurnRecord, described, encode
from smartbrain.stores.index import engine
from smartbrain.stores.indexing import item_terms
from smartbrain.stores.sql.events_writer import EventsWriter, counts
from smartbrain.stores.sql.memory_writer import MemoryWriter
from smartbrain.stores.sql.records import RecordsReader
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.values import item_columns, micros, pack


class Restoring(RecordsReader, EventsWriter, MemoryWriter):
    """The part of ``Writer`` that takes in what another store held."""

    def restore(self, record: Record) -> bool:
        """See ``Writer.restore``. Links between records are taken as they are: what they name comes with another
        record."""
        there = self.stored(record.scope, record.name)
        if there is not None:
            if encode(there) == encode(record):
                return False
            raise ConflictError(f"{described(record)} is here already, with other content")
        with self._step():
            if isinstance(record, TurnRecord):
                self._restore_turn(record)
            elif isinstance(record, ItemRecord):
                self._restore_item(record)
            elif isinstance(record, SummaryRecord):
                self.put_summary(record.summary)
            else:
                self._restore_open_turn(record)
        return True

    def _restore_turn(self, record: TurnRecord) -> None:
        turn = record.turn
        scope_id = self._made_scope(turn.scope)
        session_pk = self._made_session(scope_id, turn.scope, turn.session_id)
        # A turn counts once, by its current revision.
        self._insert_whole(scope_id, session_pk, turn, counts(turn.status) if turn.superseded_at is None else 0)
        self.add_mentions(turn, record.mentions)
        origin = (turn.session_id, turn.turn_id)
        self._db.many(
            "INSERT INTO verdicts (scope_id, item_id, commit_id, session_id, turn_id, recorded_us, payload)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (scope_id, v.verdict.item_id, v.commit_id, *origin, micros(v.recorded_at), pack(v.verdict))
                for v in record.verdicts
            ),
        )

    def _restore_item(self, record: ItemRecord) -> None:
        """The item after how it stood before; the words of an earlier state have a place in the index, and are not
        found there today."""
        scope_id = self._made_scope(record.scope)
        words = [state.item for state in record.states] + [record.item]
        places: list[int] = []
        for at, item in enumerate(words):
            known = at > 0 and words[at - 1].text == item.text
            places.append(places[-1] if known else self._index_item(scope_id, item))
            if at > 0 and not known:
                gone = {places[at - 1]: list(item_terms(words[at - 1]))}
                engine.remove(SqlRows(self._db, scope_id, "memory"), gone)
        item_pk = self._insert_item(record.item, places[-1])
        for state, place in zip(record.states, places, strict=False):
            row = (item_pk, place, *item_columns(state.item))
            self._keep_state(scope_id, row, micros(state.until))

    def _restore_open_turn(self, record: OpenTurnRecord) -> None:
        place = (record.scope, record.session_id, record.turn_id)
        self.open_turn(*place, occurred_at=record.occurred_at, opened_at=record.opened_at)
        self.stage(*place, [Staged(part.key, part.kind, part.payload) for part in record.staged])
