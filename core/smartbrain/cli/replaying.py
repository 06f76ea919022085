"""``smartbrain replay``: recorded conversations into a store, with their own times."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from smartbrain.cli.terminal import Screen, count, one_line
from smartbrain.contracts.results import CommitResult
from smartbrain.errors import InputError
from smartbrain.evaluation.datasets import RecordedTurn, as_turns, read_conversations
from smartbrain.runtime import SmartBrain

_CHUNK = 256


@dataclass(slots=True)
class Replayed:
    """What a replay did. ``turns`` counts all that were handed over, ``new`` those the store did not hold yet."""

    conversations: int = 0
    sessions: int = 0
    turns: int = 0
    messages: int = 0
    new: int = 0
    revised: int = 0
    unchanged: int = 0
    memories_written: int = 0
    seconds: float = 0.0

    @property
    def turns_per_second(self) -> float:
        return self.turns / self.seconds if self.seconds else 0.0

    def count(self, result: CommitResult) -> None:
        """Adds one commit."""
        self.new += result.status == "committed"
        self.revised += result.status == "revised"
        self.unchanged += result.status == "replayed"
        self.memories_written += result.memory_written.count

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {
            **asdict(self),
            "seconds": round(self.seconds, 3),
            "turns_per_second": round(self.turns_per_second, 1),
        }


def replay_file(file: Path, db: str, limit: int | None) -> tuple[Replayed, list[str]]:
    """Commits a file's turns, each conversation as a user; returns the counts and the users' names, in order.

    The whole file is checked before anything is written. Raises InputError for what cannot be read.
    """
    turns = list(islice(as_turns(read_conversations(file)), limit))
    if not turns:
        raise InputError(f"{file} holds no turns")
    users = list(dict.fromkeys(turn.conversation_id for turn in turns))
    done = Replayed(
        conversations=len(users),
        sessions=len({(turn.conversation_id, turn.session_id) for turn in turns}),
        turns=len(turns),
        messages=sum(len(turn.messages) for turn in turns),
    )
    with SmartBrain.open(db) as brain, _progress(file) as progress:
        task = progress.add_task("", total=len(turns))
        started = perf_counter()
        for chunk in _chunks(turns):
            results = brain.commit_turns([turn.arguments() for turn in chunk])
            for result in results:
                done.count(result)
            progress.advance(task, len(chunk))
        done.seconds = perf_counter() - started
    return done, users


def show_replay(done: Replayed, users: Sequence[str], file: Path, db: str) -> None:
    """The summary for people."""
    screen = Screen()
    parts = (
        count(done.conversations, "conversation"),
        count(done.sessions, "session"),
        count(done.turns, "turn"),
        count(done.messages, "message"),
    )
    screen.block(f"{file.name}: {', '.join(parts)}")
    kept = [f"{done.new:,} new"]
    kept += [f"{done.revised:,} revised"] if done.revised else []
    kept += [f"{done.unchanged:,} already there"] if done.unchanged else []
    screen.block(f"{', '.join(kept)}; {count(done.memories_written, 'memory', 'memories')} written", indent=2)
    screen.block(f"{done.seconds:.1f} s, {done.turns_per_second:,.0f} turns/s", indent=2)
    command = shlex.join(["smartbrain", "ask", "--db", db, "--user", users[0]])
    screen.line(f'  now ask: {one_line(command)} "…"')


def _chunks(turns: Sequence[RecordedTurn]) -> Iterator[Sequence[RecordedTurn]]:
    return (turns[start : start + _CHUNK] for start in range(0, len(turns), _CHUNK))


def _progress(file: Path) -> Progress:
    """A bar on standard error, so that standard output stays clean; none when nobody watches."""
    console = Screen(stderr=True).console
    return Progress(
        TextColumn(file.name, markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("turns"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
