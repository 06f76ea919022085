"""English likes and dislikes told otherwise: favourites, "I've gone off X", "X is fine again"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_tastes import chosen, of_objects
from smartbrain.extraction.hits import Hit


def gone_off(clause: Clause) -> Iterator[Hit]:
    match = _went_off.match(clause.text)
    if match:
        yield from of_objects(clause, "no_longer_liked", match.end(), "dislike")


def back_again(clause: Clause) -> Iterator[Hit]:
    match = _mind_no_more.match(clause.text)
    if match:
        yield from of_objects(clause, "liked_again", match.end(), "like")
        return
    other = _not_my_thing.match(clause.text)
    if other and _negated().search(other[0]) and not guards.stopped(clause):
        yield from chosen(clause, "not_my_thing", 0, clause.text[: other.end("thing")], "dislike")
        return
    fine = _fine_again.match(clause.text)
    if fine and not guards.stopped(clause):
        said = clause.text[: fine.end("thing")]
        yield from chosen(clause, "liked_again", 0, said, "like")


def favourite(clause: Clause) -> Iterator[Hit]:
    match = _favourite_is.match(clause.text)
    if match:
        yield from of_objects(clause, "favourite", match.end(), "like")
        return
    other = _is_favourite.fullmatch(clause.text)
    if other and not guards.stopped(clause):
        yield from chosen(clause, "favourite", 0, clause.text[: other.end("thing")], "like")
        return
    labelled = clause.whole[: clause.start].rstrip().endswith(":")
    if labelled and clause.earlier and _labels_favourite().fullmatch(clause.earlier[-1].strip()):
        yield from of_objects(clause, "favourite", 0, "like")


@EN.sifted
def _went_off() -> re.Pattern[str]:
    return re.compile(
        r"(?:\w+ (?:\w+ ){0,6}?)?(?:and )?(?:now )?i(?:'ve| have)?\s+(?:(?:no longer|don't "
        r"even)\s+(?:really\s+)?(?:like|love|enjoy|eat|drink)|(?:completely |totally |really "
        r")?(?:gone|went)(?: right| completely| totally| clean)? off|stopped (?:liking|enjoying)|grown "
        r"(?:tired|sick|weary) of|got tired of|"
        r"can't (?:stand|look at)|lost my taste for|grew out of|grown out of)\s+",
        re.IGNORECASE,
    )


@EN.sifted
def _mind_no_more() -> re.Pattern[str]:
    return re.compile(
        r"i(?:'ve| have|'m| am)?\s*(?:(?:don't|do not|no longer) mind(?=.*\b(?:any\s?more|"
        r"now|these days)\b)|(?:actually )?(?:came|come) (?:a)?round to|warmed (?:up )?to|"
        r"(?:finally )?learned to like|starting to like|started to like|started liking|fine "
        r"with(?=.*\bagain\b))\s+",
        re.IGNORECASE,
    )


@EN.sifted
def _not_my_thing() -> re.Pattern[str]:
    return re.compile(
        r"(?P<thing>(?!(?:it|that|this|they|he|she|you|these|those)\b)[\w' -]{2,40}?) (?:is|"
        r"are|isn't|aren't) (?:just |really |so )?(?:not )?(?:my (?:thing|cup of tea|jam)|"
        r"for me)\b(?! to)",
        re.IGNORECASE,
    )


@EN.sifted
def _fine_again() -> re.Pattern[str]:
    return re.compile(
        r"(?P<thing>[\w' -]{2,40}?) (?:is|are) (?:fine|ok|okay|good|back on the menu) (?:with "
        r"me )?again\b",
        re.IGNORECASE,
    )


@cache
def _negated() -> re.Pattern[str]:
    return re.compile(r"\bnot\b|n't\b", re.IGNORECASE)


@EN.sifted
def _favourite_is() -> re.Pattern[str]:
    return re.compile(
        r"my (?:all[- ]time |absolute )?(?:favou?rite|fave|go-?to) (?!one\b|part\b|thing\b|"
        r"bit\b|line\b|scene\b|character\b|moment\b|aspect|section|version|option|memory|memories|"
        r"idea|piece\b|kind\b)[\w -]{2,30}?(?:'s| is| are| has always been| will always be)\s+",
        re.IGNORECASE,
    )


@EN.sifted
def _is_favourite() -> re.Pattern[str]:
    """ "pineapple on pizza is my favourite"."""
    return re.compile(
        r"(?P<thing>(?!(?:it|that|this|they|he|she|you|these|those|which|what|one|here)\b)[\w' -]{2,40}?)"
        r"(?:'s| is| are) (?:still )?(?:my|our) (?:all[- ]time |absolute )?(?:favou?rite|fave)s?"
        r"(?: (?:food|dish|drink|colou?r|animal|sport|season|fruit|dessert|cuisine|flower|city|author|band))?",
        re.IGNORECASE,
    )


@cache
def _labels_favourite() -> re.Pattern[str]:
    return re.compile(
        r"(?:my )?(?:all[- ]time )?favou?rite (?:food|dish|drink|colou?r|animal|sport|season|fruit|dessert|cuisine"
        r"|flower|city|author|writer|band|composer|artist|poet|genre|snack|cheese|tea|beer|wine)s?",
        re.IGNORECASE,
    )
