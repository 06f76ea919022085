"""Ranked lists that become one: fusion, repeats, diversity, and the share of memory and documents."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import DiversityPolicy
from smartbrain.contracts.evidence import Evidence, Provenance, Signals
from smartbrain.contracts.plan import Fusion, Mode, Ranking
from smartbrain.policies.diversity import balance, diversify
from smartbrain.policies.fusion import DOCUMENTS, RankedList, fuse, fuse_sources

START = datetime(2026, 1, 1, tzinfo=UTC)


def piece(name: str, **fields: Any) -> Evidence:
    given = {
        "id": name,
        "kind": "memory_chunk",
        "source_uri": f"smartbrain://turn/s/{name}",
        "snippet": f"words of {name}",
        "provenance": Provenance(mode="exact"),
        "signals": Signals(fts_score=1.0),
    }
    return Evidence(**(given | fields))


def document(name: str, uri: str = "") -> Evidence:
    return piece(name, kind="resource_section", source_uri=uri or f"https://example.org/{name}")


def listed(*pieces: Evidence, weight: float = 1.0, mode: Mode = "exact") -> RankedList:
    return RankedList("memory", mode, 0, weight, pieces)


def names(pieces: list[Evidence]) -> list[str]:
    return [one.id for one in pieces]


def fused(*lists: RankedList, **fusion: Any) -> list[Evidence]:
    return fuse(lists, Ranking(fusion=Fusion(**fusion)))[0]


def test_what_several_queries_find_comes_before_what_one_finds() -> None:
    one = listed(piece("a"), piece("both"))
    other = listed(piece("b"), piece("both"))
    assert names(fused(one, other))[0] == "both"


def test_a_query_that_weighs_more_leads() -> None:
    light, heavy = listed(piece("a"), weight=0.5), listed(piece("b"), weight=1.0)
    assert names(fused(light, heavy)) == ["b", "a"]
    assert names(fused(heavy, light)) == ["b", "a"]


def test_a_mode_that_weighs_more_leads() -> None:
    exact, hybrid = listed(piece("a")), listed(piece("b"), mode="hybrid")
    assert names(fused(exact, hybrid, weights={"hybrid": 2.0})) == ["b", "a"]
    assert names(fused(exact, hybrid, weights={"hybrid": 0.5})) == ["a", "b"]


def test_the_fused_score_is_the_sum_of_weight_over_k_plus_rank() -> None:
    (first, second) = fused(listed(piece("a"), piece("b")), listed(piece("a"), weight=0.5), rrf_k=60)
    assert first.signals.rrf_score == pytest.approx(1.5 / 61)
    assert second.signals.rrf_score == pytest.approx(1 / 62)
    assert first.signals.score == 1.0


def test_a_weighted_sum_compares_scores_within_their_list() -> None:
    loud = listed(piece("a", signals=Signals(fts_score=90.0)), piece("b", signals=Signals(fts_score=80.0)))
    soft = listed(piece("c", signals=Signals(vector_score=0.9)), piece("b", signals=Signals(vector_score=0.8)))
    assert names(fused(loud, soft, method="weighted_sum"))[0] == "b"


def test_without_fusion_the_lists_follow_one_another() -> None:
    assert names(fused(listed(piece("b"), piece("c")), listed(piece("a")), method="none")) == ["b", "c", "a"]


def test_of_equals_the_newer_leads() -> None:
    old, new = piece("a", occurred_at=START), piece("b", occurred_at=START + timedelta(days=1))
    assert names(fused(listed(old), listed(new))) == ["b", "a"]


def test_the_same_words_of_one_source_are_shown_once() -> None:
    same = piece("copy", source_uri="smartbrain://turn/s/a", snippet="Words  of A")
    kept, dropped = fuse([listed(piece("a"), same, piece("c"))], Ranking())
    assert names(kept) == ["a", "c"]
    assert [(d.id, d.reason) for d in dropped] == [("copy", "duplicate")]


def test_the_same_words_of_two_sources_are_two_pieces() -> None:
    kept, dropped = fuse([listed(piece("a", snippet="yes"), piece("b", snippet="yes"))], Ranking())
    assert names(kept) == ["a", "b"]
    assert dropped == []


def test_found_twice_it_gains_what_else_matched() -> None:
    one = piece("a", signals=Signals(fts_score=2.0, matched=("tea",)))
    other = piece("a", signals=Signals(vector_score=0.7, matched=("kettle",)))
    (merged,) = fused(listed(one), listed(other, mode="semantic"))
    assert merged.signals.matched == ("tea", "kettle")
    assert (merged.signals.fts_score, merged.signals.vector_score) == (2.0, 0.7)


@given(
    lists=st.lists(
        st.tuples(st.floats(0.1, 5.0), st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)), max_size=5
    ),
    method=st.sampled_from(["rrf", "weighted_sum", "none"]),
)
def test_every_piece_comes_out_once_best_first_with_a_score_from_0_to_1(
    lists: list[tuple[float, list[str]]], method: str
) -> None:
    given_ = [
        listed(*(piece(n, signals=Signals(fts_score=9.0 - at)) for at, n in enumerate(found)), weight=weight)
        for weight, found in lists
    ]
    out = fused(*given_, method=method)
    scores = [one.signals.score or 0.0 for one in out]
    assert sorted(names(out)) == sorted({n for _, found in lists for n in found})
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_memories_do_not_share_a_source() -> None:
    # The Ruby original cut the address after the host: all memories were one source.
    items = [piece(f"m{n}", kind="memory_item", source_uri=f"smartbrain://memory/m{n}") for n in range(12)]
    kept, dropped = diversify(items, by_document=3, by_source_uri=2)
    assert names(kept) == names(items)
    assert dropped == []


def test_two_pages_of_one_host_are_two_sources() -> None:
    pages = [document(f"p{n}", f"https://example.org/{n // 2}") for n in range(8)]
    assert len(diversify(pages, by_document=3, by_source_uri=2)[0]) == 8


def test_of_one_source_and_of_one_document_only_the_best_stay() -> None:
    by_uri = [document(f"u{n}", "https://example.org/one") for n in range(4)]
    by_document = [piece(f"d{n}", document_id="guide") for n in range(4)]
    kept, dropped = diversify([*by_uri, *by_document], by_document=3, by_source_uri=2)
    assert names(kept) == ["u0", "u1", "d0", "d1", "d2"]
    assert {d.reason for d in dropped} == {"diversity"}
    assert "of source https://example.org/one" in dropped[0].detail
    assert "of document guide" in dropped[-1].detail


def test_memory_and_documents_share_the_places_when_both_have_enough() -> None:
    ranked = [*(piece(f"m{n}") for n in range(10)), *(document(f"r{n}") for n in range(10))]
    kept, dropped = balance(ranked, policy=DiversityPolicy(), places=10)
    assert names(kept) == [f"m{n}" for n in range(4)] + [f"r{n}" for n in range(6)]
    assert {d.reason for d in dropped} == {"ratio"}


@pytest.mark.parametrize(("memories", "documents"), [(10, 2), (1, 10), (10, 0), (0, 10), (2, 3)])
def test_places_that_one_side_cannot_use_go_to_the_other(memories: int, documents: int) -> None:
    ranked = [*(piece(f"m{n}") for n in range(memories)), *(document(f"r{n}") for n in range(documents))]
    kept, dropped = balance(ranked, policy=DiversityPolicy(), places=10)
    assert len(kept) == min(10, memories + documents)
    assert len(kept) + len(dropped) == len(ranked)


def test_balancing_keeps_the_order_of_the_ranking() -> None:
    ranked = [document("r0"), piece("m0"), document("r1"), piece("m1")]
    assert names(balance(ranked, policy=DiversityPolicy(), places=10)[0]) == ["r0", "m0", "r1", "m1"]


# -- memory beside documents -------------------------------------------------------------------------------------------


def from_documents(*pieces: Evidence) -> RankedList:
    return RankedList(DOCUMENTS, "hybrid", 0, 1.0, pieces)


def across(*lists: RankedList, query: str = "refund limit") -> list[str]:
    return names(fuse_sources(lists, Ranking(), query)[0])


def test_memory_and_documents_take_turns_however_many_lists_memory_brought() -> None:
    said = [piece(name) for name in ("m1", "m2", "m3")]
    theirs = from_documents(document("d1"), document("d2"))
    assert across(listed(*said), theirs) == ["m1", "d1", "m2", "d2", "m3"]
    assert across(listed(*said), listed(*said), listed(*said), theirs) == ["m1", "d1", "m2", "d2", "m3"]


def test_of_equal_places_the_side_goes_first_that_holds_more_of_the_question() -> None:
    answer = document("d2").model_copy(update={"snippet": "The limit of a refund is ten."})
    theirs = from_documents(document("d1"), answer)
    assert across(listed(piece("m1", occurred_at=datetime(2026, 1, 1, tzinfo=UTC)), piece("m2")), theirs) == [
        "d1",
        "m1",
        "d2",
        "m2",
    ]
    mine = listed(piece("m1", snippet="My refund is over the limit."), piece("m2"))
    assert across(mine, theirs) == ["m1", "d1", "m2", "d2"]


def test_the_side_that_leads_gains_no_place_but_among_equals() -> None:
    long = [document(f"d{n}").model_copy(update={"snippet": f"limit of refund {n}"}) for n in range(30)]
    order = across(listed(*(piece(f"m{n}") for n in range(30))), from_documents(*long))
    assert order == [f"{side}{n}" for n in range(30) for side in "dm"]


def test_one_side_alone_is_fused_as_ever() -> None:
    lists = [listed(piece("a"), piece("b")), listed(piece("b"))]
    assert fuse_sources(lists, Ranking(), "x") == fuse(lists, Ranking())
    assert fuse_sources([*lists, from_documents()], Ranking(), "x")[0] == fuse(lists, Ranking())[0]


@pytest.mark.parametrize("method", ["rrf", "weighted_sum", "none"])
def test_every_method_keeps_all_evidence_of_both_sides_once_and_scores_in_order(method: str) -> None:
    lists = [listed(piece("a"), piece("b")), listed(piece("b")), from_documents(document("d"), document("e"))]
    ranked = fuse_sources(lists, Ranking(fusion=Fusion(method=method)), "words of d")[0]
    assert sorted(names(ranked)) == ["a", "b", "d", "e"]
    scores = [one.signals.score or 0.0 for one in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)
