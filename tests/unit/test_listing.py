"""The list of a source: shown in order, and evidence only made of what is wanted."""

from __future__ import annotations

import pytest

from smartbrain.contracts.evidence import Evidence
from smartbrain.contracts.plan import Query, RetrievalPlan
from smartbrain.model import MemoryItem
from smartbrain.retrieval.evidence import item_evidence
from smartbrain.retrieval.listing import Hit, Listed, listed
from smartbrain.testing.storage_values import make_item


def hits() -> list[Hit[MemoryItem]]:
    return [
        Hit(0.4, make_item("weak"), {"words": 0.1, "meaning": 0.3}, (), 0.5),
        Hit(0.9, make_item("strong"), {"words": 0.9}, ("tea",), 0.1, stale=True),
        Hit(0.1, make_item("last"), {"words": 0.1}, ()),
    ]


@pytest.fixture
def plan() -> RetrievalPlan:
    return RetrievalPlan(plan_id="p", request_id="r", queries=(Query(text="tea", mode="hybrid"),))


def shown(plan: RetrievalPlan, limit: int = 2) -> list[Listed]:
    return listed(hits(), plan, 0, limit)


def test_the_best_are_listed_best_first(plan: RetrievalPlan) -> None:
    assert [(one.id, one.score, one.said, one.stale) for one in shown(plan)] == [
        ("strong", 0.9, None, True),
        ("weak", 0.4, None, False),
    ]


def test_evidence_is_only_made_of_what_is_wanted(plan: RetrievalPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(item: MemoryItem, *args: object, **how: object) -> Evidence:
        made.append(item.id)
        return item_evidence(item, *args, **how)  # type: ignore[arg-type]

    monkeypatch.setattr("smartbrain.retrieval.listing.item_evidence", counted)
    ranked = shown(plan)
    assert made == []
    assert ranked[1].evidence().id == "weak"
    assert made == ["weak"]


def test_what_takes_the_place_of_another_has_its_score_and_says_why(plan: RetrievalPlan) -> None:
    evidence = shown(plan)[1].moved_up(0.7).evidence()
    assert evidence.signals.score == 0.7
    assert evidence.signals.parts == {"words": 0.1, "meaning": 0.3, "newer": 0.3}
    assert not evidence.stale


def test_what_was_said_anew_since_is_marked(plan: RetrievalPlan) -> None:
    strong, weak = shown(plan)
    assert strong.evidence().stale
    assert weak.outdated().evidence().stale
    assert not weak.evidence().stale


def test_both_sides_of_a_score_have_ranks_of_their_own(plan: RetrievalPlan) -> None:
    strong, weak = (one.evidence().signals for one in shown(plan))
    assert (strong.fts_rank, strong.vector_rank, weak.fts_rank, weak.vector_rank) == (1, 2, 2, 1)
    assert weak.fts_score == pytest.approx(0.1)


def test_by_words_alone_there_is_one_score_and_one_rank(plan: RetrievalPlan) -> None:
    alone = [one.evidence().signals for one in listed([hit._replace(cosine=None) for hit in hits()], plan, 0, 3)]
    told = [(signals.score, signals.fts_score, signals.fts_rank) for signals in alone]
    assert told == [(None, 0.9, 1), (None, 0.4, 2), (None, 0.1, 3)]
