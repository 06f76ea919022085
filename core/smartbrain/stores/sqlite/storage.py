"""The embedded store: one SQLite file, or one in memory, shared by threads and processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreBusyError
from smartbrain.model import Scope
from smartbrain.stores.sql.forgetting import SCRUB_DUE
from smartbrain.stores.sql.steps import Migration
from smartbrain.stores.sql.storage import SqlStorage
from smartbrain.stores.sql.writer import SqlWriter
from smartbrain.stores.sqlite.backup import backup
from smartbrain.stores.sqlite.connection import WRITER_CACHE, connect
from smartbrain.stores.sqlite.migrate import migrate, shipped
from smartbrain.stores.sqlite.opening import open_file
from smartbrain.stores.sqlite.pool import FilePool, MemoryPool, Pool
from smartbrain.stores.sqlite.scrubbing import scrub


class SqliteStorage(SqlStorage):
    """A store in the file ``path`` or, without a path, in memory until it is closed.

    The file is made if it is not there, its folder is not. A store whose index was cut by another version of
    ``smartbrain.text.terms`` is indexed anew when it is opened, in one transaction, which takes the longer the
    more it holds. Raises StoreOpenError, StoreVersionError and StoreBusyError.

    On a file reads never wait, and a write waits for other writers up to ``policy.busy_timeout_ms``. In memory
    whoever reads or writes has the store alone. Closing waits for nobody longer than the busy timeout.
    """

    _pool: Pool

    def __init__(
        self, path: Path | None, policy: StorePolicy | None = None, steps: Sequence[Migration] | None = None
    ) -> None:
        policy = policy or StorePolicy()
        steps = shipped() if steps is None else steps
        super().__init__(policy.vector_cache_mb)
        self._policy = policy
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

    def scopes(self, domain: str | None = None) -> list[Scope]:
        """See ``Storage.scopes``; in order."""
        with self._pool.reading() as connection:
            return connection.scopes(domain)

    def scrub(self) -> str:
        """See ``Storage.scrub``. Writes the whole file anew, so that it takes the longer the more the store holds;
        writers wait meanwhile, readers do not. A reader that stays longer than the busy timeout leaves it undone."""
        self._drop_caches()
        try:
            with self._pool.alone() as connection:
                return scrub(connection, self._policy)
        except StoreBusyError as error:
            return f"the bytes are still in the store's files until it is opened again: {error}"

    def backup(self, path: Path, on_progress: Callable[[int, int], None]) -> bool:
        """See ``Storage.backup``; counted in pages. A store in memory stands still meanwhile."""
        with self._pool.reading() as connection:
            backup(connection, path, self._policy, on_progress)
        return True

    def _finish_scrub(self) -> None:
        """What a crash left undone after something was forgotten; if others are busy, the next one to open does it."""
        if self._meta(SCRUB_DUE) is not None:
            self.scrub()

    def _follow_analyzer(self) -> None:
        """Indexes everything anew if its words were cut otherwise than they are cut now."""
        from smartbrain.text.terms import ANALYZER_ID

        if self._meta("analyzer") == ANALYZER_ID:
            return
        with self._pool.writing() as connection:
            # Another process may have done it while this one waited.
            if connection.one("SELECT 1 FROM meta WHERE name = 'analyzer' AND value = ?", (ANALYZER_ID,)):
                return
            writer = SqlWriter(connection, self._cache, self._vectors, self._items)
            for scope in connection.scopes():
                writer.reindex(scope)
            connection.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('analyzer', ?)", (ANALYZER_ID,))
