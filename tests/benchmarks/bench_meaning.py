"""What meaning costs a question: ``python tests/benchmarks/bench_meaning.py [messages] [--store FILE]``.

One scope of English and Chinese messages made of the static embedder's own words, drawn Zipf-like, so that vectors and
words across languages have their full cost. The same questions, by words alone and by the default, turn about; CPU time of
one search. Prints a table; asserts nothing.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import process_time

import numpy as np

from smartbrain import BrainConfig, SmartBrain
from smartbrain.evaluation.load.talk import MadeUpTalk
from smartbrain.semantic.static import static

START = datetime(2024, 1, 1, tzinfo=UTC)
WORDS_ALONE = {"policies": {"retrieval": {"static": {"enabled": False}}}}


def talk() -> MadeUpTalk:
    table = static()._loaded()
    return MadeUpTalk(1, words=(table.words[: table.english], table.words[table.english :]))


def turns(talk: MadeUpTalk, count: int) -> Iterator[dict[str, object]]:
    for n in range(count):
        yield {
            "session_id": f"s{n // 40}",
            "turn_id": f"t{n}",
            "occurred_at": START + timedelta(minutes=n),
            "messages": talk.messages(0, n),
        }


def search_ms(brain: SmartBrain, question: str) -> float:
    begin = process_time()
    brain.search("s0", question, user_id="u")
    return (process_time() - begin) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("messages", nargs="?", type=int, default=100_000)
    parser.add_argument("--store", type=Path, help="a file to make once and use again")
    asked = parser.parse_args()
    said = talk()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        path = asked.store or Path(folder) / "bench.db"
        fresh = not path.exists()
        default = opened.enter_context(SmartBrain.open(path))
        if fresh:
            default.commit_turns(turns(said, asked.messages // 2), user_id="u")
        words = opened.enter_context(SmartBrain.open(path, config=BrainConfig.model_validate(WORDS_ALONE)))
        questions = [said.question(0, n) for n in range(120)]
        taken: dict[str, list[float]] = {"words": [], "default": []}
        for n, question in enumerate(questions):
            pair = {"words": search_ms(words, question), "default": search_ms(default, question)}
            if n >= 20:
                for name, spent in pair.items():
                    taken[name].append(spent)
    print("| search | p50 ms | p95 ms |\n|---|---|---|")
    for name, spent_ms in taken.items():
        print(f"| {name} | {np.percentile(spent_ms, 50):.1f} | {np.percentile(spent_ms, 95):.1f} |")
    p50, p95 = (np.percentile(taken["default"], q) / np.percentile(taken["words"], q) for q in (50, 95))
    print(f"\ndefault over words: p50 {p50:.2f}, p95 {p95:.2f}")


if __name__ == "__main__":
    main()
