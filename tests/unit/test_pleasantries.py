"""What says nothing by itself."""

from __future__ import annotations

import pytest

from smartbrain.text.pleasantries import only_acknowledges

EMPTY_ENGLISH = [
    "ok",
    "OK!",
    "Okay, got it. Thanks a lot!",
    "Sure, no problem 👍",
    "haha",
    "You’re welcome!",
    "Hi there!",
]
EMPTY_CHINESE = [
    "好的",
    "好的，收到！",
    "嗯嗯，明白了",
    "谢谢您啦",
    "沒問題",
    "ＯＫ",
    "哈哈哈哈",
    "当然可以",
    "好的 thanks",
]
TELLING = [
    *("", "?!", "yes", "No.", "是的", "不行", "ok, Friday at nine then", "Noted. Enjoy Lisbon!", "Thanks for the cake"),
    *("好的，周五见", "收到你的信了", "Wow, a dog!", "right knee", "ok " * 40, "好吃", "okra", "可以吃辣"),
]


@pytest.mark.parametrize("text", [*EMPTY_ENGLISH, *EMPTY_CHINESE])
def test_acknowledgements_greetings_and_thanks_say_nothing(text: str) -> None:
    assert only_acknowledges(text)


@pytest.mark.parametrize("text", TELLING)
def test_what_answers_or_tells_something_says_something(text: str) -> None:
    assert not only_acknowledges(text)


def test_a_long_run_of_sighs_is_read_at_once() -> None:
    assert only_acknowledges("啊" * 60)
    assert not only_acknowledges("啊" * 59 + "x")
