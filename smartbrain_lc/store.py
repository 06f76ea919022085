"""``SmartBrainStore``: LangGraph's store, verbatim key and value, found by key, by filter and by words."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, Self

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from smartbrain.errors import ClosedError, InputError, StoreBusyError, StoreError, StoreOpenError
from smartbrain.ports import Clock
from smartbrain.runtime.context import SystemClock
from smartbrain_lc._store_rules import check_put_namespace, check_read_namespace, indexed_terms, matches, ranked

_APPLICATION = 0x53424B56  # "SBKV"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS items (
    path BLOB NOT NULL, key BLOB NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    terms TEXT, created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL, seq INTEGER NOT NULL,
    ttl_us INTEGER, expires_us INTEGER, PRIMARY KEY (path, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS items_by_age ON items (seq);
CREATE INDEX IF NOT EXISTS items_by_end ON items (expires_us) WHERE expires_us IS NOT NULL;
"""
_COLUMNS = "path, key, namespace, name, value, terms, created_us, updated_us, ttl_us"
_LONGEST_TTL = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class _Row(NamedTuple):
    path: bytes
    key: bytes
    namespace: str
    name: str
    value: str
    terms: str | None
    created_us: int
    updated_us: int
    ttl_us: int | None


class SmartBrainStore(BaseStore):
    """A LangGraph store in one SQLite file: ``create_agent(…, store=SmartBrainStore("store.db"))``.

    Values are kept word for word: nothing is extracted from them, consolidated or forgotten. Namespaces and keys are
    compared whole and case-exact. A search without a query gives the newest first; with one it ranks by the same terms
    as SmartBrain's own search (Chinese and English, no model), scores 0..1, items put with ``index=False`` last and
    without a score: a query orders and does not filter. Reads of a batch see the state before it.

    Times to live are in minutes; an item that has expired is gone at once. Serves many threads and event loops, and
    several processes on one file. A context manager; ``close`` is idempotent.
    """

    supports_ttl = True

    def __init__(
        self,
        target: str | Path = ":memory:",
        *,
        ttl: TTLConfig | None = None,
        clock: Clock | None = None,
        busy_timeout_ms: int = 30_000,
    ) -> None:
        """Opens or makes the file. ``ttl`` is LangGraph's own setting (``default_ttl``, ``refresh_on_read``).

        Raises StoreOpenError for a path that is no file of this kind (a brain's own file is none).
        """
        self.ttl_config = ttl
        self._clock = clock or SystemClock()
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = _opened(str(target), busy_timeout_ms)

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Runs the operations in one transaction; nothing of it is written when one fails.

        Raises InvalidNamespaceError, InputError for a value that is no JSON, StoreError.
        """
        wanted = list(ops)
        puts = _puts(wanted)
        refreshed: list[_Row] = []
        now = self._now()
        with self._transaction(write=bool(puts)) as db:
            results = [self._read(db, op, now, refreshed) for op in wanted]
            for put in puts.values():
                self._put(db, put, now)
        if refreshed:
            self._refresh(refreshed, now)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Runs the operations off the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    # -- reading -------------------------------------------------------------------------------------------------

    def _read(self, db: sqlite3.Connection, op: Op, now: int, refreshed: list[_Row]) -> Result:
        if isinstance(op, GetOp):
            row = _row(db, op.namespace, op.key, now)
            found = [row] if row else []
            result: Result = _item(row) if row else None
        elif isinstance(op, SearchOp):
            pairs = self._search(db, op, now)
            found = [row for row, _ in pairs]
            result = [_search_item(row, score) for row, score in pairs]
        elif isinstance(op, ListNamespacesOp):
            return _namespaces(db, op, now)
        else:
            return None
        if op.refresh_ttl:
            refreshed += [row for row in found if row.ttl_us is not None]
        return result

    def _search(self, db: sqlite3.Connection, op: SearchOp, now: int) -> list[tuple[_Row, float | None]]:
        rows = [
            row
            for row in _rows_under(db, op.namespace_prefix, now)
            if not op.filter or matches(json.loads(row.value), op.filter)
        ]
        if op.query:
            scored = ranked(op.query, [None if row.terms is None else json.loads(row.terms) for row in rows])
            pairs = [(rows[place], score) for place, score in scored]
        else:
            pairs = [(row, None) for row in rows]
        return pairs[op.offset : op.offset + op.limit]

    # -- writing -------------------------------------------------------------------------------------------------

    def _put(self, db: sqlite3.Connection, op: PutOp, now: int) -> None:
        path, key = _path(op.namespace), _bytes(op.key)
        if op.value is None:
            db.execute("DELETE FROM items WHERE path = ? AND key = ?", (path, key))
            return
        older = _row(db, op.namespace, op.key, now)
        value = _json(op.value, op)
        terms = indexed_terms(json.loads(value), op.index)
        ttl = None if op.ttl is None else round(op.ttl * 60_000_000)
        db.execute(
            "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?,"
            " (SELECT COALESCE(MAX(seq), 0) + 1 FROM items), ?, ?)",
            (
                path,
                key,
                json.dumps(list(op.namespace)),
                json.dumps(op.key),
                value,
                None if terms is None else json.dumps(terms),
                older.created_us if older else now,
                now,
                ttl,
                None if ttl is None else now + ttl,
            ),
        )

    def _refresh(self, rows: Sequence[_Row], now: int) -> None:
        with self._transaction(write=True) as db:
            for row in rows:
                # Only what is still the same item: it may have been put anew or deleted meanwhile.
                db.execute(
                    "UPDATE items SET expires_us = ? + ttl_us WHERE path = ? AND key = ? AND updated_us = ?",
                    (now, row.path, row.key, row.updated_us),
                )

    @contextmanager
    def _transaction(self, *, write: bool) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._db is None:
                raise ClosedError("this SmartBrainStore was closed; open it again")
            try:
                self._db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    if write:
                        self._db.execute("DELETE FROM items WHERE expires_us <= ?", (self._now(),))
                    yield self._db
                    self._db.execute("COMMIT")
                except BaseException:
                    self._db.execute("ROLLBACK")
                    raise
            except sqlite3.OperationalError as error:
                raise (StoreBusyError if "locked" in str(error) else StoreError)(
                    f"the store failed: {error}"
                ) from error
            except sqlite3.Error as error:
                raise StoreError(f"the store failed: {error}") from error

    def _now(self) -> int:
        return (self._clock.now() - _EPOCH) // _MICROSECOND


def _opened(target: str, busy_timeout_ms: int) -> sqlite3.Connection:
    db = None
    try:
        db = sqlite3.connect(target, timeout=busy_timeout_ms / 1000, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        tables = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        if tables and db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise StoreOpenError(f"{target} is another kind of database; give the store a file of its own")
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        for statement in _SCHEMA.split(";"):
            db.execute(statement)
        db.execute("COMMIT")
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        raise StoreOpenError(f"cannot open the store {target}: {error}") from error
    except StoreOpenError:
        if db is not None:
            db.close()
        raise
    return db


def _puts(ops: Sequence[Op]) -> dict[tuple[tuple[str, ...], str], PutOp]:
    """The last put of each key; every operation's namespace is checked before anything is read or written."""
    puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
    for op in ops:
        if isinstance(op, PutOp):
            check_put_namespace(op.namespace)
            if op.value is not None:
                _json(op.value, op)
            if op.ttl is not None and not 0 < op.ttl <= _LONGEST_TTL:
                raise InputError(f"ttl must be minutes, above 0 and at most {_LONGEST_TTL:,}, got {op.ttl!r}")
            puts[(tuple(op.namespace), op.key)] = op
        elif isinstance(op, GetOp):
            check_read_namespace(op.namespace)
        elif isinstance(op, SearchOp):
            check_read_namespace(op.namespace_prefix)
        elif isinstance(op, ListNamespacesOp):
            for condition in op.match_conditions or ():
                check_read_namespace(condition.path)
        else:
            raise InputError(f"a store knows no operation {type(op).__name__}")
    return puts


def _json(value: Mapping[str, Any], op: PutOp) -> str:
    try:
        return json.dumps(dict(value))
    except (TypeError, ValueError) as error:
        raise InputError(f"the value of {op.key!r} in {op.namespace} is not JSON: {error}") from error


def _path(namespace: Sequence[str]) -> bytes:
    """The namespace as bytes that sort by label; a dot ends each label, and none holds one."""
    return b"".join(_bytes(label) + b"." for label in namespace)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _row(db: sqlite3.Connection, namespace: Sequence[str], key: str, now: int) -> _Row | None:
    found = db.execute(
        f"SELECT {_COLUMNS} FROM items WHERE path = ? AND key = ? AND (expires_us IS NULL OR expires_us > ?)",
        (_path(namespace), _bytes(key), now),
    ).fetchone()
    return _Row(*found) if found else None


def _rows_under(db: sqlite3.Connection, prefix: Sequence[str], now: int) -> list[_Row]:
    """The items of a namespace and those below it, newest first."""
    path = _path(prefix)
    # The byte after the closing dot ends the range of everything that begins with the prefix.
    within, given = ("path >= ? AND path < ? AND", (path, path[:-1] + b"/")) if path else ("", ())
    return [
        _Row(*found)
        for found in db.execute(
            f"SELECT {_COLUMNS} FROM items WHERE {within} (expires_us IS NULL OR expires_us > ?) ORDER BY seq DESC",
            (*given, now),
        )
    ]


def _namespaces(db: sqlite3.Connection, op: ListNamespacesOp, now: int) -> list[tuple[str, ...]]:
    rows = db.execute("SELECT DISTINCT namespace FROM items WHERE expires_us IS NULL OR expires_us > ?", (now,))
    found = {tuple(json.loads(namespace)) for (namespace,) in rows}
    kept = {ns for ns in found if all(_fits(condition, ns) for condition in op.match_conditions or ())}
    if op.max_depth is not None:
        kept = {namespace[: op.max_depth] for namespace in kept}
    return sorted(kept)[op.offset : op.offset + op.limit]


def _fits(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    wanted = condition.path
    if len(namespace) < len(wanted):
        return False
    part = namespace[: len(wanted)] if condition.match_type == "prefix" else namespace[len(namespace) - len(wanted) :]
    return all(label in ("*", own) for label, own in zip(wanted, part, strict=True))


def _fields(row: _Row) -> dict[str, Any]:
    return {
        "namespace": tuple(json.loads(row.namespace)),
        "key": json.loads(row.name),
        "value": json.loads(row.value),
        "created_at": _EPOCH + row.created_us * _MICROSECOND,
        "updated_at": _EPOCH + row.updated_us * _MICROSECOND,
    }


def _item(row: _Row) -> Item:
    return Item(**_fields(row))


def _search_item(row: _Row, score: float | None) -> SearchItem:
    return SearchItem(**_fields(row), score=score)
