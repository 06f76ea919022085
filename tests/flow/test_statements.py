"""Messages that tell in several sentences what they are about find it, though most of their words are about nothing."""

from __future__ import annotations

import pytest

from smartbrain import SmartBrain

SAID = {
    "wine": "For the WSET exam start with the flashcards on grape varieties.",
    "trip": "In Kyoto the moss garden must be asked for by postcard.",
    "sport": "Your new plan has four days, the plateau goes away when you rest more.",
    "week": "The next step of the plan comes at the end of the week.",
    "rain": "It rained on the balcony all evening and the laundry is wet again.",
}
ASKED = [
    ("It was a long week. What is the next thing for WSET?", "wine"),
    ("That was quite a week. What does the plan say about Kyoto?", "trip"),
]


@pytest.mark.parametrize(("message", "session"), ASKED)
@pytest.mark.parametrize("name_weight", [1.0, None])
def test_what_a_statement_names_is_found_above_what_it_says_by_the_way(
    message: str, session: str, name_weight: float | None
) -> None:
    lexical = {} if name_weight is None else {"name_weight": name_weight}
    config = {"policies": {"retrieval": {"lexical": lexical, "static": {"enabled": False}}}}
    with SmartBrain.open(":memory:", config=config) as brain:
        for name, text in SAID.items():
            brain.commit_turn(name, messages=[{"role": "user", "content": text}], user_id="ann")
        found = brain.search(None, message, user_id="ann").evidences
    first = found[0].ref.session_id if found[0].ref else None
    assert (first == session) is (name_weight is None)
