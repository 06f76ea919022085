"""What of a resource client's answer is let in, and as what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.contracts.evidence import Evidence, EvidencePack, EvidenceRef, Signals, SpanInfo
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import ScopeError
from smartbrain.model import Scope
from smartbrain.policies.admission import admit

ALONE = (Scope("legacy", "session", "s"),)
ANNA = (Scope("anna", "global", "default"),)
PLAN = RetrievalPlan.model_validate({"plan_id": "p", "queries": [{"text": "kettle"}], "budget": {"top_k": 5}})


def evidence(name="a", **fields):
    values = {
        "id": name,
        "source_uri": f"https://e.org/{name}",
        "snippet": f"about {name}",
        "signals": {"fts_score": 1.0},
        "provenance": {"mode": "hybrid"},
        **fields,
    }
    return Evidence.model_validate(values)


def admitted(*evidences, scopes=ALONE, plan=PLAN, **fields):
    return admit(EvidencePack(evidences=evidences, **fields), plan, scopes)


@pytest.mark.parametrize(
    ("fields", "passes"),
    [
        ({"scope_filter_applied": True}, True),
        ({"scope_filter_applied": True, "plan_id": "p"}, True),
        ({"scope_filter_applied": True, "plan_id": "another"}, False),
        ({"scope_filter_applied": False}, False),
        ({}, False),
    ],
)
def test_with_a_scope_to_be_kept_only_a_confirmed_answer_to_this_plan_passes(fields, passes):
    pack = admitted(evidence(), scopes=ANNA, **fields)
    assert bool(pack.evidences) is passes
    assert (pack.explain.ignored_fields == ("scope_filters",)) is not passes
    assert bool(pack.warnings) is not passes
    assert admitted(evidence(), **fields).evidences, "a session alone asks for no scope"


def test_one_scope_of_a_tenant_among_others_must_be_confirmed_and_none_is_an_error():
    assert not admitted(evidence(), scopes=(*ALONE, *ANNA)).evidences
    with pytest.raises(ScopeError):
        admitted(evidence(), scopes=())
    assert not admitted(evidence(), scopes=(Scope("legacy", "global", "session"),)).evidences


def test_nothing_that_comes_in_passes_for_memory_or_for_somebodys_word():
    ref = EvidenceRef(session_id="s", turn_id="t", message_id="m", memory_item_id="i", mentioned_in=("x",), span=(0, 3))
    claims = evidence(kind="memory_item", trust="user", source_type="memory_snapshot", ref=ref)
    (shown,) = admitted(claims).evidences
    assert (shown.kind, shown.trust, shown.source_type) == ("other", "resource", "other")
    assert shown.ref == EvidenceRef(span=(0, 3))


@pytest.mark.parametrize("uri", ["smartbrain://memory/1", "SmartBrain://turn/s/t", " smart\nbrain://memory/1"])
def test_the_way_back_of_a_memory_is_not_a_resources_to_give(uri):
    pack = admitted(evidence(source_uri=uri), evidence("b"))
    assert [e.id for e in pack.evidences] == ["b"]
    assert "that of a memory" in pack.warnings[0]


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "x" * 513},
        {"source_uri": "https://e.org/" + "x" * 2100},
        {"snippet": " \n"},
        {"signals": {"fts_score": float("nan")}},
        {"signals": {"fts_score": 1.0, "parts": {"a": float("inf")}}},
    ],
)
def test_what_cannot_be_used_is_dropped_by_itself_and_said(fields):
    pack = admitted(evidence(**fields), evidence("b"))
    assert [e.id for e in pack.evidences] == ["b"]
    assert pack.warnings[0].startswith("evidences[0] was dropped")


def test_everything_is_bounded():
    big = evidence(
        title="t" * 1000,
        snippet="filler " * 1000 + "the kettle is blue " + "filler " * 9000,
        document_id="d" * 600,
        language="x" * 99,
        signals=Signals(fts_score=1.0, matched=("m" * 99,) * 99, parts={f"{'p' * 99}{n}": 1.0 for n in range(99)}),
        metadata=SpanInfo(offset_start=10, offset_end=70_000, section_title="s" * 999),
        raw={"x": "y" * 30_000},
    )
    raw = PLAN.model_copy(update={"output": PLAN.output.model_copy(update={"include_raw": True})})
    pack = admitted(big, warnings=("w" * 999,) * 99, plan=raw)
    (shown,) = pack.evidences
    assert len(shown.snippet) <= 800
    assert "kettle is blue" in shown.snippet
    at = shown.metadata.offset_start - 10
    assert big.snippet[at : shown.metadata.offset_end - 10] in shown.snippet
    assert len(shown.title) <= 300
    assert len(shown.metadata.section_title) <= 300
    assert (shown.document_id, shown.language, shown.raw) == (None, None, None)
    assert len(shown.signals.matched) <= 20
    assert all(len(name) <= 60 for name in (*shown.signals.matched, *shown.signals.parts))
    assert len(pack.warnings) <= 20
    assert max(map(len, pack.warnings)) <= 300
    assert len(admitted(*(evidence(str(n)) for n in range(99))).evidences) == 5


def test_the_same_id_counts_once_and_raw_comes_only_where_the_plan_asks_for_it():
    pack = admitted(evidence(raw={"a": 1}), evidence(snippet="other words"))
    assert [(e.snippet, e.raw) for e in pack.evidences] == [("about a", None)]


words = st.text(max_size=400)


@given(
    st.lists(st.builds(evidence, words.filter(str.strip), title=words, snippet=words.map(lambda t: t * 9)), max_size=8),
    st.lists(words, max_size=30),
    st.booleans(),
)
def test_letting_in_twice_changes_nothing(evidences, warnings, confirmed):
    once = admitted(*evidences, scopes=ANNA, warnings=tuple(warnings), scope_filter_applied=confirmed)
    assert admit(once, PLAN, ANNA) == once
