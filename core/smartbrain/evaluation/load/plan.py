"""What a load test does: how many tenants and workers, on which store, at which sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

from smartbrain.config import BrainConfig
from smartbrain.errors import InputError
from smartbrain.evaluation.load.talk import Talk
from smartbrain.stores.targets import target_of

TURNS_A_SESSION = 40
CANARY_EVERY = 200  # rare enough to cost nothing at a million messages
_START = datetime(2024, 1, 1, tzinfo=UTC)
_IN_MEMORY = target_of(":memory:")
_CANARY = re.compile(r"canary[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """One load test.

    ``url`` is what ``SmartBrain.open`` takes. ``sizes`` are messages of all tenants together, ascending; at each of
    them every worker does ``rounds`` rounds: a commit and a compose, and in every fifth round a search. ``folder``
    holds an evaluation set whose words are used; without one they are made up. Raises InputError for what cannot be
    done.
    """

    url: str
    tenants: int = 4
    workers: int = 2
    processes: bool = False
    sizes: tuple[int, ...] = (10_000,)
    rounds: int = 100
    seed: int = 0
    folder: Path | None = None
    config: BrainConfig = field(default_factory=BrainConfig)

    def __post_init__(self) -> None:
        for name in ("tenants", "workers", "rounds"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not self.sizes or self.sizes[0] < 1 or any(a >= b for a, b in zip(self.sizes, self.sizes[1:], strict=False)):
            raise InputError(
                f"sizes must be message counts that ascend, got {', '.join(map(str, self.sizes)) or 'none'}"
            )
        if self.sizes[0] < self.tenants:
            raise InputError(f"{self.tenants} tenants need at least as many messages, got {self.sizes[0]}")
        if self.processes and target_of(self.url) == _IN_MEMORY:
            raise InputError("processes cannot share a store in memory; give a path, or use threads")

    def user(self, tenant: int) -> str:
        """The name a tenant goes by."""
        return f"load-{self.seed}-{tenant:04}"

    def canary(self, tenant: int) -> str:
        """A word that this tenant says and no other one does."""
        return f"canary{blake2b(self.user(tenant).encode(), digest_size=6).hexdigest()}"

    def turn(self, talk: Talk, tenant: int, number: int) -> dict[str, Any]:
        """A tenant's turn as ``commit_turns`` takes it; now and then it tells the tenant's canary."""
        said = [dict(message) for message in talk.messages(tenant, number)]
        if number % CANARY_EVERY == 0:
            sign = self.canary(tenant)
            said[0] = {"role": "user", "content": f"The sign of our house is {sign}. 我们家的暗号是{sign}。"}
        return {
            "session_id": f"s{number // TURNS_A_SESSION}",
            "turn_id": f"t{number}",
            "user_id": self.user(tenant),
            "messages": said,
            "occurred_at": _START + timedelta(minutes=number),
        }

    def probe(self, tenant: int) -> str:
        """A question for the tenant's own canary that names the canary of another tenant, if there is one."""
        other = self.canary((tenant + 1) % self.tenants) if self.tenants > 1 else ""
        return f"What is the sign of our house? 我们家的暗号是什么？ {other}".rstrip()

    def wanted(self, size: int, tenant: int) -> int:
        """How many of ``size`` messages are a tenant's; the first tenants have the odd ones."""
        return size // self.tenants + int(tenant < size % self.tenants)

    def strangers(self, text: str, tenant: int) -> set[str]:
        """The canaries in a text that are not the tenant's own: each is a leak."""
        return set(_CANARY.findall(text)) - {self.canary(tenant)}
