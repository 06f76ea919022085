"""Secrets in what is committed: hidden in memory by default, in the log when asked, and always with a reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from smartbrain import SmartBrain
from smartbrain.errors import ConfigError
from smartbrain.model import Candidate, Scope
from smartbrain.ports import Extraction
from smartbrain.testing.fakes import ScriptedExtractor

KEY = "sk-proj-" + "a1B2c3D4" * 5
TOLD = f"Remember that the staging API key is {KEY}."


def settings(**secrets: Any) -> dict[str, Any]:
    return {"config": {"policies": {"secrets": secrets}}}


def said(brain: SmartBrain, text: str, turn_id: str = "t1") -> Any:
    return brain.commit_turn("s", {"messages": [{"role": "user", "content": text}]}, user_id="u", turn_id=turn_id)


def in_memory(brain: SmartBrain) -> str:
    items = brain.memories(user_id="u", status=None)
    return repr([item.model_dump() for item in items]) + repr([brain.why(item.id, user_id="u") for item in items])


def test_a_key_told_to_be_remembered_is_remembered_without_its_characters(brain: SmartBrain) -> None:
    result = said(brain, TOLD)
    (item,) = result.memory_written.items
    assert item.key == "entity:other:staging_api_key"
    assert "[openai_key …c3D4]" in item.text
    assert KEY not in in_memory(brain)


def test_the_verdict_says_what_was_hidden_and_where_that_is_set(brain: SmartBrain) -> None:
    verdicts = said(brain, TOLD).explain.retention
    (hidden,) = [v for v in verdicts if v.action == "masked"]
    assert (hidden.rule, hidden.key) == ("secret_hidden", "entity:other:staging_api_key")
    assert "openai_key" in hidden.reason
    assert "policies.secrets" in hidden.reason
    assert KEY not in repr(verdicts)


def test_the_log_keeps_what_was_said_unless_asked_otherwise(brain: SmartBrain) -> None:
    said(brain, TOLD)
    (turn,) = brain.recall_history("s", user_id="u")
    assert turn.messages[0].content == TOLD


def test_everywhere_means_the_log_too(make_brain: Callable[..., SmartBrain]) -> None:
    brain = make_brain(**settings(everywhere=True))
    said(brain, TOLD)
    (turn,) = brain.recall_history("s", user_id="u")
    assert turn.messages[0].content == "Remember that the staging API key is [openai_key …c3D4]."
    assert KEY not in repr(brain.search("s", "staging API key", user_id="u"))


def test_everywhere_means_what_is_staged_and_what_tools_give_back(make_brain: Callable[..., SmartBrain]) -> None:
    brain = make_brain(**settings(everywhere=True))
    turn_id = brain.open_turn("s", user_id="u").turn_id
    brain.stage("s", turn_id, messages=[{"id": "a", "role": "user", "content": TOLD}], user_id="u")
    call = {"id": "c", "name": "read", "args": {"path": ".env"}, "result": {"text": [f"OPENAI_API_KEY={KEY}"]}}
    brain.stage("s", turn_id, tool_calls=[call], user_id="u")
    brain.commit_turn("s", {}, user_id="u", turn_id=turn_id)
    (turn,) = brain.recall_history("s", user_id="u")
    assert KEY not in turn.model_dump_json()
    assert turn.tool_calls[0].result == {"text": ["OPENAI_API_KEY=[openai_key …c3D4]"]}


def test_everywhere_means_what_a_turn_points_at_and_takes_back(make_brain: Callable[..., SmartBrain]) -> None:
    brain = make_brain(**settings(everywhere=True))
    refs = [{"type": "url", "uri": f"https://example.org/?key={KEY}", "summary": f"uses {KEY}"}]
    taken_back = [{"type": "goals", "key": "goal:default:deploy", "reason": f"not with {KEY}"}]
    messages = [{"role": "user", "content": "see this"}]
    events = {"messages": messages, "refs": refs, "retractions": taken_back}
    brain.commit_turn("s", events, user_id="u", turn_id="t1")
    (turn,) = brain.recall_history("s", user_id="u")
    assert KEY not in turn.model_dump_json()


def test_why_something_was_taken_back_quotes_no_secret(brain: SmartBrain) -> None:
    brain.commit_turn("s", {"goals": [{"description": "deploy on Friday", "name": "deploy"}]}, user_id="u", turn_id="a")
    taken_back = [{"type": "goals", "key": "goal:default:deploy", "reason": f"it needs {KEY}"}]
    result = brain.commit_turn("s", {"retractions": taken_back}, user_id="u", turn_id="b")
    assert [item.status for item in brain.memories(user_id="u", status=None)] == ["retracted"]
    assert KEY not in in_memory(brain)
    assert KEY not in repr(result.explain)


def test_the_same_turn_again_is_a_replay_also_when_its_secret_is_hidden(make_brain: Callable[..., SmartBrain]) -> None:
    brain = make_brain(**settings(everywhere=True))
    assert said(brain, TOLD).status == "committed"
    assert said(brain, TOLD).status == "replayed"


def test_a_blocked_secret_takes_its_memory_with_it(make_brain: Callable[..., SmartBrain]) -> None:
    brain = make_brain(**settings(credentials="block"))
    result = said(brain, TOLD)
    assert result.memory_written.items == ()
    assert [v.rule for v in result.explain.retention if v.action == "skipped"] == ["secret_blocked"]


def test_redacted_means_nothing_but_the_kind(make_brain: Callable[..., SmartBrain]) -> None:
    brain = make_brain(**settings(credentials="redact"))
    (item,) = said(brain, TOLD).memory_written.items
    assert "[openai_key]" in item.text


def test_off_leaves_it(make_brain: Callable[..., SmartBrain]) -> None:
    brain = make_brain(**settings(credentials=False))  # as a bare "off" in YAML reads
    assert KEY in said(brain, TOLD).memory_written.items[0].text


def test_of_a_password_nothing_is_shown(brain: SmartBrain) -> None:
    (item,) = said(brain, "记住，测试库的密码是 hunter2go99。").memory_written.items
    assert "[password]" in item.text
    assert "99" not in item.text


def test_a_secret_stands_in_no_key(brain: SmartBrain) -> None:
    said(brain, f"Remember that {KEY} is the key for staging.")
    assert all("a1b2" not in item.key for item in brain.memories(user_id="u"))


def test_structured_entries_pass_the_same_gate(brain: SmartBrain) -> None:
    entry = {"decision": f"We deploy with {KEY}", "topic": "deployment"}
    brain.commit_turn("s", {"decisions": [entry]}, user_id="u", turn_id="t")
    (item,) = brain.memories(user_id="u")
    assert item.value["decision"] == "We deploy with [openai_key …c3D4]"


def test_what_a_model_finds_passes_the_same_gate(make_brain: Callable[..., SmartBrain]) -> None:
    found = Candidate(
        type="goals",
        key="goal:default:deploy",
        value={"description": f"deploy with {KEY}"},
        confidence=0.9,
        rule="scripted",
        scope=Scope("default", "user", "u"),
        occurred_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    brain = make_brain(extractor=ScriptedExtractor(Extraction(candidates=(found,))))
    (item,) = said(brain, "hello there").memory_written.items
    assert item.value["description"] == "deploy with [openai_key …c3D4]"


def test_the_rolling_summary_quotes_no_secret(brain: SmartBrain) -> None:
    results = [said(brain, f"Should I use {KEY} for number {n}?", turn_id=f"t{n}") for n in range(12)]
    text = results[-1].summary.text
    assert "Should I use [openai_key …c3D4]" in text
    assert KEY not in text


def test_a_store_made_anew_hides_the_same(brain: SmartBrain) -> None:
    said(brain, TOLD)
    before = [item.model_dump() for item in brain.memories(user_id="u")]
    brain.rebuild(user_id="u")
    assert [item.model_dump() for item in brain.memories(user_id="u")] == before


def test_an_unknown_action_is_an_error(make_brain: Callable[..., SmartBrain]) -> None:
    with pytest.raises(ConfigError, match=r"policies\.secrets\.credentials"):
        make_brain(**settings(credentials="hide"))
