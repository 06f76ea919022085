"""One file shared by threads and processes, and what its statements may look at."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest

from smartbrain.config import StorePolicy
from smartbrain.errors import ClosedError, StoreBusyError, StoreError
from smartbrain.stores import open_storage
from smartbrain.stores.sqlite.storage import SqliteStorage
from smartbrain.testing.storage_contract import use_everything
from smartbrain.testing.storage_values import (
    HERE,
    append,
    found,
    make_turn,
)

QUICK = StorePolicy(durability="normal")
HASTY = StorePolicy(durability="normal", busy_timeout_ms=50)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "brain.db"


@pytest.fixture
def storage(path: Path) -> Iterator[SqliteStorage]:
    with closing(SqliteStorage(path, QUICK)) as storage:
        yield storage


# A program of its own, so that it runs wherever the package is installed and no test module need be importable.
COMMIT_MANY = """
import sys
from contextlib import closing
from smartbrain.stores import open_storage
from smartbrain.testing.storage_values import HERE, make_turn

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with closing(open_storage(path)) as storage:
    for number in range(count):
        with storage.write() as writer:
            seq = writer.next_seq(HERE, "s1")
            writer.append_turn(make_turn(f"{name}{number}", f"common {name}{number}", seq=seq))
"""


@pytest.mark.slow
def test_two_processes_lose_no_commit(path: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", COMMIT_MANY, str(path), name, "200"]) for name in ("left", "right")
    ]
    assert [process.wait(120) for process in processes] == [0, 0]
    with closing(open_storage(path)) as storage, storage.read() as reader:
        turns = reader.turns([HERE])
        assert sorted(turn.seq for turn in turns) == list(range(1, 401))
        assert {turn.turn_id for turn in turns} == {f"{name}{n}" for name in ("left", "right") for n in range(200)}
        assert found(reader, "common") == list(range(400))


#: Two processes of twenty threads; run by hand it goes on for a minute.
SHARING = Path(__file__).parents[1] / "benchmarks" / "bench_sharing.py"


@pytest.mark.slow
def test_two_processes_of_twenty_threads_lose_no_turn_and_none_is_refused(path: Path) -> None:
    """All of them open a store that is not there yet, and commit turns of their own and the same ones."""
    command = [sys.executable, str(SHARING), str(path), "--seconds", "0", "--commits", "3"]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert run.stdout, run.stderr
    told = json.loads(run.stdout)
    assert (told["errors"], told["lost"], told["twice"], told["sound"]) == ([], 0, 0, True)
    assert told["turns"] == 2 * 20 * 3 + 3
    assert told["statuses"] == {"committed": 2 * 20 * 3 + 3, "replayed": 2 * 20 * 3 - 3}
    assert run.returncode == 0


def test_twenty_threads_read_and_write_one_store(storage: SqliteStorage) -> None:
    ready = threading.Barrier(20)

    def use(number: int) -> None:
        ready.wait()
        for step in range(5):
            with storage.write() as writer:
                writer.append_turn(make_turn(f"t{number}.{step}", "hello", seq=writer.next_seq(HERE, "s1")))
            with storage.read() as reader:
                assert reader.turn([HERE], "s1", f"t{number}.{step}") is not None

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(use, range(20)))
    with storage.read() as reader:
        assert reader.turn_count([HERE]) == 100


def test_whoever_waits_too_long_for_another_process_is_told(path: Path) -> None:
    with closing(SqliteStorage(path, HASTY)) as storage, closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError) as busy, storage.write():
            raise AssertionError("two writers at once")
        assert isinstance(busy.value.__cause__, sqlite3.Error)
        with storage.read() as reader:
            assert reader.turns([HERE]) == []
        raw.execute("ROLLBACK")
        append(storage, make_turn())


@pytest.mark.parametrize("target", ["file", ":memory:"])
def test_whoever_waits_too_long_for_another_thread_is_told(path: Path, target: str) -> None:
    def begin() -> None:
        with storage.write():
            raise AssertionError("two writers at once")

    with closing(open_storage(path if target == "file" else target, HASTY)) as storage:
        with ThreadPoolExecutor(1) as other, storage.write(), pytest.raises(StoreBusyError):
            other.submit(begin).result()
        append(storage, make_turn())


@pytest.mark.parametrize("target", ["file", ":memory:"])
def test_a_write_inside_a_write_does_not_wait_for_itself(path: Path, target: str) -> None:
    with closing(open_storage(path if target == "file" else target, QUICK)) as storage:
        begun = monotonic()
        with storage.write() as writer:
            writer.append_turn(make_turn())
            with pytest.raises(StoreError, match="same thread"), storage.write():
                raise AssertionError("a write inside a write")
        assert monotonic() - begun < QUICK.busy_timeout_ms / 1000
        with storage.read() as reader:
            assert reader.turn_count([HERE]) == 1


def test_in_memory_reads_nest_and_nothing_else_does() -> None:
    with closing(open_storage(":memory:")) as storage:
        with storage.read() as outer, storage.read() as inner:
            assert outer.turns([HERE]) == inner.turns([HERE]) == []
        for first, second in ((storage.read, storage.write), (storage.write, storage.read)):
            with first(), pytest.raises(StoreError, match="in memory"), second():
                raise AssertionError("one connection cannot give two views")


def test_closing_lets_open_blocks_end(path: Path) -> None:
    storage = open_storage(path, QUICK)
    with storage.read() as reader, storage.write() as writer:
        writer.append_turn(make_turn())
        storage.close()
        assert reader.turns([HERE]) == []
    with pytest.raises(ClosedError):
        append(storage, make_turn())
    with closing(open_storage(path, QUICK)) as storage, storage.read() as reader:
        assert reader.turn_count([HERE]) == 1
    assert [entry.name for entry in path.parent.iterdir()] == ["brain.db"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_process_uses_connections_of_its_own(storage: SqliteStorage) -> None:
    append(storage, make_turn("t1", "hello"))
    with storage._pool.reading() as reading, storage._pool.writing() as writing:
        inherited = {id(reading), id(writing)}
    child = os.fork()
    if child == 0:
        try:
            append(storage, make_turn("t2", "hello", seq=2))
            with storage.read() as reader, storage._pool.reading() as reading, storage._pool.writing() as writing:
                own = inherited.isdisjoint({id(reading), id(writing), id(reader._db)})
                os._exit(0 if own and reader.turn_count([HERE]) == 2 else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    append(storage, make_turn("t3", "hello", seq=3))
    with storage.read() as reader:
        assert found(reader, "hello") == [0, 1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_dies_in_a_write_leaves_a_whole_store(path: Path) -> None:
    child = os.fork()
    if child == 0:
        try:
            storage = open_storage(path, QUICK)
            append(storage, make_turn("t1", "kept"))
            with storage.write() as writer:
                writer.append_turn(make_turn("t2", "lost"))
                os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    with closing(open_storage(path, QUICK)) as storage, storage.read() as reader:
        assert [turn.turn_id for turn in reader.turns([HERE])] == ["t1"]
        assert found(reader, "lost") == []


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch, storage: SqliteStorage) -> list[str]:
    """Every statement that one use of everything runs, with its parameters left open."""
    from smartbrain.stores.sqlite.connection import Connection

    seen: dict[str, None] = {}
    for name in ("all", "one", "run"):
        original = getattr(Connection, name)

        def note(self: Connection, sql: str, *args: object, original: object = original) -> object:
            seen[sql] = None
            return original(self, sql, *args)  # type: ignore[operator]

        monkeypatch.setattr(Connection, name, note)
    use_everything(storage)
    monkeypatch.undo()
    return [sql for sql in seen if sql.startswith(("SELECT", "UPDATE", "DELETE", "INSERT"))]


NOT_BY_SCOPE = (
    "SELECT 1 FROM meta",
    "SELECT scope_id FROM scopes WHERE domain = ?",
    "INSERT INTO scopes",
    "SELECT max(last_seq) FROM sessions WHERE domain = ?",  # numbers run through all scopes of a domain
    "DELETE FROM contexts WHERE domain = ? AND context_pk IN",  # so does the limit of contexts
)


def test_every_statement_filters_by_scope(statements: list[str]) -> None:
    assert len(statements) > 60
    bare = [s for s in statements if not s.startswith(NOT_BY_SCOPE) and not re.search(r"\bscope_id\b", s)]
    assert bare == []


def test_no_statement_scans_a_table(statements: list[str], path: Path) -> None:
    scans = []
    with closing(sqlite3.connect(path)) as raw:
        for sql in statements:
            plan = raw.execute(f"EXPLAIN QUERY PLAN {sql}", [None] * sql.count("?")).fetchall()
            # Reindexing sorts the turns of its scope; what stands in memory is no table.
            scans += [(sql, row[3]) for row in plan if re.match(r"SCAN (?!meta|\(subquery)", row[3])]
    assert scans == []


def test_the_work_of_a_commit_does_not_grow_with_the_store(storage: SqliteStorage) -> None:
    steps = [0]

    def count() -> int:
        steps[0] += 1
        return 0

    def cost(number: int) -> int:
        steps[0] = 0
        with storage._pool.writing() as connection:
            connection.raw.set_progress_handler(count, 1)
        append(storage, make_turn(f"t{number}", "same words", "and more", seq=number, minute=number))
        with storage._pool.writing() as connection:
            connection.raw.set_progress_handler(None, 1)
        return steps[0]

    early = cost(1)
    with storage.write() as writer:
        for number in range(2, 1025):  # of two messages each: the tail of the index begins to move
            writer.append_turn(make_turn(f"t{number}", "same words", "and more", seq=number, minute=number))
    moving = [cost(number) for number in range(1025, 1028)]
    late = cost(1028)  # the tail is as short as at the start
    assert early > 100
    assert late < 1.2 * early
    assert max(moving) < 2 * early
