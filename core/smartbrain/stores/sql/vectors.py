"""The vectors of messages and items: read as one matrix, written a row a document."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from smartbrain.model import Scope
from smartbrain.ports import DocVectors, SpaceKind, VectorModel, VectorView
from smartbrain.stores.sql.rows import SPACES, SqlRows
from smartbrain.stores.sql.scoped import Scoped, checked
from smartbrain.stores.sql.writing import Writing
from smartbrain.stores.vectors import KeptVectors, VectorBuffer, VectorRow, empty_view, encode, language_code

_CURRENT: dict[SpaceKind, str] = {
    "events": "FROM messages d JOIN turns t ON t.turn_pk = d.turn_pk AND t.scope_id = d.scope_id"
    " WHERE d.scope_id = ? AND t.superseded_us IS NULL",
    "memory": "FROM items d WHERE d.scope_id = ?",
}
_WITHOUT = (
    " AND d.ord >= ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.scope_id = d.scope_id AND v.space = ?"
    " AND v.number = ? AND v.ord = d.ord)"
)
_HEAD = (
    "SELECT number, last_seq, done_to, epoch FROM vector_spaces"
    " WHERE scope_id = ? AND space = ? AND model = ? AND dimension = ?"
)
_MODELS = (
    "SELECT s.model, s.dimension, count(v.ord) FROM vector_spaces s LEFT JOIN vectors v ON v.scope_id = s.scope_id"
    " AND v.space = s.space AND v.number = s.number WHERE s.scope_id = ? GROUP BY s.model, s.dimension"
)
_PUT_HEAD = (
    "INSERT INTO vector_spaces (scope_id, space, model, dimension, number, last_seq, done_to, epoch)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (scope_id, space, model, dimension) DO UPDATE"
    " SET number = excluded.number, last_seq = excluded.last_seq, done_to = excluded.done_to, epoch = excluded.epoch"
)
_ROWS = (
    "SELECT seq, ord, language, nonce, block FROM vectors"
    " WHERE scope_id = ? AND space = ? AND number = ? AND seq > ? ORDER BY seq"
)
_NONCE = "SELECT nonce FROM vectors WHERE scope_id = ? AND space = ? AND number = ? AND seq = ?"
_INSERT = (
    "INSERT INTO vectors (scope_id, space, number, seq, ord, language, nonce, block) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_FORGET = "DELETE FROM vectors WHERE scope_id = ? AND space = ? AND number = ? AND ord = ?"


class _Head(NamedTuple):
    number: int
    last_seq: int = 0
    done_to: int = 0
    epoch: int = 0


class VectorsReader(Scoped):
    """The part of ``Reader`` that answers from vectors."""

    def _vectors_now(self, scope: Scope, kind: SpaceKind, model: VectorModel) -> VectorView:
        scope_id = self._scope_id(checked(scope))
        head = None if scope_id is None else self._vector_head(scope_id, kind, model)
        if scope_id is None or head is None:
            return empty_view(model.dimension)
        key = (scope_id, SPACES[kind], head.number)
        while True:
            kept = self._vector_cache.get(key)
            if kept is None or not self._continues(kept, head, key):
                kept = None
            elif kept.seq == head.last_seq:
                return kept.view
            rows = [VectorRow(*row) for row in self._db.all(_ROWS, (*key, kept.seq if kept else 0))]
            with self._vector_cache.lock:
                if kept is not None and self._vector_cache.get(key) is not kept:
                    continue  # another thread added to the same matrix meanwhile
                buffer = kept.buffer if kept else VectorBuffer(model.dimension)
                seq, nonce = (rows[-1].seq, rows[-1].nonce) if rows else (0, 0)
                grown = KeptVectors(head.epoch, seq, nonce, buffer, buffer.append(rows))
                self._vector_cache.put(key, grown)
                return grown.view

    def _continues(self, kept: KeptVectors, head: _Head, key: tuple[int, int, int]) -> bool:
        """Whether this snapshot begins with what is kept: nothing was taken out, and its last row is the same one."""
        if kept.epoch != head.epoch or kept.seq > head.last_seq:
            return False
        return self._db.one(_NONCE, (*key, kept.seq)) == (kept.nonce,)

    def without_vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, limit: int) -> list[int]:
        scope_id = self._scope_id(checked(scope))
        return (
            [] if scope_id is None else self._without(scope_id, kind, self._vector_head(scope_id, kind, model), limit)
        )

    def vector_backlog(self, scopes: Sequence[Scope], model: VectorModel) -> int:
        count = 0
        for scope_id, _ in self._known(scopes):
            for kind in SPACES:
                head = self._vector_head(scope_id, kind, model) or _Head(0)
                row = self._db.one(
                    f"SELECT count(*) {_CURRENT[kind]}{_WITHOUT}",
                    (scope_id, head.done_to, SPACES[kind], head.number),
                )
                count += row[0] if row else 0
        return count

    def vector_models(self, scopes: Sequence[Scope]) -> dict[VectorModel, int]:
        found: Counter[VectorModel] = Counter()
        for scope_id, _ in self._known(scopes):
            for name, dimension, count in self._db.all(_MODELS, (scope_id,)):
                found[VectorModel(name, dimension)] += count
        return dict(sorted(found.items(), key=lambda entry: (entry[0].name, entry[0].dimension)))

    def _without(self, scope_id: int, kind: SpaceKind, head: _Head | None, limit: int) -> list[int]:
        head = head or _Head(0)
        rows = self._db.all(
            f"SELECT d.ord {_CURRENT[kind]}{_WITHOUT} ORDER BY d.ord LIMIT ?",
            (scope_id, head.done_to, SPACES[kind], head.number, max(limit, 0)),
        )
        return [row[0] for row in rows]

    def _vector_head(self, scope_id: int, kind: SpaceKind, model: VectorModel) -> _Head | None:
        row = self._db.one(_HEAD, (scope_id, SPACES[kind], model.name, model.dimension))
        return _Head(*row) if row else None


class VectorsWriter(VectorsReader, Writing):
    """The part of ``Writer`` that keeps vectors."""

    def put_vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, docs: Sequence[DocVectors]) -> int:
        blocks = [(doc, encode(doc, model)) for doc in docs]
        with self._step():
            scope_id = self._made_scope(scope)
            head = self._vector_head(scope_id, kind, model) or self._new_head(scope_id, kind)
            space, nonce = (scope_id, SPACES[kind], head.number), secrets.randbits(62) + 1
            seq, replaced = head.last_seq, 0
            for doc, block in blocks:
                if not self._db.one(f"SELECT 1 {_CURRENT[kind]} AND d.ord = ?", (scope_id, doc.ord)):
                    continue
                replaced += self._db.run(_FORGET, (*space, doc.ord)).rowcount
                seq += 1
                self._db.run(_INSERT, (*space, seq, doc.ord, language_code(doc.language), nonce, block))
            left = self._without(scope_id, kind, head, 1)
            done_to = left[0] if left else SqlRows(self._db, scope_id, kind).head().n_docs
            written, epoch = seq - head.last_seq, nonce if replaced else head.epoch
            self._db.run(
                _PUT_HEAD,
                (scope_id, SPACES[kind], model.name, model.dimension, head.number, seq, done_to, epoch),
            )
        return written

    def _new_head(self, scope_id: int, kind: SpaceKind) -> _Head:
        row = self._db.one(
            "SELECT max(number) FROM vector_spaces WHERE scope_id = ? AND space = ?", (scope_id, SPACES[kind])
        )
        return _Head((row[0] if row and row[0] else 0) + 1, epoch=secrets.randbits(62) + 1)

    def drop_vectors(self, scope: Scope, *, keep: VectorModel) -> int:
        with self._step():
            scope_id = self._made_scope(scope)
            dropped = set()
            for space, model, dimension, number in self._db.all(
                "SELECT space, model, dimension, number FROM vector_spaces WHERE scope_id = ?", (scope_id,)
            ):
                if (model, dimension) != (keep.name, keep.dimension):
                    self._clear_vectors(scope_id, space, number)
                    dropped.add((model, dimension))
            return len(dropped)

    def _clear_vectors(self, scope_id: int, space: int, number: int) -> None:
        for table in ("vectors", "vector_spaces"):
            self._db.run(
                f"DELETE FROM {table} WHERE scope_id = ? AND space = ? AND number = ?", (scope_id, space, number)
            )

    def _clear_all_vectors(self, scope_id: int, kind: SpaceKind) -> None:
        for number in self._vector_numbers(scope_id, kind):
            self._clear_vectors(scope_id, SPACES[kind], number)

    def _forget_vectors(self, scope_id: int, kind: SpaceKind, ords: Collection[int]) -> None:
        """Takes out the vectors of documents that are no more."""
        for number in self._vector_numbers(scope_id, kind):
            gone = sum(self._db.run(_FORGET, (scope_id, SPACES[kind], number, ord_)).rowcount for ord_ in ords)
            if gone:
                self._db.run(
                    "UPDATE vector_spaces SET epoch = ? WHERE scope_id = ? AND space = ? AND number = ?",
                    (secrets.randbits(62) + 1, scope_id, SPACES[kind], number),
                )

    def _vector_numbers(self, scope_id: int, kind: SpaceKind) -> list[int]:
        rows = self._db.all(
            "SELECT number FROM vector_spaces WHERE scope_id = ? AND space = ?", (scope_id, SPACES[kind])
        )
        return [row[0] for row in rows]
