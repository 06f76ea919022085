"""The measures of the evaluation, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.evaluation import metrics

RANKED = ["a", "b", "c", "d", "e"]


def test_recall_is_the_share_of_the_gold_among_the_first_k() -> None:
    assert metrics.recall_at(RANKED, ["b", "d", "x"], 1) == 0.0
    assert metrics.recall_at(RANKED, ["b", "d", "x"], 2) == pytest.approx(1 / 3)
    assert metrics.recall_at(RANKED, ["b", "d", "x"], 5) == pytest.approx(2 / 3)
    assert metrics.recall_at(RANKED, ["b", "b", "d"], 4) == 1.0
    assert metrics.recall_at([], ["b"], 10) == 0.0


def test_a_hit_is_any_of_the_gold_and_all_is_all_of_it() -> None:
    assert [metrics.hit_at(RANKED, ["b", "d"], k) for k in (1, 2, 4)] == [0.0, 1.0, 1.0]
    assert [metrics.all_at(RANKED, ["b", "d"], k) for k in (1, 2, 4)] == [0.0, 0.0, 1.0]
    assert metrics.all_at(RANKED, ["b", "x"], 5) == 0.0


def test_ndcg_discounts_by_rank_and_divides_by_the_best_possible() -> None:
    # Gold at ranks 2 and 4: 1/log2(3) + 1/log2(5) over 1/log2(2) + 1/log2(3) = 1.06161 / 1.63093.
    assert metrics.ndcg_at(RANKED, ["b", "d"], 10) == pytest.approx(0.65092, abs=1e-5)
    assert metrics.ndcg_at(RANKED, ["a", "b"], 10) == 1.0
    # Only the first three count, and the best possible is cut there, too: (1/log2(3)) / (1 + 1/log2(3) + 1/2).
    assert metrics.ndcg_at(RANKED, ["b", "x", "y", "z"], 3) == pytest.approx(0.29608, abs=1e-5)
    assert metrics.ndcg_at(RANKED, ["e"], 3) == 0.0


def test_recall_within_tokens_ends_at_the_first_piece_that_does_not_fit() -> None:
    pieces = [("a", 100), ("b", 100), ("c", 300), ("d", 10)]
    assert metrics.recall_within(pieces, ["b", "d"], 199) == 0.0
    assert metrics.recall_within(pieces, ["b", "d"], 200) == 0.5
    assert metrics.recall_within(pieces, ["b", "d"], 499) == 0.5
    assert metrics.recall_within(pieces, ["b", "d"], 510) == 1.0


def test_the_share_of_words_counts_each_word_once() -> None:
    assert metrics.share_of(["blue", "bike", "blue"], ["a", "blue", "car"]) == 0.5
    assert metrics.share_of(["blue"], []) == 0.0


def test_ranks_count_from_one() -> None:
    assert metrics.best_rank(RANKED, "a") == 1
    assert metrics.best_rank(RANKED, "x") is None


def test_auc_is_the_share_of_pairs_in_the_right_order() -> None:
    assert metrics.auc([0.8, 0.4], [0.5, 0.1]) == 0.75
    assert metrics.auc([1.0, 2.0], [1.0, 0.0]) == pytest.approx(3.5 / 4)
    assert metrics.auc([1.0], [1.0]) == 0.5
    assert metrics.auc([1.0], []) is None
    assert metrics.auc([], [1.0]) is None


def test_a_percentile_is_one_of_the_values() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [metrics.percentile(values, share) for share in (0.0, 0.5, 0.8, 0.81, 1.0)] == [1.0, 3.0, 4.0, 5.0, 5.0]
    assert metrics.percentile([], 0.5) is None


def test_a_mean_is_taken_over_the_rows_that_have_the_measure() -> None:
    assert metrics.means([{"r": 1.0, "s": 0.5}, {"r": 0.0}, {}]) == {"r": 0.5, "s": 0.5}


names = st.lists(st.sampled_from("abcdefghij"), unique=True)
gold = st.sets(st.sampled_from("abcdefghijxyz"), min_size=1)


@given(names, gold, st.integers(1, 12))
def test_measures_agree_with_each_other(ranked: list[str], wanted: set[str], k: int) -> None:
    recall = metrics.recall_at(ranked, wanted, k)
    assert 0.0 <= recall <= metrics.recall_at(ranked, wanted, k + 1) <= 1.0
    assert metrics.hit_at(ranked, wanted, k) == float(recall > 0)
    assert metrics.all_at(ranked, wanted, k) == float(recall == 1)
    assert metrics.recall_within([(name, 1) for name in ranked], wanted, k) == recall
    ndcg = metrics.ndcg_at(ranked, wanted, k)
    assert 0.0 <= ndcg <= 1.0 + 1e-12
    assert (ndcg > 0) == (recall > 0)


@given(names, gold)
def test_ndcg_falls_when_gold_moves_down(ranked: list[str], wanted: set[str]) -> None:
    up = sorted(ranked, key=lambda name: name not in wanted)
    assert metrics.ndcg_at(ranked, wanted, 10) <= metrics.ndcg_at(up, wanted, 10) + 1e-12


@given(st.lists(st.floats(0, 1), min_size=1), st.lists(st.floats(0, 1), min_size=1))
def test_auc_of_swapped_sides_is_its_complement(a: list[float], b: list[float]) -> None:
    one, other = metrics.auc(a, b), metrics.auc(b, a)
    assert one is not None
    assert other is not None
    assert math.isclose(one + other, 1.0, abs_tol=1e-9)
