"""Measures the write path: ``python tests/benchmarks/bench_write.py [folder|-|commits] [messages]``.

Reading a message of about 200 characters by rules, with and without the classifier, in both languages, and odd texts of
100 kB, which must not take long either; then a commit, with and without a summary, in a store of so many messages (default
10,000; none for 0), by words alone and by default, one after the other and with a question between each two, whose context
rides along. Times are processor time of the thread, of commits the clock's, too, after a warm-up. ``folder`` holds evaluation
sets, whose users' messages are read, joined to about 200 characters; without one they are made of the labelled
utterances for writing rules. ``commits`` measures commits alone.
"""

from __future__ import annotations

import json
import random
import re
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, thread_time

from smartbrain.config import BrainConfig
from smartbrain.evaluation.load.plan import LoadPlan
from smartbrain.evaluation.load.talk import MadeUpTalk
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn
from smartbrain.runtime import SmartBrain

AT = datetime(2026, 3, 18, tzinfo=UTC)
DATA = Path(__file__).parents[1] / "quality" / "extraction"
HAN = re.compile("[\u3400-\u9fff]")
ABOUT, WARM_UP, MEASURED = 200, 200, 800
BATCH, COMMITS = 500, 360
WORDS_ALONE = {"policies": {"retrieval": {"static": {"enabled": False}}}}
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


def said(folder: Path | None) -> Iterator[str]:
    """What users say, message by message."""
    if folder is None:
        for path in sorted(DATA.glob("dev_*.jsonl")):
            for item in map(json.loads, path.read_text("utf-8").splitlines()):
                yield from (one["content"].strip() for one in item["messages"] if one["role"] == "user")
        return
    for path in sorted(folder.glob("*/conversations.jsonl")):
        with path.open(encoding="utf-8", newline="\n") as lines:  # a text may hold other ends of lines
            for row in map(json.loads, lines):
                if row["speaker"] != "assistant":
                    yield row["text"].strip()


def messages(folder: Path | None, *, chinese: bool) -> list[str]:
    """Messages of about ``ABOUT`` characters in one language, the shorter ones joined, in a random order."""
    texts = [text for text in said(folder) if text and (len(HAN.findall(text)) > 0.3 * len(text)) is chinese]
    found, joined = [text for text in texts if abs(len(text) - ABOUT) <= ABOUT // 4], ""
    for text in texts:
        if len(text) <= ABOUT:
            joined = f"{joined}{'' if chinese else ' '}{text}"[:ABOUT].strip()
        if len(joined) >= 0.9 * ABOUT:
            found.append(joined)
            joined = ""
    chance = random.Random(1)
    found = found * (-(-(WARM_UP + MEASURED) // len(found)))
    chance.shuffle(found)
    return found[: WARM_UP + MEASURED]


def row(name: str, taken: Sequence[float]) -> None:
    ordered = sorted(taken)
    places = [ordered[min(int(len(ordered) * share), len(ordered) - 1)] for share in (0.5, 0.95, 0.99)]
    print(f"| {name} | {len(taken)} | {' / '.join(f'{place * 1e3:.2f}' for place in places)} |")


def read_all(folder: Path | None) -> None:
    readers = {"rules alone": RulesExtractor(classifier=False), "with the classifier": RulesExtractor()}
    for language, chinese in (("English", False), ("Chinese", True)):
        turns = [turn(text) for text in messages(folder, chinese=chinese)]
        taken: dict[str, list[float]] = {name: [] for name in readers}
        apart = MEASURED // len(readers)
        for at in range(len(turns)):
            # In turn, so that both meet the same machine; far apart, so that none finds what the other has looked up.
            for place, (name, reader) in enumerate(readers.items()):
                one = turns[at if at < WARM_UP else WARM_UP + (at - WARM_UP + place * apart) % MEASURED]
                began = thread_time()
                reader.extract(one)
                if at >= WARM_UP:
                    taken[name].append(thread_time() - began)
        for name in readers:
            row(f"{language}, {name}", taken[name])


def read_odd() -> None:
    reader = RulesExtractor()
    for name, unit in ODD.items():
        one = turn((unit * (100_000 // len(unit) + 1))[:100_000])
        taken = []
        for _ in range(3):
            began = thread_time()
            reader.extract(one)
            taken.append(thread_time() - began)
        row(f"100 kB of {name}", taken)


def commit_all(size: int) -> None:
    for mode, config in (("by words alone", WORDS_ALONE), ("by default", {})):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "store.db"
            plan, talk = LoadPlan(url=str(path), tenants=1), MadeUpTalk(0)
            with SmartBrain.open(path, config=BrainConfig.model_validate(config)) as brain:
                for first in range(0, size // 2, BATCH):
                    numbers = range(first, min(first + BATCH, size // 2))
                    brain.commit_turns([plan.turn(talk, 0, number) for number in numbers])
                first = size // 2
                for asked in (False, True):
                    name = f"commit {mode}{', questions between' if asked else ''}"
                    commits(name, brain, plan, range(first, first + 24 + COMMITS), asked=asked)
                    first += 24 + COMMITS


def commits(name: str, brain: SmartBrain, plan: LoadPlan, numbers: range, *, asked: bool) -> None:
    """One commit after the other, or a question and a commit by turns."""
    talk = MadeUpTalk(0)
    taken: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for number in numbers:
        incoming = plan.turn(talk, 0, number)
        clock, began = perf_counter(), thread_time()
        result = brain.commit_turn(**incoming)
        spent = thread_time() - began, perf_counter() - clock
        if number >= numbers[24]:
            taken[result.summary.triggered].append(spent)
        if asked:
            brain.compose_context(incoming["session_id"], talk.question(0, number), user_id=plan.user(0))
    for kind, times in (
        ("any", [*taken[False], *taken[True]]),
        ("plain", taken[False]),
        ("with a summary", taken[True]),
    ):
        row(f"{name}, {kind}", [cpu for cpu, _ in times])
        row(f"{name}, {kind}, by the clock", [wall for _, wall in times])


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else "-"
    folder = Path(given) if given not in ("-", "commits") else None
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    print("| | times | p50 / p95 / p99 ms |\n|---|---|---|")
    if given != "commits":
        read_all(folder)
        read_odd()
    if size:
        commit_all(size)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
