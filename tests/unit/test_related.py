"""Which words of the best turns lead on, and what they count."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from smartbrain.model import Message, Scope
from smartbrain.ports import EventDoc
from smartbrain.retrieval.related import further_words, related_words
from smartbrain.text.asking import asks_for_several
from tests.unit.test_lexical import view

AT = datetime(2026, 1, 1, tzinfo=UTC)


def doc(text: str) -> EventDoc:
    message = Message(id="m", role="user", content=text)
    return EventDoc(0, Scope("d", "global", "default"), "s", "t", 1, 0, message, AT, AT, None)


def test_words_of_the_very_best_turn_or_of_two_others_lead_on() -> None:
    best = [(doc("I do yoga"), 1.0), (doc("kickboxing, swimming"), 0.7), (doc("kickboxing and rowing"), 0.6)]
    assert further_words(best, ["exercis"], []) == pytest.approx({"yoga": 1.0, "kickbox": 1.3})


def test_what_was_asked_speakers_and_single_characters_lead_nowhere() -> None:
    best = [(doc("Evan paints a lake; 猫 在 那里 睡觉"), 1.0)]
    assert set(further_words(best, ["paint"], ["Evan"])) == {"lake", "睡觉"}


def test_at_most_sixteen_words_are_looked_up_and_a_long_text_is_read_where_it_matches() -> None:
    many = " ".join(f"word{n}x" for n in range(40))
    assert len(further_words([(doc(many), 1.0)], [], [])) == 16
    long = "alpha beta. " * 400 + "The kettle stands on the shelf." + " gamma delta." * 400
    assert "shelf" in further_words([(doc(long), 1.0)], ["kettl"], [])


def test_nothing_leads_on_from_nothing() -> None:
    assert further_words([], ["tea"], []) == {}
    assert further_words([(doc("yoga"), 0.0)], ["tea"], []) == {}


def test_the_rarest_words_count_together_a_part_of_the_question() -> None:
    found = view("yoga kickbox", "yoga", "kickbox", *["tea"] * 97)
    counted = related_words(found, {"yoga": 1.0, "kickbox": 1.0}, {"exercis": 8.0, "john": 2.0}, 0.1)
    assert set(counted) == {"yoga", "kickbox"}
    # A tenth of the question's ten, halved: in a space of a hundred the first five turns are not to be trusted much.
    assert sum(counted.values()) == pytest.approx(0.5)


def test_a_word_said_once_leads_nowhere_and_a_weight_has_bounds() -> None:
    found = view("yoga once", "yoga", *["tea"] * 40)
    rare = related_words(found, {"yoga": 1.0, "once": 1.0}, {"exercis": 1000.0}, 0.5)
    assert set(rare) == {"yoga"}
    weak = related_words(found, {"yoga": 1.0}, {"exercis": 0.001}, 0.1)
    assert rare["yoga"] == pytest.approx(weak["yoga"] * 0.6 / 0.05)


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("Which books has Tim read?", True),
        ("What kind of music does she like?", True),
        ("How many children does she have?", True),
        ("他都去过哪些国家？", True),
        ("When did she move?", False),
        ("What is the name of the dog?", False),
        ("他叫什么名字？", False),
    ],
)
def test_a_question_for_several_things_is_known_by_its_wording(text: str, several: bool) -> None:
    assert asks_for_several(text) is several
