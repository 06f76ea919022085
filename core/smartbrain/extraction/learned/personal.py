"""Whether a clause speaks of the user plainly enough for what the classifier reads in it."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_LONG: Final = 300
"""Characters of a message in which more is told, asked and pasted than said of oneself."""


def personal(kind: str, label: str, clause: str, message: str) -> bool:
    """Whether a clause speaks of the user plainly enough for the message it stands in.

    In a long message a fact needs its "I" in the clause, and how to answer holds for this answer unless it is said to
    be for always.
    """
    if label.startswith("w.") and not _of_answers().search(clause) and not _standing().search(message):
        return False
    if label.startswith("w.") and _parting().search(clause):
        return False
    if label.startswith("w.") and _asked_now().search(message) and not _standing().search(message):
        return False
    if label == "role" and not (_self().search(clause) or _of_a_trade().search(message)):
        return False
    if label == "dislike" and _not_allowed().search(clause):
        return False
    if label == "pet" and _in_a_place().search(clause) and not _self().search(clause):
        return False
    if label in ("name", "nickname") and not _of_names().search(clause):
        return False
    if label == "phone" and not _of_calls().search(clause):
        return False
    if kind == "preferences" and label not in ("like", "dislike"):
        bare = len(message) <= _SHORT and not _this_one().search(clause)
        return bare or _standing().search(clause) is not None
    if kind == "profile" and _of_a_thing().search(clause) and not _self().search(clause):
        return False
    if label == "age" and not (_of_age().search(clause) or _told_in_figures(clause, message)):
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
def _of_a_trade() -> re.Pattern[str]:
    """What shows that a lone word is a trade, where nobody says "I": "nurse here, nights", "welder by trade, 47"."""
    return re.compile(
        r"\b(?:by trade|for a living|job|works?|worked|working|career|profession|here|retired|trainee|"
        r"apprentice|student|"
        r"self[- ]employed|freelanc\w+|full[- ]time|part[- ]time|since|years?|shifts?|nights|married|divorced|single|"
        r"widow\w*|kids?|children|mum of|mom of|dad of|mother of|father of|aged?|\d\d|he|she|is)\b|"
        r"'s an? |[\u3400-\u9fff]",
        re.IGNORECASE,
    )


@cache
def _not_allowed() -> re.Pattern[str]:
    """海鲜啤酒都不行: what one may not have is no matter of taste."""
    return re.compile("(?:都|也|全|一律)?(?:不行|不可以|不能碰|碰不得|吃不得|喝不得|沾不得|要避开|要忌口)(?:的|了)?$")


@cache
def _in_a_place() -> re.Pattern[str]:
    """ "There's a cat at the pub", 有一家院子里养了只鹅: an animal that is seen somewhere, and not the speaker's."""
    return re.compile(
        r"\b(?:there(?:'s| is| was| were| are)|the (?:\w+ )?(?:pub|shop|caf[eé]|bar|hotel|restaurant|hostel|farm|"
        r"garage|clinic|office|station|school|nursery|library|bookshop|museum|neighbou?rs?|landlord|owners?|airbnb|b&b)|"
        r"next door|some(?:one|body)(?:'s| has| had)?|they(?:'ve| have| had| keep| kept))\b"
        r"|有一?[家户个]|[那这]一?[家户]|人家|[店家楼馆][里上下主]|老板|酒店|旅馆|民宿|客栈|公园|路边|隔壁|邻居|门口|村口|"
        r"校园|学校|动物园|农场|[寺庙]里|咖啡馆?|餐厅|书店|车间|厂里|单位|公司|小区|幼儿园|诊所|医院",
        re.IGNORECASE,
    )


@cache
def _of_birth() -> re.Pattern[str]:
    return re.compile(r"\b(?:birth\w*|b-?days?|born|dob|turn\w*|old|age|cake)\b|[生岁歲诞誕]", re.IGNORECASE)


@cache
def _of_names() -> re.Pattern[str]:
    """Words without which a name in a clause is that of whoever is spoken to ("glad I could help, Maria")."""
    return re.compile(
        r"[\u3400-\u9fff]|\b(?:name\w*|nick\w*|i'm|im|i am|it's|its|this is|that's|call\w*|known|go by|goes by|here|"
        r"me|sign\w*|answer to|use|everyone|everybody|people|friends|prefer|just|spel\w+|with an?|fine|short)\b",
        re.IGNORECASE,
    )


@cache
def _this_one() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:the|this|that|these) (?:answer|text|email|mail|letter|result|output|list|summary|story|"
        r"paragraph|essay|"
        r"code|function|table|title|intro|reply|message|post|report)s?\b|[这那]个?(?:答案|文本|邮件|信|"
        r"列表|总结|故事|段|篇|表格|标题|函数)",
        re.IGNORECASE,
    )


@cache
def _of_a_thing() -> re.Pattern[str]:
    """ "The business is a bakery": said of something that is not the user."""
    return re.compile(
        r"\b(?:the|a|an|this|that|these|those|each|every) [\w -]{2,40}\b(?:is|are|was|were)\b", re.IGNORECASE
    )


def _told_in_figures(clause: str, message: str) -> bool:
    return _two_digits().fullmatch(clause) is not None and _of_code().search(message) is None


@cache
def _of_code() -> re.Pattern[str]:
    return re.compile(r"[=_{}\[\]]|\w\(|\*\*")


@cache
def _asked_now() -> re.Pattern[str]:
    """帮我写个通知,客气一点: how the text is to be that is asked for here, and no other."""
    return re.compile(
        "(?:帮我|帮忙|给我|替我|幫我|給我)[^,，。!！]{0,14}(?:写|寫|改|翻译|翻譯|润色|起草|拟|擬|编|編|总结|總結|想[一个個])|"
        "(?:^|[,，。])(?:写|寫|拟|擬|起草|编|編)(?:一)?[个個篇封段首份条條]"
    )


@cache
def _parting() -> re.Pattern[str]:
    """ "Talk to you soon", "nice to hear from you"."""
    return re.compile(
        r"\b(?:talk|speak|chat|see|hear|write) (?:to |with |from )?(?:you|ya|u) (?:soon|later|again|"
        r"tomorrow|then|next)\b"
        r"|\bhearing from you\b|\b(?:great|good|nice|lovely|glad) (?:to )?(?:hear|talk|chat|see|speak)(?:ing)?\b",
        re.IGNORECASE,
    )


@cache
def _two_digits() -> re.Pattern[str]:
    """ "Divorced, 47, two grown children": a number alone, among what one tells of oneself."""
    return re.compile(r"[1-9]\d|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]\w+)?")


@cache
def _of_age() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:i'm|i am|im|is|was|turn\w*|years?|old|young|aged?|being|at \d|yo|birthday|candles|pushing|"
        r"going on|will be|'ll be|knocking on|side of|just|hit)\b|^\d\d ?[mf]\b|'s \d|[岁年满我快都]",
        re.IGNORECASE,
    )


@cache
def _self() -> re.Pattern[str]:
    return re.compile(r"\b(?:i|i'm|i've|i'll|im|ive|me|my|we|we're|we've|our)\b|[我俺咱]|本人", re.IGNORECASE)


@cache
def _standing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:always|never|every time|each time|from now on|by default|whenever|any ?more|as a rule|in future|"
        r"i(?:'d| would| should)? (?:use|prefer|want you to|need you to|like|"
        r"keep|pay|read|write|work|always))\b|以后|往后|今后|从今|从现在|每次|每回|一律|一直|永远|默认|"
        r"固定|我(?:用|习惯|喜欢|都|一直|平时)|都用",
        re.IGNORECASE,
    )


@cache
def _of_answers() -> re.Pattern[str]:
    """Words without which an English wish is hardly about how the assistant writes ("stay strong", "one at a time")."""
    return re.compile(
        r"[\u3400-\u9fff]|\b(?:you|your|answer\w*|repl(?:y|ies)|respon\w+|explain\w*|writ\w+|wording|say|"
        r"tell|talk|speak|call|"
        r"text|emojis?|smileys?|bullets?|lists?|tables?|sentences?|paragraphs?|words?|jargon|tone|format\w*|markdown|"
        r"summar\w+|examples?|sources?|links?|english|spelling|language|please|pls|plain|short|brief|"
        r"concise|detail\w*|first|upfront|step|walk me|take me through|enough|less|more|lose|drop|quit|cut|spare|"
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
