"""Comparing as few vectors with the question as the answer needs: none twice, and none that can change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Ords = NDArray[np.int64]
Vector = NDArray[np.float32]

_FEW = 500


class Compared:
    """The cosines of some rows, reckoned when they are first asked for."""

    def __init__(self, reckon: Callable[[Ords], Vector], rows: int) -> None:
        self._reckon = reckon
        self._known: Vector = np.zeros(rows, dtype=np.float32)  # 0: not known yet, or 0

    def __call__(self, rows: Ords) -> Vector:
        found: Vector = self._known[rows]
        missing = np.flatnonzero(found == 0)
        if len(missing):
            found[missing] = self._known[rows[missing]] = self._reckon(rows[missing])
        return found


class Gives(Protocol):
    """What nearness gives to documents, and what it will hardly give more than, without comparing them (None: it takes
    as long)."""

    def scores(self, ords: Ords) -> Vector: ...

    def at_most(self, ords: Ords) -> Vector | None: ...


def worth_comparing(
    found: Ords, others: Vector, allowed: NDArray[np.bool_], meaning: Gives, limit: int, penalty: float
) -> Ords:
    """The places of the candidates that may be among the best ``limit`` with what nearness gives.

    ``others`` is what else each scores. At least ``limit`` of the most promising reach what the last of them scores;
    who stays below it with the most he may get is not among the best. ``penalty``: the most that is taken from any of
    them afterwards.
    """
    places, few = np.flatnonzero(allowed), 4 * limit
    most = meaning.at_most(found) if len(places) > max(few, _FEW) else None
    if most is None:
        return np.arange(len(found))
    most = most + others
    promising = places[np.argpartition(most[places], len(places) - few)[len(places) - few :]]
    reached = np.sort(others[promising] + meaning.scores(found[promising]))[-limit] - penalty
    return np.flatnonzero(most >= reached)
