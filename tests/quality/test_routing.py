"""What the rules of the router make of labelled messages: the right profile, and the anchors that are really there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from smartbrain.policies.resolving import RetrievalPolicyResolver
from smartbrain.policies.routing import RulesRouter
from smartbrain.ports import KnownNames

FOLDER = Path(__file__).parent / "routing"
ANCHORS = ("entity_names", "file_names", "endpoint_paths", "target_doc_hints", "process_domain", "process_subdomain")
# The share of right profiles, and of right anchors among those found and among those labelled, all kinds together.
FLOOR = 0.95


def cases(language: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{language}.jsonl").read_text("utf-8").splitlines()]


def anchors(value: Any) -> set[tuple[str, str]]:
    get = value.get if isinstance(value, dict) else lambda name: getattr(value, name)
    found = set()
    for name in ANCHORS:
        each = get(name) or ()
        found |= {(name, one) for one in ((each,) if isinstance(each, str) else each)}
    return found


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
def test_the_router_reads_profile_and_anchors_from_messages(language: str) -> None:
    right = found = labelled = both = 0
    for case in cases(language):
        route = RulesRouter().route(case["text"], KnownNames(**case.get("known", {})))
        profile = RetrievalPolicyResolver().resolve(route).profile
        have, want = anchors(route.anchors), anchors(case)
        right += profile == case["profile"]
        found, labelled, both = found + len(have), labelled + len(want), both + len(have & want)
        if profile != case["profile"] or have != want:
            print(case["text"], profile, sorted(have ^ want), route.anchors.matched_aliases)
    measured = (right / len(cases(language)), both / found, both / labelled)
    print(language, len(cases(language)), [round(value, 3) for value in measured])
    assert min(measured) >= FLOOR


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Give me an overview, please.", "GENERAL_QA"),
        ("Give me an overview of the /api/orders endpoint", "DOCS_QA"),
        ("整体介绍一下", "GENERAL_QA"),
        ("整体介绍一下 docs/api/orders.md", "DOCS_QA"),
    ],
)
def test_a_question_about_one_thing_is_not_one_about_the_whole(text: str, intent: str) -> None:
    assert RulesRouter().route(text).intent == intent


def test_a_title_that_a_known_document_bears_leads_to_its_path_alone() -> None:
    known = KnownNames(documents={"ops/deploy.md": ["部署手册"]})
    assert RulesRouter().route("部署手册里怎么回滚？", known).anchors.target_doc_hints == ("ops/deploy.md",)
    assert RulesRouter().route("部署手册里怎么回滚？").anchors.target_doc_hints == ("部署手册",)
