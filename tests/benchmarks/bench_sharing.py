"""Processes and threads on one file: ``python tests/benchmarks/bench_sharing.py PATH [--seconds 60]``.

Each process opens the store by itself, all of them at the same moment, and each of its threads commits turns of its
own and turns that every other thread commits, too; between them it composes a context and reads. Then the store is
checked: nobody was refused, no turn is lost, none is there twice. Prints one line of JSON; exits with 1 if not so.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sqlite3
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

from smartbrain import SmartBrain
from smartbrain.errors import SmartBrainError

CONFIG = {"store": {"durability": "normal"}}
Told = tuple[list[tuple[str, str]], list[str]]


def work(path: str, name: str, threads: int, commits: int, seconds: float, start: Any) -> Told:
    """What one process does: the turns that it committed with their statuses, and the errors its callers saw."""
    told: list[tuple[str, str]] = []
    errors: list[str] = []
    together = threading.Barrier(threads)

    def use(number: int) -> None:
        with SmartBrain.open(path, config=CONFIG) if number % 5 == 0 else shared as brain:
            together.wait()
            until = monotonic() + seconds
            for n in count():
                if n >= commits and monotonic() >= until:
                    break
                for turn in (f"{name}.{number}.{n}", f"common.{n}"):
                    said = [{"role": "user", "content": f"I prefer {turn.replace('.', 'x')}."}]
                    told.append((turn, brain.commit_turn("s1", messages=said, user_id="ann", turn_id=turn).status))
                if n % 5 == number % 5:
                    brain.compose_context("s1", "what do I prefer?", user_id="ann")

    def safely(number: int) -> None:
        try:
            use(number)
        except SmartBrainError as error:
            errors.append(f"{type(error).__name__}: {error}")
            together.abort()

    start.wait()
    shared = Lasting(SmartBrain.open(path, config=CONFIG))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(safely, range(threads)))
    shared.brain.close()
    return told, errors


class Lasting:
    """A brain that a block does not close."""

    def __init__(self, brain: SmartBrain) -> None:
        self.brain = brain

    def __enter__(self) -> SmartBrain:
        return self.brain

    def __exit__(self, *_: object) -> None:
        pass


def run(path: Path, processes: int, threads: int, commits: int, seconds: float) -> dict[str, Any]:
    """Runs all of them on a store that is not there yet, and checks it."""
    begun = monotonic()
    spawning = multiprocessing.get_context("spawn")
    with spawning.Manager() as manager, spawning.Pool(processes) as pool:
        start = manager.Barrier(processes)
        work_of = [(str(path), f"p{n}", threads, commits, seconds, start) for n in range(processes)]
        answers = pool.starmap(work, work_of, chunksize=1)
    told = [one for answer in answers for one in answer[0]]
    committed = Counter(turn for turn, status in told if status == "committed")
    with closing(sqlite3.connect(path)) as raw:
        stored = Counter(row[0] for row in raw.execute("SELECT turn_id FROM turns"))
        places = raw.execute("SELECT count(DISTINCT seq), count(*) FROM turns").fetchone()
        messages = raw.execute("SELECT count(DISTINCT ord), count(*) FROM messages").fetchone()
        sound = raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    wanted = {turn for turn, _ in told}
    return {
        "seconds": round(monotonic() - begun, 1),
        "calls": len(told),
        "turns": len(stored),
        "errors": [error for answer in answers for error in answer[1]],
        "lost": len(wanted - set(stored)),
        "twice": sum(n > 1 for n in (*stored.values(), *committed.values()))
        + len(set(places))
        + len(set(messages))
        - 2,
        "statuses": dict(Counter(status for _, status in told)),
        "sound": sound,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--threads", type=int, default=20)
    parser.add_argument("--commits", type=int, default=0, help="at least so many of each thread")
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    if given.path.exists():
        parser.error(f"{given.path} is there already; the store must be a new one")
    found = run(given.path, given.processes, given.threads, given.commits, given.seconds)
    print(json.dumps(found))
    return 1 if found["errors"] or found["lost"] or found["twice"] or not found["sound"] else 0


if __name__ == "__main__":
    sys.exit(main())
