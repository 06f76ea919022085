"""What says nothing by itself."""

from __future__ import annotations

import pytest

from smartbrain.text.pleasantries import only_acknowledges


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "OK!",
        "Okay, got it. Thanks a lot!",
        "Sure, no problem 👍",
        "haha",
        "You’re welcome!",
        "Hi there!",
        "好的，周五见",
        "收到你的信了",
        "Wow, a dog!",
        "right knee",
        "ok " * 40,
        "好吃",
        "okra",
        "可以吃辣",
    ],
)
def test_what_answers_or_tells_something_says_something(text: str) -> None:
    assert not only_acknowledges(text)


def test_a_long_run_of_sighs_is_read_at_once() -> None:
    assert only_acknowledges("啊" * 60)
    assert not only_acknowledges("啊" * 59 + "x")
