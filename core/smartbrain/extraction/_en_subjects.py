"""Who an English clause is about: the user, a relation of theirs, a named person, or a pronoun for one of these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from smartbrain.extraction._en_clauses import Clause, straight
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_words import RELATION, relation_of, words_of
from smartbrain.extraction.keys import part


@dataclass(frozen=True, slots=True)
class Subject:
    """The person a clause is about: ``key`` as in ``profile:<key>``; ``rest`` is where the predicate begins.

    ``relation`` and ``name`` as far as the words give them. ``stated``: the clause said something of them that is kept.
    """

    key: str
    rest: int
    relation: str = ""
    name: str = ""
    stated: bool = False


def subject_of(clause: Clause, known: Sequence[Subject]) -> Subject | None:
    """The subject of a clause; ``known`` are those met before it, for pronouns. None when it is about nobody known."""
    own = _own.match(clause.text)
    if own:
        return Subject("user", own.end(), name="we" if own[0].lower().startswith("we") else "")
    related = _related.match(clause.text)
    if related:
        return _named_before(clause, _relative(clause, related))
    pronoun = _pronoun.match(clause.text)
    if pronoun:
        return _meant(pronoun, _people(known) or _before(clause))
    named = _named.match(clause.text) or _one_of_ours.match(clause.text)
    if named and _is_name(_as_typed(clause, named)):
        return Subject(part(named["name"]), named.end(), name=_as_typed(clause, named))
    return None


def _named_before(clause: Clause, who: Subject) -> Subject:
    """ "Theo, my eldest, is in year 3": of whom a clause speaks that only says what the one named is to the user."""
    alone = not who.name and who.rest >= len(clause.text) and len(clause.earlier) == 1
    name = _only_a_name().fullmatch(clause.earlier[0].strip()) if alone else None
    return Subject(part(name[0]), who.rest, who.relation, name[0]) if name and _is_name(name[0].split()[0]) else who


def _relative(clause: Clause, match: re.Match[str]) -> Subject:
    relation = relation_of(match["relation"])
    name = _as_typed(clause, match) if match["name"] else ""
    if name and not _is_name(name):
        name = ""
    rest = match.end() if name or not match["name"] else match.start("name")
    key = part(name) if name else f"user_{relation}"
    return Subject(key, rest, relation, name)


def _meant(match: re.Match[str], known: Sequence[Subject]) -> Subject | None:
    """Whom "she" means: the one person spoken of, if there is just one."""
    people = {each.key: each for each in known if each.key != "user"}
    if len(people) != 1 or match["pronoun"].lower() in ("they", "they're", "they've"):
        return None
    person = next(iter(people.values()))
    wrong = _FEMALE if match["pronoun"].lower().startswith("he") else _MALE
    if person.relation in wrong:
        return None
    return Subject(person.key, match.end(), person.relation, person.name)


_FEMALE = frozenset(["mother", "wife", "daughter", "sister", "grandmother", "aunt", "niece", "mother_in_law"])
_MALE = frozenset(["father", "husband", "son", "brother", "grandfather", "uncle", "nephew", "father_in_law"])


def _people(known: Sequence[Subject]) -> list[Subject]:
    return [each for each in known if each.key != "user"]


def _before(clause: Clause) -> list[Subject]:
    """The people that the clauses before name ("I need my nephew to stop growing, he's 14"), or else the sentence."""
    earlier = " , ".join(clause.earlier)
    matches = list(_related_anywhere().finditer(earlier))
    found = []
    for match in matches or _related_anywhere().finditer(straight(clause.sentence.before)):
        relation = relation_of(match["relation"])
        name = match["name"] or ""
        found.append(Subject(part(name) if name else f"user_{relation}", 0, relation, name))
    return found


def _as_typed(clause: Clause, match: re.Match[str]) -> str:
    start, end = clause.span(*match.span("name"))
    return clause.sentence.text[start:end]


def _is_name(word: str) -> bool:
    return word[:1].isupper() and not word.isupper() and word.lower() not in _NO_NAMES


_NO_NAMES = words_of(
    """
    the a an this that it he she they we you i my your his her our their there here what who how when where why
    which today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february
    march april may june july august september october november december everyone someone nobody anybody
    everything nothing something one two three four five all both most some any each every no not yes ok okay
    just still now then also maybe god jesus love life work home school coffee tea dinner lunch breakfast
    mornings morning evening night summer winter spring autumn covid python java rust english french german
    spanish chinese japanese google apple microsoft amazon netflix github slack windows linux mac siri alexa
    chatgpt claude gemini twitter facebook instagram tiktok youtube postgres docker is was has had does did will
    would can could should might in on at for from with as if but and or so because please thanks hi hello hey
    dear sorry well oh wow good great nice cool new old being having getting going looking been still currently
    only always never not married turned grew got have moving living based
    born working living moved retired doctor doc mine nurse teacher contract timesheet invoice report laptop phone
    flight flights rent bill parcel boiler dinner
    """
)


@EN.sifted
def _own() -> re.Pattern[str]:
    return re.compile(
        rf"(?:i|me(?! (?:{RELATION})\b))(?=[\s']|m\b|ve\b)\s*|we(?=[\s'])\s*|(?=(?:am|'m)\b)", re.IGNORECASE
    )


@EN.sifted
def _related() -> re.Pattern[str]:
    lead = r"(?:(?:and|so|but|meanwhile|since|because|both)\s+)?"
    age = (
        r"(?:(?:older|younger|elder|eldest|oldest|youngest|little|big|kid|baby|twin|best|good|"
        r"close|old|late|dear|new|\d{1,2}[- ]year[- ]old|teenage|only|half|step|lovely|"
        r"poor|own|own\s+)[\s-]+){0,2}"
    )
    return re.compile(
        rf"{lead}(?:(?:my|our|me)\s+{age}|(?=(?:mum|mom|dad|grandma|grandpa|granny|nana|grandad|"
        rf"granddad)(?:\b(?!\s+and\b))))(?P<relation>{RELATION})(?![\w-])(?:\s*,?\s+(?P<name>(?-i:[A-Z])\w{{1,"
        rf"20}}(?:[ -](?-i:[A-Z])\w{{1,20}})?)(?=\s|'s|,|$))?\s*(?:,\s*)?",
        re.IGNORECASE,
    )


@cache
def _only_a_name() -> re.Pattern[str]:
    return re.compile(r"[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?")


@cache
def _related_anywhere() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:[Mm]y|[Oo]ur)\s+(?:\w+ )?(?P<relation>{RELATION})(?![\w-])(?:\s+(?P<name>(?-i:[A-Z])[a-z]{{1,"
        rf"20}}))?"
    )


@EN.sifted
def _pronoun() -> re.Pattern[str]:
    return re.compile(r"(?P<pronoun>he|she|they|who)(?=\s|')\s*", re.IGNORECASE)


@EN.sifted
def _one_of_ours() -> re.Pattern[str]:
    """ "our Lucy had the baby", "my Tom is eleven": somebody of the family, by name."""
    return re.compile(
        r"(?:my|our) (?P<name>(?-i:[A-Z][a-z]{1,20}))(?=(?:'s|\s+(?:is|was|has|had|loves?|hates?|likes?|can't|won't|"
        r"doesn't|don't|turned|turns|got|goes|plays|lives|works|just|started|starts|adores|needs|eats|speaks))\b)\s*",
        re.IGNORECASE,
    )


@EN.sifted
def _named() -> re.Pattern[str]:
    return re.compile(r"(?P<name>[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?)(?=\s|')\s*")
