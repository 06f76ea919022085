"""Any retriever as a resource client: what it is asked, what comes of its results, and whose documents pass."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import RetrievalPlan
from smartbrain.errors import InputError, PluginError, ScopeError
from smartbrain.model import Ref, Scope
from smartbrain.resources import DirectClient, as_resources
from smartbrain.resources.found import as_found, relevances
from smartbrain.testing.fakes import ScriptedResources

ALONE = (Scope("legacy", "session", "s"),)
ANNA = (Scope("anna", "global", "default"),)


def plan(*queries, **fields):
    asked = [{"text": q} if isinstance(q, str) else q for q in queries or ("kettle",)]
    return RetrievalPlan.model_validate({"plan_id": "p", "queries": asked, **fields})


def ask(retriever, scopes=ALONE, asked=None, timeout=1.0, **settings):
    return DirectClient(retriever, **settings).retrieve(asked or plan(), scopes=scopes, timeout=timeout)


def of_tenant(domain, scopes):
    return {"filters": {"tenant": domain}}


def test_a_function_is_asked_each_query_and_its_texts_become_evidence_best_first():
    asked = []

    def search(text):
        asked.append(text)
        return [f"about {text}", f"more about {text}"]

    pack = ask(search, asked=plan("kettles", {"text": "Anna", "mode": "relational"}, {"text": "pots", "weight": 0.5}))
    assert asked == ["kettles", "pots"]
    assert [e.snippet for e in pack.evidences][:2] == ["about kettles", "more about kettles"]
    assert {e.snippet for e in pack.evidences} == {
        f"{w} {t}" for w in ("about", "more about") for t in ("kettles", "pots")
    }
    assert all(e.trust == "resource" and e.kind == "resource_section" for e in pack.evidences)
    assert "queries[1]" in pack.explain.ignored_fields


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("plain words", ("plain words", "resource://search/", "", None)),
        ({"text": "a", "url": "https://e.org/a", "title": "T", "score": 0.5}, ("a", "https://e.org/a", "T", 0.5)),
        ({"content": "a", "metadata": {"source": "docs/a.md"}}, ("a", "docs/a.md", "", None)),
        (({"snippet": "a", "source": "/srv/a b.md"}, 0.25), ("a", "file:///srv/a%20b.md", "", 0.25)),
        ({"page_content": "a", "source": "C:\\docs\\a.md"}, ("a", "file:///C:/docs/a.md", "", None)),
    ],
)
def test_results_of_every_plain_shape_are_read(result, expected):
    def search(text):
        return [result]

    (evidence,) = ask(search).evidences
    text, source, title, score = expected
    assert (evidence.snippet, evidence.title, evidence.signals.vector_score) == (text, title, score)
    assert evidence.source_uri.startswith(source)
    assert evidence.signals.vector_rank == 1


def test_a_result_that_cannot_be_read_costs_a_warning_and_not_the_others():
    pack = ask(lambda text: ["good", 7, object(), {"no": "text"}, "", None])
    assert [e.snippet for e in pack.evidences] == ["good"]
    assert "a result is a int" in pack.warnings[0]


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.just("/\ud800"),
        st.just("2026-99-99"),
    ),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
fields = st.sampled_from(
    [
        "text",
        "id",
        "source",
        "url",
        "file_path",
        "title",
        "page",
        "date",
        "score",
        "language",
        "tenant",
        "document_id",
        "metadata",
    ]
)


@given(st.lists(st.dictionaries(fields, values, max_size=6), max_size=5), st.sampled_from([ALONE, ANNA]))
def test_results_of_any_content_never_break_an_answer(results, scopes):
    pack = ask(
        lambda text: [*results, {"text": "good", "metadata": {"tenant": "anna"}}], scopes, scope_mapper=of_tenant
    )
    assert any(e.snippet == "good" for e in pack.evidences)
    if scopes is ANNA:
        assert all(e.snippet == "good" or says_anna(results, e.snippet) for e in pack.evidences)


def says_anna(results, snippet):
    return any("anna" in repr(result) for result in results if result.get("text") == snippet)


def test_ids_are_the_retrievers_own_or_a_digest_of_source_and_text():
    results = [{"text": "a", "id": "own"}, {"text": "b", "source": "x.md"}, {"text": "b", "source": "y.md"}]
    first, second = (sorted(e.id for e in ask(lambda text: results).evidences) for _ in range(2))
    assert first == second
    assert "own" in first
    assert len(set(first)) == 3


def test_the_snippet_is_cut_around_what_is_asked_and_says_where_it_stands():
    class Document:
        id, metadata = "d", {"start_index": 100, "page": 3}
        page_content = "filler " * 200 + "the kettle is blue " + "filler " * 200

    (evidence,) = ask(lambda text: [Document()], asked=plan(output={"max_snippet_chars": 80})).evidences
    assert "kettle is blue" in evidence.snippet
    assert len(evidence.snippet) <= 80
    at = evidence.metadata.offset_start - 100
    assert Document.page_content[at : at + 20] in evidence.snippet
    assert evidence.metadata.page == 3


@pytest.mark.parametrize(
    ("scores", "worth"),
    [
        ([0.9, 0.5], [0.9, 0.5]),  # similarities fall
        ([0.0, 1.0, 3.0], [1.0, 0.5, 0.25]),  # distances rise
        ([0.9, -0.2], [1.0, 10 / 11]),  # no range that can be compared: the place counts
        ([float("nan"), 0.4], [1.0, 10 / 11]),
    ],
)
def test_scores_are_worth_more_the_better_whatever_they_measure(scores, worth):
    results = [({"text": f"text {n}"}, score) for n, score in enumerate(scores)]
    assert relevances([as_found(result) for result in results]) == worth
    assert [e.snippet for e in ask(lambda text: results).evidences] == [f"text {n}" for n in range(len(scores))]


def test_a_function_is_given_what_it_names():
    seen = {}

    def search(text, k, filters=None, scope_filters=None):
        seen.update(k=k, filters=filters, scope_filters=scope_filters)
        return []

    asked = plan(limit=7, global_filters={"language": ["en"]})
    ask(search, ANNA, asked, scope_mapper=of_tenant, fields={"language": "lang"})
    assert seen == {"k": 7, "filters": {"lang": ["en"], "tenant": "anna"}, "scope_filters": {"tenant": "anna"}}


def test_a_function_that_takes_the_plan_is_asked_once_and_answers_as_a_whole():
    seen = []

    def search(text, plan):
        seen.append(plan)
        return {
            "plan_id": plan.plan_id,
            "scope_filter_applied": True,
            "evidences": [good(), {"id": "bad"}],
            "colour": 1,
        }

    pack = ask(search, ANNA, plan("a", "b"), scope_mapper=of_tenant)
    assert len(seen) == 1
    assert [e.id for e in pack.evidences] == ["doc:1"]
    assert "evidences[1] was dropped" in pack.warnings[0]
    assert pack.explain.ignored_fields == ("answer.colour",)


def good(**fields):
    return {
        "id": "doc:1",
        "source_uri": "https://e.org/1",
        "snippet": "the kettle is blue",
        "signals": {"fts_score": 1.0},
        "provenance": {"mode": "hybrid"},
        **fields,
    }


# -- whose documents pass -----------------------------------------------------------------------------------------


class Strange:
    """A value that is equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = None


MIXED = [
    {"text": "hers", "metadata": {"tenant": "anna"}},
    {"text": "hers, too", "metadata": {"tenant": ["bert", "anna"]}},
    {"text": "his", "metadata": {"tenant": "bert"}},
    {"text": "nobody's", "metadata": {}},
    {"text": "any", "metadata": {"tenant": None}},
    {"text": "strange", "metadata": {"tenant": Strange()}},
]


def test_a_result_passes_only_if_its_own_metadata_confirms_the_scope():
    pack = ask(lambda text: MIXED, ANNA, scope_mapper=of_tenant)
    assert [e.snippet for e in pack.evidences] == ["hers", "hers, too"]
    assert pack.scope_filter_applied is True


def test_without_a_scope_mapper_nothing_is_asked_and_the_warning_says_what_to_do():
    pack = ask(lambda text: pytest.fail("was asked"), ANNA)
    assert pack.evidences == ()
    assert pack.explain.ignored_fields == ("scope_filters",)
    assert "give one, or shared=True" in pack.warnings[0]


def test_documents_that_are_shared_pass_for_everybody_and_a_session_alone_asks_for_no_scope():
    assert len(ask(lambda text: MIXED, ANNA, shared=True).evidences) == 6
    assert len(ask(lambda text: MIXED, ALONE).evidences) == 6
    with pytest.raises(ScopeError, match="shared=True"):
        DirectClient(lambda text: MIXED, of_tenant, shared=True)


@pytest.mark.parametrize(
    "mapped",
    [
        None,
        {},
        {"filters": {}},
        {"filters": None},
        {"filters": {"tenant": None}},
        {"filters": {"tenant": []}},
        {"filters": {"tenant": {"$ne": "x"}}},
        {"tenant": "anna"},
        ["tenant"],
        RuntimeError("no database"),
    ],
)
def test_a_mapping_that_says_nothing_usable_lets_nothing_through(mapped):
    def mapper(domain, scopes):
        if isinstance(mapped, Exception):
            raise mapped
        return mapped

    pack = ask(lambda text: pytest.fail("was asked"), ANNA, scope_mapper=mapper)
    assert pack.evidences == ()
    assert "scope_mapper" in pack.warnings[0]


def test_scopes_of_two_domains_and_no_scopes_at_all_are_refused():
    pack = ask(lambda text: MIXED, (*ANNA, Scope("bert", "global", "default")), scope_mapper=of_tenant)
    assert "2 domains" in pack.warnings[0]
    with pytest.raises(ScopeError, match="given none"):
        ask(lambda text: MIXED, (), scope_mapper=of_tenant)


def test_when_no_result_carries_the_field_the_warning_names_it():
    pack = ask(lambda text: ["one", "two"], ANNA, scope_mapper=of_tenant)
    assert pack.evidences == ()
    assert "none of 2 results says in its metadata ('tenant')" in pack.warnings[0]


@pytest.mark.parametrize("flag", [False, None, "missing"])
def test_a_pack_that_does_not_confirm_the_scope_is_dropped(flag):
    answer = {"evidences": [good()], **({} if flag == "missing" else {"scope_filter_applied": flag})}
    pack = ask(lambda text: answer, ANNA, scope_mapper=of_tenant)
    assert pack.evidences == ()
    assert pack.explain.ignored_fields == ("scope_filters",)
    assert "scope_filter_applied: true" in pack.warnings[0]


@pytest.mark.parametrize("flag", ["true", 1, [True]])
def test_only_a_plain_true_confirms_a_scope(flag):
    with pytest.raises(PluginError, match="scope_filter_applied"):
        ask(lambda text: {"evidences": [good()], "scope_filter_applied": flag}, ANNA, scope_mapper=of_tenant)


def test_an_answer_to_another_plan_confirms_nothing():
    answer = {"plan_id": "somebody else's", "scope_filter_applied": True, "evidences": [good()]}
    pack = ask(lambda text: answer, ANNA, scope_mapper=of_tenant)
    assert pack.evidences == ()
    assert pack.explain.ignored_fields == ("scope_filters",)


def test_more_results_are_asked_for_where_some_will_be_left_out():
    limits = []

    class Store:
        def similarity_search(self, query, k):
            limits.append(k)
            return []

    for settings in ({}, {"scope_mapper": of_tenant}):
        ask(Store(), ANNA if settings else ALONE, plan(limit=5), **settings)
    assert limits == [5, 20]


# -- the plan's own filters ---------------------------------------------------------------------------------------

LIBRARY = [
    {
        "text": "the kettle is blue",
        "source": "https://e.org/a",
        "id": "a",
        "metadata": {"tag": "x", "date": "2026-01-05"},
    },
    {"text": "这个水壶是蓝色的", "source": "docs/b.md", "id": "b", "metadata": {"tag": "y", "date": "2025-01-05"}},
]


@pytest.mark.parametrize(
    ("filters", "kept", "ignored"),
    [
        ({"language": ["zh"]}, ["b"], ()),
        ({"source_type": ["url"]}, ["a"], ()),
        ({"source_uri_prefix": ["docs/"]}, ["b"], ()),
        ({"document_ids": ["https://e.org/a"]}, ["a"], ()),
        ({"tag_ids": ["y"]}, ["b"], ()),
        ({"topic_ids": ["t"]}, ["a", "b"], ("global_filters.topic_ids",)),
        ({"time_range": {"from": "2026-01-01T00:00:00Z"}}, ["a"], ()),
        ({"time_range": {"to": "2026-01-01T00:00:00Z"}}, ["b"], ()),
        ({"path_prefixes": ["Docs/"]}, ["b"], ()),
        ({"exclude_path_prefixes": ["docs/"]}, [], ()),
        ({"exclude_like_patterns": ["%.txt"]}, ["b"], ()),
        ({"metadata": {"Tag": "X"}}, ["a"], ()),
        ({"metadata": {"domain": "billing"}}, [], ()),
    ],
)
def test_hard_filters_are_kept_where_they_can_be_judged_and_named_where_not(filters, kept, ignored):
    pack = ask(lambda text: LIBRARY, asked=plan(global_filters=filters), fields={"tag_ids": "tag"})
    assert sorted(e.id for e in pack.evidences) == kept
    assert pack.explain.ignored_fields == ignored


def test_paths_are_named_as_ignored_where_no_result_has_one():
    pack = ask(lambda text: ["one"], asked=plan(global_filters={"path_prefixes": ["docs/"]}))
    assert len(pack.evidences) == 1
    assert pack.explain.ignored_fields == ("global_filters.path_prefixes",)


def test_a_time_filter_is_named_where_no_document_has_a_date_and_a_querys_own_filter_holds():
    asked = plan(
        {"text": "a", "filters": {"language": ["en"], "tag_ids": ["x"]}},
        global_filters={"time_range": {"from": datetime(2026, 1, 1, tzinfo=UTC)}},
        preferences={"language": ["en"]},
    )
    pack = ask(lambda text: ["the kettle is blue", "这个水壶是蓝色的"], asked=asked)
    assert [e.snippet for e in pack.evidences] == ["the kettle is blue"]
    assert set(pack.explain.ignored_fields) == {
        "global_filters.time_range",
        "queries[0].filters.tag_ids",
        "preferences.language",
    }


# -- what fails ---------------------------------------------------------------------------------------------------


def test_a_failing_retriever_is_named_in_the_error():
    def search(text):
        raise OSError("the index is gone")

    with pytest.raises(PluginError, match="search failed: OSError: the index is gone"):
        ask(search)


async def awaited(text):
    return []


def test_what_can_only_be_awaited_is_refused():
    with pytest.raises(InputError, match="awaited can only be awaited"):
        DirectClient(awaited)
    with pytest.raises(PluginError, match="must be awaited"):
        ask(lambda text, k: awaited(text))


def test_no_further_query_is_begun_after_the_time_is_up():
    now = [0.0]

    def search(text):
        now[0] += 2
        return [text]

    pack = ask(search, asked=plan("a", "b", "c"), timeout=3, clock=lambda: now[0])
    assert [e.snippet for e in pack.evidences] == ["a", "b"]
    assert "after 3 s, 2 of the plan's queries were answered" in pack.warnings


@pytest.mark.parametrize("source", [7, object(), dict])
def test_what_is_no_retriever_is_refused_at_once(source):
    with pytest.raises(InputError, match=r"no retriever|is a class"):
        as_resources(source)


def test_a_folder_is_no_retriever_and_the_error_says_how_it_becomes_one():
    for folder in ("docs", Path("docs")):
        with pytest.raises(InputError, match=r"Library\.open"):
            as_resources(folder)


def test_a_client_comes_back_as_it_is_and_an_offer_reaches_the_application():
    client = ScriptedResources(EvidencePack())
    assert as_resources(client) is client
    with pytest.raises(InputError, match="already"):
        as_resources(client, shared=True)
    told = []
    direct = DirectClient(lambda text: [], offer=lambda refs, scope: told.append((refs, scope)))
    refs = (Ref(type="url", uri="https://e.org"),)
    direct.offer(refs, scope=ALONE[0])
    as_resources(lambda text: []).offer(refs, scope=ALONE[0])
    assert told == [(refs, ALONE[0])]
