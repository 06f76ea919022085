"""Runs a load test: fills the store to a size, lets the workers at it, and so on to the last size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from smartbrain.evaluation.load.crew import crew_of
from smartbrain.evaluation.load.plan import LoadPlan
from smartbrain.evaluation.load.report import LoadReport, Step, make_step
from smartbrain.evaluation.load.talk import talk_of
from smartbrain.runtime import SmartBrain
from smartbrain.stores.sizes import store_sizes

Stage = Literal["fill", "load"]
OnProgress = Callable[[Stage, int, int], None]
"""Is told the stage, how many turns or rounds of it are done, and of how many."""


def run_load(
    plan: LoadPlan,
    *,
    on_progress: OnProgress | None = None,
    open_brain: Callable[[], SmartBrain] | None = None,
) -> LoadReport:
    """Fills the store to each size in turn and measures there; a store that holds the tenants already is gone on with.

    Threads share one brain, which ``open_brain`` may open in another way than ``SmartBrain.open(plan.url)``. Errors and
    leaks of the measured calls are counted. Raises SmartBrainError for what fails before they begin, InputError for a
    folder without a set.
    """
    tell: OnProgress = on_progress or (lambda _stage, _done, _of: None)
    talk = talk_of(plan.folder, plan.seed)
    tenants = range(plan.tenants)
    steps: list[Step] = []
    with crew_of(plan, open_brain) as crew:
        for size in plan.sizes:
            wanted = [talk.turns_for(tenant, plan.wanted(size, tenant)) for tenant in tenants]
            missing = sum(max(0, turns - base) for turns, base in zip(wanted, crew.bases(), strict=True))
            filled = crew.fill(size, _telling(tell, "fill", missing)) if missing else []
            bases = crew.bases()
            worked = crew.work(bases, _telling(tell, "load", plan.rounds * plan.workers))
            messages = sum(talk.messages_before(tenant, bases[tenant]) for tenant in tenants)
            steps.append(make_step(messages, filled, worked, store_sizes(plan.url)))
    return LoadReport(plan, tuple(steps))


def _telling(tell: OnProgress, stage: Stage, of: int) -> Callable[[int], None]:
    return lambda done: tell(stage, done, of)
