"""The workers of a load test, as threads that share one brain or as processes with one each."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from smartbrain.evaluation.load.plan import LoadPlan
from smartbrain.evaluation.load.talk import Talk, talk_of
from smartbrain.evaluation.load.worker import Filled, Worked, Worker
from smartbrain.runtime import SmartBrain

T = TypeVar("T")
Told = Callable[[int], None]
"""Is told how many turns or rounds are done by now."""
_START_SECONDS = 600.0  # how long a worker waits until all others are ready, too
_LOOK_SECONDS = 0.2


class Crew(Protocol):
    """The workers, however they run. Raises what a worker raised."""

    def bases(self) -> list[int]:
        """How many turns the store holds of each tenant."""

    def fill(self, size: int, told: Told) -> list[Filled]:
        """Every worker fills its tenants."""

    def work(self, bases: Sequence[int], told: Told) -> list[Worked]:
        """Every worker does its rounds, all beginning at one moment."""


class _Shared(NamedTuple):
    """What workers have in common: how much is done, and the gate before the rounds."""

    lock: Any
    done: Any  # has a number as its value
    gate: Any

    def add(self, more: int) -> None:
        with self.lock:
            self.done.value += more


@contextmanager
def crew_of(plan: LoadPlan, open_brain: Callable[[], SmartBrain] | None) -> Iterator[Crew]:
    """The crew of a plan, its brains closed at the end."""
    make = open_brain or (lambda: SmartBrain.open(plan.url, config=plan.config))
    if not plan.processes:
        with make() as brain, ThreadPoolExecutor(plan.workers, "smartbrain-load") as pool:
            yield _Threads(plan, brain, pool)
        return
    spawning = multiprocessing.get_context("spawn")
    done = spawning.Value("q", 0)
    shared = _Shared(done.get_lock(), done, spawning.Barrier(plan.workers))
    # Opened here first, so that what is wrong with the store is told before any process starts.
    with (
        make() as brain,
        ProcessPoolExecutor(plan.workers, spawning, initializer=_begin, initargs=(plan, shared)) as pool,
    ):
        yield _Processes(plan, brain, pool, shared)


def turns_in(brain: SmartBrain, plan: LoadPlan) -> list[int]:
    """How many turns a store holds of each tenant."""
    users = map(plan.user, range(plan.tenants))
    return [sum(session.turns for session in brain.sessions(user_id=user)) for user in users]


class _Threads:
    def __init__(self, plan: LoadPlan, brain: SmartBrain, pool: ThreadPoolExecutor) -> None:
        self._plan = plan
        self._brain = brain
        self._pool = pool
        self._talk = talk_of(plan.folder, plan.seed)

    def bases(self) -> list[int]:
        return turns_in(self._brain, self._plan)

    def fill(self, size: int, told: Told) -> list[Filled]:
        return self._run(told, lambda worker, _: worker.fill(size))

    def work(self, bases: Sequence[int], told: Told) -> list[Worked]:
        return self._run(told, lambda worker, shared: _at_once(worker, bases, shared.gate))

    def _run(self, told: Told, task: Callable[[Worker, _Shared], T]) -> list[T]:
        shared = _Shared(threading.Lock(), _Number(), threading.Barrier(self._plan.workers))
        places = range(self._plan.workers)
        workers = [Worker(self._plan, n, self._talk, self._brain, shared.add) for n in places]
        return _results([self._pool.submit(task, worker, shared) for worker in workers], shared, told)


class _Number:
    value = 0


class _Processes:
    def __init__(self, plan: LoadPlan, brain: SmartBrain, pool: Executor, shared: _Shared) -> None:
        self._plan = plan
        self._brain = brain
        self._pool = pool
        self._shared = shared

    def bases(self) -> list[int]:
        return turns_in(self._brain, self._plan)

    def fill(self, size: int, told: Told) -> list[Filled]:
        self._shared.done.value = 0
        return _results([self._pool.submit(_fill, n, size) for n in range(self._plan.workers)], self._shared, told)

    def work(self, bases: Sequence[int], told: Told) -> list[Worked]:
        self._shared.done.value = 0
        return _results([self._pool.submit(_work, n, bases) for n in range(self._plan.workers)], self._shared, told)


def _results(futures: Sequence[Future[T]], shared: _Shared, told: Told) -> list[T]:
    waiting: set[Future[T]] = set(futures)
    while waiting:
        _, waiting = wait(waiting, timeout=_LOOK_SECONDS)
        told(int(shared.done.value))
    failed = [error for future in futures if (error := future.exception())]
    for error in failed:
        if not isinstance(error, threading.BrokenBarrierError) or len(failed) == len(futures) == 1:
            raise error
    return [future.result() for future in futures]


def _at_once(worker: Worker, bases: Sequence[int], gate: Any) -> Worked:
    """The worker's rounds; if it fails before they begin, the others need not wait for it."""
    try:
        return worker.work(bases, lambda: gate.wait(_START_SECONDS))
    except BaseException:
        gate.abort()
        raise


# -- in a process of its own -------------------------------------------------------------------------------------

_HERE: list[tuple[LoadPlan, _Shared, Talk]] = []


def _begin(plan: LoadPlan, shared: _Shared) -> None:
    _HERE.append((plan, shared, talk_of(plan.folder, plan.seed)))


def _fill(place: int, size: int) -> Filled:
    plan, shared, talk = _HERE[0]
    with SmartBrain.open(plan.url, config=plan.config) as brain:
        return Worker(plan, place, talk, brain, shared.add).fill(size)


def _work(place: int, bases: Sequence[int]) -> Worked:
    plan, shared, talk = _HERE[0]
    try:
        with SmartBrain.open(plan.url, config=plan.config) as brain:
            return _at_once(Worker(plan, place, talk, brain, shared.add), bases, shared.gate)
    except BaseException:
        shared.gate.abort()
        raise
