"""What time words become. The moment of every table is Wednesday 15 May 2024, 10:30, in Shanghai unless a row says more."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from smartbrain.errors import InputError
from smartbrain.text._time_holidays import chinese_new_year, easter_sunday
from smartbrain.text.timehints import TimeHint, mentions_time, resolve_date, time_hints

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2024, 5, 15, 10, 30, tzinfo=SHANGHAI)

# text | words | start | end | kind | strength; "-" is open, a time of day only where it is not midnight.
ENGLISH = """
what did I do today | today | 2024-05-15 | 2024-05-16 | day | hard
Yesterday morning we met | Yesterday morning | 2024-05-14 | 2024-05-14T12 | day | hard
the day before yesterday | the day before yesterday | 2024-05-13 | 2024-05-14 | day | hard
the day after tomorrow | the day after tomorrow | 2024-05-17 | 2024-05-18 | day | hard
see you tomorrow | tomorrow | 2024-05-16 | 2024-05-17 | day | hard
dinner tonight | tonight | 2024-05-15T18 | 2024-05-16 | day | hard
this morning | this morning | 2024-05-15 | 2024-05-15T12 | day | hard
last night | last night | 2024-05-14T18 | 2024-05-15T06 | day | hard
three days ago | three days ago | 2024-05-12 | 2024-05-13 | day | hard
three weeks ago | three weeks ago | 2024-04-22 | 2024-04-29 | range | hard
twenty-one days ago | twenty-one days ago | 2024-04-24 | 2024-04-25 | day | hard
a fortnight ago | a fortnight ago | 2024-04-29 | 2024-05-06 | range | hard
a couple of days ago | a couple of days ago | 2024-05-12 | 2024-05-14 | range | soft
a few days ago | a few days ago | 2024-05-08 | 2024-05-14 | range | soft
2 months ago | 2 months ago | 2024-03-01 | 2024-04-01 | range | hard
two years ago | two years ago | 2022-01-01 | 2023-01-01 | range | hard
half a year ago | half a year ago | 2023-10-01 | 2024-01-01 | range | soft
a year and a half ago | a year and a half ago | 2022-11-01 | 2022-12-01 | range | hard
about 3 weeks ago | about 3 weeks ago | 2024-04-22 | 2024-04-29 | range | soft
20 minutes ago | 20 minutes ago | 2024-05-15T10 | 2024-05-15T10:20 | range | soft
two weeks from now | two weeks from now | 2024-05-27 | 2024-06-03 | range | hard
remind me in 3 days | in 3 days | 2024-05-18 | 2024-05-19 | day | hard
last week | last week | 2024-05-06 | 2024-05-13 | range | hard
this week | this week | 2024-05-13 | 2024-05-20 | range | hard
next week | next week | 2024-05-20 | 2024-05-27 | range | hard
the week before last | the week before last | 2024-04-29 | 2024-05-06 | range | hard
last month | last month | 2024-04-01 | 2024-05-01 | range | hard
last quarter | last quarter | 2024-01-01 | 2024-04-01 | range | hard
last year | last year | 2023-01-01 | 2024-01-01 | range | hard
earlier this year | earlier this year | 2024-01-01 | 2024-05-16 | range | hard
later this week | later this week | 2024-05-15 | 2024-05-20 | range | hard
the end of last month | the end of last month | 2024-04-21 | 2024-05-01 | range | hard
last weekend | last weekend | 2024-05-11 | 2024-05-13 | range | hard
next weekend | next weekend | 2024-05-25 | 2024-05-27 | range | hard
over the weekend | weekend | 2024-05-11 | 2024-05-13 | range | hard
last summer | last summer | 2023-06-01 | 2023-09-01 | range | hard
this summer | this summer | 2024-06-01 | 2024-09-01 | range | hard
last winter | last winter | 2023-12-01 | 2024-03-01 | range | hard
the summer of 2022 | summer of 2022 | 2022-06-01 | 2022-09-01 | range | hard
winter 2022 | winter 2022 | 2022-12-01 | 2023-03-01 | range | hard
last Monday | last Monday | 2024-05-13 | 2024-05-14 | day | hard
last Friday night | last Friday night | 2024-05-10T18 | 2024-05-11T06 | day | hard
this Friday | this Friday | 2024-05-17 | 2024-05-18 | day | hard
next Friday | next Friday | 2024-05-24 | 2024-05-25 | day | hard
Tuesday of last week | Tuesday of last week | 2024-05-07 | 2024-05-08 | day | hard
Monday before last | Monday before last | 2024-05-06 | 2024-05-07 | day | hard
what did we say on Wednesday | Wednesday | 2024-05-08 | 2024-05-09 | day | hard
I will see her on Wednesday | Wednesday | 2024-05-22 | 2024-05-23 | day | hard
on Sun | Sun | 2024-05-12 | 2024-05-13 | day | hard
in March 2024 | March 2024 | 2024-03-01 | 2024-04-01 | range | hard
What happened in May? | May | 2024-05-01 | 2024-06-01 | range | hard
what happened in may | may | 2024-05-01 | 2024-06-01 | range | hard
what happened in June | June | 2023-06-01 | 2023-07-01 | range | hard
what will happen in March | March | 2025-03-01 | 2025-04-01 | range | hard
last March | last March | 2024-03-01 | 2024-04-01 | range | hard
next March | next March | 2025-03-01 | 2025-04-01 | range | hard
March last year | March last year | 2023-03-01 | 2023-04-01 | range | hard
last year in March | last year in March | 2023-03-01 | 2023-04-01 | range | hard
on March 3rd | March 3rd | 2024-03-03 | 2024-03-04 | day | hard
on 3 March, 2024 | 3 March, 2024 | 2024-03-03 | 2024-03-04 | day | hard
the third of March | the third of March | 2024-03-03 | 2024-03-04 | day | hard
March 3-5 | March 3-5 | 2024-03-03 | 2024-03-06 | range | hard
on the 20th | the 20th | 2024-04-20 | 2024-04-21 | day | hard
Dec 10 | Dec 10 | 2023-12-10 | 2023-12-11 | day | hard
Feb 29 | Feb 29 | 2024-02-29 | 2024-03-01 | day | hard
2024-03-03 | 2024-03-03 | 2024-03-03 | 2024-03-04 | day | hard
at 2024-03-03T10:00:00Z | 2024-03-03 | 2024-03-03 | 2024-03-04 | day | hard
03/2024 | 03/2024 | 2024-03-01 | 2024-04-01 | range | hard
03/04/2024 | 03/04/2024 | 2024-03-04 | 2024-03-05 | day | hard
13/04/2024 | 13/04/2024 | 2024-04-13 | 2024-04-14 | day | hard
on 3/4 | 3/4 | 2024-03-04 | 2024-03-05 | day | hard
Q3 2024 | Q3 2024 | 2024-07-01 | 2024-10-01 | range | hard
in Q1 | Q1 | 2024-01-01 | 2024-04-01 | range | hard
second half of 2023 | second half of 2023 | 2023-07-01 | 2024-01-01 | range | hard
in 2023 | 2023 | 2023-01-01 | 2024-01-01 | range | hard
at the end of 2023 | the end of 2023 | 2023-10-01 | 2024-01-01 | range | hard
in the 1990s | the 1990s | 1990-01-01 | 2000-01-01 | range | hard
2021-2023 | 2021-2023 | 2021-01-01 | 2024-01-01 | range | hard
since May | since May | 2024-05-01 | - | range | hard
after the 3rd of March | after the 3rd of March | 2024-03-04 | - | range | hard
before June 2023 | before June 2023 | - | 2023-06-01 | range | hard
until Friday | until Friday | - | 2024-05-18 | range | hard
by Friday | by Friday | - | 2024-05-18 | range | hard
what had I done by Friday | by Friday | - | 2024-05-11 | range | hard
between May and July 2023 | between May and July 2023 | 2023-05-01 | 2023-08-01 | range | hard
from November to February | from November to February | 2023-11-01 | 2024-03-01 | range | hard
from November 2022 to February | from November 2022 to February | 2022-11-01 | 2023-03-01 | range | hard
between May and July | between May and July | 2024-05-01 | 2024-08-01 | range | hard
from 2021 to 2023 | from 2021 to 2023 | 2021-01-01 | 2024-01-01 | range | hard
May-July 2023 | May-July 2023 | 2023-05-01 | 2023-08-01 | range | hard
the week of March 6 | the week of March 6 | 2024-03-04 | 2024-03-11 | range | hard
early March | early March | 2024-03-01 | 2024-03-11 | range | hard
mid-March | mid-March | 2024-03-11 | 2024-03-21 | range | hard
late March 2023 | late March 2023 | 2023-03-21 | 2023-04-01 | range | hard
in the last two weeks | the last two weeks | 2024-05-01 | 2024-05-16 | range | hard
over the past 3 months | the past 3 months | 2024-02-15 | 2024-05-16 | range | hard
the last few days | the last few days | 2024-05-08 | 2024-05-16 | range | soft
at Christmas | Christmas | 2023-12-24 | 2023-12-27 | range | hard
last year at Christmas | last year at Christmas | 2023-12-24 | 2023-12-27 | range | hard
New Year's | New Year's | 2023-12-31 | 2024-01-02 | range | hard
Thanksgiving 2023 | Thanksgiving 2023 | 2023-11-23 | 2023-11-24 | day | hard
recently | recently | 2024-04-15 | - | recent | soft
just now | just now | 2024-05-15T09:30 | - | recent | soft
what do I currently use | currently | - | - | recent | soft
where am I now | now | - | - | recent | soft
what is my current job | current | - | - | recent | soft
the latest version | latest | - | - | last | soft
my most recent trip | most recent | - | - | last | soft
the last time we met | the last time | - | - | last | soft
the first time I said so | the first time | - | - | first | soft
When did I buy it? | When did | - | - | asks_when | soft
what I previously used | previously | - | 2024-05-15T10:30 | range | soft
"""

CHINESE = """
今天我们讲 | 今天 | 2024-05-15 | 2024-05-16 | day | hard
昨天去了医院 | 昨天 | 2024-05-14 | 2024-05-15 | day | hard
前天 | 前天 | 2024-05-13 | 2024-05-14 | day | hard
大前天 | 大前天 | 2024-05-12 | 2024-05-13 | day | hard
他说明天来 | 明天 | 2024-05-16 | 2024-05-17 | day | hard
後天 | 後天 | 2024-05-17 | 2024-05-18 | day | hard
昨晚 | 昨晚 | 2024-05-14T18 | 2024-05-15 | day | hard
今天上午 | 今天上午 | 2024-05-15 | 2024-05-15T12 | day | hard
上周 | 上周 | 2024-05-06 | 2024-05-13 | range | hard
上個星期 | 上個星期 | 2024-05-06 | 2024-05-13 | range | hard
上上周 | 上上周 | 2024-04-29 | 2024-05-06 | range | hard
上周三 | 上周三 | 2024-05-08 | 2024-05-09 | day | hard
下周三出差 | 下周三 | 2024-05-22 | 2024-05-23 | day | hard
下周 | 下周 | 2024-05-20 | 2024-05-27 | range | hard
本週 | 本週 | 2024-05-13 | 2024-05-20 | range | hard
周三 | 周三 | 2024-05-08 | 2024-05-09 | day | hard
礼拜天 | 礼拜天 | 2024-05-12 | 2024-05-13 | day | hard
上週末去了哪裡 | 上週末 | 2024-05-11 | 2024-05-13 | range | hard
周末 | 周末 | 2024-05-11 | 2024-05-13 | range | soft
上週一到週五 | 上週一到週五 | 2024-05-06 | 2024-05-11 | range | hard
这个月 | 这个月 | 2024-05-01 | 2024-06-01 | range | hard
上個月 | 上個月 | 2024-04-01 | 2024-05-01 | range | hard
下个月15号去体检 | 下个月15号 | 2024-06-15 | 2024-06-16 | day | hard
上月底 | 上月底 | 2024-04-21 | 2024-05-01 | range | hard
去年 | 去年 | 2023-01-01 | 2024-01-01 | range | hard
前年 | 前年 | 2022-01-01 | 2023-01-01 | range | hard
明年 | 明年 | 2025-01-01 | 2026-01-01 | range | hard
去年夏天 | 去年夏天 | 2023-06-01 | 2023-09-01 | range | hard
五月 | 五月 | 2024-05-01 | 2024-06-01 | range | hard
十二月 | 十二月 | 2023-12-01 | 2024-01-01 | range | hard
我打算六月去 | 六月 | 2024-06-01 | 2024-07-01 | range | hard
5月3日 | 5月3日 | 2024-05-03 | 2024-05-04 | day | hard
五月三號 | 五月三號 | 2024-05-03 | 2024-05-04 | day | hard
5月3日下午 | 5月3日下午 | 2024-05-03T12 | 2024-05-03T18 | day | hard
5月3日到5日 | 5月3日到5日 | 2024-05-03 | 2024-05-06 | range | hard
2024年3月 | 2024年3月 | 2024-03-01 | 2024-04-01 | range | hard
２０２４年３月 | ２０２４年３月 | 2024-03-01 | 2024-04-01 | range | hard
二零二四年三月 | 二零二四年三月 | 2024-03-01 | 2024-04-01 | range | hard
二〇二四年三月十五日 | 二〇二四年三月十五日 | 2024-03-15 | 2024-03-16 | day | hard
24年 | 24年 | 2024-01-01 | 2025-01-01 | range | hard
98年3月 | 98年3月 | 1998-03-01 | 1998-04-01 | range | hard
三月初 | 三月初 | 2024-03-01 | 2024-03-11 | range | hard
月底 | 月底 | 2024-04-21 | 2024-05-01 | range | hard
年初 | 年初 | 2024-01-01 | 2024-04-01 | range | hard
去年年底 | 去年年底 | 2023-10-01 | 2024-01-01 | range | hard
第三季度 | 第三季度 | 2023-07-01 | 2023-10-01 | range | hard
2023年上半年 | 2023年上半年 | 2023-01-01 | 2023-07-01 | range | hard
90年代 | 90年代 | 1990-01-01 | 2000-01-01 | range | hard
国庆 | 国庆 | 2023-10-01 | 2023-10-08 | range | hard
去年春節 | 去年春節 | 2023-01-21 | 2023-01-29 | range | hard
三天前 | 三天前 | 2024-05-12 | 2024-05-13 | day | hard
三個星期前 | 三個星期前 | 2024-04-22 | 2024-04-29 | range | hard
两个月前 | 两个月前 | 2024-03-01 | 2024-04-01 | range | hard
半年前 | 半年前 | 2023-10-01 | 2024-01-01 | range | soft
两年半前 | 两年半前 | 2021-11-01 | 2021-12-01 | range | hard
大概两周前 | 大概两周前 | 2024-04-29 | 2024-05-06 | range | soft
前几天 | 前几天 | 2024-05-08 | 2024-05-14 | range | soft
前两天 | 前两天 | 2024-05-12 | 2024-05-15 | range | soft
三天后 | 三天后 | 2024-05-18 | 2024-05-19 | day | hard
最近一周 | 最近一周 | 2024-05-08 | 2024-05-16 | range | hard
近三个月 | 近三个月 | 2024-02-15 | 2024-05-16 | range | hard
过去两周 | 过去两周 | 2024-05-01 | 2024-05-16 | range | hard
未来两周 | 未来两周 | 2024-05-15 | 2024-05-30 | range | hard
五月到七月 | 五月到七月 | 2024-05-01 | 2024-08-01 | range | hard
在六月和七月之间 | 在六月和七月之间 | 2023-06-01 | 2023-08-01 | range | hard
2023年5月到7月 | 2023年5月到7月 | 2023-05-01 | 2023-08-01 | range | hard
五月以来 | 五月以来 | 2024-05-01 | - | range | hard
从五月开始 | 从五月开始 | 2024-05-01 | - | range | hard
五月之后 | 五月之后 | 2024-06-01 | - | range | hard
2024年以前 | 2024年以前 | - | 2024-01-01 | range | hard
最近 | 最近 | 2024-04-15 | - | recent | soft
近来 | 近来 | 2024-04-15 | - | recent | soft
刚才 | 刚才 | 2024-05-15T09:30 | - | recent | soft
现在 | 现在 | - | - | recent | soft
当时 | 当时 | - | 2024-05-15T10:30 | range | soft
我之前说过 | 之前 | - | 2024-05-15T10:30 | range | soft
以前 | 以前 | - | 2024-05-15T10:30 | range | soft
上次 | 上次 | - | - | last | soft
最后一次 | 最后一次 | - | - | last | soft
最新 | 最新 | - | - | last | soft
第一次 | 第一次 | - | - | first | soft
什么时候 | 什么时候 | - | - | asks_when | soft
甚麼時候 | 甚麼時候 | - | - | asks_when | soft
哪天 | 哪天 | - | - | asks_when | soft
几月 | 几月 | - | - | asks_when | soft
我today去了 | today | 2024-05-15 | 2024-05-16 | day | hard
"""

NOTHING = """
I may go there
May said she likes it
since May said so
written by May
thank may
I asked June about it
with April
they march on
you may march second
March of Dimes
wait a second
the sun is hot
in the sun
by sun
Mar-a-Lago
dec. is short
Dec is my friend
we sat on the mat
2000 rpm
in 2000 words
in 1950 steps
v2.3
python 3.11
PyCharm 2024.3.1
1-2-3
10/10
3/4 of the cake
call 555-2024
138-2024-0303
13820240303
ID 20240303
error 2024
https://example.com/2024/03/03/post
https://example.com/2024-03-03
2024-02-30
February 30
every Monday
on Mondays
Monday.com
Black Friday
USA Today
the fall of Rome
Spring Boot app
at the latest
the last one
back to back
this may be wrong
the second of two
finished in 3 days
in a week he did it twice
now that we are here
snow and knowledge
maybe
9000 years ago
天天加班
每天
一天到晚
十月怀胎
每周三开会
每周三次
一周三次
每个月
每年五月
3号线
3号楼
第三天
三个月
五月天的歌
说明天气
工作了24年
第一次世界大战
上面
前面
后面
周围
上周期
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split(" | ")] for line in table.strip().splitlines()]


def moment(cell: str, zone: ZoneInfo = SHANGHAI) -> datetime | None:
    return None if cell == "-" else datetime.fromisoformat(cell).replace(tzinfo=zone)


def cells(hint: TimeHint) -> tuple[object, ...]:
    return hint.text, hint.start, hint.end, hint.kind, hint.strength


@pytest.mark.parametrize("row", rows(ENGLISH) + rows(CHINESE), ids=lambda row: row[0])
def test_time_words_become_the_range_they_mean(row: list[str]) -> None:
    text, words, start, end, kind, strength = row
    assert [cells(hint) for hint in time_hints(text, NOW)] == [(words, moment(start), moment(end), kind, strength)]
    assert mentions_time(text)


@pytest.mark.parametrize("text", NOTHING.strip().splitlines())
def test_words_that_only_look_like_a_time_give_nothing(text: str) -> None:
    assert time_hints(text, NOW) == []


STATEMENTS = """
ship X by Friday | by Friday | 2024-05-17 | 2024-05-18
We need to finish by March 3 | by March 3 | 2025-03-03 | 2025-03-04
The release is due on June 3 | due on June 3 | 2024-06-03 | 2024-06-04
I met Bob on Friday and we talked | Friday | 2024-05-10 | 2024-05-11
I moved here in 2019 | 2019 | 2019-01-01 | 2020-01-01
I've been at Acme since May 2022 | since May 2022 | 2022-05-01 | -
I lived there before 2015 | before 2015 | - | 2015-01-01
recently I met her on March 3 | March 3 | 2024-03-03 | 2024-03-04
昨天去了医院 | 昨天 | 2024-05-14 | 2024-05-15
下周三出差 | 下周三 | 2024-05-22 | 2024-05-23
周五前提交报告 | 周五前 | 2024-05-17 | 2024-05-18
记得20号交房租 | 20号 | 2024-05-20 | 2024-05-21
月底要交报告 | 月底 | 2024-05-21 | 2024-06-01
我五月去了日本 | 五月 | 2024-05-01 | 2024-06-01
我以前住在北京，去年搬了 | 去年 | 2023-01-01 | 2024-01-01
"""


@pytest.mark.parametrize("row", rows(STATEMENTS), ids=lambda row: row[0])
def test_a_statement_is_dated_from_the_moment_it_was_said(row: list[str]) -> None:
    text, words, start, end = row
    hint = resolve_date(text, NOW)
    assert hint is not None
    assert (hint.text, hint.start, hint.end) == (words, moment(start), moment(end))


@pytest.mark.parametrize("text", ["I like tea", "when did it start?", "recently", "以前", "the first time", ""])
def test_a_statement_without_a_day_has_no_date(text: str) -> None:
    assert resolve_date(text, NOW) is None


@pytest.mark.parametrize(("prefer", "day"), [("past", 10), ("future", 17)])
def test_the_caller_can_say_which_friday(prefer, day: int) -> None:
    hint = resolve_date("Friday", NOW, prefer=prefer)
    assert hint is not None
    assert hint.start == datetime(2024, 5, day, tzinfo=SHANGHAI)


def test_hints_come_in_text_order_and_the_longest_reading_wins() -> None:
    text = "Yesterday you asked 什么时候, and three days ago about Monday morning of 2024-03-03."
    assert [hint.text for hint in time_hints(text, NOW)] == [
        "Yesterday",
        "什么时候",
        "three days ago",
        "Monday morning",
        "2024-03-03",
    ]


def test_a_day_is_a_day_of_the_calendar_where_the_clock_changes() -> None:
    zone = ZoneInfo("Europe/Berlin")
    (hint,) = time_hints("yesterday", datetime(2024, 4, 1, 0, 30, tzinfo=zone))
    assert (hint.start, hint.end) == (datetime(2024, 3, 31, tzinfo=zone), datetime(2024, 4, 1, tzinfo=zone))
    assert hint.start is not None
    assert hint.end is not None
    assert hint.end.astimezone(UTC) - hint.start.astimezone(UTC) == timedelta(hours=23)


def test_today_is_today_in_the_zone_of_the_asker() -> None:
    moment_utc = datetime(2024, 5, 14, 20, tzinfo=UTC)
    (here,) = time_hints("today", moment_utc)
    (there,) = time_hints("今天", moment_utc.astimezone(SHANGHAI))
    assert here.start == datetime(2024, 5, 14, tzinfo=UTC)
    assert there.start == datetime(2024, 5, 15, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "now", "start"),
    [
        ("last Sunday", date(2024, 5, 12), date(2024, 5, 5)),
        ("next Monday", date(2024, 5, 12), date(2024, 5, 13)),
        ("下周一", date(2024, 5, 12), date(2024, 5, 13)),
        ("last weekend", date(2024, 5, 12), date(2024, 5, 4)),
        ("last month", date(2024, 1, 31), date(2023, 12, 1)),
        ("the last month or so", date(2024, 3, 31), date(2024, 2, 1)),
        ("in the last month", date(2024, 3, 31), date(2024, 2, 29)),
        ("Feb 29", date(2027, 3, 1), date(2024, 2, 29)),
        ("last summer", date(2024, 10, 1), date(2024, 6, 1)),
        ("this winter", date(2024, 1, 10), date(2023, 12, 1)),
        ("31号", date(2024, 5, 1), date(2024, 3, 31)),
    ],
)
def test_edges_of_weeks_months_and_years(text: str, now: date, start: date) -> None:
    (hint,) = time_hints(text, datetime(now.year, now.month, now.day, 12, tzinfo=UTC))
    assert hint.start == datetime(start.year, start.month, start.day, tzinfo=UTC)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(InputError, match="zone"):
        time_hints("today", datetime(2024, 5, 15))


def test_every_chinese_new_year_of_the_table_is_a_new_moon_of_the_right_weeks() -> None:
    new_moon, month = datetime(2000, 1, 6, 18, 14, tzinfo=UTC), timedelta(days=29.530588861)
    beijing = timezone(timedelta(hours=8))
    for year in range(2000, 2036):
        day = chinese_new_year(year)
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=beijing)
        phase = (noon - new_moon) / month % 1
        assert min(phase, 1 - phase) * 29.53 < 1.2  # the true moon strays up to 14 hours from the mean one
        assert date(year, 1, 21) <= day <= date(year, 2, 20)


def test_chinese_new_year_outside_the_table_gives_no_hint() -> None:
    assert time_hints("1999年春节", NOW)[0].text != "1999年春节"


@pytest.mark.parametrize("day", [date(2000, 4, 23), date(2008, 3, 23), date(2024, 3, 31), date(2038, 4, 25)])
def test_easter_falls_where_the_church_put_it(day: date) -> None:
    assert easter_sunday(day.year) == day


def test_mentions_time_says_no_to_plain_text() -> None:
    assert not mentions_time("I like green tea with honey")
    assert not mentions_time("我喜欢喝绿茶")


WORDS = sorted(
    {word for table in (ENGLISH, CHINESE, STATEMENTS) for row in rows(table) for word in row[0].split()}
    | {
        "of",
        "the",
        "half",
        "to",
        "-",
        "/",
        "99",
        "0",
        "31",
        "13",
        "9999",
        "零",
        "百",
        "年",
        "月",
        "号",
        "前",
        "至",
        "İ",
        "ſun",
        "K",
    }
)
TEXTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=12).flatmap(
    lambda words: st.sampled_from(["", " ", "\n", "\u00a0"]).map(lambda gap: gap.join(words))
)
ZONES = st.sampled_from(
    [UTC, SHANGHAI, ZoneInfo("Europe/Berlin"), ZoneInfo("America/Sao_Paulo"), ZoneInfo("Pacific/Apia")]
)


@given(TEXTS, st.datetimes(timezones=ZONES))
@example("last\npast week, new\u00a0year's day, day\nbefore\nyesterday, the end\nof\nMay", NOW)
@example("9999 years ago, in 9999 days, 前年, next year", datetime(1, 1, 1, tzinfo=UTC))
@example("next year, 后年, tomorrow night, in 300 years", datetime.max.replace(tzinfo=UTC))
def test_no_text_breaks_it_and_spans_are_true(text: str, now: datetime) -> None:
    last_end = 0
    for hint in time_hints(text, now):
        assert text[slice(*hint.span)] == hint.text != ""
        assert hint.span[0] >= last_end
        last_end = hint.span[1]
        assert hint.start is None or hint.start.tzinfo is now.tzinfo
        assert hint.end is None or hint.end.tzinfo is now.tzinfo
        assert hint.start is None or hint.end is None or hint.start < hint.end
        assert mentions_time(text)
    found = resolve_date(text, now)
    assert found is None or found.kind in ("day", "range")


@pytest.mark.parametrize(
    "unit", ["three ", "1-", "年", "周一到", "may ", "a few ", "1234567890", "\n", "between May and "]
)
def test_a_long_text_is_read_in_linear_work(unit: str) -> None:
    """A quadratic rule needs minutes here; no time is asserted, the suite would stand still."""
    text = (unit * 100_000)[:99_990] + "\n today"
    assert time_hints(text, NOW)[-1].text == "today"


def test_a_moment_is_another_day_elsewhere_whoever_asked_first() -> None:
    here = datetime(2026, 3, 4, 20, tzinfo=UTC)
    there = here.astimezone(timezone(timedelta(hours=8)))
    assert here == there
    for now, day in ((here, 5), (there, 6), (here, 5)):
        hint = resolve_date("the exam is tomorrow", now)
        assert hint is not None
        assert hint.start is not None
        assert (hint.start.day, hint.start.utcoffset()) == (day, now.utcoffset())
