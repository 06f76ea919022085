"""A circuit breaker: a backend that keeps failing is left alone for a while (Nygard, Release It!, 2007)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic


class CircuitBreaker:
    """Closed until ``failures`` calls in a row have failed, then open for ``cooldown`` seconds.

    After that one call may try: if it succeeds the circuit closes, else it stays open for another ``cooldown``. Until
    it reports, nobody else may; one that never does is forgotten after ``cooldown``. ``clock`` counts seconds.
    """

    def __init__(self, failures: int = 5, cooldown: float = 30.0, clock: Callable[[], float] = monotonic) -> None:
        self._most = failures
        self._cooldown = cooldown
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._open_until = 0.0

    def wait(self) -> float:
        """0 if a call may be made now, which must be reported; else for how many seconds none may."""
        with self._lock:
            if self._failed < self._most:
                return 0.0
            now = self._clock()
            if now < self._open_until:
                return self._open_until - now
            self._open_until = now + self._cooldown
            return 0.0

    def succeeded(self) -> None:
        """Reports a call that went well."""
        with self._lock:
            self._failed = 0

    def failed(self) -> None:
        """Reports a call that did not."""
        with self._lock:
            self._failed += 1
            if self._failed >= self._most:
                self._open_until = self._clock() + self._cooldown
