"""Whatever looked like something to keep gets a verdict: which rule, how sure, where, and why in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from smartbrain import SmartBrain
from smartbrain.errors import ContractError, PluginError
from smartbrain.ports import Extraction


def say(brain: SmartBrain, text: str, **more: Any) -> Any:
    return brain.commit_turn("s", messages=[{"id": "m", "role": "user", "content": text}], user_id="u", **more)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Should I switch to Vim?", "a question"),
        ("If I moved to Rome, I would work in a bakery.", "a condition or a hypothesis"),
        ("My boss said I should work in the office.", "somebody else's words"),
        ("Just kidding, I love Mondays.", "a joke or sarcasm"),
        ('The survey asked: "I prefer working from home (agree/disagree)".', "somebody else's words"),
        ("My boss prefers tabs.", "not said plainly by and of the user"),
        ("我要不要改用 Vim？", "a question"),
        ("要是我住在罗马就好了", "a condition or a hypothesis"),
        ("我妈说我应该吃素。", "somebody else's words"),
        ("开玩笑的，我最爱加班了", "a joke or sarcasm"),
        ("問卷上寫著「我更喜歡居家辦公（同意/不同意）」", "somebody else's words"),
        ("我们老板喜欢用 tab 缩进，随他吧", "not said plainly by and of the user"),
    ],
)
def test_what_looked_like_something_to_keep_says_why_it_was_not(brain: SmartBrain, text: str, reason: str) -> None:
    (verdict,) = say(brain, text).explain.retention
    assert (verdict.action, verdict.reason) == ("skipped", reason)
    assert verdict.rule.startswith("rules.")
    assert verdict.message_id == "m"
    assert text[slice(*verdict.span)] == verdict.quote
    assert verdict.quote.startswith(verdict.subject.rstrip("…"))


@pytest.mark.parametrize(
    ("text", "found_by", "subject"),
    [
        ("I live in Lisbon.", "rules.home", "User: home: Lisbon"),
        ("我叫张曼婷。", "rules.name_other", "用户：名字：张曼婷"),
    ],
)
def test_what_is_kept_names_the_rule_that_found_it_and_the_one_that_kept_it(
    brain: SmartBrain, text: str, found_by: str, subject: str
) -> None:
    (verdict,) = say(brain, text).explain.retention
    assert (verdict.found_by, verdict.rule, verdict.subject) == (found_by, "profile_said", subject)
    assert verdict.confidence >= 0.8
    assert text[slice(*verdict.span)] == verdict.quote


@pytest.mark.parametrize("text", ["hi there, how was your weekend?", "在吗", "```\nI prefer tabs\n```"])
def test_nothing_to_keep_is_a_result(brain: SmartBrain, text: str) -> None:
    result = say(brain, text)
    assert (result.explain.retention, result.memory_written.count, result.warnings) == ((), 0, ())


def test_what_could_not_be_read_is_an_error_and_leaves_nothing(make_brain: Callable[..., SmartBrain]) -> None:
    class Broken:
        name = "broken"

        def extract(self, turn: Any, known: Any) -> Extraction:
            raise KeyError("no such word")

    brain = make_brain(rules=(Broken(),))
    with pytest.raises(PluginError, match="the rules 'broken' could not read turn t1"):
        say(brain, "I live in Lisbon.", turn_id="t1")
    with pytest.raises(ContractError):
        brain.commit_turn("s", messages=[{"role": "user", "content": 7}], user_id="u")
    assert brain.recall_history("s", user_id="u") == []


def test_names_in_keys_read_as_names(brain: SmartBrain) -> None:
    result = say(brain, "My friend Kenji Morita lives in Kyoto.")
    assert "Kenji Morita: home: Kyoto" in [verdict.subject for verdict in result.explain.retention]
