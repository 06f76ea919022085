"""What only looks like something to remember, by kind: each kind, and beside it what must still be kept."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Candidate, Message, Scope, Turn

SAID_AT = datetime.fromisoformat("2026-03-18T21:40:00+08:00")  # a Wednesday
RULES = RulesExtractor()


def extraction(*said: tuple[str, str], name: str = "") -> Any:
    messages = tuple(
        Message(id=f"m{at}", role=role, content=text, name=name or None)  # type: ignore[arg-type]
        for at, (role, text) in enumerate(said)
    )
    scope = Scope("d", "global", "default")
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=scope,
        seq=1,
        messages=messages,
        occurred_at=SAID_AT,
        recorded_at=SAID_AT,
    )
    return RULES.extract(turn, ())


def candidates(text: str, name: str = "") -> tuple[Candidate, ...]:
    found: tuple[Candidate, ...] = extraction(("user", text), name=name).candidates
    return found


def keys(text: str, name: str = "") -> set[str]:
    return {one.key for one in candidates(text, name)}


def facts(text: str, name: str = "") -> set[tuple[str, str, str | None]]:
    return {
        (one.key, fact["k"], fact["v"])
        for one in candidates(text, name)
        if one.type == "profile"
        for fact in one.value["facts"]
    }


def wishes(text: str) -> set[tuple[str, str, str]]:
    return {
        (one.key, str(one.value["value"]), str(one.value["polarity"]))
        for one in candidates(text)
        if one.type == "preferences"
    }


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("往后别在消息末尾塞表情", ("pref:writing:emoji", "表情", "dislike")),
        ("今后不要在回答的开头放表格", ("pref:writing:format", "表格", "dislike")),
        ("以后回答别往里面插表情", ("pref:writing:emoji", "表情", "dislike")),
        ("今后不要用“亲”称呼我", ("pref:writing:tone", "亲", "dislike")),
        ("别再拿“您”叫我了", ("pref:writing:tone", "您", "dislike")),
        ("以后在回复里多放点表情", ("pref:writing:emoji", "表情", "like")),
        ("以后别忘了在回答末尾附上出处", ("pref:writing:sources", "出处", "like")),
        ("请用“您”称呼我", ("pref:writing:tone", "您", "like")),
    ],
)
def test_what_is_refused_at_a_place_is_not_wanted(said: str, wish: tuple[str, str, str]) -> None:
    assert wishes(said) == {wish}


@pytest.mark.parametrize(
    "said", ["我们部门的人都爱用企业微信", "我们班的同学都喜欢打篮球", "小区里的邻居都用现金", "同事们都爱喝奶茶"]
)
def test_what_all_of_a_group_do_is_not_the_users_habit(said: str) -> None:
    assert keys(said) == set()


def test_what_one_does_among_others_is() -> None:
    assert wishes("我们部门的人都用企业微信，我只用飞书") == {("pref:tools:chat", "飞书", "like")}
    assert wishes("我平时一直用企业微信") == {("pref:tools:chat", "企业微信", "like")}


@pytest.mark.parametrize(
    "said",
    [
        "镇政府决定拆掉老戏台",
        "房东决定把车位收回去",
        "业委会表决通过了装电梯",
        "区教育局宣布改用新教材",
        "最后是老李一锤定音",
    ],
)
def test_what_another_body_decides_is_not_our_decision(said: str) -> None:
    assert not any(key.startswith("decision:") for key in keys(said))


def test_what_we_settle_with_another_body_is() -> None:
    assert any(key.startswith("decision:") for key in keys("我们和物业商量后决定换门禁"))
    assert "decision:default:tool" in keys("公司决定用飞书办公")
    assert "decision:default:destination" in keys("吵到最后一锤定音，团建地点定了，去莫干山")


def test_what_was_settled_stands_in_the_clause_behind_it() -> None:
    (made,) = candidates("店名终于定下来了：半亩田")
    assert (made.key, made.value["decision"]) == ("decision:default:name", "半亩田")


@pytest.mark.parametrize("said", ["我就爱加班，加班使我快乐", "我就喜欢堵车", "最爱被客户催了", "挤地铁使我快乐"])
def test_praise_of_a_nuisance_is_a_joke(said: str) -> None:
    assert keys(said) == set()


def test_what_one_does_like_is_none() -> None:
    assert keys("我就爱吃榴莲") == {"pref:other:榴莲"}


@pytest.mark.parametrize("said", ["我比较喜欢第三张", "我更喜欢第二版", "还是喜欢B方案", "更喜欢倒数第二款"])
def test_one_of_several_that_are_shown_is_no_lasting_liking(said: str) -> None:
    assert keys(said) == set()


def test_what_only_counts_in_its_name_is() -> None:
    assert keys("我喜欢第二次世界大战的历史") == {"pref:other:第二次世界大战的历史"}


@pytest.mark.parametrize("said", ["又是被电话吵醒的一天", "喊我小名的那个人", "念的时候全场都笑了"])
def test_half_of_another_phrase_is_no_value(said: str) -> None:
    assert facts(said) == set()


@pytest.mark.parametrize(
    "said",
    ["有一家院子里养了只孔雀", "楼下便利店养了只橘猫", "there's a huge tabby at the pub", "the garage has a dog"],
)
def test_an_animal_seen_somewhere_is_nobodys_pet(said: str) -> None:
    assert facts(said) == set()


def test_an_animal_of_ones_own_is_wherever_it_is_kept() -> None:
    assert ("profile:user", "pet", "鹅") in facts("我家院子里养了只大鹅")
    assert ("profile:user", "pet", "dog") in facts("we've got a dog at home")


@pytest.mark.parametrize("said", ["机器人以后回答都短点", "keep your answers short, bot", "以后别放表情了"])
def test_how_somebody_else_wants_to_be_answered_is_no_fact_of_theirs(said: str) -> None:
    found = extraction(("user", said), name="Juno")
    assert found.candidates == ()
    assert "how somebody else wants to be answered" in {verdict.reason for verdict in found.skipped}


def test_what_they_like_and_work_with_is() -> None:
    assert ("profile:juno", "likes", "okonomiyaki") in facts("I love okonomiyaki", "Juno")


def test_what_somebody_else_told_is_theirs_over_the_clauses_behind_it() -> None:
    assert keys("男的说他不吃辣、不养猫，理想是五十岁前退休去养蜂") == set()


@pytest.mark.parametrize("said", ["我们科室的化验报告下来了", "录取名单下来了", "判决下来了"])
def test_what_comes_by_itself_is_no_task_of_ours(said: str) -> None:
    assert not any(key.startswith("task:") for key in keys(said))


def test_what_one_did_is() -> None:
    assert "task:default:体检报告" in keys("体检报告我写完了")
    assert "task:default:贷款" in keys("贷款批下来了")


def test_a_move_to_another_post_is_no_trip() -> None:
    assert not any(":trip" in key for key in keys("我下个月调去成都分公司了"))
    assert "event:default:2026-03-23:trip_成都" in keys("我下周一去成都出差")


def test_what_is_due_before_a_month_is_over_is_due_on_its_last_day() -> None:
    for said, due in (
        ("我得在月底前把摊位费缴掉", "2026-03-31"),
        ("我下个月底之前要交论文初稿", "2026-04-30"),
        ("I need to pay the caterer by the end of the month", "2026-03-31"),
        ("I have to renew my passport before the end of next month", "2026-04-30"),
    ):
        assert [one.value.get("due") for one in candidates(said) if one.type == "tasks"] == [due], said


def test_one_sign_is_no_aim() -> None:
    assert {one.key for one in extraction(("user", "考研我放弃了，不考了")).retractions} == {"goal:default:考研"}
    assert not extraction(("user", "不考了")).retractions


def test_a_goal_that_is_named_is_reached() -> None:
    (made,) = candidates("减脂目标提前达成了！")
    assert (made.key, made.value["status"]) == ("goal:default:减脂目标", "done")


@pytest.mark.parametrize(
    "said",
    [
        "I live on tea and spite",
        "I live in dungarees",
        "I live in Obsidian these days",
        "We live in dread of the bailiffs",
    ],
)
def test_what_one_lives_on_or_in_all_day_is_no_home(said: str) -> None:
    assert not any(k == "home" for _, k, _ in facts(said))


@pytest.mark.parametrize(
    ("said", "home"),
    [
        ("I live on Skye", "Skye"),
        ("I live on Mafeking Road", "Mafeking Road"),
        ("we live on a smallholding near Builth", "smallholding near Builth"),
        ("i live in leeds", "leeds"),
    ],
)
def test_where_one_lives_is(said: str, home: str) -> None:
    assert ("profile:user", "home", home) in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "I LOVE memorising a new org chart, truly my passion.",
        "I love waiting on hold",
        "I just love being woken at 4 by the bin lorry",
        "Oh great, another site visit. I love driving to Slough.",
        "Oh sure, take my desk too. I love standing. My new goal is to become furniture by Friday.",
    ],
)
def test_praise_in_anger_is_irony(said: str) -> None:
    assert keys(said) == set()


def test_praise_in_earnest_is_not() -> None:
    assert keys("I love standing stones") == {"pref:other:standing_stones"}
    assert keys("Oh great, thanks! I love driving to Slough.") == {"pref:other:driving_to_slough"}
    assert keys("Great, another parking fine. Remind me to pay it to the council by Friday") != set()


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("I have to post the deeds to the solicitor or they'll bill us twice", "task:default:post_deeds_to_solicitor"),
        ("I need to renew the skip permit or she'll fine us", "task:default:skip_permit"),
        ("Anyhow the quote for the Okafors is sent", "task:default:quote_for_okafors"),
        ("Long story short the boiler is fixed", "task:default:boiler"),
    ],
)
def test_words_between_statements_are_no_part_of_a_key(said: str, key: str) -> None:
    assert keys(said) == {key}


def test_an_or_within_a_thing_is() -> None:
    assert keys("I need to buy paprika or cumin") == {"task:default:paprika_or_cumin"}


@pytest.mark.parametrize(
    ("said", "question", "answer", "due"),
    [
        ("remind me to pay the roofer", "Sure. When is it due?", "by the 27th, no rush", "2026-03-27"),
        ("remind me to renew the passport", "When should I remind you?", "next Friday please", "2026-03-27"),
        ("提醒我交停车费", "好的，什么时候到期？", "这个月28号", "2026-03-28"),
        ("提醒我續借圖書", "沒問題，要在哪天之前？", "下週三", "2026-03-25"),
        ("remind me to pay the roofer", "By when?", "not sure yet, maybe Friday", None),
        ("remind me to pay the roofer", "Will do. What's the weather there?", "Friday was sunny", None),
        ("remind me to pay the roofer by Monday", "When is he coming?", "on Thursday", "2026-03-23"),
    ],
)
def test_a_day_that_is_asked_for_is_the_day_of_the_task(said: str, question: str, answer: str, due: str | None) -> None:
    found = extraction(("user", said), ("assistant", question), ("user", answer)).candidates
    assert [one.value.get("due") for one in found if one.type == "tasks"] == [due]


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("hit my goal of reading 40 books!!", "goal:default:read_40_books"),
        ("I finally smashed my target of running 900 km", "goal:default:run_900_km"),
        ("reached our savings goal of 20k", "goal:default:20k"),
    ],
)
def test_a_goal_that_is_hit_is_reached(said: str, key: str) -> None:
    (made,) = candidates(said)
    assert (made.key, made.value["status"]) == (key, "done")


def test_what_was_hit_otherwise_is_no_goal() -> None:
    assert not any(key.startswith("goal:") for key in keys("hit my head on the beam of the barn"))


def test_what_only_points_at_a_task_takes_no_other_back() -> None:
    found = extraction(("user", "take painting the shed off my list, I don't need to do that any more")).retractions
    assert [one.key for one in found] == ["task:default:paint_shed"]
    found = extraction(("user", "I don't need to do the hedge any more")).retractions
    assert [one.key for one in found] == ["task:default:hedge"]


def test_the_last_word_of_a_long_name_is_kept_though_it_begins_like_another() -> None:
    (made,) = candidates("FCS is short for Fenwick Choral Society in my notes")
    assert made.value["name"] == "Fenwick Choral Society"


def test_who_left_one_employer_is_with_the_next() -> None:
    assert ("profile:user_brother", "employer", "Holt") in facts("My brother's left Brandt, he's with Holt now")
    assert not any(v == "Holt" for _, _, v in facts("My brother is in town, he's with Holt now"))


def test_a_sense_that_half_is_left_of_is_told_as_it_was() -> None:
    assert ("profile:user_father", "health", "deaf in one ear") in facts("My dad is deaf in one ear")


def test_an_organ_alone_is_no_illness() -> None:
    assert not any(k == "health" for _, k, _ in facts("我心脏，怎么说呢"))
    assert ("profile:user", "health", "心脏搭过两个支架") in facts("我今年六十八，心脏搭过两个支架")


def test_a_choice_of_one_slot_is_none_of_another() -> None:
    assert wishes("前端项目我一直用 yarn，以后给命令就按这个来") == {("pref:coding:package_manager", "yarn", "like")}
    assert wishes("前端框架我一直用 Vue") == {("pref:coding:framework", "Vue", "like")}


def test_what_one_may_not_have_is_no_matter_of_taste() -> None:
    assert not any(k == "dislikes" for _, k, _ in facts("我先生林志豪有痛风，海鲜啤酒都不行"))
    assert ("profile:user_son", "likes", "挖土机") in facts("我儿子超迷挖土机")
    assert keys("我老是迷路") == set()


@pytest.mark.parametrize(
    ("said", "home"),
    [("我搬到台南安平了", "台南安平"), ("我搬到上海工作了", "上海"), ("我搬到成都两年了", "成都")],
)
def test_a_part_of_a_town_belongs_to_its_name(said: str, home: str) -> None:
    assert ("profile:user", "home", home) in facts(said)


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("我的梦想是明年在大理办一场陶艺展", "goal:default:在大理办一场陶艺展"),
        ("我的目标是在三十岁前学会冲浪", "goal:default:学会冲浪"),
    ],
)
def test_where_an_aim_lies_is_a_part_of_it_and_when_is_not(said: str, key: str) -> None:
    assert keys(said) == {key}


def test_what_a_piece_of_writing_is_like_is_not_said_by_its_writer() -> None:
    assert keys("内容像这样：我叫秀兰，二十岁，我恨透了这座城") == set()
    assert ("profile:user", "name", "秀兰") in facts("我叫秀兰，二十岁")


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("我爸六十八了还天天去钓鱼", ("profile:user_father", "age", "六十八")),
        ("姥姥今年该九十二了", ("profile:user_grandmother", "age", "九十二")),
        ("我三十一了哈哈", ("profile:user", "age", "三十一")),
    ],
)
def test_an_age_may_have_words_behind_it_and_before_it(said: str, fact: tuple[str, str, str]) -> None:
    assert fact in facts(said)


def test_a_tool_that_is_what_one_has_is_used() -> None:
    assert wishes("终端一直用 Kitty，shell 是 fish") == {
        ("pref:tools:terminal", "Kitty", "like"),
        ("pref:tools:shell", "fish", "like"),
    }


def test_an_order_about_tests_names_its_language_only_by_the_way() -> None:
    assert wishes("以后给我写的 Rust 代码都要带单元测试") == {("pref:coding:tests", "单元测试", "like")}
    assert wishes("以后代码都用 Go 写") == {("pref:coding:language", "Go", "like")}


def test_a_bare_rise_is_no_promotion() -> None:
    assert not any(":promotion" in key for key in keys("体温又升了"))
    assert any(":promotion" in key for key in keys("我上周升了主管"))


def test_a_version_may_be_released_in_english_words() -> None:
    assert keys("App 2.6 这周五 release") == {"event:default:2026-03-20:release_app_2_6"}


def test_of_two_ways_the_first_is_chosen_where_the_other_is_set_against_it() -> None:
    assert ("pref:coding:indentation", "tabs", "like") in wishes("For code, tabs not spaces please")
    assert ("pref:coding:indentation", "tabs", "dislike") in wishes("no tabs please, never")


def test_where_one_is_just_now_and_a_side_of_something_unnamed_are_nothing_to_remember() -> None:
    assert keys("I'm at the dentist, talk later") == set()
    assert keys("Don't suggest anything with mushrooms, the texture makes me gag") == set()
    assert keys("I'm at the dentist on Friday at 9") == {"event:default:2026-03-20:appointment"}
