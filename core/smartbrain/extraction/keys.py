"""Making the parts of memory keys, as docs/memory-keys.md §1 says: what is said twice gets one key."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache

from smartbrain.model import slug
from smartbrain.text.folding import fold
from smartbrain.text.timehints import mentions_time, time_hints

_MOST_WORDS = 6
_MOST_HAN = 16
_LONGEST = 200
_HAN = "\u3400-\u9fff"
# Which day it is does not matter for finding where the time words stand.
_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def part(words: str) -> str:
    """One part of a key out of the user's words; "" when nothing but filler and time words is left.

    >>> part("the slides for my board meeting by Friday")
    'slides_for_board_meeting'
    """
    text = fold(words[:_LONGEST])
    text = _without_times(text)
    text = _gap().sub(" ", text).strip()
    text = _end().split(text, maxsplit=1)[0].strip()
    text = _stripped(text)
    cut = _shortened(text)
    return "" if not any(ch.isalnum() for ch in cut) else slug(cut)


def _without_times(text: str) -> str:
    text = _clock_time().sub(" ", text)
    if not mentions_time(text):
        return text
    out, last = "", 0
    for hint in time_hints(text, _ANY_DAY):
        out += text[last : hint.span[0]] + " "
        last = hint.span[1]
        last += 2 if text.startswith("'s", last) else 0  # "Thursday's meeting"
    return _loose_preposition().sub("", out + text[last:])


def _stripped(text: str) -> str:
    before = None
    text = _determiners().sub("", text)
    while text != before:
        before = text
        text = _front().sub("", text, count=1)
        text = _back().sub("", text, count=1).strip()
    return text


def _shortened(text: str) -> str:
    if re.search(f"[{_HAN}]", text):
        return text[:_MOST_HAN]
    return " ".join(text.split()[:_MOST_WORDS])


@cache
def _gap() -> re.Pattern[str]:
    return re.compile(rf"(?<=[{_HAN}])(?=[a-z0-9])|(?<=[a-z0-9])(?=[{_HAN}])|\s+")


@cache
def _end() -> re.Pattern[str]:
    english = "by|before|after|until|till|because|since|so|if|when|while|and then|and (?:i|we|now)|"
    english += "or (?:else|there|i|we|they|he|she|it|you|the (?=\\w+ (?:will|is|gets|closes|charges)))|but|which|who"
    chinese = "因为|所以|不然|否则|然后|但是|之前|以前|之后"
    return re.compile(
        rf"[,，。;；：!！?？()（）\[\]【】]|:(?!\d)|\.(?=\s|$)|(?<!\S)(?:{english})\b(?! much\b)|{chinese}|\s[-–—]+\s"
    )


@cache
def _determiners() -> re.Pattern[str]:
    return re.compile(r"(?<![\w'-])(?:an?|the|my|our|your|his|her|its|their|this|that|these|those|some|any)(?:\s+|$)")


@cache
def _front() -> re.Pattern[str]:
    english = r"(?:to|please|just|really|also|all|more)(?:\s+|$)"
    chinese = (
        "(?:把|去(?!年)|先(?!生)|再(?!见)|要(?![求点素闻闻])|一下|我的|我们的|咱们的|我家|那个|这个|这份|那份|这些|那些"
        "|一个|一份|一张|一本|一条|一些|个(?![人性]))"
    )
    return re.compile(rf"^(?:{english}|{chinese}\s*|[\W_]+)")


@cache
def _back() -> re.Pattern[str]:
    english = (
        r"(?:^|\s)(?:too|now|again|any\s?more|at all|so much|a lot|instead|please|though|tbh|lol|haha|btw|by the way)"
    )
    chinese = "(?:的时候|的话|一下|[了吧啊呀呢哦啦])|(?<![目])的"
    return re.compile(rf"(?:{english}|{chinese}|[^\w+#%)]+)$")


@cache
def _clock_time() -> re.Pattern[str]:
    hours = r"(?:1?\d|2[0-4])(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight"
    return re.compile(
        rf"(?<!\w)(?:at|around)\s+(?:{hours})(?:\s*(?:[ap]\.?m\b\.?|o'?clock))?(?![\w-]|\s*%)|"
        rf"(?<![\w.])\d{{1,2}}(?::\d\d)?\s*[ap]m\b"
    )


@cache
def _loose_preposition() -> re.Pattern[str]:
    # "on Friday" leaves its "on" behind where the time word was cut out.
    return re.compile(r"(?<!\S)(?:on|by|at|in|from|for|to|until|before|after|this|next)\s*$|(?<!\S)(?:on|by)(?=\s{2})")
