"""Load: what a load test does to a store, that it counts what goes wrong, and that its check for leaks can fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain import SmartBrain
from smartbrain.errors import InputError, StoreBusyError
from smartbrain.evaluation.load.plan import LoadPlan
from smartbrain.evaluation.load.report import CALLS, LoadReport
from smartbrain.evaluation.load.runner import run_load
from smartbrain.evaluation.load.talk import MadeUpTalk, RecordedTalk, Talk
from smartbrain.stores.sizes import store_sizes


def plan(url: Path | str, **more: Any) -> LoadPlan:
    quick = {"tenants": 3, "workers": 2, "sizes": (60, 120), "rounds": 10}
    return LoadPlan(url=str(url), **{**quick, **more})


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A set of five turns of one or two messages."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    lines = [
        ("s1", "1", "user", "I grew tomatoes this year."),
        ("s1", "2", "assistant", "How nice."),
        ("s1", "3", "user", "And beans."),
        ("s2", "4", "user", "今年我种了番茄。"),
        ("s2", "5", "assistant", "真好。"),
        ("s2", "6", "user", "还有豆子。"),
        ("s2", "7", "user", "And peas."),
    ]
    said = [
        {"conversation_id": "c", "session_id": session, "turn_id": turn, "speaker": speaker, "text": text}
        for session, turn, speaker, text in lines
    ]
    asked = [{"conversation_id": "c", "question_id": f"q{n}", "question": q} for n, q in enumerate(("What?", "什么？"))]
    for name, rows in (("conversations", said), ("questions", asked)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return folder


def brain_where(**changed: Callable[..., Any]) -> Callable[[], SmartBrain]:
    """Opens brains of which some methods do something else."""
    return lambda: type("Changed", (SmartBrain,), changed).open(":memory:")


# -- what it does ----------------------------------------------------------------------------------------------------


def test_each_size_is_reached_and_every_worker_does_its_rounds(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    report = run_load(plan(tmp_path / "x.db"), on_progress=lambda *one: told.append(one))
    first, last = report.steps
    assert (first.messages, last.messages) == (60, 120)
    for step in report.steps:
        assert [step.calls[kind].count for kind in CALLS] == [20, 20, 4]
        assert step.probes == step.seen == 8
        assert step.seconds > 0
        for calls in step.calls.values():
            assert all(0 < calls.wall_ms["p50"] <= calls.wall_ms[name] for name in ("p50", "p95", "p99"))
    assert (first.filled.messages, last.filled.messages) == (60, 20)  # 40 came from the rounds between
    assert report.sound
    assert told[-1] == ("load", 20, 20)
    with SmartBrain.open(tmp_path / "x.db") as brain:
        turns = sum(s.turns for n in range(3) for s in brain.sessions(user_id=report.plan.user(n)))
    assert turns == 80


def test_a_filled_store_is_gone_on_with(tmp_path: Path) -> None:
    run_load(plan(tmp_path / "x.db", sizes=(60,)))
    again = run_load(plan(tmp_path / "x.db", sizes=(60,)))
    assert again.steps[0].filled is None
    assert again.steps[0].messages == 100
    assert again.sound


@pytest.mark.slow
def test_workers_may_be_processes(tmp_path: Path) -> None:
    report = run_load(plan(tmp_path / "x.db", sizes=(60,), processes=True))
    assert report.sound
    assert report.steps[0].calls["commit"].count == 20


def test_it_talks_as_a_set_does(tmp_path: Path, recorded: Path) -> None:
    report = run_load(plan(tmp_path / "x.db", sizes=(61,), folder=recorded))
    assert report.sound
    assert 61 <= report.steps[0].messages <= 63  # whole turns
    assert report.as_json()["talk"] == "tiny"
    with SmartBrain.open(tmp_path / "x.db") as brain:
        found = brain.search(None, "tomatoes", user_id=report.plan.user(0)).evidences
    assert any("I grew tomatoes" in one.snippet for one in found)


# -- what it notices -------------------------------------------------------------------------------------------------


def test_a_search_that_shows_another_tenants_words_is_a_leak() -> None:
    def search(self: SmartBrain, session: Any, question: str, *, user_id: str) -> Any:
        return SmartBrain.search(self, session, question, user_id=plan(":memory:").user(0))

    report = run_load(plan(":memory:"), open_brain=brain_where(search=search))
    assert report.leaks > 0
    assert all(name.startswith("search of") for step in report.steps for name in step.leaks)
    assert not report.sound


@pytest.mark.parametrize("probed", [True, False])
def test_a_context_with_another_tenants_words_is_a_leak(probed: bool) -> None:
    def compose_context(self: SmartBrain, session: str, question: str, *, user_id: str) -> Any:
        asked = plan(":memory:").user(0) if (session == "probe") is probed else user_id
        return SmartBrain.compose_context(self, session, question if probed else "the sign", user_id=asked)

    report = run_load(plan(":memory:"), open_brain=brain_where(compose_context=compose_context))
    assert report.leaks > 0
    assert not report.sound


def test_a_check_that_sees_nothing_is_not_sound() -> None:
    def asked_of_nobody(name: str) -> Callable[..., Any]:
        return lambda self, *given, user_id: getattr(SmartBrain, name)(self, *given, user_id="nobody")

    names = ("search", "compose_context")
    report = run_load(plan(":memory:"), open_brain=brain_where(**{name: asked_of_nobody(name) for name in names}))
    assert (report.leaks, report.errors) == (0, 0)
    assert report.blind
    assert not report.sound


def test_errors_are_counted_and_the_rest_goes_on() -> None:
    def commit_turn(*_: Any, **__: Any) -> Any:
        raise StoreBusyError("somebody writes")

    report = run_load(plan(":memory:", sizes=(60,)), open_brain=brain_where(commit_turn=commit_turn))
    step = report.steps[0]
    assert step.errors == {"commit: StoreBusyError: somebody writes": 20}
    assert (step.calls["commit"].count, step.calls["compose"].count) == (0, 20)
    assert step.calls["commit"].wall_ms["p95"] is None
    assert not report.sound


def test_a_turn_that_the_store_knew_already_is_an_error() -> None:
    def commit_turn(self: SmartBrain, **turn: Any) -> Any:
        return SmartBrain.commit_turn(self, **{**turn, "session_id": "s0", "turn_id": "t1"})

    report = run_load(plan(":memory:", sizes=(60,)), open_brain=brain_where(commit_turn=commit_turn))
    assert report.errors == 20


# -- plans and talk --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"tenants": 0}, "tenants must be at least 1"),
        ({"rounds": 0}, "rounds must be at least 1"),
        ({"sizes": ()}, "got none"),
        ({"sizes": (100, 100)}, "must be message counts that ascend"),
        ({"sizes": (2,)}, "3 tenants need at least as many messages"),
        ({"processes": True, "url": "sqlite://"}, "processes cannot share a store in memory"),
    ],
)
def test_a_plan_that_cannot_be_done_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        plan(**{"url": ":memory:", **wrong})


MADE_UP = MadeUpTalk(3, vocabulary=500)


@given(st.integers(0, 5), st.integers(0, 300), st.integers(0, 40))
def test_turns_are_counted_by_the_messages_they_hold(tenant: int, messages: int, number: int) -> None:
    _counts(MADE_UP, tenant, messages, number)


def test_recorded_turns_are_counted_by_the_messages_they_hold(recorded: Path) -> None:
    talk = RecordedTalk(recorded)
    for tenant in range(6):
        for many in range(30):
            _counts(talk, tenant, many, many)


def _counts(talk: Talk, tenant: int, messages: int, number: int) -> None:
    assert talk.messages_before(tenant, number) == sum(len(talk.messages(tenant, n)) for n in range(number))
    turns = talk.turns_for(tenant, messages)
    assert talk.messages_before(tenant, turns) >= messages
    assert turns == 0 or talk.messages_before(tenant, turns - 1) < messages


def test_talk_is_the_same_every_time_and_another_for_each_tenant_and_turn() -> None:
    again = MadeUpTalk(3, vocabulary=500)
    said = {(t, n): MADE_UP.messages(t, n)[0]["content"] for t in range(4) for n in range(10)}
    assert {(t, n): again.messages(t, n)[0]["content"] for t in range(4) for n in range(10)} == said
    assert len(set(said.values())) == 40
    assert {"一" <= text[0] <= "鿿" for text in said.values()} == {True, False}
    assert MADE_UP.question(0, 1) == again.question(0, 1) != MADE_UP.question(1, 1)


def test_a_stores_size_is_told_in_parts(tmp_path: Path) -> None:
    step = run_load(plan(tmp_path / "x.db", sizes=(60,))).steps[0]
    parts = step.bytes
    assert parts["store"] > 0
    if set(parts) != {"store"}:  # dbstat is not in every build
        assert set(parts) == {"store", "index", "vectors", "messages", "turns", "rest"}
        assert all(size > 0 for size in parts.values())
        assert step.index_share == parts["index"] / step.filled.text_bytes
    assert store_sizes(":memory:") == {}


# -- the command -----------------------------------------------------------------------------------------------------


def bench(*arguments: object) -> Any:
    pytest.importorskip("typer", reason="the command line is an extra, cli")
    from typer.testing import CliRunner

    from smartbrain.cli.app import app

    given = ["bench", "load", "--tenants", 2, "--rounds", 5, "--sizes", "40,80", *arguments]
    return CliRunner().invoke(app, [str(a) for a in given], env={"COLUMNS": "100"})


def test_the_command_shows_a_table_and_writes_json(tmp_path: Path) -> None:
    shown = bench("--url", tmp_path / "x.db", "--json", tmp_path / "x.json")
    assert shown.exit_code == 0, shown.output
    assert "80 messages" in shown.output
    assert "no call failed, and no tenant saw another's canary" in shown.output
    told = json.loads((tmp_path / "x.json").read_text())
    assert (told["sound"], told["leaks"], told["errors"]) == (True, 0, 0)
    assert [step["messages"] for step in told["steps"]] == [40, 80]
    assert set(told["steps"][0]["calls"]["commit"]["wall_ms"]) == {"p50", "p95", "p99"}


def test_the_command_fails_when_something_leaked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LoadReport, "leaks", 3)
    shown = bench("--url", tmp_path / "x.db")
    assert shown.exit_code == 1
    assert "3 answers showed another tenant's canary" in shown.output


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("--sizes", "many"), "--sizes must be numbers"),
        (("--mode", "exact"), "give default, lexical or bm25"),
        (("--json", "nowhere/at/all.json"), "its folder does not exist"),
        (("--url", "redis://x"), "unknown kind of store"),
    ],
)
def test_the_command_says_what_is_wrong(wrong: tuple[str, str], words: str) -> None:
    shown = bench("--url", ":memory:", *wrong)
    assert shown.exit_code == 2
    assert words in shown.output


def test_growth_is_drawn_into_a_file(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots are an extra, eval")
    assert bench("--url", ":memory:", "--plot", tmp_path / "x.png").exit_code == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
