"""No vector is compared twice, and none that can change nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from smartbrain.retrieval.comparing import Compared, Ords, Spread, Vector, worth_comparing


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
    """Gives each of some documents something, and hardly more than a tenth more than it seems."""

    def __init__(self, seed: int, count: int = 2_000) -> None:
        chance = np.random.default_rng(seed)
        self.given = chance.random(count).astype(np.float32)
        self.most = self.given + chance.uniform(0.0, 0.2, count).astype(np.float32)
        self.reckoned = 0

    def __call__(self, places: Ords) -> Vector:
        self.reckoned += len(places)
        return self.given[places]


@given(st.integers(0, 2**32), st.integers(1, 40), st.floats(0.0, 0.3), st.integers(1, 400))
def test_the_best_are_those_of_comparing_all(seed: int, limit: int, each: float, stretches: int) -> None:
    chance, gives = np.random.default_rng(seed), Nearness(seed)
    others, allowed = chance.random(2_000).astype(np.float32), chance.random(2_000) < 0.8
    stretch = chance.integers(0, stretches, 2_000).astype(np.uint32)
    worth = worth_comparing(gives.most, others, allowed, gives, limit, Spread(stretch, each))
    scores = others + gives.given
    final = scores - np.float32(each) * _better_ones(scores, stretch)
    final[~allowed] = -9.0
    least = np.sort(final)[-limit]
    assert set(np.flatnonzero(final > least + 1e-5).tolist()) <= set(worth.tolist())


def _better_ones(scores: Vector, stretch: NDArray[np.uint32]) -> Vector:
    """Of each how many of its stretch score more, at most ten; those that may not be seen take a place, too."""
    counted = [
        min(10, int(((stretch == own) & (scores > score)).sum())) for score, own in zip(scores, stretch, strict=True)
    ]
    return np.array(counted, dtype=np.float32)


def test_what_a_stretch_takes_from_its_better_ones_is_no_reason_to_leave_out_others() -> None:
    others = np.concatenate((np.full(400, 1.0), np.full(400, 0.9))).astype(np.float32)
    most = np.full(800, 0.05, dtype=np.float32)
    stretch = np.concatenate((np.zeros(400), np.arange(1, 401))).astype(np.uint32)
    worth = worth_comparing(most, others, np.ones(800, np.bool_), lambda at: most[at] * 0, 20, Spread(stretch, 0.02))
    assert set(range(400, 800)) <= set(worth.tolist())


def test_places_taken_by_what_may_not_be_seen_are_counted() -> None:
    others = np.concatenate((np.full(300, 2.0), np.full(300, 1.0), np.full(300, 0.85))).astype(np.float32)
    allowed = np.arange(900) >= 300
    stretch = np.concatenate((np.arange(600) % 30, np.arange(100, 400))).astype(np.uint32)
    most = np.zeros(900, dtype=np.float32)
    worth = worth_comparing(most, others, allowed, lambda at: most[at], 20, Spread(stretch, 0.02))
    assert set(range(600, 900)) <= set(worth.tolist())


def test_what_can_change_nothing_is_not_compared() -> None:
    gives = Nearness(1)
    others = np.linspace(0.0, 5.0, 2_000, dtype=np.float32)
    alone = Spread(np.arange(2_000, dtype=np.uint32), 0.02)
    worth = worth_comparing(gives.most, others, np.ones(2_000, dtype=np.bool_), gives, 10, alone)
    assert gives.reckoned == 40
    assert len(worth) < 500
    assert worth.min() > 1_000


@pytest.mark.parametrize(("count", "told"), [(2_000, False), (300, True)])
def test_all_are_compared_where_they_are_few_or_nothing_is_known_beforehand(count: int, told: bool) -> None:
    gives = Nearness(2, count)
    others = np.linspace(0.0, 5.0, count, dtype=np.float32)
    alone = Spread(np.arange(count, dtype=np.uint32), 0.02)
    worth = worth_comparing(gives.most if told else None, others, np.ones(count, np.bool_), gives, 10, alone)
    assert worth.tolist() == list(range(count))
