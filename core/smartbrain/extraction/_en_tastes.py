"""English likes and dislikes: "I love X", "can't stand X", "X over Y"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_objects import lasting, objects, plain_object
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_slots import Slot, slot_exactly, slot_in
from smartbrain.extraction._en_wish_words import FEW, Polarity, any_more, lasting_marker, prefers, slotted, than
from smartbrain.extraction._en_words import LANGUAGES
from smartbrain.extraction.hits import Hit, looked_like, preference
from smartbrain.extraction.keys import part


def taste(clause: Clause) -> Iterator[Hit]:
    match = _taste_verb.match(clause.text)
    if not match:
        return
    alone = match["hate"] is None and match["like"] is None
    if (
        alone
        and not _turns(clause, bool(match["bare"]))
        and not all(_bare_taste().match(other.strip()) or len(other.split()) <= 2 for other in clause.earlier)
    ):
        return
    polarity: Polarity = "dislike" if match["hate"] or match["bare"] else "like"
    once = _once_felt().fullmatch(clause.earlier[-1].strip()) if clause.earlier else None
    if once and _just_it().match(clause.text[match.end() :]):
        yield from _felt_otherwise(clause, once["thing"], polarity)
        return
    yield from of_objects(clause, "taste", match.end(), polarity)


def _felt_otherwise(clause: Clause, thing: str, polarity: Polarity) -> Iterator[Hit]:
    """ "I used to love techno, now I can't stand it": the thing stands in the clause before."""
    said = plain_object(thing)
    if part(said) and lasting(said) and not guards.stopped(clause):
        whole = clause.span(0, len(clause.text))
        yield preference("taste", whole, scope="other", name=part(said), value=said, polarity=polarity)


def _turns(clause: Clause, hates: bool) -> bool:
    """ "I hate running but love rowing": the clause before feels the other way, so the "I" is the same."""
    before = _taste_verb().match(clause.earlier[-1].strip()) if clause.earlier else None
    return before is not None and bool(before["hate"]) != hates


def over_another(clause: Clause) -> Iterator[Hit]:
    """ "Gin over whisky, every time", "No mushrooms for me, ever"."""
    beside = [other for other in (*clause.earlier[-1:], *clause.later[:1]) if len(other.split()) <= FEW]
    match = _x_over_y.fullmatch(clause.text)
    if match is None or not any(
        lasting_marker().search(other) or _any_day().search(other) for other in (*beside, clause.text)
    ):
        return
    whole = clause.span(0, len(clause.text))
    said = plain_object(match["x"] or match["no"] or match["tea"])
    polarity: Polarity = "dislike" if match["no"] else "like"
    # "I'd take tea over coffee" is no wish against fact.
    reason = guards.stopped(clause)
    reason = "" if match["tea"] and reason == "hypothesis" else reason
    if part(said) and lasting(said) and not reason:
        yield preference("over_another", whole, scope="other", name=part(said), value=said, polarity=polarity)


def of_objects(clause: Clause, rule: str, at: int, polarity: Polarity) -> Iterator[Hit]:
    text = clause.text[at:]
    reason = guards.stopped(clause, at) or ("irony" if guards.mocks(clause) else "")
    whole = clause.span(0, len(clause.text))
    if reason:
        yield looked_like("preferences", rule, whole, reason)
        return
    compared = than().search(text)
    if compared and (compared["to"] is None or prefers().search(clause.text[:at])):
        text = text[: compared.start()]
    ended = any_more().search(text)
    if ended:
        text = text[: ended.start()]
    if compared and text.lower().startswith("the "):
        at, text = at + len("the "), text[len("the ") :]  # "the bus to the train": no single bus is meant
    yield from chosen(clause, rule, at, text, polarity)


def chosen(clause: Clause, rule: str, at: int, text: str, polarity: Polarity) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    slot = slot_exactly(text) or _wished_slot(text)
    if slot is None and rule == "liked_again" and _is_language().fullmatch(text.strip()):
        slot = Slot("writing", "language", 0, len(text))
    if slot and not guards.for_once(text):
        yield slotted(rule, whole, slot, text[slot.start : slot.end], polarity)
        return
    things = objects(text)
    first = text[slice(*things[0])] if things else ""
    if things and not lasting(plain_object(first)):
        yield looked_like("preferences", rule, whole, "no lasting object")
        return
    for start, end in things:
        said = plain_object(clause.sentence.text[slice(*clause.span(at + start, at + end))])
        name = part(said)
        if not name or not lasting(said):
            yield looked_like("preferences", rule, whole, "no lasting object")
        else:
            yield preference(rule, whole, scope="other", name=name, value=said, polarity=polarity)


def _wished_slot(text: str) -> Slot | None:
    """A slot inside what is preferred, where the words are about answers: "my answers short"."""
    return slot_in(text, answers=True) if _about_answers().search(text) else None


_ADVERBS = (
    r"(?:(?:really|truly|absolutely|just|do|always|still|generally|usually|personally|"
    r"actually|much|definitely|also|honestly|quite|so|rather|kinda|both|totally|simply|"
    r"genuinely|secretly|particularly|especially|strongly|mostly|tend to|even|now|only|"
    r"very much)\s+)*"
)


@EN.sifted
def _taste_verb() -> re.Pattern[str]:
    like = (
        r"like|love|loved it when you|adore|dig|enjoy|prefer|fancy|am (?:really |very )?fond of|"
        r"'?m (?:really |very |super |so |totally )?(?:into|fond of|partial to|keen on|obsessed "
        r"with|crazy about|mad about)"
    )
    like += (
        r"|'?m a (?:(?:big|huge|massive|real|great|die-?hard) )?(?:fan of|lover of|sucker "
        r"for)|(?:have|'ve got|have got|got) (?:a thing|a soft spot|a weakness) for|have a sweet tooth for|swear by|"
        r"can't get enough of|live for|'ve always (?:loved|liked|preferred|enjoyed)|have always "
        r"(?:loved|liked|preferred|enjoyed)|'ve come to (?:love|like)|'ve grown to (?:love|"
        r"like)"
    )
    hate = (
        r"hate|dislike|detest|despise|loathe|(?:can't|cannot|cant) (?:stand|bear(?! to\b)|"
        r"abide)|(?:don't|do not|dont|didn't ever|never) (?:really |actually "
        r"|much |particularly )?(?:like|enjoy|care for|love|fancy)|'?m not (?:really |too "
        r"|very |so |much )?(?:a (?:big |huge |great )?(?:fan of|lover of)|into|keen on|fond "
        r"of|crazy about|big on)|am not (?:a (?:big )?fan of|into|keen on|fond of)|'ve always "
        r"hated|have always hated|(?:have )?never (?:really |much )?(?:liked|enjoyed|cared for)|'?m no fan of|"
        r"(?:'ve|have) never been (?:a (?:big )?fan of|(?:really )?(?:into|keen on))|'ve never (?:liked|"
        r"enjoyed)|have never liked|(?:'ve|have) never been able to stand|could never "
        r"(?:stand|get into|stomach|abide|bear)|(?:'ve|have) never got on with|can't be doing with|couldn't stand|"
        r"can't stomach|'?m no (?:great )?lover of|loathed"
    )
    bare = (
        r"(?:(?:am )?not (?:really |exactly |much of )?a (?:big |huge |great )?fan of|hate|"
        r"can't stand|cannot stand|never liked|never (?:could|got to) (?:stand|stomach|abide|bear|like)|"
        r"can't be doing with|"
        r"can't abide|not (?:really |all that |that |much )?(?:into|keen on|big on))"
    )
    fond = (
        r"(?:(?:a )?(?:big|huge|massive|lifelong|total) fan of|(?:absolutely |really |just "
        r")?(?:love|adore|loving)(?=\s+\w+(?:\s+\w+){0,3}\s*$))"
    )
    return re.compile(
        rf"(?:(?:i|we|my \w+(?: and \w+)? and i)\s*{_ADVERBS}(?:(?P<hate>{hate})|(?P<like>{like}))|"
        rf"(?P<bare>{bare})|{fond}|can't get enough of)\s+",
        re.IGNORECASE,
    )


@cache
def _once_felt() -> re.Pattern[str]:
    return re.compile(
        r"(?:i )?used to (?:really |absolutely )?(?:love|like|enjoy|adore|hate|dislike|detest|loathe) "
        r"(?P<thing>[\w' -]{2,40})",
        re.IGNORECASE,
    )


@cache
def _just_it() -> re.Pattern[str]:
    return re.compile(r"(?:it|them)(?: now| these days| anymore| so much)*$", re.IGNORECASE)


@cache
def _bare_taste() -> re.Pattern[str]:
    return re.compile(r"(?:not |big |huge |love|hate|can't stand|adore|loving)", re.IGNORECASE)


@cache
def _about_answers() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|explained|summar(?:y|ies)|emails|"
        r"drafts|code|output|instructions|docs|documentation|texts?|messages|chats?|conversations?"
        r"|times|dates|prices|temperatures|distances|measurements|recipes|meetings?|seats?|"
        r"you (?:to|use|write|give|keep|put|show|answer|explain))\b",
        re.IGNORECASE,
    )


@cache
def _is_language() -> re.Pattern[str]:
    return re.compile(LANGUAGES, re.IGNORECASE)


@EN.sifted
def _x_over_y() -> re.Pattern[str]:
    word = r"(?!(?:i|we|you|he|she|it|they|that|this|what)\b)[\w'-]+"
    return re.compile(
        rf"(?P<x>{word}(?: {word}){{0,2}}) (?:over|>|beats) (?:{word}(?: {word}){{0,2}})(?: (?:any day|"
        rf"every time|always))?|no (?P<no>{word}(?: {word})?) for me|(?:i'd|i would|i'll) (?:always )?(?:take|"
        rf"pick|choose|have) "
        rf"(?P<tea>{word}(?: {word}){{0,2}}) over .{{2,30}}",
        re.IGNORECASE,
    )


@cache
def _any_day() -> re.Pattern[str]:
    return re.compile(r"\bany (?:day|time)\b|\bevery time\b|\bever\b", re.IGNORECASE)
