"""Cleaning the file after something was forgotten.

``secure_delete`` overwrites deleted rows, but not the copies that balancing a b-tree may leave between the rows of a
page, nor what was deleted before it was on. ``VACUUM`` writes every page anew from the rows that are there, and the
checkpoint puts these pages into the file and empties the write-ahead log.
"""

from __future__ import annotations

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreBusyError, StoreError
from smartbrain.stores.sql.forgetting import SCRUB_DUE
from smartbrain.stores.sqlite.connection import Connection, retrying

_IN_MEMORY = 64 << 20  # a larger file is written anew by way of a temporary file, not of memory


def scrub_due(connection: Connection) -> bool:
    """Whether something was forgotten and its bytes may still be there."""
    return connection.one("SELECT 1 FROM meta WHERE name = ?", (SCRUB_DUE,)) is not None


def scrub(connection: Connection, policy: StorePolicy) -> str:
    """Cleans the file; empty when it is clean, else why not. No transaction may be open on the connection."""
    if not scrub_due(connection):
        return ""
    try:
        retrying(connection, lambda: _vacuum(connection), policy)
        retrying(connection, lambda: _checkpoint(connection), policy)
        connection.run("DELETE FROM meta WHERE name = ?", (SCRUB_DUE,))
        connection.run("PRAGMA secure_delete = OFF")
    except StoreError as error:
        return f"the bytes are still in the store's files until it is opened again: {error}"
    return ""


def _vacuum(connection: Connection) -> None:
    pages, size = (connection.one(f"PRAGMA {name}") or (0,) for name in ("page_count", "page_size"))
    connection.run(f"PRAGMA temp_store = {'FILE' if pages[0] * size[0] > _IN_MEMORY else 'MEMORY'}")
    try:
        connection.run("VACUUM")
    finally:
        connection.run("PRAGMA temp_store = MEMORY")


def _checkpoint(connection: Connection) -> None:
    row = connection.one("PRAGMA wal_checkpoint(TRUNCATE)")
    if row and row[0]:
        raise StoreBusyError("a reader still holds the write-ahead log")
