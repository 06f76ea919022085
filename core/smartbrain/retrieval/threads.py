"""Threads of talk: a stretch of conversation near to the ones that fit best is likely to go on with the same thing.

A message that goes on with something names hardly anything of it ("Okay, what is next?"). What the best stretches are
about says more than the message itself: feedback from the first results, on stretches in place of words ("Regularizing
ad hoc retrieval scores", Diaz, CIKM 2005).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ords = NDArray[np.int64]
Vector = NDArray[np.float32]

_STRETCHES = 50
"""So many of the best stretches take part (20 did worse, 80 no better)."""
_SPEAK = 10
_TEMPERATURE = 0.8


def thread_nearness(scores: Vector, stretches: NDArray[np.uint32], vectors: Callable[[Ords], Vector]) -> Vector:
    """For each turn 0..1: how near the stretch around it is to the best other stretches, 0 for one that is not among
    the best 50.

    ``scores`` and ``stretches`` are the score and the stretch of each turn, ``vectors`` gives the vector of length 1
    (or 0) of some stretches. The nearness of stretch s is the mean of max(0, cos(s, t)) over the ten best others t,
    each weighing e to its best turn's score less that of the best of all, over 0.8.
    """
    best = np.full(int(stretches.max(initial=0)) + 1, -np.inf, dtype=np.float32)
    np.maximum.at(best, stretches, scores)
    held = np.flatnonzero(best > -np.inf)
    top = held[np.argsort(-best[held], kind="stable")[:_STRETCHES]]
    nearness = np.zeros(len(best), dtype=np.float32)
    if len(top) > 1:
        directions = vectors(top)
        weights = np.exp((best[top[:_SPEAK]] - best[top[0]]) / np.float32(_TEMPERATURE))
        alike = np.maximum(directions @ directions[:_SPEAK].T, 0.0)  # too small for a BLAS to wake threads
        alike[np.arange(len(weights)), np.arange(len(weights))] = 0.0
        own = np.zeros(len(top), dtype=np.float32)
        own[: len(weights)] = weights
        nearness[top] = alike @ weights / np.maximum(weights.sum() - own, np.finfo(np.float32).tiny)
    found: Vector = nearness[stretches]
    return found
