"""A brain over a fresh in-memory store, with a clock and ids that tests control."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from smartbrain import SmartBrain
from smartbrain.testing.fakes import CounterIds, ManualClock


@pytest.fixture
def make_brain(clock: ManualClock, ids: CounterIds) -> Iterator[Callable[..., SmartBrain]]:
    opened: list[SmartBrain] = []

    def make(target: Any = ":memory:", **settings: Any) -> SmartBrain:
        brain = SmartBrain.open(target, clock=clock, new_id=ids, **settings)
        opened.append(brain)
        return brain

    yield make
    for brain in opened:
        brain.close()


@pytest.fixture
def brain(make_brain: Callable[..., SmartBrain]) -> SmartBrain:
    return make_brain()
