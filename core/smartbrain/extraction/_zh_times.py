"""Chinese words for days and hours, as patterns: where a plan may begin, and when a thing happened or will."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from smartbrain.extraction._zh_text import ZH, View
from smartbrain.extraction.hits import due_day, event_day
from smartbrain.text.timehints import Prefer

_N: Final = "[0-9一二三四五六七八九十两半廿]"
TIME: Final = (
    rf"(?>大后天|大前天|今天|明天|后天|昨天|前天|今日|明日|昨日|今晚|明晚|昨晚|后晚|前晚|"
    rf"今早|明早|昨夜|今儿|明儿|当天|当晚|隔天|听日|琴日|"
    rf"(?:这|本|下下?|上上?)?个?(?:周|星期|礼拜)(?:[一二三四五六日天]|末)(?![岁年])|(?:这|"
    rf"本|下下?|上上?)个?(?:周|星期|礼拜|月|季度)(?:{_N}{{1,3}}[号日]|底|初|中旬?|末)?|"
    rf"{_N}{{1,3}}(?:天|周|个?星期|个?月|年|个?小时|分钟)(?:后|前|内|之[后前内]|以[后前内])|"
    rf"(?:[0-9]{{2,4}}年|今年|明年|去年|前年)?{_N}{{1,3}}月(?:{_N}{{1,3}}[号日]?|底|初|"
    rf"中旬|末|份)?|{_N}{{1,3}}[号](?!线|楼|店|门|院|机)|[0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,"
    rf"2}}|[0-9]{{1,2}}[/.][0-9]{{1,2}}(?![0-9])|"
    rf"今年|明年|去年|前年|后年|月底|月初|月中|年底|年初|年末|年中|春节|国庆|五一|元旦|"
    rf"清明|端午|中秋|圣诞|除夕|寒假|暑假|"
    rf"(?:早上|早晨|上午|中午|下午|傍晚|晚上|凌晨|半夜|夜里|清晨|午后|晚间)|{_N}{{1,3}}点(?:半|"
    rf"整|钟|一刻|{_N}{{1,3}}分?)?(?:多)?|[0-9]{{1,2}}:[0-9]{{2}}|刚刚|刚才|最近|前几天|"
    rf"前两天|前阵子|这两天|这几天|改天|过两天|过几天|周末|下次|之前|以前|前|内|之内|以内|"
    rf"里)"
)


@cache
def time_words() -> re.Pattern[str]:
    """One run of time words."""
    return re.compile(rf"{TIME}+")


@ZH.sifted
def dated() -> re.Pattern[str]:
    """Words that may name a day: what is dated is ahead or behind and not a habit."""
    return re.compile(
        rf"(?<!每)(?<!每个)(?:大后天|大前天|今天|明天|后天|昨天|前天|今日|明日|昨日|今晚|明晚|"
        rf"昨晚|前晚|今早|明早|昨夜|今儿|明儿|听日|琴日|(?:这|本|下下?|上上?)个?(?:周|星期|"
        rf"礼拜|月|季度)|(?:周|星期|礼拜)[一二三四五六日天末]|{_N}{{1,3}}月(?:{_N}{{1,3}}[号日]?|"
        rf"底|初|中旬|末|份)?|"
        rf"(?<![0-9a-z]){_N}{{1,3}}号(?!线|楼|店|门|院|机|的)|[0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,"
        rf"2}}|(?<![0-9.])[0-9]{{1,2}}/[0-9]{{1,2}}(?![0-9/])|月底|月初|年底|年初|今年|明年|"
        rf"去年|前年|春节|国庆|五一|元旦|清明|端午|中秋|圣诞|除夕|寒假|暑假|{_N}{{1,3}}(?:天|"
        rf"周|个?星期|个?月|年)(?:后|前|之后|之前|以后|以前)|刚刚|刚才|(?<![天日晚周月号期])(?:今早|"
        rf"早上|上午|中午|下午|晚上|凌晨|半夜)(?:{_N}{{1,3}}点|[0-9]{{1,2}}:))"
    )


@cache
def _behind() -> re.Pattern[str]:
    return re.compile(
        r"了(?!解|吗)|过(?!去|来|年|节|完|生日|[^,]{0,3}寿)|昨|前天|上个?(?:周|月|星期|礼拜|"
        r"季)|去年|前年|刚"
    )


@cache
def _soon() -> re.Pattern[str]:
    return re.compile(r"(?:就?要|就(?=[^,]{1,6}了$)|快要?|马上|即将|将要?|准备|打算|得)[^,]{0,12}了?$")


@cache
def _done_of() -> re.Pattern[str]:
    """三月二号做的手术: what was done on a day, told by 的."""
    return re.compile(r"[号日年月天晚早午](?:我|我们)?(?:去)?[做提买搬生开走办签]的")


def prefer_of(text: str) -> Prefer:
    """Whether words tell of what lies ahead; a bare 了 at what is booked does not make it past."""
    if re.search(r"约了|订了|订好|约好|报了名|定在|买了[^,]{0,4}票|改到|推迟|推到|延到|提前到|挪到", text):
        return "future"
    if _soon().search(text) and not re.search("昨|上个?(?:周|月|星期|礼拜)|去年|前天|刚", text):
        return "future"
    if _behind().search(text) or _done_of().search(text):
        return "past"
    return "future"


def day_of(view: View, index: int) -> str:
    """The day of what a clause tells: named in it, or else in the nearest clause before it."""
    for at in range(index, -1, -1):
        clause = view.clauses[at]
        if dated.search(clause.text):
            # 今年中考 is no 年中.
            words = view.sentence.text[clause.start : clause.end].replace("年中考", "年,中考")
            found = event_day(words, view.sentence.said_at, prefer=prefer_of(view.clauses[index].text))
            if found == "undated":
                found = event_day(words, view.sentence.said_at)
            if found == "undated" and _hour_of_day.search(clause.text):
                return view.sentence.said_at.date().isoformat()
            return found
    return "undated"


@ZH.sifted
def _hour_of_day() -> re.Pattern[str]:
    return re.compile(rf"刚刚|刚才|方才|(?:今早|早上|上午|中午|下午|晚上|凌晨|半夜)(?:{_N}{{1,3}}点|[0-9]{{1,2}}:)")


def due_of(view: View, index: int) -> str | None:
    """The day by which what a clause asks for is due: named in it, or in the clause before that is nothing else."""
    clause = view.clauses[index]
    found = due_day(view.sentence.text[clause.start : clause.end], view.sentence.said_at)
    if found is None and index and time_words().fullmatch(view.clauses[index - 1].text):
        before = view.clauses[index - 1]
        found = due_day(view.sentence.text[before.start : before.end], view.sentence.said_at)
    following = view.clauses[index + 1] if index + 1 < len(view.clauses) else None
    if found is None and following is not None and time_words().fullmatch(following.text):
        found = due_day(view.sentence.text[following.start : following.end], view.sentence.said_at)
    return found
