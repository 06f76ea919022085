"""What a message that also tells something names."""

from __future__ import annotations

import pytest

from smartbrain.text.asking import names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('I tried it twice. Those "Red Light" drills for the WSET exam hurt.', ["Red", "Light", "WSET"]),
        ("The train was late. Saturday I will go to Nara-machi with Ken.", ["Nara-machi", "Ken"]),
        ("I'm back and I think it went well. So am I done?", []),
        ("Which hotel did we book in Kyoto?", []),
    ],
)
def test_names_are_words_with_a_capital_within_a_sentence_of_a_message_that_tells(text: str, names: list[str]) -> None:
    assert names_in(text) == names
