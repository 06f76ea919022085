"""A fact of an English predicate, and what its values may and may not be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from smartbrain.extraction import _en_words as words


class Fact(NamedTuple):
    """A fact in a predicate: its name, where its value stands, and whether it has ended."""

    k: str
    start: int
    end: int
    ended: bool = False


Reader = Callable[["Predicate"], Iterator[Fact]]


class Predicate(NamedTuple):
    """What is said of a subject. ``text`` is matched without regard to case, ``typed`` is the same as it was typed.

    ``own``: the subject is the user. ``casual``: the message is typed without capitals, so that none are asked for.
    ``within``: a text that holds ``text`` and is looked through already, if there is one: what it cannot match is not
    tried here.
    """

    text: str
    typed: str
    own: bool
    casual: bool
    within: str = ""


def several(k: str, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The values a run of words names, for facts that may hold several; closing words fall away."""
    start, end = trimmed(text, start, end)
    if k == "languages":
        yield from (match.span() for match in _language().finditer(text, start, end))
        return
    if k in ("allergy", "pet", "medication"):
        for match in _listed().finditer(text, start, end):
            piece = trimmed(text, *match.span("v"))
            if piece[1] > piece[0]:
                yield piece
        return
    yield start, end


@cache
def _dangling() -> re.Pattern[str]:
    """ "Penicillin and, apparently, wasps" says no more here than the first."""
    return re.compile(r",? (?:and|or|but|plus)$", re.IGNORECASE)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    stop = _value_end().search(text, start, end)
    if stop and stop.start() > start:
        end = stop.start()
    while end > start and text[end - 1] in " ,.;:!?'\"-":
        end -= 1
    joint = _dangling().search(text, start, end)
    end = joint.start() if joint else end
    return start, end


def public(text: str) -> bool:
    return _public_body().match(text) is not None


def proper(predicate: Predicate, start: int, end: int) -> bool:
    """Whether the words are a name: one of the first three begins with a capital."""
    return any(
        word[:1].isupper() or (word[:1].isdigit() and word[-1:].isalpha())
        for word in predicate.typed[start:end].split()[:4]
    )


@cache
def _value_end() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:so|because|since|but|which|who|that|and (?:i|it|my|he|she|we|they|have|had|"
        r"has|live|work|love|the)|these days|originally|right now|now|currently|at the moment|anyway|"
        r"though|too|as well|if|when|where|while|lol|haha|btw|by the way|any\s?more|for (?:the "
        r"(?:last|past)|about|over|almost|nearly|\w+ years|years|a (?:few|couple|while|year|"
        r"decade|month)|now)|for (?:a|an|\d+|over|about|some|many|the)\b|until|after|before|"
        r"again|instead|like|or anything|etc|in case|with (?:my|his|her|our|two|three|an?|"
        r"the)|please|last|this|ever|hence|and (?=\w+ing\b)|since)\b|\s+[^\w\s'\"&(/]",
        re.IGNORECASE,
    )


@cache
def _listed() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:all|any|most|some|certain|both|the)\s+)?\b(?P<v>[^\s,&/](?:[^,&/]*?))(?=\s*(?:,"
        r"|&|/)|\s+(?:and|or|plus)\s|\s*$)(?:\s+(?:and|or|plus)\s+)?",
        re.IGNORECASE,
    )


@cache
def _language() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words.LANGUAGES})\b", re.IGNORECASE)


@cache
def no_role() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|no|n't|never|like an?|such a|better|terrible|bad|good|great|awful|huge|"
        r"big fan|worst|best|hopeless|control freak|bit of|kind of|sort of|more of|future|"
        r"aspiring|wannabe|would-be|seeing|see|saw|called|calling|meeting|with my|at the|to "
        r"the|my own|we|i|you|they|he|she|it|that|this|glad|sure|so|on|than|wants?|hopes?|"
        r"to be|to become|dreams?)\b|\b(?:hybrid|scale|new|3d|car|role|data) model\b",
        re.IGNORECASE,
    )


@cache
def no_allergy() -> re.Pattern[str]:
    return re.compile(
        r"(?:mornings?|mondays?|bad\b|code\b|stupid|feedback|advice|responsibility|criticism|"
        r"change|other people|commitment|work|exercise|people|bullshit|stupidity|drama|meetings|"
        r"nonsense|fun|small talk|bs\b|spam|effort|idiots|math|maths|cardio|adulting|failure|"
        r"change|it\b|that\b|this\b|them\b|him\b|her\b|you\b|hard work|paperwork|excel|powerpoint|"
        r"early|deadlines|anything\b(?! with)|everything|something|what)",
        re.IGNORECASE,
    )


@cache
def laughs() -> re.Pattern[str]:
    return re.compile(r"\b(?:haha\w*|lol|lmao|hehe)\b|[😂🤣😅😜]", re.IGNORECASE)


@cache
def no_place() -> re.Pattern[str]:
    return re.compile(
        r"(?:the|a|an|my|your|his|her|their|this|that|it|work|home|here|there|love|trouble|"
        r"pain|charge|touch|bed|town|and|so|now|class|marketing|sales|school|with|where|what|"
        r"one)\b",
        re.IGNORECASE,
    )


@cache
def no_org() -> re.Pattern[str]:
    return re.compile(
        r"(?:the|a|an|my|your|his|her|their|this|that|it|home|night|least|first|work|some|"
        r"one|big|small|two|local|public|private|free|fun|school|money|different|several|various)\b",
        re.IGNORECASE,
    )


@cache
def _public_body() -> re.Pattern[str]:
    """Employers without a name of their own: "the ministry of health"."""
    return re.compile(
        r"(?:the )?(?:ministry|department|city|university|council|government|police|army|navy|"
        r"church|state|railways?|post office|county|red cross|un\b"
        r"|nhs|town hall|fire (?:brigade|service|department)|coast guard|civil service)",
        re.IGNORECASE,
    )
