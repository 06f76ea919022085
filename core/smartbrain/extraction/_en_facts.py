"""English predicates that state a fact about a person, subject by subject the same: "is allergic to", "lives in"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction._en_fact_parts import (
    Fact,
    Predicate,
    laughs,
    no_allergy,
    no_org,
    no_place,
    no_role,
    proper,
    public,
    several,
    trimmed,
)
from smartbrain.extraction._en_facts_being import BE_TABLE, HAVE_TABLE
from smartbrain.extraction._en_facts_doing import ACT_TABLE
from smartbrain.extraction._en_facts_ended import what_ended
from smartbrain.extraction._en_slots import slot_exactly
from smartbrain.extraction._en_words import LANGUAGES, words_of


def facts_in(predicate: Predicate) -> list[Fact]:
    """The facts of one predicate; the first reader that finds any decides."""
    for reader in (what_ended, _be, _have, _act):
        found = [fact for fact in reader(predicate) if fact.ended or _filled(predicate, fact)]
        if found:
            return found
    return []


def _filled(predicate: Predicate, fact: Fact) -> bool:
    return bool(predicate.typed[fact.start : fact.end].strip())


# --- to be -------------------------------------------------------------------------------------------------------


def _be(predicate: Predicate) -> Iterator[Fact]:
    match = _to_be().match(predicate.text)
    if not match:
        return
    at = match.end()
    yield from elliptic(predicate, at)


def elliptic(predicate: Predicate, at: int = 0) -> Iterator[Fact]:
    """Facts of what somebody *is*, from ``at`` on: also for "…, vegetarian since uni" after "I'm 34"."""
    for k, pattern in BE_TABLE.within(predicate.within or predicate.text):
        match = pattern.match(predicate.text, at)
        if match and _fits(k, predicate, match):
            for start, end in several(k, predicate.text, *match.span("v")):
                yield Fact(k, start, end)
            end = match.end()
            if k in ("role", "grade"):
                studies = k == "grade" or _studies().search(match["v"]) is not None
                for one in _employer(predicate, end):
                    end = one.end
                    yield one._replace(k="school") if studies else one
                town = _in_town().match(predicate.typed, end) if k == "role" and predicate.own else None
                if town:
                    end = town.end()
                    yield Fact("home", *town.span("v"))
            more = _and_also().match(predicate.text, end)
            if more:
                yield from elliptic(predicate, more.end())
            return


def _employer(predicate: Predicate, at: int) -> Iterator[Fact]:
    match = _at_place().match(predicate.text, at)
    if match and proper(predicate, *match.span("v")):
        yield Fact("school" if _is_school().search(match["v"]) else "employer", *match.span("v"))


def _fits(k: str, predicate: Predicate, match: re.Match[str]) -> bool:
    start, end = match.span("v")
    after = predicate.text[match.end() :]
    if k in ("home", "hometown"):
        return proper(predicate, start, end) or (predicate.casual and not no_place().match(predicate.text[start:end]))
    if k == "role":
        return not no_role().search(predicate.text[:end]) and not re.match(
            r"\s*(?:for (?:today|halloween|a day|now|the)|at heart|in this|of (?:habit|this))", after
        )
    if k == "age":
        return _old_enough(predicate, match["v"]) and not re.match(
            r"\s*(?:minutes?|hours?|days?|weeks?|months?|miles?|km|%|percent|pages?|steps?|years? "
            r"(?:in|into|sober|clean|late|ahead)|kg|cm|points?|euros?|dollars?|degrees|th\b|of\b|"
            r"and (?:counting|a half)|[-/:.]\d)",
            after,
        )
    if k == "allergy":
        return not no_allergy().match(predicate.text[start:end]) and not laughs().search(predicate.text)
    if k == "name":
        return (
            predicate.own
            and not re.search(r"-[a-z]", predicate.typed[start:end])  # "Polish-born"
            and predicate.typed[start].isupper()
            and predicate.typed[start:end].split()[0].lower() not in _NO_NAME
        )
    if k == "nationality":
        return not re.match(r"\s+(?!and\b|but\b|by\b|from\b|living\b|so\b|on\b|in\b|who\b|originally\b)\w", after)
    if k == "marital":
        return not re.match(r"\s+(?:about|to (?:my|the|this) (?:job|work|game|sea|idea))\b", after)
    if k in ("gender", "religion", "diet"):
        return not re.match(r"\s+(?:to|about|with (?:my|the) (?:answer|result|job|work))\b", after)
    return True


def _old_enough(predicate: Predicate, said: str) -> bool:
    """Whether an age can be one: nobody who writes says that they are "one"."""
    if said.isdigit():
        return 0 < int(said) < 120
    return not predicate.own or not _childs_age().fullmatch(said)


_NO_NAME = words_of(
    """
    not the a an in on at so very just really from still back here there sure sorry glad happy sad ok okay done
    late new going working looking trying thinking planning using feeling getting having also now always never
    only currently monday tuesday wednesday thursday friday saturday sunday christmas team english german french
    spanish american british irish chinese japanese indian canadian australian muslim christian catholic jewish
    hindu buddhist type covid
    """
)


# --- to have -----------------------------------------------------------------------------------------------------


def _have(predicate: Predicate) -> Iterator[Fact]:
    match = _to_have().match(predicate.text)
    if match:
        yield from _had(predicate, match.end())


def _had(predicate: Predicate, at: int) -> Iterator[Fact]:
    for k, pattern in HAVE_TABLE.within(predicate.within or predicate.text):
        found = pattern.match(predicate.text, at)
        if found:
            for start, end in several(k, predicate.text, *found.span("v")):
                yield Fact(k, start, end)
            more = _and_also().match(predicate.text, found.end())
            if more:
                yield from _had(predicate, more.end())
            return


# --- what somebody does ------------------------------------------------------------------------------------------


def _act(predicate: Predicate) -> Iterator[Fact]:
    for k, pattern in ACT_TABLE.within(predicate.within or predicate.text):
        match = pattern.match(predicate.text)
        if match and _act_fits(k, predicate, match):
            taught = k == "employer" and not predicate.own and not _works().search(match[0])
            taught = taught and _is_school().search(match["v"]) is not None
            for start, end in several(k, predicate.text, *match.span("v")):
                yield Fact("school" if taught else k, start, end)
            if k == "role":
                yield from _employer(predicate, match.end())
            if k == "employer":
                yield from _role_there(predicate, match)
            if (
                k == "major"
                and match.groupdict().get("school")
                and match["where"].lower() == "at"
                and proper(predicate, *match.span("school"))
            ):
                yield Fact("school", *match.span("school"))
            return


def _role_there(predicate: Predicate, match: re.Match[str]) -> Iterator[Fact]:
    """ "works for Siemens as a test engineer", "works as a test engineer at Siemens"."""
    if match["role"]:
        yield Fact("role", *match.span("role"))
        return
    after = _as_role().match(predicate.text, match.end("v"))
    if after:
        yield Fact("role", *trimmed(predicate.text, *after.span("v")))


def _act_fits(k: str, predicate: Predicate, match: re.Match[str]) -> bool:
    start, end = match.span("v")
    if k in ("home", "hometown"):
        if k == "home" and (_lived_once().search(predicate.text) or slot_exactly(match["v"])):
            return False
        return proper(predicate, start, end) or (predicate.casual and not no_place().match(predicate.text[start:end]))
    if k in ("employer", "school"):
        return (
            proper(predicate, start, end)
            or public(match["v"])
            or (predicate.casual and not no_org().match(predicate.text[start:end]))
        )
    if k == "age":
        return _old_enough(predicate, match["v"])
    if k == "role":
        return not no_role().search(predicate.text[:end])
    return True


@cache
def _to_be() -> re.Pattern[str]:
    adverbs = (
        r"(?:(?:also|actually|currently|still|now|only|just|basically|already|both|officially|"
        r"finally|proudly|sadly|technically|in fact|really|, like,)\s+)*"
    )
    return re.compile(rf"(?:'?m|am|is|'s|are|'re|been|'ve been|has been|have been)\s+{adverbs}", re.IGNORECASE)


@cache
def _to_have() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:also|actually|currently|still|now|only|just|both|do|already)\s+)*(?:have|has|"
        r"'ve got|'s got|ve got|got(?! (?:an? (?:new|call|email|message)))|'ve had|have had|"
        r"has had|'ve|suffers? from|live with|lives with(?= (?:diabetes|asthma|chronic|epilepsy|"
        r"hiv|ms))|was (?:just |recently )?diagnosed with|were diagnosed with|'ve been diagnosed "
        r"with|have been diagnosed with|has been diagnosed with|struggle with)\s+(?:(?:also|"
        r"always|this|really|got|just|only)\s+)*",
        re.IGNORECASE,
    )


@cache
def _at_place() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:at|for|with) (?P<v>(?:the )?[\w'.&-]+(?: (?!and|as|so|but|in|on|which|where|majoring|studying|doing|"
        r"because|since|now|for|who|until|by)[\w'.&-]+){0,4})",
        re.IGNORECASE,
    )


@cache
def _lived_once() -> re.Pattern[str]:
    """ "I lived in Lagos for six years as a kid"."""
    return re.compile(
        r"^(?:(?:once|only|also|even|actually|both|all|just) )*lived\b|\b(?:as an? (?:kid|child|boy|girl|"
        r"teenager|student|"
        r"baby|toddler)|when (?:i|we) (?:was|were)|back then|at the time)\b",
        re.IGNORECASE,
    )


@cache
def _childs_age() -> re.Pattern[str]:
    return re.compile(r"one|two|three|four|five|six|seven|eight|nine|ten", re.IGNORECASE)


@cache
def _in_town() -> re.Pattern[str]:
    """ "a care assistant in Leeds": where a trade is plied is where one lives, if it has the name of a place."""
    return re.compile(
        rf"\s+(?:in|near|over in|up in|down in) (?!(?i:{LANGUAGES}|year|january|february|march|april|may|june|july|"
        rf"august|september|october|november|december|the|a)\b)(?P<v>[A-Z][a-z][\w'-]*(?: [A-Z][a-z][\w'-]*){{0,2}})"
        rf"(?=$|[,.;!]|\s+(?:but|and|so|for|since|with|on|by|who|now|these|at the moment)\b)"
    )


@cache
def _as_role() -> re.Pattern[str]:
    return re.compile(r"\s*,?\s+as (?:an? |the |their )(?P<v>[\w' /-]{2,40})", re.IGNORECASE)


@cache
def _and_also() -> re.Pattern[str]:
    return re.compile(r"\s+and\s+(?:also\s+|i'm\s+|have\s+)?", re.IGNORECASE)


@cache
def _studies() -> re.Pattern[str]:
    return re.compile(r"\b(?:student|undergrad(?:uate)?)$", re.IGNORECASE)


@cache
def _works() -> re.Pattern[str]:
    return re.compile(r"\bwork", re.IGNORECASE)


@cache
def _is_school() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:university|college|school|uni|academy|polytechnic|mit|ucla|nyu|conservatory|"
        r"institute)\b",
        re.IGNORECASE,
    )
