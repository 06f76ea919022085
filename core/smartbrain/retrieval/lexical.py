"""Lexical ranking made for conversations: BM25 plus what a turn's neighbours, session, speaker and date say.

Pure functions over the columns and postings of one space. Words are scored for every document; everything else for the
candidates only, as arrays beside their ordinals (``found``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from smartbrain.config import LexicalPolicy
from smartbrain.ports import FLAG_DELETED, DocColumns, LexicalView, Postings
from smartbrain.retrieval.across import Across
from smartbrain.retrieval.comparing import Spread, worth_comparing
from smartbrain.retrieval.manner import Manner
from smartbrain.retrieval.narrowing import More
from smartbrain.retrieval.scoring import (
    Around,
    Order,
    Ords,
    Scores,
    around_of,
    blend,
    bm25,
    date_match,
    expected_evidence,
    in_order,
    places_taken,
    recency,
    segment_scores,
    share_of_best,
    smooth,
    speaker_match,
    step,
    sum_of,
    support,
    term_weights,
    told_since,
)
from smartbrain.retrieval.semantic import Meaning
from smartbrain.retrieval.shape import Shape, shape_of


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best documents of one space: ordinals, scores and the parts each score is made of, best first.

    ``support`` is the share of a full answer's score that the best one reaches by its own words, 0..1.
    """

    ords: list[int]
    scores: list[float]
    parts: list[dict[str, float]]
    matched: list[tuple[str, ...]]
    considered: int
    support: float = 0.0


_NOTHING = Ranked([], [], [], [], 0)


@dataclass(frozen=True, slots=True)
class QuerySignals:
    """What the question says besides its words: whose turns, which days, and what must not be seen.

    ``speakers`` are codes of ``DocColumns.speaker``; ``days`` maps a day number to a weight 0..1, ``named_day`` says
    that they go by a day of the calendar; ``order`` is the end of the series that is asked for; ``tells`` says that the
    message tells something, too, and so goes on with a conversation, and ``names`` are the words of names in that;
    ``today`` is the day it is asked on; ``first_day``/``last_day`` are hard bounds on the day (inclusive). ``only``
    says of each ordinal whether it may be found; None: all may.
    """

    speakers: frozenset[int] = frozenset()
    days: Mapping[int, float] = field(default_factory=dict)
    named_day: bool = False
    order: Order = ""
    tells: bool = False
    names: frozenset[str] = frozenset()
    today: int | None = None
    first_day: int | None = None
    last_day: int | None = None
    only: NDArray[np.bool_] | None = None


class Led(NamedTuple):
    """Words that were not asked but led to: what each counts, and where it stands."""

    weights: Mapping[str, float]
    postings: Mapping[str, Postings]


Lead = Callable[[Ranked, Mapping[str, float]], Led | None]
"""From the best turns of a first round and what the asked words count to further words, None for none."""


@dataclass(frozen=True, slots=True)
class _Held:
    """What words are found in: ``asked`` is every turn's BM25 by the asked words, ``own`` by the related ones, too.

    ``hits`` are the turns that hold what is asked, ``near`` those of the best stretches, ``led`` the best of those that
    hold a related word; ``floor`` is the score that counts as strong.
    """

    view: LexicalView
    asked: Scores
    own: Scores
    hits: Ords
    segments: Scores | None
    near: Ords
    floor: float
    led: Ords = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    related: frozenset[str] = frozenset()


def rank_events(
    view: LexicalView,
    terms: Sequence[str],
    signals: QuerySignals,
    policy: LexicalPolicy,
    limit: int,
    meaning: Meaning | None = None,
    lead: Lead | None = None,
) -> Ranked:
    """Conversation turns: every part of the pipeline that the policy leaves on.

    Only turns that could be among the best are scored in full: those that hold the most of what is asked (the best
    ``policy.pool``), their neighbours, the turns of the best stretches, and those of the asked days. With ``meaning``,
    those nearest to the question and their neighbours too. ``lead`` makes a second round: it is shown the best turns
    of a first one, made over fewer candidates, and names further words.
    """
    if view.n_docs == 0 or not (terms or signals.days or meaning):
        return _NOTHING
    shape = shape_of(view.columns)
    weights = term_weights(view, terms, policy, signals.names)
    held = _held(view, weights, signals, policy, shape)
    full = expected_evidence(weights)
    found_support = support(held.asked[_seen(held.hits, view.columns, signals)], full)
    if lead is not None:
        few = policy.model_copy(update={"pool": _LEADERS})
        unlifted = None if meaning is None else replace(meaning, weight_thread=0.0)
        first = _ranked(held, shape, signals, few, 3 * FIRST, unlifted)
        led = lead(replace(first, support=found_support), weights)
        held = held if led is None else _led_on(held, led, signals, policy)
    return replace(_ranked(held, shape, signals, policy, limit, meaning), support=found_support)


FIRST = 5
"""So many of the best turns are read for further words."""
_LEADERS = 300


def _held(
    view: LexicalView, weights: Mapping[str, float], signals: QuerySignals, policy: LexicalPolicy, shape: Shape
) -> _Held:
    own = bm25(view, weights, policy)
    segments = segment_scores(view, weights, policy, shape) if policy.segment_weight else None
    if signals.only is not None and segments is not None:
        segments[np.setdiff1d(view.columns.segment, view.columns.segment[signals.only])] = 0.0
    hits = _allowed(_holding(view, own), signals)
    near = np.zeros(0, dtype=np.int64)
    if segments is not None and len(segments):
        least = max(0, len(segments) - _BEST_SEGMENTS)
        best = np.sort(np.argpartition(segments, least)[least:])
        near = shape.of_stretches(view.columns, best[segments[best] > 0])
    return _Held(view, own, own, hits, segments, near, policy.evidence_floor * expected_evidence(weights))


_BEST_SEGMENTS = 8


def _led_on(held: _Held, led: Led, signals: QuerySignals, policy: LexicalPolicy) -> _Held:
    """The same with further words; of the turns that hold them only the best become candidates."""
    view = replace(held.view, postings={**held.view.postings, **led.postings})
    own = bm25(view, led.weights, policy, onto=held.own.copy())
    holding = np.concatenate([led.postings[term].ords for term in led.weights]).astype(np.int64)
    new = _allowed(_strongest(own, holding, _MORE), signals)
    return replace(held, view=view, own=own, led=new, related=frozenset(led.weights))


_MORE = 1000


def _ranked(
    held: _Held, shape: Shape, signals: QuerySignals, policy: LexicalPolicy, limit: int, meaning: Meaning | None
) -> Ranked:
    columns, own, segments, floor = held.view.columns, held.own, held.segments, held.floor
    found = _allowed(_candidates(held, shape, signals, policy, meaning), signals)
    around = around_of(columns, shape, found, policy) if policy.neighbours else None
    theirs = own.take(found)
    smoothed = theirs if around is None else smooth(own, around, policy)
    words = blend(theirs, floor)
    parts: dict[str, Scores] = {"words": words, "neighbours": blend(smoothed, floor) - words}
    if held.related:
        parts["words"] = blend(held.asked[found], floor, best=float(theirs.max(initial=0.0)))
        parts["related"] = words - parts["words"]
    reached = smoothed > 0
    if segments is not None:
        of_stretch = segments[columns.segment[found]]
        best = float(segments.max(initial=0.0))
        weight = policy.statement_segment_weight if signals.tells else policy.segment_weight
        parts["session"] = np.float32(weight) * blend(of_stretch, floor, best=best)
        reached |= of_stretch > 0
    if policy.speaker_weight and signals.speakers:
        parts["speaker"] = np.float32(policy.speaker_weight) * speaker_match(columns, found, signals.speakers)
    if policy.date_weight and signals.days:
        weight = policy.named_day_weight if signals.named_day else policy.date_weight
        parts["date"] = np.float32(weight) * date_match(columns.day[found], signals.days)
        reached |= parts["date"] > 0
    if meaning is not None:
        near = np.zeros(len(own), dtype=np.bool_)
        near[meaning.nearest] = True
        reached |= near[found]
    allowed = reached & _visible(columns, found, signals)
    considered = int(np.count_nonzero(allowed))
    glance = None if meaning is None else meaning.glance(found)
    if meaning is not None and glance is not None:
        if meaning.weight_stretch and signals.tells:
            parts["stretch"] = meaning.around(columns.segment, found)
        if meaning.across is not None:
            shared = _shared(meaning.across, columns, shape, found, around, policy)
            parts["across"] = _crossed(shared, glance.foreign, meaning.across)
    manner: Manner | None = Manner(columns, policy, signals.today)
    ordered, lately = _ordered(signals, policy), _lately(signals, policy)
    if manner is not None and (ordered or lately):  # what follows is a share of what all of them score
        parts |= manner.parts(found)
        manner = None
    if ordered:
        parts["order"] = np.float32(policy.order_weight) * in_order(columns.day[found], smoothed, signals.order)
    if lately:
        since = told_since(columns, found, signals.last_day)
        fading = np.exp(-since / np.float32(policy.lately_stretches))
        parts["lately"] = np.float32(policy.lately_weight) * fading * share_of_best(sum_of(parts))
    thread = meaning.weight_thread if meaning is not None and signals.tells else 0.0
    if manner is not None or meaning is not None:
        more = More(found, manner, meaning, glance)
        spread = Spread(columns.segment.take(found), policy.spread)
        worth = worth_comparing(more.most(), sum_of(parts), allowed, more.scores, limit, spread, thread)
        found, allowed, parts = _only(worth, found, allowed, parts)
        parts |= more.parts(worth)
    if meaning is not None and thread:
        seen = np.flatnonzero(allowed)
        parts["thread"] = np.zeros(len(found), dtype=np.float32)
        parts["thread"][seen] = meaning.threads(columns, shape, found[seen], sum_of(parts)[seen])
    if policy.spread:
        found, allowed, parts = _spread_out(found, allowed, parts, columns, policy.spread, limit)
    ranked = _best(held.view, found, allowed, parts, limit, held.related)
    return replace(ranked, considered=considered)


def _shared(
    across: Across, columns: DocColumns, shape: Shape, found: Ords, around: Around | None, policy: LexicalPolicy
) -> Scores:
    """What the words of the other language score in each candidate and its neighbours; few of them hold any."""
    if around is None:
        return across.scores.take(found)
    hits = across.hits
    one_on, one_back = shape.after.take(hits), columns.prev.take(hits)
    near = np.zeros(len(across.scores) + 1, dtype=np.bool_)  # its last place takes what has no neighbour
    for group in (hits, one_on, one_back, step(shape.after, one_on), step(columns.prev, one_back)):
        near[group] = True
    places = np.flatnonzero(near.take(found))
    shared = np.zeros(len(found), dtype=np.float32)
    shared[places] = smooth(across.scores, around.only(places), policy)
    return shared


def _ordered(signals: QuerySignals, policy: LexicalPolicy) -> bool:
    return bool(policy.order_weight and signals.order)


def _lately(signals: QuerySignals, policy: LexicalPolicy) -> bool:
    told = signals.tells and not (signals.days or signals.order)
    return bool(policy.lately_weight and told)


def _only(
    places: Ords, found: Ords, allowed: NDArray[np.bool_], parts: dict[str, Scores]
) -> tuple[Ords, NDArray[np.bool_], dict[str, Scores]]:
    """The candidates of some places, ascending."""
    if len(places) == len(found):
        return found, allowed, parts
    return found[places], allowed[places], {name: part[places] for name, part in parts.items()}


def _spread_out(
    found: Ords,
    allowed: NDArray[np.bool_],
    parts: dict[str, Scores],
    columns: DocColumns,
    each: float,
    limit: int,
) -> tuple[Ords, NDArray[np.bool_], dict[str, Scores]]:
    """The candidates that can be among the best ``limit``, with what they pay for better turns of their stretch.

    Only better turns are counted, and nothing is given: what scores less than the last of the best is after it is no
    better for being reckoned.
    """
    total, most = sum_of(parts), 4 * limit
    while True:
        whole = most >= len(found)
        least = -np.inf if whole else np.partition(total, len(found) - most)[len(found) - most]
        best = np.flatnonzero(total >= least)
        spread = -np.float32(each) * places_taken(found[best], columns.segment[found[best]], total[best])
        reached = np.sort((total[best] + spread)[allowed[best]])[-limit:]
        if whole or (len(reached) == limit and reached[0] >= least):
            kept = _only(best, found, allowed, parts)
            kept[2]["spread"] = spread
            return kept
        most *= 4


def _seen(hits: Ords, columns: DocColumns, signals: QuerySignals) -> Ords:
    return hits if signals.last_day is None else hits[columns.day[hits] <= signals.last_day]


def rank_items(
    view: LexicalView,
    terms: Sequence[str],
    signals: QuerySignals,
    policy: LexicalPolicy,
    limit: int,
    meaning: Meaning | None = None,
) -> Ranked:
    """Stand-alone memory items: their own words only; neighbours by position mean nothing to them."""
    if view.n_docs == 0 or not (terms or meaning):
        return _NOTHING
    weights = term_weights(view, terms, policy)
    full = expected_evidence(weights)
    own = bm25(view, weights, policy)
    hits = _allowed(np.flatnonzero(own != 0), signals)
    found = hits if meaning is None else np.union1d(hits, meaning.nearest)
    parts = {"words": blend(own[found], policy.evidence_floor * full)}
    if meaning is not None:
        parts["meaning"] = meaning.scores(found)
        if meaning.across is not None:
            parts["across"] = _crossed(meaning.across.scores[found], meaning.foreign(found), meaning.across)
    if policy.recency_weight and signals.today is not None:
        parts["recency"] = np.float32(policy.recency_weight) * recency(
            view.columns.day[found], signals.today, policy.recency_days
        )
    ranked = _best(view, found, _visible(view.columns, found, signals), parts, limit)
    return replace(ranked, support=support(own[hits], full))


def _crossed(scores: Scores, foreign: Scores, across: Across) -> Scores:
    """What the words of the other language give to what is said in it; little evidence stays little here, too."""
    return np.float32(across.weight) * blend(scores, _FULL_ACROSS * across.full) * foreign


_FULL_ACROSS = 0.25


def rank_meaning(view: LexicalView, signals: QuerySignals, limit: int, meaning: Meaning) -> Ranked:
    """Documents by their nearness to the question alone."""
    found = np.unique(meaning.nearest)
    parts = {"meaning": meaning.scores(found)}
    return _best(view, found, _visible(view.columns, found, signals), parts, limit)


def may_be_seen(columns: DocColumns, signals: QuerySignals) -> NDArray[np.bool_]:
    """Which documents are not deleted and within the hard bounds on the day."""
    allowed: NDArray[np.bool_] = (columns.flags & FLAG_DELETED) == 0
    if signals.first_day is not None:
        allowed &= columns.day >= signals.first_day
    if signals.last_day is not None:
        allowed &= columns.day <= signals.last_day
    if signals.only is not None:
        allowed &= signals.only
    return allowed


def _allowed(ords: Ords, signals: QuerySignals) -> Ords:
    """Those that may be found."""
    return ords if signals.only is None else ords[signals.only[ords]]


def _holding(view: LexicalView, own: Scores) -> Ords:
    """The documents that hold anything asked, ascending; few postings are sooner merged than all documents are read."""
    postings = [found.ords for found in view.postings.values() if len(found.ords)]
    if sum(map(len, postings)) * _FEW < len(own):
        merged = _distinct(np.concatenate(postings)) if postings else np.zeros(0, dtype=np.int64)
        held: Ords = merged[own[merged] != 0]
        return held
    return np.flatnonzero(own != 0)


_FEW = 8


def _candidates(
    held: _Held, shape: Shape, signals: QuerySignals, policy: LexicalPolicy, meaning: Meaning | None
) -> Ords:
    """The ordinals that are scored in full, ascending."""
    columns = held.view.columns
    hits = np.concatenate((_strongest(held.own, held.hits, policy.pool), held.led)).astype(np.int32)
    if meaning is not None:
        hits = np.concatenate((hits, meaning.nearest.astype(np.int32)))
    groups = [hits, held.near.astype(np.int32)]
    if policy.neighbours:
        one_on, one_back = shape.after.take(hits), columns.prev.take(hits)
        groups += [one_on, one_back, step(shape.after, one_on), step(columns.prev, one_back)]
    if policy.date_weight and signals.days:
        groups.append(shape.on_days(columns, list(signals.days)).astype(np.int32))
    if sum(map(len, groups)) * _MANY < len(held.own):
        return _distinct(np.concatenate(groups))
    # Of many a mask is faster than sorting; its last place takes what has no neighbour.
    wanted = np.zeros(len(held.own) + 1, dtype=np.bool_)
    for group in groups:
        wanted[group] = True
    return np.flatnonzero(wanted[:-1])


_MANY = 3


def _distinct(ords: NDArray[np.integer[Any]]) -> Ords:
    """Each ordinal once, ascending, without -1."""
    ascending = np.sort(ords)
    follows = np.empty(len(ascending), dtype=np.bool_)
    follows[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=follows[1:])
    distinct: Ords = ascending[follows].astype(np.int64)
    return distinct[1:] if len(distinct) and distinct[0] < 0 else distinct


def _strongest(own: Scores, hits: Ords, count: int) -> Ords:
    least = len(hits) - count
    return hits if least <= 0 else hits[np.argpartition(own[hits], least)[least:]]


def _best(
    view: LexicalView,
    found: Ords,
    allowed: NDArray[np.bool_],
    parts: Mapping[str, Scores],
    limit: int,
    related: frozenset[str] = frozenset(),
) -> Ranked:
    """The best of the candidates that are ``allowed``.

    Words that were not asked but led to (``related``) are told apart by a plus: ``+yoga``.
    """
    total = sum_of(parts)
    places = np.flatnonzero(allowed)
    considered = len(places)
    if considered > limit:
        shown = total[places]
        places = places[shown >= np.partition(shown, considered - limit)[considered - limit]]
    # Equal scores: the newer document first, also at the last place: no other candidate decides which one is shown.
    order = places[np.lexsort((-found[places], -total[places]))][:limit]
    ords: list[int] = found[order].tolist()
    worth = zip(*(values[order].tolist() for values in parts.values()), strict=True)
    return Ranked(
        ords=ords,
        scores=total[order].tolist(),
        parts=[{name: round(v, 4) for name, v in zip(parts, values, strict=True) if v} for values in worth],
        matched=_matched(view, ords, related),
        considered=considered,
    )


def _visible(columns: DocColumns, found: Ords, signals: QuerySignals) -> NDArray[np.bool_]:
    """Which of the candidates are not deleted and within the hard bounds on the day."""
    visible: NDArray[np.bool_] = (columns.flags[found] & FLAG_DELETED) == 0
    if signals.first_day is not None:
        visible &= columns.day[found] >= signals.first_day
    if signals.last_day is not None:
        visible &= columns.day[found] <= signals.last_day
    return visible


def _matched(view: LexicalView, ords: Sequence[int], related: frozenset[str]) -> list[tuple[str, ...]]:
    wanted = np.array(ords, dtype=np.uint32)  # of the postings' own kind: else all of them are converted
    known = [(term, found.ords) for term, found in view.postings.items() if len(found.ords)]
    held = np.zeros((len(ords), len(known)), dtype=np.bool_)
    for number, (_, own) in enumerate(known):
        held[:, number] = own.take(own.searchsorted(wanted), mode="clip") == wanted
    words: list[list[str]] = [[] for _ in ords]
    for place, number in zip(*(axis.tolist() for axis in held.nonzero()), strict=True):
        term = known[number][0]
        words[place].append(f"+{term}" if term in related else term)
    return [tuple(terms) for terms in words]
