"""Which of a hundred thousand vectors may be near, by 256 signs of each.

On which side of a plane two vectors lie differs the less often the smaller their angle is (Charikar, STOC 2002): that
tells their cosine to within 0.075 on average. Comparing 256 sides costs a tenth of comparing 128 numbers, and leaves a
few thousand to be compared exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import LANGUAGES, VectorView
from smartbrain.retrieval.centring import Asked, Centred, Rows, Vector, language_means
from smartbrain.retrieval.growing import Growing, Tape

_SIGNS = 256
_AT_ONCE = 4096
_KEPT = 16
_ADD_UP = np.uint32(0x01010101)
"""Times this, the highest byte of a number is the sum of its four."""


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """The first vectors of a space less the mean of their language, of length 1; nothing here is ever changed.

    ``reckoned``: how many vectors ``means`` (with ``weight`` of the ``prior``) are of; ``signs``: on which side of each
    plane the vectors lie, four words of 64 bits each; ``lengths``: of each vector less its mean. ``sum`` and
    ``squares`` (dimension x dimension) are the sums of the vectors u and of u u', from which the mean and the spread of
    their cosines with any question follow.
    """

    reckoned: int
    prior: Mapping[str, Vector]
    weight: float
    means: Vector
    signs: Tape
    lengths: Tape
    sum: NDArray[np.float64]
    squares: NDArray[np.float64]

    def spread(self, beside: Centred) -> tuple[float, float]:
        """The mean and the standard deviation of the cosines of all vectors with the question."""
        question, count = beside.question.astype(np.float64), len(self.lengths.array)
        mean = float(question @ self.sum) / count
        square = float(question @ self.squares @ question) / count
        return mean, max(0.0, square - mean * mean) ** 0.5

    def alike(self, beside: Centred) -> NDArray[np.uint8]:
        """By row 255 less the number of planes that lie between the vector and the question (all 256: 255, too)."""
        words = self.signs.array.reshape(-1)
        each = self.signs.array.shape[1]
        found = np.empty(len(self.signs.array), dtype=np.uint8)
        asked = np.tile(_signs(beside.question[None])[0], min(len(found), _AT_ONCE))
        apart = np.empty_like(asked)  # written over again and again, so that it stays near the processor
        for at in range(0, len(found), _AT_ONCE):
            part = words[at * each : (at + _AT_ONCE) * each]
            bits = _bits(np.bitwise_xor(part, asked[: len(part)], out=apart[: len(part)])).view(np.uint32)
            bits *= _ADD_UP  # at most 64 a word: only where all four are 64 does the sum spill over, to 0
            bits >>= 24
            found[at : at + _AT_ONCE] = bits
        return np.invert(found, out=found)


COSINES = np.cos(np.pi * np.arange(255, -1, -1) / _SIGNS).astype(np.float32)
"""By what ``Sketch.alike`` says of a vector, about its cosine with the question."""


def about(alike: NDArray[np.uint8]) -> Vector:
    """About the cosines that ``Sketch.alike`` speaks of."""
    return COSINES[alike]


def _signs(vectors: Vector) -> NDArray[np.uint64]:
    """On which side of each of 256 planes each vector lies, as four words."""
    sides: NDArray[np.bool_] = vectors @ _planes(vectors.shape[1]) > 0
    return np.packbits(sides, axis=1).view(np.uint64)


@lru_cache(maxsize=8)
def _planes(dimension: int) -> Vector:
    """The normals of 256 planes (dimension x 256), always the same; those of as many as can be stand upright on each
    other, which tells more than any would."""
    random = np.random.default_rng(_SIGNS)
    groups = [np.linalg.qr(random.normal(size=(dimension, dimension)))[0] for _ in range(-(-_SIGNS // dimension))]
    return np.ascontiguousarray(np.concatenate(groups, axis=1)[:, :_SIGNS], dtype=np.float32)


def _bits(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits of each word are set."""
    if hasattr(np, "bitwise_count"):
        counted: NDArray[np.uint8] = np.bitwise_count(words)
        return counted
    of_bytes = _bits_of_bytes()[words.view(np.uint8)].reshape(-1, 8)  # numpy 1
    return np.asarray(of_bytes.sum(axis=1, dtype=np.uint8))


@lru_cache(maxsize=1)
def _bits_of_bytes() -> NDArray[np.uint8]:
    return np.asarray(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8))


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
    signs, lengths, sums, squares = known.signs, known.lengths, known.sum.copy(), known.squares.copy()
    for at in range(len(known.lengths.array), rows, _AT_ONCE):
        own, length = _less_means(view, slice(at, min(at + _AT_ONCE, rows)), known.means)
        own /= length[:, None]
        signs = signs.longer(_signs(own))
        lengths = lengths.longer(length)
        sums += own.sum(axis=0)
        squares += own.T @ own
    return replace(known, signs=signs, lengths=lengths, sum=sums, squares=squares)


def _begun(view: VectorView, reckoned: int, prior: Mapping[str, Vector], weight: float) -> Sketch:
    means = language_means(*_sums(view, reckoned), prior, weight)
    size = means.shape[1]
    return Sketch(
        reckoned=reckoned,
        prior=prior,
        weight=weight,
        means=means,
        signs=Tape.empty(np.uint64, _SIGNS // 64),
        lengths=Tape.empty(np.float32),
        sum=np.zeros(size),
        squares=np.zeros((size, size)),
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


def nearest_rows(
    alike: NDArray[np.uint8],
    languages: NDArray[np.uint8],
    away: NDArray[np.bool_],
    seen: NDArray[np.bool_] | None,
    count: int,
) -> Rows:
    """About ``count`` rows that seem the nearest, ascending: half of them in languages that are ``away`` (by place),
    half in the others. ``seen`` says which rows count (None: all do).

    Every so many rows tell what the nearest of each half about reach, so that only a few need be counted.
    """
    each, few = count // 2, int(_MORE * count / 2 / _EVERY) + 1
    told = alike[::_EVERY] if seen is None else alike[::_EVERY] * seen[::_EVERY]
    abroad = away[languages[::_EVERY]]
    least = min(_reached(told[~abroad], few), _reached(told[abroad], few))
    near = _at_least(alike, least, seen) if least > 1 else _NONE
    values, abroad = alike[near], away[languages[near]]
    found = int(np.count_nonzero(abroad))
    if each <= found <= _MUCH * each and each <= len(near) - found <= _MUCH * each:
        reached = (_reached(values[~abroad], each), _reached(values[abroad], each))
        return near[values >= np.array(reached, dtype=np.uint8)[abroad.view(np.uint8)]]
    abroad = away[languages]  # there is little on one side, or one is far nearer
    sides = (abroad, ~abroad) if seen is None else (abroad & seen, ~abroad & seen)
    near = np.concatenate([greatest(alike, side, each) for side in sides])
    near.sort()
    return near


_MORE, _MUCH = 1.3, 8
_NONE = np.zeros(0, dtype=np.int64)


def _at_least(values: NDArray[np.uint8], least: int, seen: NDArray[np.bool_] | None) -> Rows:
    reach = values >= least
    return np.flatnonzero(reach if seen is None else reach & seen)


def greatest(values: NDArray[np.uint8], among: NDArray[np.bool_] | None, count: int) -> Rows:
    """The places of the ``count`` greatest numbers, in order of place; what is as great as the last of them is among
    them, unless that is too many. ``among`` says which count (None: all do); a 0 never does."""
    own = values if among is None else values * among
    # Every so many tell about how great they are, so that only a few need be counted.
    near = np.flatnonzero(own >= _reached(own[::_EVERY], 2 * count // _EVERY + 1))
    if len(near) < count:
        near = np.flatnonzero(own)
    return near[own[near] >= _reached(own[near], count)][: count * 2]


def _reached(values: NDArray[np.uint8], count: int) -> int:
    """What the ``count`` greatest numbers reach, at least 1."""
    down_to = np.bincount(values, minlength=256)[::-1].cumsum()
    return max(1, 255 - int(down_to.searchsorted(count)))


_EVERY = 16
