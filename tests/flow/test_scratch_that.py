"""Words that take back what the turn before wrote: "scratch that", 当我没说."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from smartbrain import SmartBrain

CHATS = [
    ("From now on always answer in French.", "Scratch that."),
    ("We decided to go with Postgres.", "forget that, I spoke too soon"),
    ("以后都用繁体字回答我。", "当我没说。"),
]


def say(brain: SmartBrain, text: str, turn_id: str, session: str = "s", user: str = "u") -> Any:
    return brain.commit_turn(session, messages=[{"role": "user", "content": text}], turn_id=turn_id, user_id=user)


def active(brain: SmartBrain, user: str = "u") -> list[str]:
    return sorted(item.key for item in brain.memories(user_id=user))


@pytest.mark.parametrize(("said", "back"), CHATS)
def test_the_next_turn_takes_back_what_was_just_written(brain: SmartBrain, said: str, back: str) -> None:
    assert say(brain, said, "a").memory_written.count == 1
    result = say(brain, back, "b")
    assert active(brain) == []
    assert "retracted" in [verdict.action for verdict in result.explain.retention]


@pytest.mark.parametrize(("said", "back"), CHATS)
def test_a_turn_between_keeps_it(brain: SmartBrain, said: str, back: str) -> None:
    say(brain, said, "a")
    say(brain, "What time is it?", "b")
    say(brain, back, "c")
    assert len(active(brain)) == 1


@pytest.mark.parametrize(("said", "back"), CHATS)
def test_another_session_or_user_takes_nothing_back(brain: SmartBrain, said: str, back: str) -> None:
    say(brain, said, "a")
    say(brain, back, "b", session="other")
    say(brain, back, "b", user="v")
    assert len(active(brain)) == 1


@pytest.mark.parametrize(("said", "back"), CHATS)
def test_memory_made_anew_has_taken_it_back_too(brain: SmartBrain, said: str, back: str) -> None:
    say(brain, said, "a")
    say(brain, back, "b")
    before = [item.model_dump() for item in brain.memories(user_id="u", status=None)]
    brain.rebuild(user_id="u")
    assert [item.model_dump() for item in brain.memories(user_id="u", status=None)] == before


@pytest.mark.parametrize(("said", "back"), CHATS)
def test_turns_committed_together_know_each_other(make_brain: Callable[..., SmartBrain], said: str, back: str) -> None:
    brain = make_brain()
    batch = [
        {"session_id": "s", "turn_id": turn_id, "user_id": "u", "messages": [{"role": "user", "content": text}]}
        for turn_id, text in (("a", said), ("b", back))
    ]
    brain.commit_turns(batch)
    assert active(brain) == []


def test_a_staged_turn_takes_back_too(brain: SmartBrain) -> None:
    say(brain, CHATS[0][0], "a")
    brain.open_turn("s", turn_id="b", user_id="u")
    brain.stage("s", "b", messages=[{"id": "m", "role": "user", "content": "Scratch that."}], user_id="u")
    brain.commit_turn("s", turn_id="b", user_id="u")
    assert active(brain) == []
