"""Words across languages: a Chinese question finds "movie" where it asks for 电影, through the postings of "movie".

What a text is about, vectors tell; which of a hundred English turns about a film holds *this* answer, words tell, as
they do within one language. So each word of the question brings the few nearest words of the other language (from the
static embedder's table), and what holds them is scored as BM25 would: the nearer and the rarer, the more. It works
from the index, so it does not matter how large the store is; and nothing is computed where nobody spoke the other
language.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import SemanticPolicy
from smartbrain.ports import LexicalView, Sense
from smartbrain.text.terms import terms

Scores = NDArray[np.float32]


class Bridge(NamedTuple):
    """A sense with what the index knows its other word as."""

    sense: Sense
    term: str


@dataclass(frozen=True, slots=True)
class Across:
    """By ordinal how well a document answers in the other language, ``hits``, those that do at all, and ``full``, what
    a full answer would score.

    ``weight`` is what the best counts beside the question's own words. ``bridges`` and ``view`` say which words led
    there.
    """

    scores: Scores
    hits: NDArray[np.int64]
    full: float
    weight: float
    view: LexicalView
    bridges: Sequence[Bridge]

    def crossed(self, ords: Sequence[int]) -> list[tuple[str, ...]]:
        """What led to each document, for ``signals.matched``: ``("电影 ~ movie .85",)``."""
        wanted = np.array(ords, dtype=np.uint32)  # of the postings' own kind: else all of them are converted
        reached = self.scores[wanted] != 0
        words: list[list[str]] = [[] for _ in ords]
        for bridge in self.bridges:
            found = self.view.postings.get(bridge.term)
            if found is not None and len(found.ords) and reached.any():
                at = np.minimum(found.ords.searchsorted(wanted), len(found.ords) - 1)
                for place in np.flatnonzero((found.ords[at] == wanted) & reached).tolist():
                    words[place].append(told(bridge.sense))
        return [tuple(found) for found in words]


def told(sense: Sense) -> str:
    """A sense as ``signals.matched`` shows it: ``电影 ~ movie .85``."""
    return f"{sense.word} ~ {sense.other} {sense.nearness:.2f}".replace(" 0.", " .")


@lru_cache(maxsize=16)  # turns and items are asked with the same
def bridges_of(senses: tuple[Sense, ...], least: float) -> Sequence[Bridge]:
    """The senses nearer than ``least`` whose other word the index can hold; a word cut into several terms goes by its
    first."""
    return [Bridge(sense, term) for sense in senses if sense.nearness > least and (term := _first_term(sense.other))]


@lru_cache(maxsize=16_384)  # the words of questions come again, and each has a dozen others
def _first_term(word: str) -> str:
    return next(iter(terms(word)), "")


def across(
    view: LexicalView,
    bridges: Sequence[Bridge],
    foreign: Callable[[NDArray[np.int64]], Scores],
    policy: SemanticPolicy,
) -> Across:
    """What the words of the other language score, summed over the question's words, the best of each counting.

    A word counts idf x (cosine - c) / (1 - c) with c the policy's ``nearness_across``, over sqrt(1 + length / (4 x mean
    length)). ``foreign`` says of ordinals which are in another language than the question; only those score.
    """
    threshold = policy.nearness_across
    mean = max(1.0, view.total_length / max(1, view.n_docs))
    scores = np.zeros(view.n_docs, dtype=np.float32)
    own = np.zeros(view.n_docs, dtype=np.float32)
    full = 0.0
    of_word: dict[str, list[Bridge]] = {}
    for bridge in bridges:
        of_word.setdefault(bridge.sense.word, []).append(bridge)
    for led in of_word.values():
        rarest = 0.0
        holding: list[tuple[float, NDArray[np.uint32]]] = []
        for bridge in led:
            found = view.postings.get(bridge.term)
            if found is None or not len(found.ords):
                continue
            df = len(found.ords)
            idf = math.log1p((view.n_docs - df + 0.5) / (df + 0.5))
            worth = idf * max(0.0, (bridge.sense.nearness - threshold) / (1.0 - threshold))
            holding.append((worth, found.ords))
            rarest = max(rarest, idf)
        # The least first, so that the greatest stands; then each is taken up once, and its place is zero again.
        for value, ords in sorted(holding, key=itemgetter(0)):
            own[ords] = value
        for _, ords in holding:
            scores[ords] += own[ords]
            own[ords] = 0.0
        full += rarest
    hit = np.flatnonzero(scores != 0)  # of numbers it takes ten times as long
    scores[hit] *= foreign(hit)
    hit = hit[scores[hit] != 0]
    scores[hit] /= np.sqrt(1.0 + 0.25 * view.columns.length[hit].astype(np.float32) / np.float32(mean))
    return Across(scores, hit, full, policy.weight_across, view, bridges)
