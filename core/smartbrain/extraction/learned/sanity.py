"""Whether the words of a value can be one of their class: a name is no adverb, an age holds a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from smartbrain.extraction._en_words import LANGUAGES
from smartbrain.text import stopwords

_NUMBER: Final = (
    r"\d|[零〇一二三四五六七八九十百两廿]|teen\b|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|"
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_NUMBERED: Final = frozenset(("age", "height", "weight", "phone", "birthday"))
_NAMES: Final = frozenset(("name", "nickname"))
_PLACES: Final = frozenset(("home", "hometown", "employer", "school"))
_REGIONS: Final = frozenset(("home", "hometown"))
_LONGEST: Final[Mapping[str, int]] = {"name": 24, "nickname": 20, "age": 20, "home": 40, "hometown": 40, "role": 48}


def plausible(label: str, value: str, message: str) -> bool:
    """Whether ``value`` may be the value of a class; ``message`` tells whether its writer uses capitals."""
    words = re.findall(r"[a-z']+|[\u3400-\u9fff]|\d+", value.casefold())
    if not words or (label != "c.language" and all(word in stopwords.ENGLISH or word in _EMPTY for word in words)):
        return False
    if len(value) > _LONGEST.get(label, 120):
        return False
    if label in _NUMBERED and not (_number().search(value) and not _ratio().search(value)):
        return False
    if label == "age" and not _age().fullmatch(value):
        return False
    if label in _NAMES and (re.search(r"[\d/*.]{2}|[*/]", value) or _no_name().fullmatch(value)):
        return False
    if label in _NAMES | _REGIONS and value.isascii() and value.islower() and message != message.lower():
        return False
    if label == "role" and (len(value) == 1 or _many_as_one().fullmatch(value)):
        return False
    if label == "languages" and not _tongue().search(value):
        return False
    if label in _REGIONS and _no_region().search(value):
        return False
    return not (label in _PLACES and _anywhere().fullmatch(value))


_LONG: Final = 300
"""Characters of a message in which more is told, asked and pasted than said of oneself."""


def personal(kind: str, label: str, clause: str, message: str) -> bool:
    """Whether a clause speaks of the user plainly enough for the message it stands in.

    In a long message a fact needs its "I" in the clause, and how to answer holds for this answer unless it is said to
    be for always.
    """
    if label.startswith("w.") and not _of_answers().search(clause) and not _standing().search(message):
        return False
    if label == "phone" and not _of_calls().search(clause):
        return False
    if kind == "preferences" and label not in ("like", "dislike"):
        bare = len(message) <= _SHORT and not _this_one().search(clause)
        return bare or _standing().search(clause) is not None
    if kind == "profile" and _of_a_thing().search(clause) and not _self().search(clause):
        return False
    if label == "age" and not (_of_age().search(clause) or _two_digits().fullmatch(clause)):
        return False
    if label == "birthday" and not _of_birth().search(message):
        return False
    first = label in _FIRST and message.casefold().find(clause) < _OPENING
    return len(message) <= _LONG or first or _self().search(clause) is not None


_SHORT: Final = 160
_OPENING: Final = 60
"""Characters at the front of a message in which people say who they are."""
_FIRST: Final = frozenset(("name", "age", "role"))


@cache
def _many_as_one() -> re.Pattern[str]:
    """ "We work as a team": how, and not as what."""
    return re.compile(
        r"(?:(?:work|act|function|operate)\w* )?(?:as )?(?:a |an |one )?(?:team|group|pair|couple|unit|family|whole)",
        re.IGNORECASE,
    )


@cache
def _of_birth() -> re.Pattern[str]:
    return re.compile(r"\b(?:birth\w*|b-?days?|born|dob|turn\w*|old|age|cake)\b|[生岁歲诞誕]", re.IGNORECASE)


@cache
def _this_one() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:the|this|that|these) (?:answer|text|email|mail|letter|result|output|list|summary|story|paragraph|essay|"
        r"code|function|table|title|intro|reply|message|post|report)s?\b|[这那]个?(?:答案|文本|邮件|信|列表|总结|故事|段|篇|表格|标题|函数)",
        re.IGNORECASE,
    )


@cache
def _of_a_thing() -> re.Pattern[str]:
    """ "The business is a bakery": said of something that is not the user."""
    return re.compile(
        r"\b(?:the|a|an|this|that|these|those|each|every) [\w -]{2,40}\b(?:is|are|was|were)\b", re.IGNORECASE
    )


@cache
def _two_digits() -> re.Pattern[str]:
    """ "Divorced, 47, two grown children": a number alone, among what one tells of oneself."""
    return re.compile(r"[1-9]\d|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]\w+)?")


@cache
def _of_age() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:i'm|i am|im|is|was|turn\w*|years?|old|young|aged?|being|at \d|yo|birthday|candles|pushing|"
        r"going on|knocking on|side of|just|hit)\b|^\d\d ?[mf]\b|'s \d|[岁年满我快都]",
        re.IGNORECASE,
    )


@cache
def _self() -> re.Pattern[str]:
    return re.compile(r"\b(?:i|i'm|i've|i'll|im|ive|me|my|we|we're|we've|our)\b|[我俺咱]|本人", re.IGNORECASE)


@cache
def _standing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:always|never|every time|each time|from now on|by default|whenever|any ?more|as a rule|in future|"
        r"i (?:use|prefer|like|"
        r"keep|pay|read|write|work|always))\b|以后|往后|今后|从今|从现在|每次|每回|一律|一直|永远|默认|固定|我(?:用|习惯|喜欢|都|一直|平时)|都用",
        re.IGNORECASE,
    )


_EMPTY: Final = frozenset(
    """
    again ever now here there today this that it them something everything nothing thing things stuff one ones much
    huge big fan whole team treat result really always never often sometimes maybe okay yes no well lot lots way kind
    bit more less fun time times
    """.split()  # noqa: SIM905
)


@cache
def _number() -> re.Pattern[str]:
    return re.compile(_NUMBER, re.IGNORECASE)


@cache
def _age() -> re.Pattern[str]:
    return re.compile(
        r"(?:虚岁|快|刚|都|满)?(?:\d{1,3}|[零一二三四五六七八九十百两廿]{1,4})(?:多|来|几)?(?:周?岁|个月)?(?:了|多)?|[零一二三四五六七八九]零后|\d0后"
        r"|(?:almost |nearly )?(?:\d{1,3}|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ][a-z]+)?|"
        r"one|two|three|four|five|six|"
        r"seven|eight|nine|ten|eleven|twelve)(?:[- ](?:years?|months?)(?:[- ]old)?| (?:years )?young)?",
        re.IGNORECASE,
    )


@cache
def _ratio() -> re.Pattern[str]:
    return re.compile(r"\d\s*[/x×:]\s*\d(?!\d{3})|%")


@cache
def _no_name() -> re.Pattern[str]:
    return re.compile(
        r"(?:again|here|sure|fine|yes|no|the|me|you|一下|一声|我|你|他|她|它|什么|自己|大家|这个|那个|这|那|谁|怎么.*|不.*)",
        re.IGNORECASE,
    )


@cache
def _of_answers() -> re.Pattern[str]:
    """Words without which an English wish is hardly about how the assistant writes ("stay strong", "one at a time")."""
    return re.compile(
        r"[\u3400-\u9fff]|\b(?:you|your|answer\w*|repl(?:y|ies)|respon\w+|explain\w*|writ\w+|wording|say|tell|talk|speak|call|"
        r"text|emojis?|smileys?|bullets?|lists?|tables?|sentences?|paragraphs?|words?|jargon|tone|format\w*|markdown|"
        r"summar\w+|examples?|sources?|links?|english|spelling|language|please|pls|plain|short|brief|concise|detail\w*|"
        r"formal\w*|polite\w*|always|never|now on|every|chat|ask|give|keep|skip|spell\w*|use|stop|no)\b",
        re.IGNORECASE,
    )


@cache
def _of_calls() -> re.Pattern[str]:
    return re.compile(
        r"phone|mobile|\b(?:cell|tel|call|ring|reach|text|whats ?app|my number|number's)\b"
        r"|电话|手机|号码|打给|联系|打 ?[0-9]{5}",
        re.IGNORECASE,
    )


@cache
def _tongue() -> re.Pattern[str]:
    """A language by name, or by how Chinese names one."""
    return re.compile(
        rf"[语話话文]|\b(?:{LANGUAGES})\b|\b(?:sign|creole|dialect|bilingual)\b|[A-Z][a-z]+(?:ish|ese|ian|an|ic)\b",
        re.IGNORECASE,
    )


@cache
def _no_region() -> re.Pattern[str]:
    """ "I ended up in A&E": where one is taken is no home."""
    return re.compile(
        r"[&@#/]|\b(?:hospital|er|icu|jail|prison|court|tears|trouble|hospice|rehab)\b|医院|急诊|派出所", re.IGNORECASE
    )


@cache
def _anywhere() -> re.Pattern[str]:
    return re.compile(
        r"(?:一家|这家|那家|某家?|我们|一个|一所)?(?:公司|单位|学校|工厂|地方|城市|家里?|这里|这儿|那里|外面|外地|国外|老家)"
        r"|(?:an?|the|my|our|this|that)? ?(?:company|school|office|place|city|town|home|house|job|work|university|"
        r"college)",
        re.IGNORECASE,
    )
