"""Reading a scope as it was: the states that items had, and the spaces of search without what came later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from smartbrain.model import Scope
from smartbrain.ports import IndexedDoc, LexicalView, SpaceKind
from smartbrain.stores.index.engine import lookup
from smartbrain.stores.index.past import Past, past_of
from smartbrain.stores.indexing import Place as SessionPlace
from smartbrain.stores.indexing import item_doc, message_docs
from smartbrain.stores.sql.connection import Row
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.scoped import Scoped
from smartbrain.stores.sql.values import ITEM, as_it_stood, item_from, message_from, micros, moment

_ITEM_COLUMNS = ITEM.split(", ")
_STATES = (
    "SELECT s.ord, s.status, s.closed_from_us, s.payload, i.ord, "
    + ", ".join(f"i.{column}" for column in _ITEM_COLUMNS)
    + " FROM item_states s JOIN items i ON i.item_pk = s.item_pk AND i.scope_id = s.scope_id"
    " WHERE s.scope_id = ? AND s.until_us > ? ORDER BY s.state_pk"
)
_LATER_TURNS = (
    "SELECT t.first_ord, t.message_count FROM turns t WHERE t.scope_id = ? AND t.occurred_us > ?",
    "SELECT t.first_ord, t.message_count FROM turns t WHERE t.scope_id = ? AND t.revision > 1 AND t.recorded_us > ?",
)
_REPLACED_TURNS = (
    "SELECT t.first_ord, t.message_count, t.occurred_us, t.occurred_offset FROM turns t WHERE t.scope_id = ?"
    " AND t.superseded_us > ? AND t.occurred_us <= ? AND (t.revision = 1 OR t.recorded_us <= ?)"
)


class State(NamedTuple):
    """How an item stood: its row as it was, and the ordinals of the memory space that it got only later."""

    row: Row
    later: frozenset[int]


class PastReader(Scoped):
    """The part of ``Reader`` that knows how things were."""

    def _states(self, scope_id: int, then: int) -> Mapping[int, State]:
        """The items that stand otherwise today than they stood then (microseconds), by their keys."""
        kept = self._kept_states.get((scope_id, then))
        if kept is None:
            kept = {}
            for ord_, status, closed_from, payload, now, *row in self._db.all(_STATES, (scope_id, then)):
                known = kept.get(row[0])
                if known is None:  # the first state that still held then
                    stood = as_it_stood(tuple(row), ord_, status, closed_from, payload)
                    kept[row[0]] = State(stood, frozenset({now} - {ord_}))
                else:
                    kept[row[0]] = known._replace(later=known.later | ({ord_} - {known.row[1]}))
            self._kept_states[scope_id, then] = kept
        return kept

    def _then(self, scope_id: int, scope: Scope, kind: SpaceKind, as_of: datetime) -> Past:
        """A space as it was."""
        then = micros(as_of)
        kept = self._kept_pasts.get((scope_id, kind, then))
        if kept is None:
            view = lookup(SqlRows(self._db, scope_id, kind), (), self._cache)
            kept = (
                self._events_then(scope_id, view, then)
                if kind == "events"
                else self._items_then(scope_id, scope, view, then)
            )
            self._kept_pasts[scope_id, kind, then] = kept
        return kept

    def _events_then(self, scope_id: int, view: LexicalView, then: int) -> Past:
        hidden = {
            ord_
            for sql in _LATER_TURNS
            for first, count in self._db.all(sql, (scope_id, then))
            for ord_ in range(first, first + count)
        }
        restored = dict(self._replaced(scope_id, view, then))
        return past_of(view.columns, hidden, restored)

    def _replaced(self, scope_id: int, view: LexicalView, then: int) -> Iterator[tuple[int, IndexedDoc]]:
        """The messages of revisions that were replaced since, as they were indexed."""
        for first, count, *at in self._db.all(_REPLACED_TURNS, (scope_id, then, then, then)):
            for ord_, payload in self._db.all(
                "SELECT ord, payload FROM messages WHERE scope_id = ? AND ord >= ? AND ord < ?",
                (scope_id, first, first + count),
            ):
                speaker = int(view.columns.speaker[ord_])
                placed = message_docs(
                    [message_from(payload)],
                    moment(*at),
                    place=SessionPlace(),
                    first_ord=ord_,
                    next_segment=0,
                    speaker=lambda _, code=speaker: code,  # type: ignore[misc]
                )
                yield ord_, placed.docs[0]

    def _items_then(self, scope_id: int, scope: Scope, view: LexicalView, then: int) -> Past:
        states = self._states(scope_id, then)
        later = self._db.all("SELECT ord FROM items WHERE scope_id = ? AND occurred_us > ?", (scope_id, then))
        hidden = {ord_ for (ord_,) in later} | {ord_ for state in states.values() for ord_ in state.later}
        items = ((state.row[1], item_from(state.row, scope, ())) for state in states.values() if state.later)
        return past_of(view.columns, hidden, {ord_: item_doc(item, ord_) for ord_, item in items if ord_ not in hidden})
