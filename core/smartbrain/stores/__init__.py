"""Where events, memory and search live. ``open_storage`` opens the embedded store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreOpenError

if TYPE_CHECKING:
    from smartbrain.ports import Storage

_MEMORY = ":memory:"


def open_storage(target: str | Path, policy: StorePolicy | None = None) -> Storage:
    """Opens the store at ``target``, making it if it is not there.

    ``target`` is a path, ``":memory:"``, or ``"sqlite:///relative/path"``, ``"sqlite:////absolute/path"``,
    ``"sqlite:///:memory:"`` (percent-escapes are read). Raises StoreOpenError (with StoreVersionError for a store of
    a newer SmartBrain) and StoreBusyError.
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
        raise StoreOpenError("this version of SmartBrain has no PostgreSQL store; give a path or sqlite:///path")
    else:
        raise StoreOpenError(f"unknown kind of store {scheme!r}; give a path, :memory: or sqlite:///path")
    if not path:
        raise StoreOpenError("the path of the store is empty; give a path or :memory:")
    return SqliteStorage(None if path == _MEMORY else Path(path), policy)


def _sqlite_path(target: str, rest: str) -> str:
    from urllib.parse import unquote

    if rest in {"", "/"}:
        return _MEMORY
    if not rest.startswith("/"):
        raise StoreOpenError(f"{target!r} names a host; write sqlite:///relative/path or sqlite:////absolute/path")
    return unquote(rest[1:])
