"""One connection to a SQLite file: how it is set up, how it is asked, and what its errors mean."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import length_hint
from typing import Any, TypeVar

from smartbrain.config import StorePolicy
from smartbrain.errors import ClosedError, InputError, StoreBusyError, StoreError
from smartbrain.model import Scope
from smartbrain.stores.sql.connection import HOLDING, Row

T = TypeVar("T")

_HOLDS = " OR ".join(f"EXISTS (SELECT 1 FROM {table} h WHERE h.scope_id = c.scope_id)" for table in HOLDING)
_SCOPES = f"SELECT domain, type, id FROM scopes c WHERE ({_HOLDS})"

#: Page cache in KiB. There is one writer and few readers are kept, so a process stays small.
WRITER_CACHE = 8_192
READER_CACHE = 4_096
_RETRY_SECONDS = 0.005
#: So many pages of the log are put into the file at once, by the commit that fills it: SQLite's own 1,000 are reached
#: every 25th commit, and several pages in the log are often one in the file. The log grows to 16 MB.
_LOG_PAGES = 4_000
#: Begins a text that SQLite's UTF-8 could not carry; U+FDD0 is a code point that is never assigned.
_ESCAPED = "\ufdd0"
_ESCAPED_UTF8 = _ESCAPED.encode()


class Connection:
    """A connection whose errors are SmartBrain's own and whose texts may hold lone surrogates.

    ``within`` says that a transaction has been begun for a caller. SQLite ends it by itself when the disk is full;
    what the caller asks from then on is refused, for each statement would be committed at once.
    """

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self.within = False
        raw.text_factory = _text

    def all(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """Every row."""
        return self._do(lambda given: self.raw.execute(sql, given).fetchall(), params)

    def one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        """The first row, if any."""
        row: Row | None = self._do(lambda given: self.raw.execute(sql, given).fetchone(), params)
        return row

    def run(self, sql: str, params: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Runs a statement that gives no rows; its cursor has ``lastrowid`` and ``rowcount``."""
        return self._do(lambda given: self.raw.execute(sql, given), params)

    def each(self, sql: str, rows: Iterable[Sequence[Any]]) -> Iterator[list[Row]]:
        """The rows for each of the parameters, in order."""
        whole = list(rows)

        def ask(given: Sequence[Any]) -> list[list[Row]] | None:
            try:
                return [self.raw.execute(sql, row).fetchall() for row in given]
            except UnicodeEncodeError:
                return None

        found = self._do(ask, whole)
        return iter([self.all(sql, row) for row in whole] if found is None else found)

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs a statement for each row of parameters."""
        whole = list(rows)
        waiting = iter(whole)

        def ask(_: Sequence[Any]) -> bool:
            try:
                self.raw.executemany(sql, waiting)
            except UnicodeEncodeError:
                return False
            return True

        while not self._do(ask, ()):
            # The row with a text that must be escaped; those before it are written.
            self.run(sql, whole[len(whole) - length_hint(waiting) - 1])

    def scope_key(self, number: int, scope: Scope) -> int:  # noqa: ARG002 (another database needs it)
        """The number itself, which is one for the whole file."""
        return number

    def scopes(self, domain: str | None = None) -> list[Scope]:
        """The scopes that hold anything, in order."""
        within, params = ("", ()) if domain is None else (" AND domain = ?", (domain,))
        return sorted(Scope(*row) for row in self.all(f"{_SCOPES}{within}", params))

    def every_scope(self) -> list[Scope]:
        """See ``scopes``; a file keeps none from its reader."""
        return self.scopes()

    def overwrite_deleted(self) -> None:
        """From here on, deleted rows are overwritten."""
        self.run("PRAGMA secure_delete = ON")

    def close(self) -> None:
        """Closes it; what was not committed is gone."""
        self.raw.close()

    def _do(self, ask: Callable[[Sequence[Any]], T], params: Sequence[Any]) -> T:
        if self.within and not self.raw.in_transaction:
            raise StoreError("nothing of this transaction was kept, because a statement in it failed; begin it anew")
        try:
            return ask(params)
        except sqlite3.Error as error:
            raise translated(error) from error
        except OverflowError as error:
            raise InputError(f"a number is too large for the store: {error}") from error
        except UnicodeEncodeError:
            return self._do(ask, [_escaped(value) for value in params])


def translated(error: sqlite3.Error) -> Exception:
    """The error of SmartBrain's tree for one of the driver; the caller keeps the cause."""
    code = primary_code(error)
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}:
        return StoreBusyError(f"another connection held the store for too long: {error}")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"no room is left for the store: {error}")
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(f"the system cannot read or write the store's files; is the disk full or broken? ({error})")
    if code == sqlite3.SQLITE_READONLY:
        return StoreError(f"the store has become read-only: {error}")
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return StoreError(f"the store's file is damaged: {error}")
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return ClosedError("the store was closed")
    return StoreError(f"the store could not do its work: {error}")


def primary_code(error: BaseException) -> int:
    """SQLite's primary result code, 0 where the driver itself complains."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def connect(uri: str, policy: StorePolicy, cache: int = READER_CACHE) -> Connection:
    """A connection in autocommit mode; transactions are begun by hand. Raises sqlite3.Error."""
    raw = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        raw.execute(f"PRAGMA busy_timeout = {policy.busy_timeout_ms}")
        raw.execute(f"PRAGMA synchronous = {policy.durability}")
        raw.execute(f"PRAGMA cache_size = -{cache}")
        raw.execute("PRAGMA temp_store = MEMORY")
        raw.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
    except BaseException:
        raw.close()
        raise
    return Connection(raw)


def begin_read(connection: Connection, policy: StorePolicy) -> None:
    """Begins a snapshot and pins it: what is committed from here on is not seen."""

    def pin() -> None:
        connection.run("BEGIN")
        connection.one("SELECT 1 FROM meta LIMIT 1")

    retrying(connection, pin, policy)


def begin_write(connection: Connection, policy: StorePolicy) -> None:
    """Begins the one write transaction of the file. Raises StoreBusyError after the busy timeout."""
    retrying(connection, lambda: connection.run("BEGIN IMMEDIATE"), policy)


def retrying(connection: Connection, attempt: Callable[[], T], policy: StorePolicy) -> T:
    """Tries until the busy timeout is over: SQLite gives up at once in some states (recovery, change of mode)."""
    deadline = time.monotonic() + policy.busy_timeout_ms / 1000
    while True:
        try:
            return attempt()
        except StoreBusyError:
            rollback(connection)
            if time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def rollback(connection: Connection) -> None:
    """Ends a transaction, if one is open, without a trace."""
    if connection.raw.in_transaction:
        connection.run("ROLLBACK")


def _text(data: bytes) -> str:
    text = data.decode()
    return str(json.loads(text[1:])) if data.startswith(_ESCAPED_UTF8) else text


def _escaped(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return _ESCAPED + json.dumps(value)
    return value
