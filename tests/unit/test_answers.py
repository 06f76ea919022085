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
        ("你对什么食物过敏吗？", "花生和虾", "profile:user", "allergy", "虾"),
        ("你有宠物吗？", "有，一只三花", "profile:user", "pet", "三花"),
        ("请问怎么称呼您？", "老范就行", "profile:user", "nickname", "老范"),
        ("您有什么慢性病吗？", "高血压", "profile:user", "health", "高血压"),
        ("您平时吃什么药？", "氨氯地平", "profile:user", "medication", "氨氯地平"),
        ("所以您住在苏州，对吗？", "不是，在无锡", "profile:user", "home", "无锡"),
        ("您的孩子多大了？", "刚上一年级", "profile:user_child", "grade", "一年级"),
        ("Any allergies I should know about?", "cashews", "profile:user", "allergy", "cashews"),
        ("Nice. Where do you live?", "Porto", "profile:user", "home", "Porto"),
        ("What do you do?", "a welder, mostly nights", "profile:user", "role", "welder"),
    ],
)
def test_a_short_answer_is_a_statement(question: str, answer: str, key: str, k: str, v: str) -> None:
    assert (key, k, v) in facts(question, answer)


def keys(question: str, answer: str) -> set[str]:
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
    found = RulesExtractor(classifier=False).extract(turn)
    return {one.key for one in found.candidates} | {f"-{one.key}" for one in found.retractions}


@pytest.mark.parametrize(
    ("question", "answer", "key"),
    [
        ("你平时用什么编辑器？", "Neovim", "pref:tools:editor"),
        ("你希望我用什么语言回复？", "繁體中文", "pref:writing:language"),
        ("回答要详细还是简短？", "简短", "pref:writing:length"),
        ("需要我以后都用要点回答吗？", "好，以后都这样", "pref:writing:format"),
        ("要不要以后默认用英文？", "不用，中文就好", "pref:writing:language"),
        ("你们最后定哪家酒店？", "全季那家", "decision:default:全季那家"),
        ("什么时候面试？", "下周三下午", "event:default:2026-03-11:interview_面试"),
        ("上次说的报告写完了吗？", "写完了，昨晚交的", "task:default:报告"),
        ("考研还考吗？", "不考了", "-goal:default:考研"),
    ],
)
def test_an_answer_settles_what_was_asked(question: str, answer: str, key: str) -> None:
    assert key in keys(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"), [("报告写完了吗？", "还没"), ("要不要以后默认用英文？", "随便"), ("你有宠物吗？", "没有")]
)
def test_an_answer_that_settles_nothing_keeps_nothing(question: str, answer: str) -> None:
    assert not keys(question, answer)


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
