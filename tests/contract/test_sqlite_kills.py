"""A process is killed again and again in the middle of its work; the store it leaves is whole, and nothing is lost.

A program forks a child for each kill. The child works and tells each thing it has finished; after some of these, and
a random spin, it gets SIGKILL. What was told must be there, what was not is there wholly or not at all.
"""

from __future__ import annotations

import os
import random
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

import pytest

from smartbrain import SmartBrain
from smartbrain.config import StorePolicy
from smartbrain.contracts.results import CommitResult
from smartbrain.model import Scope
from smartbrain.stores.sql.forgetting import SCRUB_DUE
from smartbrain.stores.sqlite.migrate import shipped
from smartbrain.stores.sqlite.storage import SqliteStorage

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork"),
]

Commit = Callable[[SmartBrain, int], CommitResult]
HERE = Scope("ann", "global", "default")
CONFIG = {"store": {"durability": "normal"}}

#: The program: imports once and forks for each line ``kind path first``. Words of the turn n: ``word{n}x``.
PROGRAM = """
import os, sys
from itertools import count
from pathlib import Path
from smartbrain import SmartBrain
from smartbrain.stores import open_storage
from smartbrain.config import StorePolicy
from smartbrain.contracts.results import CommitResult

CONFIG = {"store": {"durability": "normal"}}

def commit(brain, n):
    return brain.commit_turn("s1", {
        "messages": [{"role": "user", "content": f"My favourite word is word{n}x."},
                     {"role": "assistant", "content": f"So it is word{n}x."}],
        "tasks": [{"project": "p", "task_id": f"k{n}", "title": f"learn word{n}x", "status": "todo"}],
    }, user_id="ann", turn_id=f"t{n}")

def tell(text):
    os.write(1, f"{text}\\n".encode())

def work(kind, path, first):
    if kind == "migrate":
        for n in count(first):
            if n % 3:  # else the file is made anew
                Path(f"{path}.new").write_bytes(Path(f"{path}.old").read_bytes())
                os.replace(f"{path}.new", f"{path}.{n}")
            open_storage(f"{path}.{n}", StorePolicy(durability="normal")).close()
            tell(n)
    brain = SmartBrain.open(path, config=CONFIG)
    tell("ready")
    for n in count(first):
        if kind == "commit":
            tell(commit(brain, n).turn_id[1:])
        else:
            brain.forget(turn_id=f"t{n}", session_id="s1", user_id="ann")
            tell(n)

def serve():
    with SmartBrain.open(config=CONFIG) as warm:
        commit(warm, 0)
        warm.forget(turn_id="t0", session_id="s1", user_id="ann")
    for line in sys.stdin:
        kind, path, first = line.rstrip("\\n").split("\\t")
        child = os.fork()
        if child == 0:
            try:
                work(kind, path, int(first))
            except BaseException as error:
                tell(f"failed: {error!r}")
            finally:
                os._exit(2)
        tell(f"pid {child}")
        tell(f"dead {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}")

if __name__ == "__main__":
    serve()
"""


class Killer:
    """Has children started and kills them; all that is random comes from the seed."""

    def __init__(self, process: subprocess.Popen[bytes], seed: int) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in: IO[bytes] = process.stdin
        self._out = process.stdout.fileno()
        self._buffer = b""
        self._random = random.Random(seed)

    def kill(self, kind: str, path: Path, first: int, acks: int, spins: int) -> int:
        """Kills a child that does ``first``, ``first + 1`` …; returns the first thing that it did not tell."""
        self._in.write(f"{kind}\t{path}\t{first}\n".encode())
        self._in.flush()
        pid = int(self._line().removeprefix("pid "))
        upto = first
        for _ in range(self._random.randrange(acks) + (kind != "migrate")):
            line = self._line()
            if line != "ready":
                assert line == str(upto)
                upto += 1
        for _ in range(self._random.randrange(spins)):
            pass
        os.kill(pid, signal.SIGKILL)
        while not (line := self._line()).startswith("dead"):
            assert line == str(upto)  # told before it died
            upto += 1
        assert line == f"dead {-signal.SIGKILL}"
        return upto

    def _line(self) -> str:
        while b"\n" not in self._buffer:
            assert select.select([self._out], [], [], 60)[0], "the child hangs"
            data = os.read(self._out, 65536)
            assert data, "the program ended"
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode()


@pytest.fixture
def killer() -> Iterator[Killer]:
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Killer(process, 8)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.fixture(scope="module")
def commit() -> Commit:
    """The program's own way to commit the turn n."""
    names: dict[str, Any] = {"__name__": "program"}
    exec(PROGRAM, names)
    chosen: Commit = names["commit"]
    return chosen


def check_whole(path: Path, brain: SmartBrain) -> list[int]:
    """The numbers of the turns that are there; each of them must be whole, and of no other may a thing be there."""
    storage = brain._shop.storage
    with storage.read() as reader:
        turns = reader.turns([HERE])
        numbers = [int(turn.turn_id[1:]) for turn in turns]
        assert reader.turn_count([HERE]) == len(turns)
        words = [f"word{n}x" for n in numbers]
        messages = reader.lexical(HERE, "events", words).postings if words else {}
        memory = reader.lexical(HERE, "memory", words).postings if words else {}
        ordinals: list[int] = []
        for turn, word in zip(turns, words, strict=True):
            assert [word in str(message.content) for message in turn.messages] == [True, True]
            assert len(messages[word].ords) == 2, f"the index has half of {word}"
            assert len(memory[word].ords) == 2, f"the index has half of the memory of {word}"
            ordinals += messages[word].ords.tolist()
        assert len(set(ordinals)) == 2 * len(turns)
        items = reader.items([HERE])
        assert sorted(item.source_turn_id for item in items) == sorted(2 * [turn.turn_id for turn in turns])
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for table, parent, key in (("messages", "turns", "turn_pk"), ("item_sources", "items", "item_pk")):
            orphans = f"SELECT count(*) FROM {table} WHERE {key} NOT IN (SELECT {key} FROM {parent})"
            assert raw.execute(orphans).fetchone() == (0,)
            assert raw.execute(f"SELECT count(*) FROM {table}").fetchone() == (2 * len(turns),)
    return sorted(numbers)


def test_a_hundred_kills_in_commits_lose_no_turn_and_leave_no_half(
    tmp_path: Path, killer: Killer, commit: Commit
) -> None:
    done = 0
    for n in range(100):
        path = tmp_path / f"brain{n // 25}.db"
        if n % 25 == 0:
            # From 320 turns on, some commits move a part of the index's tail into its blocks.
            done = 300 if n == 75 else 0
            with SmartBrain.open(path, config=CONFIG) as brain:
                for number in range(done):
                    commit(brain, number)
        told = killer.kill("commit", path, done, 4, 400_000)
        with SmartBrain.open(path, config=CONFIG) as brain:
            stored = check_whole(path, brain)
            assert stored in ([*range(told)], [*range(told + 1)])
            assert commit(brain, told).status == ("replayed" if told in stored else "committed")
            assert check_whole(path, brain) == [*range(told + 1)]
        done = told + 1
    with closing(sqlite3.connect(path)) as raw:
        moving = raw.execute("SELECT count(*) FROM index_heads WHERE moving > n_flushed AND moved > ''").fetchone()
        assert moving == (2,)


def test_sixty_kills_in_forgetting_leave_a_turn_whole_or_gone_to_the_last_byte(
    tmp_path: Path, killer: Killer, commit: Commit
) -> None:
    first, end = 0, 0
    for n in range(60):
        path = tmp_path / f"brain{n // 20}.db"
        if n % 20 == 0:
            first, end = 0, 0
        with SmartBrain.open(path, config=CONFIG) as brain:
            for _ in range(first + 4 - end):
                commit(brain, end)
                end += 1
        told = killer.kill("forget", path, first, 2, 800_000)
        with SmartBrain.open(path, config=CONFIG) as brain:
            stored = check_whole(path, brain)
            assert stored in ([*range(told, end)], [*range(told + 1, end)])
        gone = [f"word{n}x".encode() for n in range(stored[0] if stored else end)]
        assert not Path(f"{path}-wal").exists()
        assert not [word for word in gone if word in path.read_bytes()]
        with closing(sqlite3.connect(path)) as raw:  # what the killed process did not clean was cleaned on opening
            assert raw.execute("SELECT 1 FROM meta WHERE name = ?", (SCRUB_DUE,)).fetchone() is None
        with SmartBrain.open(path, config=CONFIG) as brain:
            receipt = brain.forget(turn_id=f"t{told}", session_id="s1", user_id="ann")
            assert receipt.counts["turns"] == (told in stored)
            assert check_whole(path, brain) == [*range(told + 1, end)]
        first = told + 1
        end = max(end, first)  # a process that ran on past the last turn has forgotten turns that were never there


def _schema(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as raw:
        version = raw.execute("PRAGMA user_version").fetchall()
        return version + raw.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()


def test_sixty_kills_in_migrations_and_first_openings_leave_stores_that_open(
    tmp_path: Path, killer: Killer, commit: Commit
) -> None:
    old, fresh = tmp_path / "brain.db.old", tmp_path / "fresh.db"
    SqliteStorage(fresh, StorePolicy(durability="normal")).close()
    with SmartBrain.open(old, config=CONFIG) as brain:
        for n in range(5):
            commit(brain, n)
    _make_old(old)
    first = 1
    for _ in range(60):
        told = killer.kill("migrate", tmp_path / "brain.db", first, 3, 500_000)
        path = tmp_path / f"brain.db.{told}"
        if told % 3 and not path.exists():  # killed before it began
            shutil.copy(old, path)
        with SmartBrain.open(path, config=CONFIG) as brain:
            kept = [*range(5)] if told % 3 else []
            assert check_whole(path, brain) == kept
            commit(brain, 5)
            assert check_whole(path, brain) == [*kept, 5]
        assert _schema(path) == _schema(fresh)
        first = told + 1


def _make_old(path: Path) -> None:
    """Takes back what the later migrations made, and lets the words have been cut by another analyzer."""
    later = "".join(step.sql for step in shipped()[1:])
    with closing(sqlite3.connect(path)) as raw:
        tables = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            if f"CREATE TABLE {table} (" in later:
                raw.execute(f"DROP TABLE {table}")
        for index in re.findall(r"CREATE INDEX (\w+)", later):
            raw.execute(f"DROP INDEX IF EXISTS {index}")
        added = re.findall(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", later)
        for table, column in added:
            raw.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        raw.execute("DELETE FROM migrations WHERE version > 1")
        raw.execute("UPDATE meta SET value = 'another' WHERE name = 'analyzer'")
        raw.commit()
        raw.execute("PRAGMA user_version = 1")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert later.count("ALTER") == len(added), "tell here how it is taken back"
