"""Who gets which connection to the server, and how its transaction begins and ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import psycopg_pool

from smartbrain.config import StorePolicy
from smartbrain.errors import ClosedError, StoreBusyError, StoreError
from smartbrain.stores.postgres.connection import PostgresConnection, Raw, WritingConnection, translated_error

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_PIN = "SELECT 1 FROM meta LIMIT 1"
_TRIES = 3
OPTIONS: dict[str, Any] = {"autocommit": True, "prepare_threshold": None}
"""Of every connection: transactions are begun by hand, and no statement stays prepared (PgBouncer changes servers)."""


class ServerPool:
    """Connections that are in a transaction as long as a block has them. After a fork the child makes its own."""

    def __init__(self, url: str, policy: StorePolicy) -> None:
        self._url = url
        self._policy = policy
        self._wait = max(policy.busy_timeout_ms, 1) / 1000
        self._writing = threading.local()
        self._fork_lock = threading.Lock()
        self._inherited: list[Any] = []
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._pool = psycopg_pool.ConnectionPool(
            self._url,
            min_size=0,
            max_size=self._policy.postgres.pool_size,
            kwargs={**OPTIONS, "connect_timeout": self._policy.postgres.connect_timeout_s},
            timeout=self._wait,
            open=False,
        )
        self._pool.open()

    @contextmanager
    def reading(self) -> Iterator[PostgresConnection]:
        """A snapshot, as it is now."""
        with self._transaction(f"{_READ}; {self._limits()}{_PIN}") as raw:
            yield PostgresConnection(raw, names_tenant=self._policy.postgres.row_level_security)

    @contextmanager
    def writing(self) -> Iterator[WritingConnection]:
        """A write transaction, committed only if nothing was raised."""
        if getattr(self._writing, "now", False):
            raise StoreError("a write was begun inside a write of the same thread; it would wait for itself")
        lazy = " SET LOCAL synchronous_commit = off;" if self._policy.durability == "normal" else ""
        lock = f"SET LOCAL lock_timeout = {max(self._policy.busy_timeout_ms, 1)};{lazy}"
        with self._transaction(f"{_WRITE}; {self._limits()}{lock}") as raw:
            self._writing.now = True
            try:
                connection = WritingConnection(raw, names_tenant=self._policy.postgres.row_level_security)
                yield connection
                connection.finish()
                _run(raw, "COMMIT")
            finally:
                self._writing.now = False

    @contextmanager
    def alone(self) -> Iterator[Raw]:
        """A connection without a transaction, for upkeep."""
        raw = self._take()
        try:
            yield raw
        finally:
            self._pool.putconn(raw)

    def close(self) -> None:
        """Closes what nobody uses now, and the rest when its block ends."""
        if self._closed:
            return
        self._closed = True
        if self._pid == os.getpid():
            self._pool.close()

    def _limits(self) -> str:
        longest = self._policy.postgres.statement_timeout_ms
        return f"SET LOCAL statement_timeout = {longest}; " if longest else ""

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Raw]:
        raw = self._begun(begin)
        try:
            yield raw
        finally:
            self._give_back(raw)

    def _begun(self, begin: str) -> Raw:
        """A connection in its transaction. One that broke while it lay in the pool is passed over: nothing is lost."""
        for attempt in range(1, _TRIES + 1):
            raw = self._take()
            try:
                _run(raw, begin)
            except BaseException as error:
                broken = raw.broken
                self._give_back(raw)
                if not (broken and isinstance(error, StoreError)) or attempt == _TRIES:
                    raise
            else:
                return raw
        raise AssertionError("unreachable")

    def _take(self) -> Raw:
        self._check()
        try:
            return self._pool.getconn()
        except psycopg_pool.PoolClosed as error:
            raise ClosedError("the store was closed") from error
        except psycopg_pool.PoolTimeout as error:
            raise StoreBusyError(
                f"no connection to the database within {self._wait:g} s: the server is away, or all"
                f" {self._policy.postgres.pool_size} of store.postgres.pool_size are in use"
            ) from error

    def _give_back(self, raw: Raw) -> None:
        try:
            if raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE and not raw.broken:
                raw.execute("ROLLBACK")
        except psycopg.Error:
            raw.close()
        self._pool.putconn(raw)

    def _check(self) -> None:
        if self._closed:
            raise ClosedError("the store was closed")
        if self._pid != os.getpid():
            with self._fork_lock:
                if self._pid != os.getpid():
                    self._inherited.append(self._pool)  # kept, not closed: the parent still talks over its sockets
                    self._start()


def _run(raw: Raw, sql: str) -> None:
    try:
        raw.execute(sql.encode())
    except psycopg.Error as error:
        raise translated_error(error) from error
