"""English goals: what the user aims at for good, has reached or has given up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_slots import slot_exactly
from smartbrain.extraction._en_verbs import as_base
from smartbrain.extraction.hits import Hit, goal, looked_like
from smartbrain.extraction.keys import part


def goals_of(clause: Clause) -> Iterator[Hit]:
    labelled = clause.whole[: clause.start].rstrip().endswith(":")
    if labelled and clause.earlier and _labels_goal().fullmatch(clause.earlier[-1].strip()):
        yield from _aim(clause, "goal", 0, "active")
        return
    match = _aims_at.match(clause.text) or _wants_for_good.match(clause.text) or _by_horizon.match(clause.text)
    if not match:
        longed = _would_like.match(clause.text)
        if longed:
            yield from _aim(clause, "goal", longed.end(), "active", wished=True)
        return
    if match.re is _by_horizon() and not _horizon().search(clause.lead + clause.text):
        return
    yield from _aim(clause, "goal", match.end(), "active")


def _aim(
    clause: Clause, rule: str, at: int, status: str, *, retract: bool = False, wished: bool = False
) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    said = clause.sentence.text[slice(*clause.span(at, len(clause.text)))].strip(" .,;:!?\"'“”")
    aim = part(as_base(_trailing().sub("", said)))
    reason = guards.stopped(clause) or ("irony" if guards.mocks(clause) else "")
    reason = "" if wished and reason == "hypothesis" else reason
    if not reason and (not aim or _no_aim().match(_trailing().sub("", said))):
        reason = "no lasting aim"
    if reason:
        yield looked_like("goals", rule, whole, reason)
        return
    yield goal(rule, whole, aim=aim, description=said, status=status, retract=retract)


def given_up(clause: Clause) -> Iterator[Hit]:
    match = _gives_up.match(clause.text)
    if match and not slot_exactly(clause.text[match.end() :]):  # "I gave up on Chrome"
        yield from _aim(clause, "goal_given_up", match.end(), "active", retract=True)


def reached(clause: Clause) -> Iterator[Hit]:
    match = _did_it.match(clause.text)
    if match:
        yield from _aim(clause, "goal_reached", match.end(), "done")


_I = r"(?:i|we)"
_LASTING = (
    r"learn(?! (?:how|about|more|from|what|this|that|it|a (?:bit|lot|few|thing)|to (?:be|"
    r"love|live|accept|let|trust|deal|cope|appreciate|say|understand|listen|communicate|"
    r"manage|balance|relax|use|do))\b)|become(?! (?:\w+ier\b|more|better|a better|stronger|closer|"
    r"aware))|quit|give up|lose (?:weight|\w+ (?:kilos?|kg|pounds|lbs|stone))|save (?:up|"
    r"enough|money|\d|\$)|stop smoking|stop drinking|get fit|get in shape|get into (?:shape|"
    r"med school|law school|college|university|grad school)|run a (?:half[- ])?marathon|"
    r"start (?:my own|a) (?:business|company|bakery|farm|studio|shop|restaurant|podcast)|"
    r"open (?:my own|a|our own) [\w-]+|get fit|swim|speak|be (?:fluent|debt[- ]free|certified|"
    r"able to run|mortgage[- ]free)|own a|build a house|climb|finish my (?:degree|phd|"
    r"thesis|novel|book|masters?)|publish|read \d+|visit every|write a (?:book|novel|memoir)|"
    r"publish a|buy a (?:house|flat|home)|buy our (?:first|own)|pay off|retire|qualify|"
    r"graduate|master|climb mount|run (?:an?|my first|the) (?:[\w-]+ ){0,2}(?:marathon|10k|5k|ultra\w*|triathlon)|"
    r"get (?:my|a|an|the) (?:[\w'-]+ ){0,2}(?:licen[cs]e|degree|diploma|certificat\w+|black belt|visa|citizenship|phd|"
    r"masters?)\b|move (?:to (?-i:[A-Z])|abroad)|earn a|pass the (?:bar|"
    r"exam|test|\w+ exam)|cut down on|cut back on|kick (?:the|my)|reach \w+ (?:level|fluency)"
)


@EN.sifted
def _aims_at() -> re.Pattern[str]:
    return re.compile(
        rf"(?:my |our |the )?(?:big |main |new |next )?(?:goals?|aim|resolution|target)(?: "
        rf"(?:for|this|by|in) [\w' ]{{2,24}}?)?:\s+(?:to\s+)?(?=\w)|(?:my|our) (?:(?:main|big|"
        rf"biggest|long-term|short-term|only|next|current|ultimate|new|personal|career|fitness|"
        rf"financial|life|new year's|number one|real|lifelong|team'?s?)\s+)*(?:goal|aim|dream|"
        rf"ambition|target|resolution|objective|plan)(?: (?:for|this|by|in|at) [\w' ]{{2,30}}?)?(?: "
        rf"(?:now|here|right now))?(?:\s+(?:is|has always been|was always)|'s|:)\s+(?:(?:still|"
        rf"simply|just|now)\s+)*(?:to\s+)?(?=\w)"
        rf"|(?:{_I}\s*(?:'m|'re|am|are|'ve been|have been)?\s+|i'm |we're |im )?(?:(?:currently|"
        rf"still|also|now|actively|seriously|really|slowly)\s+)*(?:aiming (?:to|for)|training "
        rf"for|saving (?:up )?(?:for|to)|studying for|studying to(?=\s+(?:pass|become))|trying "
        rf"to(?=\s+(?:{_LASTING}|eat (?:less|more|healthier)|drink less|get (?:pregnant|promoted|"
        rf"a (?:job|promotion))|read (?:more|\d+)|walk \d|sleep (?:more|better)|build a habit|"
        rf"save|lose|quit|learn (?:to|the|\w+$)(?! more)|improve my (?:\w+) (?:to|by)))|working "
        rf"(?:towards?|on(?=\s+(?:losing|quitting|learning|becoming|getting (?:fit|in shape)|saving)\b))|"
        rf"hoping to(?=\s+(?:{_LASTING}|pass|get into|retire))|plan(?:ning)? on(?=\s+(?:learning|"
        rf"becoming|quitting|saving|running|opening|retiring|moving to)\b)|working my way towards?|"
        rf"(?:determined|on a mission) to(?=\s+(?:{_LASTING})))\s+"
        rf"|{_I}(?:'ve| have)? set (?:myself|ourselves) (?:the |a )?(?:goal|target) (?:of|to)\s+",
        re.IGNORECASE,
    )


@cache
def _labels_goal() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:my|our|the) )?(?:(?:big|main|new|next|new year's) )*(?:goals?|aim|resolution|"
        r"target)s?(?: (?:for|this|by|in) [\w' ]{2,24})?|"
        r"(?:put|write|note) (?:it|this|that) down as (?:a|my) (?:new )?goal",
        re.IGNORECASE,
    )


@EN.sifted
def _wants_for_good() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:(?:really|still|just|also|eventually|finally|do|one day|someday|definitely|"
        rf"always)\s+)*(?:wanna(?= )|(?:want|plan|am planning|'m planning|are planning|'re planning|"
        rf"intend|hope|aim|dream|have (?:always )?dreamt|have (?:always )?wanted|am hoping|"
        rf"'m hoping|'m determined|am determined|'m going|am going|have decided(?! )|need|have|"
        rf"must|'ve got) (?:to|of)) (?:(?:finally|really|eventually)\s+)?(?={_LASTING})",
        re.IGNORECASE,
    )


@EN.sifted
def _would_like() -> re.Pattern[str]:
    """ "I'd like to become a head chef someday": polite words for a lasting aim."""
    return re.compile(
        rf"(?:{_I}'d|{_I} would) (?:really |eventually |one day )?(?:like|love) to (?={_LASTING})", re.IGNORECASE
    )


@EN.sifted
def _by_horizon() -> re.Pattern[str]:
    return re.compile(
        rf"{_I}\s*(?:(?:really|still|just|also|do|definitely)\s+)*(?:wanna|(?:want|plan|am planning|"
        rf"'m planning|are planning|'re planning|intend|aim|'m determined|am determined) to)\s+(?!(?:go|"
        rf"see|eat|watch|know|ask|talk|visit|be|have|take|stay|leave|come|meet|sleep|try|make|"
        rf"get|do|use|call)\b)",
        re.IGNORECASE,
    )


@cache
def _horizon() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:this year|next year|by (?:the end of|january|february|march|april|may|june|"
        r"july|august|september|october|november|december|summer|winter|spring|autumn|fall|"
        r"christmas|next|\d{4}|age|my)|before (?:i turn|i'm|the end|graduation|i graduate|"
        r"\d{4})|within (?:the|a|two|three|\d)|in the next (?:\w+ )?(?:months|years|year)|"
        r"someday|one day|in \d{4})\b",
        re.IGNORECASE,
    )


@EN.sifted
def _gives_up() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_I}\s*(?:'ve|have|'m|am)?\s*|(?=(?:no longer|gave up on|given up on|giving up "
        rf"on)\b))(?:(?:finally|officially|completely|"
        rf"just|pretty much)\s+)*(?:given up on|gave up on|giving up on|abandoned|no longer "
        rf"(?:training|studying|saving(?: up)?|aiming) (?:for|to)|not (?:training|studying|"
        rf"saving(?: up)?|aiming) (?:for|to)(?=.*\bany\s?more\b)|stopped (?:training|studying|"
        rf"saving(?: up)?|aiming) for)\s+(?:the idea of\s+|the plan to\s+|my (?:goal|dream) "
        rf"of\s+)?",
        re.IGNORECASE,
    )


@EN.sifted
def _did_it() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_I}\s*(?:'ve|have|did)?\s*)?(?:finally |just |actually |officially |already )*(?:reached|achieved|hit|"
        rf"met|smashed|"
        rf"crushed|nailed|beat|completed|accomplished|surpassed) (?:my|our) (?:[\w'-]+ ){{0,2}}?"
        rf"(?:goal|target|aim|resolution|challenge) (?:of|to)\s+",
        re.IGNORECASE,
    )


@cache
def _trailing() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:this year|next year|someday|one day|eventually|any\s?more|or (?:die|bust)|"
        r"at the moment|right now|this time|for real|finally|for good|or the|with (?:my|the "
        r"help)|in my|like we|as we|as discussed|too|as well|by sharing|lately|recently|coming "
        r"up|for the (?:past|last)|since|within (?:a|the next|two|three|four|five|\d+)|in the next)\b.*$",
        re.IGNORECASE,
    )


@cache
def _no_aim() -> re.Pattern[str]:
    return re.compile(
        r"(?:.*\b(?:it|those|these)\b|.*\b(?:this|that)\b(?! (?:year|month|week|summer|winter|"
        r"spring|autumn|fall|semester))|it|this|that|them|something|everything|be (?:better|"
        r"happy|kind|good|a better)|simple|clear|help|just|not\b|the same|what|how|why|you|"
        r"yours|have fun|relax|a good|understand|know|find|make sure|get (?:this|it|there|"
        r"through)|create|feel|ensure|keep|survive)\b",
        re.IGNORECASE,
    )
