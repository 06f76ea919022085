"""English facts about people: the user, their relations, named persons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from smartbrain.extraction import _en_words as words
from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause, straight
from smartbrain.extraction._en_facts import Fact, Predicate, elliptic, facts_in
from smartbrain.extraction._en_objects import lasting, objects, plain_object
from smartbrain.extraction._en_subjects import Subject, subject_of
from smartbrain.extraction._en_words import RELATION, relation_of, words_of
from smartbrain.extraction.hits import FIRM, Hit, fact, looked_like
from smartbrain.extraction.keys import part


def find(clause: Clause, known: list[Subject], was: Subject | None) -> tuple[list[Hit], Subject | None]:
    """The facts of one clause and whom it was about.

    ``known`` are the people met so far in the sentence (this one is added), ``was`` whom the clause before said what
    he or she *is*: "I'm 34, vegetarian since uni" goes on about the same.
    """
    hits = list(_labelled(clause))
    if hits:
        return hits, None
    subject = subject_of(clause, known)
    if subject is None:
        subject = was or Subject("user", 0)
        if not _bare_predicate().match(clause.text) and not (was is None and _bare_start().match(clause.text)):
            return (list(_goes_on(clause, was)), was) if was is not None and was.stated else ([], None)
        if was is None and not _bare_start().match(clause.text):
            return [], None
        subject = Subject(subject.key, 0, subject.relation, subject.name)
    else:
        known.append(subject)
    predicate = _predicate(clause, subject)
    found = facts_in(predicate)
    if not found and subject.rest == 0 and _bare_start().match(clause.text):
        found = list(elliptic(predicate))
    if subject.key == "user" and subject.name:
        found = [one for one in found if one.k in _OF_US]
    hits = _hits(clause, subject, found, subject.rest)
    if subject.key != "user" and not found:
        hits = list(_likes(clause, subject))
    if hits and subject.name and subject.relation and any(not hit.skipped for hit in hits):
        hits.insert(0, fact("relation", hits[0].span, k="relation", v=subject.relation, subject=subject.key))
    named = subject.key != "user" and subject.rest >= len(clause.text)  # "my brother Tom, a welder, …"
    return hits, replace(subject, stated=named or any(not hit.skipped for hit in hits))


def _predicate(clause: Clause, subject: Subject) -> Predicate:
    typed = clause.sentence.text[clause.start + subject.rest : clause.start + len(clause.text)]
    text = clause.text[subject.rest :]
    often = _habitual().search(clause.lead)
    if often:  # "on Sundays I sing …": how often stands before the subject
        text, typed = f"{text} {often[0].strip()}", f"{typed} {often[0].strip()}"
    message = clause.sentence.message.text
    return Predicate(text, typed, subject.key == "user", not any(ch.isupper() for ch in message.replace("I", "")[:400]))


def _hits(clause: Clause, subject: Subject, found: Sequence[Fact], offset: int) -> list[Hit]:
    if not found:
        return []
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    alone = subject.key != "user" and not subject.relation
    if alone and (
        subject.name.count(" ")
        or not _surely_a_person(found)
        or len(clause.sentence.message.text) > _SHORT
        or found[0].ended
    ):
        return []
    if reason:
        return [looked_like("profile", found[0].k, whole, reason)]
    hits = []
    for one in found:
        start, end = clause.span(offset + one.start, offset + one.end)
        said = clause.sentence.text[start:end]
        value = None if one.ended else _value(said)
        rule = f"{one.k}_ended" if one.ended else one.k
        hits.append(fact(rule, whole, k=one.k, v=value, was=said if one.ended else "", subject=subject.key))
    return hits


def _value(said: str) -> str:
    return re.sub(r"^(?:an? |the |any |all |some )(?=\w)", "", said.strip(" ,.;:!?\"'“”"), flags=re.IGNORECASE) or said


# In long messages, unlike short ones, people with a name alone are mostly those of a story, an example or a text.
_SHORT = 200


def _surely_a_person(found: Sequence[Fact]) -> bool:
    """A name alone may be that of a shop or a dog: only what people are or have shows a person."""
    return found[0].k in (
        "allergy",
        "age",
        "role",
        "employer",
        "diet",
        "marital",
        "languages",
        "child",
        "hobby",
        "medication",
    )


def _goes_on(clause: Clause, was: Subject) -> Iterator[Hit]:
    predicate = Predicate(clause.text, clause.sentence.text[clause.start :], was.key == "user", casual=False)
    found = [
        one
        for one in elliptic(predicate)
        if one.k in ("diet", "role", "age", "marital", "allergy", "employer", "hometown", "home")
        and not (one.k == "age" and _has_young().search(clause.earlier[-1]))
    ]
    hits = _hits(clause, was, found, 0)
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
    if not subject.relation:
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


# --- facts that name themselves: "my name is", "my blood type is" ------------------------------------------------


def _labelled(clause: Clause) -> Iterator[Hit]:
    for rule in (_names, _calls, _pets, _owned, _allergic, _as_a, _self_told):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


def _names(clause: Clause) -> Iterator[Hit]:
    """ "my name is Lin", "my wife's name is Lin", "our son is called Leo"."""
    match = _name_is().match(clause.text)
    if not match:
        return
    name = clause.sentence.text[slice(*clause.span(*match.span("v")))].strip(" .,!?'\"")
    if not name or (name.split()[0].lower() in _NO_NAME) or not _looks_like_name(clause, name):
        return
    relation = match["relation"] or match["relation2"]
    subject = f"user_{relation_of(relation)}" if relation else "user"
    k = "nickname" if match["nick"] else "name"
    yield from _checked(
        clause, fact(k, clause.span(0, len(clause.text)), k=k, v=name, subject=subject, confidence=FIRM)
    )


def _calls(clause: Clause) -> Iterator[Hit]:
    match = _call_me().match(clause.text)
    if not match:
        return
    name = clause.sentence.text[slice(*clause.span(*match.span("v")))]
    if name.split()[0].lower() in _NO_NAME or not _looks_like_name(clause, name):
        return
    yield from _checked(
        clause, fact("nickname", clause.span(0, len(clause.text)), k="nickname", v=name, confidence=FIRM)
    )


def _looks_like_name(clause: Clause, name: str) -> bool:
    typed_small = not any(ch.isupper() for ch in clause.sentence.message.text.replace("I", "")[:400])
    return name[:1].isupper() or not name[:1].isascii() or (typed_small and len(name.split()) <= 2)


def _pets(clause: Clause) -> Iterator[Hit]:
    match = _pet_is_called().match(clause.text)
    if match:
        name = clause.sentence.text[slice(*clause.span(*match.span("v" if match["v"] else "v2")))]
        if name.lower() not in _NO_NAME:
            yield from _checked(clause, fact("pet", clause.span(0, len(clause.text)), k="pet", v=name))


def _owned(clause: Clause) -> Iterator[Hit]:
    """ "my birthday is", "my email is", "my job is", "my hobby is"."""
    match = _my_x_is().match(clause.text)
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
    value = _value(re.sub(r"^(?:on|in|at) (?=\w)", "", text.strip()))
    if value and len(value.split()) <= 10 and not _vague().match(value):
        yield from _checked(
            clause, fact(k, clause.span(0, len(clause.text)), k=k, v=value, subject=subject, confidence=FIRM)
        )


def _allergic(clause: Clause) -> Iterator[Hit]:
    """ "I hate being allergic to cats": a fact, whatever is felt about it."""
    match = _being_allergic().match(clause.text)
    if match:
        predicate = Predicate(
            clause.text[match.end() :], clause.sentence.text[clause.start + match.end() :], True, False
        )
        found = list(elliptic(predicate))
        yield from _hits(clause, Subject("user", match.end()), found, match.end())


def _as_a(clause: Clause) -> Iterator[Hit]:
    """ "As a vegetarian I get bored of risotto"."""
    match = _speaking_as().match(clause.text)
    if match and (match["i"] or (clause.later and _starts_with_i().match(clause.later[0].strip()))):
        end = match.start("i") if match["i"] else len(clause.text)
        at = match.end("as")
        predicate = Predicate(
            clause.text[at:end].rstrip(), clause.sentence.text[clause.start + at : clause.start + end], True, False
        )
        found = [
            one
            for one in elliptic(predicate)
            if one.k in ("diet", "role", "health", "nationality", "religion", "child")
        ]
        yield from _hits(clause, Subject("user", at), found, at)


def _self_told(clause: Clause) -> Iterator[Hit]:
    """What names itself in other shapes: "retired teacher here", "my doctor put me on …", "allergies: penicillin"."""
    whole = clause.span(0, len(clause.text))
    for k, needle, pattern in _told_table():
        match = pattern.match(clause.text) if needle in clause.text else None
        if match:
            value = _value(clause.sentence.text[slice(*clause.span(*match.span("v")))])
            yield from _checked(clause, fact(k, whole, k=k, v=value))
            return
    first = clause.earlier[0].strip() if clause.earlier else ""
    labelled = _labels_allergies().fullmatch(first) and straight(clause.sentence.plain).lstrip().startswith(f"{first}:")
    if labelled and len(clause.text.split()) <= _FEW:
        for start, end in objects(clause.text):
            value = _value(clause.sentence.text[slice(*clause.span(start, end))])
            if value.lower() not in ("none", "no", "nothing", "n/a"):
                yield from _checked(clause, fact("allergy", whole, k="allergy", v=value))


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
        ("languages", " is my ", rf"(?P<v>{words.LANGUAGES}) is my (?:first|native|mother|second) (?:language|tongue)"),
        (
            "languages",
            " is ",
            rf"my (?P<v>{words.LANGUAGES}) is (?:pretty |quite |very )?(?:fluent|native|good|decent|"
            rf"excellent)(?![\w-])",
        ),
    )
    return tuple((k, needle, re.compile(pattern, re.IGNORECASE)) for k, needle, pattern in table)


def _checked(clause: Clause, hit: Hit) -> Iterator[Hit]:
    reason = guards.stopped(clause)
    yield looked_like("profile", hit.rule, hit.span, reason) if reason else hit


_NO_NAME = words_of(
    """
    mud not the a an crazy when if back later tomorrow today tonight old what whatever it that this so at on in
    by after before as anytime any maybe please now asap once first again about and or for from old-fashioned
    stupid dramatic paranoid weird lazy sentimental biased pedantic cynical naive optimistic spoiled fussy picky
    odd nosy sir dumb silly unlisted here there up out too very just your my his her their our always never
    legion unknown selfish boring anything nuts mad insane spelled spelt
    """
)
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
# What "we" say of us holds for the user.
_OF_US = frozenset(("home", "hometown", "pet", "child", "vehicle", "marital", "diet", "religion", "languages"))
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
def _name_is() -> re.Pattern[str]:
    name = (
        r"(?P<v>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[^\W\d_][\w'-]{0,20}(?: (?!and\b|but\b|so\b|"
        r"by\b|is\b|from\b|btw\b|call\b|not\b|i\b)[^\W\d_][\w'-]{1,20}){0,2})"
    )
    return re.compile(
        rf"(?:my (?:(?:full|real|first|last|actual|legal|user|given)\s+)*(?P<nick>nick)?name(?:'s|"
        rf" is)(?: spel(?:led|t))?|my (?:\w+ )?(?P<relation>{RELATION})(?:'s|s') name is|(?:my|our) (?:\w+ "
        rf")?(?P<relation2>{RELATION})"
        rf" is (?:called|named)|i'm called|i am called|(?:the )?name's|name is) {name}",
        re.IGNORECASE,
    )


@cache
def _speaking_as() -> re.Pattern[str]:
    return re.compile(
        r"(?P<as>(?:as|being) (?=an? |\w+$))(?:an? )?[\w -]{3,40}?(?:\s+(?P<i>i(?:'m|'ve)?\s.*)|"
        r"$)",
        re.IGNORECASE,
    )


@cache
def _starts_with_i() -> re.Pattern[str]:
    return re.compile(r"(?:i|my|we)\b", re.IGNORECASE)


@cache
def _being_allergic() -> re.Pattern[str]:
    return re.compile(
        r"i (?:really |just )?(?:hate|love|don't mind|am tired of|'m tired of|'m sick of|can't "
        r"help|suffer from) (?=being\b)being (?=\w)",
        re.IGNORECASE,
    )


@cache
def _call_me() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:but|please|just|you can|everyone can|so|and|they all|everybody|most people|"
        r"people|friends|my friends|everyone|they)\s+)*call(?:s)? me (?P<v>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? "
        r")?[^\W\d_][\w'-]{0,20}(?: "
        r"(?-i:[A-Z])[\w'-]{1,20})?)(?=$|\s+(?:please|for short|btw|by the way|from now on|"
        r"instead|not|like|everyone|if you|or)\b)",
        re.IGNORECASE,
    )


@cache
def _pet_is_called() -> re.Pattern[str]:
    return re.compile(
        rf"(?:my|our|the) (?:\w+ )?(?:{words.PETS}|pet)(?:'s name is| is (?:called|named)|'s "
        rf"called|,?(?= (?-i:[A-Z][a-z]))) (?P<v>[\w'-]+)(?![\w'-])(?! (?:had to be put|died|passed|was put|"
        rf"ran away|is gone|has died))"
        rf"|(?:i|we)(?:'ve| have)? (?:just |recently |finally )?(?:adopted|rescued|got) (?:an?|our) (?:[\w-]+ ){{0,3}}?"
        rf"(?:{words.PETS}) (?:named|called) (?P<v2>[\w'-]+)",
        re.IGNORECASE,
    )


@cache
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


@cache
def _bare_predicate() -> re.Pattern[str]:
    """A clause without a subject that goes on about the one before: "… and works as a translator"."""
    return re.compile(
        r"(?:also |now |currently |both |just )*(?:works?|lives?|has|have|is|am|plays?|speaks?|"
        r"drives?|studies|study|studied|teach(?:es)?|can't|cannot|don't|doesn't|grew|was|collects?"
        r"|runs? an?|allergic to|been|born|moved|keeps|owns|sings|swims|takes?|loves?|hates?|no longer)\b",
        re.IGNORECASE,
    )


@cache
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
        r"(?:recently |just )?diagnosed with|(?:just )?turned \d|grew up in",
        re.IGNORECASE,
    )
