"""The store on a PostgreSQL server, shared by threads, processes and machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import psycopg

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreError, StoreOpenError
from smartbrain.model import Scope
from smartbrain.stores.postgres.connection import WritingConnection, translated_error
from smartbrain.stores.postgres.migrate import shipped
from smartbrain.stores.postgres.opening import prepare
from smartbrain.stores.postgres.pool import ServerPool
from smartbrain.stores.sql.forgetting import SCRUB_DUE, TABLES
from smartbrain.stores.sql.steps import Migration
from smartbrain.stores.sql.storage import SqlStorage
from smartbrain.stores.sql.writer import SqlWriter

_INDEX = ("index_heads", "index_postings", "index_columns", "index_tail", "index_moves")
_CLEANED = ", ".join((*TABLES, *_INDEX, "scopes", "tenants"))
# The server passes over what a role may not clean, without an error.
_MAY_CLEAN = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'messages'::regclass"
_UNCLEAN = "what was deleted is still in the tables until the next VACUUM"


class PostgresStorage(SqlStorage):
    """A store in the database that ``url`` leads to, in the schema that comes first in its search path.

    The tables are made if they are not there. Raises StoreOpenError and StoreVersionError.

    Reads never wait. Writes for different tenants (domains) go side by side; those for one tenant go one after the
    other and wait up to ``policy.busy_timeout_ms``. A write that goes to several tenants holds the row of each, and
    may be given up with StoreBusyError when two such writes meet crosswise.
    """

    _pool: ServerPool

    def __init__(self, url: str, policy: StorePolicy | None = None, steps: Sequence[Migration] | None = None) -> None:
        policy = policy or StorePolicy()
        prepare(url, policy, shipped() if steps is None else steps)
        super().__init__(policy.vector_cache_mb)
        self._policy = policy
        self._pool = ServerPool(url, policy)
        try:
            self._follow_analyzer()
            self._finish_scrub()
        except BaseException:
            self.close()
            raise

    def scopes(self, domain: str | None = None) -> list[Scope]:
        """See ``Storage.scopes``; in order. With row-level security only a domain's own can be asked for."""
        with self._pool.reading() as connection:
            return connection.scopes(domain)

    def scrub(self) -> str:
        """See ``Storage.scrub``. ``VACUUM`` takes the deleted rows out of tables and indexes, while others work.

        Pieces of them may stand in the free space of a page until it is written to, and in the server's log and
        backups until those are let go: see docs/postgres.md.
        """
        self._drop_caches()
        try:
            if self._meta(SCRUB_DUE) is None:
                return ""
            with self._pool.reading() as connection:
                if connection.across(_MAY_CLEAN) != [(True,)]:
                    return f"{_UNCLEAN}: this role does not own them, so autovacuum or their owner does it"
            with self._pool.alone() as raw:
                raw.execute(f"VACUUM {_CLEANED}".encode())
                raw.execute("DELETE FROM meta WHERE name = %s", [SCRUB_DUE])
        except psycopg.Error as error:
            return f"{_UNCLEAN}: {translated_error(error)}"
        except StoreError as error:
            return f"{_UNCLEAN}: {error}"
        return ""

    def backup(self, path: Path, on_progress: Callable[[int, int], None]) -> bool:  # noqa: ARG002 (nothing to copy)
        """See ``Storage.backup``; a server's files are its own."""
        return False

    def _finish_scrub(self) -> None:
        """What a crash left undone after something was forgotten."""
        if self._meta(SCRUB_DUE) is not None:
            self.scrub()

    def _follow_analyzer(self) -> None:
        """Indexes everything anew if its words were cut otherwise than they are cut now; scope by scope."""
        from smartbrain.text.terms import ANALYZER_ID

        if self._meta("analyzer") == ANALYZER_ID:
            return
        if self._policy.postgres.row_level_security:
            raise StoreOpenError(
                "the search index is to be made anew for all tenants; open the store once as the owner of its"
                " tables, without store.postgres.row_level_security"
            )
        for scope in self.scopes():
            with self._pool.writing() as writing:
                self._reindex(writing, scope)
        with self._pool.writing() as writing:
            writing.run(
                "INSERT INTO meta (name, value) VALUES ('analyzer', ?)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (ANALYZER_ID,),
            )

    def _reindex(self, connection: WritingConnection, scope: Scope) -> None:
        SqlWriter(connection, self._cache, self._vectors, self._items).reindex(scope)
