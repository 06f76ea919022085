"""What a load test found, size by size, as values and as JSON."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smartbrain.evaluation.load.plan import LoadPlan
from smartbrain.evaluation.load.worker import Filled, Taken, Worked
from smartbrain.evaluation.metrics import percentile
from smartbrain.evaluation.report import config_summary

CALLS = ("commit", "compose", "search")
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one kind. ``wall_ms`` and ``cpu_ms`` hold p50, p95, p99 of what succeeded, None of none.

    ``cpu_ms`` is the processor time of the calling thread: waiting for a disk, a lock or a server is not in it, nor is
    what the server does. ``per_second`` is over the whole of the measured time, all kinds of calls mixed.
    """

    count: int
    per_second: float
    wall_ms: Mapping[str, float | None]
    cpu_ms: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Step:
    """One size. ``messages`` are those of all tenants before the measured calls; ``seconds`` is what these took.

    ``errors`` and ``leaks`` are told by what went wrong and how often. ``probes`` are the answers that had to hold
    their tenant's canary, ``seen`` those that held it. ``filled`` is None when nothing was missing. ``bytes`` is the
    store's size in parts, empty for one in memory.
    """

    messages: int
    seconds: float
    calls: Mapping[str, Calls]
    errors: Mapping[str, int]
    leaks: Mapping[str, int]
    probes: int
    seen: int
    filled: Filled | None
    bytes: Mapping[str, int]

    @property
    def bytes_a_message(self) -> float | None:
        """Mean UTF-8 bytes of the text of the messages that were filled in."""
        return self.filled.text_bytes / self.filled.messages if self.filled and self.filled.messages else None

    @property
    def index_share(self) -> float | None:
        """The lexical index's size by that of the text, reckoned from the mean; None where either is unknown."""
        mean = self.bytes_a_message
        return self.bytes["index"] / (mean * self.messages) if mean and "index" in self.bytes else None


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Everything a load test found."""

    plan: LoadPlan
    steps: tuple[Step, ...]

    @property
    def errors(self) -> int:
        """Calls that failed."""
        return sum(sum(step.errors.values()) for step in self.steps)

    @property
    def leaks(self) -> int:
        """Answers that showed what another tenant said."""
        return sum(sum(step.leaks.values()) for step in self.steps)

    @property
    def blind(self) -> bool:
        """Whether no tenant was ever shown its own canary: then that none saw another's says nothing."""
        return any(step.probes > 0 and step.seen == 0 for step in self.steps)

    @property
    def sound(self) -> bool:
        """No error, no leak, and the check for leaks could have found one."""
        return not (self.errors or self.leaks or self.blind)

    def as_json(self) -> dict[str, Any]:
        """For machines. The URL is left out: it may carry a password."""
        from smartbrain import __version__

        plan = self.plan
        return {
            "tenants": plan.tenants,
            "workers": plan.workers,
            "processes": plan.processes,
            "rounds": plan.rounds,
            "seed": plan.seed,
            "talk": plan.folder.name if plan.folder else "made up",
            "config": config_summary(plan.config),
            "version": __version__,
            "python": platform.python_version(),
            "sound": self.sound,
            "errors": self.errors,
            "leaks": self.leaks,
            "steps": [_step_json(step) for step in self.steps],
        }


def make_step(messages: int, filled: Sequence[Filled], worked: Sequence[Worked], sizes: Mapping[str, int]) -> Step:
    """The figures of one size, over all workers."""
    seconds = max(one.ended for one in worked) - min(one.began for one in worked)
    taken = {kind: [taken for one in worked for taken in one.taken[kind]] for kind in CALLS}
    return Step(
        messages=messages,
        seconds=seconds,
        calls={kind: _calls(values, seconds) for kind, values in taken.items()},
        errors=sum((one.errors for one in worked), Counter[str]()),
        leaks=sum((one.leaks for one in worked), Counter[str]()),
        probes=sum(one.probes for one in worked),
        seen=sum(one.seen for one in worked),
        filled=_together(filled),
        bytes=sizes,
    )


def _calls(taken: Sequence[Taken], seconds: float) -> Calls:
    return Calls(
        count=len(taken),
        per_second=len(taken) / seconds if seconds else 0.0,
        wall_ms={name: percentile([t.wall for t in taken], share) for name, share in SHARES.items()},
        cpu_ms={name: percentile([t.cpu for t in taken], share) for name, share in SHARES.items()},
    )


def _together(filled: Sequence[Filled]) -> Filled | None:
    if not filled:
        return None
    return Filled(
        turns=sum(one.turns for one in filled),
        messages=sum(one.messages for one in filled),
        text_bytes=sum(one.text_bytes for one in filled),
        seconds=max(one.seconds for one in filled),
        cpu=sum(one.cpu for one in filled),
    )


def _step_json(step: Step) -> dict[str, Any]:
    calls = {
        kind: {
            "count": one.count,
            "per_second": round(one.per_second, 2),
            "wall_ms": _rounded(one.wall_ms),
            "cpu_ms": _rounded(one.cpu_ms),
        }
        for kind, one in step.calls.items()
    }
    filled = step.filled and {
        "turns": step.filled.turns,
        "messages": step.filled.messages,
        "text_bytes": step.filled.text_bytes,
        "seconds": round(step.filled.seconds, 3),
        "cpu_seconds": round(step.filled.cpu, 3),
    }
    return {
        "messages": step.messages,
        "seconds": round(step.seconds, 3),
        "calls": calls,
        "errors": dict(step.errors),
        "leaks": dict(step.leaks),
        "probes": step.probes,
        "seen": step.seen,
        "filled": filled,
        "bytes": dict(step.bytes),
        "index_share": None if step.index_share is None else round(step.index_share, 4),
    }


def _rounded(values: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: None if value is None else round(value, 3) for name, value in values.items()}
