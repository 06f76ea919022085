"""The associative mode: words near to those asked lead to what says them, in either language, and it is told why."""

from __future__ import annotations

import pytest

from smartbrain import SmartBrain
from smartbrain.config import BrainConfig

SAID = [
    "We saw a wonderful film at the open air place.",
    "My physician told me to sleep more.",
    "我们周末看了一部电影。",
    "The bicycle needs new brakes.",
    "It rained all week in the valley.",
]


def found(question: str, mode: str = "associative", **static: object) -> list[tuple[str, tuple[str, ...]]]:
    config = BrainConfig.load({"policies": {"retrieval": {"static": static}}})
    with SmartBrain.open(":memory:", config=config) as brain:
        for n, text in enumerate(SAID):
            brain.commit_turn(f"s{n}", messages=[{"role": "user", "content": text}], user_id="u")
        pack = brain.search(None, question, mode=mode, k=5, user_id="u")
        return [(e.snippet, e.signals.matched) for e in pack.evidences]


@pytest.mark.parametrize(
    ("question", "text", "why"),
    [
        ("Which movie?", SAID[0], "movie ~ film .89"),
        ("doctor", SAID[1], "doctor ~ physician .81"),
        ("Which movie?", SAID[2], "movie ~ 电影 .83"),
        ("什么影片？", SAID[2], "影片 ~ 电影 .80"),
    ],
)
def test_a_word_akin_to_the_asked_one_leads_to_what_says_it_and_is_shown_with_it(
    question: str, text: str, why: str
) -> None:
    assert why in dict(found(question))[text]


def test_the_asked_word_itself_counts_more_than_one_akin_to_it() -> None:
    assert found("Which film? A movie?")[0][0] == SAID[0]
    assert "film" in found("Which film?")[0][1]


def test_words_that_are_not_near_enough_lead_nowhere() -> None:
    assert {text for text, _ in found("Which movie?")} == {SAID[0], SAID[2]}


@pytest.mark.parametrize("off", [{"weight_akin": 0.0}, {"enabled": False}, {"nearness_akin": 0.95}])
def test_akin_words_can_be_switched_off(off: dict[str, object]) -> None:
    assert found("Which movie?", **off) == []


def test_other_modes_take_no_akin_words() -> None:
    assert found("Which movie?", mode="exact") == []


@pytest.mark.parametrize("told", ["小米又叫Xiaomi。", "Xiaomi is also known as 小米."])
def test_a_name_told_in_both_languages_leads_from_the_one_to_the_other(told: str) -> None:
    said = "我买了小米的手环，屏幕很大。"
    with SmartBrain.open(
        ":memory:", config=BrainConfig.load({"policies": {"retrieval": {"static": {"enabled": False}}}})
    ) as brain:
        for n, text in enumerate((told, said, *SAID)):
            brain.commit_turn(f"s{n}", messages=[{"role": "user", "content": text}], user_id="u")
        shown = {e.snippet: e.signals.matched for e in brain.search(None, "Xiaomi", k=3, user_id="u").evidences}
        assert "小米" in shown[said]
