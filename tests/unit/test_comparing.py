"""No vector is compared twice, and none that can change nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.retrieval.comparing import Compared, Ords, Vector, worth_comparing


def test_a_cosine_is_reckoned_once() -> None:
    asked: list[list[int]] = []

    def reckon(rows: Ords) -> Vector:
        asked.append(rows.tolist())
        return (rows / 10).astype(np.float32)

    compared = Compared(reckon, 6)
    assert compared(np.array([1, 3])) == pytest.approx([0.1, 0.3])
    assert compared(np.array([3, 2, 1])) == pytest.approx([0.3, 0.2, 0.1])
    assert asked == [[1, 3], [2]]


class Nearness:
    """Gives each of 2,000 documents something, and hardly more than a tenth more than it seems."""

    def __init__(self, seed: int, *, told: bool = True) -> None:
        chance = np.random.default_rng(seed)
        self._given = chance.random(4_000).astype(np.float32)
        self._seems = self._given + chance.uniform(-0.1, 0.1, 4_000).astype(np.float32)
        self._told = told
        self.reckoned = 0

    def scores(self, ords: Ords) -> Vector:
        self.reckoned += len(ords)
        return self._given[ords]

    def at_most(self, ords: Ords) -> Vector | None:
        return self._seems[ords] + np.float32(0.1) if self._told else None


@given(st.integers(0, 2**32), st.integers(1, 40), st.floats(0.0, 0.3))
def test_the_best_are_those_of_comparing_all(seed: int, limit: int, penalty: float) -> None:
    chance = np.random.default_rng(seed)
    nearness, found = Nearness(seed), np.sort(chance.choice(4_000, 2_000, replace=False))
    others, allowed = chance.random(2_000).astype(np.float32), chance.random(2_000) < 0.8
    taken = (chance.random(2_000) * penalty).astype(np.float32)  # what a place afterwards may cost
    worth = worth_comparing(found, others, allowed, nearness, limit, penalty)
    final = np.where(allowed, others + nearness.scores(found) - taken, -9.0)
    assert set(np.argsort(-final, kind="stable")[:limit].tolist()) <= set(worth.tolist())


def test_what_can_change_nothing_is_not_compared() -> None:
    nearness, found = Nearness(1), np.arange(2_000)
    others = np.linspace(0.0, 5.0, 2_000, dtype=np.float32)
    worth = worth_comparing(found, others, np.ones(2_000, dtype=np.bool_), nearness, 10, 0.2)
    assert nearness.reckoned == 40
    assert len(worth) < 800
    assert worth.min() > 1_000


@pytest.mark.parametrize(("count", "told"), [(2_000, False), (300, True)])
def test_all_are_compared_where_they_are_few_or_nothing_is_known_beforehand(count: int, told: bool) -> None:
    others = np.linspace(0.0, 5.0, count, dtype=np.float32)
    worth = worth_comparing(np.arange(count), others, np.ones(count, np.bool_), Nearness(2, told=told), 10, 0.2)
    assert worth.tolist() == list(range(count))
