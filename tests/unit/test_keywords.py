"""The readable words a question turns on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.text.folding import fold
from smartbrain.text.terms import keywords


def test_quotes_come_first_then_identifiers_then_names_then_words() -> None:
    asked = 'What did Caroline painting say about "the red door" in New York and PR-4711?'
    assert keywords(asked)[:4] == ["the red door", "PR-4711", "Caroline", "New York"]
    assert "painting" in keywords(asked)


def test_chinese_words_are_whole_and_titles_come_first() -> None:
    found = keywords("上次在北京讨论的《三体》读书会是什么时候")
    assert found[0] == "三体"
    assert {"北京", "读书会"} <= set(found)
    assert "什么" not in found


def test_acronyms_count_even_when_they_look_like_a_stop_word() -> None:
    assert keywords("Does the WHO guideline apply?")[0] == "WHO"


def test_the_limit_is_kept_and_nothing_is_said_twice() -> None:
    text = "alpha beta gamma delta Alpha epsilon zeta eta theta"
    assert len(keywords(text, 3)) == 3
    assert len({word.lower() for word in keywords(text, 20)}) == len(keywords(text, 20))
    assert keywords(text, 0) == []


@pytest.mark.parametrize("text", ["", "的", "what is it?", "!!!"])
def test_a_text_without_content_has_no_keywords(text: str) -> None:
    assert keywords(text) == []


@given(st.text(st.characters(exclude_categories=())), st.integers(0, 10))
def test_keywords_never_raise(text: str, limit: int) -> None:
    found = keywords(text, limit)
    assert len(found) <= limit
    assert len({fold(word) for word in found}) == len(found)
