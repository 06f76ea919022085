"""Writing what was made of the turns: items with their sources and links, verdicts, mentions, summaries, contexts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from smartbrain.errors import ConflictError, NotFoundError
from smartbrain.model import (
    Changes,
    ItemAmendment,
    ItemClosure,
    ItemSighting,
    MemoryItem,
    Mention,
    Scope,
    Source,
    Summary,
    Turn,
)
from smartbrain.ports import CommitRecord, ContextRecord
from smartbrain.stores.index import engine
from smartbrain.stores.indexing import item_doc, item_terms
from smartbrain.stores.sql.connection import Row
from smartbrain.stores.sql.memory_reader import MemoryReader
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.values import (
    ITEM,
    item_columns,
    item_from,
    micros,
    pack,
    pack_json,
    seen_by,
    source_columns,
    stamp,
)
from smartbrain.stores.sql.vectors import VectorsWriter

_INSERT_ITEM = (
    "INSERT INTO items (scope_id, ord, id, type, key, status, occurred_us, occurred_offset, recorded_us,"
    " recorded_offset, closed_from_us, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPDATE_ITEM = (
    "UPDATE items SET id = ?, type = ?, key = ?, status = ?, occurred_us = ?, occurred_offset = ?, recorded_us = ?,"
    " recorded_offset = ?, closed_from_us = ?, payload = ? WHERE scope_id = ? AND item_pk = ?"
)
_ITEM_OF_DOMAIN = (
    f"SELECT {', '.join('i.' + column for column in ITEM.split(', '))}, i.scope_id, c.type, c.id FROM items i"
    " JOIN scopes c ON c.scope_id = i.scope_id WHERE i.id = ? AND c.domain = ?"
)


class MemoryWriter(MemoryReader, VectorsWriter):
    """The part of ``Writer`` that records what was made of the turns."""

    def apply(self, changes: Changes, commit: CommitRecord) -> None:
        """See ``Writer.apply``. An item that is to change may stand in any scope of the commit's domain.

        Raises ConflictError for an id that exists or an item that was closed before, NotFoundError for an unknown one.
        """
        with self._step():
            for item in changes.inserts:
                self._insert_item(item)
            for sighting in changes.sightings:
                self._see(sighting, commit.scope)
            for closure in changes.closures:
                self._close(closure, commit)
            for amendment in changes.amendments:
                self._amend(amendment, commit.scope)
            self._keep_verdicts(changes, commit)

    def _insert_item(self, item: MemoryItem, place: int | None = None) -> int:
        """The key of a new item; it is indexed, unless it has its ``place`` in the index already."""
        scope_id = self._made_scope(item.scope)
        if self._db.one("SELECT 1 FROM items WHERE scope_id = ? AND id = ?", (scope_id, item.id)):
            raise ConflictError(f"the item {item.id!r} exists in {item.scope}")
        place = self._index_item(scope_id, item) if place is None else place
        item_pk = int(self._db.run(_INSERT_ITEM, (scope_id, place, *item_columns(item))).lastrowid or 0)
        for source in item.sources:
            self._add_source(scope_id, item_pk, source)
        return item_pk

    def _index_item(self, scope_id: int, item: MemoryItem) -> int:
        rows = SqlRows(self._db, scope_id, "memory")
        return engine.add(rows, [item_doc(item, rows.head().n_docs)])[0]

    def _add_source(self, scope_id: int, item_pk: int, source: Source) -> bool:
        """Whether it was new: the same turn, message and span is one source."""
        session_id, turn_id, message_id, start, end, payload = source_columns(source)
        place = (scope_id, item_pk, session_id, turn_id, message_id, start, end)
        if self._db.one(
            "SELECT 1 FROM item_sources WHERE scope_id = ? AND item_pk = ? AND session_id = ? AND turn_id = ?"
            " AND message_id IS ? AND span_start IS ? AND span_end IS ?",
            place,
        ):
            return False
        self._db.run(
            "INSERT INTO item_sources (scope_id, item_pk, session_id, turn_id, message_id, span_start, span_end,"
            " payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*place, payload),
        )
        return True

    def _see(self, sighting: ItemSighting, scope: Scope) -> None:
        scope_id, row, item = self._item(sighting.item_id, scope)
        new = self._add_source(scope_id, row[0], sighting.source)
        seen_at = max(item.last_seen_at, sighting.source.occurred_at)
        changed = item.model_copy(
            update={
                "seen": item.seen + new,
                "last_seen_at": seen_at,
                "confidence": sighting.confidence,
                "value": item.value if sighting.value is None else sighting.value,
                "text": item.text if sighting.text is None else sighting.text,
            }
        )
        other = (changed.value, changed.text, changed.confidence) != (item.value, item.text, item.confidence)
        if other or (not new and seen_at != item.last_seen_at):  # else the sources tell how it stood
            self._keep_state(scope_id, row, micros(sighting.source.occurred_at))
        self._rewrite(scope_id, row, item, changed)

    def _rewrite(self, scope_id: int, row: Row, item: MemoryItem, changed: MemoryItem) -> None:
        """Another state of an item; where its words are others, they are indexed anew."""
        self._update_item(scope_id, row[0], changed)
        if changed.text != item.text:
            engine.remove(SqlRows(self._db, scope_id, "memory"), {row[1]: list(item_terms(item))})
            self._forget_vectors(scope_id, "memory", [row[1]])
            ordinal = self._index_item(scope_id, changed)
            self._db.run("UPDATE items SET ord = ? WHERE scope_id = ? AND item_pk = ?", (ordinal, scope_id, row[0]))

    def _amend(self, amendment: ItemAmendment, scope: Scope) -> None:
        scope_id, row, item = self._item(amendment.item_id, scope)
        self._keep_state(scope_id, row, micros(amendment.at))
        update: dict[str, Any] = {"reason": amendment.reason}
        if amendment.reopen:
            update |= {"status": "active", "valid_to": None, "closed_at": None, "superseded_by": None}
        if amendment.without is not None:
            update |= self._discount(scope_id, row, item.scope, amendment.without, amendment.at)
        update |= {name: value for name in ("value", "text") if (value := getattr(amendment, name)) is not None}
        self._rewrite(scope_id, row, item, item.model_copy(update=update))

    def _discount(
        self, scope_id: int, row: Row, scope: Scope, turn: tuple[str, str], at: datetime
    ) -> Mapping[str, Any]:
        """Marks what a turn said of an item as undone; how often it was said without it."""
        for source_pk, payload in self._db.all(
            "SELECT source_pk, payload FROM item_sources WHERE scope_id = ? AND item_pk = ? AND session_id = ?"
            " AND turn_id = ?",
            (scope_id, row[0], *turn),
        ):
            marked = {**json.loads(payload), "undone_at": at.isoformat()}
            self._db.run(
                "UPDATE item_sources SET payload = ? WHERE scope_id = ? AND source_pk = ?",
                (pack_json(marked), scope_id, source_pk),
            )
        (item,) = self._with_sources([(scope_id, scope, row)])
        return seen_by(item.sources) if item.sources else {}

    def _keep_state(self, scope_id: int, row: Row, until: int) -> None:
        """Keeps how an item stood up to a moment; nothing, if it had not been said by then."""
        if until > row[6]:
            self._db.run(
                "INSERT INTO item_states (scope_id, item_pk, until_us, ord, status, closed_from_us, payload)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (scope_id, row[0], until, row[1], row[5], row[10], row[11]),
            )

    def _close(self, closure: ItemClosure, commit: CommitRecord) -> None:
        scope_id, row, item = self._item(closure.item_id, commit.scope)
        if item.status != "active" and not _ends_earlier(item, closure):
            raise ConflictError(f"the item {item.id!r} is {item.status} already")
        if item.reason is not None:  # of its own, which the reason of its end takes the place of
            self._keep_state(scope_id, row, micros(closure.valid_to))
        self._update_item(
            scope_id,
            row[0],
            item.model_copy(
                update={
                    "status": closure.status,
                    "valid_to": closure.valid_to,
                    "closed_at": commit.recorded_at,
                    "reason": closure.reason,
                    "superseded_by": closure.superseded_by,
                }
            ),
        )
        if closure.superseded_by is not None:
            scope_id, row, newer = self._item(closure.superseded_by, commit.scope)
            if item.id not in newer.supersedes:
                linked = newer.model_copy(update={"supersedes": (*newer.supersedes, item.id)})
                self._update_item(scope_id, row[0], linked)

    def _update_item(self, scope_id: int, item_pk: int, item: MemoryItem) -> None:
        self._made_scope(item.scope)
        self._db.run(_UPDATE_ITEM, (*item_columns(item), scope_id, item_pk))

    def _item(self, item_id: str, near: Scope) -> tuple[int, Row, MemoryItem]:
        """An item of the domain by its id, first in the scope ``near``. Its sources are left out."""
        rows = self._db.all(_ITEM_OF_DOMAIN, (item_id, near.domain))
        if not rows:
            raise NotFoundError(f"the domain {near.domain!r} has no item {item_id!r}")
        *row, scope_id, kind, name = min(rows, key=lambda found: (found[-2:] != near[1:], found[-3]))
        scope = Scope(near.domain, kind, name)
        return self._scope_id(scope) or scope_id, tuple(row), item_from(tuple(row), scope, ())

    def _keep_verdicts(self, changes: Changes, commit: CommitRecord) -> None:
        scope_id = self._made_scope(commit.scope)
        verdicts = [*commit.verdicts, *(verdict for verdict in changes.verdicts if verdict not in commit.verdicts)]
        origin = (commit.commit_id, commit.session_id, commit.turn_id, micros(commit.recorded_at))
        self._db.many(
            "INSERT INTO verdicts (scope_id, item_id, commit_id, session_id, turn_id, recorded_us, payload)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((scope_id, verdict.item_id, *origin, pack(verdict)) for verdict in verdicts),
        )

    def add_mentions(self, turn: Turn, mentions: Sequence[Mention]) -> None:
        """See ``Writer.add_mentions``. Raises NotFoundError when this revision of the turn is not stored."""
        with self._step():
            scope_id = self._made_scope(turn.scope)
            found = self._db.one(
                "SELECT turn_pk, occurred_us FROM turns WHERE scope_id = ? AND turn_id = ? AND session_pk = ?"
                " AND revision = ?",
                (scope_id, turn.turn_id, self._session_pk(scope_id, turn.session_id), turn.revision),
            )
            if not found:
                raise NotFoundError(f"turn {turn.turn_id!r} is not stored with the revision {turn.revision}")
            places = {message.id: index for index, message in enumerate(turn.messages) if message.id}
            for mention in dict.fromkeys((m.key, m.surface, m.message_id) for m in mentions):
                self._add_mention(scope_id, found, mention, places.get(mention[2] or ""))

    def _add_mention(self, scope_id: int, turn: Row, mention: tuple[str, str, str | None], index: int | None) -> None:
        turn_pk, occurred_us = turn
        if self._db.one(
            "SELECT 1 FROM mentions WHERE scope_id = ? AND turn_pk = ? AND key = ? AND surface = ? AND message_id IS ?",
            (scope_id, turn_pk, *mention),
        ):
            return
        self._db.run(
            "INSERT INTO mentions (scope_id, turn_pk, key, surface, message_id, message_index, occurred_us)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (scope_id, turn_pk, *mention, index, occurred_us),
        )

    def put_summary(self, summary: Summary) -> None:
        with self._step():
            scope_id = self._made_scope(summary.scope)
            place = (scope_id, summary.session_id, summary.version)
            if self._db.one("SELECT 1 FROM summaries WHERE scope_id = ? AND session_id = ? AND version = ?", place):
                raise ConflictError(
                    f"the summary of session {summary.session_id!r} has the version {summary.version} already"
                )
            self._db.run(
                "INSERT INTO summaries (scope_id, session_id, version, generated_us, payload) VALUES (?, ?, ?, ?, ?)",
                (*place, micros(summary.generated_at), pack(summary, {"scope"})),
            )

    def put_context(self, record: ContextRecord, keep: int) -> None:
        """See ``Writer.put_context``. The generation stays: a stored context changes no answer."""
        with self._step():
            scope_id = self._made_scope(record.scope, grows=False)
            payload = record.packed or pack_json(
                {"request": record.request, "plan": record.plan, "package": record.package}
            )
            self._db.run("DELETE FROM contexts WHERE scope_id = ? AND context_id = ?", (scope_id, record.context_id))
            self._db.run(
                "INSERT INTO contexts (scope_id, context_id, domain, session_id, created_us, created_offset, payload)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    scope_id,
                    record.context_id,
                    record.scope.domain,
                    record.session_id,
                    *stamp(record.created_at),
                    payload,
                ),
            )
            # The limit is one for the whole domain, so this looks beyond the scope.
            self._db.run(
                "DELETE FROM contexts WHERE domain = ? AND context_pk IN (SELECT context_pk FROM contexts"
                " WHERE domain = ? ORDER BY created_us DESC, context_pk DESC LIMIT -1 OFFSET ?)",
                (record.scope.domain, record.scope.domain, max(keep, 0)),
            )


def _ends_earlier(item: MemoryItem, closure: ItemClosure) -> bool:
    """Whether a value that was said late takes its place before the one that replaced the item so far."""
    replaced = item.status == closure.status == "superseded"
    return replaced and item.valid_to is not None and closure.valid_to < item.valid_to
