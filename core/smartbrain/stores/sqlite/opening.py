"""Opening a file as a store: everything that can be wrong with a path is said here, and the file is left alone."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreBusyError, StoreError, StoreOpenError
from smartbrain.stores.sql.steps import Migration
from smartbrain.stores.sqlite.connection import WRITER_CACHE, Connection, connect, primary_code, retrying
from smartbrain.stores.sqlite.migrate import APPLICATION_ID, migrate, version_of

_NO_LOCKS = "its file system cannot lock files as a store needs it (a network drive?); use a local one"


def open_file(
    path: Path, policy: StorePolicy, steps: Sequence[Migration], application_id: int = APPLICATION_ID
) -> Connection:
    """A connection for writing to the store at ``path``, made and migrated if need be.

    Raises StoreOpenError or StoreBusyError; a file that is no store keeps its bytes.
    """
    _check_path(path, application_id)
    return _told(path, lambda: _open(path, policy, steps, application_id))


def connect_file(path: Path, policy: StorePolicy, cache: int) -> Connection:
    """One more connection to a store that was opened before; a file that is gone is not made anew."""
    return _told(path, lambda: connect(f"{path.as_uri()}?mode=rw", policy, cache))


def _open(path: Path, policy: StorePolicy, steps: Sequence[Migration], application_id: int) -> Connection:
    connection = connect(f"{path.as_uri()}?mode=rwc", policy, WRITER_CACHE)
    try:
        migrate(connection, policy, steps, application_id)
        mode = retrying(connection, lambda: connection.one("PRAGMA journal_mode = WAL"), policy)
        if mode != ("wal",):
            raise StoreOpenError(f"SQLite cannot keep a write-ahead log there; {_NO_LOCKS}")
        retrying(connection, lambda: connection.one("SELECT 1 FROM meta LIMIT 1"), policy)
    except BaseException:
        connection.close()
        raise
    return connection


def _told(path: Path, attempt: Callable[[], Connection]) -> Connection:
    """Every failure in one form: the path, then what is wrong with it."""
    try:
        return attempt()
    except StoreBusyError as error:
        if primary_code(error.__cause__ or error) == sqlite3.SQLITE_PROTOCOL:
            raise StoreOpenError(f"cannot open the store {path}: {_NO_LOCKS}") from error
        raise
    except StoreOpenError as error:
        raise type(error)(f"cannot open the store {path}: {error}") from error.__cause__
    except StoreError as error:
        raise StoreOpenError(f"cannot open the store {path}: {_reason(error.__cause__ or error)}") from error
    except sqlite3.Error as error:
        raise StoreOpenError(f"cannot open the store {path}: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    code = primary_code(error)
    extended = getattr(error, "sqlite_errorname", "")
    if extended in {"SQLITE_IOERR_LOCK", "SQLITE_IOERR_RDLOCK", "SQLITE_IOERR_SHMLOCK", "SQLITE_IOERR_SHMMAP"}:
        return _NO_LOCKS
    return {
        sqlite3.SQLITE_NOTADB: "it is not a SQLite database",
        sqlite3.SQLITE_CORRUPT: f"the file is damaged ({error})",
        sqlite3.SQLITE_READONLY: "it is read-only",
        sqlite3.SQLITE_FULL: f"no room is left there ({error})",
        sqlite3.SQLITE_IOERR: f"the system cannot read or write it; is the disk full or broken? ({error})",
        sqlite3.SQLITE_CANTOPEN: f"the system refuses it ({error})",
    }.get(code, str(error))


def _check_path(path: Path, application_id: int) -> None:
    """Refuses what is seen without SQLite, which would write beside or into some of these files."""

    def refuse(reason: str) -> StoreOpenError:
        return StoreOpenError(f"cannot open the store {path}: {reason}")

    try:
        if not path.parent.is_dir():
            raise refuse(f"the folder {path.parent} does not exist; make it first")
        if path.is_dir():
            raise refuse("it is a folder; name a file in it")
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise refuse(f"the folder {path.parent} is read-only, and a store keeps its log beside its file")
        if not path.exists():
            return
        if not path.is_file():
            raise refuse("it is not a regular file")
        if not os.access(path, os.R_OK | os.W_OK):
            raise refuse("it is read-only")
        foreign = _foreign(path, application_id)
    except (OSError, ValueError) as error:
        raise refuse(str(error)) from error
    if foreign:
        raise refuse(foreign)


def _foreign(path: Path, application_id: int) -> str:
    """Why a file is not ours, judged by its header; empty when it is ours or holds nothing yet."""
    # Read by SQLite and by nobody else: closing a file gives up all locks that this process has on it, those of
    # other threads' connections, too. SQLite knows that, and closes later.
    # Immutable: it neither locks, nor recovers, nor makes files beside a stranger's.
    try:
        raw = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            connection = Connection(raw)
            if connection.one("PRAGMA application_id") != (application_id,):
                version_of(connection, application_id)
        finally:
            raw.close()
    except StoreOpenError as error:
        return str(error)
    except (StoreError, sqlite3.Error) as error:
        cause = error.__cause__ or error
        # Seen without a lock: what looks damaged may be half written just now, and is judged again under a lock.
        return "" if primary_code(cause) == sqlite3.SQLITE_CORRUPT else _reason(cause)
    return ""
