"""What the words of the other language find, and when they count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import SemanticPolicy
from smartbrain.ports import DocColumns, LexicalView, Postings, Sense
from smartbrain.retrieval.across import Bridge, across, bridges_of
from smartbrain.retrieval.semantic import doubt

POLICY = SemanticPolicy(nearness_across=0.2)
MOVIE, FILM, WHALE = Sense("电影", "movies", 0.9), Sense("电影", "film", 0.6), Sense("鲸", "whale", 0.8)


def view(postings, count=4, length=10):
    columns = DocColumns(
        length=np.full(count, length, np.uint16),
        chars=np.full(count, 40, np.uint16),
        prev=np.full(count, -1, np.int32),
        segment=np.arange(count, dtype=np.uint32),
        day=np.full(count, 20_000, np.uint16),
        speaker=np.zeros(count, np.uint16),
        flags=np.zeros(count, np.uint8),
    )
    found = {term: Postings(np.array(o, np.uint32), np.ones(len(o), np.uint16)) for term, o in postings.items()}
    return LexicalView(count, count * length, found, columns)


def crossing(postings, senses, foreign=(1, 1, 1, 1), policy=POLICY):
    return across(
        view(postings),
        bridges_of(tuple(senses), policy.nearness_across),
        np.array(foreign, dtype=np.float32).__getitem__,
        policy,
    )


def test_a_word_is_looked_up_as_the_index_knows_it():
    assert [bridge.term for bridge in bridges_of((MOVIE,), 0.4)] == ["movi"]


def test_the_nearer_word_counts_more_and_of_several_for_one_word_only_the_best():
    found = crossing({"movi": [0, 2], "film": [1, 2]}, [MOVIE, FILM])
    assert found.scores[0] > found.scores[1] > found.scores[3] == 0
    assert found.scores[2] == found.scores[0]


def test_two_words_of_the_question_count_both():
    found = crossing({"movi": [0, 1], "whale": [1]}, [MOVIE, WHALE])
    assert found.scores[1] > found.scores[0]
    assert found.full == pytest.approx(np.log1p(2.5 / 2.5) + np.log1p(3.5 / 1.5))


def test_only_texts_in_another_language_gain():
    found = crossing({"movi": [0, 1]}, [MOVIE], foreign=(0, 0.5, 1, 1))
    assert found.scores[0] == 0
    assert found.scores[1] > 0
    assert found.crossed([0]) == [()]


def test_a_word_that_is_not_near_enough_counts_nothing():
    assert not crossing({"film": [0]}, [FILM], policy=SemanticPolicy(nearness_across=0.6)).scores.any()


def test_a_long_text_gains_less():
    short = across(view({"movi": [0]}), bridges_of((MOVIE,), 0.4), np.ones(4, np.float32).__getitem__, POLICY).scores[0]
    mixed = view({"movi": [0]})
    mixed.columns.length[0] = 40
    assert across(mixed, bridges_of((MOVIE,), 0.4), np.ones(4, np.float32).__getitem__, POLICY).scores[0] < short


def test_it_says_which_word_led_there():
    found = crossing({"movi": [0], "whale": [0, 1]}, [MOVIE, WHALE])
    assert found.crossed([0, 1, 3]) == [("电影 ~ movies .90", "鲸 ~ whale .80"), ("鲸 ~ whale .80",), ()]


def doubted(home, abroad):
    cosines = np.array([*home, *abroad], dtype=np.float32)
    return float(doubt(cosines, np.array([False] * len(home) + [True] * len(abroad))))


def test_the_nearer_the_question_s_own_language_comes_the_less_the_other_one_gains():
    assert doubted([0.3, 0.2], [0.3, 0.2]) == pytest.approx(1)
    assert doubted([0.4, 0.3], [0.3, 0.2]) == pytest.approx(0.4, abs=1e-3)
    assert doubted([0.9], [0.2]) == 0


def test_in_a_store_of_one_language_there_is_nothing_to_weigh():
    assert doubted([0.3], []) == 0
    assert doubted([], [0.1]) == 1


def test_one_chance_hit_does_not_decide_where_the_answer_is():
    assert doubted([0.9, 0.1, 0.1, 0.1], [0.4, 0.4, 0.4]) == 1


@given(
    st.lists(st.tuples(st.integers(0, 2), st.sets(st.integers(0, 39), max_size=12), st.integers(41, 99)), max_size=9)
)
def test_of_each_word_the_most_counts_and_the_words_are_added_up(held):
    bridges = [Bridge(Sense(f"w{word}", f"o{n}", near / 100), f"o{n}") for n, (word, _, near) in enumerate(held)]
    postings = {f"o{n}": sorted(ords) for n, (_, ords, _) in enumerate(held)}
    foreign = np.tile(np.array([0.0, 1.0, 0.5, 1.0], np.float32), 10)
    found = across(view(postings, 40), bridges, foreign.__getitem__, POLICY)
    expected = np.zeros(40)
    for own in range(3):
        most = np.zeros(40)
        for word, ords, near in held:
            if word == own and ords:
                idf = np.log1p((40 - len(ords) + 0.5) / (len(ords) + 0.5))
                most[list(ords)] = np.maximum(most[list(ords)], idf * (near / 100 - 0.2) / 0.8)
        expected += most
    expected *= foreign / np.sqrt(1.25)
    assert found.scores == pytest.approx(expected, abs=1e-5)
    assert found.hits.tolist() == np.flatnonzero(expected).tolist()
