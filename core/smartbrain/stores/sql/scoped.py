"""What every reader needs: the transaction's connection, and scopes as the numbers that each query filters by."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from smartbrain.errors import ClosedError, ScopeError
from smartbrain.model import Scope
from smartbrain.ports import EventDoc
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.index.engine import OpenSpace
from smartbrain.stores.items import ItemCache
from smartbrain.stores.sql.connection import Connection
from smartbrain.stores.sql.values import micros
from smartbrain.stores.vectors import VectorCache


class Scoped:
    """The base of readers and writers, alive as long as its transaction."""

    _steady = True
    """Whether nothing changes what is read as long as this lives."""

    def __init__(
        self, connection: Connection, cache: ColumnCache, vector_cache: VectorCache, item_cache: ItemCache
    ) -> None:
        self._connection: Connection | None = connection
        self._cache = cache
        self._vector_cache = vector_cache
        self._item_cache = item_cache
        self._scope_ids: dict[Scope, int] = {}
        self._session_pks: dict[tuple[int, str], int] = {}
        self._kept_states: dict[tuple[int, int], Any] = {}
        self._kept_pasts: dict[tuple[int, str, int], Any] = {}
        self._kept_spaces: dict[tuple[int, str], OpenSpace] = {}
        self._kept_docs: dict[int, dict[int, EventDoc]] = {}

    def end(self) -> None:
        """Cuts the reader off from its connection, which serves others from now on."""
        self._connection = None

    @property
    def _db(self) -> Connection:
        if self._connection is None:
            raise ClosedError("the block that gave this reader has ended")
        return self._connection

    def _known(self, scopes: Iterable[Scope]) -> list[tuple[int, Scope]]:
        """Number and scope of those that exist, each once. Raises ScopeError for what is no scope."""
        found = []
        for scope in dict.fromkeys(map(checked, scopes)):
            scope_id = self._scope_id(scope)
            if scope_id is not None:
                found.append((scope_id, scope))
        return found

    def _scope_id(self, scope: Scope) -> int | None:
        known = self._scope_ids.get(scope)
        if known is None:
            row = self._db.one("SELECT scope_id FROM scopes WHERE domain = ? AND type = ? AND id = ?", scope)
            if row:
                known = self._scope_ids[scope] = self._db.scope_key(row[0], scope)
        return known

    def _session_pk(self, scope_id: int, session_id: str) -> int | None:
        db, place = self._db, (scope_id, session_id)
        known = self._session_pks.get(place)
        if known is None:
            row = db.one("SELECT session_pk FROM sessions WHERE scope_id = ? AND session_id = ?", place)
            if row:
                known = self._session_pks[place] = row[0]
        return known


class Filter:
    """The conditions of a query beyond its scope, and their parameters."""

    def __init__(self) -> None:
        self.sql = ""
        self.params: list[Any] = []

    def add(self, condition: str, *params: Any) -> None:
        """One more condition that must hold."""
        self.sql += f" AND {condition}"
        self.params += params

    def current(self, as_of: datetime | None) -> None:
        """Of table ``t`` (turns): the newest revision, or the one that was the newest by then.

        A first revision counts from when it was said, so that imported history can be asked; a later one replaced
        it when it was recorded.
        """
        if as_of is None:
            self.add("t.superseded_us IS NULL")
            return
        then = micros(as_of)
        self.add("t.occurred_us <= ?", then)
        self.add("(t.superseded_us IS NULL OR t.superseded_us > ?)", then)
        self.add("(t.revision = 1 OR t.recorded_us <= ?)", then)


def checked(scope: Scope) -> Scope:
    """The scope; a malformed one is an error, because it must never widen a read."""
    if not (isinstance(scope, tuple) and len(scope) == 3):
        raise ScopeError(f"not a scope: {scope!r}")
    domain, type_, id_ = scope  # asked some fifteen times in a commit
    if not (isinstance(domain, str) and isinstance(type_, str) and isinstance(id_, str)):
        raise ScopeError(f"not a scope: {scope!r}")
    return scope if type(scope) is Scope else Scope(domain, type_, id_)
