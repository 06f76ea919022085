"""What the shared statements ask of a connection, whichever database it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from smartbrain.model import Scope

T = TypeVar("T")
Row = tuple[Any, ...]

HOLDING = ("turns", "open_turns", "items", "summaries", "contexts", "verdicts")
"""A scope that has a row in one of these tables holds something."""


class Done(Protocol):
    """What a statement without rows has done; ``lastrowid`` is the key of a row that an INSERT made."""

    @property
    def lastrowid(self) -> int | None: ...

    @property
    def rowcount(self) -> int: ...


class Connection(Protocol):
    """A connection inside a transaction; statements in SQLite's dialect, with ``?`` for each parameter."""

    def all(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """Every row."""

    def one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        """The first row, if any."""

    def each(self, sql: str, rows: Iterable[Sequence[Any]]) -> Iterator[list[Row]]:
        """The rows for each of the parameters, in order."""

    def run(self, sql: str, params: Sequence[Any] = ()) -> Done:
        """Runs a statement that gives no rows."""

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs a statement for each row of parameters."""

    def scope_key(self, number: int, scope: Scope) -> int:
        """A scope's number as statements get it, who may need to know of what domain it is."""

    def scopes(self, domain: str | None = None) -> list[Scope]:
        """The scopes that hold anything, in order: those of a domain, or all that this connection may see."""

    def every_scope(self) -> list[Scope]:
        """The scopes that hold anything, in order. Raises StoreError where some may be hidden from this connection."""

    def overwrite_deleted(self) -> None:
        """From here on, deleted rows are overwritten where the database can do that."""


def chunks(values: Iterable[T], size: int = 400) -> Iterator[list[T]]:
    """The values in lists that fit the number of parameters of one statement."""
    kept = list(values)
    return (kept[at : at + size] for at in range(0, len(kept), size))


def marks(values: Sequence[Any]) -> str:
    """The placeholders for a list of values."""
    return ",".join("?" * len(values))
