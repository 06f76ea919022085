"""What one worker does: it fills its tenants up, then commits, composes and searches, and takes the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic, perf_counter, thread_time
from typing import NamedTuple, TypeVar

from smartbrain.contracts.context import UserMessage
from smartbrain.errors import SmartBrainError
from smartbrain.evaluation.load.plan import TURNS_A_SESSION, LoadPlan
from smartbrain.evaluation.load.talk import Talk
from smartbrain.runtime import SmartBrain

T = TypeVar("T")
PROBE_EVERY = 5
_BATCH = 500
_WARM_UP = 3
_WARM_UP_TURNS = 2
_MOST_WARMED = 50
Tick = Callable[[int], None]
"""Is told how many more turns were filled, or rounds done."""


class Taken(NamedTuple):
    """Milliseconds of one call: on the clock, and of this thread's processor time."""

    wall: float
    cpu: float


@dataclass(slots=True)
class Filled:
    """What filling took; ``cpu`` are seconds of the threads that filled."""

    turns: int = 0
    messages: int = 0
    text_bytes: int = 0
    seconds: float = 0.0
    cpu: float = 0.0


@dataclass(slots=True)
class Worked:
    """What a worker saw. ``probes`` are answers that should hold the tenant's canary, ``seen`` those that do."""

    began: float = 0.0
    ended: float = 0.0
    taken: dict[str, list[Taken]] = field(default_factory=lambda: {"commit": [], "compose": [], "search": []})
    errors: Counter[str] = field(default_factory=Counter)
    leaks: Counter[str] = field(default_factory=Counter)
    probes: int = 0
    seen: int = 0


class Worker:
    """One of ``plan.workers``; ``place`` counts from 0. Its brain may be shared with other workers."""

    def __init__(self, plan: LoadPlan, place: int, talk: Talk, brain: SmartBrain, tick: Tick) -> None:
        self._plan = plan
        self._place = place
        self._talk = talk
        self._brain = brain
        self._tick = tick

    def turns_of(self, tenant: int) -> int:
        """How many turns the store holds of a tenant."""
        return sum(session.turns for session in self._brain.sessions(user_id=self._plan.user(tenant)))

    def fill(self, size: int) -> Filled:
        """Brings this worker's share of the tenants up to their part of ``size`` messages."""
        filled = Filled()
        began, cpu = perf_counter(), thread_time()
        for tenant in range(self._place, self._plan.tenants, self._plan.workers):
            first = self.turns_of(tenant)
            last = self._talk.turns_for(tenant, self._plan.wanted(size, tenant))
            numbers = iter(range(first, last))
            while batch := [self._plan.turn(self._talk, tenant, n) for n in islice(numbers, _BATCH)]:
                self._brain.commit_turns(batch)
                said = [message["content"] for turn in batch for message in turn["messages"]]
                filled.turns += len(batch)
                filled.messages += len(said)
                filled.text_bytes += sum(len(str(text).encode()) for text in said)
                self._tick(len(batch))
        filled.seconds, filled.cpu = perf_counter() - began, thread_time() - cpu
        return filled

    def work(self, bases: Sequence[int], ready: Callable[[], object]) -> Worked:
        """The rounds of one size; ``bases`` are the turns each tenant has, ``ready`` waits for the other workers.

        An error is counted, and the next call is made all the same.
        """
        seen = Worked()
        self._brain.warm_up()
        # As somebody who is not asked, for what the connection has to prepare.
        warming = [self._plan.turn(self._talk, self._plan.tenants + self._place, n) for n in range(_WARM_UP_TURNS)]
        self._brain.commit_turns(warming)
        for n in range(max(_WARM_UP, min(self._plan.tenants, _MOST_WARMED))):
            self._ask(seen, n % self._plan.tenants, n, measured=False)
        ready()
        seen.began = monotonic()
        for n in range(self._plan.rounds):
            every = self._place * self._plan.rounds + n
            tenant, number = every % self._plan.tenants, bases[every % self._plan.tenants] + every // self._plan.tenants
            self._commit(seen, tenant, number)
            if n % PROBE_EVERY == PROBE_EVERY - 1:
                self._probe(seen, tenant)
            else:
                self._ask(seen, tenant, number)
            self._tick(1)
        seen.ended = monotonic()
        return seen

    def _commit(self, seen: Worked, tenant: int, number: int) -> None:
        turn = self._plan.turn(self._talk, tenant, number)
        result = _timed(seen, "commit", lambda: self._brain.commit_turn(**turn))
        if result is not None and result.status != "committed":
            seen.errors[f"commit: a new turn was {result.status}"] += 1

    def _ask(self, seen: Worked, tenant: int, number: int, *, measured: bool = True) -> None:
        """A question about anything. Nothing of the package may be another tenant's, logs included."""
        user, session = self._plan.user(tenant), f"s{number // TURNS_A_SESSION}"
        question = self._talk.question(tenant, number)
        kind = "compose" if measured else ""
        package = _timed(seen, kind, lambda: self._brain.compose_context(session, question, user_id=user))
        if package is not None:
            self._look(seen, "compose", package.model_dump_json(), tenant)

    def _probe(self, seen: Worked, tenant: int) -> None:
        """The question that would find another tenant's canary, composed and searched; its own words aside."""
        user, question = self._plan.user(tenant), self._plan.probe(tenant)
        package = _timed(seen, "compose", lambda: self._brain.compose_context("probe", question, user_id=user))
        if package is not None:
            remembered = package.model_copy(update={"user_message": UserMessage()}).to_text()
            self._look(seen, "compose", remembered, tenant, probed=True)
        pack = _timed(seen, "search", lambda: self._brain.search(None, question, user_id=user))
        if pack is not None:
            # Where a piece came from quotes the question.
            found = "\n".join(evidence.model_dump_json(exclude={"provenance"}) for evidence in pack.evidences)
            self._look(seen, "search", found, tenant, probed=True)

    def _look(self, seen: Worked, kind: str, text: str, tenant: int, *, probed: bool = False) -> None:
        for stranger in self._plan.strangers(text, tenant):
            seen.leaks[f"{kind} of {self._plan.user(tenant)} showed {stranger}"] += 1
        if probed:
            seen.probes += 1
            seen.seen += self._plan.canary(tenant) in text


def _timed(seen: Worked, kind: str, call: Callable[[], T]) -> T | None:
    """What the call gives, its time taken under ``kind`` (under none if it is empty); None when it failed."""
    wall, cpu = perf_counter(), thread_time()
    try:
        result = call()
    except SmartBrainError as error:
        seen.errors[f"{kind or 'warm-up'}: {type(error).__name__}: {error}"] += 1
        return None
    if kind:
        seen.taken[kind].append(Taken((perf_counter() - wall) * 1000, (thread_time() - cpu) * 1000))
    return result
