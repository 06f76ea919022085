"""English facts that have ended: "no longer work at", "gave up the cello"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from smartbrain.extraction import _en_words as words
from smartbrain.extraction._en_fact_parts import Fact, Predicate, proper
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction.tables import Table


def what_ended(predicate: Predicate) -> Iterator[Fact]:
    for k, pattern in _ENDED.within(predicate.within or predicate.text):
        match = pattern.match(predicate.text)
        if match:
            group = next((g for g in ("v", "v2") if match.groupdict().get(g)), None)
            if group and k in ("employer", "home") and not (proper(predicate, *match.span(group)) or predicate.casual):
                continue
            start, end = match.span(group) if group else match.span()
            yield Fact(k, start, end, ended=True)
            return


def moved_to(predicate: Predicate, before: str) -> Iterator[Fact]:
    """The employer that follows one that was left: "I left Acme, I'm at Globex now". ``before`` is what was said."""
    match = _now_at().fullmatch(predicate.text)
    left = _left() if predicate.own else _has_left()
    if match and left.search(before) and proper(predicate, *match.span("v")):
        yield Fact("employer", *match.span("v"))


@cache
def _now_at() -> re.Pattern[str]:
    return re.compile(
        r"(?:'m|am|'s|is) (?:now )?(?:over )?(?:at|with) (?P<v>(?-i:[A-Z])[\w'.&-]*(?: (?-i:[A-Z])[\w'.&-]*){0,3})"
        r"(?: (?:now|these days|instead|since .*))?",
        re.IGNORECASE,
    )


@cache
def _left() -> re.Pattern[str]:
    return re.compile(
        r"\bi(?:'ve|'m)? (?:\w+ )?(?:(?:left|quit|leaving) (?:(?-i:[A-Z])|my (?:job|position)|the (?:company|firm))"
        r"|resigned|laid off|let go|no longer (?:at|with|work)|not (?:at|with) (?-i:[A-Z]))|\bdon't work (?:at|for)\b",
        re.IGNORECASE,
    )


@cache
def _has_left() -> re.Pattern[str]:
    """Of somebody else: "my wife's left Acme, she's at Globex now"."""
    return re.compile(
        r"(?:'s|has|just|finally) (?:\w+ )?(?:left|quit) (?-i:[A-Z])|\b(?:left|quit|leaving) (?:(?-i:[A-Z])|(?:his|"
        r"her) job)"
        r"|\b(?:resigned|laid off|let go|no longer (?:at|with|works))\b",
        re.IGNORECASE,
    )


_MORE = r"(?:any\s?more|any longer|now)\b"
_NOT = (
    r"(?:(?:don't|do not|dont|doesn't|does not) (?:actually |even )?|no longer |stopped "
    r"|'m not |am not |'ve stopped )"
)
_ENDED_TABLE = (
    (
        "employer",
        r"(?:'m |am |is |'s )?(?:no longer|not) (?:at|with|employed (?:at|by)) (?P<v>(?-i:[A-Z])[\w'.&-]*(?: "
        r"[\w'.&-]+){0,3})",
    ),
    (
        "employer",
        rf"{_NOT}work(?:ing|s)? (?:at|for|with|there)\b.*{_MORE}|(?:no longer|stopped|'ve stopped) "
        rf"work(?:ing|s)? (?:at|for|with) (?P<v>[\w'.& -]{{2,40}})",
    ),
    (
        "employer",
        r"(?:'ve |have |just |finally |has |'s )*(?:left|quit|resigned from|been laid off "
        r"from|got laid off from|retired from|parted ways with) (?:my (?:job|position|role|"
        r"post)(?: at (?P<v>[\w'.& -]{2,40}))?|(?P<v2>(?=(?-i:[A-Z]))[\w'.&-]+(?: [\w'.&-]+){0,3}))(?=$|"
        r"\s|,|\.)",
    ),
    ("home", rf"{_NOT}liv(?:e|ing|es) (?:in|at|on|there)\b.*{_MORE}|(?:no longer) lives? in (?P<v>[\w'. -]{{2,40}})"),
    (
        "diet",
        rf"(?:'m |am |is |'s )?(?:no longer|not) (?:an? )?(?:{words.DIETS})(?:.*{_MORE}|$)|"
        rf"(?:'ve )?stopped being (?:an? )?(?:{words.DIETS})",
    ),
    ("marital", r"(?:'m |am |'re |are )?no longer (?:married|together|single|engaged)"),
    ("pet", rf"(?:don't|do not|no longer) have (?:the |a |our |any )?(?:{words.PETS})(?:\b.*{_MORE}|$)"),
    (
        "medication",
        rf"(?:'m |am )?(?:no longer (?:take|taking|on)|not taking|not on|stopped taking|don't "
        rf"take|do not take|came off|off) (?:the |my )?(?:{words.MEDICINES})\b",
    ),
    (
        "allergy",
        rf"(?:'m |am |is |'s )?(?:no longer allergic to|not allergic to .*{_MORE}|(?:'ve )?outgrew "
        rf"my \w+ allergy|outgrown (?:my|the|his|her) \w+ allergy)",
    ),
    (
        "hobby",
        rf"(?:don't|do not|no longer|gave up|have given up|'ve given up|quit|stopped) (?:play(?:ing)?|"
        rf"going to|doing) (?:the )?(?:{words.INSTRUMENTS}|{words.SPORTS_AND_GAMES}|yoga|climbing|"
        rf"karate)(?:\b.*{_MORE}|(?<=\w)$|.*)",
    ),
    ("role", r"(?:'m |am )(?:no longer|not) (?:an? |the )?(?:" + words.OCCUPATIONS + rf")(?:.*{_MORE}|$)"),
    (
        "vehicle",
        rf"(?:don't|do not|no longer) (?:have|drive|own) (?:the |a |my )?(?:car|van|motorbike|"
        rf"truck|bike)\b.*{_MORE}|sold (?:the|my|our) (?:car|van|motorbike|truck)\b",
    ),
)


_ENDED: Final = Table(EN, _ENDED_TABLE)
