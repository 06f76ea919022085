"""Every rule of the retrieval policy: from a route to the one plan that says where among documents to look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.contracts.plan import DocumentPlan, RetrievalPlan
from smartbrain.contracts.route import FIND_FILES, GENERAL_QA, Anchors, RouteResult
from smartbrain.policies._signals import anchor_signals
from smartbrain.policies.resolving import DocsLayout, RetrievalPolicyResolver

RESOLVER = RetrievalPolicyResolver()
D0, D1, D2 = "D0_DOC_CHUNKS", "D1_DOCUMENT_CATALOG", "D2_FACT_INDEX"
D3, D4, D5 = "D3_ENTITY_CATALOG", "D4_WORKFLOW_INDEX", "D5_RELATION_GRAPH"
GENERIC = "docs_summary_generic"


def route(subintent: str = "SUMMARY", intent: str = "DOCS_QA", **anchors: object) -> RouteResult:
    return RouteResult(intent=intent, subintent=subintent, anchors=Anchors(**anchors))


def plan(*args: str, **anchors: object) -> RetrievalPlan:
    return RESOLVER.resolve(route(*args, **anchors))


# -- branches and profiles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "profile", "layers", "limit"),
    [
        (route(intent=GENERAL_QA), "general_qa_grounded_summary", (D1, D0), 8),
        (route(FIND_FILES), "file_lookup", (D1, D3), 12),
        (route(endpoint_paths=["/v1/orders"]), "docs_summary_api_endpoint", (D1, D2, D0), 8),
        (route(matched_aliases=["workflow"]), "docs_summary_logic_flow", (D4, D1, D0), 8),
        (route(entity_names=["Order"]), "docs_summary_domain_entity", (D3, D1, D0), 8),
        (route(matched_aliases=["architecture"]), "docs_summary_architecture", (D1, D5, D0), 8),
        (route(), GENERIC, (D1, D0), 8),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_profile_has_its_layers_in_order_and_its_limit(asked, profile, layers, limit):
    made = RESOLVER.resolve(asked)
    assert (made.profile, made.layers, made.limit) == (profile, layers, limit)


def test_a_general_question_stays_general_whatever_it_names():
    made = plan(FIND_FILES, GENERAL_QA, endpoint_paths=["/v1/orders"], entity_names=["Order"])
    assert made.profile == "general_qa_grounded_summary"


def test_a_search_for_files_stays_one_whatever_it_names():
    assert plan(FIND_FILES, endpoint_paths=["/v1/orders"]).profile == "file_lookup"


def test_an_intent_nobody_knows_is_answered_like_any_question_about_documents():
    assert plan("SUMMARY", "SOMETHING_NEW", endpoint_paths=["/a"]).profile == "docs_summary_api_endpoint"


# -- signals -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["target_doc_hints", "file_names", "matched_aliases"])
@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("docs/api/orders.md", "API_ENDPOINT"),
        ("payments-api", "API_ENDPOINT"),
        ("openapi.yaml", "API_ENDPOINT"),
        ("OrdersApi.md", "API_ENDPOINT"),
        ("endpoint list", "API_ENDPOINT"),
        ("接口", "API_ENDPOINT"),
        ("docs/architecture/overview.md", "ARCHITECTURE"),
        ("architecture", "ARCHITECTURE"),
        ("arch-notes.md", "ARCHITECTURE"),
        ("架构设计.md", "ARCHITECTURE"),
        ("архитектура", "ARCHITECTURE"),
        ("docs/logic/billing.md", "LOGIC_FLOW"),
        ("logic", "LOGIC_FLOW"),
        ("workflow", "LOGIC_FLOW"),
        ("checkout_flow.md", "LOGIC_FLOW"),
        ("refund-process.md", "LOGIC_FLOW"),
        ("退款流程", "LOGIC_FLOW"),
        ("процесс", "LOGIC_FLOW"),
        ("docs/domains/billing.md", "DOMAIN_ENTITY"),
        ("domain", "DOMAIN_ENTITY"),
        ("entity", "DOMAIN_ENTITY"),
        ("entities.md", "DOMAIN_ENTITY"),
        ("component", "DOMAIN_ENTITY"),
        ("сущность", "DOMAIN_ENTITY"),
    ],
)
def test_a_marker_in_a_name_gives_its_signal_alone(field, name, signal):
    assert anchor_signals(route(**{field: [name]})) == {signal}


@pytest.mark.parametrize(
    "name",
    [
        "search.md",
        "archive/2024.md",
        "march.md",
        "hierarchy.md",
        "capital.md",
        "rapid.md",
        "identity.md",
        "flowers.md",
        "processor.md",
        "biological.md",
        "notes.md",
    ],
)
def test_a_marker_inside_another_word_is_none(name):
    assert anchor_signals(route(target_doc_hints=[name])) == frozenset()


def test_endpoint_paths_and_entity_names_are_signals_by_being_there():
    assert anchor_signals(route(endpoint_paths=["/x"])) == {"API_ENDPOINT"}
    assert anchor_signals(route(entity_names=["x"])) == {"DOMAIN_ENTITY"}
    assert anchor_signals(route(FIND_FILES)) == {"FIND_FILES"}


def test_domain_and_subdomain_are_no_signals():
    narrowed = plan(process_domain="domain api architecture", process_subdomain="workflow")
    assert anchor_signals(route(process_domain="domain", process_subdomain="api")) == frozenset()
    assert narrowed.profile == GENERIC


def test_target_terms_steer_nothing():
    asked = route(entity_names=["Order"])
    assert RESOLVER.resolve(asked) == RESOLVER.resolve(asked.model_copy(update={"target_terms": ("api", "flow")}))


@pytest.mark.parametrize(
    "anchors",
    [
        {"endpoint_paths": ["/v1"], "matched_aliases": ["architecture"]},
        {"endpoint_paths": ["/v1"], "entity_names": ["Order"]},
        {"matched_aliases": ["architecture", "workflow"]},
        {},
    ],
)
def test_several_signals_or_none_are_generic(anchors):
    assert plan(**anchors).profile == GENERIC


# -- filters -----------------------------------------------------------------------------------------------------------


def test_a_general_plan_prefers_overviews_and_excludes_nothing():
    made = plan("SUMMARY", GENERAL_QA, target_doc_hints=["docs/guide.md"], process_domain="billing")
    assert made.filters == {
        "prefer_path_prefixes": ["docs/architecture/", "docs/"],
        "prefer_like_patterns": ["%readme.md%", "%overview%"],
        "target_doc_hints": ["docs/guide.md"],
    }


@pytest.mark.parametrize(
    ("anchors", "prefixes"),
    [
        ({"endpoint_paths": ["/v1"]}, ["docs/api/", "docs/"]),
        ({"matched_aliases": ["architecture"]}, ["docs/architecture/", "docs/"]),
        ({"matched_aliases": ["logic"]}, ["docs/logic/", "docs/architecture/", "docs/"]),
        ({"entity_names": ["Order"]}, ["docs/domains/", "docs/", "docs/api/"]),
        ({}, ["docs/"]),
        (
            {"endpoint_paths": ["/v1"], "entity_names": ["Order"]},
            ["docs/api/", "docs/", "docs/domains/"],
        ),
        (
            {"matched_aliases": ["workflow", "architecture"]},
            ["docs/architecture/", "docs/", "docs/logic/"],
        ),
    ],
)
def test_a_summary_prefers_the_folders_of_its_signals_in_order_and_each_once(anchors, prefixes):
    assert plan(**anchors).filters["prefer_path_prefixes"] == prefixes


@pytest.mark.parametrize("more", [{}, {"matched_aliases": ["architecture"]}])
def test_an_endpoint_makes_the_folders_a_condition_also_of_a_generic_summary(more):
    assert plan(endpoint_paths=["/v1"], **more).filters["path_prefixes"] == ["docs/api/", "docs/"]
    assert "path_prefixes" not in plan(entity_names=["Order"], **more).filters


@pytest.mark.parametrize("subintent", ["SUMMARY", FIND_FILES])
def test_domain_and_subdomain_are_conditions(subintent):
    filters = plan(subintent, process_domain="billing", process_subdomain="refunds").filters
    assert (filters["metadata.domain"], filters["metadata.subdomain"]) == ("billing", "refunds")
    assert not {"metadata.domain", "metadata.subdomain"} & set(plan(subintent, process_domain=" ").filters)


def test_the_terms_of_all_anchors_become_patterns_in_order_and_each_once():
    made = plan(
        target_doc_hints=["docs/api/Orders.md"],
        endpoint_paths=["/v1/Orders"],
        file_names=["src/orders.py"],
        entity_names=["Order"],
        matched_aliases=["order", "purchase"],
        process_domain="Billing",
        process_subdomain="refunds",
    )
    assert made.filters["prefer_like_patterns"] == [
        "%orders.md%",
        "%/v1/orders%",
        "%src/orders.py%",
        "%order%",
        "%purchase%",
        "%billing%",
        "%refunds%",
    ]


def test_a_percent_sign_of_a_term_does_not_become_a_wildcard():
    assert plan(entity_names=["100% Pure", "%"]).filters["prefer_like_patterns"] == ["%100 pure%"]


def test_a_search_for_files_goes_by_the_hinted_names_alone_if_there_are_any():
    hinted = plan(FIND_FILES, target_doc_hints=["docs/a/X.md"], entity_names=["Order"])
    assert hinted.filters["prefer_like_patterns"] == ["%x.md%"]
    assert plan(FIND_FILES, entity_names=["Order"]).filters["prefer_like_patterns"] == ["%order%"]


@pytest.mark.parametrize(
    ("anchors", "prefixes"),
    [
        # Folders of hints, then of files below docs/, then of signals, then all of docs/.
        ({"target_doc_hints": ["docs/a/x.md", "docs/a/y.md", "docs/b/z.md"]}, ["docs/a/", "docs/b/"]),
        ({"target_doc_hints": ["guides/x.md"], "file_names": ["docs/c/y.md"]}, ["guides/"]),
        ({"target_doc_hints": ["x.md"], "file_names": ["docs/c/y.md"]}, ["docs/c/"]),
        ({"file_names": ["src/c/y.py"]}, ["docs/"]),
        ({"file_names": ["src/a.py", "docs/c/y.md"]}, ["docs/c/"]),
        ({"endpoint_paths": ["/v1"]}, ["docs/api/", "docs/"]),
        ({"matched_aliases": ["architecture"]}, ["docs/architecture/", "docs/"]),
        ({"matched_aliases": ["logic"]}, ["docs/logic/", "docs/"]),
        ({"entity_names": ["Order"]}, ["docs/domains/", "docs/"]),
        (
            {"endpoint_paths": ["/v1"], "matched_aliases": ["logic"]},
            ["docs/api/", "docs/", "docs/logic/"],
        ),
        ({}, ["docs/"]),
        ({"target_doc_hints": ["./docs/a/x.md", "/docs/a/y.md", "docs\\a\\z.md"]}, ["docs/a/"]),
        ({"target_doc_hints": ["../secret/x.md", "docs/../../x.md"]}, ["docs/"]),
    ],
)
def test_a_search_for_files_looks_in_the_nearest_folders_it_can_name(anchors, prefixes):
    filters = plan(FIND_FILES, **anchors).filters
    assert filters["path_prefixes"] == prefixes
    assert filters["prefer_path_prefixes"] == prefixes


def test_a_search_for_files_of_a_domain_also_prefers_domains_and_logic():
    filters = plan(FIND_FILES, entity_names=["Order"], process_subdomain="refunds").filters
    assert filters["prefer_path_prefixes"] == ["docs/domains/", "docs/", "docs/logic/"]
    assert filters["path_prefixes"] == ["docs/domains/", "docs/"]


def test_hints_are_kept_in_every_branch():
    for asked in (route(intent=GENERAL_QA), route(FIND_FILES), route()):
        hinted = asked.model_copy(update={"anchors": Anchors(target_doc_hints=("docs/x.md",))})
        assert RESOLVER.resolve(hinted).filters["target_doc_hints"] == ["docs/x.md"]


# -- layouts -----------------------------------------------------------------------------------------------------------


def test_a_library_with_another_root_is_asked_there():
    resolver = RetrievalPolicyResolver(DocsLayout(roots=("handbook/",), api="http/"))
    filters = resolver.resolve(route(endpoint_paths=["/v1"])).filters
    assert filters["path_prefixes"] == ["handbook/http/", "handbook/"]


def test_where_the_whole_library_is_a_root_folders_are_wishes_and_no_condition():
    resolver = RetrievalPolicyResolver(DocsLayout(roots=("docs/", "")))
    for asked in (route(endpoint_paths=["/v1"]), route(FIND_FILES, endpoint_paths=["/v1"])):
        filters = resolver.resolve(asked).filters
        assert filters["prefer_path_prefixes"] == ["docs/api/", "api/", "docs/"]
        assert "path_prefixes" not in filters
    named = resolver.resolve(route(FIND_FILES, target_doc_hints=["guides/x.md"]))
    assert named.filters["path_prefixes"] == ["guides/"]


# -- always ------------------------------------------------------------------------------------------------------------

NAMES = st.lists(
    st.one_of(st.text(max_size=20), st.sampled_from(["docs/api/a.md", "a/../b", "%", "/", "architecture", "流程"])),
    max_size=3,
)
ANCHORS = st.builds(
    Anchors,
    entity_names=NAMES,
    file_names=NAMES,
    endpoint_paths=NAMES,
    target_doc_hints=NAMES,
    matched_aliases=NAMES,
    process_domain=st.none() | st.text(max_size=8),
    process_subdomain=st.none() | st.text(max_size=8),
)
WORDS = st.text(min_size=1, max_size=8).filter(str.strip)
ROUTES = st.builds(
    RouteResult,
    intent=st.sampled_from([GENERAL_QA, "DOCS_QA"]) | WORDS,
    subintent=st.sampled_from([FIND_FILES, "SUMMARY"]) | WORDS,
    anchors=ANCHORS,
    query=st.text(max_size=20),
)


@given(ROUTES)
def test_every_route_has_one_valid_plan_always_the_same(asked):
    made = RESOLVER.resolve(asked)
    assert made == RESOLVER.resolve(asked)
    again, ignored = RetrievalPlan.read(made.to_json())
    assert (again, ignored) == (made, [])
    assert made.profile
    assert made.layers
    assert made.limit
    assert DocumentPlan.model_validate(RESOLVER.documents(asked).model_dump()) == RESOLVER.documents(asked)
    for values in made.filters.values():
        assert isinstance(values, str) or len(set(values)) == len(values)


@given(ROUTES)
def test_no_plan_prefers_or_demands_an_empty_path(asked):
    filters = RESOLVER.resolve(asked).filters
    assert all(filters.get("path_prefixes", ["x"]))
    assert all(filters.get("prefer_path_prefixes", ["x"]))


def test_a_plan_for_documents_keeps_what_is_asked_and_replaces_where():
    where = RESOLVER.documents(route(endpoint_paths=["/v1"]))
    mine = RetrievalPlan.model_validate(
        {
            "plan_id": "p",
            "queries": [{"text": "orders"}, {"text": "Anna", "mode": "relational"}],
            "preferences": {"source_uri_prefix": ["smart_rag"], "like_patterns": ["%old%"]},
            "ranking": {"rerank": {"enabled": True}},
            "resource_retrieval": {"enabled": True, "documents": where.model_dump()},
        }
    )
    theirs = mine.for_documents()
    assert [query.text for query in theirs.queries] == ["orders"]
    assert (theirs.plan_id, theirs.profile, theirs.limit) == ("p", where.profile, where.limit)
    assert theirs.preferences.source_uri_prefix == ("smart_rag",)
    assert theirs.preferences.like_patterns == where.preferences.like_patterns
    assert not theirs.ranking.rerank.enabled
    assert theirs.for_documents() == theirs


def test_the_seeds_names_of_soft_filters_are_read():
    made, ignored = RetrievalPlan.read(
        {"queries": [{"text": "x"}], "preferences": {"prefer_path_prefixes": ["a/"], "prefer_like_patterns": ["%b%"]}}
    )
    assert ignored == []
    assert made.filters == {"prefer_path_prefixes": ["a/"], "prefer_like_patterns": ["%b%"]}
