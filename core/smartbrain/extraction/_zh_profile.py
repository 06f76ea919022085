"""Chinese rules for facts about the user and the people around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from smartbrain.extraction._zh_fact_words import FactRule
from smartbrain.extraction._zh_facts import FACT_RULES, fitting, parts_of
from smartbrain.extraction._zh_guards import stopped
from smartbrain.extraction._zh_people import NOBODY, USER, Who, named_key, subject
from smartbrain.extraction._zh_text import ZH, Clause, View, unsaid
from smartbrain.extraction._zh_times import dated
from smartbrain.extraction.hits import Hit, fact, looked_like
from smartbrain.extraction.literals import Source, places

_SEVERAL_AT_ONCE: Final = frozenset(["allergy", "diet", "languages", "hobby", "health", "medication"])


@dataclass(frozen=True, slots=True)
class Told:
    """A fact as a clause tells it, before names and relatives are brought together."""

    who: Who
    k: str
    v: str | None
    rule: str
    span: tuple[int, int]


def find(view: View) -> list[Hit]:
    """The facts of one sentence, those stopped by a guard included."""
    told: list[Told] = []
    skipped: list[Hit] = []
    for index, clause in view.unread():
        for one in _of_clause(view, index, clause):
            if isinstance(one, Hit):
                skipped.append(one)
            else:
                told.append(one)
    return [*_as_hits(told), *skipped]


def _of_clause(view: View, index: int, clause: Clause) -> Iterator[Told | Hit]:
    told: list[Told] = []
    for rule, pattern in _rules_for(clause.text):
        if told and rule.k not in _SEVERAL_AT_ONCE and any(one.k == rule.k for one in told):
            continue
        for match in pattern.finditer(clause.text):
            found = [one for one in _told(view, index, rule, match) if isinstance(one, Hit) or not _again(one, told)]
            yield from found
            told += [one for one in found if isinstance(one, Told)]
            if any(isinstance(one, Told) for one in found):
                break


def _rules_for(text: str) -> list[tuple[FactRule, re.Pattern[str]]]:
    """The rules that may match, with their patterns: those of whose marks one stands in the text."""
    mask = ZH.mask(text) >> _FIRST & _EVERY
    if not mask:
        return []
    return [
        (rule, rule.pattern())
        for rule in (FACT_RULES[at] for at in places(mask))
        if not rule.marks or any(mark in text for mark in rule.marks)
    ]


_FIRST: Final = ZH.enter([partial(Source, rule.said) for rule in FACT_RULES], [rule.marks for rule in FACT_RULES])
_EVERY: Final = (1 << len(FACT_RULES)) - 1


def _again(one: Told, told: list[Told]) -> bool:
    """Whether the clause tells the same already: what is read first is read best."""
    return any(other.k == one.k and (other.v == one.v or str(one.v) in str(other.v)) for other in told)


def _told(view: View, index: int, rule: FactRule, match: re.Match[str]) -> Iterator[Told | Hit]:
    clause = view.clauses[index]
    who = USER if rule.mine else _subject(view, index, rule, match.start())
    if rule.name == "health_part" and _lately.search(view.text):
        return
    if rule.k == "name" and index and _of_a_thing().search(view.clauses[index - 1].text):
        return
    if who is None and not rule.closes and _worth(rule, view, clause, match):
        reason = stopped(view, index, match.start(), match.end(), "profile")
        if reason:
            yield looked_like("profile", rule.name, clause.span, reason)
    if who is None or who == NOBODY or (rule.user_only and who != USER) or (rule.others and who == USER):
        return
    values: list[str | None] = [None]
    if rule.closes and rule.fits and not fitting(rule, view.words(clause, match)):
        return
    if rule.k == "marital" and "结婚" in match[0] and dated.search(clause.text):
        return  # a wedding with a day is an event
    if not rule.closes:
        values = [v for v in parts_of(rule, view.words(clause, match)) if fitting(rule, v) and not unsaid(v)]
        if not values:
            return
    kind = "closing" if rule.closes else "nickname" if rule.mine else "profile"
    reason = stopped(view, index, match.start(), match.end(), kind)
    if reason:
        yield looked_like("profile", rule.name, clause.span, reason)
        return
    for value in values:
        yield Told(who, rule.k, value, rule.name, clause.span)


@cache
def _of_a_thing() -> re.Pattern[str]:
    """ "学了一首老歌, 叫做晚风": what was counted just before is what the name belongs to."""
    return re.compile(r"[一两这那新][道首部本篇款种座幅支场](?!名)[^,我]*$")


def _worth(rule: FactRule, view: View, clause: Clause, match: re.Match[str]) -> bool:
    """Whether the value itself would do, so that only what stands around it speaks against it."""
    return any(fitting(rule, v) and not unsaid(v) for v in parts_of(rule, view.words(clause, match)) if v)


def _subject(view: View, index: int, rule: FactRule, pos: int) -> Who | None:
    who = subject(view, index, pos, bare=rule.bare)
    if who is None and rule.placed:
        place = _place().search(view.clauses[index].text[:pos])
        if place is not None:
            return subject(view, index, place.start(), bare=rule.bare)
    return who


def _as_hits(told: list[Told]) -> Iterator[Hit]:
    """Facts under their subjects; a relative whose name is given beside other facts goes by the name."""
    told = list(_of_pets(_without_ended(told)))
    known = {(one.who.relation, one.who.name) for one in told if one.who.name}
    told = [one for one in told if one.k != "name" or (one.who.relation, one.v) not in known]
    renamed = dict(_named_relatives(told))
    related: set[str] = set()
    for one in told:
        who = renamed.get(one.who.key, one.who)
        if who is not one.who and one.k == "name":
            continue
        if who.name and who.relation and who.key not in related:
            related.add(who.key)
            yield fact("relation", one.span, k="relation", v=who.relation, subject=who.key)
        yield fact(one.rule, one.span, k=one.k, v=one.v, subject=who.key)


def _without_ended(told: list[Told]) -> list[Told]:
    """If the new value is said too, only the new value counts."""
    new = {(one.who.key, one.k) for one in told if one.v is not None}
    return [one for one in told if one.v is not None or (one.who.key, one.k) not in new]


def _of_pets(told: list[Told]) -> Iterator[Told]:
    """A name behind a pet is the pet's, and says more than its kind."""
    for at, one in enumerate(told):
        following = told[at + 1] if at + 1 < len(told) else None
        if one.k == "pet" and following is not None and following.k == "name" and following.who == one.who:
            continue
        if one.k == "age" and at and told[at - 1].k == "pet" and told[at - 1].span != one.span:
            continue
        if one.k == "name" and at and told[at - 1].k == "pet" and told[at - 1].who == one.who:
            yield Told(one.who, "pet", one.v, one.rule, one.span)
        else:
            yield one


def _named_relatives(told: list[Told]) -> Iterator[tuple[str, Who]]:
    for one in told:
        if one.k == "name" and one.v and one.who.relation and not one.who.name:
            others = [other for other in told if other.who.key == one.who.key and other.k != "name"]
            if others:
                yield one.who.key, Who(named_key(one.v), one.who.relation, one.v)


@ZH.sifted
def _lately() -> re.Pattern[str]:
    return re.compile("最近|这几天|这两天|今天|昨晚|这阵子|这段时间")


@cache
def _place() -> re.Pattern[str]:
    return re.compile(r"(?:在|喺)[^,在喺]{1,14}$")
