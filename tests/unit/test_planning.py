"""What a plan takes from the wording of a message besides its words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from smartbrain.config import RetrievalPolicy
from smartbrain.policies.planning import PlanningInput, make_plan

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)


def hints(text: str) -> dict[str, object]:
    return make_plan(PlanningInput(text=text, now=NOW, request_id="r", plan_id="p"), RetrievalPolicy()).queries[0].hints


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("When did I last see the dentist?", "last"),
        ("Which lens did I buy most recently?", "last"),
        ("When was the first time I went skiing?", "first"),
        ("我最近一次看牙医是什么时候？", "last"),
        ("我第一次滑雪是什么时候？", "first"),
        ("Was the last lens better than the first lens I bought?", None),
        ("When did I see the dentist?", None),
    ],
)
def test_a_question_for_an_end_of_a_series_says_which(text: str, order: str | None) -> None:
    assert hints(text).get("order") == order


def test_of_a_long_message_only_the_sentence_that_asks_says_which_end() -> None:
    told = "The last time it rained we stayed in and the kids built a castle out of every cushion in the house. " * 2
    assert "order" not in hints(told + "What is the name of our neighbour?")
    assert hints(told + "And when did we last see her?")["order"] == "last"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("The weather is fine and the cat is ill. What I really wanted to ask is: where is Ann?", "where is Ann?"),
        ("Sorry for the noise. My real question is, who called?", "who called?"),
        ("今天天气真好，上周的梦真怪。哎呀，实际上我想问的是：我的医生叫什么？", "我的医生叫什么？"),
        (
            "昨天吃了什么来着？等等，我真正想问的是，他住哪？另外，好累。不对，其实我想知道：她住哪？",
            "他住哪？ 她住哪？",
        ),
        ("What did she really want to ask the doctor?", "What did she really want to ask the doctor?"),
        ("他本来想说的是什么？", "他本来想说的是什么？"),
        ("Where is Ann? That is what I really wanted to ask", "Where is Ann? That is what I really wanted to ask"),
    ],
)
def test_where_a_message_says_what_its_question_is_only_that_is_looked_for(text: str, asked: str) -> None:
    def looked_for(policy: RetrievalPolicy) -> str:
        given = PlanningInput(text=text, now=NOW, request_id="r", plan_id="p")
        return make_plan(given, policy).queries[0].text

    assert looked_for(RetrievalPolicy()) == asked
    assert looked_for(RetrievalPolicy(own_question=False)) == text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What did we talk about on 3 May?", True),
        ("What happened on 2026-05-03?", True),
        ("五月三号我们聊了什么？", True),
        ("What did we talk about in May?", False),
        ("What did I do last week?", False),
        ("What did I do yesterday?", False),
    ],
)
def test_a_day_of_the_calendar_is_told_from_a_vaguer_time(text: str, named: bool) -> None:
    assert bool(hints(text).get("named_day")) is named


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("I tried your tips for the garden. What is the next step?", True),
        ("Okay, that went well.\nLet us go on with the budget then", True),
        ("我按你说的方法试了一个星期。接下来该做什么呢？", True),
        ("What is my dog called?", False),
        ("What is my dog called? And where did I buy its basket?", False),
        ("How often do I see Dr. Smith and Prof. Jones at St. Mary's?", False),
        ("Did C. S. Lewis write the book I liked?", False),
        ("Did version 2.0 of the tool break the build?", False),
        ("Thanks! Where is the key to the shed?", False),
        ("你好。我的狗叫什么名字？", False),
        ("那个主要内容是“分享编程心得，提升编程技能。”的活动，地点是什么？", False),
        ("the name of my dog", False),
    ],
)
def test_a_message_that_also_tells_something_goes_on_with_a_conversation(text: str, so: bool) -> None:
    assert bool(hints(text).get("tells")) is so
