"""The store on a PostgreSQL server, shared by threads, processes and machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreError, StoreOpenError
from smartbrain.model import Scope
from smartbrain.ports import Reader, Writer
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.postgres.connection import PostgresConnection, WritingConnection, translated_error
from smartbrain.stores.postgres.migrate import Migration, shipped
from smartbrain.stores.postgres.opening import prepare
from smartbrain.stores.postgres.pool import ServerPool
from smartbrain.stores.sql.forgetting import ERASURES, SCRUB_DUE, TABLES
from smartbrain.stores.sql.reader import SqlReader
from smartbrain.stores.sql.writer import SqlWriter
from smartbrain.stores.vectors import VectorCache

_CACHE_BYTES = 64 << 20
_HOLDS = " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} h WHERE h.domain = c.domain AND h.scope_id = c.scope_id)"
    for table in ("turns", "open_turns", "items", "summaries", "contexts", "verdicts")
)
_SCOPES = f"SELECT c.domain, c.type, c.id FROM scopes c WHERE ({_HOLDS})"
_CLEANED = ", ".join((*TABLES, "index_heads", "index_postings", "index_columns", "index_tail", "scopes", "tenants"))
# The server passes over what a role may not clean, without an error.
_MAY_CLEAN = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'messages'::regclass"
_UNCLEAN = "what was deleted is still in the tables until the next VACUUM"
_META = "SELECT value FROM meta WHERE name = ?"


class PostgresStorage:
    """A store in the database that ``url`` leads to, in the schema that comes first in its search path.

    The tables are made if they are not there. Raises StoreOpenError and StoreVersionError.

    Reads never wait. Writes for different tenants (domains) go side by side; those for one tenant go one after the
    other and wait up to ``policy.busy_timeout_ms``. A write that goes to several tenants holds the row of each, and
    may be given up with StoreBusyError when two such writes meet crosswise.
    """

    def __init__(self, url: str, policy: StorePolicy | None = None, steps: Sequence[Migration] | None = None) -> None:
        policy = policy or StorePolicy()
        prepare(url, policy, shipped() if steps is None else steps)
        self._policy = policy
        self._cache = ColumnCache(_CACHE_BYTES)
        self._vectors = VectorCache(policy.vector_cache_mb << 20)
        self._pool = ServerPool(url, policy)
        try:
            self._follow_analyzer()
            self._finish_scrub()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """See ``Storage.read``; the reader is of no use after the block."""
        with self._pool.reading() as connection:
            reader = SqlReader(connection, self._cache, self._vectors)
            try:
                yield reader
            finally:
                reader.end()

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """See ``Storage.write``; the writer is of no use after the block."""
        with self._pool.writing() as connection:
            writer = SqlWriter(connection, self._cache, self._vectors)
            try:
                yield writer
            finally:
                writer.end()

    def scopes(self, domain: str | None = None) -> list[Scope]:
        """See ``Storage.scopes``; in order. With row-level security only a domain's own can be asked for."""
        with self._pool.reading() as connection:
            return _scopes(connection, domain)

    def erasures(self) -> int:
        """See ``Storage.erasures``."""
        with self._pool.reading() as connection:
            row = connection.one(_META, (ERASURES,))
            return int(row[0]) if row else 0

    def scrub(self) -> str:
        """See ``Storage.scrub``. ``VACUUM`` takes the deleted rows out of tables and indexes, while others work.

        Pieces of them may stand in the free space of a page until it is written to, and in the server's log and
        backups until those are let go: see docs/postgres.md.
        """
        self._cache.clear()
        self._vectors.clear()
        try:
            with self._pool.reading() as connection:
                if connection.one(_META, (SCRUB_DUE,)) is None:
                    return ""
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

    def close(self) -> None:
        """See ``Storage.close``; a block that is open may end."""
        self._pool.close()
        self._cache.clear()
        self._vectors.clear()

    def _finish_scrub(self) -> None:
        """What a crash left undone after something was forgotten."""
        with self._pool.reading() as connection:
            due = connection.one(_META, (SCRUB_DUE,)) is not None
        if due:
            self.scrub()

    def _follow_analyzer(self) -> None:
        """Indexes everything anew if its words were cut otherwise than they are cut now; scope by scope."""
        from smartbrain.text.terms import ANALYZER_ID

        with self._pool.reading() as connection:
            if connection.one(_META, ("analyzer",)) == (ANALYZER_ID,):
                return
            if self._policy.postgres.row_level_security:
                raise StoreOpenError(
                    "the search index is to be made anew for all tenants; open the store once as the owner of its"
                    " tables, without store.postgres.row_level_security"
                )
            scopes = _scopes(connection, None)
        for scope in scopes:
            with self._pool.writing() as writing:
                self._reindex(writing, scope)
        with self._pool.writing() as writing:
            writing.run(
                "INSERT INTO meta (name, value) VALUES ('analyzer', ?)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (ANALYZER_ID,),
            )

    def _reindex(self, connection: WritingConnection, scope: Scope) -> None:
        SqlWriter(connection, self._cache, self._vectors).reindex(scope)


def _scopes(connection: PostgresConnection, domain: str | None) -> list[Scope]:
    rows = connection.across(_SCOPES) if domain is None else connection.all(f"{_SCOPES} AND c.domain = ?", (domain,))
    return sorted(Scope(*row) for row in rows)
