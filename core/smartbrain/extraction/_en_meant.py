"""Why what an English sentence seems to tell is not meant so: others' affairs, the screen, exaggeration, trifles."""

from __future__ import annotations

import re
from functools import cache

from smartbrain.extraction._en_slots import slot_exactly
from smartbrain.extraction.hits import Hit, Sentence
from smartbrain.extraction.reasons import UNNAMED

_OTHERS = "somebody else's, and nobody knows whose"


def why_not(sentence: Sentence, hit: Hit, value: str) -> str:
    """The reason why a hit with this value must not be kept, "" when nothing speaks against it."""
    said = sentence.plain[slice(*hit.span)]
    if hit.type == "tasks":
        if hit.value.get("status") == "done" and _to_be_checked().search(sentence.plain[: hit.span[1]]):
            return "question"
        return UNNAMED if _to_be_there().match(value) else ""
    if hit.type == "decisions" and _poor_choice().match(value):
        return "of the moment"
    if hit.value.get("scope") == "other" and hit.value.get("polarity") == "like" and _nuisance().match(value):
        return "irony"
    if hit.type in ("preferences", "decisions"):
        return _OTHERS if _they_all().match(said) else ""
    if hit.type == "events":
        return _OTHERS if _not_ours(said, sentence.plain) else ""
    if hit.type == "profile":
        return _not_in_earnest(hit, sentence.plain[: hit.span[1]], said)
    return ""


def _not_ours(said: str, sentence: str) -> bool:
    """Whether an event is told of others, of what is on the screen, or of something over with nobody of ours in it."""
    if _on_screen().search(sentence) or _someone_near().match(said) or _trifle().search(said):
        return True
    return _of_no_one().match(said) is not None and _mine().search(sentence) is None


def _not_in_earnest(hit: Hit, before: str, said: str) -> str:
    if _wished_by_another().search(before):
        return "hypothesis"
    for fact in hit.value.get("facts", ()):
        k, v = fact.get("k"), fact.get("v")
        if k == "home" and v is not None and _is_a_tool(str(v)):
            return "not meant in earnest, or for once only"
        if k == "role" and v is not None and _nearly().search(before):
            return "not meant in earnest, or for once only"
        if k == "allergy" and v is not None and _no_allergen().match(v):
            return "a joke"
        if k == "employer" and v is None and _left_something().search(said):
            return UNNAMED
    return ""


def _is_a_tool(value: str) -> bool:
    """ "I live in Emacs": where one works all day is no home."""
    slot = slot_exactly(value)
    return slot is not None and slot.scope == "tools"


@cache
def _nuisance() -> re.Pattern[str]:
    """What nobody loves who says so: queues, holds, forms, being disturbed."""
    return re.compile(
        r"(?:(?:waiting|standing|sitting|being|getting|stuck) (?:(?:stuck|put|left) )?(?:on hold|in (?:a |"
        r"the )?(?:line|queues?|"
        r"traffic|waiting rooms?|a&e|the er)|at the (?:dmv|bank|tax office))|queu(?:e?ing)|traffic(?: jams?)?|"
        r"(?:filling (?:in|out)|doing|filing) (?:\w+ )?(?:forms|timesheets|taxes|tax returns|expenses|expense reports)|"
        r"(?:being|getting) (?:\w+ )?(?:ignored|rained on|ghosted|paged|woken|shouted at|yelled at|screamed at|"
        r"interrupted|"
        r"micromanaged|bitten|dumped|stood up)|"
        r"timesheets|reorgs?|org charts|status meetings|mandatory [\w ]+|"
        r"(?:learning|reading|memori[sz]ing) (?:an? |the )?(?:new |whole )*org charts?)\b",
        re.IGNORECASE,
    )


@cache
def _wished_by_another() -> re.Pattern[str]:
    """ "My boss wants me to work as a carpenter": so it is wished, and by somebody else."""
    return re.compile(
        r"\b(?:wants?|wanted|wanting|expects?|expected|begs?|begged|would like|'d like) "
        r"(?:me|him|her|us|them|my \w+) to\b",
        re.IGNORECASE,
    )


@cache
def _to_be_checked() -> re.Pattern[str]:
    """ "I want to check the ferry's booked": whether it is, is asked."""
    return re.compile(
        r"\b(?:(?:double|cross)[- ]?check|make sure|want to check|wanna check|confirm (?:that|if))\b", re.IGNORECASE
    )


@cache
def _to_be_there() -> re.Pattern[str]:
    """ "Be in court on Monday": something with a date that one attends is an event."""
    return re.compile(r"be (?:in|at|on|there|back|home|up|off|out of)\b", re.IGNORECASE)


@cache
def _poor_choice() -> re.Pattern[str]:
    """ "We picked the wrong queue": nobody chose that."""
    return re.compile(r"(?:the |a )?(?:wrong|worst|slow(?:est)?|longest)\b", re.IGNORECASE)


@cache
def _they_all() -> re.Pattern[str]:
    return re.compile(
        r"(?:all|most|some|many|half|none) (?:of )?(?:my|our|the) (?:colleagues|friends|mates|co-?workers|classmates|"
        r"neighbou?rs|teammates|students|cousins|siblings|kids|clients|customers|others)\b(?! and (?:i|me)\b)"
        r"|(?:(?:everyone|everybody)(?! (?:agreed|voted|said))|people|they|companies|"
        r"the (?:other (?:team|side|one)s?|neighbou?rs?|government|court|"
        r"judge|council|client|competition|rivals?))(?:'s|'re|'ve)?\b",
        re.IGNORECASE,
    )


@cache
def _on_screen() -> re.Pattern[str]:
    return re.compile(
        r"\bon (?:the )?(?:telly|tv|radio|news|netflix)\b|\bin (?:the|a|that) (?:film|movie|news|show|series|video|"
        r"book|story|novel|paper|papers|soap|episode)\b|\bin the last episode\b",
        re.IGNORECASE,
    )


@cache
def _someone_near() -> re.Pattern[str]:
    """What a neighbour, colleague or stranger has ahead or behind."""
    return re.compile(
        r"(?:my|our) (?:\w+ )?(?:neighbou?r|colleague|co-?worker|boss|landlord|landlady|flatmate|roommate|client|"
        r"teacher|student|pupil)s? (?:has|have|had|is having|got an?)\b|some(?:one|body)'s\b|some(?:one|body) is\b",
        re.IGNORECASE,
    )


@cache
def _trifle() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:stole|nicked|pinched|took) (?:my|our) (?:lunch|seat|idea|heart|thunder|joke|spot|pen|line|"
        r"breath|place|"
        r"turn)\b"
        r"|^(?:saw|watched|heard|read)\b",
        re.IGNORECASE,
    )


@cache
def _of_no_one() -> re.Pattern[str]:
    """Something public and over: "the final was in 2019", "there was a flood in Canada"."""
    return re.compile(
        r"the (?:[\w'-]+ )?(?:final|deadline|match|game|concert|gig|film|show|play|offer|sale|update|episode|party) "
        r"(?:[\w' -]+ )?(?:was|came out|ended)\b|there (?:was|were)\b|the [\w-]+ burned down in \d{4}",
        re.IGNORECASE,
    )


@cache
def _nearly() -> re.Pattern[str]:
    """ "I'm basically a vet", "today I'm the doctor", "I'm the driver tonight"."""
    return re.compile(
        r"\b(?:basically|practically|secretly|virtually|pretty much|more or less|like a|feel like)\b|"
        r"\b(?:today|tonight|this time|for once)\b[^.]{0,6}\bi'?m the\b|\bi'?m the [\w ]{2,30} (?:today|tonight)$",
        re.IGNORECASE,
    )


@cache
def _no_allergen() -> re.Pattern[str]:
    return re.compile(
        r"(?:my|his|her|your|hard|mondays|mornings|work|people|exercise|effort|nonsense|stupidity|"
        r"commitment|you|school|"
        r"losing|bullshit|drama|small talk)\b",
        re.IGNORECASE,
    )


@cache
def _left_something() -> re.Pattern[str]:
    """ "I left Brightpath off the list"."""
    return re.compile(r"\bleft [\w' ]{2,40}? (?:off|out|behind|at|on|open|hanging|a)\b", re.IGNORECASE)


@cache
def _mine() -> re.Pattern[str]:
    return re.compile(r"\b(?:i|i'm|i've|my|me|we|our|us)\b", re.IGNORECASE)
