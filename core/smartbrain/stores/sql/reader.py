"""One snapshot of a store, as ``smartbrain.ports.Reader`` describes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from smartbrain.model import Scope
from smartbrain.ports import LexicalView, SpaceKind, VectorModel, VectorView
from smartbrain.stores.index.engine import lookup, open_space
from smartbrain.stores.sql.records import RecordsReader
from smartbrain.stores.sql.rows import SqlRows
from smartbrain.stores.sql.scoped import checked
from smartbrain.stores.sql.tracing import Tracing
from smartbrain.stores.sql.vectors import VectorsReader

_NO_SCOPE = 0  # never a scope_id, so its space is empty


class SqlReader(RecordsReader, VectorsReader, Tracing):
    """Every method names the scopes it may see, and each of its statements filters by ``scope_id``."""

    def lexical(
        self, scope: Scope, kind: SpaceKind, terms: Sequence[str], as_of: datetime | None = None
    ) -> LexicalView:
        scope_id = self._scope_id(checked(scope))
        if scope_id is None:
            return lookup(SqlRows(self._db, _NO_SCOPE, kind), terms)
        view = self._lookup(scope_id, kind, terms)
        return view if as_of is None else self._then(scope_id, scope, kind, as_of).lexical(view)

    def _lookup(self, scope_id: int, kind: SpaceKind, terms: Sequence[str]) -> LexicalView:
        """A question looks into a space some five times: what is the same for all is read once a snapshot."""
        rows = SqlRows(self._db, scope_id, kind)
        space = self._kept_spaces.get((scope_id, kind))
        if space is None:
            space = open_space(rows, self._cache)
            if self._steady:
                self._kept_spaces[scope_id, kind] = space
        return lookup(rows, terms, self._cache, space)

    def vectors(self, scope: Scope, kind: SpaceKind, model: VectorModel, as_of: datetime | None = None) -> VectorView:
        view = self._vectors_now(scope, kind, model)
        scope_id = self._scope_id(scope)
        if as_of is None or scope_id is None:
            return view
        return self._then(scope_id, scope, kind, as_of).vectors(view)

    def speakers(self, scope: Scope, as_of: datetime | None = None) -> Mapping[int, str]:
        found = self._speakers_now(scope)
        if as_of is None:
            return found
        spoken = set(self.lexical(scope, "events", (), as_of).columns.speaker.tolist())
        return {code: name for code, name in found.items() if code in spoken}

    def generation(self, scopes: Sequence[Scope]) -> int:
        rows = (
            self._db.one("SELECT generation FROM scopes WHERE scope_id = ?", (scope_id,))
            for scope_id, _ in self._known(scopes)
        )
        return sum(row[0] for row in rows if row)
