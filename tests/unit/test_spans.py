"""Where sentences lie, and how to show a part of a long text."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.text.spans import Span, clip, sentences, window
from smartbrain.text.terms import query_terms

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.lists(
        st.sampled_from(["Hello ", "Mr. ", "3.14 ", "end. ", "好的。", "\n", "”", "a.b ", "  ", "…", "!?", "e\u0301"])
    ).map("".join),
)


def _cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello world. Really?! Yes.", ["Hello world.", "Really?!", "Yes."]),
        ("Mr. Smith paid $3.14 at a.com/x?y=1. Fine.", ["Mr. Smith paid $3.14 at a.com/x?y=1.", "Fine."]),
        ("J. K. Rowling wrote it. So did I. OK.", ["J. K. Rowling wrote it.", "So did I.", "OK."]),
        ("It was 5 p.m. He left.", ["It was 5 p.m.", "He left."]),
        ("Use e.g. this etc. and go. Next", ["Use e.g. this etc. and go.", "Next"]),
        ("1. First\n2. Second", ["1. First", "2. Second"]),
        ("他来了。你好吗？好！“真的？”她说；走", ["他来了。", "你好吗？", "好！", "“真的？”", "她说；", "走"]),
        ("好吗?我来了.对", ["好吗?", "我来了.", "对"]),
        ("one\n\n  two\r\nthree", ["one", "two", "three"]),
        ('"Yes." He left.', ['"Yes."', "He left."]),
        ("", []),
        (" \n ", []),
        ("no end", ["no end"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert _cut(text) == expected


@given(TEXTS)
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    spans = sentences(text)
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)


def test_a_short_text_is_not_clipped() -> None:
    assert clip("short", 5) == "short"


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("Hello big world. This goes on and on", 22, "Hello big world.…"),
        ("It costs 3.14 dollars each", 12, "It costs…"),
        ("今天天气很好，我们去爬山", 10, "今天天气很好，…"),
        ("你好世界你好世界", 5, "你好世界…"),
        ("abcdef", 1, "…"),
        ("abcdef", 0, ""),
        ("abcdef", -3, ""),
    ],
)
def test_a_clip_ends_at_a_boundary_with_an_ellipsis(text: str, room: int, expected: str) -> None:
    assert clip(text, room) == expected


def test_a_clip_does_not_part_a_letter_from_its_accent() -> None:
    assert clip("xxxxe\u0301yyyy", 6) == "xxxx…"


@given(TEXTS, st.integers(-2, 60))
def test_a_clip_is_never_longer_than_its_room(text: str, room: int) -> None:
    assert len(clip(text, room)) <= max(room, 0)


def test_the_window_is_where_the_terms_are() -> None:
    text = "Some words here. " * 30 + "The capital of Peru is Lima. " + "Other stuff. " * 30
    start, end = window(text, query_terms("capital of Peru"), 100)
    assert "The capital of Peru is Lima." in text[start:end]
    assert 60 < end - start <= 100


def test_the_window_prefers_more_distinct_terms_to_more_repeats() -> None:
    text = "Lima Lima Lima Lima. " + "Filler text goes here. " * 10 + "Lima is in Peru. " + "Filler again. " * 10
    start, end = window(text, {"lima", "peru"}, 60)
    assert "Lima is in Peru." in text[start:end]


def test_the_window_finds_a_term_inside_one_endless_sentence() -> None:
    text = "很长" * 300 + "秘密口令" + "很长" * 300
    start, end = window(text, query_terms("口令"), 80)
    assert "口令" in text[start:end]


def test_the_window_of_a_short_text_is_all_of_it() -> None:
    assert window("short", {"x"}, 10) == Span(0, 5)


@given(TEXTS, st.integers(-1, 40))
def test_a_window_lies_in_the_text_and_fits(text: str, room: int) -> None:
    start, end = window(text, query_terms("hello end 好"), room)
    assert 0 <= start <= end <= len(text)
    assert end - start <= max(room, 0)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [".", " ", '"', "a.", '?"', "\n", "1. ", "。", "x", "Mr. ", "，"])
def test_a_hundred_kilobytes_of_anything_take_linear_time(unit: str) -> None:
    text = "a" + unit * (100_000 // len(unit)) + "a"
    began = time.process_time()
    sentences(text)
    clip(text, 90_000)
    window(text, {"a"}, 500)
    assert time.process_time() - began < 5  # quadratic time would be minutes
