"""What is put right of any hit: the day said beside an event, and values that name nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import pytest

from smartbrain.extraction.hits import Hit, preference
from smartbrain.extraction.mending import one_choice
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn
from smartbrain.ports import Extraction

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)


def said(text: str) -> Extraction:
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=(Message(id="m", role="user", content=text),),
        occurred_at=WEDNESDAY,
        recorded_at=WEDNESDAY,
    )
    return RulesExtractor(classifier=False).extract(turn)


def keys(text: str) -> list[str]:
    return [one.key for one in said(text).candidates]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("I got engaged!!! last night, on the ferry", "event:default:2026-03-03:engagement"),
        ("店里遭贼了，上周六夜里，收银机都给撬了", "event:default:2026-02-28:theft_店里遭贼"),
        ("我被裁了，就今天上午，HR 谈了十分钟", "event:default:2026-03-04:layoff_被裁"),
    ],
)
def test_an_event_takes_the_day_that_is_said_beside_it(text: str, key: str) -> None:
    assert key in keys(text)


def test_a_day_of_something_else_is_not_the_events() -> None:
    assert "event:default:undated:engagement" in keys("I got engaged! We fly to Rome on Friday")


@pytest.mark.parametrize(
    "text",
    [
        "I have a hamster's attention span.",
        "Her interview's on Thursday, wish her luck",
        "我寻思着要不要把猫送人呢，对象过敏",
        "本来决定不带伞，结果下大了",
        "段子：我今年的目标是实现去年没完成的前年目标",
        "给一个叫王强的虚拟人物写档案，34岁，程序员，对猫过敏",
        "你把‘我喜欢吃辣’换个高级说法",
        "Write a dating profile for a grumpy badger. I love digging, I hate daylight.",
        "Reads like: 'Dear Sir, I reside in Lagos and I will give you $4,000,000.' Spam, right?",
    ],
)
def test_what_names_nothing_or_is_nobodys_word_is_not_kept(text: str) -> None:
    found = said(text)
    assert found.candidates == ()
    assert found.retractions == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("还得去车管所把违章给处理了，拖了俩月", "task:default:违章"),
        ("孩子的疫苗本补办好了，跑了三趟", "task:default:孩子的疫苗本"),
        ("今年内必须把烟给戒了", "goal:default:戒烟"),
        ("俺爹是木匠", "profile:user_father"),
        ("I've got to pick up the kids' costumes by Saturday or there will be tears", "task:default:kids_costumes"),
        ("项目文档在 /Users/xm/Docs/wenlv/方案_v3.docx，你对照着看", "entity:file:users_xm_docs_wenlv_方案_v3_docx"),
    ],
)
def test_the_key_names_the_thing_and_no_more(text: str, key: str) -> None:
    assert keys(text) == [key]


def test_what_is_put_off_is_taken_back_by_its_own_key() -> None:
    (one,) = said("機票先不用訂了").retractions
    assert one.key == "task:default:机票"


def test_half_a_verb_begins_no_task() -> None:
    found = said("I'm working on building up confidence and finding positive strategies.")
    assert not [one.key for one in found.candidates if one.type == "tasks"]


@pytest.mark.parametrize(
    ("words", "day"), [("明儿", "2026-03-05"), ("聽日", "2026-03-05"), ("琴日", "2026-03-03"), ("tmrw", "2026-03-05")]
)
def test_a_day_in_the_words_of_talk_is_a_day(words: str, day: str) -> None:
    from smartbrain.extraction.hits import event_day

    assert event_day(words, WEDNESDAY) == day


def test_a_lesson_in_listening_is_no_day() -> None:
    from smartbrain.extraction.hits import event_day

    assert event_day("听日语课", WEDNESDAY) == "undated"


@pytest.mark.parametrize(
    ("text", "key", "polarity"),
    [
        ("写爬虫我偏爱 Go", "pref:coding:language", "like"),
        ("下围棋我喜欢执黑", "pref:other:执黑", "like"),
        ("闹钟铃声我一直关着", "pref:ui:sound", "dislike"),
        ("提示音别关，我一直开着", "pref:ui:sound", "like"),
    ],
)
def test_a_choice_stands_under_its_slot_and_with_its_sense(text: str, key: str, polarity: str) -> None:
    found = {one.key: one.value["polarity"] for one in said(text).candidates if one.type == "preferences"}
    if key == "pref:other:执黑":
        assert "pref:coding:language" not in found
    else:
        assert found.get(key) == polarity


def test_of_a_slot_that_one_choice_fills_nothing_is_said_against_another() -> None:
    def wish(value: str, polarity: Literal["like", "dislike"], name: str = "tone", scope: str = "writing") -> Hit:
        return preference("r", (0, 1), scope=scope, name=name, value=value, polarity=polarity)

    plain, polite, dear = wish("直说", "like"), wish("客套", "dislike"), wish("您", "dislike", "language")
    tea, coffee = wish("茶", "like", "茶", "other"), wish("咖啡", "dislike", "咖啡", "other")
    assert one_choice([[polite, dear], [plain], [tea, coffee]]) == [[dear], [plain], [tea, coffee]]


def test_the_day_in_an_events_own_words_is_its_day() -> None:
    assert "event:default:2026-03-03:death_外公" in keys("昨儿夜里我外公没了")
