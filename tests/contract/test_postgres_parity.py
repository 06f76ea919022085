"""One brain over the embedded store and one over PostgreSQL: everything they answer is equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smartbrain import SmartBrain
from smartbrain.config import BrainConfig
from smartbrain.evaluation.questions import load_dataset
from smartbrain.evaluation.runner import StandingClock, evaluate
from smartbrain.testing.fakes import CounterIds, ManualClock

pytest.importorskip("psycopg", reason="needs the extra postgres")

CONFIG = BrainConfig.load({"store": {"durability": "normal"}})
TALK = (
    "We decided to use PostgreSQL for Apollo because it scales.",
    "记住:我喜欢喝乌龙茶,不喜欢咖啡。",
    "TODO: write the release notes for Apollo by Friday.",
    "My favourite editor is Helix, and I live in Oslo.",
    "The build failed with error E4021 in parser.rs again.",
    "Actually, for Apollo we decided to use SQLite instead.",
    "See https://example.org/apollo/spec.pdf for the details.",
    "我们下周三在上海开会,讨论阿波罗项目的预算。",
    "What did we say about the weather in Oslo?",
    "The task of the release notes is done.",
)
QUESTIONS = ("What database does Apollo use?", "我喜欢喝什么?", "E4021", "what is left to do?", "阿波罗 预算", "Oslo")


@pytest.fixture
def both(postgres_url: str) -> Iterator[tuple[SmartBrain, SmartBrain]]:
    clocks = ManualClock(), ManualClock()
    targets = ":memory:", postgres_url
    brains = [
        SmartBrain.open(target, config=CONFIG, clock=clock, new_id=CounterIds())
        for target, clock in zip(targets, clocks, strict=True)
    ]
    yield brains[0], brains[1]
    for brain in brains:
        brain.close()


def same(brains: tuple[SmartBrain, SmartBrain], ask: Callable[[SmartBrain], Any]) -> Any:
    """The answer of both, which must be one."""
    embedded, served = (plain(ask(brain)) for brain in brains)
    assert embedded == served
    return embedded


def plain(value: Any) -> Any:
    """An answer as JSON values, without the times that it took."""
    if hasattr(value, "model_dump"):
        value = value.model_dump(mode="json")
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items() if not key.endswith(("_ms", "_seconds"))}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def tell(brain: SmartBrain, rounds: int = 2) -> list[Any]:
    told = []
    for number in range(rounds * len(TALK)):
        brain._shop.clock.advance(3600)  # type: ignore[attr-defined]
        text = f"{TALK[number % len(TALK)]} ({number})" if number >= len(TALK) else TALK[number]
        messages = [{"role": "user", "content": text}, {"role": "assistant", "content": f"noted, number {number}"}]
        told.append(brain.commit_turn(f"s{number % 3}", {"messages": messages}, user_id="ann", turn_id=f"t{number}"))
    return told


def look(brain: SmartBrain) -> list[Any]:
    """Whatever can be asked."""
    return [
        *(brain.search(None, question, user_id="ann", k=10) for question in QUESTIONS),
        *(brain.compose_context("s1", question, user_id="ann") for question in QUESTIONS),
        brain.memories(user_id="ann", status=None),
        brain.recall_history("s0", user_id="ann"),
        brain.sessions(user_id="ann"),
        [brain.why(item.id, user_id="ann") for item in brain.memories(user_id="ann", status=None)],
    ]


def test_a_whole_life_on_both_stores_is_one(both: tuple[SmartBrain, SmartBrain]) -> None:
    same(both, tell)
    before = same(both, look)
    assert sum(len(pack["evidences"]) for pack in before[: len(QUESTIONS)]) > 20
    same(both, lambda brain: brain.compose_context("s1", "Apollo?", user_id="ann", as_of=brain._shop.clock.now()))
    package = same(both, lambda brain: brain.compose_context("s2", "Oslo?", user_id="ann"))
    tell_one(both)
    same(both, lambda brain: brain.replay(package["debug"]["trace"]["context_id"], user_id="ann"))
    for target in ({"turn_id": "t3"}, {"query": "E4021"}, {"session_id": "s2"}):
        same(both, lambda brain, target=target: brain.forget(user_id="ann", dry_run=True, **target))
        same(both, lambda brain, target=target: brain.forget(user_id="ann", **target))
        same(both, look)
    assert same(both, lambda brain: brain.verify_forgotten("E4021", user_id="ann"))
    same(both, lambda brain: brain.rebuild(user_id="ann"))
    same(both, look)
    same(both, lambda brain: brain.forget(user_id="ann", everything=True))
    same(both, look)


def tell_one(both: tuple[SmartBrain, SmartBrain]) -> None:
    """A turn that says the same again is a replay, and a changed one a revision, on both."""
    for text in ("one more", "one more", "one less"):
        events = {"messages": [{"role": "user", "content": text}]}
        same(both, lambda brain, events=events: brain.commit_turn("s1", events, user_id="ann", turn_id="again"))


@pytest.mark.slow
def test_questions_of_real_conversations_have_the_same_answers(shared_eval: Path, postgres_url: str) -> None:
    whole = load_dataset(shared_eval / "locomo_dev")
    first = whole.lines[0].conversation_id  # one of five: all 1,020 questions take minutes
    dataset = replace(
        whole,
        lines=tuple(line for line in whole.lines if line.conversation_id == first),
        questions=tuple(question for question in whole.questions if question.conversation_id == first)[:100],
    )
    reports = []
    for target in (":memory:", postgres_url):

        def make(clock: StandingClock, target: str = target) -> SmartBrain:
            return SmartBrain.open(target, config=CONFIG, clock=clock, new_id=CounterIds())

        reports.append(evaluate(dataset, make, k=10, compose=False))
    embedded, served = ({a.question.question_id: a.ranked for a in report.answered} for report in reports)
    equal = sum(embedded[question] == served[question] for question in embedded)
    assert equal >= 0.95 * len(embedded) > 0
    assert equal == len(embedded)


def test_brains_that_serve_the_same_tenants_crosswise_wait_for_nobody_in_vain(postgres_url: str) -> None:
    def serve(number: int) -> int:
        with SmartBrain.open(postgres_url, config=CONFIG) as brain:
            for step in range(10):
                users = ("ann", "ben") if (step + number) % 2 else ("ben", "ann")
                for user in users:  # contexts of both wait when the first of them commits
                    brain.compose_context("s", "hello?", user_id=user)
                events = {"messages": [{"role": "user", "content": f"hello {number} {step}"}]}
                brain.commit_turn("s", events, user_id=users[0], turn_id=f"t{number}-{step}")
                brain.commit_turns(
                    [
                        {"session_id": "s", "turn_events": events, "user_id": u, "turn_id": f"b{number}-{step}"}
                        for u in users
                    ]
                )
            return 30

    with ThreadPoolExecutor(3) as threads:
        assert sum(threads.map(serve, range(3))) == 90
    with SmartBrain.open(postgres_url, config=CONFIG) as brain:
        assert sum(info.turns for user in ("ann", "ben") for info in brain.sessions(user_id=user)) == 90
