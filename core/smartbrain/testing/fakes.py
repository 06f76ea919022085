"""Stand-ins for what the outside gives: a clock that a test moves, ids that a test can predict."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

from smartbrain.errors import InputError


class ManualClock:
    """A clock that stands still until it is told to move.

    ``start`` must be timezone-aware (else ``InputError``); it is kept in UTC.
    """

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self.set(start)

    def now(self) -> datetime:
        """The moment the clock shows, in UTC."""
        return self._now

    def advance(self, seconds: float) -> datetime:
        """Move on by ``seconds`` (negative: back, as real clocks sometimes step) and return the new moment."""
        self._now += timedelta(seconds=seconds)
        return self._now

    def set(self, moment: datetime) -> None:
        """Show ``moment``; raises ``InputError`` when it has no timezone."""
        if moment.utcoffset() is None:
            raise InputError(f"a clock needs a timezone-aware moment, got {moment!r}")
        self._now = moment.astimezone(UTC)


class CounterIds:
    """An id factory that counts: ``ids()`` gives ``id-000001``, ``ids("turn")`` gives ``turn-000001``.

    Every kind counts for itself, so an id does not depend on what else was made in between. The padding makes the
    order of the text the order of making, up to 999,999 ids of a kind.
    """

    def __init__(self) -> None:
        self._counters: dict[str, count[int]] = {}

    def __call__(self, kind: str = "id") -> str:
        """The next id of this kind."""
        return f"{kind}-{next(self._counters.setdefault(kind, count(1))):06d}"
