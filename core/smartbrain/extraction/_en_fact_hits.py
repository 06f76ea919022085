"""From the facts of a predicate to hits, with the guards on every one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_fact_parts import Fact
from smartbrain.extraction._en_subjects import Subject
from smartbrain.extraction.hits import Hit, fact, looked_like


def fact_hits(clause: Clause, subject: Subject, found: Sequence[Fact], offset: int) -> list[Hit]:
    if not found:
        return []
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    alone = subject.key != "user" and not subject.relation
    if alone and (
        subject.name.count(" ")
        or not _surely_a_person(found)
        or (len(clause.sentence.message.text) > _SHORT and found[0].k != "allergy")
        or found[0].ended
    ):
        return []
    if reason:
        return [looked_like("profile", found[0].k, whole, reason)]
    hits = []
    for one in found:
        start, end = clause.span(offset + one.start, offset + one.end)
        said = clause.sentence.text[start:end]
        value = None if one.ended else value_of(said)
        rule = f"{one.k}_ended" if one.ended else one.k
        hits.append(fact(rule, whole, k=one.k, v=value, was=said if one.ended else "", subject=subject.key))
    return hits


def value_of(said: str) -> str:
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


def checked(clause: Clause, hit: Hit) -> Iterator[Hit]:
    reason = guards.stopped(clause)
    yield looked_like("profile", hit.rule, hit.span, reason) if reason else hit
