"""Chinese time words, as rules over folded text: simplified by then, digits halfwidth (see ``_time_pieces.fold``)."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.text import _time_zh_build as make
from smartbrain.text._time_calendar import WEEKENDS
from smartbrain.text._time_pieces import Piece, Rule, always, bare, cycle, moved_minutes
from smartbrain.text._time_zh_words import (
    DAY_NUMBER,
    DAYPART,
    FEASTS,
    MONTH,
    MONTH_PART,
    NO_HABIT,
    NOT_A_DAY_NUMBER,
    NOT_IN_NUMBER,
    NOT_WEEK,
    NUMBER,
    UNIT,
    WEEK,
    YEAR,
)


@cache
def zh_rules() -> tuple[Rule, ...]:
    """The Chinese rules, compiled at first use: tens of milliseconds that an import must not cost."""
    return (
        (
            re.compile(
                r"(?P<day>(?<!如)今|昨|(?<!说)明|(?<=说)明(?=天(?!气))|大前|(?<![大以之目天周月年])前|大后|(?<![大以之天周月年先今])后"
                r"|[听聽寻尋琴](?=日(?![本报语文剧元])))"  # Cantonese
                r"(?:(?:天(?!天(?!气))(?!性)|日(?![本报])|儿(?!子|童))" + DAYPART + r")"
            ),
            make.relative_day,
        ),
        (
            re.compile(
                r"(?P<day>今|昨|明|(?<![以之天周月年])前)(?P<short>晚(?!点|些|会|饭)|早(?!就|已|点|些|饭)|夜)上?"
            ),
            make.relative_day,
        ),
        (
            re.compile(
                NO_HABIT
                + r"(?P<ref>上上|(?<![线以网早晚路楼])上|(?<!日)(?<!资)本|这|下下|(?<![以之线楼])下)"
                + WEEK
                + rf"(?:(?P<end>末)|{NOT_WEEK}的?(?:(?P<wd>[一二三四五六日天])(?![次回遍场顿]){DAYPART})?)"
            ),
            make.week_ref,
        ),
        (
            re.compile(
                NO_HABIT
                + r"(?<![0-9一二两三四五六七八九十每几半数整])(?:周|星期|礼拜)"
                + r"(?P<wd>[一二三四五六日天])(?![次回遍场顿节篇个年岁围])"
                + DAYPART
            ),
            make.weekday,
        ),
        (re.compile(NO_HABIT + r"(?<![上下这本每个双])周末(?!都|愉快|班)"), always(cycle(WEEKENDS, strength="soft"))),
        (
            re.compile(
                NO_HABIT
                + rf"(?:{YEAR})?{NOT_IN_NUMBER}(?P<m>{MONTH})月(?!份?(?:怀胎|革命))(?!天(?!气))(?!花)(?:份)?的?"
                rf"(?:(?P<d>{DAY_NUMBER})(?:日|号){NOT_A_DAY_NUMBER}"
                rf"(?:(?:到|至|-|~|—)(?P<d2>{DAY_NUMBER})(?:日|号)|{DAYPART})|{MONTH_PART})?"
            ),
            make.month,
        ),
        (
            re.compile(
                NO_HABIT
                + rf"(?:{YEAR})?{NOT_IN_NUMBER}(?P<m>{MONTH})(?:月份?)?(?:到|至|-|~|—)(?P<m2>{MONTH})月份?"
                + rf"(?!{DAY_NUMBER}[日号])"
            ),
            make.month,
        ),
        (
            re.compile(
                NO_HABIT + rf"(?:{YEAR}年?)(?:(?P<season>[春夏秋冬])(?!节|运|晚|联|游|装)[天季]?|(?P<half>[上下])半年|"
                rf"第?(?P<q>[一二三四1-4])季度?|"
                rf"(?P<feast>{'|'.join(FEASTS)})节?|(?P<part>年?[初中底末](?![国午文心学期])))"
            ),
            make.of_year,
        ),
        (
            re.compile(
                NO_HABIT + rf"(?:(?P<season>[春夏秋冬])[天季]|(?P<half>[上下])半年|"
                rf"第?(?P<q>[一二三四1-4])季度|(?P<feast>{'|'.join(FEASTS)})节?)"
            ),
            make.of_year,
        ),
        (re.compile(YEAR.removesuffix("的?")), make.bare_year),
        (
            re.compile(
                rf"(?P<ref>上上|(?<![线以])上|这|(?<!日)本|当|下下|(?<![以之])下)一?个?月(?![台球亮面光饼])"
                rf"的?(?:份的?)?(?:(?P<d>{DAY_NUMBER})(?:日|号){NOT_A_DAY_NUMBER}|{MONTH_PART})?"
            ),
            make.month_ref,
        ),
        (
            re.compile(
                NO_HABIT
                + r"(?<![0-9零一二三四五六七八九十今去前后明来本每当个上下这])"
                + r"(?P<word>[年月][初底末])(?![一二三四五六七八九十])"
            ),
            make.end_of,
        ),
        (
            re.compile(
                rf"{NO_HABIT}{NOT_IN_NUMBER}(?<![a-z月#\-/])(?P<d>{DAY_NUMBER})号(?:那天)?{NOT_A_DAY_NUMBER}{DAYPART}"
            ),
            make.day_of_month,
        ),
        (
            re.compile(
                rf"{NOT_IN_NUMBER}(?P<about>大约|大概|差不多|约)?{NUMBER}(?P<more>多)?(?P<ge>个)?多?{UNIT}(?P<half>半)?"
                rf"(?:之|以)?(?P<dir>前(?![面端天往台后年])|后(?![面端天来台续]))"
            ),
            make.distance,
        ),
        (
            re.compile(r"(?<![以之])前(?P<n>好几|几|些|两|数)个?(?P<unit>天|日子|周|星期|礼拜|月|年|晚)"),
            lambda match, now: make.few_before(match, now) if match["unit"] != "日子" else make.some_days(now),
        ),
        (
            re.compile(
                rf"(?P<dir>最近|(?<![附靠接远临将])近|过去|这(?=[两几半])|未来|接下来|今后)的?{NUMBER}个?{UNIT}(?:之?内|以?来|里|间)?"
            ),
            make.window,
        ),
        (re.compile(r"(?P<dec>(?:19|20)[0-9]0|[3-9]0|[三四五六七八九]十)年代"), make.decade),
        (
            re.compile(
                r"最近(?!一次|一回|的(?:地铁|车站|医院|超市|餐|路|店|银行|药|机场|酒店|公园))|近来|近期|近日|这阵子|这段时间"
            ),
            lambda _m, now: make.recent(now),
        ),
        (
            re.compile(r"刚才|刚刚|方才|适才"),
            lambda _m, now: Piece(moved_minutes(45, now, -1).start, None, "recent", "soft"),
        ),
        (re.compile(r"现在|目前|如今|当前|眼下|此刻|现今"), always(bare("recent"))),
        (re.compile(r"前段时间|前阵子|前些时候|前一阵子?|前些日子"), lambda _m, now: make.some_days(now)),
        (
            re.compile(
                r"当时(?!钟|针|区)|那时候?|那会儿|(?<=很久)以前|(?<=好久)以前|从前|曾经|"
                r"(?:(?<=[\s，,。.！!？?、；;：:我你他她它们咱您在是的了吗呢和跟说过都])|(?<![\s\S]))(?:之前|以前)(?!的?(?:端|台|面))"
            ),
            lambda _m, now: Piece(None, now, "range", "soft"),
        ),
        (re.compile(r"(?<!以)上(?:一?次|一?回)(?![数序])"), always(bare("last"))),
        (re.compile(r"最后一[次回]|最近一[次回]|最新"), always(bare("last"))),
        (re.compile(r"第一[次回](?!世界大战|工业革命)|首次|头一[次回]|最早|最初"), always(bare("first"))),
        (
            re.compile(
                r"(?:什么|啥)(?:时候|时间|时侯)|何时|哪一?[天年]|哪一?个?(?:月|星期|周|礼拜)(?!末)|几月(?:份)?(?:几[号日])?|几[号点](?!楼|线)|"
                r"(?:周|星期|礼拜)几|多久(?:之|以)?前|哪个?时候"
            ),
            always(bare("asks_when")),
        ),
    )
