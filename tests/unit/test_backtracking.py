"""No pattern of the package can be read in exponentially many ways: a text that ends badly would hang ``re`` for ever."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn
from tests.unit.ambiguity import pump

ROOT = Path(__file__).parents[2]


def test_no_pattern_of_the_package_is_read_in_exponentially_many_ways() -> None:
    """All strings of the sources are among what is looked at; not every one is a pattern."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "core"), str(ROOT)))}
    command = [sys.executable, str(ROOT / "tests" / "unit" / "every_pattern.py")]
    printed = subprocess.run(command, capture_output=True, check=True, text=True, env=environment).stdout
    every = json.loads(printed)
    assert len(every) > 2_000
    found = []
    for pattern, flags, file, line in every:
        try:
            text = pump(pattern, flags)
        except re.error:
            continue
        if text is not None:
            found.append((f"{file}:{line}", text, pattern[:200]))
    assert found == []


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("", "hmm " * 40 + "what he said, never mind"),
        ("You like tea, don't you? So you live in Oslo?", "exactly right " * 40 + "but"),
        ("it seems as if i understand " * 40 + "the plan you?", "yes, exactly"),
        ("", "啊" * 40 + "我们公司别画了吗,这个"),
        ("", "那" + "嗯" * 63 + "我们公司别画了吗"),
        ("", "今年六十了" + "呵" * 66 + "吗"),
        ("", "我吃虾" + "有患" * 33 + "过敏"),
        ("", "我从来" + "早就就" * 23),
        ("", "我结婚" + "了0年了" * 16 + "跑步"),
        ("", "我离了" + "好几年了" * 16 + "过敏"),
    ],
)
def test_a_message_that_repeats_itself_is_read_at_once(asked: str, answered: str) -> None:
    now = datetime(2026, 6, 10, 12, tzinfo=UTC)
    said = (Message(id="a", role="assistant", content=asked), Message(id="b", role="user", content=answered))
    scope = Scope("d", "global", "default")
    turn = Turn(session_id="s", turn_id="t", scope=scope, seq=1, messages=said, occurred_at=now, recorded_at=now)
    RulesExtractor(classifier=False).extract(turn, ())


AMBIGUOUS = (
    r"(?:a+|b)*",
    r"(?:a|ab|b)*",
    r"(a*)*",
    r"(?:a?b?)*",
    r"(?:\s*a\s*)*",
    r"(?:\w+\s?)*",
    r"(?:\w+\s?){0,9}",
    r"(?i:(?:ab|AB)*)",
    r"(?:[^x]+|[^y]+)+",
    r"(?:a|b(?:ab|ba)?|\n)*",
    r"x(?=(?:a|ab|b)*c)",
    r"x(?<!y)(?>(?:a|ab|b)*c)",
    r"(?:(?>a|ab)|b|aab)*",
    r"(?:(?>a)*)*",
    r"(?:x(?:\b|$|(?!y))a?a?)*",
    r"(?P<m>a)(?:(?P=m)b|ab)*",
)
CERTAIN = (
    r"(?:a|b)*",
    r"(?:a+,)*",
    r"\w+\s+\w+",
    r"(?:ab|ac|d)*",
    r"(?:a{1,20}b)*",
    r"(?:a+(?:,|$))*",
    r"(?:x\s*a)*",
    r"(?:a?a?){0,3}",
    r"(?>ab|a|b)*",
    r"(?:(?>ab|a|b))*c",
    r"(?:a|ab|b)*+c",
    r"(?:a+|b)*+c",
    r"(?:(?>a+)|b)*",
    r"(?:,(?>\w+)\s*)*",
    r"(?:a{1,4}){2,5}",
    r"(?i:(?:a|A)*)",
)


@pytest.mark.parametrize("pattern", AMBIGUOUS)
def test_a_text_that_is_read_in_several_ways_again_and_again_is_found(pattern: str) -> None:
    assert pump(pattern)


@pytest.mark.parametrize("pattern", CERTAIN)
def test_a_pattern_that_reads_each_text_in_few_ways_is_left_alone(pattern: str) -> None:
    assert pump(pattern) is None


@pytest.mark.parametrize("pattern", [r"(?:a+|b)*", r"(?:a|ab|b)*", r"(?:\s*a\s*)*", r"(?:a|b(?:ab|ba)?|\n)*"])
def test_each_repetition_of_the_text_that_is_found_multiplies_the_ways(pattern: str) -> None:
    turn = re.compile(pattern.removesuffix("*"))

    def ways(text: str) -> int:
        reached = [1] + [0] * len(text)
        for start in range(len(text)):
            for end in range(start + 1, len(text) + 1):
                if turn.fullmatch(text, start, end):
                    reached[end] += reached[start]
        return reached[-1]

    text = pump(pattern)
    assert text
    for times in range(1, 8):
        assert ways(text * (times + 1)) >= 2 * ways(text * times)
