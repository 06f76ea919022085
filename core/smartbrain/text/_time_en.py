"""English time words, as rules over folded text (see ``_time_pieces.fold``)."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from smartbrain.text import _time_en_build as make
from smartbrain.text._time_calendar import WEEKENDS
from smartbrain.text._time_en_words import (
    DAY_NUMBER,
    DAYPART,
    FEAST,
    MONTH,
    NUMBER,
    OF_YEAR,
    ORD,
    ORD_WORD,
    PART,
    REF,
    UNIT,
    WEEKDAY,
    YEAR,
    unit_of,
)
from smartbrain.text._time_pieces import GAP, LEFT, RIGHT, Rule, always, bare, cycle, days, rolling


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(f"{LEFT}(?:{pattern}){RIGHT}")


@cache
def en_rules() -> tuple[Rule, ...]:
    """The English rules, compiled at first use: tens of milliseconds that an import must not cost."""
    return (
        (
            _rule(
                r"(?:(?:earlier|later)\s)?(?P<base>(?:the\s)?day\sbefore\syesterday|(?:the\s)?day\safter\stomorrow|"
                r"yesterday|tomorrow|tmrw|tmr|tomoz|2moro|(?<!usa\s)today)(?:\s(?P<part>morning|afternoon|evening|night))?"
            ),
            make.relative_day,
        ),
        (
            _rule(r"(?:(?P<which>this|last)\s(?P<part>morning|afternoon|evening|night)|(?P<tonight>tonight))"),
            make.part_of_day,
        ),
        (
            _rule(
                rf"(?:(?P<about>about|around|roughly|almost|nearly|over|approximately|more\sthan)\s)?(?P<n>{NUMBER}){GAP}"
                rf"{UNIT}(?P<half>\sand\sa\shalf)?{GAP}(?:ago|back(?!\s(?:to|in|at|from)\b))"
            ),
            lambda match, now: make.distance(match, now, -1),
        ),
        (_rule(rf"(?P<n>{NUMBER}){GAP}{UNIT}\sfrom\s(?:now|today)"), lambda match, now: make.distance(match, now, 1)),
        (_rule(rf"in{GAP}(?P<n>{NUMBER}){GAP}{UNIT}(?:'s?\stime)?(?!\sof\b)"), make.ahead),
        (
            _rule(
                rf"(?:the{GAP}|this{GAP}|these{GAP})?(?P<dir>last|past|previous|next|coming|following){GAP}"
                rf"(?P<n>{NUMBER}){GAP}{UNIT}(?!\sof\s(?:the|my|our|a)\b)"
            ),
            make.window,
        ),
        (
            _rule(
                rf"(?:(?:in|over|during|within|for){GAP}the{GAP}(?P<dir>last|past|next|coming)|(?:the|this){GAP}(?:past))"
                rf"{GAP}(?P<unit>day|week|month|quarter|year)(?!\sof\b)"
            ),
            lambda match, now: rolling(
                unit_of(match["unit"])[0], now, 1, 1 if match["dir"] in ("next", "coming") else -1
            ),
        ),
        (
            _rule(
                PART
                + r"(?:(?P<side>earlier|later)\s)?(?:the\s)?(?:(?P<ref>last|previous|this(?:\s(?:past|coming))?|next|"
                r"(?:the\s)?coming|current)\s{1,2}(?P<unit>week|month|quarter|year|weekend)(?!\s(?:before|after|of)\b))"
                r""
            ),
            make.named_unit,
        ),
        (
            _rule(
                r"the\s(?P<unit>week|month|quarter|year|weekend)\s"
                r"(?P<twice>before\slast|after\snext)"
            ),
            make.named_unit,
        ),
        (
            _rule(r"(?:(?<=over\sthe\s)|(?<=on\sthe\s)|(?<=at\sthe\s)|(?<=during\sthe\s))weekend"),
            always(cycle(WEEKENDS)),
        ),
        (
            _rule(r"(?P<part>(?:the\s)?(?:beginning|start|end|middle)\sof)\sthe\s(?P<unit>week|month|year)"),
            make.end_of_the,
        ),
        (
            _rule(
                rf"(?:(?P<wref2>last|next)\sweek(?:'s|\son)?\s(?P<wd2>{WEEKDAY})|{REF}(?P<wd>{WEEKDAY})(?P<bl>\sbefore\slast)?{DAYPART}"
                r"(?:\s(?:of\s)?(?P<wref>last|this|next)\sweek)?)(?!\.[a-z])"
            ),
            make.weekday,
        ),
        (
            _rule(
                rf"{PART}{REF}(?P<mon>{MONTH})(?:(?:\s,?|,\s)(?:of\s|in\s)?(?:{YEAR}|(?P<yref>last|this|next)\syear))?"
            ),
            make.month,
        ),
        (_rule(rf"(?P<mon>{MONTH})\s?[-–—/]\s?(?P<mon2>{MONTH})(?:,?\s{YEAR})?"), make.month_range),
        (_rule(rf"(?P<mon>{MONTH})\s{{1,2}}(?:the\s)?(?:{DAY_NUMBER}|{ORD_WORD}){OF_YEAR}"), make.month_day),
        (_rule(rf"(?:the\s)?(?:{DAY_NUMBER}|{ORD_WORD})\s{{1,2}}(?:of\s)?(?P<mon>{MONTH}){OF_YEAR}"), make.month_day),
        (
            _rule(rf"the\s(?P<d>[0-9]{{1,2}}){ORD}(?=\s?(?:$|[.,;!?)]|(?:at|i|we|my|and|for|with|to)\b))"),
            make.day_of_month,
        ),
        (
            _rule(
                rf"(?:(?P<y0>(?:19|20)[0-9]{{2}})\s?)?(?:(?:q|(?P<half>h))(?=[1-4])|(?:the\s)?(?=(?:first|second|third|fourth)\squarter)|"
                rf"(?:the\s)?(?=(?:first|second)\shalf\sof\s(?:[12]|last|this|next)))(?P<q>[1-4]|first|second|third|fourth)"
                rf"(?:\squarter|(?P<half2>\shalf))?{OF_YEAR}"
            ),
            make.quarter,
        ),
        (
            _rule(
                rf"{REF}(?P<season>spring|summer|autumn|fall|winter){OF_YEAR}"
                r"(?!\s(?:boot|framework|mvc|security|cloud|data|onions?|rolls?|festival|break|asleep|apart|behind|back|short|"
                r"into|off|olympics)\b)"
            ),
            make.season,
        ),
        (_rule(rf"(?:{PART}|the\syear\s){YEAR}(?!-)"), make.year),
        (
            re.compile(
                r"(?<![0-9a-z_./+-])(?P<y>(?:19|20)[0-9]{2})\s?[-–—~]\s?(?P<y2>(?:19|20)[0-9]{2})(?![0-9a-z_/-])(?!\.[0-9])"
            ),
            lambda match, _now: days((date(int(match["y"]), 1, 1), date(int(match["y2"]) + 1, 1, 1))),
        ),
        (_rule(r"(?:the\s)(?P<dec>(?:19|20)[0-9]0|[3-9]0)'?s"), make.decade),
        (_rule(rf"{REF}(?P<feast>{FEAST}){OF_YEAR}(?!\seggs?\b|\sresolutions?\b)"), make.holiday),
        (_rule(r"recently|recent|lately|these\sdays|of\slate"), make.recent),
        (_rule(r"just\snow|a\s(?:moment|minute|second)\sago|moments\sago"), make.just_now),
        (_rule(r"the\sother\s(?:day|night|week)"), make.other_day),
        (
            _rule(
                r"currently|(?<!\bby\s)now(?!\sthat\b)|right\snow|as\sof\s(?:now|today)|at\s(?:the\smoment|present)|nowadays|presently|"
                r"(?<=\bmy\s)current|(?<=\byour\s)current|(?<=\bour\s)current|(?<=\bhis\s)current|(?<=\bher\s)current|"
                r"(?<=\btheir\s)current|(?<='s\s)current|(?<=\bthe\s)current(?!\s(?:through|flows?|flowing|is|of|in)\b)"
            ),
            always(bare("recent")),
        ),
        (
            _rule(
                r"previously|formerly|used\sto(?=\s[a-z])|in\sthe\spast(?!\s(?:[0-9]|few|couple|week|month|year|day))|"
                r"back\sthen|at\s(?:that|the)\stime|in\sthose\sdays|a\s(?:long\s)?(?:while|time)\s(?:ago|back)|long\sago"
            ),
            make.earlier,
        ),
        (
            _rule(
                r"(?:(?:the|my|our|his|her|their)\s)?(?:very\s)?first\s(?:ever\s)?time|earliest|"
                r"(?<=\bdid\si\s)first|(?<=\bdid\swe\s)first|(?<=\bdid\syou\s)first|(?<=\bdid\she\s)first|(?<=\bdid\sshe\s)first|"
                r"(?<=\bdid\sthey\s)first"
            ),
            always(bare("first")),
        ),
        (
            _rule(
                r"(?:(?:the|my|our|his|her|their)\s)?(?:very\s)?(?:last|final|previous|most\srecent)\stime|"
                r"(?<!at\sthe\s)latest|newest|most\srecent(?:ly)?|(?<=\bdid\si\s)last|(?<=\bdid\swe\s)last|"
                r"(?<=\bdid\syou\s)last|(?<=\bdid\she\s)last|(?<=\bdid\sshe\s)last|(?<=\bdid\sthey\s)last"
            ),
            always(bare("last")),
        ),
        (
            _rule(
                r"when\s(?:did|do|does|was|were|is|are|will|would|should|have|has|had|can|exactly)|since\swhen|how\slong\sago|"
                r"(?:what|which)\s(?:exact\s)?(?:date|day|month|year|weekday)(?:\sof\sthe\sweek)?|(?:at\s)?what\stime|(?<=^)when(?=\?)"
            ),
            always(bare("asks_when")),
        ),
    )
