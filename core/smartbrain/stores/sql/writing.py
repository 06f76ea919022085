"""What every writer needs: atomic steps, scopes that are made when first written to, and their counters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from smartbrain.errors import StoreError
from smartbrain.model import Scope
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.items import ItemCache
from smartbrain.stores.sql.connection import Connection
from smartbrain.stores.sql.scoped import Scoped, checked
from smartbrain.stores.vectors import VectorCache


class Writing(Scoped):
    """The base of the writer's parts."""

    _steady = False

    def __init__(
        self, connection: Connection, cache: ColumnCache, vector_cache: VectorCache, item_cache: ItemCache
    ) -> None:
        super().__init__(connection, cache, vector_cache, item_cache)
        self._grown: set[int] = set()
        self._torn = False

    @property
    def _db(self) -> Connection:
        if self._torn or self._connection is None:  # asked some forty times in a commit
            self.check_whole()
            return super()._db
        return self._connection

    def check_whole(self) -> None:
        """Raises StoreError when half a step could not be taken back: committed, it would stay half done for good."""
        if self._torn:
            raise StoreError("nothing of this transaction was kept, because a statement in it failed; begin it anew")

    @contextmanager
    def _step(self) -> Iterator[None]:
        """All of the block or nothing, also when the caller catches the error and commits the rest."""
        self._db.run("SAVEPOINT step")
        try:
            yield
        except BaseException:
            self._scope_ids.clear()
            self._session_pks.clear()
            self._grown.clear()
            connection, self._torn = super()._db, True
            # On a full disk the database took back the whole transaction, and there is no step any more. What is told
            # is the full disk; whoever goes on in this transaction is refused.
            with suppress(StoreError):
                connection.run("ROLLBACK TO step")
                connection.run("RELEASE step")
                self._torn = False
            raise
        self._db.run("RELEASE step")

    def _made_scope(self, scope: Scope, *, grows: bool = True) -> int:
        """The number of a scope, new or not; its generation ``grows`` once with this transaction."""
        scope = checked(scope)
        scope_id = self._scope_id(scope)
        self._kept_states.clear()  # what is written now may change how things were
        self._kept_pasts.clear()
        if scope_id is None:
            made = self._db.run("INSERT INTO scopes (domain, type, id) VALUES (?, ?, ?)", scope)
            scope_id = self._scope_ids[scope] = self._db.scope_key(made.lastrowid or 0, scope)
        if grows and scope_id not in self._grown:
            self._db.run("UPDATE scopes SET generation = generation + 1 WHERE scope_id = ?", (scope_id,))
            self._grown.add(scope_id)
        return scope_id

    def _made_session(self, scope_id: int, scope: Scope, session_id: str) -> int:
        session_pk = self._session_pk(scope_id, session_id)
        if session_pk is None:
            made = self._db.run(
                "INSERT INTO sessions (scope_id, session_id, domain) VALUES (?, ?, ?)",
                (scope_id, session_id, scope.domain),
            )
            session_pk = self._session_pks[scope_id, session_id] = int(made.lastrowid or 0)
        return session_pk
