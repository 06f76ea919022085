"""How near whole stretches of a conversation are to a question.

A message that goes on with something ("I tried your tips, what is next?") shares its subject with a conversation and
hardly a word or a thought with any one turn of it: what a turn is about, the turns around it tell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]

_FAR = 3.0
"""As for documents: so many standard deviations below the mean a stretch is as far as can be."""


def stretch_nearness(cosines: Vector, stretches: NDArray[np.uint32], seen: NDArray[np.bool_]) -> Vector:
    """By number of a stretch 0..1: the mean cosine of its windows, between the farthest stretch and the nearest.

    ``cosines`` and ``stretches`` are of all windows of a space; only those ``seen`` count. A stretch without any is 0.
    The mean did as well as the cosine of the mean vector, and is had from what is reckoned anyway.
    """
    counts = np.bincount(stretches[seen])
    held = np.flatnonzero(counts)
    nearness = np.zeros(len(counts), dtype=np.float32)
    if len(held):
        means = np.bincount(stretches[seen], weights=cosines[seen])[held] / counts[held]
        low, high = max(float(means.min()), float(means.mean() - _FAR * means.std())), float(means.max())
        nearness[held] = np.clip((means - low) / ((high - low) or np.inf), 0.0, 1.0)
    return nearness
