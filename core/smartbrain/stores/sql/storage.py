"""What stores that are asked in SQL share: readers and writers over a pool, and what they keep in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from smartbrain.ports import Reader, Writer
from smartbrain.stores.index.cache import ColumnCache
from smartbrain.stores.items import ItemCache
from smartbrain.stores.sql.connection import Connection
from smartbrain.stores.sql.forgetting import ERASURES
from smartbrain.stores.sql.reader import SqlReader
from smartbrain.stores.sql.writer import SqlWriter
from smartbrain.stores.vectors import VectorCache

_CACHE_BYTES = 64 << 20
_ITEM_BYTES = 16 << 20
_META = "SELECT value FROM meta WHERE name = ?"


class Connections(Protocol):
    """Gives connections inside a transaction that ends with the block: committed only if nothing was raised."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A snapshot."""

    def writing(self) -> AbstractContextManager[Connection]:
        """The write transaction."""

    def close(self) -> None:
        """Closes what nobody uses now, and the rest when its block ends."""


class SqlStorage:
    """The half of ``Storage`` that does not depend on the database; a store sets ``_pool`` when it has opened."""

    _pool: Connections

    def __init__(self, vector_cache_mb: int) -> None:
        self._cache = ColumnCache(_CACHE_BYTES)
        self._vectors = VectorCache(vector_cache_mb << 20)
        self._items = ItemCache(_ITEM_BYTES)

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """See ``Storage.read``; the reader is of no use after the block."""
        with self._pool.reading() as connection:
            reader = SqlReader(connection, self._cache, self._vectors, self._items)
            try:
                yield reader
            finally:
                reader.end()

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """See ``Storage.write``; the writer is of no use after the block."""
        with self._pool.writing() as connection:
            writer = SqlWriter(connection, self._cache, self._vectors, self._items)
            try:
                yield writer
                writer.check_whole()
            finally:
                writer.end()

    def erasures(self) -> int:
        """See ``Storage.erasures``."""
        value = self._meta(ERASURES)
        return int(value) if value else 0

    def close(self) -> None:
        """See ``Storage.close``; a block that is open may end."""
        self._pool.close()
        self._drop_caches()

    def _drop_caches(self) -> None:
        self._cache.clear()
        self._vectors.clear()
        self._items.clear()

    def _meta(self, name: str) -> str | None:
        """What the store notes about itself under a name; None where it notes nothing."""
        with self._pool.reading() as connection:
            row = connection.one(_META, (name,))
            return row[0] if row else None
