"""``smartbrain demo``: a month of planning committed turn by turn, then contexts composed from it, and the times."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Any

from smartbrain.cli.context_view import show_context
from smartbrain.cli.demo_data import CHAPTERS, QUESTIONS, USER, DemoQuestion, DemoTurn, demo_turns
from smartbrain.cli.terminal import Screen, count, print_json
from smartbrain.cli.turn_view import show_commit, show_messages
from smartbrain.contracts.base import validate
from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.results import CommitResult
from smartbrain.contracts.turn_events import TurnEvents
from smartbrain.observability import percentile
from smartbrain.runtime import SmartBrain
from smartbrain.testing.fakes import ManualClock


@dataclass(slots=True)
class Told:
    """The demo as it went: every commit and every context, with what each took in milliseconds.

    ``first_use_ms`` is the first commit and context of the process, on a store of their own: they load dictionaries.
    """

    first_use_ms: float
    commits: list[tuple[DemoTurn, CommitResult]] = field(default_factory=list)
    contexts: list[tuple[DemoQuestion, ContextPackage]] = field(default_factory=list)
    commit_ms: list[float] = field(default_factory=list)
    compose_ms: list[float] = field(default_factory=list)

    def timings(self) -> dict[str, Any]:
        """The measured times, for machines."""
        return {
            "first_use_ms": round(self.first_use_ms, 3),
            "commit_ms": _percentiles(self.commit_ms),
            "compose_ms": _percentiles(self.compose_ms),
        }


def _percentiles(times: list[float]) -> dict[str, Any]:
    return {"p50": percentile(times, 0.5), "p95": percentile(times, 0.95), "count": len(times)}


def run_demo(db: Path | None) -> Told:
    """Tells the story to a brain whose clock stands where the story stands; in memory without a path."""
    clock = ManualClock()
    told = Told(_first_use())
    with SmartBrain.open(db or ":memory:", clock=clock) as brain:
        for turn in demo_turns():
            clock.set(turn.occurred_at)
            started = perf_counter()
            result = brain.commit_turn(
                turn.session_id, turn.events, turn_id=turn.turn_id, user_id=USER, occurred_at=turn.occurred_at
            )
            told.commit_ms.append(_since(started))
            told.commits.append((turn, result))
        clock.advance(600)
        for question in QUESTIONS:
            started = perf_counter()
            package = brain.compose_context(
                CHAPTERS[-1].session_id,
                question.text,
                user_id=USER,
                as_of=question.as_of,
                token_limit=question.token_limit,
            )
            told.compose_ms.append(_since(started))
            told.contexts.append((question, package))
    return told


def _first_use() -> float:
    started = perf_counter()
    with SmartBrain.open() as brain:
        brain.commit_turn("first", messages=[{"role": "user", "content": "你好 hello"}])
        brain.compose_context("first", "你好 hello")
    return _since(started)


def _since(started: float) -> float:
    return (perf_counter() - started) * 1000


def show_demo(told: Told, db: Path | None) -> None:
    """The demo for people."""
    screen = Screen()
    screen.block(
        "A month of conversation in Chinese and English: 周岚 plans a trip to Kyoto with her parents. First every "
        "turn, with what was remembered of it and why; then the contexts that an agent would be given."
    )
    _legend(screen)
    chapters = {chapter.session_id: chapter for chapter in CHAPTERS}
    numbered = groupby(told.commits, key=lambda pair: pair[0].session_id)
    for number, (session_id, commits) in enumerate(numbered, start=1):
        chapter = chapters[session_id]
        title = f"Session {number} of {len(CHAPTERS)}: {chapter.about}"
        screen.rule(title, f"{datetime.fromisoformat(chapter.begins):%Y-%m-%d}  {session_id}")
        for turn, result in commits:
            _turn(screen, turn, result)
    for number, (question, package) in enumerate(told.contexts, start=1):
        screen.rule(f"Context {number} of {len(told.contexts)}", question.shows)
        screen.block(question.text, label="question", label_style="bold", style="bold", column=10)
        show_context(screen, package, brief=number > 1)
    _times(screen, told, db)


def _legend(screen: Screen) -> None:
    marks = {"+": "green", "=": "cyan", "~": "yellow", "-": "red", ".": "dim", "*": "magenta"}
    words = ("written", "known already", "superseded", "retracted", "not kept", "summary")
    screen.line()
    screen.line(*[part for pair, word in zip(marks.items(), words, strict=True) for part in (pair, f" {word}  ")])


def _turn(screen: Screen, turn: DemoTurn, result: CommitResult) -> None:
    screen.line()
    screen.line((f"{turn.occurred_at:%H:%M}", "bold"))
    events = validate(TurnEvents, turn.events)
    show_messages(screen, events.messages, indent=2, most=3)
    for ref in events.refs:
        screen.block(f"{ref.title or ''} {ref.uri}".strip(), indent=2, label=ref.type, column=11, style="blue")
    show_commit(screen, result, indent=4)


def _times(screen: Screen, told: Told, db: Path | None) -> None:
    times = told.timings()
    commits, composes = times["commit_ms"], times["compose_ms"]
    where = "on disk, durable" if db else "in memory"
    screen.rule("Times", f"measured just now, {where}")
    screen.line(f"  commit_turn      p50 {commits['p50']:>7.2f} ms   p95 {commits['p95']:>7.2f} ms   ", _of(commits))
    screen.line(f"  compose_context  p50 {composes['p50']:>7.2f} ms   p95 {composes['p95']:>7.2f} ms   ", _of(composes))
    screen.line(f"  the first of both in a process, which load the dictionaries: {times['first_use_ms']:.0f} ms")
    screen.line()
    if db:
        screen.block(f'Kept in {db}. Go on with: smartbrain ask --db {db} "健司几点来接我们？"')
    else:
        screen.block("Nothing was kept: smartbrain demo --db PATH keeps it, and ask, show and why read it.")


def _of(times: dict[str, Any]) -> tuple[str, str]:
    return (f"of {count(times['count'], 'call')}", "dim")


def print_demo(told: Told, db: Path | None) -> None:
    """The demo for machines."""
    print_json(
        {
            "user_id": USER,
            "db": str(db) if db else None,
            "turns": [
                {
                    "session_id": turn.session_id,
                    "turn_id": turn.turn_id,
                    "occurred_at": turn.occurred_at.astimezone(UTC).isoformat(),
                    "commit": result.model_dump(mode="json"),
                }
                for turn, result in told.commits
            ],
            "contexts": [
                {"shows": question.shows, "question": question.text, "package": package.model_dump(mode="json")}
                for question, package in told.contexts
            ],
            "timings": told.timings(),
        }
    )
