"""What each part of lexical ranking is worth: BM25, and what a turn's neighbours, session, speaker and date say.

Pure functions over the columns and postings of one space, as arrays by ordinal or beside the candidates (``found``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import LexicalPolicy
from smartbrain.ports import FLAG_QUESTION, DocColumns, LexicalView
from smartbrain.retrieval.shape import Shape
from smartbrain.text.scanner import HAN

Scores = NDArray[np.float32]
Ords = NDArray[np.int64]
Order = Literal["", "first", "last"]


def inverse_frequencies(view: LexicalView, terms: Sequence[str]) -> dict[str, float]:
    """ln(1 + (N - df + 0.5) / (df + 0.5)) per distinct term (Robertson & Zaragoza 2009), unseen terms too."""
    idfs: dict[str, float] = {}
    for term in dict.fromkeys(terms):
        found = view.postings.get(term)
        df = 0 if found is None else len(found.ords)
        idfs[term] = math.log(1.0 + (view.n_docs - df + 0.5) / (df + 0.5))
    return idfs


def term_weights(
    view: LexicalView, terms: Sequence[str], policy: LexicalPolicy, names: Collection[str] = ()
) -> dict[str, float]:
    """What each distinct term counts: its inverse frequency, less for a single Han character.

    A character finds what words miss (猫 in 小猫咪) and much besides; half suits all sets (docs/benchmarks.md).
    ``names`` are words of names in a statement: each counts ``name_weight`` times.
    """
    weights = inverse_frequencies(view, terms)
    for term in weights:
        if len(term) == 1 and _HAN_CHARACTER.match(term):
            weights[term] *= policy.character_weight
        if term in names:
            weights[term] *= policy.name_weight
    return weights


_HAN_CHARACTER = re.compile(f"[{HAN}]")


def expected_evidence(idfs: Mapping[str, float]) -> float:
    """What a document that answers in full would about score: 2.2 x the sum of the 8 largest idfs."""
    return 2.2 * sum(sorted(idfs.values(), reverse=True)[:8])


def support(own: Scores, full: float) -> float:
    """The best document's BM25 over what a full answer would score, at most 1: how much there is to go by at all."""
    return min(1.0, float(own.max(initial=0.0)) / full) if full > 0 else 0.0


def bm25(view: LexicalView, idfs: Mapping[str, float], policy: LexicalPolicy, *, onto: Scores | None = None) -> Scores:
    """BM25 of every document, added ``onto`` scores that are given; a deleted one has length 0 and no postings left."""
    mean = max(1.0, view.total_length / max(1, view.n_docs))
    scores = np.zeros(view.n_docs, dtype=np.float32) if onto is None else onto
    for term, idf in idfs.items():
        found = view.postings.get(term)
        if found is None:
            continue
        length = view.columns.length[found.ords].astype(np.float32)
        tf = found.tfs.astype(np.float32)
        norm = policy.k1 * (1.0 - policy.b + policy.b * length / mean)
        scores[found.ords] += np.float32(idf) * tf * (policy.k1 + 1.0) / (tf + norm)
    return scores


class Around(NamedTuple):
    """Turns and their neighbours, -1 for none, and what each receives of the score of the turn before it (``share``)
    and of all it receives (``damp``)."""

    found: Ords
    one_back: Ords
    one_on: Ords
    two_back: Ords
    two_on: Ords
    share: Scores
    damp: Scores


def around_of(columns: DocColumns, shape: Shape, found: Ords, policy: LexicalPolicy) -> Around:
    """The neighbours of turns, as ``smooth`` needs them."""
    one_back, one_on = step(columns.prev, found), step(shape.after, found)
    two_back, two_on = step(columns.prev, one_back), step(shape.after, one_on)
    answers = (one_back >= 0) & (asks(columns, one_back, 300) > 0)
    share = np.where(answers, np.float32(policy.after_question), np.float32(policy.after_statement))
    damp = np.minimum(1.0, policy.long_turn / np.maximum(1.0, columns.chars[found].astype(np.float32)))
    return Around(found, one_back, one_on, two_back, two_on, share, damp)


def smooth(own: Scores, around: Around, policy: LexicalPolicy) -> Scores:
    """An answer belongs with its question: each turn receives part of its neighbours' scores.

    From the turn before: ``after_question`` of its score if it asks (<= 300 characters), else ``after_statement``; from
    the next one ``neighbour``, from those two away ``second_neighbour``. Where there is no neighbour, ``alone`` of the
    turn's own score stands in for it: neighbours of a good turn tend to be good, and a note that stands alone must not
    lose to a chat for standing alone; ``lone`` where there is none on either side (``longmemeval_pool``, all time: R@10
    +2.5 points). A long turn receives less: x min(1, ``long_turn`` / characters).
    """
    theirs = own[around.found]
    lone = (around.one_back < 0) & (around.one_on < 0)
    alone = theirs * np.where(lone, np.float32(policy.lone), np.float32(policy.alone))

    def score(ords: Ords) -> Scores:
        taken: Scores = np.where(ords >= 0, own[ords], alone)
        return taken

    received = (
        around.share * score(around.one_back)
        + np.float32(policy.neighbour) * score(around.one_on)
        + np.float32(policy.second_neighbour) * (score(around.two_back) + score(around.two_on))
    )
    smoothed: Scores = (theirs + received * around.damp).astype(np.float32)
    return smoothed


def segment_scores(view: LexicalView, idfs: Mapping[str, float], policy: LexicalPolicy, shape: Shape) -> Scores:
    """BM25 of each stretch of conversation (<= 4,000 characters), by its number."""
    segment, lengths = view.columns.segment, shape.lengths
    mean = max(1.0, float(lengths.sum()) / max(1, len(lengths)))
    scores = np.zeros(len(lengths), dtype=np.float32)
    for term, idf in idfs.items():
        found = view.postings.get(term)
        if found is None or not len(found.ords):
            continue
        held, tf = counts_by(segment[found.ords], found.tfs)
        norm = policy.k1 * (1.0 - policy.b + policy.b * lengths[held] / mean)
        scores[held] += (idf * tf * (policy.k1 + 1.0) / (tf + norm)).astype(np.float32)
    return scores


def counts_by(segments: NDArray[np.uint32], tfs: NDArray[np.uint16]) -> tuple[Ords, NDArray[np.float64]]:
    """The stretches that hold a word, ascending, and how often each does; ``segments`` is not empty."""
    follows = segments[1:] != segments[:-1]
    if not (segments[1:] >= segments[:-1]).all():  # sessions that were said at the same time
        order = np.argsort(segments, kind="stable")
        segments, tfs = segments[order], tfs[order]
        follows = segments[1:] != segments[:-1]
    starts = np.concatenate(([0], np.flatnonzero(follows) + 1))
    return segments[starts].astype(np.int64), np.add.reduceat(tfs, starts, dtype=np.float64)


def speaker_match(columns: DocColumns, found: Ords, speakers: frozenset[int]) -> Scores:
    """1 for turns of a speaker the question names."""
    return np.isin(columns.speaker[found], np.array(sorted(speakers), dtype=np.uint16)).astype(np.float32)


def date_match(day: NDArray[np.uint16], days: Mapping[int, float]) -> Scores:
    """The weight of the day a turn was said on, 0 for days the question does not speak of."""
    known = np.array(sorted(days), dtype=np.int64)
    weights = np.array([days[int(d)] for d in known], dtype=np.float32)
    at = np.searchsorted(known, day)
    at[at == len(known)] = 0
    return np.where(known[at] == day, weights[at], np.float32(0.0)).astype(np.float32)


def recency(day: NDArray[np.uint16], today: int, scale: float) -> Scores:
    """exp(-age / scale), ages in days: 1 for today, 0.37 after ``scale`` days. Unknown days count as old."""
    age = np.maximum(0.0, today - day.astype(np.float32))
    return np.exp(-age / np.float32(scale)).astype(np.float32)


def share_of_best(scores: Scores) -> Scores:
    """Each score over the best one, 0..1; all 0 where none is above 0."""
    most = float(scores.max(initial=0.0))
    return np.clip(scores / np.float32(most), 0.0, 1.0) if most > 0 else np.zeros_like(scores)


def in_order(day: NDArray[np.uint16], scores: Scores, order: Order) -> Scores:
    """How near each turn is to the newest ("last") or oldest ("first") of those that answer about as well, 0..1.

    The series are the turns with at least half of the best score; the nearness is shared out by that score, so that
    the newest of all does not win over what answers.
    """
    most = float(scores.max(initial=0.0))
    series = day[scores >= most / 2]
    low, high = (float(series.min()), float(series.max())) if most > 0 else (0.0, 0.0)
    if high <= low:
        return np.zeros(len(day), dtype=np.float32)
    place = np.clip((day.astype(np.float32) - low) / (high - low), 0.0, 1.0)
    near = place if order == "last" else 1.0 - place
    nearness: Scores = (near * np.clip(scores / most, 0.0, 1.0)).astype(np.float32)
    return nearness


def places_taken(found: Ords, segments: NDArray[np.uint32], parts: Mapping[str, Scores]) -> Scores:
    """How many better turns of the same stretch stand before each turn, at most 10.

    A question whose answer lies in two sessions gets evidence from both: a stretch pays for each further place.
    """
    total = np.stack(list(parts.values())).sum(axis=0, dtype=np.float32)
    before = np.full(len(found), MOST_PLACES, dtype=np.float32)
    places = np.arange(len(found))
    if len(found) > _WORTH_COUNTING:
        places = np.argpartition(total, len(found) - _WORTH_COUNTING)[len(found) - _WORTH_COUNTING :]
    order = places[np.lexsort((-found[places], -total[places], segments[places]))]
    stretch = segments[order]
    first = np.flatnonzero(np.diff(stretch, prepend=stretch[:1] + 1))
    begin = np.repeat(first, np.diff(first, append=len(order)))
    before[order] = np.minimum(np.arange(len(order)) - begin, MOST_PLACES)
    return before


MOST_PLACES = 10
_WORTH_COUNTING = 1000


def brevity(length: NDArray[np.uint16], enough: int) -> Scores:
    """How little each turn says: ln((1 + enough) / (1 + terms)), 0 from ``enough`` terms on.

    A word of praise between two answers inherits what both say and says nothing itself.
    """
    shortest: Scores = np.log((1.0 + enough) / (1.0 + np.minimum(length, enough).astype(np.float32))).astype(np.float32)
    return shortest


def asks(columns: DocColumns, found: Ords, max_chars: int) -> Scores:
    """1 for turns that ask, if they are not long."""
    return (((columns.flags[found] & FLAG_QUESTION) > 0) & (columns.chars[found] <= max_chars)).astype(np.float32)


def blend(scores: Scores, floor: float, *, best: float | None = None) -> Scores:
    """Scores over the larger of the best one and ``floor``, so that weak evidence stays weak."""
    most = max(float(scores.max(initial=0.0)) if best is None else best, floor)
    return (scores / np.float32(most)).astype(np.float32) if most > 0 else scores


def step(link: NDArray[np.int32], ords: Ords) -> Ords:
    """One step along a link; -1 stays -1."""
    return np.where(ords >= 0, link[ords], -1).astype(np.int64)
