"""English facts with words of their own: "my X is", "as a vegetarian", "retired teacher here"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import _en_words as words
from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause, straight
from smartbrain.extraction._en_fact_hits import checked, fact_hits, value_of
from smartbrain.extraction._en_fact_parts import Predicate
from smartbrain.extraction._en_facts import elliptic
from smartbrain.extraction._en_names import calls, names, pets
from smartbrain.extraction._en_objects import objects
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_subjects import Subject
from smartbrain.extraction._en_words import RELATION, relation_of
from smartbrain.extraction.hits import FIRM, Hit, fact


def told_by_label(clause: Clause) -> Iterator[Hit]:
    for rule in (names, calls, pets, _owned, _allergic, _as_a, _year_old, _left_with, _self_told):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


def _owned(clause: Clause) -> Iterator[Hit]:
    """ "my birthday is", "my email is", "my job is", "my hobby is"."""
    match = _my_x_is.match(clause.text)
    if not match:
        return
    k = _OWNED[" ".join(match["k"].lower().split())]
    text = clause.sentence.text[slice(*clause.span(match.start("v"), len(clause.text)))]
    pattern = _OWNED_VALUE.get(k)
    if pattern:
        found = re.match(pattern, text, re.IGNORECASE)
        if not found:
            return
        text = found[0]
    elif k == "birthday" and not re.search(
        r"\d|january|february|march|april|may|june|july|august|september|october|november|"
        r"december",
        text,
        re.I,
    ):
        return
    else:
        text = re.split(r"\s+(?:so|because|but|and (?:i|it|my|that))\b", text, maxsplit=1)[0]
    relation = match["relation"]
    subject = f"user_{relation_of(relation)}" if relation else "user"
    value = value_of(re.sub(r"^(?:on|in|at) (?=\w)", "", text.strip()))
    if value and len(value.split()) <= 10 and not _vague().match(value):
        yield from checked(
            clause, fact(k, clause.span(0, len(clause.text)), k=k, v=value, subject=subject, confidence=FIRM)
        )


def _allergic(clause: Clause) -> Iterator[Hit]:
    """ "I hate being allergic to cats": a fact, whatever is felt about it."""
    match = _being_allergic.match(clause.text)
    if match:
        predicate = Predicate(
            clause.text[match.end() :], clause.sentence.text[clause.start + match.end() :], True, False
        )
        found = list(elliptic(predicate))
        yield from fact_hits(clause, Subject("user", match.end()), found, match.end())


def _as_a(clause: Clause) -> Iterator[Hit]:
    """ "As a vegetarian I get bored of risotto"."""
    match = _speaking_as.match(clause.text)
    if match and (match["i"] or (clause.later and _starts_with_i().match(clause.later[0].strip()))):
        end = match.start("i") if match["i"] else len(clause.text)
        at = match.end("as")
        predicate = Predicate(
            clause.text[at:end].rstrip(), clause.sentence.text[clause.start + at : clause.start + end], True, False
        )
        found = [
            one
            for one in elliptic(predicate)
            if one.k in ("diet", "role", "health", "nationality", "religion", "child", "gender")
        ]
        yield from fact_hits(clause, Subject("user", at), found, at)


def _year_old(clause: Clause) -> Iterator[Hit]:
    """ "my 3 yr old only eats beige food", a question or not: how old the child is, is taken for granted."""
    match = _of_years.search(clause.text)
    if match and not guards.frame(clause.text[: match.start()]):
        kin = match["kin"]
        subject = f"user_{_CHILD.get((kin or '').lower(), 'child')}"
        yield fact("age", clause.span(*match.span()), k="age", v=match["v"], subject=subject)


def _left_with(clause: Clause) -> Iterator[Hit]:
    """ "it's just me and the twins now"."""
    if not clause.text.lower().endswith(" me") and " me and " not in clause.text.lower():
        return
    match = _me_and_mine().match(clause.onward())
    if match:
        value = value_of(clause.sentence.text[slice(*clause.span(*match.span("v")))])
        yield from checked(clause, fact("child", clause.span(*match.span()), k="child", v=value))


_CHILD = {"son": "son", "boy": "son", "lad": "son", "daughter": "daughter", "girl": "daughter"}


def _self_told(clause: Clause) -> Iterator[Hit]:
    """What names itself in other shapes: "retired teacher here", "my doctor put me on …", "allergies: penicillin"."""
    whole = clause.span(0, len(clause.text))
    for k, needle, pattern in _told_table():
        match = pattern.match(clause.text) if needle in clause.text else None
        if match:
            value = value_of(clause.sentence.text[slice(*clause.span(*match.span("v")))])
            yield from checked(clause, fact(k, whole, k=k, v=value))
            return
    first = clause.earlier[0].strip() if clause.earlier else ""
    labelled = _labels_allergies().fullmatch(first) and straight(clause.sentence.plain).lstrip().startswith(f"{first}:")
    if labelled and len(clause.text.split()) <= _FEW:
        for start, end in objects(clause.text):
            value = value_of(clause.sentence.text[slice(*clause.span(start, end))])
            if value.lower() not in ("none", "no", "nothing", "n/a"):
                yield from checked(clause, fact("allergy", whole, k="allergy", v=value))


_FEW = 6


@cache
def _labels_allergies() -> re.Pattern[str]:
    return re.compile(r"(?:my )?(?:(?:food|known|drug) )?allerg(?:y|ies)", re.IGNORECASE)


@cache
def _told_table() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """The fact, a word that must stand in the clause, and how it is said."""
    table = (
        (
            "role",
            " here",
            rf"(?P<v>(?!no |any |some )(?:[\w'/&.-]+\s+){{0,3}}?(?:{words.OCCUPATIONS})) here(?=$|\s+(?:in|"
            rf"from|with|and)\b)",
        ),
        (
            "medication",
            " me on",
            rf"(?:my|the) (?:[\w-]+ )?(?:doctor|gp|cardiologist|psychiatrist|neurologist|specialist|doc) "
            rf"(?:has |just |recently )*(?:put|started) me on (?P<v>{words.MEDICINES})(?![\w-])",
        ),
        (
            "allergy",
            " me ",
            r"(?P<v>(?!it\b|that\b|this\b|he\b|she\b|they\b|stress|work)[\w -]{3,24}?) (?:gives?|brings?) me "
            r"(?:(?:out )?in )?(?:hives|anaphyla\w+)(?![\w-])",
        ),
        (
            "email",
            " me ",
            r"(?:you can |please )?(?:reach|contact|email|write to) me (?:at|on) (?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)",
        ),
        (
            "phone",
            " me ",
            r"(?:you can |please )?(?:reach|contact|call|text|ring) me (?:at|on) (?P<v>\+?[\d(][\d ()-]{5,20}\d)",
        ),
        (
            "health",
            " won",
            rf"(?:(?:my|the) )?(?P<v>{words.CONDITIONS}) (?:has |have )?won(?! (?:a|the|an|my|first|gold)\b)",
        ),
        (
            "health",
            "my ",
            rf"my (?:\w+ )?(?P<v>{words.CONDITIONS})(?:'s| is| are)? (?:means?|makes|won't|stops?|keeps?|playing up|"
            rf"acting up|flar(?:es|ed|ing) up|back|getting worse|worse|bad)\b",
        ),
        (
            "health",
            "ad ",
            r"(?:(?:my|got a|i've a|i've got a|have a) )?(?P<v>bad (?:knees?|back|hips?|shoulder|heart|ankles?|"
            r"eyes|eyesight|"
            r"chest|feet|legs?|hands?|neck))(?! (?:pain today|today|luck|news|day|in the (?:film|game)))\b",
        ),
        (
            "allergy",
            "intolerant",
            r"(?P<v>lactose|gluten|dairy|fructose|histamine|egg|nut)[- ]intolerant(?: here| too| as well|$)",
        ),
        ("languages", " is my ", rf"(?P<v>{words.LANGUAGES}) is my (?:first|native|mother|second) (?:language|tongue)"),
        (
            "languages",
            " is ",
            rf"my (?P<v>{words.LANGUAGES}) is (?:pretty |quite |very )?(?:fluent|native|good|decent|"
            rf"excellent)(?![\w-])",
        ),
    )
    return tuple((k, needle, re.compile(pattern, re.IGNORECASE)) for k, needle, pattern in table)


_OWNED = {
    "birthday": "birthday",
    "bday": "birthday",
    "date of birth": "birthday",
    "email": "email",
    "email address": "email",
    "e-mail": "email",
    "phone number": "phone",
    "phone": "phone",
    "number": "phone",
    "mobile number": "phone",
    "address": "address",
    "home address": "address",
    "blood type": "blood_type",
    "blood group": "blood_type",
    "shoe size": "size",
    "shirt size": "size",
    "ring size": "size",
    "dress size": "size",
    "height": "height",
    "weight": "weight",
    "native language": "languages",
    "mother tongue": "languages",
    "first language": "languages",
    "job": "role",
    "job title": "role",
    "day job": "role",
    "profession": "role",
    "occupation": "role",
    "employer": "employer",
    "major": "major",
    "hobby": "hobby",
    "hobbies": "hobby",
    "hometown": "hometown",
    "nationality": "nationality",
    "religion": "religion",
    "nickname": "nickname",
    "pronouns": "gender",
    "age": "age",
    "team": "team",
    "car": "vehicle",
    "bike": "vehicle",
    "motorbike": "vehicle",
}
_OWNED_VALUE = {
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "phone": r"\+?[\d(][\d ()-]{5,20}\d",
    "blood_type": r"(?:A|B|AB|O)\b\s*(?:[+-]|positive|negative|pos|neg)?",
    "age": r"\d{1,3}",
    "height": r"\d[\w'\". ]{1,12}",
    "weight": r"\d{2,3}[\w. ]{1,10}",
    "address": r"\d[^.;!?]{4,80}|(?-i:[A-Z])[^.;!?]{4,60}\d[^.;!?]{0,30}",
    "vehicle": r"(?:an? )?(?:(?:old|new|used|red|blue|black|white|silver) )*(?:\d{4} )?(?-i:[A-Z])[\w-]+(?: "
    r"(?-i:[A-Z0-9])[\w-]*){0,2}",
    "team": r"(?:the )?(?-i:[A-Z])[\w' &-]{1,40}",
    "nickname": r"[A-Za-z\u4e00-\u9fff][\w'-]{1,20}",
    "role": rf"(?:an? |the )?(?:(?:[\w'/&.-]+ ){{0,4}}?(?:{words.OCCUPATIONS})\b|[\w' -]{{4,40}})",
    "gender": r"\w+/\w+(?:/\w+)?",
}


@cache
def _me_and_mine() -> re.Pattern[str]:
    return re.compile(
        r"(?:it's|its|it is|there's) (?:just |only )?me and (?P<v>(?:(?:the|my) )?(?:two |three |four )?"
        r"(?:kids|boys|girls|twins|daughters|sons|children|little ones?|son|daughter))\b(?!'s)",
        re.IGNORECASE,
    )


@EN.sifted
def _of_years() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:my|our) (?P<v>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
        r"fourteen|fifteen|"
        r"sixteen|seventeen)[- ]?(?:yrs?|years?)[- ]?olds?(?: (?P<kin>son|boy|lad|daughter|girl|child|kid|toddler))?"
        r"(?=$|'s\b|\s+(?!(?:dog|cat|puppy|kitten|car|phone|laptop|house|self|bike|computer|horse|nephew|niece|brother|"
        r"sister|cousin|grand\w+|pc|macbook|boiler|tv)\b))",
        re.IGNORECASE,
    )


@EN.sifted
def _speaking_as() -> re.Pattern[str]:
    return re.compile(
        r"(?P<as>(?:as|being) (?=an? |\w+$))(?:an? )?[\w -]{3,40}?(?:\s+(?P<i>i(?:'m|'ve)?\s.*)|"
        r"$)",
        re.IGNORECASE,
    )


@cache
def _starts_with_i() -> re.Pattern[str]:
    return re.compile(r"(?:i|my|we)\b", re.IGNORECASE)


@EN.sifted
def _being_allergic() -> re.Pattern[str]:
    return re.compile(
        r"i (?:really |just )?(?:hate|love|don't mind|am tired of|'m tired of|'m sick of|can't "
        r"help|suffer from) (?=being\b)being (?=\w)",
        re.IGNORECASE,
    )


@EN.sifted
def _my_x_is() -> re.Pattern[str]:
    kinds = "|".join(sorted(_OWNED, key=len, reverse=True)).replace(" ", r"\s+")
    return re.compile(
        rf"(?:my (?!dream|ideal|old|last|first|previous|next)(?:\w+ )?(?P<relation>{RELATION})'s "
        rf"|my (?!dream|ideal|old|last|previous|next))(?:new |current |main )?(?P<k>{kinds})\s*(?:is|"
        rf"'s|are|=|:)\s+(?P<v>\S.*)",
        re.IGNORECASE,
    )


@cache
def _vague() -> re.Pattern[str]:
    return re.compile(
        r"(?:not|so|very|too|really|just|going|coming|still|in (?:a|the|my|two|three|an?)\b|"
        r"way|more|less|that|what|how|to\b|killing|hard|boring|stressful|fine|great|good|bad|"
        r"next|this|soon|tomorrow|today|the (?:same|best|worst|only|thing|most)|at (?:risk|"
        r"stake)|important|mine|broken|pretty|getting|being)\b",
        re.IGNORECASE,
    )
