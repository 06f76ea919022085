"""Where events, memory and search live. ``open_storage`` opens the embedded store or one on a PostgreSQL server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from smartbrain.config import StorePolicy
from smartbrain.errors import MissingExtraError

if TYPE_CHECKING:
    from smartbrain.ports import Storage


def open_storage(target: str | Path, policy: StorePolicy | None = None) -> Storage:
    """Opens the store at ``target``, making it if it is not there.

    ``target`` is a path, ``":memory:"``, or ``"sqlite:///relative/path"``, ``"sqlite:////absolute/path"``,
    ``"sqlite:///:memory:"`` (percent-escapes are read), or ``"postgresql://user@host/database"`` (extra ``postgres``;
    the database must be there). Raises StoreOpenError (with StoreVersionError for a store of a newer SmartBrain),
    StoreBusyError, and MissingExtraError without the extra.
    """
    from smartbrain.stores.targets import target_of

    policy = policy or StorePolicy()
    where = target_of(target)
    if where.kind == "postgres":
        return _postgres(where.url, policy)
    from smartbrain.stores.sqlite.storage import SqliteStorage

    return SqliteStorage(where.path, policy)


def _postgres(url: str, policy: StorePolicy) -> Storage:
    try:
        from smartbrain.stores.postgres.storage import PostgresStorage
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"psycopg", "psycopg_pool"}:
            raise
        raise MissingExtraError("a PostgreSQL store", "postgres") from error
    return PostgresStorage(url, policy)
