"""The Chinese rules on what is told in passing: trades, pills and tastes by idiom, settled choices, work not yet done."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from smartbrain.extraction import rules_zh
from smartbrain.extraction.hits import Hit
from smartbrain.extraction.learned.personal import personal
from smartbrain.extraction.learned.sanity import plausible
from smartbrain.extraction.reading import read
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn

SAID_AT = datetime.fromisoformat("2026-03-18T21:40:00+08:00")  # a Wednesday


def kept(text: str) -> list[Hit]:
    message = Message(id="m", role="user", content=text)
    found = [hit for sentence in read(message, SAID_AT) for hit in rules_zh.find(sentence)]
    return [hit for hit in found if not hit.skipped and not hit.back]


def facts(text: str) -> set[tuple[str, str, str | None]]:
    return {
        (hit.key, fact["k"], fact["v"]) for hit in kept(text) if hit.type == "profile" for fact in hit.value["facts"]
    }


def wishes(text: str) -> set[tuple[str, str, str]]:
    return {
        (hit.key, str(hit.value["value"]), str(hit.value["polarity"]))
        for hit in kept(text)
        if hit.type == "preferences" and not hit.retract
    }


def told(text: str, kind: str) -> set[tuple[str, str]]:
    return {(hit.key, str(hit.value.get("status", ""))) for hit in kept(text) if hit.type == kind and not hit.retract}


@pytest.mark.parametrize(
    ("text", "trade"),
    [
        ("我一修表的，瞎打听一句", "修表"),
        ("我就一印名片的，能印就行", "印名片"),
        ("我在工地上绑钢筋", "绑钢筋"),
        ("现在给一个小区看大门", "看大门"),
        ("我靠修鞋吃饭", "修鞋"),
        ("我养蜂为生", "养蜂"),
        ("我跑船跑了二十年", "跑船"),
        ("我守着个小卖部", "小卖部"),
    ],
)
def test_a_trade_is_known_by_what_one_lives_of(text: str, trade: str) -> None:
    assert ("profile:user", "role", trade) in facts(text)


@pytest.mark.parametrize(
    "text", ["我碰见个卖菜的", "那个送外卖的真快", "我一看的时候就懂了", "最后还是没下手", "找个会修车的"]
)
def test_somebody_one_meets_is_not_ones_own_trade(text: str) -> None:
    assert not {fact for fact in facts(text) if fact[1] == "role"}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("大夫说我甲减，优甲乐得长期吃", ("profile:user", "health", "甲减")),
        ("大夫说我甲减，优甲乐得长期吃", ("profile:user", "medication", "优甲乐")),
        ("我家老太太查出来帕金森，药是美多芭", ("profile:user_mother", "medication", "美多芭")),
        ("降压药一天一片，断不得", ("profile:user", "medication", "降压药")),
        ("我心脏装了支架", ("profile:user", "health", "心脏装了支架")),
        ("我芒果一碰嘴就肿", ("profile:user", "allergy", "芒果")),
        ("我青霉素皮试阳性", ("profile:user", "allergy", "青霉素")),
        ("我先生在榮總當麻醉科醫師", ("profile:user_husband", "employer", "榮總")),
        ("我在成大念大三，室友在協和規培", ("profile:user_roommate", "employer", "協和")),
        ("闺女考到川大去了", ("profile:user_daughter", "school", "川大")),
        ("我上初二不是初三哦", ("profile:user", "grade", "初二")),
        ("我五菱宏光送货", ("profile:user", "vehicle", "五菱宏光")),
        ("我五十有六了", ("profile:user", "age", "五十有六")),
        ("我在义乌落脚了", ("profile:user", "home", "义乌")),
        ("家里就剩我跟一只八哥", ("profile:user", "pet", "一只八哥")),
        ("我单着呢", ("profile:user", "marital", "单着")),
    ],
)
def test_a_fact_told_in_passing_is_kept(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(text)


def test_what_others_call_one_does_not_make_the_rest_theirs() -> None:
    found = facts("大家叫我阿坤就行，今年四十三，老家赣州")
    assert ("profile:user", "age", "四十三") in found
    assert ("profile:user", "hometown", "赣州") in found


def test_a_workplace_without_a_name_is_no_employer() -> None:
    for text in ("我在乡下当老师", "我在工地当保安", "我在北京当会计"):
        assert not {fact for fact in facts(text) if fact[1] == "employer"}


@pytest.mark.parametrize(
    ("text", "key", "polarity"),
    [
        ("折耳根我是真下不去嘴", "pref:other:折耳根", "dislike"),
        ("我对夜市的臭豆腐完全没辙", "pref:other:夜市的臭豆腐", "dislike"),
        ("我跟海鲜八字不合", "pref:other:海鲜", "dislike"),
        ("化疗以后一点葱花都不想碰", "pref:other:葱花", "dislike"),
        ("榴莲我现在居然真香了", "pref:other:榴莲", "like"),
        ("京剧百听不厌", "pref:other:京剧", "like"),
        ("一天不喝普洱浑身难受", "pref:other:普洱", "like"),
        ("我对老物件毫无抵抗力", "pref:other:老物件", "like"),
    ],
)
def test_a_taste_may_be_told_by_an_idiom(text: str, key: str, polarity: str) -> None:
    assert [(hit.key, hit.value["polarity"]) for hit in kept(text)] == [(key, polarity)]


@pytest.mark.parametrize(
    "text",
    [
        "今天一点都不想动",
        "昨天那家火锅我吃不来",
        "你对香菜没辙吗",
        "孩子们一点都不想走",
        "代码我看不来",
        "我最爱把同一张表填四遍了呢",
    ],
)
def test_an_idiom_without_a_lasting_thing_is_no_taste(text: str) -> None:
    assert not kept(text)


def test_an_idiom_of_a_relative_is_a_fact_of_theirs() -> None:
    assert ("profile:user_mother", "dislikes", "折耳根") in facts("我妈折耳根下不去嘴")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("回我的时候先讲结论，后面随便", ("pref:writing:style", "先讲结论", "like")),
        ("别蹦洋词儿，我听不懂", ("pref:writing:style", "洋词儿", "dislike")),
        ("能不能别老叫我亲呀", ("pref:writing:tone", "亲", "dislike")),
        ("菜谱里的量都按克写，以后都这样", ("pref:ui:units", "克", "like")),
        ("写 code 的时候 comment 一律用英文", ("pref:coding:comments", "英文", "like")),
        ("现在主力就是 Fedora", ("pref:tools:os", "Fedora", "like")),
        ("别再给我 brew 的命令了", ("pref:coding:package_manager", "brew", "dislike")),
        ("開會拜託不要排早上十點以前", ("pref:other:meeting_time", "早上十點以前", "dislike")),
        ("语音条我听不了", ("pref:other:contact", "语音", "dislike")),
        ("我付账都刷信用卡", ("pref:tools:payment", "信用卡", "like")),
    ],
)
def test_how_it_is_to_be_is_understood_as_people_say_it(text: str, found: tuple[str, str, str]) -> None:
    assert found in wishes(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("机票还没订，得赶紧弄", ("task:default:机票", "todo")),
        ("可别忘了月底前把电费缴了", ("task:default:电费", "todo")),
        ("毕业照的钱我收齐了", ("task:default:毕业照的钱", "done")),
        ("装修停了，瓷砖没货", ("task:default:装修", "blocked")),
        ("猪圈的消毒还没弄，药没到，干等", ("task:default:猪圈的消毒", "blocked")),
    ],
)
def test_work_is_known_by_what_stands_beside_it(text: str, found: tuple[str, str]) -> None:
    assert found in told(text, "tasks")


def test_what_is_due_by_the_end_of_the_month_has_until_its_last_day() -> None:
    assert [hit.value.get("due") for hit in kept("可别忘了月底前把电费缴了") if hit.type == "tasks"] == ["2026-03-31"]


def test_what_is_only_to_be_hurried_is_no_task_of_its_own() -> None:
    assert not told("得赶快弄", "tasks")


def test_a_thing_that_is_not_yet_done_alone_is_no_task() -> None:
    assert not told("机票还没订", "tasks")


@pytest.mark.parametrize("text", ["那个学区证明不用开了", "机票甭订了", "换锁的事算了"])
def test_what_need_not_be_done_is_taken_back(text: str) -> None:
    assert [hit.type for hit in kept(text) if hit.retract] == ["tasks"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("葡萄不种了，愁了三年，一家人坐下来定的，明年改种黄桃", "黄桃"),
        ("志愿就填师范了，定了，我妈哭了一场", "师范"),
        ("二胎不要了，两口子商量定的", "二胎不要"),
        ("跟房东谈妥了，续租一年", "一年"),
    ],
)
def test_a_choice_counts_where_it_is_said_that_it_was_settled(text: str, said: str) -> None:
    found = [str(hit.value["decision"]) for hit in kept(text) if hit.type == "decisions"]
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.parametrize(
    "text", ["市政府决定斥资四亿修建绕城公路", "业委会决定不装充电桩", "学校决定延期开学", "房东决定不租了"]
)
def test_what_others_decide_is_news(text: str) -> None:
    assert not told(text, "decisions")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("房子昨天过户了", "event:default:2026-03-17:purchase"),
        ("我侄女今早生了", "event:default:2026-03-18:birth"),
        ("被裁了，昨天 HR 找我谈", "event:default:2026-03-17:layoff"),
        ("上周一 3.2 版全量了", "event:default:2026-03-09:release"),
    ],
)
def test_an_event_is_known_by_the_word_people_use_for_it(text: str, key: str) -> None:
    assert [hit.key.startswith(key) for hit in kept(text) if hit.type == "events"] == [True]


@pytest.mark.parametrize("text", ["戒酒这事我认真的", "今年我非把驾照拿下不可", "准备明年去考日检 N2"])
def test_an_aim_is_known_by_how_it_is_meant(text: str) -> None:
    assert {hit.type for hit in kept(text)} == {"goals"}


@pytest.mark.parametrize("text", ["照这么吃下去我目标是年底破二百斤哈哈哈", "好想学会像他那样煎牛排"])
def test_a_wish_or_a_joke_is_no_aim(text: str) -> None:
    assert not told(text, "goals")


def test_what_was_said_before_is_taken_back_over_a_comma() -> None:
    (hit,) = kept("之前跟你说我不喝豆浆那个，不作数了哈")
    assert (hit.key, hit.retract) == ("pref:other:豆浆", True)


def test_a_joke_is_owned_up_to_in_the_next_message() -> None:
    said: Any = [
        Message(id=f"m{at}", role="user", content=text)
        for at, text in enumerate(("我改吃素了", "骗你的哈哈，刚啃完一只肘子"))
    ]
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=tuple(said),
        occurred_at=SAID_AT,
        recorded_at=SAID_AT,
    )
    found = RulesExtractor(classifier=False).extract(turn, ()).candidates
    assert not [fact for one in found for fact in one.value["facts"] if fact["v"] is not None]


def test_a_thing_is_not_held_up_where_nothing_is_missing() -> None:
    assert not told("猪圈的消毒还没弄，天气真好", "tasks")


@pytest.mark.parametrize(
    ("label", "value", "message", "may_be"),
    [
        ("employer", "市二院", "老妈下周四做白内障手术，在市二院", False),
        ("employer", "市二院", "我在市二院，天天夜班", True),
        ("employer", "西安", "老家天水，在西安上班", False),
        ("dislike", "太麻烦", "太麻烦，换一个", False),
        ("t.spreadsheet", "/data/paiban/2026.xlsx", "排班表都在 /data/paiban/2026.xlsx 里", False),
    ],
)
def test_a_value_that_cannot_be_one_of_its_class_is_none(label: str, value: str, message: str, may_be: bool) -> None:
    assert plausible(label, value, message) is may_be


def test_how_the_text_asked_for_now_is_to_be_is_no_lasting_wish() -> None:
    assert not personal("preferences", "w.tone", "客气一点", "帮我给家长群写个通知，客气一点")
    assert personal("preferences", "w.tone", "客气一点", "帮我给家长群写个通知，客气一点，以后都这样")
    assert personal("preferences", "w.tone", "说话客气一点", "说话客气一点")


def keys_of(*said: str) -> set[str]:
    messages = tuple(Message(id=f"m{at}", role="user", content=text) for at, text in enumerate(said))
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=messages,
        occurred_at=SAID_AT,
        recorded_at=SAID_AT,
    )
    found = RulesExtractor(classifier=False).extract(turn, ())
    facts_found = {
        f"{one.key} {fact['k']} {fact['v']}" for one in found.candidates for fact in one.value.get("facts", ())
    }
    return facts_found | {one.key for one in found.candidates} | {f"-{one.key}" for one in found.retractions}


def test_what_is_put_right_in_the_next_message_is_of_the_one_spoken_of() -> None:
    assert keys_of("我闺女上三年级", "哦不，四年级") == {"profile:user_daughter", "profile:user_daughter grade 四年级"}


def test_a_day_is_put_right_in_the_next_message() -> None:
    found = keys_of("复查是24号", "不对，改到26号了")
    assert "event:default:2026-03-26:appointment_复查" in found
    assert "-event:default:2026-03-24:appointment_复查" in found


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("哈哈跟你说个笑话。说正经的，我青霉素过敏这事你给我记上", "profile:user"),
        ("前天刚躺下又被叫起来。我司仪做了十一年，什么场面都见过", "profile:user"),
        ("早市砍价砍了十分钟。周五给班主任送点茶叶过去，你到时候提醒我", "task:default:给班主任送点茶叶"),
        ("店里就三桌客人。我跟我老婆合计了两宿，把店转出去，字都签了", "decision:default:店"),
    ],
)
def test_one_thing_among_small_talk_is_found(text: str, key: str) -> None:
    assert key in {hit.key for hit in kept(text)}


def test_a_thing_has_another_name_by_what_people_call_it() -> None:
    (hit,) = kept("市工人文化宫，我们都叫它工宫")
    assert (hit.key, list(hit.value["aliases"])) == ("entity:other:市工人文化宫", ["工宫"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("以后给我写的 Go 代码都要带单元测试", ("pref:coding:tests", "单元测试", "like")),
        ("终端一直用 Kitty，shell 是 zsh", ("pref:tools:shell", "zsh", "like")),
        ("我超迷手办", ("pref:other:手办", "手办", "like")),
    ],
)
def test_a_choice_is_of_the_slot_that_is_asked_for(text: str, found: tuple[str, str, str]) -> None:
    assert found in wishes(text)


def test_a_choice_is_not_of_two_slots() -> None:
    messages = (Message(id="m", role="user", content="前端项目我一直用 pnpm，以后给命令就按这个来"),)
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=messages,
        occurred_at=SAID_AT,
        recorded_at=SAID_AT,
    )
    found = [one.key for one in RulesExtractor().extract(turn, ()).candidates if one.value.get("value") == "pnpm"]
    assert found == ["pref:coding:package_manager"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("我爸七十了还天天去抓泥鳅", ("profile:user_father", "age", "七十")),
        ("姥姥属猪，今年该九十一了", ("profile:user_grandmother", "age", "九十一")),
        ("我是兰州大学大三的", ("profile:user", "grade", "大三")),
    ],
)
def test_a_number_or_a_year_stands_where_it_stands_in_talk(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(text)


def test_an_aim_keeps_where_it_is_to_be() -> None:
    assert {hit.key for hit in kept("我的梦想是明年在苏州办一场编织展")} == {"goal:default:在苏州办一场编织展"}


def test_what_was_wished_is_taken_back_by_what_was_said() -> None:
    assert "-pref:writing:language" in keys_of("之前说的要用繁体那个不算了")
