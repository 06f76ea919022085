"""Whether a message is a statement of several sentences, and what it names."""

from __future__ import annotations

import pytest

from smartbrain.text.asking import is_statement, names_in


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I mailed the postcard for Saiho-ji. What should we plan next?", True),
        ("We came back late\nwhat is left to do", True),
        ("Hello! What should we plan next?", False),
        ("Which hotel did we book in Kyoto?", False),
        ("我昨天去了医院。医生说了什么？", False),
        ("", False),
    ],
)
def test_a_statement_has_several_sentences_of_more_than_one_word(text: str, statement: bool) -> None:
    assert is_statement(text) is statement


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('I tried it twice. Those "Red Light" drills for the WSET exam hurt.', ["Red", "Light", "WSET"]),
        ("The train was late. Saturday I will go to Nara-machi with Ken.", ["Nara-machi", "Ken"]),
        ("I'm back and I think it went well. So am I done?", []),
        ("Which hotel did we book in Kyoto?", []),
    ],
)
def test_names_are_words_with_a_capital_within_a_sentence_of_a_statement(text: str, names: list[str]) -> None:
    assert names_in(text) == names
