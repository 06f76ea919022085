"""The router by rules: known names, what is not taken for an anchor, and that it takes any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.contracts.route import RouteResult
from smartbrain.policies.resolving import RetrievalPolicyResolver
from smartbrain.policies.routing import RulesRouter
from smartbrain.ports import KnownNames

ROUTER = RulesRouter()
DOCUMENTS = {
    "ops/expense-policy.md": ("Expense policy",),
    "ops/onboarding.md": ("入职指引",),
    "ops/readme.md": ("Overview",),
}


def anchors(text: str, **known: object):
    return ROUTER.route(text, KnownNames(**known)).anchors


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("What does the expense policy say about taxis?", "ops/expense-policy.md"),
        ("Expense Policy: who signs?", "ops/expense-policy.md"),
        ("入职指引里第一天做什么？", "ops/onboarding.md"),
    ],
)
def test_a_known_document_is_hinted_by_its_title_or_name(text, path):
    assert path in anchors(text, documents=DOCUMENTS).target_doc_hints
    assert path not in anchors(text).target_doc_hints


@pytest.mark.parametrize("text", ["An expensive policy.", "Give me an overview.", "readme", "Is onboarding done?"])
def test_a_known_document_is_not_hinted_by_part_of_a_word_or_a_name_that_any_has(text):
    assert not set(anchors(text, documents=DOCUMENTS).target_doc_hints) & set(DOCUMENTS)
    assert anchors("predate capture", documents={"ops/date-cap.md": ()}).target_doc_hints == ()


def test_a_known_thing_said_by_another_name_is_both():
    found = anchors("How old is the Kraken?", entities={"Payment core": ["Kraken", "支付核心"]})
    assert (found.entity_names, found.matched_aliases) == (("Payment core",), ("Kraken",))
    assert anchors("支付核心是谁写的？", entities={"Payment core": ["支付核心"]}).entity_names == ("Payment core",)


def test_a_domain_is_taken_only_if_the_documents_have_it_where_that_is_known():
    said = "What are the rules in the billing domain?"
    assert anchors(said).process_domain == "billing"
    assert anchors(said, domains=["Billing"]).process_domain == "Billing"
    assert anchors(said, domains=["shipping"]).process_domain is None
    assert anchors(said, domains=()).process_domain is None


@pytest.mark.parametrize(
    "text",
    ["and/or", "24/7", "I typed /continue", "/usr/local/bin/python is there", "https://example.com/v1/orders"],
)
def test_not_every_slash_is_an_endpoint(text):
    assert anchors(text).endpoint_paths == ()


@pytest.mark.parametrize(
    "text", ["Node.js and Next.js", "e.g. this", "version 2.3", "mail a@b.com", "https://a.org/x.md"]
)
def test_not_every_dot_is_a_file(text):
    assert anchors(text).file_names == ()


def test_brands_and_files_are_no_entities():
    assert anchors("Is PostgreSQL or GitHub in OrderNotes.md?").entity_names == ()


def test_the_question_itself_and_its_words_are_kept():
    route = ROUTER.route("How long do we keep backups?")
    assert route.query == "How long do we keep backups?"
    assert "backups" in route.target_terms


PIECES = st.sampled_from(
    ["/v1/a ", "docs/", ".md ", "`x_y` ", "《", "》", "“", "”", "领域", "домен ", "the ", "A", "a-", "?"]
)
TEXTS = st.lists(PIECES | st.text(max_size=5), max_size=30).map("".join)


@given(TEXTS)
def test_any_text_has_one_route_and_one_plan(text):
    route = ROUTER.route(text)
    assert route == ROUTER.route(text)
    assert RouteResult.read(route.to_json()) == (route, [])
    for names in route.anchors.model_dump().values():
        assert names is None or (len(names) <= 8 or isinstance(names, str))
    assert RetrievalPolicyResolver().resolve(route).profile
