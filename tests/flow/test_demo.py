"""The demo is what it says: a story that touches every part, contexts that hold the answers, true numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("typer", reason="the demo is part of the command line, extra cli")

from rich.cells import cell_len
from typer.testing import CliRunner

from smartbrain.cli.app import app
from smartbrain.cli.demo import Told, run_demo
from smartbrain.cli.demo_data import CHAPTERS, QUESTIONS, demo_turns
from smartbrain.contracts.base import validate
from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.turn_events import TurnEvents

run = CliRunner().invoke


@pytest.fixture(scope="module")
def told() -> Told:
    return run_demo(None)


def package_for(told: Told, number: int) -> ContextPackage:
    return told.contexts[number - 1][1]


def test_the_story_has_five_sessions_over_weeks_and_goes_forward() -> None:
    turns = list(demo_turns())
    assert len(CHAPTERS) == 5
    assert 25 <= len(turns) <= 35
    times = [turn.occurred_at for turn in turns]
    assert times == sorted(set(times))
    assert (times[-1] - times[0]).days >= 21


def test_every_turn_is_known_to_the_contract_in_full() -> None:
    for turn in demo_turns():
        _, unknown = TurnEvents.read(dict(turn.events))
        assert unknown == []


def test_the_story_holds_what_conversations_hold() -> None:
    all_events = [validate(TurnEvents, turn.events) for turn in demo_turns()]
    messages = [message for events in all_events for message in events.messages]
    assert any(isinstance(m.content, list) and not m.text for m in messages), "a message that is only a picture"
    assert any(m.role == "tool" for m in messages)
    assert {ref.type for events in all_events for ref in events.refs} >= {"url", "file"}
    assert any(entity.aliases for events in all_events for entity in events.entities)
    assert any(events.retractions for events in all_events)


def test_every_kind_of_verdict_is_shown(told: Told) -> None:
    actions = {verdict.action for _, result in told.commits for verdict in result.explain.retention}
    assert actions >= {"written", "skipped", "superseded", "retracted", "merged"}
    assert any(not result.explain.retention for _, result in told.commits), "small talk leaves nothing"
    assert any(result.summary.triggered for _, result in told.commits)


def test_the_contexts_hold_the_answers(told: Told) -> None:
    def evidence(number: int) -> str:
        return "\n".join(piece.snippet for piece in package_for(told, number).evidence)

    assert "住健司阿姨在冈崎的町屋" in evidence(1)
    assert "allergic to buckwheat" in evidence(2)
    assert "Matsunoya" in evidence(2)
    assert "15:10" in evidence(3)
    assert "京都站附近的酒店" in evidence(4)
    assert "Hachijo exit" in evidence(5)


def test_the_past_does_not_know_the_future(told: Told) -> None:
    package = package_for(told, 4)
    assert package.as_of is not None
    assert "町屋" not in package.to_text()
    assert "妈妈：忌口：不吃海鲜" in package.to_text(), "it was not yet taken back"
    assert all(piece.occurred_at and piece.occurred_at <= package.as_of for piece in package.evidence)


def test_no_context_is_over_its_limit_and_the_small_window_is_small(told: Told) -> None:
    for question, package in told.contexts:
        budget = package.constraints.token_budget
        assert budget.used_estimate <= budget.limit == (question.token_limit or 8192)
    assert package_for(told, len(QUESTIONS)).constraints.token_budget.limit == 400


@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    shown = run(app, ["demo"], env={"COLUMNS": str(columns)})
    assert shown.exit_code == 0, shown.output
    too_wide = [line for line in shown.output.splitlines() if cell_len(line) > columns]
    assert too_wide == []
    assert "\x1b" not in shown.output, "no colour where nobody watches"
    assert all(line == line.rstrip() for line in shown.output.splitlines())


def test_the_demo_names_every_session_context_and_time() -> None:
    shown = run(app, ["demo"]).output
    for wanted in ("Session 5 of 5", "Context 5 of 5", "commit_turn", "compose_context", "Nothing was kept"):
        assert wanted in shown
    for slot in ("system_blocks", "working_summary", "recent_turns", "evidence", "user_message", "left out"):
        assert slot in shown


def test_json_says_the_same_to_a_machine() -> None:
    shown = json.loads(run(app, ["demo", "--json"]).output)
    assert len(shown["turns"]) == len(list(demo_turns()))
    assert [context["question"] for context in shown["contexts"]] == [question.text for question in QUESTIONS]
    package, unknown = ContextPackage.read(shown["contexts"][0]["package"])
    assert unknown == []
    assert package.evidence
    assert shown["timings"]["commit_ms"]["count"] == len(shown["turns"])
    assert 0 < shown["timings"]["compose_ms"]["p50"] <= shown["timings"]["compose_ms"]["p95"]


def test_a_kept_demo_can_be_told_again_without_being_doubled(tmp_path: Path) -> None:
    db = tmp_path / "demo.db"
    first = run_demo(db)
    again = run_demo(db)
    assert {result.status for _, result in first.commits} == {"committed"}
    assert {result.status for _, result in again.commits} == {"replayed"}
    shown = json.loads(run(app, ["show", "--db", str(db), "--json"]).output)
    assert shown[0]["turns"] == len(first.commits)
