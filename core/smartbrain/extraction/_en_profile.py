"""English profile facts: what the user says of themselves and of the people around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache

from smartbrain.extraction import _en_words as words
from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause, straight
from smartbrain.extraction._en_fact_hits import fact_hits
from smartbrain.extraction._en_fact_parts import Predicate
from smartbrain.extraction._en_facts import elliptic, facts_in
from smartbrain.extraction._en_facts_ended import moved_to
from smartbrain.extraction._en_objects import lasting, objects, plain_object
from smartbrain.extraction._en_self_told import told_by_label
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_subjects import Subject, subject_of
from smartbrain.extraction.hits import Hit, fact, looked_like
from smartbrain.extraction.keys import part


def find(clause: Clause, known: list[Subject], was: Subject | None) -> tuple[list[Hit], Subject | None]:
    """The facts of one clause and whom it was about.

    ``known`` are the people met so far in the sentence (this one is added), ``was`` whom the clause before said what
    he or she *is*: "I'm 34, vegetarian since uni" goes on about the same.
    """
    hits = list(told_by_label(clause))
    if hits:
        return hits, None
    subject = subject_of(clause, known)
    if subject is None:
        subject = was or Subject("user", 0)
        if not _bare_predicate.match(clause.text) and not (was is None and _bare_start.match(clause.text)):
            return (list(_goes_on(clause, was)), was) if was is not None and was.stated else ([], None)
        if was is None and not _bare_start.match(clause.text):
            return [], None
        subject = Subject(subject.key, 0, subject.relation, subject.name)
    else:
        known.append(subject)
    predicate = _predicate(clause, subject)
    found = facts_in(predicate)
    if not found:
        found = list(moved_to(predicate, " ".join((straight(clause.sentence.before), *clause.earlier))))
    if not found and subject.rest == 0 and _bare_start.match(clause.text):
        found = list(elliptic(predicate))
    if subject.key == "user" and subject.name:
        found = [one for one in found if one.k in _OF_US]
    hits = fact_hits(clause, subject, found, subject.rest)
    if subject.key != "user" and not found:
        hits = list(_likes(clause, subject))
    if hits and subject.name and subject.relation and any(not hit.skipped for hit in hits):
        hits.insert(0, fact("relation", hits[0].span, k="relation", v=subject.relation, subject=subject.key))
    named = subject.key != "user" and subject.rest >= len(clause.text)  # "my brother Tom, a welder, …"
    return hits, replace(subject, stated=named or any(not hit.skipped for hit in hits))


def _predicate(clause: Clause, subject: Subject) -> Predicate:
    typed = clause.sentence.text[clause.start + subject.rest : clause.start + len(clause.text)]
    text = clause.text[subject.rest :]
    within = clause.text
    often = _habitual().search(clause.lead)
    if often:  # "on Sundays I sing …": how often stands before the subject
        text, typed = f"{text} {often[0].strip()}", f"{typed} {often[0].strip()}"
        within = text
    return Predicate(text, typed, subject.key == "user", _casual(clause.sentence.message.text), within)


@lru_cache(maxsize=16)  # asked for every clause of a message
def _casual(message: str) -> bool:
    """Whether its writer uses no capitals but for "I"."""
    return not any(ch.isupper() for ch in message.replace("I", "")[:400])


def _goes_on(clause: Clause, was: Subject) -> Iterator[Hit]:
    predicate = Predicate(clause.text, clause.sentence.text[clause.start :], was.key == "user", casual=False)
    found = [
        one
        for one in elliptic(predicate)
        if one.k in ("diet", "role", "age", "marital", "allergy", "employer", "hometown", "home")
        and not (one.k == "age" and _has_young().search(clause.earlier[-1]))
    ]
    hits = fact_hits(clause, was, found, 0)
    if hits and was.name and was.relation and not hits[0].skipped:
        yield fact("relation", hits[0].span, k="relation", v=was.relation, subject=was.key)
    yield from hits


@cache
def _has_young() -> re.Pattern[str]:
    """ "I have two girls, 5 and 9": their ages."""
    return re.compile(
        rf"\b(?:girls?|boys?|kids?|children|sons?|daughters?|twins|siblings|brothers?|sisters?|grand\w+|"
        rf"{words.PETS})\b",
        re.IGNORECASE,
    )


def _likes(clause: Clause, subject: Subject) -> Iterator[Hit]:
    """What another person likes or hates; what they prefer, want or say is theirs."""
    match = _their_taste().match(clause.text[subject.rest :])
    if not match or not (subject.relation or subject.name):
        return
    short = len(clause.sentence.message.text) <= _SHORT and not clause.earlier and " " not in subject.name
    if not subject.relation and not (short and _strong().match(match[0])):
        return
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    if reason:
        yield looked_like("profile", "likes", whole, reason)
        return
    at = subject.rest + match.end()
    k = "dislikes" if match["hate"] else "likes"
    for start, end in objects(clause.text[at:]):
        said = plain_object(clause.sentence.text[slice(*clause.span(at + start, at + end))])
        if part(said) and lasting(said):
            yield fact(k, whole, k=k, v=said, subject=subject.key)


_SHORT = 100
"""Characters of a message in which somebody with a name alone is one of the user's own."""


@cache
def _strong() -> re.Pattern[str]:
    return re.compile(r"\s*(?:(?:really|absolutely) )?(?:loves|adores|hates|can't stand|detests)\b", re.IGNORECASE)


# What "we" say of us holds for the user.
_OF_US = frozenset(("home", "hometown", "pet", "child", "vehicle", "marital", "diet", "religion", "languages"))


@cache
def _their_taste() -> re.Pattern[str]:
    adverbs = r"(?:(?:really|also|absolutely|just|still|secretly|only|always|both|totally)\s+)*"
    return re.compile(
        rf"{adverbs}(?:(?P<hate>hates?|can't stand|dislikes?|detests?|(?:doesn't|don't) (?:really "
        rf")?(?:like|eat|enjoy))|loves?|likes?|adores?|enjoys?|(?:is|'s|are|'re) (?:really "
        rf"|totally |completely )?(?:into|obsessed with|crazy about|mad about|a (?:big |huge "
        rf")?fan of))\s+",
        re.IGNORECASE,
    )


@cache
def _habitual() -> re.Pattern[str]:
    return re.compile(
        r"(?:on |at |most )(?:the )?weekends?\b|on (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|in my "
        r"(?:spare|free) time\b",
        re.IGNORECASE,
    )


@EN.sifted
def _bare_predicate() -> re.Pattern[str]:
    """A clause without a subject that goes on about the one before: "… and works as a translator"."""
    return re.compile(
        r"(?:also |now |currently |both |just )*(?:works?|lives?|has|have|is|am|plays?|speaks?|"
        r"drives?|studies|study|studied|teach(?:es)?|can't|cannot|don't|doesn't|grew|was|collects?"
        r"|runs? an?|allergic to|been|born|moved|keeps|owns|sings|swims|takes?|loves?|hates?|no longer)\b",
        re.IGNORECASE,
    )


@EN.sifted
def _bare_start() -> re.Pattern[str]:
    """What a message about oneself may begin with, the "I" left out."""
    return re.compile(
        r"(?:severely |badly |very )?allergic to|born (?:and (?:raised|bred) )?in\b|(?:currently |now "
        r")?(?:living|based) "
        r"in|been (?:an? |married|working (?:at|for|as)|living in|on |vegan|vegetarian)|(?:just |recently "
        r")?(?:moved|relocated)"
        r" (?:from|to) (?-i:[A-Z])|(?:have|got) (?:two|three|four) (?:\w+ )?(?:kids|children|girls|boys|sons|"
        r"daughters)|"
        r"(?:originally )?from (?-i:[A-Z])\w+(?=$| originally)|originally from|(?:currently )?majoring in|"
        r"(?:recently |just )?diagnosed with|(?:just )?turned (?:\d|" + words.AGE_IN_WORDS + r")|grew up in",
        re.IGNORECASE,
    )
