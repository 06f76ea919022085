"""Long texts are cut into overlapping windows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smartbrain.semantic.windows import windows


def units(text):
    return sum(2 if character >= "\u2e80" else 1 for character in text)


def test_a_short_text_is_one_window():
    assert windows("  a short text \n", 800, 150, 32) == ["a short text"]
    assert windows("", 800, 150, 32) == windows(" \n", 800, 150, 32) == []


def test_windows_end_between_words_and_overlap():
    cut = windows("one two three four five six seven eight", 16, 5, 9)
    assert cut == ["one two three ", "hree four five ", "five six seven ", "even eight"]


def test_a_chinese_character_counts_double():
    assert windows("天" * 20, 20, 4, 9) == ["天" * 10, "天" * 10, "天" * 4]
    assert windows("a" * 20, 20, 4, 9) == ["a" * 20]


def test_of_a_very_long_text_the_first_windows_are_given():
    assert len(windows("word " * 200_000, 800, 150, 32)) == 32


@given(st.text(alphabet="ab 天，\n", max_size=300), st.integers(50, 90), st.integers(0, 200))
def test_nothing_is_left_out_and_no_window_is_too_long(text, size, overlap):
    cut = windows(text, size, overlap, 10_000)
    assert all(units(window) <= size for window in cut)
    rest = text.strip()
    at = 0
    for window in cut:
        place = rest.find(window, max(0, at - size))
        assert 0 <= place <= at
        at = max(at, place + len(window))
    assert at == len(rest)
