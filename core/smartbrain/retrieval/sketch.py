"""Which of a hundred thousand vectors may be near: a quarter of each, along the directions in which they differ most.

A cosine reckoned from these alone is off by a few hundredths. That is enough to leave a few thousand to be compared
exactly, and a pass over a quarter of the numbers takes a quarter of the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import LANGUAGES, VectorView
from smartbrain.retrieval.centring import Asked, Centred, Rows, Vector, dots, language_means
from smartbrain.retrieval.growing import Growing, Tape

_SHARE = 4
_SAMPLE = 4096
_AT_ONCE = 8192
_KEPT = 16


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """The first vectors of a space less the mean of their language, of length 1, along their main directions; nothing
    here is ever changed.

    ``reckoned``: how many vectors ``means`` (with ``weight`` of the ``prior``) and ``directions`` (dimension x quarter)
    are of; ``coarse``: rows x quarter; ``lengths``: of each vector less its mean. ``sum`` and ``squares``
    (dimension x dimension) are the sums of the vectors u and of u u', from which the mean and the spread of their
    cosines with any question follow.
    """

    reckoned: int
    prior: Mapping[str, Vector]
    weight: float
    means: Vector
    directions: Vector
    coarse: Tape
    lengths: Tape
    sum: NDArray[np.float64]
    squares: NDArray[np.float64]

    def spread(self, beside: Centred) -> tuple[float, float]:
        """The mean and the standard deviation of the cosines of all vectors with the question."""
        question, count = beside.question.astype(np.float64), len(self.lengths.array)
        mean = float(question @ self.sum) / count
        square = float(question @ self.squares @ question) / count
        return mean, max(0.0, square - mean * mean) ** 0.5

    def cosines(self, beside: Centred) -> Vector:
        """By row about the cosine with the question."""
        return dots(self.coarse.array, beside.question @ self.directions)


def sketch_of(view: VectorView, asked: Asked) -> Sketch:
    """The sketch of a space: kept from the question before where nothing changed, and only added to where it grew."""
    prior, weight = asked.prior, asked.policy.prior_weight
    sketch = _sketches.of(view.vectors, lambda known: _grown(view, prior, weight, known))
    # Two brains of one process may bring different means; what is kept is the first one's.
    same = sketch.prior is prior and sketch.weight == weight
    return sketch if same else _grown(view, prior, weight, None)


_sketches: Growing[Sketch] = Growing(_KEPT)


def _grown(view: VectorView, prior: Mapping[str, Vector], weight: float, known: Sketch | None) -> Sketch:
    """The means move little while a space grows by an eighth; so long the older rows stay as they are.

    What they are depends on the number of vectors alone, not on when somebody asked: the same space is searched alike
    in every process.
    """
    rows, reckoned = len(view.ords), checkpoint(len(view.ords))
    if known is None or (known.reckoned, known.weight) != (reckoned, weight) or known.prior is not prior:
        known = _begun(view, reckoned, prior, weight)
    coarse, lengths, sums, squares = known.coarse, known.lengths, known.sum.copy(), known.squares.copy()
    for at in range(len(known.lengths.array), rows, _AT_ONCE):
        own, length = _less_means(view, slice(at, min(at + _AT_ONCE, rows)), known.means)
        own /= length[:, None]
        coarse = coarse.longer(own @ known.directions)
        lengths = lengths.longer(length)
        sums += own.sum(axis=0)
        squares += own.T @ own
    return replace(known, coarse=coarse, lengths=lengths, sum=sums, squares=squares)


def _begun(view: VectorView, reckoned: int, prior: Mapping[str, Vector], weight: float) -> Sketch:
    means = language_means(*_sums(view, reckoned), prior, weight)
    own, length = _less_means(view, slice(0, reckoned, max(1, reckoned // _SAMPLE)), means)
    own /= length[:, None]
    _, directions = np.linalg.eigh(own.T @ own)
    quarter = np.ascontiguousarray(directions[:, -max(1, len(directions) // _SHARE) :])
    return Sketch(
        reckoned=reckoned,
        prior=prior,
        weight=weight,
        means=means,
        directions=quarter,
        coarse=Tape.empty(np.float32, quarter.shape[1]),
        lengths=Tape.empty(np.float32),
        sum=np.zeros(len(directions)),
        squares=np.zeros(directions.shape),
    )


def checkpoint(count: int) -> int:
    """``count`` rounded down to its four leading bits."""
    step: int = 1 << max(0, count.bit_length() - 4)
    return count - count % step


def _sums(view: VectorView, reckoned: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    languages = view.languages[:reckoned]
    counts = np.bincount(languages, minlength=len(LANGUAGES)).astype(np.int64)
    sums = np.zeros((len(LANGUAGES), view.vectors.shape[1]), dtype=np.float64)
    for place in np.flatnonzero(counts):
        sums[place] = (languages == place).astype(np.float32) @ view.vectors[:reckoned]
    return sums, counts


def _less_means(view: VectorView, part: slice, means: Vector) -> tuple[Vector, Vector]:
    own = view.vectors[part] - means[view.languages[part]]
    return own, np.sqrt(np.maximum(np.einsum("ij,ij->i", own, own), _TINY))


_TINY = 1e-6


def greatest(values: Vector, among: NDArray[np.bool_] | None, count: int) -> Rows:
    """The places of the ``count`` greatest numbers, in order of place; what is as great as the last of them is among
    them, unless that is too many. ``among`` says which count; None: all do."""
    places = None if among is None else np.flatnonzero(among)
    own = values if places is None else values[places]
    best = np.arange(len(own))
    if len(own) > count:
        least = np.partition(own, len(own) - count)[len(own) - count]
        best = np.flatnonzero(own >= least)[: count * 2]
    return best if places is None else places[best]
