"""Everything a store holds, read record by record in pages, so that a store of any size fits into little memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import get_args

from smartbrain.model import ItemStatus, Mention, Scope, Summary, Verdict
from smartbrain.ports import OpenTurn
from smartbrain.records import (
    GivenVerdict,
    ItemRecord,
    ItemState,
    Name,
    OpenTurnRecord,
    Record,
    StagedPart,
    SummaryRecord,
    TurnRecord,
)
from smartbrain.stores.sql.connection import Row
from smartbrain.stores.sql.events_reader import SESSION, EventsReader
from smartbrain.stores.sql.memory_reader import MemoryReader
from smartbrain.stores.sql.scoped import checked
from smartbrain.stores.sql.values import ITEM, TURN, as_it_stood, item_from, moment, turn_from

_PAGE = 128
_TURNS = f"SELECT {TURN} FROM turns t {SESSION} WHERE t.scope_id = ?"
_TURN_OF = f"{_TURNS} AND t.turn_pk = ?"
_ORDS_AFTER = "SELECT ord, turn_pk FROM messages WHERE scope_id = ? AND ord > ? ORDER BY ord LIMIT ?"
_SILENT_AFTER = (
    f"{_TURNS} AND (t.occurred_us, t.seq, t.turn_pk) > (?, ?, ?) AND NOT EXISTS (SELECT 1 FROM messages m"
    " WHERE m.scope_id = t.scope_id AND m.ord >= t.first_ord AND m.ord < t.first_ord + t.message_count)"
    " ORDER BY t.occurred_us, t.seq, t.turn_pk LIMIT ?"
)
_TURN = f"{_TURNS} AND t.turn_id = ? AND s.session_id = ? AND t.revision = ?"
_MESSAGES = "SELECT payload FROM messages WHERE scope_id = ? AND ord >= ? AND ord < ? ORDER BY ord"
_MENTIONS = "SELECT key, surface, message_id FROM mentions WHERE scope_id = ? AND turn_pk = ? ORDER BY mention_pk"
_VERDICTS = (
    "SELECT commit_id, recorded_us, payload FROM verdicts WHERE scope_id = ? AND turn_id = ? AND session_id = ?"
    " ORDER BY verdict_pk"
)
_ITEMS_AFTER = (
    f"SELECT {ITEM} FROM items WHERE scope_id = ? AND status = ? AND (occurred_us, recorded_us, item_pk) > (?, ?, ?)"
    " ORDER BY occurred_us, recorded_us, item_pk LIMIT ?"
)
_ITEM = f"SELECT {ITEM} FROM items WHERE scope_id = ? AND id = ?"
_STATES = (
    "SELECT until_us, ord, status, closed_from_us, payload FROM item_states WHERE scope_id = ? AND item_pk = ?"
    " ORDER BY state_pk"
)
_SUMMARIES_AFTER = (
    "SELECT session_id, version, payload FROM summaries WHERE scope_id = ? AND (session_id, version) > (?, ?)"
    " ORDER BY session_id, version LIMIT ?"
)
_SUMMARY = "SELECT payload FROM summaries WHERE scope_id = ? AND session_id = ? AND version = ?"


class RecordsReader(EventsReader, MemoryReader):
    """The part of ``Reader`` that gives whole records."""

    def records(self, scopes: Sequence[Scope] | None) -> Iterator[Record]:
        """See ``Reader.records``."""
        wanted = self._db.every_scope() if scopes is None else sorted({checked(scope) for scope in scopes})
        for scope in wanted:
            for scope_id, _ in self._known([scope]):
                yield from self._speaking_turns(scope_id, scope)
                yield from self._silent_turns(scope_id, scope)
                yield from self._all_items(scope_id, scope)
                yield from self._all_summaries(scope_id, scope)
                yield from (_opened(turn) for turn in self.open_turns([scope]))

    def stored(self, scope: Scope, name: Name) -> Record | None:
        """See ``Reader.stored``."""
        for scope_id, _ in self._known([scope]):
            if name[0] == "turn":
                _, session_id, turn_id, revision = name
                rows = self._db.all(_TURN, (scope_id, turn_id, session_id, revision))
                return next(self._turn_records(scope_id, scope, rows), None)
            if name[0] == "item":
                rows = self._db.all(_ITEM, (scope_id, str(name[1])))
                return next(self._item_records(scope_id, scope, rows), None)
            if name[0] == "summary":
                row = self._db.one(_SUMMARY, (scope_id, *name[1:]))
                return _summary(scope, row[0]) if row else None
            opened = self.open_turns([scope], str(name[1]))
            return next((_opened(turn) for turn in opened if turn.turn_id == name[2]), None)
        return None

    def _speaking_turns(self, scope_id: int, scope: Scope) -> Iterator[TurnRecord]:
        """Turns with messages, in the order of these in the index: so a search in the other store ranks as here."""
        last_ord = last_turn = -1
        while rows := self._db.all(_ORDS_AFTER, (scope_id, last_ord, _PAGE)):
            turns = [turn_pk for turn_pk in dict.fromkeys(pk for _, pk in rows) if turn_pk != last_turn]
            last_ord, last_turn = rows[-1]
            found = self._db.each(_TURN_OF, [(scope_id, turn_pk) for turn_pk in turns])
            yield from self._turn_records(scope_id, scope, [row for one in found for row in one])

    def _silent_turns(self, scope_id: int, scope: Scope) -> Iterator[TurnRecord]:
        """Turns without messages, by time."""
        last = (-(1 << 63), 0, 0)
        while rows := self._db.all(_SILENT_AFTER, (scope_id, *last, _PAGE)):
            yield from self._turn_records(scope_id, scope, rows)
            last = (rows[-1][6], rows[-1][3], rows[-1][0])

    def _turn_records(self, scope_id: int, scope: Scope, rows: Sequence[Row]) -> Iterator[TurnRecord]:
        messages = self._db.each(_MESSAGES, [(scope_id, row[12], row[12] + row[13]) for row in rows])
        mentions = self._db.each(_MENTIONS, [(scope_id, row[0]) for row in rows])
        verdicts = self._db.each(_VERDICTS, [(scope_id, row[2], row[1]) for row in rows])
        for row, said, named, given in zip(rows, messages, mentions, verdicts, strict=True):
            current = row[10] is None
            yield TurnRecord(
                turn=turn_from(row, scope, (payload for (payload,) in said)),
                mentions=tuple(Mention(key=key, surface=surface, message_id=name) for key, surface, name in named),
                verdicts=tuple(map(_given, given)) if current else (),
            )

    def _all_items(self, scope_id: int, scope: Scope) -> Iterator[ItemRecord]:
        """In the order in which ``items`` gives them; an index has that order for each status."""
        by_status = [self._items_of(scope_id, status) for status in get_args(ItemStatus)]
        rows = merge(*by_status, key=_item_place)
        while page := list(islice(rows, _PAGE)):
            yield from self._item_records(scope_id, scope, page)

    def _items_of(self, scope_id: int, status: str) -> Iterator[Row]:
        last = (-(1 << 63), 0, 0)
        while rows := self._db.all(_ITEMS_AFTER, (scope_id, status, *last, _PAGE)):
            yield from rows
            last = _item_place(rows[-1])

    def _item_records(self, scope_id: int, scope: Scope, rows: Sequence[Row]) -> Iterator[ItemRecord]:
        items = self._with_sources([(scope_id, scope, row) for row in rows])
        states = self._db.each(_STATES, [(scope_id, row[0]) for row in rows])
        for row, item, stood in zip(rows, items, states, strict=True):
            yield ItemRecord(item=item, states=tuple(_state(row, scope, state) for state in stood))

    def _all_summaries(self, scope_id: int, scope: Scope) -> Iterator[SummaryRecord]:
        last: tuple[str, int] = ("", 0)
        while rows := self._db.all(_SUMMARIES_AFTER, (scope_id, *last, _PAGE)):
            yield from (_summary(scope, payload) for _, _, payload in rows)
            last = rows[-1][:2]


def _item_place(row: Row) -> tuple[int, int, int]:
    return row[6], row[8], row[0]


def _given(row: Row) -> GivenVerdict:
    commit_id, recorded_us, payload = row
    verdict = Verdict.model_validate(json.loads(payload))
    return GivenVerdict(commit_id=commit_id, recorded_at=moment(recorded_us, 0), verdict=verdict)


def _state(row: Row, scope: Scope, state: Row) -> ItemState:
    until, *stood = state
    return ItemState(until=moment(until, 0), item=item_from(as_it_stood(row, *stood), scope, ()))


def _summary(scope: Scope, payload: str) -> SummaryRecord:
    return SummaryRecord(summary=Summary.model_validate({**json.loads(payload), "scope": scope}))


def _opened(turn: OpenTurn) -> OpenTurnRecord:
    return OpenTurnRecord(
        scope=turn.scope,
        session_id=turn.session_id,
        turn_id=turn.turn_id,
        opened_at=turn.opened_at,
        occurred_at=turn.occurred_at,
        staged=tuple(StagedPart(key=one.key, kind=one.kind, payload=dict(one.payload)) for one in turn.staged),
    )
