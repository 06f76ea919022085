"""What the ranking leaves undone changes nothing: the best of many are the same as if all had been worked out."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.config import LexicalPolicy
from smartbrain.ports import FLAG_ASSISTANT, FLAG_DELETED, FLAG_QUESTION, DocColumns, LexicalView, Postings
from smartbrain.retrieval import scoring
from smartbrain.retrieval.lexical import QuerySignals, Ranked, rank_events
from smartbrain.retrieval.scoring import bm25, segment_scores, term_weights
from smartbrain.retrieval.shape import Shape

TURNS = 4_000
WORDS = ("tea", "kettle", "rain", "snow")


@cache
def talk(seed: int) -> LexicalView:
    """A space in which sessions interleave, turns differ in all that is known of them, and the words are common."""
    chance = np.random.default_rng(seed)
    session = chance.integers(0, 12, TURNS) if seed % 2 else np.arange(TURNS) // 300
    prev = np.full(TURNS, -1, np.int32)
    ends: dict[int, int] = {}
    for turn, where in enumerate(session.tolist()):
        prev[turn] = ends.get(where, -1)
        ends[where] = turn
    kinds = np.array([0, 0, FLAG_QUESTION, FLAG_ASSISTANT, FLAG_QUESTION | FLAG_ASSISTANT, FLAG_DELETED])
    columns = DocColumns(
        length=chance.integers(1, 60, TURNS).astype(np.uint16),
        chars=chance.integers(4, 900, TURNS).astype(np.uint16),
        prev=prev,
        segment=(session * 40 + np.arange(TURNS) // 100).astype(np.uint32),
        day=np.sort(chance.integers(90, 130, TURNS)).astype(np.uint16),
        speaker=chance.integers(0, 3, TURNS).astype(np.uint16),
        flags=chance.choice(kinds, TURNS).astype(np.uint8),
    )
    postings = {}
    for place, word in enumerate(WORDS):
        ords = np.flatnonzero(chance.random(TURNS) < 0.5 / (place + 1)).astype(np.uint32)
        postings[word] = Postings(ords, chance.integers(1, 4, len(ords)).astype(np.uint16))
    return LexicalView(TURNS, int(columns.length.sum()), postings, columns)


def ranked(view: LexicalView, signals: QuerySignals, policy: LexicalPolicy, limit: int) -> Ranked:
    return rank_events(view, WORDS, signals, policy, limit)


SIGNALS = (
    QuerySignals(today=131),
    QuerySignals(),
    QuerySignals(today=131, speakers=frozenset({1})),
    QuerySignals(today=131, days={100: 1.0, 101: 0.6}),
    QuerySignals(today=131, order="last"),
    QuerySignals(today=131, tells=True),
    QuerySignals(today=131, last_day=110),
)


@settings(max_examples=60)
@given(st.integers(0, 5), st.sampled_from(SIGNALS), st.sampled_from([1, 5, 30, 200]), st.sampled_from([0.0, 0.02, 0.2]))
def test_the_best_few_are_those_that_lead_all_of_them(seed, signals, limit, spread):
    policy = LexicalPolicy(spread=spread)
    few, all_ = (ranked(talk(seed), signals, policy, many) for many in (limit, TURNS))
    assert few.considered == all_.considered > 1_000
    assert few.ords == all_.ords[:limit]
    assert few.scores == all_.scores[:limit]
    assert few.parts == all_.parts[:limit]
    assert few.matched == all_.matched[:limit]


@given(st.integers(0, 5), st.integers(1, 3_000))
def test_words_score_the_same_whether_they_are_taken_together_or_not(seed, at_once):
    view, policy = talk(seed), LexicalPolicy()
    weights = term_weights(view, [*WORDS, "unseen"], policy)
    shape = Shape.empty().grown(view.columns)
    with pytest.MonkeyPatch.context() as patched:
        together = bm25(view, weights, policy), segment_scores(view, weights, policy, shape)
        patched.setattr(scoring, "_AT_ONCE", at_once)
        apart = bm25(view, weights, policy), segment_scores(view, weights, policy, shape)
    for one, other in zip(together, apart, strict=True):
        assert one.tolist() == other.tolist()
        assert one.any()
