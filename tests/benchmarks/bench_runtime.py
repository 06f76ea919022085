"""Commit and compose on one scope that grows: ``python tests/benchmarks/bench_runtime.py [messages]``.

Text is Zipf-like, zh and en, about 120 characters a message, two messages a turn. Prints a table; asserts nothing.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from smartbrain import SmartBrain

START = datetime(2024, 1, 1, tzinfo=UTC)
TURNS_A_SESSION = 40


class Speaker:
    """Sentences of words drawn by rank: the n-th word of a vocabulary is about 1/n as common as the first."""

    def __init__(self, seed: int, vocabulary: int = 60_000) -> None:
        self.random = random.Random(seed)
        letters = "bcdfghjklmnpqrstvwz"
        self.english = [
            "".join(self.random.choice(letters + "aeiou") for _ in range(4 + n % 7)) for n in range(vocabulary)
        ]
        self.chinese = [
            chr(0x4E00 + self.random.randrange(6000)) + chr(0x4E00 + self.random.randrange(6000))
            for _ in range(vocabulary)
        ]

    def word(self, words: list[str]) -> str:
        return words[int(len(words) ** self.random.random()) - 1]

    def sentence(self) -> str:
        if self.random.random() < 0.5:
            return " ".join(self.word(self.english) for _ in range(20))
        return "".join(self.word(self.chinese) for _ in range(20)) + "。"

    def question(self) -> str:
        pick = self.english if self.random.random() < 0.5 else self.chinese
        joiner = " " if pick is self.english else ""
        return joiner.join(pick[int(len(pick) ** (0.35 + 0.65 * self.random.random())) - 1] for _ in range(7)) + "?"


def turns(speaker: Speaker, count: int, first: int = 0) -> Iterator[dict[str, object]]:
    for n in range(first, first + count):
        yield {
            "session_id": f"s{n // TURNS_A_SESSION}",
            "turn_id": f"t{n}",
            "occurred_at": START + timedelta(minutes=n),
            "messages": [
                {"role": "user", "content": speaker.sentence()},
                {"role": "assistant", "content": speaker.sentence()},
            ],
        }


def measure(brain: SmartBrain, speaker: Speaker, done: int) -> tuple[list[float], list[float], int]:
    commits, composes = [], []
    for turn in turns(speaker, 200, done):
        session = str(turn.pop("session_id"))
        started = perf_counter()
        brain.commit_turn(session, user_id="u", **turn)  # type: ignore[arg-type]
        commits.append((perf_counter() - started) * 1000)
    for n in range(150):
        question = speaker.question()
        started = perf_counter()
        brain.compose_context(f"s{(done + n) // TURNS_A_SESSION}", question, user_id="u")
        composes.append((perf_counter() - started) * 1000)
    return commits, composes, done + 200


def at(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("messages", nargs="?", type=int, default=100_000)
    sizes = [s for s in (1_000, 10_000, 100_000, 1_000_000) if s <= parser.parse_args().messages]
    speaker = Speaker(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        started = perf_counter()
        with SmartBrain.open(path) as brain:
            brain.compose_context("first", "第一个问题 about anything?", user_id="u")
            print(f"first call after import: {perf_counter() - started:.2f} s")
            print(
                "| messages | import turns/s | commit p50/p95/p99 ms | compose p50/p95/p99 ms | file MB | peak RSS MB |"
            )
            print("|---|---|---|---|---|---|")
            done = 0
            for size in sizes:
                missing = size // 2 - done
                started = perf_counter()
                for start in range(done, done + missing, 5_000):
                    brain.commit_turns(turns(speaker, min(5_000, done + missing - start), start), user_id="u")
                rate = missing / (perf_counter() - started)
                commits, composes, done = measure(brain, speaker, done + missing)
                files = sum(f.stat().st_size for f in Path(folder).iterdir()) / 1e6
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(
                    f"| {size:,} | {rate:,.0f} | {at(commits, 0.5):.1f} / {at(commits, 0.95):.1f} / {at(commits, 0.99):.1f} "
                    f"| {at(composes, 0.5):.1f} / {at(composes, 0.95):.1f} / {at(composes, 0.99):.1f} "
                    f"| {files:.0f} | {peak:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
