"""A plan is executed literally over a layered index, and always the same."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.contracts.evidence import EvidencePack
from smartbrain.contracts.plan import Filters, Output, Preferences, RetrievalPlan
from smartbrain.errors import ScopeError
from smartbrain.model import Scope
from smartbrain.resources.executing import execute
from smartbrain.resources.filtering import admits, like
from smartbrain.resources.layers import Entry
from smartbrain.resources.naming import names_in
from smartbrain.testing.library import MemoryIndex

MINE, THEIRS = Scope("me", "global", "default"), Scope("them", "global", "default")
D0, D1, D2 = "D0_DOC_CHUNKS", "D1_DOCUMENT_CATALOG", "D2_FACT_INDEX"
D3, D5 = "D3_ENTITY_CATALOG", "D5_RELATION_GRAPH"


def document(path: str, *sections: str, title: str = "", language: str = "en", **metadata: str) -> list[Entry]:
    """A document as a library holds it: an entry of the catalogue, and one a section."""
    title = title or path.rpartition("/")[2].partition(".")[0]
    head = Entry(path, D1, path, path, title, sections[0], language=language, metadata=metadata)
    at, chunks = 0, []
    for n, text in enumerate(sections):
        end = at + len(text)
        where = {"start": at, "end": end, "line": n + 1, "last_line": n + 1}
        chunks.append(
            Entry(f"{path}:{n}:0", D0, path, path, title, text, (f"Part {n}",), language=language, metadata=metadata)
        )
        chunks[-1] = Entry(**{**_fields(chunks[-1]), **where})
        at = end + 1
    return [head, *chunks]


def _fields(entry: Entry) -> dict[str, object]:
    return {name: getattr(entry, name) for name in Entry.__slots__}


LIBRARY = MemoryIndex(
    {
        MINE: [
            *document("docs/api/orders.md", "Orders are made by POST.", "A refund of an order takes three days."),
            *document("docs/api/payments.md", "A refund is a payment back.", domain="billing", subdomain="refunds"),
            *document("docs/architecture/overview.md", "The refund service writes to a queue."),
            *document("guides/refund-howto.md", "How to give a refund to a customer."),
            *document("guides/zh.md", "退款 refund 需要三天。", language="zh"),
        ],
        THEIRS: document("docs/secret.md", "A refund nobody else may see."),
    }
)


def plan(text: str = "refund", **fields: object) -> RetrievalPlan:
    data = {"queries": [{"text": text}], "planned_at": datetime(2026, 5, 1, tzinfo=UTC), "plan_id": "p", **fields}
    return RetrievalPlan.model_validate(data)


def run(made: RetrievalPlan, index: MemoryIndex = LIBRARY, scopes: tuple[Scope, ...] = (MINE,)) -> EvidencePack:
    return execute(made, index, scopes=scopes, timer=lambda: 0.0)


def paths(pack: EvidencePack) -> list[str]:
    return [str(evidence.document_id) for evidence in pack.evidences]


# -- scope and layers --------------------------------------------------------------------------------------------------


def test_only_the_scopes_asked_are_searched_and_the_pack_says_so():
    pack = run(plan())
    assert pack.evidences
    assert "docs/secret.md" not in paths(pack)
    assert pack.scope_filter_applied is True
    assert paths(run(plan(), scopes=(THEIRS,))) == ["docs/secret.md", "docs/secret.md"]


def test_a_plan_without_a_scope_is_refused():
    with pytest.raises(ScopeError, match="scopes"):
        run(plan(), scopes=())


def test_only_the_layers_of_the_plan_are_searched():
    pack = run(plan(layers=[D1]))
    assert {evidence.kind for evidence in pack.evidences} == {"resource_doc"}


def test_layers_nobody_has_are_named_and_do_not_widen_the_search():
    index = MemoryIndex(LIBRARY.entries)
    pack = run(plan(layers=["D9_DREAMS", D0]), index)
    assert pack.explain.ignored_fields == ("layers: D9_DREAMS",)
    assert {layers for _, layers, _ in index.asked} == {(D0,)}
    assert run(plan(layers=["D9_DREAMS"])).evidences == ()


# -- hard filters ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({"path_prefixes": ["docs/api/"]}, {"docs/api/orders.md", "docs/api/payments.md"}),
        ({"path_prefixes": ["DOCS/API/"]}, {"docs/api/orders.md", "docs/api/payments.md"}),
        ({"metadata": {"domain": "Billing"}}, {"docs/api/payments.md"}),
        ({"metadata": {"domain": "billing", "subdomain": "invoices"}}, set()),
        ({"document_ids": ["guides/zh.md"]}, {"guides/zh.md"}),
        ({"language": ["zh"]}, {"guides/zh.md"}),
        ({"exclude_path_prefixes": ["docs/"]}, {"guides/refund-howto.md", "guides/zh.md"}),
        ({"exclude_like_patterns": ["%refund%", "docs/%"]}, {"guides/zh.md"}),
    ],
)
def test_what_does_not_fit_a_hard_filter_is_never_returned(filters, left):
    pack = run(plan(global_filters=filters, preferences={"target_doc_hints": ["docs/api/orders.md", "overview"]}))
    assert set(paths(pack)) == left
    assert set(pack.explain.filters_applied) == set(filters)
    assert pack.explain.ignored_fields == ()


def test_a_filter_is_enforced_even_over_an_index_that_forgets_it():
    class Forgetful(MemoryIndex):
        def _seen(self, scopes, layers, filters):
            return super()._seen(scopes, layers, Filters())

    careless = Forgetful(LIBRARY.entries)
    made = plan(
        global_filters={"path_prefixes": ["guides/"]},
        preferences={"target_doc_hints": ["docs/api/orders.md", "payments"]},
    )
    assert set(paths(run(made, careless))) == {"guides/refund-howto.md", "guides/zh.md"}
    wished = {"like_patterns": ["%overview%", "%howto%"]}
    about_all = {"profile": "general_qa_grounded_summary", "preferences": wished}
    made = plan("zebra", global_filters={"path_prefixes": ["guides/"]}, **about_all)
    assert paths(run(made, careless)) == ["guides/refund-howto.md"]


def test_a_query_may_narrow_its_own_filters():
    queries = [{"text": "refund", "filters": {"path_prefixes": ["guides/"]}}, {"text": "queue"}]
    assert "docs/architecture/overview.md" in paths(run(plan(queries=queries)))
    assert "docs/api/payments.md" not in paths(run(plan(queries=queries)))


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"global_filters": {"tag_ids": ["x"]}}, "global_filters.tag_ids"),
        ({"global_filters": {"topic_ids": ["x"]}}, "global_filters.topic_ids"),
        ({"global_filters": {"source_type": ["url"]}}, "global_filters.source_type"),
        ({"global_filters": {"source_uri_prefix": ["x"]}}, "global_filters.source_uri_prefix"),
        ({"global_filters": {"time_range": {"from": "2026-01-01T00:00:00Z"}}}, "global_filters.time_range"),
        ({"preferences": {"time_range": {"from": "2026-01-01T00:00:00Z"}}}, "preferences.time_range"),
        ({"queries": [{"text": "refund", "filters": {"tag_ids": ["x"]}}]}, "queries[0].filters.tag_ids"),
        ({"ranking": {"rerank": {"enabled": True}}}, "ranking.rerank"),
        ({"ranking": {"source_priority": {"file": 1.0}}}, "ranking.source_priority"),
        ({"as_of": "2026-01-01T00:00:00Z"}, "as_of"),
        (
            {"queries": [{"text": "refund"}, {"text": "Anna", "mode": "relational"}]},
            "queries[1]: relational, and the plan has no layer of relations",
        ),
    ],
)
def test_what_is_not_obeyed_is_named_and_nothing_else(fields, named):
    assert run(plan(**fields)).explain.ignored_fields == (named,)


# -- hints -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hint", ["docs/architecture/overview.md", "/docs/Architecture/Overview.md", "./docs\\architecture\\overview.md"]
)
def test_a_document_named_by_its_path_comes_first(hint):
    made = plan("refund of an order", preferences={"target_doc_hints": [hint]})
    assert paths(run(plan("refund of an order")))[0] == "docs/api/orders.md"
    pack = run(made)
    assert paths(pack)[0] == "docs/architecture/overview.md"
    assert pack.evidences[0].signals.parts["named"] == 1.5
    assert pack.warnings == ()


@pytest.mark.parametrize(("hint", "gain"), [("overview.md", 1.0), ("Overview", 0.5), ("refund howto", 0.5)])
def test_a_document_named_in_part_is_found_where_no_path_is_equal(hint, gain):
    pack = run(plan("queue customer", preferences={"target_doc_hints": [hint]}))
    assert pack.evidences[0].signals.parts["named"] == gain


def test_a_path_that_is_there_is_not_looked_for_in_part():
    index = MemoryIndex({MINE: [*document("orders.md", "One."), *document("old/orders.md", "Two.")]})
    assert paths(run(plan("nothing", preferences={"target_doc_hints": ["orders.md"]}), index)) == ["orders.md"]


def test_a_hint_that_fits_nothing_is_said():
    pack = run(plan(preferences={"target_doc_hints": ["docs/nowhere.md"]}))
    assert pack.warnings == ("no document fits the hint 'docs/nowhere.md'",)


def test_a_named_document_is_shown_even_if_no_word_of_it_is_asked_for():
    pack = run(plan("zebra", preferences={"target_doc_hints": ["docs/api/orders.md"]}))
    assert paths(pack) == ["docs/api/orders.md"]
    assert pack.evidences[0].kind == "resource_doc"


def test_documents_named_in_part_are_shown_in_one_order_whatever_the_librarys():
    entries = [entry for name in ("c", "a", "b") for entry in document(f"guides/{name}.md", name)]
    made = plan("zebra", preferences={"target_doc_hints": ["guides"]})
    for order in (entries, entries[::-1]):
        assert paths(run(made, MemoryIndex({MINE: order}))) == [f"guides/{name}.md" for name in "abc"]


def test_the_best_of_a_named_document_is_found_however_many_others_match():
    crowd = [entry for n in range(60) for entry in document(f"crowd/{n:02}.md", "fee fee")]
    own = document("own.md", "Nothing here.", "The fee of the long story told at some length is five.")
    made = plan("fee", preferences={"target_doc_hints": ["own.md"]}, budget={"per_mode_k": {"hybrid": 5}})
    pack = run(made, MemoryIndex({MINE: [*crowd, *own]}))
    assert pack.evidences[0].id == "own.md:1:0"


def test_every_entry_is_there_once():
    made = plan(preferences={"target_doc_hints": ["docs/api/orders.md", "orders", "refund"]})
    ids = [evidence.id for evidence in run(made).evidences]
    assert len(ids) == len(set(ids)) > 2


# -- preferences -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "first"),
    [
        ({"path_prefixes": ["guides/"]}, "guides/refund-howto.md"),
        ({"path_prefixes": ["docs/architecture/", "docs/"]}, "docs/architecture/overview.md"),
        ({"like_patterns": ["%overview%"]}, "docs/architecture/overview.md"),
        ({"source_uri_prefix": ["architecture"]}, "docs/architecture/overview.md"),
        ({"language": ["zh"]}, "guides/zh.md"),
    ],
)
def test_a_preference_moves_up_and_leaves_nothing_out(wish, first):
    plain, wished = run(plan(layers=[D1])), run(plan(layers=[D1], preferences=wish))
    assert paths(plain)[0] != first or wish.get("path_prefixes")
    assert paths(wished)[0] == first
    assert set(paths(plain)) == set(paths(wished))


def test_an_earlier_path_prefix_is_worth_more():
    made = plan(layers=[D1], preferences={"path_prefixes": ["guides/", "docs/architecture/"]})
    order = paths(run(made))
    assert order.index("guides/refund-howto.md") < order.index("docs/architecture/overview.md")
    assert order.index("docs/architecture/overview.md") < order.index("docs/api/payments.md")


# -- how much, and what of it ------------------------------------------------------------------------------------------


def test_no_more_than_the_limit_nor_than_top_k_is_returned():
    assert len(run(plan(limit=3)).evidences) == 3
    assert len(run(plan(limit=3, budget={"top_k": 2})).evidences) == 2


def test_documents_and_sections_do_not_crowd_out_others():
    chunks = [
        Entry(f"a:{n}", D0, "a.md", "a.md", "a", f"fee {n}", ("Same",) if n < 4 else (f"S{n}",)) for n in range(8)
    ]
    index = MemoryIndex({MINE: chunks})
    pack = run(plan("fee", layers=[D0]), index)
    assert [e.section_id for e in pack.evidences].count("Same") == 1
    assert len(pack.evidences) == 3
    assert {drop.reason for drop in pack.dropped} == {"diversity"}
    assert len(run(plan("fee", layers=[D0], budget={"diversity": {"by_document": 1}}), index).evidences) == 1


def test_a_source_is_a_document_here():
    pack = run(plan("refund", budget={"diversity": {"by_source": 1}}))
    assert len(set(paths(pack))) == len(pack.evidences) > 2


def test_what_a_passage_says_whole_is_not_shown_twice():
    text = "A refund takes three days.\nAfter that it is paid."
    where = {"start": 100, "end": 100 + len(text)}
    passage = Entry("p", D0, "a", "a.md", "A", text, ("Refunds",), **where)
    fact = Entry("f", D2, "a", "a.md", "A", "refund: three days", start=100, end=126)
    other = Entry("o", D2, "a", "a.md", "A", "refund: by post", start=400, end=420)
    head = Entry("d", D1, "a", "a.md", "A", "A refund", abstract="A refund takes three days. After that it is paid.")
    index = MemoryIndex({MINE: [passage, fact, other, head]})
    made = plan("refund three days paid", layers=[D1, D2, D0])
    pack = run(made, index)
    assert {e.id for e in pack.evidences} == {"p", "o"}
    assert {drop.id: drop.reason for drop in pack.dropped} == {"f": "duplicate", "d": "duplicate"}
    # Cut, or shown by its name alone, the passage does not say it.
    for output in ({"max_snippet_chars": 30}, {"snippet_policy": "l0"}):
        cut = run(made.model_copy(update={"output": Output.model_validate(output)}), index)
        assert {e.id for e in cut.evidences} == {"p", "f", "d"}


def test_a_question_about_the_whole_is_shown_the_overviews_whatever_its_words():
    readme = document("docs/deep/README.md", "Lower down.") + document("README.md", "What we do.")
    index = MemoryIndex({MINE: [*LIBRARY.entries[MINE], *readme]})
    wishes = {"like_patterns": ["%readme.md%", "%overview%"]}
    general = plan("refund", profile="general_qa_grounded_summary", layers=[D1, D0], preferences=wishes)
    assert {"README.md", "docs/deep/README.md", "docs/architecture/overview.md"} <= set(paths(run(general, index)))
    assert "README.md" not in paths(run(plan("refund", layers=[D1, D0], preferences=wishes), index))
    nothing = run(plan("zebra", layers=[D1, D0], preferences=wishes), index)
    assert paths(nothing) == ["README.md", "docs/architecture/overview.md", "docs/deep/README.md"]
    assert {e.kind for e in nothing.evidences} == {"resource_section"}
    assert nothing.evidences[0].signals.parts == {"wished": 0.1, "named": 0.3}


def test_a_suggestion_passes_the_hard_filters_too():
    wishes = {"like_patterns": ["%overview%", "%a%"]}
    made = plan("zebra", global_filters={"path_prefixes": ["guides/"]}, preferences=wishes)
    assert run(made).evidences == ()


def test_what_a_document_is_about_is_its_abstract_and_is_shown_once():
    about = "Zebras and where they live."
    pieces = [
        Entry(f"z:{n}", D0, "z.md", "z.md", "Animals", f"A zebra, piece {n}.", (f"S{n}",), abstract=about)
        for n in range(3)
    ]
    fact = Entry("f", D2, "z.md", "z.md", "Animals", "zebra: striped", abstract=about)
    other = Entry("o", D0, "o.md", "o.md", "Other", "A zebra without an abstract. More.")
    index = MemoryIndex({MINE: [*pieces, fact, other]})
    pack = run(plan("zebra", layers=[D0, D2], output={"snippet_policy": "l1"}), index)
    shown = {e.id: e.snippet for e in pack.evidences}
    assert shown == {"z:0": about, "f": "zebra: striped", "o": "A zebra without an abstract. More."}
    assert {drop.id: drop.reason for drop in pack.dropped} == {"z:1": "duplicate", "z:2": "duplicate"}
    body = run(plan("zebra", layers=[D0]), index)
    assert {e.snippet for e in body.evidences if e.document_id == "z.md"} == {piece.text for piece in pieces}


def test_snippets_are_the_name_the_abstract_or_the_words_asked_for():
    text = "An opening sentence. " + "Filler goes on. " * 60 + "The zebra lives here. " + "More of it. " * 60
    entry = Entry("z", D0, "z.md", "z.md", "Animals", text, ("Striped",), start=10, end=10 + len(text))
    index = MemoryIndex({MINE: [entry]})

    def shown(policy: str) -> object:
        output = {"snippet_policy": policy, "max_snippet_chars": 300}
        return run(plan("zebra", layers=[D0], output=output), index).evidences[0]

    assert shown("l0").snippet == "Animals › Striped"
    assert shown("l1").snippet.startswith("An opening sentence.")
    assert len(shown("l1").snippet) <= 240
    body = shown("auto")
    assert (body.snippet_policy, "zebra" in body.snippet, len(body.snippet) <= 300) == ("l2", True, True)
    start, end = body.metadata.offset_start, body.metadata.offset_end
    assert text[start - 10 : end - 10] == body.snippet
    assert body.ref.span == (start, end)


def test_evidence_leads_back_to_the_lines_of_its_document():
    first = run(plan("order three days", layers=[D0], output={"include_raw": True})).evidences[0]
    assert first.source_uri == "smartbrain://document/docs/api/orders.md#L2"
    assert first.raw["line"] == 2
    assert (first.title, first.section_id, first.provenance.query_text) == ("orders", "Part 1", "order three days")


def test_a_relational_query_looks_among_names_and_relations():
    index = MemoryIndex({MINE: [Entry("e", D3, "a.md", "a.md", "a", "Anna"), *document("b.md", "Anna")]})
    pack = run(plan(queries=[{"text": "Anna", "mode": "relational"}], layers=[D1, D3]), index)
    assert [evidence.id for evidence in pack.evidences] == ["e"]


# -- what things are called --------------------------------------------------------------------------------------------


def test_names_are_those_of_documents_and_things_that_share_words_with_a_text():
    things = [
        Entry("t1", D3, "a.md", "a.md", "a", "Ledger", metadata={"entity": "Ledger", "kind": "entity"}),
        Entry("t2", D3, "a.md", "a.md", "a", "Ledger command", metadata={"entity": "ledger run", "kind": "command"}),
    ]
    index = MemoryIndex({MINE: [*things, *document("b.md", "The ledger.", domain="money", subdomain="books")]})
    known = names_in("Where is the ledger?", index, scopes=(MINE,))
    assert known.documents == {"b.md": ("b",)}
    assert known.entities == {"Ledger": ()}
    assert (known.domains, known.subdomains) == (("money",), ("books",))
    assert names_in("ledger", index, scopes=(THEIRS,)).documents == {}


# -- filters by themselves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("%readme.md%", "docs/readme.md", True),
        ("readme%", "readme.md", True),
        ("readme%", "docs/readme.md", False),
        ("%.md", "a.md", True),
        ("%.md", "a.mdx", False),
        ("a_c", "abc", True),
        ("a_c", "ac", False),
        ("%", "", True),
        ("", "", True),
        ("", "a", False),
        ("a%a", "a", False),
        ("%a%b%", "xbxa", False),
        ("%a.c%", "abc", False),
        ("%ab%ab", "ab", False),
    ],
)
def test_patterns_are_those_of_sql(pattern, text, fits):
    assert like(pattern, text) is fits


def test_an_entry_without_the_wanted_metadata_is_not_admitted():
    entry = document("a.md", "x", domain="billing")[0]
    assert admits(Filters(metadata={"Domain": " BILLING "}), entry)
    assert not admits(Filters(metadata={"owner": "me"}), entry)


# -- always ------------------------------------------------------------------------------------------------------------

ALL = [entry for each in LIBRARY.entries.values() for entry in each]
PATHS = sorted({entry.path for entry in ALL})
PREFIXES = st.lists(st.sampled_from(["docs/", "docs/api/", "guides/", "x/"]), max_size=2)
PLANS = st.builds(
    lambda queries, layers, filters, wishes, limit: plan(
        queries=queries, layers=layers, global_filters=filters, preferences=wishes, limit=limit
    ),
    st.lists(
        st.fixed_dictionaries(
            {
                "text": st.sampled_from(["refund", "order three days", "queue", "退款", "nothing at all"]),
                "mode": st.sampled_from(["hybrid", "exact", "semantic", "associative", "relational"]),
                "weight": st.sampled_from([0.5, 1.0]),
            }
        ),
        min_size=1,
        max_size=3,
    ),
    st.lists(st.sampled_from([D0, D1, D3, D5, "D9"]), max_size=3),
    st.builds(lambda p, x: Filters(path_prefixes=p, exclude_path_prefixes=x), PREFIXES, PREFIXES),
    st.builds(
        lambda hints, p: Preferences(target_doc_hints=hints, path_prefixes=p),
        st.lists(st.sampled_from([*PATHS, "orders", "refund", "nowhere"]), max_size=3),
        PREFIXES,
    ),
    st.none() | st.integers(1, 9),
)


@given(PLANS, st.randoms(use_true_random=False))
def test_a_stored_plan_gives_the_same_pack_again(made, random):
    stored, _ = RetrievalPlan.read(made.to_json())
    shuffled = [*LIBRARY.entries[MINE]]
    random.shuffle(shuffled)
    again = run(stored, MemoryIndex({MINE: LIBRARY.entries[MINE], THEIRS: LIBRARY.entries[THEIRS]}))
    assert again == run(made)
    # Nor does it matter in which order the library happens to hold its documents.
    assert [e.id for e in run(stored, MemoryIndex({MINE: shuffled})).evidences] == [e.id for e in again.evidences]


@given(PLANS)
def test_whatever_the_plan_the_pack_keeps_its_bounds(made):
    pack = run(made)
    entries = {entry.id: entry for entry in LIBRARY.entries[MINE]}
    assert all(admits(made.global_filters, entries[evidence.id]) for evidence in pack.evidences)
    scores = [evidence.signals.score for evidence in pack.evidences]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert len(pack.evidences) <= (made.limit or 30)
    assert EvidencePack.read(pack.to_json()) == (pack, [])
