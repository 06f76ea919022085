"""Whether the words of a value can be one of their class: a name is no adverb, an age holds a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from smartbrain.extraction._en_words import LANGUAGES
from smartbrain.extraction._zh_places import CITIES, COUNTRIES
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
    if label in _PLACES and len(value) == 1:
        return False
    if label == "employer" and _no_org_name(value, message):
        return False
    if label == "role" and (len(value) == 1 or _no_trade().search(value)):
        return False
    if label == "health" and _passing().search(value) and not _lasting().search(message):
        return False
    if label == "allergy" and not _reacts().search(message):
        return False
    if label in ("like", "dislike") and _mood().match(value):
        return False
    if label in ("like", "dislike") and _only_a_side().fullmatch(value):
        return False
    if label == "employer" and (_a_city().fullmatch(value) or _some_company().match(value)):
        return False
    if label == "employer" and value.endswith("院") and _treated().search(message):
        return False
    if label.startswith("t.") and "/" in value:
        return False
    if label == "dec" and _praise().fullmatch(value):
        return False
    if label == "languages" and not _tongue().search(value):
        return False
    if label in ("w.language", "u.language") and value.isascii() and not _tongue().search(value):
        return False
    if label in _REGIONS and _no_region().search(value):
        return False
    return not (label in _PLACES and _anywhere().fullmatch(value))


def _no_org_name(value: str, message: str) -> bool:
    """Whether a value in small letters is no "the steelworks", by somebody who uses capitals."""
    small = value.isascii() and value.islower() and message != message.lower()
    return small and not value.startswith(("the ", "a ", "an ", "our ", "my "))


@cache
def _no_trade() -> re.Pattern[str]:
    """ "We work as a team", "been a long week", "running is most of my week"."""
    return re.compile(
        r"^(?:(?:work|act|function|operate)\w* )?(?:as )?(?:a |an |one )?(?:team|group|pair|couple|unit|"
        r"family|whole)$"
        r"|\bmy\b|\b(?:road|journey|while|days?|weeks?|months?|hours?|part of)\b",
        re.IGNORECASE,
    )


@cache
def _some_company() -> re.Pattern[str]:
    return re.compile(r"(?:一[家个所]|某[家个]?|[这那]家)")


@cache
def _passing() -> re.Pattern[str]:
    """What one has today and not for good."""
    return re.compile(
        r"\b(?:fever|cough|cold|flu|hangover|headache|tummy ache|stomach ?ache|sore throat|runny nose|sniffles|"
        r"food poisoning)\b|发烧|感冒|咳嗽|头[疼痛]|拉肚子|嗓子疼|發燒|頭[疼痛]",
        re.IGNORECASE,
    )


@cache
def _lasting() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:chronic|for years|all my life|always|every|regular\w*|long[- ]term|keep getting)\b|慢性|"
        r"常年|老毛病|多年|经常|總是|总是|"
        r"老是|一直",
        re.IGNORECASE,
    )


@cache
def _reacts() -> re.Pattern[str]:
    """Words without which what somebody reads as an allergy is only something to eat."""
    return re.compile(
        r"allerg|intoleran|c(?:o?e)liac|kills? me|finish me|a ?& ?e\b|hives|\brash|swell|swoll|react|anaphyla|"
        r"epi-?pen|hospital|throat|"
        r"breath|break out|"
        r"itch|sneez|wheez|sick|ill\b|gluten|lactose|\b(?:can'?t|cannot|can not|"
        r"mustn'?t) (?:\w+ )?(?:have|eat|touch|drink|"
        r"be near|go near|wear|do|stand)|过敏|過敏|不耐|疹|敏感|不能[吃碰喝]|一[吃碰喝闻]就|肿|腫|痒|癢|"
        r"吃不[了得]|碰不得|喷嚏",
        re.IGNORECASE,
    )


@cache
def _a_city() -> re.Pattern[str]:
    return re.compile(f"(?:{CITIES}|{COUNTRIES})(?:市|省|那边|这边)?")


@cache
def _mood() -> re.Pattern[str]:
    """太麻烦: what something is like is nothing that one likes or dislikes."""
    return re.compile("太|很|真(?!人|皮|丝)|挺|有点|好(?=麻烦|烦|累|难|贵|远|无聊|看|听|玩)")


@cache
def _only_a_side() -> re.Pattern[str]:
    """ "The texture makes me gag": of what, another clause says."""
    return re.compile(
        r"(?:the|its|their|that) (?:textures?|smells?|taste|flavou?r|noise|sound|sight|look|feel|colou?r|"
        r"consistency|idea|thought)",
        re.IGNORECASE,
    )


@cache
def _treated() -> re.Pattern[str]:
    """在市二院 beside an operation is where one is treated, not where one works."""
    return re.compile("手术|手術|住院|看病|复查|複查|开刀|開刀|化疗|化療|挂号|掛號|产检|產檢|急诊|急診")


@cache
def _praise() -> re.Pattern[str]:
    """ "I'm sure it will be exciting": nothing is chosen."""
    return re.compile(
        r"(?:so |very |really )?(?:rewarding|challenging|amazing|interesting|exciting|boring|worth it|"
        r"great|good|fine|fun|hard|"
        r"tough|okay|ok|better|best|easy|awesome)",
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
        r"(?:虚岁|快|刚|都|满)?(?:\d{1,3}|[零一二三四五六七八九十百两廿]{1,4})(?:多|来|几)?(?:周?岁|"
        r"个月)?(?:了|多)?|[零一二三四五六七八九]零后|\d0后"
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
        r"(?:again|here|sure|fine|yes|no|the|me|you|一下|一声|我|你|他|她|它|什么|自己|大家|这个|那个|这|"
        r"那|谁|怎么.*|不.*|.*(?:的[那这]|[那这]个).*)",
        re.IGNORECASE,
    )


@cache
def _tongue() -> re.Pattern[str]:
    """A language by name, or by how Chinese names one."""
    return re.compile(
        rf"[语話话文]|\b(?:{LANGUAGES})\b|\b(?:sign|creole|dialect|bilingual|traditional|simplified|characters)\b|"
        rf"[A-Z][a-z]+(?:ish|ese|ian|an|ic)\b",
        re.IGNORECASE,
    )


@cache
def _no_region() -> re.Pattern[str]:
    """ "I ended up in A&E": where one is taken is no home."""
    return re.compile(
        r"[&@#/]|\b(?:hospital|er|icu|jail|prison|court|tears|trouble|hospice|rehab)\b|医院|急诊|"
        r"派出所",
        re.IGNORECASE,
    )


@cache
def _anywhere() -> re.Pattern[str]:
    return re.compile(
        r"(?:一家|这家|那家|某家?|我们|一个|一所)?(?:公司|单位|学校|工厂|地方|城市|家里?|这里|这儿|那里|"
        r"外面|外地|国外|老家)"
        r"|(?:an?|the|my|our|this|that)? ?(?:company|school|office|place|city|town|home|house|job|work|university|"
        r"college)",
        re.IGNORECASE,
    )
