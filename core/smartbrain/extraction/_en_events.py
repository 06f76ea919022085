"""English events: releases, failures, appointments, journeys and turns of life, with the day they happen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Final, NamedTuple

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_event_words import KIND_OF, WHOSE
from smartbrain.extraction._en_events_calendar import CALENDAR
from smartbrain.extraction._en_events_life import LIFE
from smartbrain.extraction._en_events_ways import WAYS
from smartbrain.extraction._en_events_work import WORK
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_slots import slot_exactly
from smartbrain.extraction.hits import Hit, event, event_day, looked_like
from smartbrain.extraction.literals import Source, places
from smartbrain.text.timehints import Prefer, mentions_time


class Shape(NamedTuple):
    """One way to tell an event. ``dated``: without a day it is not worth keeping. ``about`` is the group's name."""

    kind: str
    rule: str
    prefer: Prefer | None
    dated: bool
    pattern: str


def find(clause: Clause) -> Iterator[Hit]:
    """The event of one clause, if there is one; a wedding that one flies to stays the journey."""
    mask = EN.mask(clause.text) >> _FIRST & _EVERY
    if not mask:
        return
    timed: bool | None = None
    for at in places(mask):
        shape = _SHAPES[at]
        match = _compiled(shape.pattern).match(clause.text)
        if match is None:
            continue
        if shape.dated:
            timed = mentions_time(_dated_text(clause)) if timed is None else timed
            if not timed:
                continue  # it would be undated, whatever it says
        hit = _hit(clause, shape, match)
        if hit is not None:
            yield hit
            return


def _hit(clause: Clause, shape: Shape, match: re.Match[str]) -> Hit | None:
    groups = match.groupdict()
    kind = shape.kind or KIND_OF[" ".join(str(groups["kind"]).lower().split())]
    prefer = shape.prefer
    if prefer is None:
        ahead = shape.dated or _ahead.search(clause.text) is not None
        prefer = "past" if _past.search(clause.text) else "future" if ahead else None
    day = event_day(_dated_text(clause), clause.sentence.said_at, prefer=prefer)
    whole = clause.span(0, len(clause.text))
    if day == "undated" and (shape.dated or _just_now().search(match[0])):
        return None
    if not _subject().match(match[0]) and any(len(other.split()) > _FEW for other in clause.earlier):
        return None  # without an "I" only where the sentence begins
    if kind in ("performance", "party") and _is_past(day, clause) and not _own().match(match[0]):
        return None  # a show that was watched
    if shape.kind == "trip" and slot_exactly(str(groups.get("about") or "")):
        return None  # "I went back to Vim"
    if shape.rule == "calendar" and _verb_too().match(match["kind"]) and not _whose().match(match[0]):
        return None
    reason = guards.stopped(clause)
    if not reason and _elsewhere.search(clause.text):
        reason = "not the user's own"
    if not reason and _not_so.search(clause.text):
        reason = "it did not happen"
    if reason:
        return looked_like("events", shape.rule, whole, reason)
    group = next((name for name in ("about", "about2", "about3") if groups.get(name)), None)
    about = _tail().sub("", clause.sentence.text[slice(*clause.span(*match.span(group)))]) if group else ""
    if about and _no_thing().search(about):
        return None
    if _there_is().match(match[0]) and kind in ("performance", "party", "competition", "release"):
        return None  # what is on in town
    if shape.rule == "kind_past" and kind in ("meeting", "visit") and (not about or _judged().match(about)):
        return None  # "had a great meeting today": an ordinary day at work
    title = clause.sentence.text[slice(*whole)].strip()
    return event(shape.rule, whole, kind=kind, day=day, title=title, about=about)


_FEW = 2


def _is_past(day: str, clause: Clause) -> bool:
    """Whether a day lies before the moment it was spoken of."""
    return day < clause.sentence.said_at.date().isoformat()


def _dated_text(clause: Clause) -> str:
    """The clause, and its neighbours when they only say when: "on Tuesday, dentist appointment"."""
    parts = [clause.lead + clause.text]
    if clause.later and _only_when().match(clause.later[0].strip()):
        parts.append(clause.later[0])
    if clause.earlier and _only_when().match(clause.earlier[-1].strip()):
        parts.append(clause.earlier[-1])
    return _day_to_day().sub(r"\g<first> of \g<month>", ", ".join(parts))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SHAPES: Final = tuple(Shape(*told) for told in (*WORK, *LIFE, *WAYS, *CALENDAR))
"""In this order: what is more particular stands first."""
_FIRST: Final = EN.enter([partial(Source, pattern, re.IGNORECASE) for *_, pattern in _SHAPES])
_EVERY: Final = (1 << len(_SHAPES)) - 1


@cache
def _whose() -> re.Pattern[str]:
    return re.compile(rf"(?:{WHOSE}|an?)\s", re.IGNORECASE)


@cache
def _verb_too() -> re.Pattern[str]:
    """ "Talk in a month" is an order, no date in a calendar."""
    return re.compile(
        r"(?:talk|play|show|move|visit|test|demo|race|meet|match|trip|release|launch|holiday|"
        r"break|final|quiz|panel|scan|party|play)\b",
        re.IGNORECASE,
    )


@cache
def _subject() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we|i'\w+|we'\w+|im|my|our|the|a|an|someone|somebody|they|he|she|there|version|"
        r"mum|mom|dad|grand\w+)\b|(?-i:[A-Z])|v?\d",
        re.IGNORECASE,
    )


@cache
def _own() -> re.Pattern[str]:
    return re.compile(r"(?:i|we|my|our)\b.*\b(?:my|our|gave|played|hosted|hosting|giving|performed)\b", re.IGNORECASE)


@cache
def _day_to_day() -> re.Pattern[str]:
    """ "from the 3rd to the 8th of April": the first day has the month of the second."""
    return re.compile(
        r"(?P<first>\d{1,2}(?:st|nd|rd|th)?) ?(?:to|until|till|and|[-–]) ?(?:the )?\d{1,2}(?:st|"
        r"nd|rd|th)?(?: of)? (?P<month>[A-Z][a-z]{2,8})\b"
    )


@cache
def _no_thing() -> re.Pattern[str]:
    """A sentence of its own before the kind: "a friend told me the launch …"."""
    return re.compile(
        r"\b(?:got|told|said|says|had|have|is|was|were|went|just|back|from|during|that|which|"
        r"i|we|he|she|they|after|before|for|to|with|at|the|need|my|said)\b(?!'s)",
        re.IGNORECASE,
    )


@cache
def _there_is() -> re.Pattern[str]:
    return re.compile(r"there(?:'s| is| are)\b", re.IGNORECASE)


@cache
def _judged() -> re.Pattern[str]:
    return re.compile(
        r"(?:great|good|bad|long|quick|short|boring|nice|productive|interesting|terrible|awful|lovely|weird|tough|fun|"
        r"weekly|daily|usual|another)\b",
        re.IGNORECASE,
    )


@cache
def _just_now() -> re.Pattern[str]:
    """ "the VPN is down": a state of the moment unless a day is named."""
    return re.compile(r"\b(?:is|are|'s) (?:\w+ )?(?:down|offline|unreachable|unavailable|out)$", re.IGNORECASE)


@EN.sifted
def _past() -> re.Pattern[str]:
    return re.compile(r"\b(?:was|were|had|went|last|ago|yesterday|came|took place)\b", re.IGNORECASE)


@EN.sifted
def _ahead() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:start|starts|starting|graduates|will|'ll|going to|next|opens?|launch(?:es)?|"
        r"goes|ships|comes|coming|is on)\b",
        re.IGNORECASE,
    )


@EN.sifted
def _elsewhere() -> re.Pattern[str]:
    return re.compile(
        r"\bon (?:instagram|tiktok|tv|twitch|youtube|facebook|netflix|spotify)\b|\bin (?:the|"
        r"a) (?:movie|film|game|book|novel|show|dream)\b",
        re.IGNORECASE,
    )


@EN.sifted
def _not_so() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:not|n't|never|no longer|was supposed to|were supposed to|cancelled|canceled|"
        r"called off|love to|want to|hoping to|hope to|dream of|like to|plan to maybe)\b",
        re.IGNORECASE,
    )


@cache
def _only_when() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:on|at|in|this|next|last|coming|the|early|late|it's|is|scheduled for|probably)\s+)*(?:today|"
        r"tonight|tomorrow|yesterday|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may\b|jun|"
        r"jul|aug|sep|oct|nov|dec|week|weekend|month|\d)",
        re.IGNORECASE,
    )


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:on|at|in|for|to|with|from|next|last|this|tomorrow|today|yesterday|tonight|"
        r"early|late|the)$|'s$",
        re.IGNORECASE,
    )
