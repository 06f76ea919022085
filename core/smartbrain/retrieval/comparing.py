"""Comparing as few vectors with the question as the answer needs: none twice, and none that can change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from smartbrain.retrieval.scoring import MOST_PLACES

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
        if len(missing) == len(rows):
            found = self._known[rows] = self._reckon(rows)
        elif len(missing):
            found[missing] = self._known[rows[missing]] = self._reckon(rows[missing])
        return found


class Spread(NamedTuple):
    """The stretch of conversation each candidate lies in, and what each better one there takes from it afterwards."""

    stretches: NDArray[np.uint32]
    each: float


def worth_comparing(
    most: Vector | None,
    others: Vector,
    allowed: NDArray[np.bool_],
    gives: Callable[[Ords], Vector],
    limit: int,
    spread: Spread,
    lifted: float = 0.0,
) -> Ords:
    """The places of the candidates that may be among the best ``limit`` with what nearness gives.

    ``gives`` says of places what that is, ``most`` what it will hardly be above (None: to know it takes as long);
    ``others`` is what else each scores. At least ``limit`` of the most promising reach what the last of them scores;
    who stays below it with the most he may get is not among the best. ``lifted``: the most that any is
    given afterwards.
    """
    places, few = np.flatnonzero(allowed), 4 * limit
    if most is None or len(places) <= max(few, _FEW):
        return np.arange(len(others))
    most = most + others
    promising = places[np.argpartition(most[places], len(places) - few)[len(places) - few :]]
    scores = others[promising] + gives(promising)
    reached = np.sort(scores - _most_taken(promising, scores, allowed, spread))[-limit]
    return np.flatnonzero(most + np.float32(lifted) >= reached - _ROUNDING)


def _most_taken(promising: Ords, scores: Vector, allowed: NDArray[np.bool_], spread: Spread) -> Vector:
    """What the better ones of its stretch take from each of some candidates, if there are no others.

    Others change nothing: where one stands before it, that one scores more, so the n-th of a stretch never reaches less
    than the n-th of some of them. Only those that are not ``allowed`` take a place and reach nothing.
    """
    stretches = spread.stretches[promising]
    order = np.lexsort((-scores, stretches))
    ordered = stretches[order]
    hidden = np.sort(spread.stretches[~allowed])
    before = np.arange(len(order)) - ordered.searchsorted(ordered)
    before += hidden.searchsorted(ordered, "right") - hidden.searchsorted(ordered)
    taken = np.empty(len(order), dtype=np.float32)
    taken[order] = np.minimum(before, MOST_PLACES) * np.float32(spread.each)
    return taken


_ROUNDING = np.float32(1e-4)
"""More than the order changes in which the parts of a score are added."""
