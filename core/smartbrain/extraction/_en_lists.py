"""English lists of things to do in one line: "buy list for the weekend: lamp oil, chicken wire"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_task_words import empty
from smartbrain.extraction._en_verbs import thing_of
from smartbrain.extraction.hits import FIRM, Hit, due_day, task

_MOST_WORDS = 8


def listed(clause: Clause) -> Iterator[Hit]:
    """The task that a clause names behind the words which open a list or a note to oneself."""
    lead = _lead().match(clause.whole)
    if not lead or clause.start < lead.end() or guards.stopped(clause):
        return
    item = _and().sub("", clause.sentence.text[slice(*clause.span(0, len(clause.text)))]).strip(" .,;:!?\"'“”")
    item = _afterwards().split(item, maxsplit=1)[0]
    thing = thing_of(item)
    if not thing or empty().fullmatch(thing) or _no_item().match(item) or len(item.split()) > _MOST_WORDS:
        return
    if not (lead["shop"] or lead["done"]) and _only_a_thing().match(item):
        return  # "still on my list: the roof" does not say what is to be done with it
    status = "done" if lead["done"] else "todo"
    due = due_day(clause.whole, clause.sentence.said_at) if status == "todo" else None
    yield task("listed", clause.span(0, len(clause.text)), thing=thing, title=item, status=status, due=due,
               confidence=FIRM)  # fmt: skip


@cache
def _lead() -> re.Pattern[str]:
    when = r"(?: (?:for|before|this|on|to|in) [\w' ]{3,24}?| (?:today|tomorrow|tonight))?"
    return re.compile(
        rf"\W*(?:(?:ok|so|right|and|also|oh|please|quick)[\s,]+)*(?:"
        rf"(?P<shop>(?:(?:my|our|the) )?(?:buy|buying|shopping|grocery|groceries|to[- ]?buy) ?(?:list)?{when})|"
        rf"(?:(?:my|our|the) )?(?:to[- ]?do|to[- ]?dos|errand|chore) ?(?:list)?{when}|"
        rf"(?:things|jobs|errands|chores|tasks)(?: (?:left )?to (?:do|buy|get))?{when}|"
        rf"(?:still )?(?:to do|to buy|left to do|on my list|on the list|open){when}|"
        rf"(?:can't|mustn't|must not|don't let me|don't) forget|"
        rf"(?:put|add|stick) (?:this|these|the following) (?:on|to) (?:my|the|our) list|"
        rf"(?P<done>(?:crossed|ticked|checked) off{when}|done{when}|finished{when}))\s*(?::|\s[-–—])\s"
        rf"|\W*(?:(?:mental )?note to self|mental note|memo to (?:self|me|myself)|"
        rf"reminder to (?:self|me|myself))\s*[:,–—-]+\s",
        re.IGNORECASE,
    )


@cache
def _and() -> re.Pattern[str]:
    return re.compile(r"^(?:and|then|also|plus)\s+", re.IGNORECASE)


@cache
def _only_a_thing() -> re.Pattern[str]:
    return re.compile(r"(?:the|my|our|an?|that|those|some)\b", re.IGNORECASE)


@cache
def _afterwards() -> re.Pattern[str]:
    """Where an item ends: at its day or at what comes first."""
    return re.compile(r"\s+(?:before|by|until|because|so that|if|when)\s", re.IGNORECASE)


@cache
def _no_item() -> re.Pattern[str]:
    """What stands in a list and is nothing to do: talk, or "paid" behind what was paid."""
    return re.compile(
        r"(?:i|i'm|i've|you|he|she|it|we|they|that|this|there|is|are|no|not|never|all|nothing|everything|please|thanks|"
        r"has to|have to|the rest|and|or|next|paid|sent|done|finally|remember|write|give|make me|show|tell|translate|"
        r"explain|can|could|what|how|why|who|when|where)\b",
        re.IGNORECASE,
    )
