"""What names a store: a path, ``:memory:`` or a URL."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from smartbrain.errors import StoreOpenError

_MEMORY = ":memory:"


class Target(NamedTuple):
    """Where a store is: ``path`` of a file (None: in memory), or ``url`` of a database."""

    kind: Literal["sqlite", "postgres"]
    path: Path | None = None
    url: str = ""


def target_of(name: str | Path) -> Target:
    """Reads what ``open_storage`` takes. Raises StoreOpenError for what names no store."""
    if isinstance(name, Path):
        return Target("sqlite", name)
    scheme, mark, rest = name.partition("://")
    if mark and scheme in {"postgres", "postgresql"}:
        return Target("postgres", url=name)
    if mark and scheme != "sqlite":
        raise StoreOpenError(
            f"unknown kind of store {scheme!r}; give a path, :memory:, sqlite:///path or postgresql://…"
        )
    path = _sqlite_path(name, rest) if mark else name
    if not path:
        raise StoreOpenError("the path of the store is empty; give a path or :memory:")
    return Target("sqlite", None if path == _MEMORY else Path(path))


def _sqlite_path(target: str, rest: str) -> str:
    from urllib.parse import unquote

    if rest in {"", "/"}:
        return _MEMORY
    if not rest.startswith("/"):
        raise StoreOpenError(f"{target!r} names a host; write sqlite:///relative/path or sqlite:////absolute/path")
    return unquote(rest[1:])
