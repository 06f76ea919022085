"""Words across languages: a Chinese question finds "movie" where it asks for 电影, through the postings of "movie".

What a text is about, vectors tell; which of a hundred English turns about a film holds *this* answer, words tell, as
they do within one language. So each word of the question brings the few nearest words of the other language (from the
static embedder's table), and what holds them is scored as BM25 would: the nearer and the rarer, the more. It works
from the index, so it does not matter how large the store is; and nothing is computed where nobody spoke the other
language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
    """By ordinal how well a document answers in the other language, and ``full``, what a full answer would score.

    ``weight`` is what the best counts beside the question's own words. ``bridges`` and ``view`` say which words led
    there.
    """

    scores: Scores
    full: float
    weight: float
    view: LexicalView
    bridges: Sequence[Bridge]

    def crossed(self, ord_: int) -> tuple[str, ...]:
        """What led to a document, for ``signals.matched``: ``("电影 ~ movie .85",)``."""
        if not self.scores[ord_]:
            return ()
        return tuple(
            f"{bridge.sense.word} ~ {bridge.sense.other} {bridge.sense.nearness:.2f}".replace(" 0.", " .")
            for bridge in self.bridges
            if (found := self.view.postings.get(bridge.term)) is not None and _holds(found.ords, ord_)
        )


def bridges_of(senses: Sequence[Sense], least: float) -> list[Bridge]:
    """The senses nearer than ``least`` whose other word the index can hold; a word cut into several terms goes by its
    first."""
    return [Bridge(sense, found[0]) for sense in senses if sense.nearness > least and (found := terms(sense.other))]


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
    full = 0.0
    for word in dict.fromkeys(bridge.sense.word for bridge in bridges):
        own = np.zeros(view.n_docs, dtype=np.float32)
        rarest = 0.0
        for bridge in bridges:
            found = view.postings.get(bridge.term) if bridge.sense.word == word else None
            if found is None or not len(found.ords):
                continue
            df = len(found.ords)
            idf = float(np.log1p((view.n_docs - df + 0.5) / (df + 0.5)))
            worth = idf * max(0.0, (bridge.sense.nearness - threshold) / (1.0 - threshold))
            own[found.ords] = np.maximum(own[found.ords], np.float32(worth))
            rarest = max(rarest, idf)
        scores += own
        full += rarest
    hit = np.flatnonzero(scores)
    scores[hit] *= foreign(hit)
    scores[hit] /= np.sqrt(1.0 + 0.25 * view.columns.length[hit].astype(np.float32) / np.float32(mean))
    return Across(scores, full, policy.weight_across, view, bridges)


def _holds(ords: NDArray[np.integer], ord_: int) -> bool:
    at = int(np.searchsorted(ords, ord_))
    return at < len(ords) and int(ords[at]) == ord_
