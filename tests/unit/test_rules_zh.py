"""The Chinese rules, sentence by sentence: what they keep, under which key, and what stops them."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smartbrain.extraction import rules_zh
from smartbrain.extraction._zh_facts import FACT_RULES
from smartbrain.extraction._zh_slots import SLOTS
from smartbrain.extraction._zh_text import fold_in_place, view_of
from smartbrain.extraction.hits import Hit, Sentence
from smartbrain.extraction.lexicon import EVENT_KINDS, FACTS, RELATIONS, TOPICS
from smartbrain.extraction.lexicon import SLOTS as SLOT_NAMES
from smartbrain.extraction.reading import read
from smartbrain.extraction.rules import RulesExtractor
from smartbrain.model import Message, Scope, Turn

SAID_AT = datetime.fromisoformat("2026-03-18T21:40:00+08:00")  # a Wednesday


def hits_of(text: str, before: str = "") -> list[Hit]:
    message = Message(id="m", role="user", content=text)
    return [
        hit
        for sentence in read(message, SAID_AT)
        for hit in rules_zh.find(
            sentence if not before else Sentence(text, text, 0, len(text), message, SAID_AT, before=before)
        )
    ]


def kept(text: str) -> list[Hit]:
    return [hit for hit in hits_of(text) if not hit.skipped and not hit.back]


def keys(text: str) -> set[str]:
    return {hit.key for hit in kept(text)}


def facts(text: str) -> set[tuple[str, str, str | None]]:
    found: list[tuple[str, str, str | None]] = [
        (hit.key, fact["k"], fact["v"]) for hit in kept(text) if hit.type == "profile" for fact in hit.value["facts"]
    ]
    return set(found)


def only(text: str) -> Hit:
    found = kept(text)
    assert len(found) == 1, found
    return found[0]


def extract(*said: tuple[str, str]) -> Any:
    messages = tuple(Message(id=f"m{at}", role=role, content=text) for at, (role, text) in enumerate(said))  # type: ignore[arg-type]
    turn = Turn(
        session_id="s",
        turn_id="t",
        scope=Scope("d", "global", "default"),
        seq=1,
        messages=messages,
        occurred_at=SAID_AT,
        recorded_at=SAID_AT,
    )
    return RulesExtractor(classifier=False).extract(turn, ())


# --- preferences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "value", "polarity"),
    [
        ("以后写邮件一律用敬语", "pref:writing:tone", "敬语", "like"),
        ("从今天开始，回复都控制在一百字以内", "pref:writing:length", "一百字以内", "like"),
        ("請用台灣用語回我，不要大陸用語", "pref:writing:style", "台灣用語", "like"),
        ("别老夸我，直接说问题", "pref:writing:tone", "夸我", "dislike"),
        ("以后引用数据都要带上出处", "pref:writing:sources", "出处", "like"),
        ("以后能不能都用简体中文回答？", "pref:writing:language", "简体中文", "like"),
        ("字符串我习惯用单引号", "pref:coding:style", "单引号", "like"),
        ("装包我只用 pnpm", "pref:coding:package_manager", "pnpm", "like"),
        ("我一直用火狐，Chrome 太吃内存", "pref:tools:browser", "火狐", "like"),
        ("我平时记笔记都在 Obsidian 里", "pref:tools:notes", "Obsidian", "like"),
        ("溫度請都用攝氏", "pref:ui:units", "攝氏", "like"),
        ("字号调到18吧，看不清", "pref:ui:font_size", "18", "like"),
        ("找我打电话就行，别发微信，我看不到", "pref:other:contact", "打电话", "like"),
        ("我坐飞机只坐靠窗", "pref:other:seat", "靠窗", "like"),
        ("我已经不喜欢喝奶茶了", "pref:other:奶茶", "奶茶", "dislike"),
        ("跟咖啡比我还是更喜欢茶", "pref:other:茶", "茶", "like"),
        ("芹菜我是真吃不惯", "pref:other:芹菜", "芹菜", "dislike"),
        ("我宁可坐火车也不坐飞机", "pref:other:坐火车", "坐火车", "like"),
        ("别再给我推荐短视频了", "pref:other:短视频", "短视频", "dislike"),
    ],
)
def test_a_preference_said_plainly_is_found(text: str, key: str, value: str, polarity: str) -> None:
    hit = only(text)
    assert (hit.key, hit.value["value"], hit.value["polarity"]) == (key, value, polarity)


@pytest.mark.parametrize("adverb", ["还是很", "倒是特别", "一直", "也", "其实挺", "向来", "真的"])
def test_what_says_how_much_one_is_interested_is_no_part_of_the_interest(adverb: str) -> None:
    assert keys(f"我对古典音乐{adverb}感兴趣") == {"pref:other:古典音乐"}


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("生蚝我从来不碰", "生蚝"),
        ("白酒我是一滴不沾的", "白酒"),
        ("但一点醋沾不得", "醋"),
        ("臭鳜鱼以前最爱，现在闻到就反胃", "臭鳜鱼"),
        ("以前很迷桌游，后来玩腻了", "桌游"),
        ("一般来说我宁可坐大巴", ""),
        ("臭鳜鱼以前最爱，现在更爱", ""),
        ("他香菇从来不碰", ""),
        ("生蚝从来不碰的人多吗", ""),
    ],
)
def test_what_is_never_touched_or_turned_against_is_disliked(text: str, thing: str) -> None:
    found = {
        hit.value["value"] for hit in kept(text) if hit.type == "preferences" and hit.value["polarity"] == "dislike"
    }
    assert found == ({thing} if thing else set())


def test_what_one_would_rather_do_is_told_behind_an_opening() -> None:
    assert keys("比较起来我宁可坐大巴") == {"pref:other:坐大巴"}


def test_two_things_liked_in_one_breath_are_two_preferences() -> None:
    assert keys("我很喜欢打羽毛球、跑步和游泳") == {"pref:other:打羽毛球", "pref:other:跑步", "pref:other:游泳"}


def test_adjectives_before_one_thing_are_one_preference() -> None:
    assert keys("我喜欢安静、干净的酒店") == {"pref:other:安静_干净的酒店"}


def test_an_opposite_meets_what_was_said_before_under_its_key() -> None:
    assert keys("我喜欢吃香菜") == keys("我最讨厌香菜") == keys("香菜我不爱吃")


def test_what_another_person_likes_is_their_fact() -> None:
    assert facts("我岳父爱喝白酒") == {("profile:user_father_in_law", "likes", "白酒")}


# --- facts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "k", "v"),
    [
        ("我的名字是欧阳娜", "name", "欧阳娜"),
        ("大家都叫我阿杰", "nickname", "阿杰"),
        ("我今年三十五岁", "age", "三十五岁"),
        ("我生日是11月2号", "birthday", "11月2号"),
        ("去年搬到珠海来了", "home", "珠海"),
        ("我籍贯浙江绍兴", "hometown", "浙江绍兴"),
        ("我是馬來西亞人", "nationality", "馬來西亞"),
        ("我跳槽到小红书了", "employer", "小红书"),
        ("我是小学数学老师", "role", "小学数学老师"),
        ("我在菜市场卖鱼", "role", "卖鱼"),
        ("我学的是土木工程", "major", "土木工程"),
        ("我女儿读初二", "grade", "初二"),
        ("我结婚八年了", "marital", "结婚八年"),
        ("家里养了两条狗", "pet", "狗"),
        ("我养了一只橘猫，叫年糕", "pet", "年糕"),
        ("我确诊了焦虑症", "health", "焦虑症"),
        ("每天早上要吃降压药", "medication", "降压药"),
        ("我海鲜过敏", "allergy", "海鲜"),
        ("我不吃猪肉", "diet", "不吃猪肉"),
        ("我身高一米七八", "height", "一米七八"),
        ("我的母语是闽南话", "languages", "闽南话"),
        ("我每周三晚上打羽毛球", "hobby", "打羽毛球"),
        ("我是基督徒", "religion", "基督徒"),
        ("我邮箱是 abc@example.test", "email", "abc@example.test"),
        ("我在市场部", "team", "市场部"),
    ],
)
def test_a_fact_is_told(text: str, k: str, v: str) -> None:
    assert {(found[1], found[2]) for found in facts(text)} == {(k, v)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我爸有糖尿病", {("profile:user_father", "health", "糖尿病")}),
        ("我同事小刘是东北人", {("profile:小刘", "relation", "同事"), ("profile:小刘", "hometown", "东北")}),
        (
            "周晓琳是我的下属，其职业是银行柜员",
            {("profile:周晓琳", "relation", "下属"), ("profile:周晓琳", "role", "银行柜员")},
        ),
        ("我儿子叫乐乐", {("profile:user_son", "name", "乐乐")}),
        (
            "我儿子叫石头，今年上一年级",
            {("profile:石头", "relation", "儿子"), ("profile:石头", "grade", "一年级")},
        ),
        ("我跟我对象异地，他在西安读博", {("profile:user_partner", "home", "西安")}),
    ],
)
def test_a_statement_about_somebody_else_becomes_their_fact(text: str, found: set[tuple[str, str, str]]) -> None:
    assert facts(text) == found


@pytest.mark.parametrize(
    ("text", "k"),
    [("我从华为离职了", "employer"), ("我不住杭州了", "home"), ("我不养猫了", "pet"), ("我退学了", "school")],
)
def test_a_fact_that_ended_is_closed(text: str, k: str) -> None:
    assert facts(text) == {("profile:user", k, None)}


def test_the_new_home_says_all_where_the_old_one_is_left() -> None:
    assert facts("我从哈尔滨搬到三亚了") == {("profile:user", "home", "三亚")}


def test_a_move_is_a_home_and_no_trip() -> None:
    assert keys("其实我不在杭州了，上个月搬到宁波了") == {"profile:user"}
    assert ("profile:user", "home", "宁波") in facts("上个月搬到宁波了")


def test_the_half_of_a_measure_word_is_no_part_of_a_name() -> None:
    assert facts("去了趟医院") == set()
    assert only("那个季度报表我已经交了").value["title"] == "季度报表"
    assert keys("上周六带孩子去了趟西湖") == {"event:default:2026-03-14:trip_西湖"}


def test_what_one_works_as_is_not_what_the_employer_does() -> None:
    assert ("profile:user", "role", "运营") in facts("我在杭州一家做跨境电商的公司当运营")


# --- work --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "status", "due"),
    [
        ("下周一之前要把教案交上去", "task:default:教案", "todo", "2026-03-23"),
        ("別忘了提醒我禮拜五繳房租", "task:default:房租", "todo", "2026-03-20"),
        ("周五之前把样品寄给客户", "task:default:样品", "todo", "2026-03-20"),
        ("论文改到一半", "task:default:论文", "doing", None),
        ("正在弄年会的节目单", "task:default:年会的节目单", "doing", None),
        ("护照办好了", "task:default:护照", "done", None),
        ("论文初稿今天早上寄给老师了", "task:default:论文初稿", "done", None),
        ("终于把毕业论文写完了", "task:default:毕业论文", "done", None),
        ("数据迁移卡住了，权限一直没下来", "task:default:数据迁移", "blocked", None),
    ],
)
def test_a_task_and_its_status(text: str, key: str, status: str, due: str | None) -> None:
    hit = only(text)
    assert (hit.key, hit.value["status"], hit.value.get("due")) == (key, status, due)


def test_a_task_meets_its_end_under_one_key() -> None:
    assert keys("周五要交采购合同") == keys("采购合同已经交了")


def test_each_thing_of_a_list_of_what_is_to_be_done_is_a_task() -> None:
    told = keys("这周要办的：换净水器滤芯、给姥姥交话费、退押金")
    assert told == {"task:default:换净水器滤芯", "task:default:给姥姥交话费", "task:default:退押金"}
    assert keys("这周要办的：散心、发呆") == set()


@pytest.mark.parametrize("text", ["昨天把驾照考下来了", "标书我赶出来了", "刚交完卷"])
def test_how_a_thing_was_done_is_no_name_of_a_thing(text: str) -> None:
    assert not {key for key in keys(text) if key.endswith(("驾照考", "赶出来", ":完卷"))}


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("我同组的 Marta 对花生过敏", "profile:marta"),
        ("我们班小韩对花生过敏", "profile:小韩"),
        ("小舅子陈立对花生过敏", "profile:陈立"),
        ("我 cousin Mei 对花生过敏", "profile:mei"),
        ("老家邻居钱大爷对花生过敏", "profile:钱大爷"),
        ("孩子他爸对花生过敏", "profile:user_husband"),
        ("大家好我对花生过敏", "profile:user"),
        ("我太太的侄子对花生过敏", ""),
        ("我太太的姪子對花生過敏", ""),
        ("孩子班主任对花生过敏", ""),
        ("合租那小伙对花生过敏", ""),
    ],
)
def test_it_is_told_of_whom_one_speaks(text: str, subject: str) -> None:
    assert {key for key, k, _ in facts(text) if k == "allergy"} == ({subject} if subject else set())


@pytest.mark.parametrize(
    ("text", "kind", "doubted"),
    [
        ("先说清楚一点：我对花生过敏", "profile", False),
        ("医生说：我对花生过敏", "profile", True),
        ("点外卖的话我一般吃素", "profile", False),
        ("没钱的话我就吃素", "profile", True),
        ("刚才说我吃素", "profile", False),
        ("他说我吃素", "profile", True),
        ("我右脚做过手术", "profile", False),
        ("我在那边做过饭", "profile", True),
        ("你回答可唔可以一律用廣東話？", "preferences", False),
        ("你一律用廣東話嗎？", "preferences", True),
        ("给我的都带上原文链接", "preferences", False),
        ("原文里写我爱喝茶", "preferences", True),
    ],
)
def test_what_only_looks_like_a_doubt_is_none(text: str, kind: str, doubted: bool) -> None:
    sentences = read(Message(id="m", role="user", content=text), SAID_AT)
    assert any(rules_zh.doubt(one, (0, len(one.text)), kind) for one in sentences) is doubted


def test_a_task_that_is_no_longer_needed_is_taken_back() -> None:
    hit = only("不用买牛奶了，家里还有")
    assert (hit.key, hit.retract) == ("task:default:牛奶", True)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("我的梦想是开一间自己的民宿", "goal:default:开一间自己的民宿"),
        ("正在备考教资", "goal:default:教资"),
        ("我想学会游泳", "goal:default:学会游泳"),
        ("今年一定要把烟戒了", "goal:default:戒烟"),
    ],
)
def test_an_aim_that_lasts_is_a_goal(text: str, key: str) -> None:
    assert keys(text) == {key}


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("定了，后端用 Rust 重写", "language"),
        ("部署换成阿里云了", "hosting"),
        ("婚礼日期敲定了，10月6号", "date"),
        ("装修公司选了东易日盛", "vendor"),
        ("我们决定去云南过年", "destination"),
        ("團服顏色選了寶藍", "color"),
        ("我决定不读博了", "读博"),
    ],
)
def test_a_choice_that_was_made_is_a_decision(text: str, topic: str) -> None:
    assert keys(text) == {f"decision:default:{topic}"}


# --- events ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("我跟合伙人商量妥了，铺子不转", "铺子不转"),
        ("理事会表决过了，年会改去郊区办", "venue"),
        ("跟房东谈拢了，房子续租两年", "home"),
        ("我决定念植保系了", "major"),
    ],
)
def test_what_was_settled_stands_in_the_next_clause(text: str, topic: str) -> None:
    assert f"decision:default:{topic}" in keys(text)


def test_to_have_decided_on_a_sale_is_no_sale() -> None:
    assert not any(hit.type == "events" for hit in kept("所以我们决定年底把房子卖掉搬去乡下"))
    assert any("sale" in hit.key for hit in kept("上个月把房子卖掉了"))


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("昨天下午数据库宕机了两个小时", "event:default:2026-03-17:incident"),
        ("下周二要去上海出差", "event:default:2026-03-24:trip"),
        ("周五就要考试了，还没背完", "event:default:2026-03-20:exam"),
        ("我三月二号做的阑尾手术", "event:default:2026-03-02:surgery"),
        ("5月去西藏", "event:default:2026_05:trip"),
        ("我升主管了！", "event:default:undated:promotion"),
        ("上禮拜六我阿公過世了", "event:default:2026-03-14:death"),
    ],
)
def test_an_event_has_the_day_that_was_meant(text: str, start: str) -> None:
    hit = only(text)
    assert hit.key.startswith(start)


# --- remember, aliases, corrections ------------------------------------------------------------------------------


def test_what_is_to_be_remembered_goes_by_its_subject() -> None:
    hit = only("记一下，wifi 密码是 88888888")
    assert (hit.key, hit.value["attrs"]["note"]) == ("entity:other:wifi_密码", "是 88888888")


def test_remember_with_a_fact_gives_the_fact() -> None:
    assert facts("记住，我对花生过敏") == {("profile:user", "allergy", "花生")}


def test_a_short_name_is_an_alias_of_the_full_one() -> None:
    hit = only("国际教育技术协会，简称ISTE")
    assert (hit.value["name"], hit.value["aliases"]) == ("国际教育技术协会", ["ISTE"])


def test_a_short_way_to_say_a_name_is_made_of_its_characters() -> None:
    assert only("南京水利研究院，我们一般说水研院").value["aliases"] == ["水研院"]
    assert only("广东省图书馆（下文称省图）").value["aliases"] == ["省图"]
    assert not any(hit.type == "entities" for hit in kept("青岛路那家面馆，我们一般叫两碗"))


def test_a_vehicle_that_was_sold_is_closed() -> None:
    assert facts("摩托车我早卖了") == {("profile:user", "vehicle", None)}
    assert not facts("摩托车我想卖了换钱")


def test_a_path_of_windows_may_have_chinese_folders() -> None:
    turn = extract(("user", "报价表都在 E:\\业务\\2026夏\\报价 里，你以后引用它"))
    assert [one.key for one in turn.candidates if one.type == "entities"] == ["entity:file:e_业务_2026夏_报价"]


@pytest.mark.parametrize(
    ("text", "back", "value"),
    [
        ("开玩笑的", "taken_back", {}),
        ("我要当美人鱼。开玩笑的", "joke", {}),
        ("改到周四了", "corrected", {"new": "周四"}),
        ("算了，还是中文吧", "corrected", {"new": "中文"}),
        ("算了，当我没说", "taken_back", {}),
        ("不是周二，是周四", "corrected", {"old": "周二", "new": "周四"}),
        ("说错了，是周四", "corrected", {"new": "周四"}),
    ],
)
def test_words_that_point_back(text: str, back: str, value: dict[str, str]) -> None:
    assert [(hit.back, dict(hit.value)) for hit in hits_of(text) if hit.back] == [(back, value)]


def test_the_users_yes_confirms_the_assistants_guess() -> None:
    found = extract(("assistant", "听起来你更喜欢靠窗的座位，对吗？"), ("user", "对，没错"))
    assert [candidate.key for candidate in found.candidates] == ["pref:other:seat"]
    assert not extract(("assistant", "听起来你更喜欢靠窗的座位，对吗？"), ("user", "不是")).candidates


@pytest.mark.parametrize("answer", ["对", "是的，没错", "嗯，确实", "對啊"])
def test_a_plain_yes_confirms(answer: str) -> None:
    assert rules_zh.confirms(answer)


@pytest.mark.parametrize("answer", ["不对", "对了，几点开会", "对吗", "我不知道", "对不起"])
def test_other_words_do_not_confirm(answer: str) -> None:
    assert not rules_zh.confirms(answer)


# --- what stops a hit --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("我喜欢喝茶吗？看谁泡的吧", "a question"),
        ("要是我对坚果过敏就麻烦了", "a condition or a hypothesis"),
        ("他说以后都用英文", "somebody else's words"),
        ("我可能下周二要去上海出差", "not certain, or not decided yet"),
        ("我以前在腾讯上班", "the past, which no longer holds"),
        ("这次先用表格给我就行", "for this once only"),
        ("翻译成法语：我对花生过敏", "text to work on, not the user's own words"),
        ("是是是，我最喜欢大年三十值班了", "a joke or sarcasm"),
        ("我最喜欢它了", "an opinion on a passing thing"),
    ],
)
def test_a_sentence_that_looked_like_a_candidate_says_why_it_is_none(text: str, reason: str) -> None:
    assert not kept(text)
    assert reason in {hit.skipped for hit in hits_of(text)}


@pytest.mark.parametrize(
    "text",
    [
        "老板让我以后都用飞书",
        "我妈说我应该考公务员",
        "大家都说这家好吃",
        "不是我不喜欢你，是我真的很忙",
        "我对早起过敏",
        "我要去上个厕所",
        "我得承认他说得对",
        "不用谢",
        "卡在第七关了",
        "我决定先躺五分钟",
        "帮我写一段自我介绍，我叫李雷，是一名教师",
        "角色扮演：你当面试官，我是丹丹",
        "我师兄陈默是做量子计算的",
        "我没有糖尿病",
        "苹果昨天发布了新手机",
        "别忘了想我",
        "谁不喜欢狗啊",
        "我爱莫能助",
        "现在的孩子都近视",
        "车洗好了",
    ],
)
def test_nothing_is_kept_of(text: str) -> None:
    assert not kept(text)


def test_a_statement_keeps_its_worth_beside_a_question() -> None:
    assert facts("我儿子对花生过敏，学校食堂要怎么提前说？") == {("profile:user_son", "allergy", "花生")}


def test_a_text_to_work_on_is_announced() -> None:
    message = Message(role="user", content="帮我翻译下面这段。我对花生过敏。")
    first, _ = read(message, SAID_AT)
    assert rules_zh.opens_material(first)
    assert not extract(("user", "帮我翻译下面这段。我对花生过敏。")).candidates


# --- what holds for every sentence -------------------------------------------------------------------------------

SAMPLE = (
    "我叫陈丽华，大家都喊我华姐",
    "我住在新竹，不是竹北",
    "我超爱吃芋圆，但是很讨厌仙草",
    "下周三以前要把结案报告交出去",
    "店名敲定了，就叫「慢慢来」",
    "下周五要开刀，割胆结石",
    "以后一律用繁体中文写",
)
TRADITIONAL = (
    "我叫陳麗華，大家都喊我華姐",
    "我住在新竹，不是竹北",
    "我超愛吃芋圓，但是很討厭仙草",
    "下週三以前要把結案報告交出去",
    "店名敲定了，就叫「慢慢來」",
    "下週五要開刀，割膽結石",
    "以後一律用繁體中文寫",
)


@pytest.mark.parametrize(("simplified", "traditional"), list(zip(SAMPLE, TRADITIONAL, strict=True)))
def test_both_scripts_give_the_same_keys_and_keep_the_users_words(simplified: str, traditional: str) -> None:
    assert keys(simplified) == keys(traditional)
    for hit in kept(traditional):
        told = [str(fact["v"]) for fact in hit.value.get("facts", ())] or [
            str(hit.value.get("value") or hit.value.get("title") or hit.value.get("decision"))
        ]
        assert all(words in traditional for words in told)


@pytest.mark.parametrize("text", SAMPLE)
def test_the_comma_may_be_a_space(text: str) -> None:
    assert keys(text.replace("，", " ")) == keys(text)


def test_a_writer_in_a_hurry_leaves_out_the_comma() -> None:
    assert ("profile:user", "pet", "汤圆") in facts("我今年28岁吃素养了只猫叫汤圆")


@pytest.mark.parametrize("text", [*SAMPLE, *TRADITIONAL])
def test_spans_lie_in_the_sentence_and_reading_twice_is_the_same(text: str) -> None:
    found = hits_of(text)
    assert found
    assert all(0 <= hit.span[0] < hit.span[1] <= len(text) for hit in found)
    assert found == hits_of(text)


@given(st.text())
def test_folding_in_place_keeps_the_length(text: str) -> None:
    assert len(fold_in_place(text)) == len(text)


_WORDS = [
    "我",
    "我妈",
    "他",
    "老板",
    "小王",
    "以后",
    "都",
    "用",
    "中文",
    "别",
    "喜欢",
    "讨厌",
    "吃",
    "香菜",
    "在",
    "杭州",
    "住",
    "上班",
    "对",
    "花生",
    "过敏",
    "今年",
    "28",
    "岁",
    "要",
    "把",
    "报告",
    "交",
    "了",
    "周五",
    "之前",
    "明天",
    "卡在",
    "决定",
    "定了",
    "就",
    "选",
    "不",
    "是",
    "叫",
    "因为",
    "如果",
    "说",
    "吗",
    "？",
    "，",
    "。",
    "：",
    "「",
    "」",
    "昨天",
    "上线",
    "去",
    "北京",
    "出差",
    "记住",
    "密码",
    "不是",
    "是",
    "算了",
    "目标",
    "戒",
    "烟",
    "每天",
    "一直",
    "的",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(_WORDS), max_size=60).map("".join))
def test_any_words_give_hits_of_the_closed_lists(text: str) -> None:
    for hit in hits_of(text):
        start, end = hit.span
        assert 0 <= start <= end <= len(text)
        if hit.skipped or hit.back:
            continue
        prefix, _, rest = hit.key.partition(":")
        assert rest
        assert not rest.endswith(":")
        if prefix == "profile":
            assert all(fact["k"] in FACTS for fact in hit.value["facts"])
        elif prefix == "event":
            assert any(rest.split(":", 2)[2].startswith(kind) for kind in EVENT_KINDS)


@given(st.text(max_size=300))
def test_no_text_breaks_the_rules(text: str) -> None:
    hits_of(text)


def test_rules_use_only_the_names_of_the_key_scheme() -> None:
    from smartbrain.extraction._zh_decisions import _TOPICS
    from smartbrain.extraction._zh_events import EVENT_RULES
    from smartbrain.extraction._zh_people import RELATION_OF

    assert {rule.k for rule in FACT_RULES} <= set(FACTS)
    assert {topic for topic, _ in _TOPICS} <= set(TOPICS)
    assert {rule.kind for rule in EVENT_RULES} <= set(EVENT_KINDS)
    assert set(RELATION_OF.values()) <= set(RELATIONS)
    assert all(slot.name in SLOT_NAMES[slot.scope] for slot in SLOTS)


def test_every_fact_rule_finds_one_of_its_marks_in_what_it_matches() -> None:
    texts = [row.values[0] if hasattr(row, "values") else row[0] for row in _told_facts()]
    for text in texts:
        message = Message(role="user", content=text)
        for clause in view_of(Sentence(text, text, 0, len(text), message, SAID_AT)).clauses:
            for rule in FACT_RULES:
                if rule.marks and rule.pattern().search(clause.text):
                    assert any(mark in clause.text for mark in rule.marks), (rule.name, clause.text)


def _told_facts() -> list[Any]:
    mark = next(m for m in test_a_fact_is_told.pytestmark if m.name == "parametrize")  # type: ignore[attr-defined]
    return list(mark.args[1])


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢吃辣，" * 17_000,
        "我今天要把报告写完然后" * 9_000,
        "1" * 100_000,
        "是" * 33_000,
        "要" * 33_000,
        "我" * 33_000,
    ],
    ids=["commas", "no punctuation", "digits", "one word", "must", "me"],
)
def test_a_line_of_a_hundred_thousand_bytes_is_soon_read(text: str) -> None:
    hits_of("我喜欢吃辣，明天要把报告交了")
    started = time.process_time()
    hits_of(text)
    assert time.process_time() - started < 0.2


def test_whom_a_thing_was_settled_with_is_not_what_it_is_about() -> None:
    assert keys("跟合伙人定了，明年把直播间搬到宁波去") == {"decision:default:直播间"}
