"""The vectors of messages and items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from smartbrain.model import Scope
from smartbrain.ports import DocVectors, SpaceKind, VectorModel, VectorView
from smartbrain.stores.sql.connection import chunks, marks
from smartbrain.stores.sql.rows import SPACES, SqlRows
from smartbrain.stores.sql.scoped import Scoped, checked
from smartbrain.stores.sql.vector_rows import VectorHead, VectorRows
from smartbrain.stores.sql.writing import Writing
from smartbrain.stores.vectors import empty_view, encode

_CURRENT: dict[SpaceKind, str] = {
    "events": "FROM messages d JOIN turns t ON t.turn_pk = d.turn_pk AND t.scope_id = d.scope_id"
    " WHERE d.scope_id = ? AND t.superseded_us IS NULL",
    "memory": "FROM items d WHERE d.scope_id = ?",
}
_WITHOUT = (
    " AND d.ord >= ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.scope_id = d.scope_id AND v.space = ?"
    " AND v.number = ? AND v.ord = d.ord)"
)
_MODELS = (
    "SELECT s.model, s.dimension, count(v.ord) FROM vector_spaces s LEFT JOIN vectors v ON v.scope_id = s.scope_id"
    " AND v.space = s.space AND v.number = s.number WHERE s.scope_id = ? GROUP BY s.model, s.dimension"
)


class VectorsReader(Scoped):
    """The part of ``Reader`` that answers from vectors."""

    def _vectors_now(self, scope: Scope, kind: SpaceKind, model: VectorModel) -> VectorView:
        scope_id = self._scope_id(checked(scope))
        return empty_view(model.dimension) if scope_id is None else self._vector_rows(scope_id, kind).view(model)

    def without_vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, limit: int) -> list[int]:
        scope_id = self._scope_id(checked(scope))
        if scope_id is None:
            return []
        return self._without(scope_id, kind, self._vector_rows(scope_id, kind).head(model), limit)

    def vector_backlog(self, scopes: Sequence[Scope], model: VectorModel) -> int:
        count = 0
        for scope_id, _ in self._known(scopes):
            for kind in SPACES:
                head = self._vector_rows(scope_id, kind).head(model) or VectorHead(0)
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

    def _without(self, scope_id: int, kind: SpaceKind, head: VectorHead | None, limit: int) -> list[int]:
        head = head or VectorHead(0)
        rows = self._db.all(
            f"SELECT d.ord {_CURRENT[kind]}{_WITHOUT} ORDER BY d.ord LIMIT ?",
            (scope_id, head.done_to, SPACES[kind], head.number, max(limit, 0)),
        )
        return [row[0] for row in rows]

    def _vector_rows(self, scope_id: int, kind: SpaceKind) -> VectorRows:
        return VectorRows(self._db, self._vector_cache, scope_id, SPACES[kind])


class VectorsWriter(VectorsReader, Writing):
    """The part of ``Writer`` that keeps vectors."""

    def put_vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, docs: Sequence[DocVectors]) -> int:
        blocks = [(doc.ord, doc.language, encode(doc, model)) for doc in docs]
        with self._step():
            scope_id = self._made_scope(scope)
            rows = self._vector_rows(scope_id, kind)
            head = rows.head(model) or rows.new_head()
            # Nearly always all of them are documents without vectors: those stand, and there is nothing to replace.
            missing = self._without(scope_id, kind, head, len(blocks) + 1)
            others = {ord_ for ord_, _, _ in blocks}.difference(missing)
            standing = self._current(scope_id, kind, sorted(others)).union(missing)
            there = [block for block in blocks if block[0] in standing]
            after = rows.add(head, there, others)
            added = {ord_ for ord_, _, _ in there}
            left = next((ord_ for ord_ in missing if ord_ not in added), None)
            done_to = SqlRows(self._db, scope_id, kind).head().n_docs if left is None else left
            rows.put_head(model, after._replace(done_to=done_to))
        return len(there)

    def _current(self, scope_id: int, kind: SpaceKind, ords: Sequence[int]) -> set[int]:
        """Those of some ordinals under which a document still stands."""
        asked = ((part, f"SELECT d.ord {_CURRENT[kind]} AND d.ord IN ({marks(part)})") for part in chunks(ords))
        return {row[0] for part, sql in asked for row in self._db.all(sql, (scope_id, *part))}

    def drop_vectors(self, scope: Scope, *, keep: VectorModel) -> int:
        with self._step():
            scope_id = self._made_scope(scope)
            dropped = set()
            for space, model, dimension, number in self._db.all(
                "SELECT space, model, dimension, number FROM vector_spaces WHERE scope_id = ?", (scope_id,)
            ):
                if (model, dimension) != (keep.name, keep.dimension):
                    VectorRows(self._db, self._vector_cache, scope_id, space).clear(number)
                    dropped.add((model, dimension))
            return len(dropped)

    def _clear_all_vectors(self, scope_id: int, kind: SpaceKind) -> None:
        self._vector_rows(scope_id, kind).clear()

    def _forget_vectors(self, scope_id: int, kind: SpaceKind, ords: Collection[int]) -> None:
        """Takes out the vectors of documents that are no more."""
        self._vector_rows(scope_id, kind).forget(ords)
