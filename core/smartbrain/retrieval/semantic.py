"""Nearness of meaning: vectors centred by language, compared one by one, the best window speaking for its document.

Pure functions over the vectors of one space. Two findings shape them (docs/evaluation.md says how such are measured):
vectors of one model share a large common part, so the mean is taken out of documents and question, and the common part
differs by language, so each language has a mean of its own; else a question finds its own language, not its answer.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import SemanticPolicy
from smartbrain.ports import LANGUAGES, Sense, VectorModel, VectorView
from smartbrain.retrieval.across import Across

Vector = NDArray[np.float32]
Ords = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a vector of any length but 0, its language, and the means its model has in general.

    ``prior`` maps a language to the mean of the model's unit vectors over texts of that language; ``senses`` are the
    question's words in the other language.
    """

    model: VectorModel
    vector: Vector
    language: str
    policy: SemanticPolicy
    prior: Mapping[str, Vector] = field(default_factory=dict)
    senses: tuple[Sense, ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """How near each document is to the question, by ordinal.

    ``cosines`` of the centred vectors, NaN for documents without any; ``scores`` between 0 and the weight (in another
    language than the question's, the weight and ``weight_foreign``), what has no vector yet taking the mean;
    ``nearest`` the ordinals of the nearest, in no order; ``foreign`` which are in another language than the question
    (``in_another_language``), times the ``doubt`` that the answer is in its own; ``across`` what the question's words
    in the other language find.
    """

    cosines: Vector
    scores: Vector
    nearest: Ords
    foreign: Vector
    across: Across | None = None


def meaning_of(view: VectorView, asked: Asked, allowed: NDArray[np.bool_], texts: int, weight: float) -> Meaning | None:
    """The nearness of every document of a space; None when no document that may be seen has a vector.

    ``allowed`` says of each ordinal whether it may be seen, ``texts`` how many of them have text. While many of
    those wait for their vectors, the nearest of the few says little: the weight shrinks with the share that has them.
    """
    cosines = best_windows(view.ords, centred_cosines(view, asked), len(allowed))
    cosines[~allowed] = np.nan
    near = np.flatnonzero(~np.isnan(cosines))
    if not len(near):
        return None
    weight *= min(1.0, len(near) / max(1, texts))
    values = cosines[near]
    low, high = float(values.min()), float(values.max())
    spread = (values - low) / np.float32(high - low) if high > low else np.zeros_like(values)
    scores = np.full(len(allowed), spread.mean() * weight, dtype=np.float32)
    # Words cannot find what is said in another language: nearness stands in for them, too.
    foreign = in_another_language(view, asked, len(allowed))
    foreign *= doubt(values, foreign[near] > 0)
    scores[near] = spread * (np.float32(weight) + np.float32(asked.policy.weight_foreign) * foreign[near])
    few = min(asked.policy.nearest, len(near))
    nearest = np.argpartition(-values, few - 1)[:few]
    nearest = nearest[values[nearest] >= asked.policy.min_cosine]
    return Meaning(cosines, scores, near[nearest], foreign)


def with_across(meaning: Meaning, found: Across) -> Meaning:
    """The nearness with what the words of the other language find, whose best become candidates, too."""
    few = min(_CROSSED, len(found.scores))
    best = np.argpartition(-found.scores, few - 1)[:few] if few else meaning.nearest[:0]
    nearest = np.union1d(meaning.nearest, best[found.scores[best] > 0])
    return replace(meaning, nearest=nearest, across=found)


_CROSSED = 100


def doubt(cosines: Vector, foreign: NDArray[np.bool_]) -> np.float32:
    """How likely the answer is in another language than the question, 0..1, by where the nearest documents are.

    1 + 6 x (the mean of the three nearest of other languages - that of the three nearest of its own). Measured on
    memorybank_mixed, the difference tells questions whose answer is in the other language with an AUC of 0.92;
    without it the other language's turns crowd out the right ones of its own.
    """
    away = int(np.count_nonzero(foreign))
    if away in (0, len(foreign)):
        return np.float32(away > 0)
    # Hiding the other side is cheaper than picking one side out of a hundred thousand by a mask.
    abroad = _mean_of_best(np.where(foreign, cosines, _HIDDEN), away)
    home = _mean_of_best(np.where(foreign, _HIDDEN, cosines), len(foreign) - away)
    return np.float32(np.clip(1.0 + _LEANING * (abroad - home), 0.0, 1.0))


def _mean_of_best(cosines: Vector, seen: int) -> float:
    # Sorting a hundred thousand would cost as much as the rest of the search.
    few = min(_NEAREST, seen)
    return float(np.partition(cosines, len(cosines) - few)[len(cosines) - few :].mean())


_NEAREST = 3
_HIDDEN = np.float32(-np.inf)
_LEANING = 6.0


def in_another_language(view: VectorView, asked: Asked, count: int) -> Vector:
    """Which documents, by ordinal, are in another language than the question: 1, or less while little is known of it.

    As long as a language has few texts, its mean says little and nearness across languages is not to be trusted: n
    texts count n / (n + 20). 0 where either language is unknown.
    """
    foreign = np.zeros(count, dtype=np.float32)
    if asked.language not in _KNOWN:
        return foreign
    trust = view.counts / (view.counts + 20.0)
    trust[[0, LANGUAGES.index("other"), LANGUAGES.index(asked.language)]] = 0.0
    foreign[view.ords] = trust[view.languages]
    return foreign


_KNOWN = frozenset(LANGUAGES) - {"", "other"}


def centred_cosines(view: VectorView, asked: Asked) -> Vector:
    """The cosine of the question with every window: both of length 1, less their language's mean, of length 1 again.

    (d - m) / |d - m| is never written out: q (d - m) = q d - q m, so one pass over the vectors is enough.
    """
    means, lengths = _centring(view, asked)
    place = LANGUAGES.index(asked.language) if asked.language in LANGUAGES else LANGUAGES.index("other")
    question = _unit(_unit(asked.vector) - means[place])
    along = view.vectors @ question - (means @ question)[view.languages]
    return (along / lengths).astype(np.float32, copy=False)


def language_means(view: VectorView, prior: Mapping[str, Vector], weight: float) -> Vector:
    """The mean vector of each language: (n x the store's own + ``weight`` x the model's) / (n + ``weight``).

    A small store's own mean is mostly its topic, and taking that out hurts. Where the model brings no mean, zero
    stands in for it: a store of nine messages is centred by two thirds, one of a hundred wholly. Measured with e5 that
    did better than the mean of everyday chat, in stores of nine messages (memdaily_zh_dev, R@5 of the vectors alone
    82.8 against 82.5) and of 75 in two languages (memorybank_mixed, R@5 86.8 against 83.2).
    """
    means = np.zeros((len(LANGUAGES), view.vectors.shape[1]), dtype=np.float64)
    for place, language in enumerate(LANGUAGES):
        general = np.asarray(prior.get(language, 0.0), dtype=np.float64)
        if view.counts[place] + weight > 0:
            means[place] = (view.sums[place] + weight * general) / (view.counts[place] + weight)
    return means.astype(np.float32)


def best_windows(ords: NDArray[np.uint32], cosines: Vector, count: int) -> Vector:
    """The best window of each document by ordinal, NaN for those without; a document's windows stand together."""
    best = np.full(count, np.nan, dtype=np.float32)
    if len(ords):
        starts = np.concatenate(([0], np.flatnonzero(ords[1:] != ords[:-1]) + 1))
        # Chat messages are short: where each has one window, there is nothing to choose from.
        best[ords[starts]] = cosines if len(starts) == len(ords) else np.maximum.reduceat(cosines, starts)
    return best


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


@dataclass(frozen=True, slots=True)
class _Centring:
    weight: float
    prior: Mapping[str, Vector]
    means: Vector
    lengths: Vector


_LOCK = threading.Lock()
_KEPT: WeakKeyDictionary[VectorView, _Centring] = WeakKeyDictionary()


def _centring(view: VectorView, asked: Asked) -> tuple[Vector, Vector]:
    """The means, and the length of each vector less its own; kept as long as the view is."""
    weight, prior = asked.policy.prior_weight, asked.prior
    with _LOCK:
        kept = _KEPT.get(view)
    if kept is None or kept.weight != weight or kept.prior is not prior:
        means = language_means(view, prior, weight)
        kept = _Centring(weight, prior, means, _lengths(view, means))
        with _LOCK:
            _KEPT[view] = kept
    return kept.means, kept.lengths


def _lengths(view: VectorView, means: Vector) -> Vector:
    """|d - m| of every vector of length 1: the root of 1 - 2 d m + m m."""
    along = np.zeros(len(view.ords), dtype=np.float32)
    for place in np.flatnonzero(view.counts):
        rows = np.flatnonzero(view.languages == place)
        if len(rows) * 8 > len(along):
            along[rows] = (view.vectors @ means[place])[rows]
        else:
            along[rows] = view.vectors[rows] @ means[place]
    own = (means * means).sum(axis=1)[view.languages]
    lengths: Vector = np.sqrt(np.maximum(1.0 - 2.0 * along + own, _TINY), dtype=np.float32)
    return lengths


_TINY = 1e-6


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return (vector / length).astype(np.float32) if length > 0 else vector.astype(np.float32)
