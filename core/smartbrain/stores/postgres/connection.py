"""A connection to a PostgreSQL server inside a transaction, and what the driver's errors mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import psycopg

from smartbrain.errors import ClosedError, InputError, StoreBusyError, StoreError
from smartbrain.model import Scope
from smartbrain.stores.postgres.dialect import ScopeNumber, Statement, bound, domain_of, translated
from smartbrain.stores.sql.connection import HOLDING, Row

Raw = psycopg.Connection[Row]

#: Begins a text that the server's UTF-8 could not carry; U+FDD0 is a code point that is never assigned.
_ESCAPED = "\ufdd0"
_HOLDS = " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} h WHERE h.domain = c.domain AND h.scope_id = c.scope_id)" for table in HOLDING
)
_SCOPES = f"SELECT c.domain, c.type, c.id FROM scopes c WHERE ({_HOLDS})"
_UNFIT = re.compile("^\ufdd0|[\0\ud800-\udfff]")
#: The server waited for a lock in vain, or gave up one of several transactions that were in each other's way.
BUSY = frozenset({"40001", "40P01", "55P03", "53300", "57014"})


@dataclass(frozen=True, slots=True)
class Done:
    """What a statement without rows has done."""

    rowcount: int
    lastrowid: int | None


class PostgresConnection:
    """What ``stores.sql.connection.Connection`` describes; each statement is led by its tenant.

    ``names_tenant``: tells the server which tenant each statement is about, for row-level security.
    """

    def __init__(self, raw: Raw, *, names_tenant: bool = False) -> None:
        self.raw = raw
        self._names_tenant = names_tenant
        self._named: str | None = None

    def all(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """Every row."""
        return _read(self._do(translated(sql), params).fetchall())

    def one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        """The first row, if any."""
        row = self._do(translated(sql), params).fetchone()
        return _read([row])[0] if row else None

    def each(self, sql: str, rows: Iterable[Sequence[Any]]) -> Iterator[list[Row]]:
        """The rows for each of the parameters, in order; asked in one go."""
        cursor = self._many(translated(sql), list(rows), returning=True)
        if cursor is None:
            return
        for result in cursor.results():
            yield _read(result.fetchall())

    def run(self, sql: str, params: Sequence[Any] = ()) -> Done:
        """Runs a statement that gives no rows."""
        statement = translated(sql)
        key = self._key(statement, params)
        cursor = self._do(statement, params, key)
        if statement.control:
            self._stepped(statement.control)
        return Done(cursor.rowcount, key or None)

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs a statement for each row of parameters; asked in one go."""
        self._many(translated(sql), list(rows), returning=False)

    def scope_key(self, number: int, scope: Scope) -> int:
        """The number with the domain that leads every statement about the scope."""
        return ScopeNumber(number, scope.domain)

    def overwrite_deleted(self) -> None:
        """The server cannot: what was deleted goes with the next ``VACUUM``."""

    def across(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """Every row of a statement over all tenants, in PostgreSQL's own dialect; for administration."""
        return _read(self._execute(sql, params).fetchall())

    def scopes(self, domain: str | None = None) -> list[Scope]:
        """The scopes that hold anything, in order; with row-level security only those of a domain that is named."""
        if domain is None:
            return sorted(Scope(*row) for row in self.across(_SCOPES))
        return sorted(Scope(*row) for row in self.all(f"{_SCOPES} AND c.domain = ?", (domain,)))

    def every_scope(self) -> list[Scope]:
        """See ``scopes``. Raises StoreError under row-level security, which hides tenants instead of refusing them."""
        if self._names_tenant:
            raise StoreError(
                "with row-level security no connection sees every tenant; name a user or a domain, or open the store as"
                " the owner of its tables, without store.postgres.row_level_security"
            )
        return self.scopes()

    def _about(self, domain: str) -> None:
        """Before a statement about a tenant."""
        if self._names_tenant and domain != self._named:
            self._execute("SELECT set_config('smartbrain.domain', %s, true)", [_fit(domain)])
            self._named = domain

    def _stepped(self, control: str) -> None:
        """After a savepoint was made, given up or released."""
        if control == "ROLLBACK":
            self._named = None  # the name went with it

    def _key(self, statement: Statement, params: Sequence[Any]) -> int:
        if statement.table == "scopes":
            return scope_number(Scope(*params))
        if not statement.numbered:
            return 0
        return self._next_key(domain_of(statement, params) or "")

    def _next_key(self, domain: str) -> int:
        raise StoreError(f"a snapshot cannot number a row of {domain!r}")

    def _do(self, statement: Statement, params: Sequence[Any], key: int = 0) -> psycopg.Cursor[Row]:
        domain = domain_of(statement, params)
        if domain is not None:
            self._about(domain)
        return self._execute(statement.sql, [_fit(value) for value in bound(statement, params, key)])

    def _many(
        self, statement: Statement, rows: Sequence[Sequence[Any]], *, returning: bool
    ) -> psycopg.Cursor[Row] | None:
        if not rows:
            return None
        for domain in {domain_of(statement, row) for row in rows} - {None}:
            self._about(domain or "")
        given = [[_fit(value) for value in bound(statement, row, self._key(statement, row))] for row in rows]
        cursor = self.raw.cursor()
        try:
            cursor.executemany(statement.sql, given, returning=returning)
        except psycopg.Error as error:
            raise translated_error(error) from error
        return cursor

    def _execute(self, sql: str, params: Sequence[Any] | None = None) -> psycopg.Cursor[Row]:
        try:
            return self.raw.execute(sql, params)
        except psycopg.Error as error:
            raise translated_error(error) from error


class WritingConnection(PostgresConnection):
    """Holds the row of each tenant it writes for, so that those who write for the same tenant wait for each other.

    The same row numbers the tenant's rows: no sequence is shared between tenants.
    """

    def __init__(self, raw: Raw, *, names_tenant: bool = False) -> None:
        super().__init__(raw, names_tenant=names_tenant)
        self._next: dict[str, int] = {}
        self._started: dict[str, int] = {}
        self._steps: list[set[str]] = []

    def finish(self) -> None:
        """Puts down how far the numbers went; before the commit."""
        for domain, key in self._next.items():
            if key != self._started[domain]:
                super()._about(domain)
                self._execute("UPDATE tenants SET next_key = %s WHERE domain = %s", [key, _fit(domain)])
        for domain in self._next:
            super()._about(domain)
            self._execute(
                "DELETE FROM tenants t WHERE t.domain = %s"
                " AND NOT EXISTS (SELECT 1 FROM scopes c WHERE c.domain = t.domain)",
                [_fit(domain)],
            )

    def _about(self, domain: str) -> None:
        super()._about(domain)
        if domain not in self._next:
            self._next[domain] = self._started[domain] = self._hold(_fit(domain))
            if self._steps:
                self._steps[-1].add(domain)

    def _stepped(self, control: str) -> None:
        """A savepoint that is given up takes the rows with it that were held since."""
        super()._stepped(control)
        if control == "SAVEPOINT":
            self._steps.append(set())
        elif control == "ROLLBACK":
            for domain in self._steps[-1]:
                del self._next[domain]
            self._steps[-1] = set()
        else:
            released = self._steps.pop()
            if self._steps:
                self._steps[-1] |= released

    def _next_key(self, domain: str) -> int:
        self._about(domain)
        key = self._next[domain]
        self._next[domain] = key + 1
        return key

    def _hold(self, domain: str) -> int:
        while True:
            held = self._execute("SELECT next_key FROM tenants WHERE domain = %s FOR UPDATE", [domain]).fetchone()
            if held:
                return int(held[0])
            self._execute("INSERT INTO tenants (domain) VALUES (%s) ON CONFLICT DO NOTHING", [domain])


def scope_number(scope: Scope) -> int:
    """The number of a scope: 63 bits of a digest of its name, so that no tenant waits for another to be numbered."""
    digest = blake2b(json.dumps(scope).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1 or 1


def translated_error(error: psycopg.Error) -> Exception:
    """The error of SmartBrain's tree for one of the driver; the caller keeps the cause."""
    state = error.sqlstate or ""
    said = str(error).partition("\n")[0].strip()
    if state in BUSY:
        return StoreBusyError(f"others held the store for too long, or were in the way; try again: {said}")
    if state == "25006":
        return StoreError(f"the database is read-only (a replica?); write to the primary: {said}")
    if state in {"53100", "53200"}:
        return StoreError(f"no room is left for the store: {said}")
    if state == "54000":
        return InputError(f"an id, key or name is too long for the store's indexes: {said}")
    if state == "22003" or isinstance(error, psycopg.DataError):
        return InputError(f"a value does not fit the store: {said}")
    if state == "42501":
        return StoreError(f"the database's role may not do this: {said}")
    if isinstance(error, psycopg.OperationalError) and "the connection is closed" in said:
        return ClosedError("the store was closed")
    if isinstance(error, psycopg.OperationalError):
        return StoreError(f"the database server cannot be reached: {said}")
    return StoreError(f"the store could not do its work: {said}")


def _fit(value: Any) -> Any:
    """A text as UTF-8 without NUL can carry it."""
    return _ESCAPED + json.dumps(value) if isinstance(value, str) and _UNFIT.search(value) else value


def _read(rows: Sequence[Row]) -> list[Row]:
    return [
        tuple(json.loads(value[1:]) if isinstance(value, str) and value[:1] == _ESCAPED else value for value in row)
        for row in rows
    ]
