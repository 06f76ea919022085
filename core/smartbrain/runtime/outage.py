"""A plugged-in model that is down is left alone for a while: nobody who asks waits for it again and again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

_IN_A_ROW = 2
_FIRST_REST, _LONGEST_REST = 1.0, 60.0


class Outage:
    """Counts failures in a row. From the second on the model rests: a second, then twice as long each time, at most a
    minute. An answer, to whoever it is, ends it. Safe for threads."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._until = 0.0
        self._why = ""

    def failed(self, why: str) -> None:
        """It failed, or did not answer in time."""
        with self._lock:
            self._failures, self._why = self._failures + 1, why
            beyond = min(self._failures - _IN_A_ROW, 16)
            if beyond >= 0:
                self._until = self._now() + min(_FIRST_REST * 2**beyond, _LONGEST_REST)

    def answered(self) -> None:
        """It works."""
        with self._lock:
            self._failures, self._until = 0, 0.0

    @property
    def resting(self) -> str:
        """Why it failed last, while it is not to be asked; else empty."""
        with self._lock:
            return self._why if self._now() < self._until else ""
