"""The schema as numbered SQL files, applied in one transaction under a lock; forward only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import psycopg

from smartbrain.errors import StoreOpenError, StoreVersionError
from smartbrain.stores.postgres.connection import Raw
from smartbrain.stores.postgres.dialect import SHARED
from smartbrain.stores.sql.steps import Migration, steps_of

#: The key of the advisory lock under which the schema changes: "SmBr" in ASCII.
LOCK = 0x536D4272
_TABLE = re.compile(r"CREATE TABLE (\w+)")


def shipped() -> tuple[Migration, ...]:
    """The steps that come with the package, in order."""
    return steps_of("smartbrain.stores.postgres")


def migrate(raw: Raw, steps: Sequence[Migration], partitions: int) -> None:
    """Brings the schema up to the last step. Any number of processes may do so at once: each step is applied once.

    ``partitions`` counts for a new schema; what an older one was made with stays. Raises StoreVersionError when the
    schema is newer than the last step, and changes nothing then; StoreOpenError for another program's tables.
    """
    if _checked_version(raw, steps) == len(steps):
        return
    with raw.transaction():
        raw.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        version = _checked_version(raw, steps)
        if not version and raw.execute(_ANY_OF, [_tables(steps)]).fetchone():
            raise StoreOpenError("its schema holds tables of another program; name an empty database")
        for step in steps[version:]:
            _apply(raw, step, partitions)


# Read from the catalog and not asked of to_regclass: that may still answer from a cache of before the lock was waited
# for, and one of ten workers that start at once would take the others' schema for another program's.
_EXISTS = (
    "SELECT count(*) = 2 FROM pg_class WHERE relname IN ('migrations', 'tenants') AND relkind IN ('r', 'p')"
    " AND pg_table_is_visible(oid)"
)
_ANY_OF = "SELECT 1 FROM pg_class WHERE relname = ANY (%s::text[]) AND pg_table_is_visible(oid) LIMIT 1"


def _checked_version(raw: Raw, steps: Sequence[Migration]) -> int:
    exists = raw.execute(_EXISTS).fetchone()
    found = raw.execute("SELECT max(version) FROM migrations").fetchone() if exists and exists[0] else None
    version = int(found[0] or 0) if found else 0
    if version > len(steps):
        raise StoreVersionError(
            f"it was written by a newer SmartBrain (schema {version}, this one knows {len(steps)}); upgrade smartbrain"
        )
    return version


def _tables(steps: Sequence[Migration]) -> list[str]:
    return [name for step in steps for name in _TABLE.findall(step.sql)]


def _apply(raw: Raw, step: Migration, partitions: int) -> None:
    if step.version > 1:
        partitions = _partitions(raw)
    for statement in statements(step.sql, partitions):
        raw.execute(statement.encode())
    if step.version == 1:
        raw.execute("INSERT INTO meta (name, value) VALUES ('partitions', %s)", [str(partitions)])
    raw.execute("INSERT INTO migrations (version, name) VALUES (%s, %s)", [step.version, step.name])


def _partitions(raw: Raw) -> int:
    row = raw.execute("SELECT value FROM meta WHERE name = 'partitions'").fetchone()
    return int(row[0]) if row else 0


def statements(script: str, partitions: int) -> Iterator[str]:
    """The statements of a step; with ``partitions`` each tenant's table is made in so many parts, by its domain."""
    for text in re.sub(r"(?m)^--.*\n", "", script).split(";\n"):
        statement = text.strip()
        made = _TABLE.match(statement)
        if not made or made[1] in SHARED or not partitions:
            yield statement
            continue
        yield f"{statement} PARTITION BY HASH (domain)"
        for part in range(partitions):
            yield (
                f"CREATE TABLE {made[1]}_p{part} PARTITION OF {made[1]}"
                f" FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part})"
            )


def read_only(error: psycopg.Error) -> bool:
    """Whether the server refuses to write at all."""
    return error.sqlstate == "25006"
