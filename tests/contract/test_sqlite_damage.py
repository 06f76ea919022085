"""The ground goes away under a store: a full disk, a deleted file, what a crash left. One clear error, and no damage."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from smartbrain import SmartBrain
from smartbrain.config import StorePolicy
from smartbrain.errors import StoreError, StoreOpenError
from smartbrain.stores import open_storage
from smartbrain.stores.sqlite.storage import SqliteStorage
from smartbrain.testing.storage_values import HERE, append, found, make_turn

QUICK = StorePolicy(durability="normal", busy_timeout_ms=50)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "brain.db"


@pytest.fixture
def storage(path: Path) -> Iterator[SqliteStorage]:
    with closing(SqliteStorage(path, QUICK)) as storage:
        yield storage


def turns(path: Path) -> list[str]:
    """The turns of a store, which is opened anew and must be sound; each is found by its own word."""
    with closing(open_storage(path, QUICK)) as storage, storage.read() as reader:
        ids = sorted(turn.turn_id for turn in reader.turns([HERE]))
        assert all(len(found(reader, name)) == 1 for name in ids)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return ids


def say(storage: SqliteStorage, name: str) -> None:
    """Commits the turn ``name``, whose one message is its name."""
    with storage.write() as writer:
        writer.append_turn(make_turn(name, name, seq=writer.next_seq(HERE, "s1")))


# -- no room ------------------------------------------------------------------------------------------------------


# A program of its own, for the limit is one of the process. Files may not grow: as on a full disk, writes fail.
COMMIT_UNTIL_FULL = """
import json, resource, signal, sys
from smartbrain import SmartBrain
from smartbrain.errors import StoreError

def commit(n):
    messages = [{"role": "user", "content": f"I prefer word{n}x. " + 40 * "and so on "}]
    return brain.commit_turn("s1", messages=messages, user_id="ann", turn_id=f"t{n}").status

told = {}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with SmartBrain.open(sys.argv[1], config={"store": {"durability": "normal"}}) as brain:
    done = 0
    commit(0)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, limit[1]))
    try:
        while done < 1000:
            commit(done + 1)
            done += 1
    except StoreError as error:
        told["error"] = str(error)
    told["done"] = done
    told["found"] = len(brain.search("s1", "word0x", user_id="ann").evidences)
    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    told["again"] = [commit(done), commit(done + 1)]
print(json.dumps(told))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limit of file sizes")
def test_a_full_disk_fails_one_commit_and_the_store_goes_on_when_there_is_room(path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", COMMIT_UNTIL_FULL, str(path)], check=False, capture_output=True, timeout=100
    )
    assert run.returncode == 0, run.stderr.decode()
    told = json.loads(run.stdout)
    assert "is the disk full" in told["error"]
    assert 0 < told["done"] < 1000
    assert told["found"] > 0  # reading goes on
    assert told["again"] == ["replayed", "committed"]
    with SmartBrain.open(path) as brain, brain._shop.storage.read() as reader:
        (scope,) = brain._shop.storage.scopes()
        assert sorted(int(turn.turn_id[1:]) for turn in reader.turns([scope])) == [*range(told["done"] + 2)]
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


TOO_LONG = "much too long " * 10_000


def go_on_after_an_error(storage: SqliteStorage) -> None:
    with storage.write() as writer:
        with pytest.raises(StoreError, match="no room is left"):
            writer.append_turn(make_turn("long", TOO_LONG, seq=2))
        with pytest.raises(StoreError, match="nothing of this transaction was kept"):
            writer.append_turn(make_turn("alone", "alone", seq=2))


def test_a_store_that_may_not_grow_says_that_no_room_is_left(path: Path, storage: SqliteStorage) -> None:
    say(storage, "first")
    with storage._pool.writing() as connection:
        pages = connection.one("PRAGMA page_count")
        assert pages is not None
        connection.run(f"PRAGMA max_page_count = {pages[0]}")
    with pytest.raises(StoreError, match="no room is left"):
        append(storage, make_turn("long", TOO_LONG, seq=2))
    # SQLite has taken back the transaction: what is written after it would be committed at once, and alone.
    with pytest.raises(StoreError, match="nothing of this transaction was kept"):
        go_on_after_an_error(storage)
    with storage._pool.writing() as connection:
        connection.one("PRAGMA max_page_count = 1000000")
    say(storage, "second")
    storage.close()
    assert turns(path) == ["first", "second"]


def test_what_comes_after_a_transaction_that_the_database_took_back_is_refused(storage: SqliteStorage) -> None:
    def go_on() -> None:
        with storage._pool.writing() as connection:
            connection.raw.execute("ROLLBACK")  # as SQLite does when the disk is full
            connection.run("INSERT INTO meta (name, value) VALUES ('half', '1')")

    with pytest.raises(StoreError, match="begin it anew"):
        go_on()
    with storage._pool.writing() as connection:
        assert connection.all("SELECT 1 FROM meta WHERE name = 'half'") == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_what_the_system_cannot_write_is_told_when_opening(tmp_path: Path) -> None:
    with pytest.raises(StoreOpenError, match="not a regular file"):
        open_storage("/dev/full", QUICK)


# -- gone or another ----------------------------------------------------------------------------------------------


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))


def replace(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


@pytest.mark.skipif(sys.platform == "win32", reason="the system keeps open files where they are")
@pytest.mark.parametrize("take_away", [delete, move, replace])
def test_a_store_that_is_taken_away_acknowledges_nothing_more(
    path: Path, storage: SqliteStorage, take_away: Callable[[Path], None]
) -> None:
    say(storage, "first")
    with storage.read() as reader:  # so that a reader is kept
        assert found(reader, "first") == [0]
    take_away(path)
    with pytest.raises(StoreError, match="deleted, moved or replaced"):
        say(storage, "second")
    with pytest.raises(StoreError, match="deleted, moved or replaced"), storage.read():
        raise AssertionError("read from a file that is gone")
    storage.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the system keeps open files where they are")
def test_a_store_that_is_put_back_goes_on(path: Path, storage: SqliteStorage) -> None:
    say(storage, "first")
    away = path.with_suffix(".moved")
    path.rename(away)
    with pytest.raises(StoreError, match="put the file back"):
        say(storage, "lost")
    away.rename(path)
    say(storage, "second")
    storage.close()
    assert turns(path) == ["first", "second"]


@pytest.mark.skipif(sys.platform == "win32", reason="the system keeps open files where they are")
def test_a_brain_whose_store_is_deleted_says_so_and_a_new_one_begins_anew(path: Path) -> None:
    brain = SmartBrain.open(path)
    brain.commit_turn("s1", messages=[{"role": "user", "content": "I prefer tea."}], turn_id="t1")
    path.unlink()
    with pytest.raises(StoreError, match="deleted, moved or replaced"):
        brain.commit_turn("s1", messages=[{"role": "user", "content": "I prefer milk."}], turn_id="t2")
    brain.close()
    with SmartBrain.open(path) as brain:
        assert brain.memories("s1") == []
        brain.commit_turn("s1", messages=[{"role": "user", "content": "I prefer milk."}], turn_id="t2")


# -- what a crash left --------------------------------------------------------------------------------------------


@pytest.fixture
def crashed(path: Path, storage: SqliteStorage, tmp_path: Path) -> Path:
    """The files of a store as a crash leaves them: three turns, the last two in the log alone."""
    say(storage, "first")
    with storage._pool.alone() as connection:
        connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    say(storage, "second")
    say(storage, "third")
    folder = tmp_path / "crashed"
    folder.mkdir()
    for file in tmp_path.glob("brain.db*"):
        shutil.copy(file, folder)
    assert (folder / "brain.db-wal").stat().st_size > 0
    return folder / "brain.db"


def test_a_log_that_a_crash_left_is_read(crashed: Path) -> None:
    assert turns(crashed) == ["first", "second", "third"]
    assert [entry.name for entry in crashed.parent.iterdir()] == ["brain.db"]


@pytest.mark.parametrize("cut", [1, 1000, 5000])
def test_a_log_that_was_cut_short_loses_the_commit_that_was_not_finished_and_no_other(crashed: Path, cut: int) -> None:
    log = crashed.with_name("brain.db-wal")
    log.write_bytes(log.read_bytes()[:-cut])
    assert turns(crashed) == ["first", "second"]
    with closing(SqliteStorage(crashed, QUICK)) as storage:
        say(storage, "third")
    assert turns(crashed) == ["first", "second", "third"]


@pytest.mark.parametrize("suffix", ["-shm", "-wal"])
def test_garbage_beside_a_store_does_not_harm_it(crashed: Path, suffix: str) -> None:
    file = crashed.with_name(f"brain.db{suffix}")
    file.write_bytes(b"\xee" * max(file.stat().st_size, 4096))
    # The index of the log is made anew; of a log that is none, nothing can be read.
    assert turns(crashed) == (["first", "second", "third"] if suffix == "-shm" else ["first"])


# -- read-only ----------------------------------------------------------------------------------------------------


def open_as_nobody(path: Path) -> str:
    """What a process without privileges is told that opens the store; empty if it may."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            os.stat(path)
            open_storage(path, QUICK).close()
        except (StoreError, OSError) as error:
            os.write(send, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(send)
    with os.fdopen(receive, "rb") as pipe:
        told = pipe.read().decode()
    os.waitpid(child, 0)
    if told.startswith("PermissionError"):
        pytest.skip(f"a process without privileges cannot look at the folder: {told}")
    return told


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(("of_file", "of_folder"), [(0o444, 0o777), (0o666, 0o555)])
def test_whoever_may_not_write_is_told_and_leaves_no_trace(of_file: int, of_folder: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "brain.db"
        with closing(SqliteStorage(path, QUICK)) as storage:
            say(storage, "first")
        before = path.read_bytes()
        path.chmod(of_file)
        folder.chmod(of_folder)
        told = open_as_nobody(path)
        folder.chmod(0o777)
        path.chmod(0o666)
        assert told.startswith(f"StoreOpenError: cannot open the store {path}: ")
        assert "read-only" in told
        assert path.read_bytes() == before
        assert [entry.name for entry in folder.iterdir()] == ["brain.db"]
        assert open_as_nobody(path) == ""
        assert turns(path) == ["first"]
