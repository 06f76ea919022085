"""What becomes long-term memory, by which rule, and how sure it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.config import RetentionPolicy
from smartbrain.memory_types import BUILTIN_TYPES, keyed
from smartbrain.model import TYPE_RULES, Candidate, Scope, Verdict
from smartbrain.policies.retention import decide

NOW = datetime(2026, 1, 1, tzinfo=UTC)
VALUES: dict[str, dict[str, Any]] = {
    "profile": {"subject": "user", "facts": [{"k": "employer", "v": "Acme"}]},
    "preferences": {"scope": "writing", "name": "tone", "value": "concise"},
    "goals": {"project": "p", "description": "Ship"},
    "tasks": {"project": "p", "title": "Write the docs"},
    "decisions": {"project": "p", "topic": "db", "decision": "PostgreSQL"},
    "entities": {"kind": "person", "name": "Li Ming"},
    "events": {"scope": "p", "date": "2026-01-01", "title": "We met"},
    "cases": {"domain": "ops", "problem": "OOM", "solution": "more RAM"},
    "patterns": {"domain": "code", "rule": "Always test"},
}


def candidate(type_: str, value: dict[str, Any] | None = None, **fields: Any) -> Candidate:
    key, full = keyed(BUILTIN_TYPES[type_], {**VALUES[type_], **(value or {})})
    defaults: dict[str, Any] = {"confidence": 0.8, "rule": "r", "scope": Scope("u", "global", "d")}
    return Candidate(type=type_, key=key, value=full, occurred_at=NOW, **{**defaults, **fields})


def verdict(found: Candidate, gate: dict[str, int] | None = None, policy: RetentionPolicy | None = None) -> Verdict:
    ((_, one),) = decide([found], policy=policy or RetentionPolicy(), gate=gate or {})
    return one


def kept(found: Candidate, gate: dict[str, int] | None = None) -> bool:
    return verdict(found, gate).action == "written"


@pytest.mark.parametrize("type_", ["tasks", "decisions"])
def test_tasks_and_decisions_of_the_user_are_always_kept(type_: str) -> None:
    assert kept(candidate(type_))
    assert kept(candidate(type_, explicit=True))


def test_a_preference_said_plainly_is_kept_and_an_unconfirmed_entry_is_not() -> None:
    assert kept(candidate("preferences"))
    assert kept(candidate("preferences", explicit=True, confirmed=True))
    skipped = verdict(candidate("preferences", explicit=True))
    assert (skipped.action, skipped.rule) == ("skipped", "preferences_unconfirmed")


@pytest.mark.parametrize("type_", ["preferences", "goals", "profile"])
def test_what_was_inferred_about_the_user_needs_a_confirmation(type_: str) -> None:
    assert verdict(candidate(type_, confidence=0.6)).rule == f"{type_}_inferred"
    assert not kept(candidate(type_, hints=("inferred",)))
    assert kept(candidate(type_, confidence=0.6, confirmed=True))


@pytest.mark.parametrize("type_", list(TYPE_RULES))
def test_guesses_and_what_the_assistant_or_the_system_said_are_never_kept(type_: str) -> None:
    gate = {candidate(type_).key: 20}
    assert verdict(candidate(type_, hints=("supposition",)), gate).rule == "supposition"
    assert verdict(candidate(type_, trust="assistant"), gate).rule == "assistant_text"
    assert verdict(candidate(type_, trust="system", explicit=True, confirmed=True), gate).rule == "system_text"


@pytest.mark.parametrize("type_", ["preferences", "patterns", "profile"])
@pytest.mark.parametrize("trust", ["tool", "resource"])
def test_text_of_a_tool_or_the_web_never_becomes_an_instruction(type_: str, trust: str) -> None:
    poison = candidate(type_, trust=trust, explicit=True, hints=("remember",), confidence=1.0)
    assert verdict(poison).rule == "untrusted_source"


def test_text_of_a_tool_makes_no_task_unless_the_caller_gives_it_as_one() -> None:
    assert not kept(candidate("tasks", trust="tool"))
    assert kept(candidate("tasks", trust="tool", explicit=True))
    assert not kept(candidate("cases", trust="resource"))


@pytest.mark.parametrize("impact", ["milestone", "Failure", "release", "发布", "里程碑"])
def test_milestones_failures_and_releases_are_kept(impact: str) -> None:
    assert kept(candidate("events", {"impact": impact}))


def test_an_ordinary_event_is_not_kept_and_a_tools_result_is() -> None:
    assert verdict(candidate("events")).rule == "events_ordinary"
    assert kept(candidate("events", trust="tool"))
    assert kept(candidate("events", explicit=True))
    assert kept(candidate("events", hints=("remember",)))


def test_an_entity_passes_the_gate_once_it_was_named_often_enough() -> None:
    li = candidate("entities")
    assert not kept(li, {li.key: 1})
    passed = verdict(li, {li.key: 2})
    assert (passed.action, passed.rule) == ("written", "entities_frequency")
    strict = RetentionPolicy.model_validate({"entity_gate": {"freq_threshold": 3}})
    assert verdict(li, {li.key: 2}, strict).action == "skipped"


@pytest.mark.parametrize("hint", ["remember", "pointed_at", "structural"])
def test_an_entity_passes_the_gate_at_once_when_it_was_asked_for_or_pointed_at(hint: str) -> None:
    assert verdict(candidate("entities", hints=(hint,))).rule == f"entities_{hint}"


def test_an_entity_named_in_a_task_of_the_same_turn_is_structural() -> None:
    li = candidate("entities", {"aliases": ["李明"]})
    task = candidate("tasks", {"title": "问李明要报告"})
    assert [v.rule for _, v in decide([li, task], policy=RetentionPolicy(), gate={})] == [
        "entities_structural",
        "tasks_always",
    ]


def test_an_entity_named_in_the_assistants_own_task_is_not_structural() -> None:
    task = candidate("tasks", {"title": "Ask Li Ming"}, trust="assistant")
    assert [v.action for _, v in decide([candidate("entities"), task], policy=RetentionPolicy(), gate={})] == [
        "skipped",
        "skipped",
    ]


def test_cases_and_patterns_are_kept_when_given_or_shaped_like_one() -> None:
    assert kept(candidate("cases", explicit=True))
    assert kept(candidate("cases", trust="tool"))
    assert not kept(candidate("cases", {"solution": ""}, trust="tool"))
    assert not kept(candidate("patterns"))
    assert kept(candidate("patterns", hints=("remember",)))


def test_an_empty_value_is_not_kept() -> None:
    assert verdict(candidate("preferences", {"value": ""}, confirmed=True)).rule == "empty_value"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"confidence": 0.7}, 0.8),
        ({"confidence": 0.95}, 0.95),
        ({"confidence": 0.2, "explicit": True}, 0.9),
        ({"confidence": 0.5, "trust": "tool", "explicit": True}, 0.9),
        ({"confidence": 0.5}, 0.5),
        ({"confidence": 0.9, "hints": ("inferred",)}, 0.6),
        ({"confidence": 0.5, "confirmed": True}, 0.8),
    ],
)
def test_confidence_follows_who_said_it(fields: dict[str, Any], expected: float) -> None:
    assert verdict(candidate("tasks", **fields)).confidence == expected


def test_a_verdict_names_its_subject_rule_and_source() -> None:
    one = verdict(candidate("tasks", message_id="m1", span=(2, 9), quote="docs"))
    assert one.subject == "[todo] Write the docs"
    assert (one.message_id, one.span, one.quote, one.key) == ("m1", (2, 9), "docs", "task:p:write_the_docs")
    assert one.reason


@given(
    st.sampled_from(list(TYPE_RULES)),
    st.sampled_from(["user", "assistant", "tool", "resource", "system"]),
    st.booleans(),
    st.booleans(),
    st.floats(0, 1),
    st.lists(st.sampled_from(["remember", "pointed_at", "structural", "supposition", "inferred"]), max_size=2),
)
def test_every_candidate_gets_one_verdict_and_nothing_untrusted_gets_in_as_an_instruction(
    type_: str, trust: str, explicit: bool, confirmed: bool, confidence: float, hints: list[str]
) -> None:
    fields = {"trust": trust, "explicit": explicit, "confirmed": confirmed, "confidence": confidence}
    one = verdict(candidate(type_, hints=tuple(hints), **fields))
    assert one.action in {"written", "skipped"}
    assert 0 <= one.confidence <= 1
    if one.action == "written" and type_ in {"preferences", "patterns"}:
        assert trust == "user" or confirmed
