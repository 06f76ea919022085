"""Sentences with the words of something worth keeping in which no rule found it: they get a verdict, and no more."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._zh_text import ZH, fold_in_place
from smartbrain.extraction.hits import QUOTED, Sentence

RULE: Final = "cue"
"""The name of the rule in these verdicts: it knows words and nothing of what is said with them."""


class Cue(NamedTuple):
    """Which type the words at a span of the sentence look like; ``quoted``: they stand in somebody else's words."""

    type: str
    span: tuple[int, int]
    language: str
    quoted: bool


def cue(sentence: Sentence) -> Cue | None:
    """The first words of a sentence that look like a candidate, quotations looked into."""
    text = fold_in_place(sentence.text)
    found = [("zh", _zh.search(text))] if not text.isascii() else []
    if _letter().search(text):
        # Folding plain letters is no more than lower case, and a sieve reads any text in lower case.
        may = _en.may(sentence.text if sentence.text.isascii() else text)
        found.append(("en", _en.quick().search(text) if may else None))
    for language, match in found:
        if match is not None:
            type_ = next(name for name, words in match.groupdict().items() if words)
            return Cue(type_, match.span(), language, QUOTED in sentence.plain[slice(*match.span())])
    return None


@cache
def _letter() -> re.Pattern[str]:
    return re.compile("[a-z]")


@ZH.sifted
def _zh() -> re.Pattern[str]:
    return re.compile(
        "(?P<preferences>喜欢|喜爱|最爱|超爱|讨厌|受不了|偏好|以后(?:都|就|别|不要|请|一律)|从现在起|从今往后|别再|一律用)"
        "|(?P<profile>过敏|[住搬][在到去](?!一)|我(?:就)?叫(?!你|他|她|了|个|车|外卖)|叫我(?!们|别|不|去|来)|吃素"
        "|我是(?:个|一[名个位]|做|学)|在[^,。，]{1,10}(?:上班|工作|念书|读书))"
        "|(?P<tasks>提醒我|卡在|搞定|待办|(?:我|还)得(?=[^到了出很])|还没(?=[^有,。，]{2,8}(?:完|好))|(?:之前|前)要?交)"
        "|(?P<goals>目标|打算|梦想|争取|想(?:学|考|成为|当上))"
        "|(?P<decisions>决定|改用|换成|就这么定|选定|敲定)"
        "|(?P<entities>记住|记一下|帮我记|又叫|简称)"
    )


@EN.sifted
def _en() -> re.Pattern[str]:
    # For folded text: with regard to case, which is quicker.
    return re.compile(
        r"(?P<preferences>\b(?:i|we|you|he|she|they)(?:'d| would| really| always| just| used "
        r"to)* (?:like|love)s?\b|\b(?:prefer|hate|dislike|adore)s?\b|\b(?:don't|doesn't|didn't) (?:like|love)\b"
        r"|\bcan't stand\b|\bfrom now on\b|\bby default\b|\bfavou?rite\b)"
        r"|(?P<profile>\ballergic to\b|\b(?:i|he|she|they) (?:used to |would |might |could |should "
        r")?(?:live|work)s? (?:in|at|for)\b|\bmov(?:e|ed|ing) to\b|\bi'?m (?:a )?(?:vegan|vegetarian)\b"
        r"|\bmy name is\b|\bcall me\b)"
        r"|(?P<tasks>\bremind me\b|\b(?:i|we|you) (?:need|have|must|should|ought) to\b"
        r"|\bstuck on\b|\bworking on\b)"
        r"|(?P<goals>\bmy goal\b|\b(?:training|saving(?: up)?|studying) for\b|\bmy dream\b)"
        r"|(?P<decisions>\bdecided\b|\bgo(?:ing)? with\b|\bwent with\b|\bswitch(?:ing)? to\b|\bsettled on\b)"
        r"|(?P<entities>\bremember (?:that|this|the)\b|\balso known as\b|\baka\b|\bshort for\b)",
    )
