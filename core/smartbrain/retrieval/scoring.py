"""What each part of lexical ranking is worth: BM25, and what a turn's neighbours, session, speaker and date say.

Pure functions over the columns and postings of one space, as arrays by ordinal or beside the candidates (``found``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import LexicalPolicy
from smartbrain.ports import FLAG_QUESTION, DocColumns, LexicalView
from smartbrain.retrieval.shape import Shape
from smartbrain.text.scanner import HAN

Scores = NDArray[np.float32]
Ords = NDArray[np.int64]
Links = NDArray[np.int32]
"""Ordinals that links lead to, -1 for none."""
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
    for said in _at_once(view, idfs):
        length = view.columns.length[said.ords].astype(np.float32)
        tf = said.tfs.astype(np.float32)
        norm = policy.k1 * (1.0 - policy.b + policy.b * length / mean)
        idf = said.idfs.astype(np.float32)[said.owners]
        np.add.at(scores, said.ords, idf * tf * (policy.k1 + 1.0) / (tf + norm))
    return scores


class _Said(NamedTuple):
    """The postings of some words one after the other, the place of each one's word, and what the words count."""

    ords: NDArray[np.uint32]
    tfs: NDArray[np.uint16]
    owners: Ords
    idfs: NDArray[np.float64]


def _at_once(view: LexicalView, idfs: Mapping[str, float]) -> Iterator[_Said]:
    """The words in order, many rare ones together: most of what a rare word costs is the calls for it."""
    found = [(postings, idf) for term, idf in idfs.items() if (postings := view.postings.get(term)) is not None]
    begin = size = 0
    for end, (postings, _) in enumerate(found, 1):
        size += len(postings.ords)
        if end == len(found) or size + len(found[end][0].ords) > _AT_ONCE:
            part = found[begin:end]
            owners = np.repeat(np.arange(len(part)), [len(one.ords) for one, _ in part])
            ords, tfs = (
                np.concatenate(column) for column in zip(*((one.ords, one.tfs) for one, _ in part), strict=True)
            )
            yield _Said(ords, tfs, owners, np.array([idf for _, idf in part]))
            begin, size = end, 0


_AT_ONCE = 20_000
"""Postings; arrays of more leave a processor's cache."""


class Around(NamedTuple):
    """Turns and their neighbours, -1 for none, and what each receives of the score of the turn before it (``share``)
    and of all it receives (``damp``)."""

    found: Ords
    one_back: Links
    one_on: Links
    two_back: Links
    two_on: Links
    share: Scores
    damp: Scores

    def only(self, places: Ords) -> Around:
        """Of the turns of some places."""
        return Around(
            self.found.take(places),
            self.one_back.take(places),
            self.one_on.take(places),
            self.two_back.take(places),
            self.two_on.take(places),
            self.share.take(places),
            self.damp.take(places),
        )


def around_of(columns: DocColumns, shape: Shape, found: Ords, policy: LexicalPolicy) -> Around:
    """The neighbours of turns, as ``smooth`` needs them."""
    one_back, one_on = columns.prev.take(found), shape.after.take(found)
    two_back, two_on = step(columns.prev, one_back), step(shape.after, one_on)
    share = np.where(shape.answers.take(found), np.float32(policy.after_question), np.float32(policy.after_statement))
    damp = np.minimum(1.0, policy.long_turn / np.maximum(1.0, columns.chars.take(found).astype(np.float32)))
    return Around(found, one_back, one_on, two_back, two_on, share, damp)


def smooth(own: Scores, around: Around, policy: LexicalPolicy) -> Scores:
    """An answer belongs with its question: each turn receives part of its neighbours' scores.

    From the turn before: ``after_question`` of its score if it asks (<= 300 characters), else ``after_statement``; from
    the next one ``neighbour``, from those two away ``second_neighbour``. Where there is no neighbour, ``alone`` of the
    turn's own score stands in for it: neighbours of a good turn tend to be good, and a note that stands alone must not
    lose to a chat for standing alone; ``lone`` where there is none on either side (``longmemeval_pool``, all time: R@10
    +2.5 points). A long turn receives less: x min(1, ``long_turn`` / characters).
    """
    theirs = own.take(around.found)
    lone = (around.one_back < 0) & (around.one_on < 0)
    alone = theirs * np.where(lone, np.float32(policy.lone), np.float32(policy.alone))

    def score(ords: Links) -> Scores:
        taken: Scores = own.take(ords)
        np.copyto(taken, alone, where=ords < 0)
        return taken

    # In place: so many turns at once that room for each step would cost as much as the step.
    received, following, further = score(around.one_back), score(around.one_on), score(around.two_back)
    received *= around.share
    following *= np.float32(policy.neighbour)
    received += following
    further += score(around.two_on)
    further *= np.float32(policy.second_neighbour)
    received += further
    received *= around.damp
    received += theirs
    return received


def segment_scores(view: LexicalView, idfs: Mapping[str, float], policy: LexicalPolicy, shape: Shape) -> Scores:
    """BM25 of each stretch of conversation (<= 4,000 characters), by its number."""
    segment, lengths = view.columns.segment, shape.lengths
    mean = max(1.0, float(lengths.sum()) / max(1, len(lengths)))
    scores = np.zeros(len(lengths), dtype=np.float32)
    for said in _at_once(view, idfs):
        if len(said.ords):
            keys, tf = counts_by(said.owners << 32 | segment[said.ords].astype(np.int64), said.tfs)
            held, idf = keys & 0xFFFFFFFF, said.idfs[keys >> 32]
            norm = policy.k1 * (1.0 - policy.b + policy.b * lengths[held] / mean)
            np.add.at(scores, held, (idf * tf * (policy.k1 + 1.0) / (tf + norm)).astype(np.float32))
    return scores


def counts_by(segments: NDArray[np.integer[Any]], tfs: NDArray[np.uint16]) -> tuple[Ords, NDArray[np.float64]]:
    """The stretches that hold a word, ascending, and how often each does; ``segments`` is not empty."""
    if (segments[1:] < segments[:-1]).any():  # sessions that were said at the same time
        order = np.argsort(segments, kind="stable")
        segments, tfs = segments[order], tfs[order]
    starts = np.concatenate(([0], np.flatnonzero(segments[1:] != segments[:-1]) + 1))
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


def sum_of(parts: Mapping[str, Scores]) -> Scores:
    """The parts of a score added up, in their order; there is at least one."""
    first, *others = parts.values()
    total: Scores = first.astype(np.float32)
    for part in others:
        total += part
    return total


def told_since(columns: DocColumns, found: Ords, last_day: int | None) -> Scores:
    """How many stretches of conversation were begun since each turn's, up to the newest of ``last_day`` (None: of all).

    Who comes back goes on with one of the last talks, whether they were had this week or this year; and the order in
    which they were told is known where their dates are not.
    """
    told = columns.segment if last_day is None else columns.segment[columns.day <= last_day]
    since: Scores = np.maximum(0.0, float(told.max(initial=0)) - columns.segment[found].astype(np.float32))
    return since


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


def places_taken(found: Ords, segments: NDArray[np.uint32], total: Scores) -> Scores:
    """How many better turns of the same stretch stand before each turn, at most 10.

    A question whose answer lies in two sessions gets evidence from both: a stretch pays for each further place.
    """
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
    questions = (columns.flags.take(found) & FLAG_QUESTION) > 0
    return (questions & (columns.chars.take(found) <= max_chars)).astype(np.float32)


def blend(scores: Scores, floor: float, *, best: float | None = None) -> Scores:
    """Scores over the larger of the best one and ``floor``, so that weak evidence stays weak."""
    most = max(float(scores.max(initial=0.0)) if best is None else best, floor)
    return (scores / np.float32(most)).astype(np.float32) if most > 0 else scores


def step(link: NDArray[np.int32], ords: NDArray[np.integer[Any]]) -> Links:
    """One step along a link; -1 stays -1."""
    led: Links = link.take(ords)
    led[ords < 0] = -1
    return led
