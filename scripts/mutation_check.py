"""Plants the faults of ``mutants.toml`` in copies of the repository, one at a time: the tests must notice each.

Usage: ``python scripts/mutation_check.py [--list] [--only N ...]``, with the interpreter that has the ``dev`` extra.
The working tree is only read. The check fails when a fault survives, when its text does not stand exactly once in its
file any more, when the tests that should notice it cannot be run, or when they are not green without any fault.

In a copy this file is also the pytest plugin that makes sure the copy's package is the one under test, and that
keeps hypothesis short: a fault has to be found, not to be shrunk.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import pytest

ROOT = Path(__file__).resolve().parents[1]
FAULTS = Path(__file__).with_name("mutants.toml")
WORKERS = 2
LEAST_FAULTS = 24
TIMEOUT_SECONDS = 180
PROFILE = "mutants"

_GREEN, _RED = 0, 1  # exit codes of pytest; every other one says that it could not do its work
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)

Job = TypeVar("Job")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One planted fault: ``old`` stands exactly once in ``file``; put ``new`` there, and ``tests`` turn red."""

    number: int
    fault: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a run: whether it went as it should, what is told of it, and how long it took (seconds)."""

    good: bool
    told: str
    seconds: float
    output: str = ""


class Copy:
    """A throw-away copy of the repository's files, git's folder and what git ignores left out."""

    def __init__(self, root: Path) -> None:
        self.root = root
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, root / name)

    @contextmanager
    def with_fault(self, mutant: Mutant) -> Iterator[None]:
        """The fault is there within the block."""
        path = self.root / mutant.file
        before, stat = path.read_bytes(), path.stat()
        path.write_text(path.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8", newline="")
        # A time of its own: Python takes compiled code for fresh when time and size are those of the source.
        os.utime(path, (stat.st_atime, stat.st_mtime + 10 * mutant.number))
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, (stat.st_atime, stat.st_mtime))

    def test(self, tests: Sequence[str]) -> tuple[int, str, float]:
        """Exit code (-1 when it took too long), output and seconds of pytest over these tests."""
        folders = [str(self.root / name) for name in ("core", "", "scripts")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "HYPOTHESIS_PROFILE": PROFILE}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=short", "-p", "no:cacheprovider", "-p", __name__]
        if __name__ == "__main__":
            command[-1] = Path(__file__).stem
        started = time.perf_counter()
        try:
            done = subprocess.run(
                [*command, *tests],
                cwd=self.root,
                env=environment,
                check=False,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return -1, f"no answer within {TIMEOUT_SECONDS} s", time.perf_counter() - started
        return done.returncode, done.stdout + done.stderr, time.perf_counter() - started


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Pytest's hook in a copy, before any conftest: the package of this copy, and no time for shrinking."""
    from hypothesis import HealthCheck, Phase, settings

    import smartbrain

    if not Path(smartbrain.__file__).is_relative_to(ROOT):
        raise pytest.UsageError(f"the copy {ROOT} is to be tested, not {smartbrain.__file__}")
    settings.register_profile(
        PROFILE,
        phases=(Phase.explicit, Phase.generate),
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=40,
        suppress_health_check=list(HealthCheck),
    )


def load() -> list[Mutant]:
    """The faults of ``mutants.toml``, numbered as they stand there."""
    listed = tomllib.loads(FAULTS.read_text("utf-8"))["mutant"]
    return [
        Mutant(number, **{**fields, "tests": tuple(fields["tests"])}) for number, fields in enumerate(listed, start=1)
    ]


def check_text(mutant: Mutant, root: Path) -> str:
    """What is wrong with the mutant's text, "" when it can be planted."""
    path = root / mutant.file
    missing = [name for name in (mutant.file, *map(_file_of, mutant.tests)) if not (root / name).exists()]
    if missing:
        return f"stale: there is no {missing[0]}"
    found = path.read_text("utf-8").count(mutant.old)
    if found != 1:
        return f"stale: its text stands {found} times in {mutant.file}"
    return "stale: it changes nothing" if mutant.old == mutant.new else ""


def try_green(copy: Copy, tests: Sequence[str]) -> Outcome:
    """Tests on the copy as it is; they must pass."""
    code, output, seconds = copy.test(tests)
    return Outcome(code == _GREEN, _killer(output) if code == _RED else f"pytest ended with {code}", seconds, output)


def try_fault(copy: Copy, mutant: Mutant) -> Outcome:
    """The mutant's tests on the copy with the fault; one of them must fail."""
    wrong = check_text(mutant, copy.root)
    if wrong:
        return Outcome(False, wrong, 0.0)
    with copy.with_fault(mutant):
        code, output, seconds = copy.test(mutant.tests)
    if code == _RED:
        return Outcome(True, _killer(output), seconds)
    told = "SURVIVED" if code == _GREEN else f"could not be tried: pytest ended with {code}"
    return Outcome(False, told, seconds, "" if code == _GREEN else output)


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _killer(output: str) -> str:
    found = _FAILED.search(output)
    if found is None:
        return "?"
    file, mark, rest = found[1].partition("::")
    return f"{Path(file).name}{mark}{rest}"


def in_copies(
    copies: SimpleQueue[Copy], jobs: Sequence[Job], attempt: Callable[[Copy, Job], Outcome]
) -> Iterator[tuple[Job, Outcome]]:
    """Each job with its outcome, in their order, as many at a time as there are copies."""

    def run(job: Job) -> Outcome:
        copy = copies.get()
        try:
            return attempt(copy, job)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(WORKERS) as pool:
        yield from zip(jobs, pool.map(run, jobs), strict=True)


def check(mutants: Sequence[Mutant], copies: SimpleQueue[Copy]) -> list[str]:
    """Prints a line for each fault as it is tried; returns what is wrong."""
    wrong = []
    named = sorted({test for mutant in mutants for test in mutant.tests if (ROOT / _file_of(test)).exists()})
    together = [list(tests) for _, tests in groupby(named, key=_file_of)]
    for tests, outcome in in_copies(copies, together, try_green):
        if not outcome.good:
            print(outcome.output[-4000:])
            wrong.append(f"{_file_of(tests[0])} is not green without a fault: {outcome.told}")
    if wrong:
        return wrong
    print(f"{len(named)} tests and files of tests are green without a fault\n\n  N  seconds  fault -> killed by")
    for mutant, outcome in in_copies(copies, mutants, try_fault):
        print(f"{mutant.number:3}  {outcome.seconds:7.1f}  {mutant.fault} -> {outcome.told}", flush=True)
        if not outcome.good:
            print(outcome.output[-2000:])
            wrong.append(f"{mutant.number}. {mutant.fault}: {outcome.told}")
    return wrong


def main() -> int:
    """Try the faults that are asked for; the exit code is 1 when anything is wrong."""
    parser = argparse.ArgumentParser(description="Plant faults in a copy of the repository; the tests must notice.")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="try these faults only")
    parser.add_argument("--list", action="store_true", help="list the faults and try none")
    asked = parser.parse_args()
    mutants = load()
    if asked.list:
        print("\n".join(f"{m.number:3}  {m.fault}  ({m.file})" for m in mutants))
        return 0
    chosen = [m for m in mutants if asked.only is None or m.number in asked.only]
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="smartbrain-mutants-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(WORKERS):
            copies.put(Copy(Path(folder).resolve() / str(number)))
        wrong = check(chosen, copies)
    if len(mutants) < LEAST_FAULTS or not chosen:
        wrong.append(f"{len(chosen)} of {len(mutants)} faults were asked for; at least {LEAST_FAULTS} must be listed")
    print(f"\n{len(chosen)} faults in {time.perf_counter() - started:.0f} s")
    print("\n".join(wrong) or "mutation_check: every fault was noticed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
