"""Lexical ranking made for conversations: BM25 plus what a turn's neighbours, session, speaker and date say.

Pure functions over the columns and postings of one space. Every score array has one float per document ordinal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import LexicalPolicy
from smartbrain.ports import FLAG_ASSISTANT, FLAG_DELETED, FLAG_QUESTION, DocColumns, LexicalView

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best documents of one space: ordinals, scores and the parts each score is made of, best first."""

    ords: list[int]
    scores: list[float]
    parts: list[dict[str, float]]
    matched: list[tuple[str, ...]]
    considered: int


@dataclass(frozen=True, slots=True)
class QuerySignals:
    """What the question says besides its words: whose turns, which days, and what must not be seen.

    ``speakers`` are codes of ``DocColumns.speaker``; ``days`` maps a day number to a weight 0..1;
    ``today`` is the day it is asked on; ``first_day``/``last_day`` are hard bounds on the day (inclusive).
    """

    speakers: frozenset[int] = frozenset()
    days: Mapping[int, float] = field(default_factory=dict)
    today: int | None = None
    first_day: int | None = None
    last_day: int | None = None


def rank_events(
    view: LexicalView, terms: Sequence[str], signals: QuerySignals, policy: LexicalPolicy, limit: int
) -> Ranked:
    """Conversation turns: every part of the pipeline that the policy leaves on."""
    if view.n_docs == 0 or not terms:
        return Ranked([], [], [], [], 0)
    columns = view.columns
    idfs = inverse_frequencies(view, terms)
    own = bm25(view, idfs, policy)
    floor = policy.evidence_floor * expected_evidence(idfs)
    smoothed = smooth(own, columns, policy) if policy.neighbours else own
    total = blend(smoothed, floor)
    parts: dict[str, Scores] = {"words": blend(own, floor), "neighbours": total - blend(own, floor)}
    if policy.segment_weight:
        parts["session"] = np.float32(policy.segment_weight) * blend(segment_scores(view, idfs, policy), floor)
    if policy.speaker_weight and signals.speakers:
        parts["speaker"] = np.float32(policy.speaker_weight) * speaker_match(columns, signals.speakers)
    if policy.date_weight and signals.days:
        parts["date"] = np.float32(policy.date_weight) * date_match(columns, signals.days)
    if policy.question_penalty:
        asks = is_question(columns, max_chars=policy.question_chars)
        parts["question"] = -np.float32(policy.question_penalty) * asks
    if policy.assistant_penalty:
        spoken = (columns.flags & FLAG_ASSISTANT) > 0
        parts["assistant"] = -np.float32(policy.assistant_penalty) * spoken.astype(np.float32)
    if policy.recency_weight and signals.today is not None:
        parts["recency"] = np.float32(policy.recency_weight) * recency(columns, signals.today, policy.recency_days)
    total = np.sum(list(parts.values()), axis=0, dtype=np.float32)
    # A turn that neither holds, nor stands beside, nor shares a day or session with anything asked is no candidate.
    reached = (smoothed > 0) | (parts["session"] > 0 if "session" in parts else False)
    if "date" in parts:
        reached |= parts["date"] > 0
    return _best(view, total, reached, parts, signals, limit)


def rank_items(
    view: LexicalView, terms: Sequence[str], signals: QuerySignals, policy: LexicalPolicy, limit: int
) -> Ranked:
    """Stand-alone memory items: their own words only; neighbours by position mean nothing to them."""
    if view.n_docs == 0 or not terms:
        return Ranked([], [], [], [], 0)
    idfs = inverse_frequencies(view, terms)
    own = bm25(view, idfs, policy)
    parts = {"words": blend(own, policy.evidence_floor * expected_evidence(idfs))}
    return _best(view, parts["words"], own > 0, parts, signals, limit)


def inverse_frequencies(view: LexicalView, terms: Sequence[str]) -> dict[str, float]:
    """ln(1 + (N - df + 0.5) / (df + 0.5)) per distinct term (Robertson & Zaragoza 2009), unseen terms too."""
    idfs: dict[str, float] = {}
    for term in dict.fromkeys(terms):
        found = view.postings.get(term)
        df = 0 if found is None else len(found.ords)
        idfs[term] = math.log(1.0 + (view.n_docs - df + 0.5) / (df + 0.5))
    return idfs


def expected_evidence(idfs: Mapping[str, float]) -> float:
    """What a document that answers in full would about score: 2.2 x the sum of the 8 largest idfs."""
    return 2.2 * sum(sorted(idfs.values(), reverse=True)[:8])


def bm25(view: LexicalView, idfs: Mapping[str, float], policy: LexicalPolicy) -> Scores:
    """BM25 of every document; a deleted one has length 0 and no postings left."""
    mean = max(1.0, view.total_length / max(1, view.n_docs))
    scores = np.zeros(view.n_docs, dtype=np.float32)
    for term, idf in idfs.items():
        found = view.postings.get(term)
        if found is None:
            continue
        length = view.columns.length[found.ords].astype(np.float32)
        tf = found.tfs.astype(np.float32)
        norm = policy.k1 * (1.0 - policy.b + policy.b * length / mean)
        scores[found.ords] += np.float32(idf) * tf * (policy.k1 + 1.0) / (tf + norm)
    return scores


def smooth(own: Scores, columns: DocColumns, policy: LexicalPolicy) -> Scores:
    """An answer belongs with its question: each turn receives part of its neighbours' scores.

    From the turn before: ``after_question`` of its score if it asks (<= 300 characters), else ``after_statement``; from
    the next one ``neighbour``, from those two away ``second_neighbour``. Where there is no neighbour, ``alone`` of the
    turn's own score stands in for it: neighbours of a good turn tend to be good, and a note that stands alone must not
    lose to a chat for standing alone. A long turn receives less: x min(1, ``long_turn`` / characters).
    """
    prev = columns.prev
    has_prev = prev >= 0
    before = np.where(has_prev, prev, 0)
    nxt = np.full(len(own), -1, dtype=np.int32)
    nxt[prev[has_prev]] = np.nonzero(has_prev)[0]
    has_next = nxt >= 0
    after = np.where(has_next, nxt, 0)
    stand_in = own * np.float32(policy.alone)
    one_back = np.where(has_prev, own[before], stand_in)
    one_on = np.where(has_next, own[after], stand_in)
    two_back = np.where(has_prev & has_prev[before], own[before[before]], stand_in)
    two_on = np.where(has_next & has_next[after], own[after[after]], stand_in)
    asks = has_prev & (is_question(columns, max_chars=300)[before] > 0)
    share = np.where(asks, np.float32(policy.after_question), np.float32(policy.after_statement))
    received = (
        share * one_back
        + np.float32(policy.neighbour) * one_on
        + np.float32(policy.second_neighbour) * (two_back + two_on)
    )
    damp = np.minimum(1.0, policy.long_turn / np.maximum(1.0, columns.chars.astype(np.float32)))
    return (own + received * damp).astype(np.float32)


def segment_scores(view: LexicalView, idfs: Mapping[str, float], policy: LexicalPolicy) -> Scores:
    """BM25 of the stretch of conversation (<= 4,000 characters) that each turn stands in."""
    segment = view.columns.segment
    count = int(segment.max()) + 1 if len(segment) else 0
    lengths = np.bincount(segment, weights=view.columns.length, minlength=count)
    mean = max(1.0, float(lengths.sum()) / max(1, count))
    norm = policy.k1 * (1.0 - policy.b + policy.b * lengths / mean)
    scores = np.zeros(count)
    for term, idf in idfs.items():
        found = view.postings.get(term)
        if found is None:
            continue
        tf = np.bincount(segment[found.ords], weights=found.tfs, minlength=count)
        scores += idf * tf * (policy.k1 + 1.0) / (tf + norm)
    return scores.astype(np.float32)[segment]


def speaker_match(columns: DocColumns, speakers: frozenset[int]) -> Scores:
    """1 for turns of a speaker the question names."""
    return np.isin(columns.speaker, np.array(sorted(speakers), dtype=np.uint16)).astype(np.float32)


def date_match(columns: DocColumns, days: Mapping[int, float]) -> Scores:
    """The weight of the day a turn was said on, 0 for days the question does not speak of."""
    known = np.array(sorted(days), dtype=np.int64)
    weights = np.array([days[int(day)] for day in known], dtype=np.float32)
    at = np.searchsorted(known, columns.day)
    at[at == len(known)] = 0
    return np.where(known[at] == columns.day, weights[at], np.float32(0.0)).astype(np.float32)


def recency(columns: DocColumns, today: int, scale: float) -> Scores:
    """exp(-age / scale), ages in days: 1 for today, 0.37 after ``scale`` days. Unknown days count as old."""
    age = np.maximum(0.0, today - columns.day.astype(np.float32))
    return np.exp(-age / np.float32(scale)).astype(np.float32)


def is_question(columns: DocColumns, *, max_chars: int) -> Scores:
    """1 for turns that ask, if they are not long."""
    return (((columns.flags & FLAG_QUESTION) > 0) & (columns.chars <= max_chars)).astype(np.float32)


def blend(scores: Scores, floor: float) -> Scores:
    """Scores over the larger of the best one and ``floor``, so that weak evidence stays weak."""
    best = max(float(scores.max(initial=0.0)), floor)
    return (scores / np.float32(best)).astype(np.float32) if best > 0 else scores


def _best(
    view: LexicalView,
    total: Scores,
    reached: NDArray[np.bool_],
    parts: Mapping[str, Scores],
    signals: QuerySignals,
    limit: int,
) -> Ranked:
    columns = view.columns
    allowed = reached & ((columns.flags & FLAG_DELETED) == 0)
    if signals.first_day is not None:
        allowed &= columns.day >= signals.first_day
    if signals.last_day is not None:
        allowed &= columns.day <= signals.last_day
    found = np.nonzero(allowed)[0]
    considered = len(found)
    if considered > limit:
        found = found[np.argpartition(total[found], considered - limit)[considered - limit :]]
    # Equal scores: the newer document first, so that the order never depends on the partition.
    order = found[np.lexsort((-found, -total[found]))]
    ords = [int(o) for o in order]
    return Ranked(
        ords=ords,
        scores=[float(total[o]) for o in ords],
        parts=[{name: round(float(values[o]), 4) for name, values in parts.items() if values[o]} for o in ords],
        matched=_matched(view, ords),
        considered=considered,
    )


def _matched(view: LexicalView, ords: Sequence[int]) -> list[tuple[str, ...]]:
    wanted = np.array(ords, dtype=np.int64)
    words: list[list[str]] = [[] for _ in ords]
    for term, found in view.postings.items():
        if len(found.ords) == 0:
            continue
        at = np.searchsorted(found.ords, wanted)
        at[at == len(found.ords)] = 0
        for place in np.nonzero(found.ords[at] == wanted)[0]:
            words[int(place)].append(term)
    return [tuple(terms) for terms in words]
