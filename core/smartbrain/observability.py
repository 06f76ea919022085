"""Bounded logs and counts of what a brain did. In memory only; nothing leaves the process."""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Any

from smartbrain.model import Scope

_Entry = tuple[frozenset[Scope], dict[str, Any]]


class Tracker:
    """Collects compose and commit logs and failure counts; safe to share between threads."""

    def __init__(self, max_logs: int) -> None:
        self._lock = threading.Lock()
        self._composes: deque[_Entry] = deque(maxlen=max_logs)
        self._commits: deque[_Entry] = deque(maxlen=max_logs)
        self._counts: Counter[str] = Counter()

    def composed(self, entry: Mapping[str, Any], scopes: Iterable[Scope] = ()) -> None:
        """Logs one composed context: ids, plan (as JSON, a value again when asked for), evidence, budget, time.

        ``scopes`` are those it was read from; they are not shown.
        """
        with self._lock:
            self._composes.append((frozenset(scopes), dict(entry)))
            self._counts["composes"] += 1

    def committed(self, entry: Mapping[str, Any], scopes: Iterable[Scope] = ()) -> None:
        """Logs one commit: ids, items, conflicts, summary. ``scopes`` are where it could write; they are not shown."""
        with self._lock:
            self._commits.append((frozenset(scopes), dict(entry)))
            self._counts["commits"] += 1

    def count(self, name: str, by: int = 1) -> None:
        """Counts a failure or another event worth a number (``resource_failures``, ``cache_hits`` …)."""
        with self._lock:
            self._counts[name] += by

    def of(self, scopes: Iterable[Scope]) -> list[dict[str, Any]]:
        """The entries that are about any of these scopes."""
        wanted = frozenset(scopes)
        with self._lock:
            return [_told(entry) for about, entry in (*self._composes, *self._commits) if about & wanted]

    def forget(self, scopes: Iterable[Scope]) -> None:
        """Drops them; the counts stay."""
        wanted = frozenset(scopes)
        with self._lock:
            for log in (self._composes, self._commits):
                kept = [entry for entry in log if not entry[0] & wanted]
                log.clear()
                log.extend(kept)

    def report(self) -> dict[str, Any]:
        """Copies of the logs, oldest first, and the metrics over them."""
        with self._lock:
            composes, commits = [entry for _, entry in self._composes], [entry for _, entry in self._commits]
            counts = dict(self._counts)
        return {
            "compose_logs": [_told(entry) for entry in composes],
            "commit_logs": commits,
            "metrics": {
                "compose_p95_ms": percentile([c["took_ms"] for c in composes], 0.95),
                "commit_p95_ms": percentile([c["took_ms"] for c in commits], 0.95),
                "memory_resource_ratio": _ratio(composes),
                "token_over_budget_rate": _over_budget(composes),
                "counts": counts,
            },
        }


def _told(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "plan": json.loads(entry["plan"])} if "plan" in entry else entry


def percentile(values: list[float], share: float) -> float | None:
    """The nearest-rank percentile, None of nothing."""
    if not values:
        return None
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)


def _ratio(composes: list[dict[str, Any]]) -> str:
    sources = Counter(e["source"] for c in composes for e in c["evidence"])
    return f"{sources['memory']}/{sources['resource']}"


def _over_budget(composes: list[dict[str, Any]]) -> float:
    over = sum(c["token_budget"]["used_estimate"] > c["token_budget"]["limit"] for c in composes)
    return round(over / len(composes), 4) if composes else 0.0
