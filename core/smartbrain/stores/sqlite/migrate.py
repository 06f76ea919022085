"""The schema as numbered SQL files, each applied with its record in one transaction; forward only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreOpenError, StoreVersionError
from smartbrain.stores.sql.steps import Migration, steps_of
from smartbrain.stores.sqlite.connection import Connection, begin_write, rollback

#: Marks a file as a SmartBrain store (``PRAGMA application_id``): "SmBr" in ASCII.
APPLICATION_ID = 0x536D4272
#: Marks a file as a library of documents: "SmBl".
LIBRARY_ID = 0x536D426C
_OURS = {APPLICATION_ID: "the memory of a SmartBrain", LIBRARY_ID: "a library of documents"}


def shipped() -> tuple[Migration, ...]:
    """The steps that come with the package, in order."""
    return steps_of("smartbrain.stores.sqlite")


def version_of(connection: Connection, application_id: int = APPLICATION_ID) -> int:
    """How many steps were applied; 0 for an empty database.

    Raises StoreOpenError for another program's database, and for one that holds something else of ours.
    """
    filled = connection.one("SELECT 1 FROM sqlite_master LIMIT 1")
    # Asked after what the database holds: between the two, another process may have made it a store.
    row = connection.one("PRAGMA application_id")
    found_id = row[0] if row else 0
    if found_id == application_id:
        found = connection.one("PRAGMA user_version")
        return int(found[0]) if found else 0
    if filled and found_id in _OURS:
        raise StoreOpenError(f"it is {_OURS[found_id]}; memory and documents are kept in a file each")
    if filled:
        raise StoreOpenError("it is a database of another program")
    return 0


def migrate(
    connection: Connection, policy: StorePolicy, steps: Sequence[Migration], application_id: int = APPLICATION_ID
) -> None:
    """Brings the schema up to the last step. Several processes may do so at once: each step is applied once.

    Raises StoreVersionError when the schema is newer than the last step, and changes nothing then.
    """
    while (version := _checked_version(connection, steps, application_id)) < len(steps):
        begin_write(connection, policy)
        try:
            if _checked_version(connection, steps, application_id) == version:
                _apply(connection, steps[version], application_id)
            connection.run("COMMIT")
        finally:
            rollback(connection)


def _checked_version(connection: Connection, steps: Sequence[Migration], application_id: int) -> int:
    version = version_of(connection, application_id)
    if version > len(steps):
        raise StoreVersionError(
            f"it was written by a newer SmartBrain (schema {version}, this one knows {len(steps)}); upgrade smartbrain"
        )
    return version


def _apply(connection: Connection, step: Migration, application_id: int) -> None:
    for statement in statements(step.sql):
        connection.run(statement)
    connection.run("INSERT INTO migrations (version, name) VALUES (?, ?)", (step.version, step.name))
    connection.run(f"PRAGMA application_id = {application_id}")
    connection.run(f"PRAGMA user_version = {step.version}")


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: ``executescript`` would commit the transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
