"""English preferences: standing wishes about answers, likes and dislikes, habits with tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_habits import contact, habit, meeting_time
from smartbrain.extraction._en_objects import lasting, plain_object
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_slots import slot_exactly, slot_in
from smartbrain.extraction._en_taste_turns import back_again, favourite, gone_off
from smartbrain.extraction._en_tastes import over_another, taste
from smartbrain.extraction._en_wish_words import any_more
from smartbrain.extraction._en_wishes import instruction, standing_wish
from smartbrain.extraction.hits import Hit, looked_like, preference
from smartbrain.extraction.keys import part


def find(clause: Clause) -> Iterator[Hit]:
    """The preferences of one clause; at most one rule fires."""
    for rule in (
        _forgotten,
        _no_title,
        contact,
        meeting_time,
        taste,
        gone_off,
        back_again,
        favourite,
        habit,
        standing_wish,
        instruction,
        over_another,
    ):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


def _forgotten(clause: Clause) -> Iterator[Hit]:
    match = _no_care.match(clause.text) or _forget_about.match(clause.text) or _need_not.match(clause.text)
    if not match:
        return
    whole = clause.span(0, len(clause.text))
    text = clause.text[match.end() :]
    ended = any_more().search(text)
    if match.re is not _forget_about() and not ended:
        return
    text = text[: ended.start()] if ended else text
    reason = guards.stopped(clause)
    slot = slot_exactly(text) or slot_in(text, answers=True)
    said = plain_object(text)
    if match.re is _need_not() and not slot:
        return
    scope, name = (slot.scope, slot.name) if slot else ("other", part(said))
    if reason or not name or not (slot or lasting(said)):
        yield looked_like("preferences", "not_cared_for", whole, reason or "no lasting object")
        return
    hit = preference("not_cared_for", whole, scope=scope, name=name, value=said, polarity="like")
    yield replace(hit, retract=True)


def _no_title(clause: Clause) -> Iterator[Hit]:
    """ "can you stop calling me sir", "don't call me love"."""
    match = _not_called.match(clause.text)
    if match and guards.stopped(clause) in ("", "question") and not guards.for_once(clause.whole):
        said = clause.sentence.text[slice(*clause.span(*match.span("v")))]
        whole = clause.span(0, len(clause.text))
        yield preference("no_title", whole, scope="writing", name="tone", value=said, polarity="dislike")


@EN.sifted
def _not_called() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:please|pls|hey|and|so|also|but|just|can (?:you|u|we)|could (?:you|u|we)|would you|will you|you can|"
        r"i wish you'd|enough with) )*"
        r"(?:(?:stop|quit|not|never|without) calling me|(?:don't|dont|do not|never|not) (?:ever )?call me|"
        r"(?:no need to|you needn't) call me) "
        r"(?P<v>(?!back\b|at\b|on\b|after\b|before\b|by\b|if\b|when\b|again\b|later\b|out\b|tomorrow\b|today\b|"
        r"a\b|an\b|"
        r"now\b|during\b|in\b|unless\b|anymore\b|please\b|so\b|every\b|about\b|names\b|for\b|that\b|this\b|it\b)"
        r"[\w'-]{2,16})(?=$|\s+(?:lol|please|again|ever|all the time|any ?more|every|in|or|it|haha|thanks|though|"
        r"honey)\b)",
        re.IGNORECASE,
    )


@EN.sifted
def _no_care() -> re.Pattern[str]:
    return re.compile(
        r"i (?:don't|do not|no longer) (?:really )?care (?:about|whether (?:it's|you use))\s+", re.IGNORECASE
    )


@EN.sifted
def _forget_about() -> re.Pattern[str]:
    return re.compile(
        r"(?:please |you can )?(?:forget|ignore|disregard|drop|scrap|i take back|take back)\s+(?:what "
        r"i (?:said|told you) about|my (?:preference|rule|wish|request) (?:for|about)|that "
        r"thing about|the (?:rule|thing|bit) about)\s+",
        re.IGNORECASE,
    )


@EN.sifted
def _need_not() -> re.Pattern[str]:
    return re.compile(
        r"(?:you (?:don't|do not|no longer) (?:have|need) to|no need to) (?:keep |use |answer "
        r"|write |reply |give me |make )?",
        re.IGNORECASE,
    )
