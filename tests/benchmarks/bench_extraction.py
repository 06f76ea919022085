"""Measures reading a turn by rules: ``python tests/benchmarks/bench_extraction.py [conversations.jsonl]``.

Without a file the messages are made of the utterances beside the unit tests; with one (a line is ``{"speaker", "text"}``)
of its user's messages of 150 to 250 characters. Then odd texts of 100 kB, which must not take long either.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn

AT = datetime(2026, 3, 18, tzinfo=UTC)
TABLE = Path(__file__).parents[1] / "unit" / "data" / "rules_en.txt"
WARM_UP, MEASURED = 300, 1500
ODD = {
    "one letter": "a",
    "one word": "my ",
    "statements": "I like a. ",
    "orders": "We decided to go with my a and I need to b by Friday. ",
    "clauses": "my wife and i ",
    "commas": "not a, ",
    "quotes": '"a ',
    "brackets": "(",
    "addresses": "http://",
    "mail": "> a\n",
    "dialogue": "Ab: c\n",
    "Han": "我喜欢",
}


def turn(text: str) -> Turn:
    return Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=(Message(id="m", role="user", content=text),),
        occurred_at=AT,
        recorded_at=AT,
    )


def messages(path: str | None) -> list[str]:
    if path:
        rows = map(json.loads, Path(path).read_text("utf-8").splitlines())
        texts = [row["text"] for row in rows if row["speaker"] != "assistant"]
        return [text for text in texts if 150 <= len(text) <= 250]
    lines = [line.split("||")[0].strip() for line in TABLE.read_text("utf-8").splitlines() if "||" in line]
    chance = random.Random(1)
    return [". ".join(chance.sample(lines, 5))[:200] for _ in range(WARM_UP + MEASURED)]


def took(text: str) -> float:
    """Milliseconds for one turn of one message."""
    read = turn(text)
    started = perf_counter()
    RulesExtractor().extract(read)
    return (perf_counter() - started) * 1e3


def main() -> None:
    texts = messages(sys.argv[1] if len(sys.argv) > 1 else None)
    for text in texts[:WARM_UP]:
        took(text)
    times = sorted(took(text) for text in texts[:MEASURED])
    print(f"{len(times)} messages of about 200 characters, ms per message")
    print(
        f"  mean {statistics.mean(times):.2f}  p50 {times[len(times) // 2]:.2f}  p95 {times[int(len(times) * 0.95)]:.2f}"
    )
    print("100 kB of one thing, ms")
    for name, unit in ODD.items():
        print(f"  {name:12} {took((unit * (100_000 // len(unit) + 1))[:100_000]):8.1f}")


if __name__ == "__main__":
    main()
