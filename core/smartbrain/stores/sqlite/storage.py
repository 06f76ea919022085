"""The embedded store: one SQLite file, or one in memory, shared by threads and processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreBusyError
from smartbrain.model import Scope
from smartbrain.ports import Reader, Writer
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.sql.forgetting import ERASURES
from smartbrain.stores.sql.reader import SqlReader
from smartbrain.stores.sql.writer import SqlWriter
from smartbrain.stores.sqlite.connection import WRITER_CACHE, Connection, connect
from smartbrain.stores.sqlite.migrate import Migration, migrate, shipped
from smartbrain.stores.sqlite.opening import open_file
from smartbrain.stores.sqlite.pool import FilePool, MemoryPool, Pool
from smartbrain.stores.sqlite.scrubbing import scrub, scrub_due
from smartbrain.stores.vectors import VectorCache

_CACHE_BYTES = 64 << 20
_HOLDS = " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} h WHERE h.scope_id = c.scope_id)"
    for table in ("turns", "open_turns", "items", "summaries", "contexts", "verdicts")
)
_SCOPES = f"SELECT domain, type, id FROM scopes c WHERE ({_HOLDS})"


class SqliteStorage:
    """A store in the file ``path`` or, without a path, in memory until it is closed.

    The file is made if it is not there, its folder is not. A store whose index was cut by another version of
    ``smartbrain.text.terms`` is indexed anew when it is opened, in one transaction, which takes the longer the
    more it holds. Raises StoreOpenError, StoreVersionError and StoreBusyError.

    On a file reads never wait, and a write waits for other writers up to ``policy.busy_timeout_ms``. In memory
    whoever reads or writes has the store alone.
    """

    def __init__(
        self, path: Path | None, policy: StorePolicy | None = None, steps: Sequence[Migration] | None = None
    ) -> None:
        policy = policy or StorePolicy()
        steps = shipped() if steps is None else steps
        self._cache = ColumnCache(_CACHE_BYTES)
        self._vectors = VectorCache(policy.vector_cache_mb << 20)
        self._policy = policy
        self._pool: Pool
        if path is None:
            connection = connect(":memory:", policy, WRITER_CACHE)
            migrate(connection, policy, steps)
            self._pool = MemoryPool(connection, policy)
        else:
            path = path.absolute()
            self._pool = FilePool(path, policy, open_file(path, policy, steps))
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
        """See ``Storage.scopes``; in order."""
        with self._pool.reading() as connection:
            return _scopes(connection, domain)

    def erasures(self) -> int:
        """See ``Storage.erasures``."""
        with self._pool.reading() as connection:
            row = connection.one("SELECT value FROM meta WHERE name = ?", (ERASURES,))
            return int(row[0]) if row else 0

    def scrub(self) -> str:
        """See ``Storage.scrub``. Writes the whole file anew, so that it takes the longer the more the store holds;
        writers wait meanwhile, readers do not. A reader that stays longer than the busy timeout leaves it undone."""
        self._cache.clear()
        self._vectors.clear()
        try:
            with self._pool.alone() as connection:
                return scrub(connection, self._policy)
        except StoreBusyError as error:
            return f"the bytes are still in the store's files until it is opened again: {error}"

    def close(self) -> None:
        """See ``Storage.close``; a block that is open may end, and waits are over after the busy timeout."""
        self._pool.close()
        self._cache.clear()
        self._vectors.clear()

    def _finish_scrub(self) -> None:
        """What a crash left undone after something was forgotten; if others are busy, the next one to open does it."""
        with self._pool.reading() as connection:
            due = scrub_due(connection)
        if due:
            self.scrub()

    def _follow_analyzer(self) -> None:
        """Indexes everything anew if its words were cut otherwise than they are cut now."""
        from smartbrain.text.terms import ANALYZER_ID

        with self._pool.reading() as connection:
            if _analyzer(connection) == ANALYZER_ID:
                return
        with self._pool.writing() as connection:
            if _analyzer(connection) == ANALYZER_ID:
                return
            writer = SqlWriter(connection, self._cache, self._vectors)
            for scope in _scopes(connection, None):
                writer.reindex(scope)
            connection.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('analyzer', ?)", (ANALYZER_ID,))


def _scopes(connection: Connection, domain: str | None) -> list[Scope]:
    within, params = ("", ()) if domain is None else (" AND domain = ?", (domain,))
    return sorted(Scope(*row) for row in connection.all(f"{_SCOPES}{within}", params))


def _analyzer(connection: Connection) -> str | None:
    row = connection.one("SELECT value FROM meta WHERE name = 'analyzer'")
    return row[0] if row else None
