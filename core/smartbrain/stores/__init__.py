"""Where events, memory and search live. ``open_storage`` opens the embedded store or one on a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from smartbrain.config import StorePolicy
from smartbrain.errors import MissingExtraError, StoreOpenError

if TYPE_CHECKING:
    from smartbrain.ports import Storage

_MEMORY = ":memory:"


def open_storage(target: str | Path, policy: StorePolicy | None = None) -> Storage:
    """Opens the store at ``target``, making it if it is not there.

    ``target`` is a path, ``":memory:"``, or ``"sqlite:///relative/path"``, ``"sqlite:////absolute/path"``,
    ``"sqlite:///:memory:"`` (percent-escapes are read), or ``"postgresql://user@host/database"`` (extra ``postgres``;
    the database must be there). Raises StoreOpenError (with StoreVersionError for a store of a newer SmartBrain),
    StoreBusyError, and MissingExtraError without the extra.
    """
    from smartbrain.stores.sqlite.storage import SqliteStorage

    policy = policy or StorePolicy()
    if isinstance(target, Path):
        return SqliteStorage(target, policy)
    scheme, mark, rest = target.partition("://")
    if not mark:
        path = target
    elif scheme == "sqlite":
        path = _sqlite_path(target, rest)
    elif scheme in {"postgres", "postgresql"}:
        return _postgres(target, policy)
    else:
        raise StoreOpenError(
            f"unknown kind of store {scheme!r}; give a path, :memory:, sqlite:///path or postgresql://…"
        )
    if not path:
        raise StoreOpenError("the path of the store is empty; give a path or :memory:")
    return SqliteStorage(None if path == _MEMORY else Path(path), policy)


def _postgres(url: str, policy: StorePolicy) -> Storage:
    try:
        from smartbrain.stores.postgres.storage import PostgresStorage
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"psycopg", "psycopg_pool"}:
            raise
        raise MissingExtraError("a PostgreSQL store", "postgres") from error
    return PostgresStorage(url, policy)


def _sqlite_path(target: str, rest: str) -> str:
    from urllib.parse import unquote

    if rest in {"", "/"}:
        return _MEMORY
    if not rest.startswith("/"):
        raise StoreOpenError(f"{target!r} names a host; write sqlite:///relative/path or sqlite:////absolute/path")
    return unquote(rest[1:])
