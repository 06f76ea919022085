"""How large a store is, in parts."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from smartbrain.stores.targets import target_of

# The first that a table's name begins with; its indexes are named after it.
_PARTS = {"index_": "index", "vector": "vectors", "messages": "messages", "turns": "turns"}


def store_sizes(name: str | Path) -> dict[str, int]:
    """Bytes of the whole store (``store``) and of its parts, indexes of the database included.

    ``index`` is the lexical index, ``vectors``, ``messages`` and ``turns`` are what they say, ``rest`` is all else;
    only ``store`` where SQLite was built without ``dbstat``. Empty for a store in memory. Reads the whole file.
    """
    target = target_of(name)
    if target.kind == "postgres":
        return _of_server(target.url)
    return {} if target.path is None else _of_file(target.path)


def _of_file(path: Path) -> dict[str, int]:
    import sqlite3

    files = [path, path.with_name(f"{path.name}-wal")]
    whole = sum(file.stat().st_size for file in files if file.exists())
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        try:
            rows = database.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
        except sqlite3.OperationalError:
            rows = []
    return _in_parts(rows, whole)


def _of_server(url: str) -> dict[str, int]:
    import psycopg

    with psycopg.connect(url) as database:
        rows = database.execute(
            "SELECT relname::text, pg_total_relation_size(c.oid) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE relkind IN ('r', 'p') AND nspname = current_schema()"
        ).fetchall()
    return _in_parts(rows, sum(size for _, size in rows))


def _in_parts(rows: Iterable[tuple[str, int]], whole: int) -> dict[str, int]:
    sizes = {"store": whole}
    for name, size in rows:
        part = next((part for start, part in _PARTS.items() if name.startswith(start)), "rest")
        sizes[part] = sizes.get(part, 0) + int(size)
    return sizes
