"""What can be wrong with the path of a store, and how its schema comes to be."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from smartbrain.config import StorePolicy
from smartbrain.errors import StoreBusyError, StoreError, StoreOpenError, StoreVersionError
from smartbrain.stores import open_storage
from smartbrain.stores.sql.steps import Migration
from smartbrain.stores.sqlite import opening
from smartbrain.stores.sqlite.connection import connect
from smartbrain.stores.sqlite.migrate import APPLICATION_ID, migrate, shipped, statements
from smartbrain.stores.sqlite.storage import SqliteStorage
from smartbrain.testing.storage_values import HERE, append, found, make_turn

QUICK = StorePolicy(durability="normal", busy_timeout_ms=50)


def folder(path: Path) -> None:
    path.mkdir()


def text_file(path: Path) -> None:
    path.write_text("dear diary\n" * 100)


def short_file(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0 and no more")


def foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE theirs (x)")
        raw.commit()


def foreign_database_with_a_log(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("CREATE TABLE theirs (x)")
        raw.commit()


def newer_store(path: Path) -> None:
    open_storage(path, QUICK).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 999")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def store_with_garbage(path: Path) -> None:
    with closing(open_storage(path, QUICK)) as storage:
        append(storage, make_turn())
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xee" * (len(data) - 100))


def store_cut_short(path: Path) -> None:
    open_storage(path, QUICK).close()
    path.write_bytes(path.read_bytes()[:8192])


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (text_file, "not a SQLite database"),
        (short_file, "not a SQLite database"),
        (foreign_database, "another program"),
        (foreign_database_with_a_log, "another program"),
        (newer_store, "newer SmartBrain"),
        (store_with_garbage, "damaged"),
        (store_cut_short, "damaged"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_file_that_is_no_store_is_refused_and_left_alone(
    tmp_path: Path, prepare: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "brain.db"
    prepare(path)
    before = path.read_bytes()
    with pytest.raises(StoreOpenError, match=reason) as refused:
        open_storage(path, QUICK)
    assert str(path) in str(refused.value)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["brain.db"]


def test_a_newer_store_has_an_error_of_its_own(tmp_path: Path) -> None:
    newer_store(tmp_path / "brain.db")
    with pytest.raises(StoreVersionError, match="schema 999"):
        open_storage(tmp_path / "brain.db", QUICK)


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreOpenError, match="it is a folder"):
        open_storage(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreOpenError, match=r"nowhere does not exist"):
        open_storage(tmp_path / "nowhere" / "brain.db")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("locked", ["brain.db", ""])
def test_a_read_only_file_or_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locked: str) -> None:
    path = tmp_path / "brain.db"
    open_storage(path, QUICK).close()
    # The tests may run as root, for whom no file is read-only.
    monkeypatch.setattr(opening.os, "access", lambda what, mode: Path(what) != tmp_path / locked)
    with pytest.raises(StoreOpenError, match="read-only"):
        open_storage(path, QUICK)


@pytest.mark.parametrize(
    ("code", "name", "reason"),
    [
        (sqlite3.SQLITE_IOERR, "SQLITE_IOERR_LOCK", "cannot lock files"),
        (sqlite3.SQLITE_PROTOCOL, "SQLITE_PROTOCOL", "cannot lock files"),
        (sqlite3.SQLITE_READONLY, "SQLITE_READONLY", "read-only"),
        (sqlite3.SQLITE_CANTOPEN, "SQLITE_CANTOPEN", "the system refuses it"),
    ],
)
def test_what_sqlite_refuses_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, name: str, reason: str
) -> None:
    def refuse(*_: object) -> None:
        error = sqlite3.OperationalError("no")
        error.sqlite_errorcode, error.sqlite_errorname = code, name
        if code == sqlite3.SQLITE_PROTOCOL:
            raise StoreBusyError("no") from error
        raise error

    monkeypatch.setattr(opening, "connect", refuse)
    with pytest.raises(StoreOpenError, match=reason):
        open_storage(tmp_path / "brain.db", QUICK)


def test_an_empty_file_and_an_empty_database_become_stores(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    with closing(sqlite3.connect(tmp_path / "b.db")) as raw:
        raw.execute("PRAGMA user_version = 0")
        raw.execute("VACUUM")
    for name in ("a.db", "b.db"):
        with closing(open_storage(tmp_path / name, QUICK)) as storage:
            append(storage, make_turn())
        with closing(open_storage(tmp_path / name, QUICK)) as storage, storage.read() as reader:
            assert reader.turn_count([HERE]) == 1


def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    path = tmp_path / "a b?c#d%20é脑.db"
    open_storage(path, QUICK).close()
    assert path.read_bytes()[68:72] == APPLICATION_ID.to_bytes(4, "big")


def test_a_target_may_be_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for target in (f"sqlite:///{tmp_path}/one.db", "sqlite:///two%20.db", "three.db", "sqlite://", ":memory:"):
        open_storage(target, QUICK).close()
    assert {entry.name for entry in tmp_path.iterdir()} == {"one.db", "two .db", "three.db"}


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("redis://me:secret@host", "unknown kind"),
        ("sqlite://host/brain.db", "names a host"),
        ("", "empty"),
    ],
)
def test_a_target_that_cannot_be_is_refused_without_its_password(target: str, reason: str) -> None:
    with pytest.raises(StoreOpenError, match=reason) as refused:
        open_storage(target)
    assert "secret" not in str(refused.value)


def test_twenty_threads_may_open_a_store_that_is_not_there(tmp_path: Path) -> None:
    def use(number: int) -> None:
        with closing(open_storage(tmp_path / "brain.db", StorePolicy(durability="normal"))) as storage:
            append(storage, make_turn(f"t{number}", "hello"))

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(use, range(20)))
    with closing(open_storage(tmp_path / "brain.db", QUICK)) as storage, storage.read() as reader:
        assert reader.turn_count([HERE]) == 20


NEXT = len(shipped()) + 1
SECOND = Migration(
    NEXT, "9999_dummy", "-- a note; with a semicolon\nALTER TABLE meta ADD COLUMN note TEXT;\nCREATE TABLE x (y);"
)
BROKEN = Migration(NEXT, "9999_broken", "CREATE TABLE x (y); CREATE TABLE meta (z);")


def schema(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as raw:
        version = raw.execute("PRAGMA user_version").fetchall()
        records = raw.execute("SELECT version, name FROM migrations ORDER BY version").fetchall()
        return version + records + raw.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


def test_a_migrated_store_equals_a_fresh_one(tmp_path: Path) -> None:
    old, fresh = tmp_path / "old.db", tmp_path / "fresh.db"
    with closing(SqliteStorage(old, QUICK)) as storage:
        append(storage, make_turn("t1", "kept"))
    with closing(SqliteStorage(old, QUICK, [*shipped(), SECOND])) as storage, storage.read() as reader:
        assert found(reader, "kept") == [0]
    SqliteStorage(fresh, QUICK, [*shipped(), SECOND]).close()
    assert schema(old) == schema(fresh)
    with pytest.raises(StoreVersionError):
        SqliteStorage(old, QUICK)


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "brain.db"
    with closing(SqliteStorage(path, QUICK)) as storage:
        append(storage, make_turn("t1", "kept"))
    before = schema(path)
    with pytest.raises(StoreError):
        SqliteStorage(path, QUICK, [*shipped(), BROKEN])
    assert schema(path) == before


def test_the_shipped_migrations_are_numbered_without_a_gap() -> None:
    assert [step.version for step in shipped()] == list(range(1, len(shipped()) + 1))
    assert all(list(statements(step.sql)) for step in shipped())


def test_migrating_twice_does_nothing(tmp_path: Path) -> None:
    with closing(connect((tmp_path / "x.db").as_uri(), QUICK)) as connection:
        migrate(connection, QUICK, shipped())
        changes = connection.raw.total_changes
        migrate(connection, QUICK, shipped())
        assert connection.raw.total_changes == changes


def test_another_way_to_cut_words_makes_the_index_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "brain.db"
    with closing(open_storage(path, QUICK)) as storage:
        append(storage, make_turn("t1", "apples"))
    monkeypatch.setattr("smartbrain.text.terms.ANALYZER_ID", "other")
    monkeypatch.setattr("smartbrain.text.terms.term_counts", lambda text: {text[:2]: 1})
    for _ in range(2):
        with closing(open_storage(path, QUICK)) as storage, storage.read() as reader:
            assert found(reader, "ap") == [0]
            assert found(reader, "appl") == []
            assert reader.generation([HERE]) == 2
