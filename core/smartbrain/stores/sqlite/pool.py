"""Who gets which connection: one writer at a time and readers beside it, or one connection for all in memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Literal, Protocol

from smartbrain.config import StorePolicy
from smartbrain.errors import ClosedError, StoreBusyError, StoreError
from smartbrain.stores.sqlite.connection import (
    READER_CACHE,
    WRITER_CACHE,
    Connection,
    begin_read,
    begin_write,
    rollback,
)
from smartbrain.stores.sqlite.opening import connect_file

_KEPT_READERS = 4


class Pool(Protocol):
    """Gives connections inside a transaction that ends with the block: committed only if nothing was raised."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A snapshot."""

    def writing(self) -> AbstractContextManager[Connection]:
        """The write transaction."""

    def alone(self) -> AbstractContextManager[Connection]:
        """The writer's connection without a transaction, while no other thread writes."""

    def close(self) -> None:
        """Closes what nobody uses now, and the rest when its block ends."""


class FilePool:
    """Connections to a file. One is for writing, because its page cache stays warm while nobody else writes."""

    def __init__(self, path: Path, policy: StorePolicy, writer: Connection) -> None:
        self._path = path
        self._file = _file_at(path)
        self._policy = policy
        self._closed = False
        self._fork_lock = threading.Lock()
        self._inherited: list[Connection] = []
        self._start(writer)

    def _start(self, writer: Connection | None) -> None:
        self._lock = threading.Lock()
        self._turn = _Turn(self._policy)
        self._writer = writer
        self._idle: list[Connection] = []
        self._pid = os.getpid()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        connection = self._reader()
        try:
            begin_read(connection, self._policy)
            yield connection
        finally:
            self._give_back(connection)

    def _reader(self) -> Connection:
        self._check()
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return connect_file(self._path, self._policy, READER_CACHE)

    def _give_back(self, connection: Connection) -> None:
        kept = False
        try:
            rollback(connection)
            with self._lock:
                if not self._closed and len(self._idle) < _KEPT_READERS and self._pid == os.getpid():
                    self._idle.append(connection)
                    kept = True
        finally:
            if not kept:
                connection.close()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self.alone() as writer, _transaction(writer, self._policy) as connection:
            yield connection

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        self._check()
        with self._turn:
            self._check()
            if self._writer is None:
                self._writer = connect_file(self._path, self._policy, WRITER_CACHE)
            try:
                yield self._writer
            finally:
                if self._closed or self._writer.raw.in_transaction:
                    self._close_writer()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        if not self._turn.is_mine():  # else the block that is open closes it
            with self._turn:
                self._close_writer()

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _check(self) -> None:
        """Raises ClosedError; after a fork, starts anew, for SQLite's connections must not cross one.

        Raises StoreError when the file is gone: SQLite would go on with the one that has no name any more, and what
        it commits there is lost.
        """
        if self._closed:
            raise ClosedError(f"the store {self._path} was closed")
        if _file_at(self._path) != self._file:
            raise StoreError(
                f"the store {self._path} was deleted, moved or replaced while it was open; "
                "put the file back, or open the store again to go on with what is there now"
            )
        if self._pid != os.getpid():
            with self._fork_lock:
                if self._pid != os.getpid():
                    # Kept, not closed: closing would clean up behind the parent, which still works with the file.
                    self._inherited += [*self._idle, *([self._writer] if self._writer else [])]
                    self._start(None)


class MemoryPool:
    """The one connection to a store in memory: whoever reads or writes has it alone.

    Reads may nest. A write inside a read of the same thread, or a read inside a write, is an error: on a file both
    see their own snapshot, which one connection cannot give.
    """

    def __init__(self, connection: Connection, policy: StorePolicy) -> None:
        self._connection = connection
        self._policy = policy
        self._lock = threading.RLock()
        self._doing: Literal["", "read", "write", "upkeep"] = ""
        self._closed = False
        self._pid = os.getpid()

    def reading(self) -> AbstractContextManager[Connection]:
        return self._alone("read")

    def writing(self) -> AbstractContextManager[Connection]:
        return self._alone("write")

    def alone(self) -> AbstractContextManager[Connection]:
        return self._alone("upkeep")

    @contextmanager
    def _alone(self, what: Literal["read", "write", "upkeep"]) -> Iterator[Connection]:
        self._check()
        if not self._lock.acquire(timeout=self._policy.busy_timeout_ms / 1000):
            raise StoreBusyError(f"another thread held the store for more than {self._policy.busy_timeout_ms} ms")
        outer = self._doing
        try:
            self._check()
            if outer and (what, outer) != ("read", "read"):
                raise StoreError(f"a {what} was begun inside a {outer} of the same thread on a store in memory")
            self._doing = what
            if what == "write":
                with _transaction(self._connection, self._policy) as connection:
                    yield connection
            else:
                yield self._connection
        finally:
            self._doing = outer
            if self._closed and not outer:
                self._connection.close()
            self._lock.release()

    def close(self) -> None:
        if self._pid != os.getpid():
            return
        self._closed = True
        with self._lock:
            if not self._doing:
                self._connection.close()

    def _check(self) -> None:
        if self._closed:
            raise ClosedError("the store in memory was closed")
        if self._pid != os.getpid():
            raise ClosedError("a store in memory stays behind in the process that opened it")


class _Turn:
    """One writer at a time in this process: waiting for a lock is cheaper and fairer than polling the file."""

    def __init__(self, policy: StorePolicy) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._milliseconds = policy.busy_timeout_ms

    def is_mine(self) -> bool:
        """Whether this thread holds it."""
        return self._owner == threading.get_ident()

    def __enter__(self) -> None:
        if self.is_mine():
            raise StoreError("a write was begun inside a write of the same thread; it would wait for itself")
        if not self._lock.acquire(timeout=self._milliseconds / 1000):
            raise StoreBusyError(f"another thread held the store for more than {self._milliseconds} ms")
        self._owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self._owner = 0
        self._lock.release()


def _file_at(path: Path) -> int:
    """The number by which the file system knows the file, 0 if there is none; SQLite goes by it, too."""
    try:
        return os.stat(path).st_ino
    except OSError:
        return 0


@contextmanager
def _transaction(connection: Connection, policy: StorePolicy) -> Iterator[Connection]:
    begin_write(connection, policy)
    connection.within = True
    try:
        yield connection
        connection.run("COMMIT")
    finally:
        connection.within = False
        rollback(connection)
