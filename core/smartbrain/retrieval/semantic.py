"""Nearness of meaning: a question compared with documents, the best window of a long one speaking for it.

Pure functions over the vectors of one space. Vectors of one model share a large common part, and the common part
differs by language: so each language's mean is taken out (``centring``); else a question finds its own language, not
its answer. In a large space the signs of each vector say which are worth comparing (``sketch``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from smartbrain.ports import LANGUAGES, DocColumns, VectorView
from smartbrain.retrieval.across import Across
from smartbrain.retrieval.centring import Asked, Vector, centred, centred_cosines, cosines_of, means_of
from smartbrain.retrieval.comparing import Compared
from smartbrain.retrieval.doc_rows import DocRows, doc_rows_of
from smartbrain.retrieval.shape import Shape
from smartbrain.retrieval.sketch import COSINES, about, greatest, nearest_rows, sketch_of
from smartbrain.retrieval.space import Space, best_of
from smartbrain.retrieval.stretches import stretch_nearness
from smartbrain.retrieval.threads import thread_nearness

Ords = NDArray[np.int64]

EXHAUSTIVE = 20_000
"""Up to so many vectors, each is compared."""
_POOL = 3_000
_FAR = 3.0
"""Standard deviations below the mean from which on a document is as far as can be: the farthest of all depends on
chance, and on having seen all."""
_CROSSED = 100
_SLACK = 0.15


class Glance(NamedTuple):
    """Of some documents ``Meaning.foreign``, and what its scores will hardly be above (None: it takes as long)."""

    foreign: Vector
    most: Vector | None


@dataclass(frozen=True, slots=True)
class Meaning:
    """How near documents are to the question, asked by ordinal.

    ``nearest`` are the ordinals of the nearest, in no order, some perhaps twice; ``crosses`` whether the answer may be
    in another language than the question; ``across`` what the question's words in the other language find. ``high`` and
    ``mean`` are of the cosines of the documents, ``low`` is the one that counts as nothing. ``most``: by what
    ``Space.seeming`` says of a document the score that it will hardly be above; None where nothing is known without
    comparing.
    """

    nearest: Ords
    crosses: bool
    low: float
    high: float
    mean: float
    weight: float
    weight_foreign: float
    weight_stretch: float
    weight_thread: float
    doubt: float
    trust: Vector
    space: Space
    most: Vector | None = None
    across: Across | None = None

    def cosines(self, ords: Ords) -> Vector:
        """The cosine of the centred vectors, NaN for documents without any or that may not be seen."""
        return self.space.cosines(ords)

    def foreign(self, ords: Ords) -> Vector:
        """Whether each is in another language than the question (``trust_in``), times the ``doubt`` that the answer is
        in its own: 0..1."""
        if not self.doubt:
            return np.zeros(len(ords), dtype=np.float32)
        return self.trust[self.space.languages(ords)] * np.float32(self.doubt)

    def scores(self, ords: Ords) -> Vector:
        """Between 0 and the weight (in another language than the question's, the weight and ``weight_foreign``: words
        cannot find what is said there); what has no vector yet takes the mean."""
        return self._scores_of(ords, self.cosines(ords))

    def around(self, stretches: NDArray[np.uint32], ords: Ords) -> Vector:
        """Between 0 and ``weight_stretch``: how near the stretch of conversation around each document is.

        ``stretches`` is the number of each document's, by ordinal; what lies in one without vectors gets nothing.
        """
        rows = self.space.view.ords
        near = stretch_nearness(self.space.every(), stretches[rows], self.space.allowed[rows])
        own = stretches[ords]
        found = np.zeros(len(ords), dtype=np.float32)
        known = own < len(near)
        found[known] = near[own[known]] * np.float32(self.weight_stretch)
        return found

    def threads(self, columns: DocColumns, shape: Shape, found: Ords, scores: Vector) -> Vector:
        """Between 0 and ``weight_thread``: how near the stretch around each document is to those that score best."""

        def directions(stretches: Ords) -> Vector:
            return self.space.directions(columns.segment, shape.of_stretches(columns, stretches), len(stretches))

        return thread_nearness(scores, columns.segment[found], directions) * np.float32(self.weight_thread)

    def glance(self, ords: Ords) -> Glance:
        """What is known of documents without comparing them."""
        if self.most is None:
            return Glance(self.foreign(ords), None)
        seeming = self.space.seeming(ords)
        known = np.append(self.trust * np.float32(self.doubt), np.float32(0.0))
        return Glance(np.take(known, seeming >> 8), np.take(self.most, seeming))

    def with_most(self) -> Meaning:
        """With what documents will hardly score above, where a sketch says something of them. It errs by 0.075 on
        average, and twice that is allowed for."""
        if self.space.alike is None:
            return self
        weights = np.float32(self.weight) + np.float32(self.weight_foreign) * self.trust * np.float32(self.doubt)
        known = self._share(COSINES + np.float32(_SLACK)) * weights[:, None]
        unknown = self._share(np.array([self.mean], dtype=np.float32)) * np.float32(self.weight)
        return replace(self, most=np.concatenate((known.reshape(-1), unknown)))

    def _scores_of(self, ords: Ords, cosines: Vector) -> Vector:
        weights = np.float32(self.weight) + np.float32(self.weight_foreign) * self.foreign(ords)
        unknown = np.isnan(cosines)
        if unknown.any():
            cosines[unknown], weights[unknown] = self.mean, self.weight
        scores: Vector = self._share(cosines) * weights
        return scores

    def _share(self, cosines: Vector) -> Vector:
        """How near cosines are: 0 from ``low`` down, 1 at ``high``."""
        share: Vector = cosines - np.float32(self.low)
        share /= np.float32((self.high - self.low) or np.inf)
        return np.minimum(np.maximum(share, np.float32(0.0), out=share), np.float32(1.0), out=share)


def meaning_of(view: VectorView, asked: Asked, allowed: NDArray[np.bool_], texts: int, weight: float) -> Meaning | None:
    """The nearness of the documents of a space; None when no document that may be seen has a vector.

    ``allowed`` says of each ordinal whether it may be seen, ``texts`` how many of them have text. While many of
    those wait for their vectors, the nearest of the few says little: the weights shrink with the share that has them.
    """
    docs = doc_rows_of(view)
    with_vectors = docs.seen(allowed)
    if not with_vectors:
        return None
    trust = trust_in(view, asked)
    if len(view.ords) <= EXHAUSTIVE:
        space, ords, cosines, mean, low = _every(view, asked, docs, allowed)
    else:
        space, ords, cosines, mean, low = _promising(view, asked, docs, allowed, trust, with_vectors)
    share = min(1.0, with_vectors / max(1, texts))
    few = min(asked.policy.nearest, len(ords))
    nearest = np.argpartition(-cosines, few - 1)[:few]
    nearest = nearest[cosines[nearest] >= asked.policy.min_cosine]
    leaning = doubt(cosines, trust[space.languages(ords)] > 0)
    return Meaning(
        nearest=ords[nearest],
        crosses=bool(leaning and (trust[np.flatnonzero(view.counts)] > 0).any()),
        low=low,
        high=float(cosines.max()),
        mean=mean,
        weight=weight * share,
        weight_foreign=asked.policy.weight_foreign,
        weight_stretch=asked.policy.weight_stretch * share,
        weight_thread=asked.policy.weight_thread * share,
        doubt=leaning,
        trust=trust,
        space=space,
    ).with_most()


class _Found(NamedTuple):
    """Documents, ascending, and their cosines; of the whole space their mean and the one that counts as nothing."""

    space: Space
    ords: Ords
    cosines: Vector
    mean: float
    low: float


def _every(view: VectorView, asked: Asked, docs: DocRows, allowed: NDArray[np.bool_]) -> _Found:
    """All documents that may be seen."""
    compared = centred_cosines(view, asked)
    space = Space(view, docs, allowed, lambda: compared, compared.__getitem__, lambda: means_of(view, asked))
    ords, cosines = _best_windows(space, np.flatnonzero(allowed[view.ords]))
    mean = float(compared.mean())
    return _Found(space, ords, cosines, mean, max(float(cosines.min()), mean - _FAR * float(compared.std())))


def _promising(
    view: VectorView, asked: Asked, docs: DocRows, allowed: NDArray[np.bool_], trust: Vector, seen: int
) -> _Found:
    """Those that seem the nearest by the signs of their vectors, in each language apart; ``seen``: how many may be."""
    sketch = sketch_of(view, asked)
    beside = centred(asked, sketch.means)
    compared = Compared(lambda rows: cosines_of(view, rows, beside, sketch.lengths.array), len(view.ords))
    alike = sketch.alike(beside)
    space = Space(view, docs, allowed, lambda: about(alike), compared, lambda: sketch.means, alike)
    hidden = None if seen == len(docs.ords) else allowed[view.ords]
    if (trust[view.counts > 0] > 0).any():
        near = nearest_rows(alike, view.languages, trust > 0, hidden, _POOL)
    else:
        near = greatest(alike, hidden, _POOL)
    ords, cosines = _best_windows(space, near)
    mean, spread = sketch.spread(beside)
    return _Found(space, ords, cosines, mean, mean - _FAR * spread)


def _best_windows(space: Space, rows: Ords) -> tuple[Ords, Vector]:
    """The documents that some rows, ascending, are of, and the best of these windows of each."""
    ords = space.view.ords[rows]
    starts = np.flatnonzero(np.diff(ords, prepend=ords[:1] + 1))
    return ords[starts].astype(np.int64), best_of(space.of_rows(rows), starts)


def share_of_meaning(terms: Sequence[str], long_question: int) -> float:
    """How much of its weight nearness keeps: min(1, ``long_question`` / terms) squared; all of it for 0.

    A single Chinese character is a part of the words beside it and does not count.
    """
    count = sum(1 for term in terms if len(term) > 1 or term < "\u4e00")
    return min(1.0, long_question / count) ** 2 if long_question and count else 1.0


def with_across(meaning: Meaning, found: Across) -> Meaning:
    """The nearness with what the words of the other language find, whose best become candidates, too."""
    best = found.hits
    if len(best) > _CROSSED:
        best = best[np.argpartition(-found.scores[best], _CROSSED)[:_CROSSED]]
    return replace(meaning, nearest=np.concatenate((meaning.nearest, best)), across=found)


def doubt(cosines: Vector, foreign: NDArray[np.bool_]) -> float:
    """How likely the answer is in another language than the question, 0..1, by where the nearest documents are.

    1 + 6 x (the mean of the three nearest of other languages - that of the three nearest of its own). Measured on
    memorybank_mixed, the difference tells questions whose answer is in the other language with an AUC of 0.92;
    without it the other language's turns crowd out the right ones of its own.
    """
    away = int(np.count_nonzero(foreign))
    if away in (0, len(foreign)):
        return float(away > 0)
    abroad, home = _mean_of_best(cosines[foreign]), _mean_of_best(cosines[~foreign])
    return min(1.0, max(0.0, 1.0 + _LEANING * (abroad - home)))


def _mean_of_best(cosines: Vector) -> float:
    few = min(_NEAREST, len(cosines))
    best: list[float] = np.partition(cosines, len(cosines) - few)[len(cosines) - few :].tolist()
    return sum(best) / few


_NEAREST = 3
_LEANING = 6.0


def trust_in(view: VectorView, asked: Asked) -> Vector:
    """By language, whether its texts are in another one than the question: 1, or less while little is known of it.

    As long as a language has few texts, its mean says little and nearness across languages is not to be trusted: n
    texts count n / (n + 20). 0 where either language is unknown.
    """
    trust = view.counts / (view.counts + 20.0)
    if asked.language not in _KNOWN:
        trust[:] = 0.0
    trust[[0, LANGUAGES.index("other"), LANGUAGES.index(asked.language) if asked.language in _KNOWN else 0]] = 0.0
    return trust.astype(np.float32)


_KNOWN = frozenset(LANGUAGES) - {"", "other"}


def without_speakers(text: str, speakers: Iterable[str]) -> str:
    """A question without the names of those who speak in the conversation, unless nothing but names is left.

    "When did Ann go to Rome?" is nearest to what others said *to* Ann, for they call her by name and she does not;
    whose turns are meant is the business of the speaker match. Measured on a conversation of LoCoMo: R@10 of the
    vectors alone 58.7 with the names, 68.6 without; of questions that name the wrong speaker 54.3 and 74.5.
    """
    names = [name for name in speakers if len(name) > 1 and name.lower() not in _ROLES]
    if not names:
        return text
    parts = (rf"\b{re.escape(name)}\b(?:['’]s\b)?" if name.isascii() else re.escape(name) for name in names)
    shorter = re.sub("|".join(parts), " ", text, flags=re.IGNORECASE)
    return " ".join(shorter.split()) if _LETTER.search(shorter) else text


_ROLES = frozenset(("user", "assistant", "ai", "human", "bot", "system", "tool", "agent"))
_LETTER = re.compile(r"[^\W\d_]")
