"""The demo's conversation: 周岚 plans a spring trip to Kyoto with her parents, in Chinese and English, over a month.

Every name, place, price and address in it is made up. Turns carry structured entries where an agent framework would
hand them over (a tool ran, a form was ticked, a planner noted a decision); the others are plain messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

USER = "zhou_lan"


@dataclass(frozen=True, slots=True)
class Told:
    """One turn of the story: what was said (role, text), and what a framework hands over with it."""

    said: tuple[tuple[str, Any], ...]
    handed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chapter:
    """One session: its id, what it is about, when it begins (China time), and its turns, four minutes apart."""

    session_id: str
    about: str
    begins: str
    turns: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class DemoTurn:
    """One turn, ready to be committed."""

    session_id: str
    turn_id: str
    occurred_at: datetime
    events: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """One context to compose: a line that says what it shows, the question, and perhaps a past moment or a limit."""

    shows: str
    text: str
    as_of: str | None = None
    token_limit: int | None = None


def _told(user: Any, assistant: str, **handed: Any) -> Told:
    return Told((("user", user), ("assistant", assistant)), handed)


def _tool(ask: str, call: Mapping[str, Any], result: str, answer: str, **handed: Any) -> Told:
    """A turn in which a tool ran: asked, called, answered, told."""
    said = (("user", ask), ("call", call), ("result", (call["id"], result)), ("assistant", answer))
    return Told(said, {**handed, "tool_calls": [{**call, "result": result}]})


CHAPTERS = (
    Chapter(
        "kyoto-1-first-ideas",
        "first ideas",
        "2026-02-27T19:30+08:00",
        (
            _told(
                "晚上好！我想四月初带爸妈去京都看樱花，大概五天，帮我一起规划吧。",
                "好呀！四月初通常正赶上花期。我们先定日期，再定住处和每天的节奏。",
                goals=[
                    {"project": "kyoto", "name": "spring_trip", "description": "四月初带爸妈去京都看樱花，大概五天"}
                ],
            ),
            _told(
                "对了，以后回答尽量简短，先给结论；价格都换算成人民币。",
                "好的：简短、先结论、价格用人民币。",
                preferences=[
                    {"scope": "writing", "name": "answers", "value": "回答尽量简短，先给结论", "confirmed": True},
                    {"name": "currency", "value": "价格都换算成人民币", "confirmed": True},
                ],
            ),
            _told(
                "我叫周岚，在杭州做平面设计。爸爸膝盖不好，走不了太多路；妈妈不吃海鲜。",
                "记下了：少走路，妈妈不吃海鲜。",
                profile=[
                    {"facts": [{"k": "名字", "v": "周岚"}, {"k": "城市", "v": "杭州"}, {"k": "职业", "v": "平面设计"}]},
                    {"subject": "爸爸", "facts": [{"k": "膝盖", "v": "不好，走不了太多路"}]},
                    {"subject": "妈妈", "facts": [{"k": "忌口", "v": "不吃海鲜"}]},
                ],
            ),
            _told(
                "住京都站附近好，还是住祇园好？",
                "京都站附近：换乘方便，有电梯。祇园好看，但坡多、要走路。",
            ),
            _told(
                "那就住京都站附近的酒店吧，爸爸少走点路。",
                "好，住处定在京都站附近。",
                decisions=[
                    {"project": "kyoto", "topic": "住处", "decision": "住京都站附近的酒店", "rationale": "爸爸少走点路"}
                ],
                tasks=[{"project": "kyoto", "task_id": "book_stay", "title": "订住处", "due": "2026-03-15"}],
            ),
            _told(
                "还要给爸妈办签证，三月二十号之前得弄好。",
                "已列入待办：爸妈的签证，3 月 20 日前。",
                tasks=[{"project": "kyoto", "task_id": "visa", "title": "给爸妈办签证", "due": "2026-03-20"}],
            ),
            _told("今天就到这儿，晚安～", "晚安，好梦！"),
        ),
    ),
    Chapter(
        "kyoto-2-kenji",
        "a friend in Kyoto",
        "2026-03-04T09:10+08:00",
        (
            _told(
                "Morning! My friend Kenji Morita lives in Kyoto, we call him 健司. Please remember him.",
                "Noted: Kenji Morita (健司), your friend in Kyoto.",
                entities=[
                    {
                        "name": "Kenji Morita",
                        "kind": "person",
                        "aliases": ["Kenji", "健司"],
                        "attrs": {"lives in": "Kyoto"},
                        "remember": True,
                    }
                ],
            ),
            _told(
                "Kenji says the Philosopher's Path is lovely but too long for bad knees. He prefers the Keage Incline.",
                "Keage Incline it is: short, flat at the top, and full of blossoms.",
                entities=[{"name": "Keage Incline", "kind": "other", "aliases": ["蹴上"]}],
            ),
            _told(
                "He also sent me this blossom calendar, keep the link.",
                "Saved. It expects full bloom around 1 April.",
                refs=[
                    {
                        "type": "url",
                        "uri": "https://blossoms.example/kyoto/2026",
                        "title": "Kyoto blossom calendar 2026",
                        "summary": "first flowers 24 March, full bloom 1 April",
                    }
                ],
            ),
            _tool(
                "Check the flights from Hangzhou. I want the first afternoon free for the Keage Incline.",
                {
                    "id": "call_flights",
                    "name": "search_flights",
                    "args": {"from": "HGH", "to": "KIX", "after": "2026-03-30"},
                },
                '{"results": [{"out": "2026-03-31 10:05", "back": "2026-04-04 16:40", "cny": 2180}]}',
                "Yes: out Tuesday 31 March 10:05, back Saturday 4 April 16:40, 2,180 yuan each.",
                entities=[{"name": "Keage Incline", "kind": "other", "aliases": ["蹴上"]}],
            ),
            _told(
                "Perfect. Let's travel from 31 March to 4 April.",
                "Done: 31 March to 4 April, five days.",
                decisions=[
                    {
                        "project": "kyoto",
                        "topic": "dates",
                        "decision": "travel from 31 March to 4 April",
                        "rationale": "full bloom is expected around 1 April",
                    }
                ],
            ),
        ),
    ),
    Chapter(
        "kyoto-3-the-house",
        "a change of mind",
        "2026-03-10T20:05+08:00",
        (
            _told(
                [{"type": "image", "uri": "file:///photos/house-front.jpg"}],
                "这是一栋老町屋：一层榻榻米，门口没有台阶。是健司发来的吗？",
            ),
            _told(
                "对，是健司阿姨在冈崎的町屋，离蹴上很近，一晚 18000 日元，一楼就能睡。",
                "结论：合适。一晚约 830 元，没有楼梯，离蹴上步行可到。",
                entities=[
                    {
                        "name": "冈崎町屋",
                        "kind": "other",
                        "aliases": ["町屋", "Okazaki house"],
                        "attrs": {"房东": "健司的阿姨", "一晚": "18000 日元"},
                        "remember": True,
                    }
                ],
            ),
            _told(
                "改主意了：不住京都站的酒店，就住健司阿姨的町屋，爸爸不用爬楼梯。",
                "好，住处改为冈崎的町屋。",
                decisions=[
                    {
                        "project": "kyoto",
                        "topic": "住处",
                        "decision": "住健司阿姨在冈崎的町屋，不住京都站的酒店",
                        "rationale": "爸爸不用爬楼梯",
                    }
                ],
            ),
            _told(
                "押金要先转 20000 日元，我今晚转给健司，户名是森田健司。",
                "约 920 元。订住处：进行中。",
                entities=[{"name": "Kenji Morita", "kind": "person", "aliases": ["森田健司"], "remember": True}],
                tasks=[
                    {
                        "project": "kyoto",
                        "task_id": "book_stay",
                        "status": "doing",
                        "notes": "押金 20000 日元，转给健司",
                    }
                ],
            ),
            _told(
                "签证材料今天也交上去了。",
                "签证：进行中。",
                tasks=[{"project": "kyoto", "task_id": "visa", "status": "doing"}],
            ),
            _told(
                "再说一遍哈，回答尽量简短，先给结论。",
                "明白。",
                preferences=[
                    {"scope": "writing", "name": "answers", "value": "回答尽量简短，先给结论", "confirmed": True}
                ],
            ),
        ),
    ),
    Chapter(
        "kyoto-4-tables-and-papers",
        "dinner and papers",
        "2026-03-18T12:20+08:00",
        (
            _told(
                "I mixed it up: mum does eat seafood. It is dad who is allergic to buckwheat, so no soba for him.",
                "Corrected: mum eats seafood, dad must avoid buckwheat (soba).",
                retractions=[{"type": "profile", "key": "profile:妈妈", "reason": "mixed up: mum does eat seafood"}],
                profile=[{"subject": "爸爸", "facts": [{"k": "allergy", "v": "buckwheat, so no soba"}]}],
            ),
            _tool(
                "Find a place near the Keage Incline for our first evening, four people, nothing with buckwheat.",
                {
                    "id": "call_find",
                    "name": "search_restaurants",
                    "args": {"near": "Keage Incline", "people": 4, "without": ["buckwheat"]},
                },
                '{"results": [{"name": "Matsunoya", "kitchen": "tofu", "walk_minutes": 6, "cny_per_head": 190}]}',
                "Matsunoya: tofu kitchen, 6 minutes on foot, about 190 yuan a head, no buckwheat in the set menu.",
                preferences=[{"name": "cuisine", "value": "likes tofu restaurants", "confirmed": False}],
            ),
            _tool(
                "Book it for 18:00 on 31 March.",
                {
                    "id": "call_book",
                    "name": "book_table",
                    "args": {"restaurant": "Matsunoya", "at": "2026-03-31T18:00", "people": 4},
                },
                '{"status": "completed", "title": "Matsunoya, 31 March 18:00, four people"}',
                "Booked: Matsunoya, 31 March at 18:00, four people.",
            ),
            _told(
                "签证下来了！",
                "太好了。签证：完成。",
                tasks=[{"project": "kyoto", "task_id": "visa", "status": "done"}],
            ),
            _told(
                "Kenji will come and 接我们 on arrival: Tuesday 31 March, 15:10, Hachijo exit of Kyoto Station.",
                "Noted: 31 March, 15:10, Hachijo exit.",
                events=[
                    {
                        "scope": "kyoto",
                        "date": "2026-03-31",
                        "title": "Kenji meets us at 15:10, Hachijo exit of Kyoto Station",
                        "impact": "meeting",
                    }
                ],
            ),
            _told("哈哈，突然有点紧张。", "正常，准备得很好了。"),
            _told(
                "健司说押金收到了，住处就算订好了。",
                "订住处：完成。",
                tasks=[{"project": "kyoto", "task_id": "book_stay", "status": "done"}],
            ),
        ),
    ),
    Chapter(
        "kyoto-5-almost-there",
        "the week before",
        "2026-03-27T21:00+08:00",
        (
            _told(
                "下周就出发了，帮我列个打包清单吧，记得爸爸的护膝。",
                "护照、日元、护膝、折叠凳、薄外套、充电器。",
                tasks=[{"project": "kyoto", "task_id": "packing", "title": "按清单打包，带上爸爸的护膝"}],
            ),
            _tool(
                "存成文件吧。",
                {"id": "call_save", "name": "save_file", "args": {"name": "packing-list.md"}},
                '{"path": "trip/packing-list.md", "bytes": 312}',
                "已存：trip/packing-list.md。",
                refs=[{"type": "file", "uri": "file:///trip/packing-list.md", "title": "packing-list.md"}],
            ),
            _told(
                "健司还问我们，第一天想不想先去蹴上走走？",
                "可以：15:30 放行李，16:00 到蹴上，18:00 吃饭。",
                entities=[{"name": "Keage Incline", "kind": "other", "aliases": ["蹴上"]}],
            ),
            _told(
                "行李收拾了一半。",
                "打包：进行中。",
                tasks=[{"project": "kyoto", "task_id": "packing", "status": "doing"}],
            ),
            _told("谢谢你，帮了大忙！", "一路顺风，替我看看樱花。"),
        ),
    ),
)

QUESTIONS = (
    DemoQuestion("in Chinese: what was decided, and why it changed", "我们最后决定住哪里？为什么改了？"),
    DemoQuestion("in English", "What is dad allergic to, and where do we have dinner on the first evening?"),
    DemoQuestion("a follow-up in both languages; Kenji is 健司", "那 Kenji 几点来接我们？"),
    DemoQuestion("the same memory as it was on 5 March", "我们打算住哪里？", as_of="2026-03-05T12:00:00+08:00"),
    DemoQuestion("a small window: what stays", "At which exit will Kenji come on arrival?", token_limit=400),
)


def demo_turns() -> Iterator[DemoTurn]:
    """The story as ``commit_turn`` takes it, in order."""
    for chapter in CHAPTERS:
        begins = datetime.fromisoformat(chapter.begins)
        for number, told in enumerate(chapter.turns, start=1):
            events = {"messages": [_message(part, said) for part, said in told.said], **told.handed}
            at = begins + timedelta(minutes=4 * (number - 1))
            yield DemoTurn(chapter.session_id, f"t{number}", at, events)


def _message(part: str, said: Any) -> dict[str, Any]:
    if part == "call":
        return {"role": "assistant", "content": None, "tool_calls": [said]}
    if part == "result":
        call_id, result = said
        return {"role": "tool", "content": result, "tool_call_id": call_id}
    return {"role": part, "content": said}
