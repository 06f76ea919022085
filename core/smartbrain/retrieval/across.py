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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import SemanticPolicy
from smartbrain.ports import LexicalView, Sense
from smartbrain.text.terms import first_term

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
        reached = np.flatnonzero(self.scores[wanted])
        words: list[list[str]] = [[] for _ in ords]
        if len(reached):
            wanted = wanted[reached]
            held = [(bridge.sense, own) for bridge in self.bridges if len(own := self.view.postings[bridge.term].ords)]
            holds = np.zeros((len(held), len(wanted)), dtype=np.bool_)
            for row, (_, own) in zip(holds, held, strict=True):
                np.equal(own.take(own.searchsorted(wanted), mode="clip"), wanted, out=row)
            for number, place in zip(*(axis.tolist() for axis in holds.nonzero()), strict=True):
                words[reached[place]].append(told(held[number][0]))
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
    return first_term(word)


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
    words: dict[str, int] = {}
    rarest: list[float] = []
    holding: list[tuple[NDArray[np.uint32], float, int]] = []
    for bridge in bridges:
        ords = view.postings[bridge.term].ords
        word = words.setdefault(bridge.sense.word, len(words))
        if word == len(rarest):
            rarest.append(0.0)
        if len(ords):
            idf = math.log1p((view.n_docs - len(ords) + 0.5) / (len(ords) + 0.5))
            rarest[word] = max(rarest[word], idf)
            holding.append((ords, idf * max(0.0, (bridge.sense.nearness - threshold) / (1.0 - threshold)), word))
    scores = np.zeros(view.n_docs, dtype=np.float32)
    hit, reached = _summed(holding)
    reached *= foreign(hit)
    hit, reached = hit[reached != 0], reached[reached != 0]
    reached /= np.sqrt(1.0 + 0.25 * view.columns.length[hit].astype(np.float32) / np.float32(mean))
    scores[hit] = reached
    return Across(scores, hit, sum(rarest), policy.weight_across, view, bridges)


def _summed(holding: Sequence[tuple[NDArray[np.uint32], float, int]]) -> tuple[NDArray[np.int64], Scores]:
    """Documents, ascending, and over the words the sum of the most that one of a word's counts; ``holding`` are
    documents, what the word in them counts, and the number of the question's word it is for."""
    if not holding:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    sizes = [len(ords) for ords, _, _ in holding]
    keys = np.concatenate([ords for ords, _, _ in holding]).astype(np.int64)
    keys *= _WORDS
    keys += np.repeat(np.array([word for _, _, word in holding]), sizes)
    worth = np.repeat(np.array([value for _, value, _ in holding], dtype=np.float32), sizes)
    order = keys.argsort()
    keys = keys[order]
    of_word = _starts(keys)
    most = np.maximum.reduceat(worth[order], of_word)
    ords = keys[of_word] // _WORDS
    of_document = _starts(ords)
    return ords[of_document], np.add.reduceat(most, of_document)


_WORDS = 1 << 20


def _starts(ascending: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each number begins."""
    return np.flatnonzero(np.diff(ascending, prepend=ascending[:1] - 1))
