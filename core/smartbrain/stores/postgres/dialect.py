"""The shared statements (``stores.sql``), written for SQLite, as PostgreSQL gets them: each led by its tenant.

The tenant is the domain. It is the first column of every table and index, so wherever a statement names a scope
(``scope_id = ?``), the domain is put before it. A statement that would run without a tenant is an error: nothing here
can read across tenants by mistake.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from smartbrain.errors import StoreError

SHARED = frozenset({"meta", "migrations"})
"""Tables of the installation, not of a tenant."""

KEYS = {
    "sessions": "session_pk",
    "turns": "turn_pk",
    "open_turns": "open_pk",
    "staged": "staged_pk",
    "items": "item_pk",
    "item_sources": "source_pk",
    "item_states": "state_pk",
    "verdicts": "verdict_pk",
    "mentions": "mention_pk",
    "contexts": "context_pk",
    "scopes": "scope_id",
}
"""Tables whose rows are numbered, and the column; the numbers come from the tenant's own row, not from a sequence."""

Kind = Literal["value", "scope", "domain", "limit", "key"]
Slot = tuple[Kind, int]
"""A placeholder and the parameter it takes; ``key`` takes a fresh number."""

_INSERT = re.compile(r"INSERT INTO (\w+) \(([^)]*)\) VALUES \(([?, ]*)\)(.*)", re.DOTALL)
_JOIN = re.compile(r"\b(\w+)\.scope_id = (\w+)\.scope_id\b")
_SCOPE = re.compile(r"(\b\w+\.)?\bscope_id = \?")
_BARE = re.compile(r"\bscope_id = \?|\bdomain = \?|\bLIMIT \?|\?")
_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE) (\w+)")
_CONTROL = re.compile(r"(?:SAVEPOINT|ROLLBACK|RELEASE)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as the server gets it. ``tenant``: the parameter that tells its domain, -1 for a shared table."""

    sql: str
    slots: tuple[Slot, ...]
    tenant: int
    table: str
    control: str = ""

    @property
    def numbered(self) -> bool:
        """Whether it makes a row with a number of its own."""
        return any(kind == "key" for kind, _ in self.slots)


@lru_cache(maxsize=4096)
def translated(sql: str) -> Statement:
    """Raises StoreError for a statement that names no tenant."""
    made = _INSERT.fullmatch(sql)
    text, slots = _insert(*made.groups()) if made else _other(sql)
    tables = set(_TABLE.findall(text)) - {"SET"}
    tenant = next((at for kind, at in slots if kind in {"scope", "domain"}), -1)
    control = _CONTROL.match(sql)
    if tenant < 0 and not control and not tables <= SHARED:
        raise StoreError(f"a statement names no tenant: {sql}")
    return Statement(text, tuple(slots), tenant, made.group(1) if made else "", control.group() if control else "")


def _insert(table: str, columns: str, marks: str, rest: str) -> tuple[str, list[Slot]]:
    names = [name.strip() for name in columns.split(",")]
    slots: list[Slot] = [("value", at) for at in range(marks.count("?"))]
    pairs = dict(zip(names, slots, strict=True))
    if "domain" in pairs:
        pairs = {"domain": ("domain", pairs["domain"][1]), **{n: s for n, s in pairs.items() if n != "domain"}}
    elif table not in SHARED:
        pairs = {"domain": ("scope", pairs["scope_id"][1]), **pairs}
    if table in KEYS and KEYS[table] not in pairs:
        pairs[KEYS[table]] = ("key", -1)
    rest = rest.replace("ON CONFLICT (scope_id", "ON CONFLICT (domain, scope_id")
    values = ", ".join(["%s"] * len(pairs))
    return f"INSERT INTO {table} ({', '.join(pairs)}) VALUES ({values}){rest}", list(pairs.values())


def _other(sql: str) -> tuple[str, list[Slot]]:
    sql = _JOIN.sub(r"\1.domain = \2.domain AND \1.scope_id = \2.scope_id", sql)
    sql = sql.replace("IS ?", "IS NOT DISTINCT FROM ?").replace("LIMIT -1", "LIMIT ALL").replace("%", "%%")
    sql = re.sub(r"\bmax\((\w+), \?\)", r"GREATEST(\1, ?)", sql)
    slots: list[Slot] = []
    for count, found in enumerate(_BARE.findall(sql)):
        if found.startswith("scope_id"):
            slots += [("scope", count), ("value", count)]
        else:
            slots.append(("domain" if found.startswith("domain") else "limit" if "LIMIT" in found else "value", count))
    sql = _SCOPE.sub(lambda found: f"{found[1] or ''}domain = ? AND {found[1] or ''}scope_id = ?", sql)
    return sql.replace("?", "%s"), slots


class ScopeNumber(int):
    """The number of a scope that knows its domain."""

    domain: str

    def __new__(cls, number: int, domain: str) -> ScopeNumber:
        made = super().__new__(cls, number)
        made.domain = domain
        return made


def domain_of(statement: Statement, params: Sequence[Any]) -> str | None:
    """The tenant that a statement with these parameters is about; None for a shared table.

    Raises StoreError for a number that does not tell its domain: it would not be a tenant's own.
    """
    if statement.tenant < 0:
        return None
    value = params[statement.tenant]
    if isinstance(value, ScopeNumber):
        return value.domain
    if isinstance(value, str):
        return value
    if value == 0:  # no scope's number
        return ""
    raise StoreError("a statement was given a scope without its domain")


def bound(statement: Statement, params: Sequence[Any], key: int) -> list[Any]:
    """The parameters in the order of the statement's placeholders; ``key`` numbers a new row."""
    return [key if kind == "key" else _value(kind, params[at]) for kind, at in statement.slots]


def _value(kind: Kind, value: Any) -> Any:
    if kind == "scope":
        return value.domain if isinstance(value, ScopeNumber) else ""
    if kind == "limit":
        return None if value < 0 else value
    return int(value) if isinstance(value, ScopeNumber) else value
