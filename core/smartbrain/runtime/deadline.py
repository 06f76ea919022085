"""Calls to plugged-in models that are not waited for beyond a deadline."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


class LateError(Exception):
    """The answer did not come in time; the call may still be running."""


class Deadline:
    """Runs calls on daemon threads, at most ``most`` at once: a model that hangs cannot pile them up."""

    def __init__(self, name: str, most: int = 8) -> None:
        self._name = name
        self._slots = threading.BoundedSemaphore(most)

    def call(self, function: Callable[[], T], seconds: float) -> T:
        """What the function gives, or raises; raises LateError after ``seconds``, waiting for a free place included."""
        return self.start(function, seconds)()

    def start(self, function: Callable[[], T], seconds: float) -> Callable[[], T]:
        """Starts a call and returns what waits for its answer, as ``call`` does; the seconds count from now.

        While every place is taken, it begins when its answer is waited for.
        """
        end = monotonic() + seconds
        begun = self._begin(function) if self._slots.acquire(blocking=False) else None

        def result() -> T:
            future = begun
            if future is None:
                if not self._slots.acquire(timeout=max(0.0, end - monotonic())):
                    raise LateError
                future = self._begin(function)
            try:
                return future.result(timeout=max(0.0, end - monotonic()))
            except FutureTimeout:
                if future.done():
                    raise
                raise LateError from None

        return result

    def _begin(self, function: Callable[[], T]) -> Future[T]:
        """Runs the function on a thread of its own, which gives its place back when it is done."""
        future: Future[T] = Future()
        context = contextvars.copy_context()

        def run() -> None:
            try:
                future.set_result(context.run(function))
            except BaseException as error:  # noqa: BLE001 - handed to the caller, whatever it is
                future.set_exception(error)
            finally:
                self._slots.release()

        threading.Thread(target=run, name=self._name, daemon=True).start()
        return future
