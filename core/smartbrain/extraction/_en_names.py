"""What people and pets are called: "my name is", "call me", "our son is called"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smartbrain.extraction import _en_words as words
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_fact_hits import checked
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_words import RELATION, relation_of, words_of
from smartbrain.extraction.hits import FIRM, Hit, fact


def names(clause: Clause) -> Iterator[Hit]:
    """ "my name is Lin", "my wife's name is Lin", "our son is called Leo"."""
    match = _name_is.match(clause.text)
    if not match:
        return
    name = clause.sentence.text[slice(*clause.span(*match.span("v")))].strip(" .,!?'\"")
    if not name or (name.split()[0].lower() in _NO_NAME) or not _looks_like_name(clause, name):
        return
    relation = match["relation"] or match["relation2"]
    subject = f"user_{relation_of(relation)}" if relation else "user"
    k = "nickname" if match["nick"] else "name"
    yield from checked(clause, fact(k, clause.span(0, len(clause.text)), k=k, v=name, subject=subject, confidence=FIRM))


def calls(clause: Clause) -> Iterator[Hit]:
    match = _call_me.match(clause.text)
    if not match:
        return
    name = clause.sentence.text[slice(*clause.span(*match.span("v")))]
    if name.split()[0].lower() in _NO_NAME or not _looks_like_name(clause, name):
        return
    yield from checked(
        clause, fact("nickname", clause.span(0, len(clause.text)), k="nickname", v=name, confidence=FIRM)
    )


def _looks_like_name(clause: Clause, name: str) -> bool:
    typed_small = not any(ch.isupper() for ch in clause.sentence.message.text.replace("I", "")[:400])
    return name[:1].isupper() or not name[:1].isascii() or (typed_small and len(name.split()) <= 2)


def pets(clause: Clause) -> Iterator[Hit]:
    match = _pet_is_called.match(clause.text)
    if match:
        name = clause.sentence.text[slice(*clause.span(*match.span("v" if match["v"] else "v2")))]
        if name.lower() not in _NO_NAME:
            yield from checked(clause, fact("pet", clause.span(0, len(clause.text)), k="pet", v=name))


_NO_NAME = words_of(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter
    mud not the a an crazy when if back later tomorrow today tonight old what whatever it that this so at on in
    by after before as anytime any maybe please now asap once first again about and or for from old-fashioned
    stupid dramatic paranoid weird lazy sentimental biased pedantic cynical naive optimistic spoiled fussy picky
    odd nosy sir dumb silly unlisted here there up out too very just your my his her their our always never
    legion unknown selfish boring anything nuts mad insane spelled spelt
    """
)


@EN.sifted
def _name_is() -> re.Pattern[str]:
    name = (
        r"(?P<v>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[^\W\d_][\w'-]{0,20}(?: (?!and\b|but\b|so\b|"
        r"by\b|is\b|from\b|btw\b|call\b|not\b|i\b|with\b|as\b|spelt\b|spelled\b)[^\W\d_][\w'-]{1,20}){0,2})"
    )
    return re.compile(
        rf"(?:my (?:(?:full|real|first|last|actual|legal|user|given)\s+)*(?P<nick>nick)?name(?:'s|"
        rf" is)(?: spel(?:led|t))?|my (?:\w+ )?(?P<relation>{RELATION})(?:'s|s') name is|(?:my|our) (?:\w+ "
        rf")?(?P<relation2>{RELATION})"
        rf" is (?:called|named)|i'm called|i am called|(?:the )?name's|name is|(?=(?:it's|its|it is|that's|"
        rf"thats) (?-i:[A-Z])[\w'-]+,? (?:with|spel(?:t|led)|"
        rf"not|as in)\b)(?:it's|its|it is|that's|thats)) {name}",
        re.IGNORECASE,
    )


@EN.sifted
def _call_me() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:but|please|just|you can|everyone can|so|and|they all|everybody|most people|"
        r"people|friends|my friends|everyone|they)\s+)*call(?:s)? me (?P<v>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? "
        r")?[^\W\d_][\w'-]{0,20}(?: "
        r"(?-i:[A-Z])[\w'-]{1,20})?)(?=$|\s+(?:please|for short|btw|by the way|from now on|"
        r"instead|not|like|everyone|if you|or)\b)",
        re.IGNORECASE,
    )


@EN.sifted
def _pet_is_called() -> re.Pattern[str]:
    return re.compile(
        rf"(?:my|our|the) (?:\w+ )?(?:{words.PETS}|pet)(?:'s name is| is (?:called|named)|'s "
        rf"called|,?(?= (?-i:[A-Z][a-z]))) (?P<v>[\w'-]+)(?![\w'-])(?! (?:had to be put|died|passed|was put|"
        rf"ran away|is gone|has died))"
        rf"|(?:i|we)(?:'ve| have)? (?:just |recently |finally )?(?:adopted|rescued|got) (?:an?|our) (?:[\w-]+ ){{0,3}}?"
        rf"(?:{words.PETS}) (?:named|called) (?P<v2>[\w'-]+)",
        re.IGNORECASE,
    )
