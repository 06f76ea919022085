"""Short answers to what the assistant asked of the user."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.extraction.answers import as_statement
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def facts(question: str, answer: str) -> list[tuple[str, str, str]]:
    said = (Message(id="a", role="assistant", content=question), Message(id="u", role="user", content=answer))
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=said,
        occurred_at=NOON,
        recorded_at=NOON,
    )
    found = RulesExtractor().extract(turn).candidates
    assert all(one.quote in answer for one in found)
    return [(one.key, fact["k"], fact["v"]) for one in found for fact in one.value.get("facts", ())]


@pytest.mark.parametrize(
    ("question", "answer", "key", "k", "v"),
    [
        ("你对什么过敏？", "腰果", "profile:user", "allergy", "腰果"),
        ("您做什么工作？", "电工，干了十年", "profile:user", "role", "电工"),
        ("好的。你住在哪？", "泉州", "profile:user", "home", "泉州"),
        ("您老家是哪里？", "绍兴", "profile:user", "hometown", "绍兴"),
        ("你今年多大？", "四十一", "profile:user", "age", "四十一岁"),
        ("您在哪上班？", "顺丰", "profile:user", "employer", "顺丰"),
        ("您妈妈对什么过敏？", "青霉素", "profile:user_mother", "allergy", "青霉素"),
        ("請問您對什麼過敏？", "芒果", "profile:user", "allergy", "芒果"),
        ("Any allergies I should know about?", "cashews", "profile:user", "allergy", "cashews"),
        ("Nice. Where do you live?", "Porto", "profile:user", "home", "Porto"),
        ("What do you do?", "a welder, mostly nights", "profile:user", "role", "welder"),
    ],
)
def test_a_short_answer_is_a_statement(question: str, answer: str, key: str, k: str, v: str) -> None:
    assert (key, k, v) in facts(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("你对什么过敏？", "没有"),
        ("你对什么过敏？", "为什么问这个"),
        ("你对什么过敏？", "你猜"),
        ("你住在哪？", "不告诉你"),
        ("有人住在泉州。", "泉州"),
        ("How old is your dog?", "9"),
        ("你的狗几岁了？", "三"),
        ("你公司叫什么名字？", "中通"),
        ("How old is your boss?", "56"),
        ("Any allergies?", "none"),
        ("Where do you live?", "why do you ask"),
        ("Where do you live?", "I would rather keep that to myself for the time being"),
        ("Shall I book it?", "Porto"),
    ],
)
def test_what_declines_or_answers_something_else_is_none(question: str, answer: str) -> None:
    assert as_statement(question, answer) == ""


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_question_and_answer_can_be_read(question: str, answer: str) -> None:
    statement = as_statement(question, answer)
    assert not statement or answer.strip()
