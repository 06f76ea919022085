"""A copy of a store that is in use, as it is at one moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreError
from smartbrain.stores.sqlite.connection import Connection, connect, translated
from smartbrain.stores.sqlite.scrubbing import scrub

_PAGES = 1024  # between two reports


def backup(source: Connection, path: Path, policy: StorePolicy, on_progress: Callable[[int, int], None]) -> None:
    """Copies what ``source`` sees in its snapshot to the empty file at ``path``.

    The snapshot is what keeps the copy from beginning anew whenever somebody writes. What was forgotten and is not
    scrubbed yet is scrubbed in the copy. Raises StoreError; the file is of no use then.
    """
    try:
        target = connect(path.absolute().as_uri(), policy)
        try:
            source.raw.backup(target.raw, pages=_PAGES, progress=lambda _, left, all_: on_progress(all_ - left, all_))
            # One file, without a log beside it that could be left behind.
            target.one("PRAGMA journal_mode = DELETE")
            undone = scrub(target, policy)
            if undone:
                raise StoreError(undone)
            _check(target)
        finally:
            target.close()
    except sqlite3.Error as error:
        raise translated(error) from error


def _check(connection: Connection) -> None:
    found = connection.one("PRAGMA quick_check(1)")
    if found != ("ok",):
        raise StoreError(f"the store's file is damaged: {found[0] if found else 'it cannot be checked'}")
