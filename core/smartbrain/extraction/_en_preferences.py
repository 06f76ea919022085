"""English preferences: standing wishes about answers, likes and dislikes, habits with tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Literal

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_objects import lasting, objects, plain_object
from smartbrain.extraction._en_slots import Slot, slot_exactly, slot_in
from smartbrain.extraction._en_words import LANGUAGES
from smartbrain.extraction.hits import FIRM, Hit, looked_like, preference
from smartbrain.extraction.keys import part

Polarity = Literal["like", "dislike"]


def find(clause: Clause) -> Iterator[Hit]:
    """The preferences of one clause; at most one rule fires."""
    for rule in (
        _forgotten,
        _contact,
        _meeting_time,
        _taste,
        _gone_off,
        _back_again,
        _favourite,
        _habit,
        _standing,
        _instruction,
        _over_another,
    ):
        hits = list(rule(clause))
        if hits:
            yield from hits
            return


# --- likes and dislikes ------------------------------------------------------------------------------------------


def _taste(clause: Clause) -> Iterator[Hit]:
    match = _taste_verb().match(clause.text)
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
    yield from _of_objects(clause, "taste", match.end(), polarity)


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


def _meeting_time(clause: Clause) -> Iterator[Hit]:
    match = _best_for_meetings().match(clause.text)
    booked = None if match else _book_me().match(clause.text)
    match = match or booked
    if match and not guards.stopped(clause):
        whole = clause.span(0, len(clause.text))
        polarity: Polarity = "dislike" if booked and booked["not"] else "like"
        yield preference("meeting_time", whole, scope="other", name="meeting_time", value=match["v"], polarity=polarity)


def _over_another(clause: Clause) -> Iterator[Hit]:
    """ "Gin over whisky, every time", "No mushrooms for me, ever"."""
    beside = [other for other in (*clause.earlier[-1:], *clause.later[:1]) if len(other.split()) <= _FEW]
    match = _x_over_y().fullmatch(clause.text)
    if match is None or not any(
        _marker().search(other) or _any_day().search(other) for other in (*beside, clause.text)
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


def _of_objects(clause: Clause, rule: str, at: int, polarity: Polarity) -> Iterator[Hit]:
    text = clause.text[at:]
    reason = guards.stopped(clause, at)
    whole = clause.span(0, len(clause.text))
    if reason:
        yield looked_like("preferences", rule, whole, reason)
        return
    compared = _than().search(text)
    if compared and (compared["to"] is None or _prefers().search(clause.text[:at])):
        text = text[: compared.start()]
    ended = _any_more().search(text)
    if ended:
        text = text[: ended.start()]
    if compared and text.lower().startswith("the "):
        at, text = at + len("the "), text[len("the ") :]  # "the bus to the train": no single bus is meant
    yield from _chosen(clause, rule, at, text, polarity)


def _chosen(clause: Clause, rule: str, at: int, text: str, polarity: Polarity) -> Iterator[Hit]:
    whole = clause.span(0, len(clause.text))
    slot = slot_exactly(text) or _wished_slot(text)
    if slot is None and rule == "liked_again" and _is_language().fullmatch(text.strip()):
        slot = Slot("writing", "language", 0, len(text))
    if slot and not guards.for_once(text):
        yield _slotted(rule, whole, slot, text[slot.start : slot.end], polarity)
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


def _gone_off(clause: Clause) -> Iterator[Hit]:
    match = _went_off().match(clause.text)
    if match:
        yield from _of_objects(clause, "no_longer_liked", match.end(), "dislike")


def _back_again(clause: Clause) -> Iterator[Hit]:
    match = _mind_no_more().match(clause.text)
    if match:
        yield from _of_objects(clause, "liked_again", match.end(), "like")
        return
    other = _not_my_thing().match(clause.text)
    if other and _negated().search(other[0]) and not guards.stopped(clause):
        yield from _chosen(clause, "not_my_thing", 0, clause.text[: other.end("thing")], "dislike")
        return
    fine = _fine_again().match(clause.text)
    if fine and not guards.stopped(clause):
        said = clause.text[: fine.end("thing")]
        yield from _chosen(clause, "liked_again", 0, said, "like")


def _favourite(clause: Clause) -> Iterator[Hit]:
    match = _favourite_is().match(clause.text)
    if match:
        yield from _of_objects(clause, "favourite", match.end(), "like")
        return
    other = _is_favourite().fullmatch(clause.text)
    if other and not guards.stopped(clause):
        yield from _chosen(clause, "favourite", 0, clause.text[: other.end("thing")], "like")
        return
    labelled = clause.whole[: clause.start].rstrip().endswith(":")
    if labelled and clause.earlier and _labels_favourite().fullmatch(clause.earlier[-1].strip()):
        yield from _of_objects(clause, "favourite", 0, "like")


def _forgotten(clause: Clause) -> Iterator[Hit]:
    match = _no_care().match(clause.text) or _forget_about().match(clause.text) or _need_not().match(clause.text)
    if not match:
        return
    whole = clause.span(0, len(clause.text))
    text = clause.text[match.end() :]
    ended = _any_more().search(text)
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


# --- habits ------------------------------------------------------------------------------------------------------


def _habit(clause: Clause) -> Iterator[Hit]:
    match = _habit_verb().match(clause.text) or _my_tool().match(clause.text)
    if not match:
        yield from _turned_round(clause)
        return
    text = clause.text[match.end() :]
    slot = slot_exactly(text)
    if match.re is _my_tool() and slot and slot.scope != "tools":
        slot = None
    named = _as_tool().match(text)
    whole = clause.span(0, len(clause.text))
    if slot is None and named:
        slot = Slot("tools", _TOOL_SLOT[named["kind"].lower()], named.start("tool"), named.end("tool"))
    if slot is None or slot.scope not in ("tools", "coding", "other"):
        return
    if match[0].rstrip().lower().endswith("write") and (slot.scope, slot.name) != ("coding", "language"):
        return  # "I write poetry"
    reason = guards.stopped(clause) or ("only for now" if guards.for_once(text) or _passing().search(text) else "")
    if reason:
        yield looked_like("preferences", "habit", whole, reason)
        return
    polarity: Polarity = "dislike" if match.groupdict().get("never") else "like"
    yield _slotted("habit", whole, slot, text[slot.start : slot.end], polarity)


def _turned_round(clause: Clause) -> Iterator[Hit]:
    """ "zsh is my shell", "Google Maps is what I use for directions", "my calendar lives in Fastmail"."""
    match = _is_my_tool().fullmatch(clause.text) or _lives_in().fullmatch(clause.text)
    if not match:
        return
    groups = match.groupdict()
    at, end = match.span("tool")
    slot = slot_exactly(clause.text[at:end])
    kind = _TOOL_SLOT.get(str(groups.get("kind") or "").lower())
    if slot is None and kind is None:
        return
    whole = clause.span(0, len(clause.text))
    reason = guards.stopped(clause)
    if reason:
        yield looked_like("preferences", "habit", whole, reason)
        return
    found = Slot("tools", kind, at, end) if kind else slot
    if found is not None and found.scope in ("tools", "coding"):
        yield _slotted("habit", whole, found, clause.sentence.text[slice(*clause.span(at, end))], "like")


def _contact(clause: Clause) -> Iterator[Hit]:
    reached = _reached_by().match(clause.text)
    if reached:
        way = next(filter(None, reached.groups()))
        reason = guards.stopped(clause)
        if not guards.for_once(clause.whole) and reason in ("", "hypothesis"):
            whole = clause.span(0, len(clause.text))
            yield preference("contact", whole, scope="other", name="contact", value=way, polarity="like")
        return
    match = _contact_way().match(clause.text)
    if not match:
        return
    whole = clause.span(0, len(clause.text))
    refused = match["not"] or ""
    beside = [other.strip() for other in (*clause.later[:1], *clause.earlier[-1:])]
    standing = _marker().search(clause.whole) or any(_never_call().match(other) for other in beside) or match["over"]
    if not standing or guards.for_once(clause.whole) or guards.stopped(clause):
        if not refused:
            return
        if not (_marker().search(clause.whole) or any(_contact_way().match(other) for other in beside)):
            return
    if refused and any(_contact_way().match(other) and not _never_call().match(other) for other in beside):
        return  # "don't call, text me": the other clause says what is wanted
    yield preference(
        "contact",
        whole,
        scope="other",
        name="contact",
        value=match["way"],
        polarity="dislike" if refused else "like",
        confidence=FIRM,
    )


# --- standing wishes ---------------------------------------------------------------------------------------------


def _standing(clause: Clause) -> Iterator[Hit]:
    """A wish with "from now on", "always", "by default": the slot may stand before or after the words that say so."""
    if _in_contrast().match(clause.text) and clause.earlier:
        return  # "tabs, not spaces, always": the clause before says what is wanted
    beside = [other for other in (*clause.earlier[-1:], *clause.later[:2]) if len(other.split()) <= _FEW]
    marker = _marker().search(clause.text) or any(_marker().search(other) for other in beside)
    if not marker or _a_piece().search(clause.text) or not (_wish().match(clause.text) or _verbless(clause)):
        return
    yield from _about_slot(clause, "standing_wish", question_allowed=True)


def _instruction(clause: Clause) -> Iterator[Hit]:
    """A bare instruction about how to answer: "Keep answers short.", "No emojis please.", "Light mode please"."""
    asked = _just_please().fullmatch(clause.text)
    slot = slot_exactly(asked["what"]) if asked else None
    contrasted = not clause.earlier and bool(clause.later) and _in_contrast().match(clause.later[0].strip())
    if contrasted and slot_exactly(clause.text) and len(clause.text.split()) <= _FEW:
        yield from _about_slot(clause, "instruction", question_allowed=False)
        return
    bare = slot is not None and (slot.scope in ("ui", "other") or slot.name in ("spelling", "emoji"))
    if not _bare_instruction().match(clause.text) and not bare:
        refused = slot_in(clause.text) if _never_again().match(clause.text) else None
        if refused is None or refused.scope not in ("writing", "coding", "ui") or refused.name in _CHOICES:
            return
    message = clause.sentence.message.text
    belongs = len(message) > _ONE_TASK or (clause.sentence.before and len(message) > _ONE_TASK // 2)
    if guards.for_once(clause.whole) or belongs:
        yield looked_like("preferences", "instruction", clause.span(0, len(clause.text)), "for one answer only")
        return
    yield from _about_slot(clause, "instruction", question_allowed=False)


def _about_slot(clause: Clause, rule: str, *, question_allowed: bool) -> Iterator[Hit]:
    text = clause.text
    whole = clause.span(0, len(text))
    compared = _than().search(text)
    if compared and compared["to"] and not _prefers().search(text[: compared.start()]):
        compared = None
    searched = text[: compared.start()] if compared else text
    slot = slot_in(searched, answers=True)
    if slot is None:
        return
    reason = guards.stopped(clause)
    if question_allowed and reason == "question" and _polite().match(text):
        reason = ""
    if reason == "hypothesis" and _polite().match(text):
        reason = ""
    if reason == "condition" and all(_whenever_you().match(other.strip()) for other in clause.earlier):
        reason = ""
    if not reason and guards.for_once(clause.whole):
        reason = "for one answer only"
    if not reason and _third_person().match(text):
        reason = "somebody else's wish"
    if reason:
        yield looked_like("preferences", rule, whole, reason)
        return
    refused = _refusal().search(text[: slot.start]) or _turned_off().match(text[slot.end :])
    polarity: Polarity = "dislike" if refused and not _not_but().search(text) else "like"
    yield _slotted(rule, whole, slot, searched[slot.start : slot.end], polarity, FIRM)


def _verbless(clause: Clause) -> bool:
    return len(clause.text.split()) <= 8 and not _has_verb().search(clause.text)


def _slotted(
    rule: str, span: tuple[int, int], slot: Slot, value: str, polarity: Polarity, confidence: float = 0.85
) -> Hit:
    return preference(
        rule, span, scope=slot.scope, name=slot.name, value=value, polarity=polarity, confidence=confidence
    )


# --- the words ---------------------------------------------------------------------------------------------------

# Slots that are chosen and not refused: "don't use Python" is about the task at hand.
_CHOICES = frozenset(("language", "framework", "database", "package_manager", "theme", "units", "currency"))
# In a message longer than this a bare instruction belongs to the task that the message sets.
_ONE_TASK = 200
# A clause of so many words may be all "from now on", said of the one beside it.
_FEW = 4
_ADVERBS = (
    r"(?:(?:really|truly|absolutely|just|do|always|still|generally|usually|personally|"
    r"actually|much|definitely|also|honestly|quite|so|rather|kinda|both|totally|simply|"
    r"genuinely|secretly|particularly|especially|strongly|mostly|tend to|even|now|only|"
    r"very much)\s+)*"
)
_TOOL_SLOT = {
    "editor": "editor",
    "ide": "editor",
    "browser": "browser",
    "shell": "shell",
    "terminal": "terminal",
    "search engine": "search",
    "notes app": "notes",
    "calendar": "calendar",
    "notes": "notes",
    "email": "email",
    "mail": "email",
    "email client": "email",
    "mail client": "email",
    "operating system": "os",
    "os": "os",
    "spreadsheet": "spreadsheet",
    "for notes": "notes",
    "for note-taking": "notes",
    "for navigation": "navigation",
    "for directions": "navigation",
    "for email": "email",
    "for spreadsheets": "spreadsheet",
    "for everything at the terminal": "terminal",
}


@cache
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
        r"hate|dislike|detest|despise|loathe|can't (?:stand|bear|abide)|cannot (?:stand|bear|"
        r"abide)|cant (?:stand|bear)|(?:don't|do not|dont|didn't ever|never) (?:really |actually "
        r"|much |particularly )?(?:like|enjoy|care for|love|fancy)|'?m not (?:really |too "
        r"|very |so |much )?(?:a (?:big |huge |great )?(?:fan of|lover of)|into|keen on|fond "
        r"of|crazy about|big on)|am not (?:a (?:big )?fan of|into|keen on|fond of)|'ve always "
        r"hated|have always hated|(?:have )?never (?:really |much )?(?:liked|enjoyed|cared for)|'?m no fan of|"
        r"(?:'ve|have) never been (?:a (?:big )?fan of|(?:really )?(?:into|keen on))|'ve never (?:liked|"
        r"enjoyed)|have never liked|(?:'ve|have) never been able to stand|could never "
        r"(?:stand|get into)"
    )
    bare = (
        r"(?:(?:am )?not (?:really |exactly |much of )?a (?:big |huge |great )?fan of|hate|"
        r"can't stand|cannot stand|never liked|not (?:really |all that |that |much )?(?:into|keen on|big on))"
    )
    fond = (
        r"(?:(?:a )?(?:big|huge|massive|lifelong|total) fan of|(?:absolutely |really |just "
        r")?(?:love|adore|loving)(?=\s+(?:\w+\s*){1,4}$))"
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
def _went_off() -> re.Pattern[str]:
    return re.compile(
        r"(?:\w+ (?:\w+ ){0,6}?)?(?:and )?(?:now )?i(?:'ve| have)?\s+(?:(?:no longer|don't "
        r"even)\s+(?:really\s+)?(?:like|love|enjoy|eat|drink)|(?:completely |totally |really "
        r")?(?:gone|went)(?: right| completely| totally| clean)? off|stopped (?:liking|enjoying)|grown "
        r"(?:tired|sick|weary) of|got tired of|"
        r"can't (?:stand|look at)|lost my taste for|grew out of|grown out of)\s+",
        re.IGNORECASE,
    )


@cache
def _mind_no_more() -> re.Pattern[str]:
    return re.compile(
        r"i(?:'ve| have|'m| am)?\s*(?:(?:don't|do not|no longer) mind(?=.*\b(?:any\s?more|"
        r"now|these days)\b)|(?:actually )?(?:came|come) (?:a)?round to|warmed (?:up )?to|"
        r"(?:finally )?learned to like|starting to like|started to like|started liking|fine "
        r"with(?=.*\bagain\b))\s+",
        re.IGNORECASE,
    )


@cache
def _not_my_thing() -> re.Pattern[str]:
    return re.compile(
        r"(?P<thing>(?!(?:it|that|this|they|he|she|you|these|those)\b)[\w' -]{2,40}?) (?:is|"
        r"are|isn't|aren't) (?:just |really |so )?(?:not )?(?:my (?:thing|cup of tea|jam)|"
        r"for me)\b(?! to)",
        re.IGNORECASE,
    )


@cache
def _fine_again() -> re.Pattern[str]:
    return re.compile(
        r"(?P<thing>[\w' -]{2,40}?) (?:is|are) (?:fine|ok|okay|good|back on the menu) (?:with "
        r"me )?again\b",
        re.IGNORECASE,
    )


@cache
def _negated() -> re.Pattern[str]:
    return re.compile(r"\bnot\b|n't\b", re.IGNORECASE)


@cache
def _favourite_is() -> re.Pattern[str]:
    return re.compile(
        r"my (?:all[- ]time |absolute )?(?:favou?rite|fave|go-?to) (?!one\b|part\b|thing\b|"
        r"bit\b|line\b|scene\b|character\b|moment\b|aspect|section|version|option|memory|memories|"
        r"idea|piece\b|kind\b)[\w -]{2,30}?(?:'s| is| are| has always been| will always be)\s+",
        re.IGNORECASE,
    )


@cache
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


@cache
def _no_care() -> re.Pattern[str]:
    return re.compile(
        r"i (?:don't|do not|no longer) (?:really )?care (?:about|whether (?:it's|you use))\s+", re.IGNORECASE
    )


@cache
def _forget_about() -> re.Pattern[str]:
    return re.compile(
        r"(?:please |you can )?(?:forget|ignore|disregard|drop|scrap|i take back|take back)\s+(?:what "
        r"i (?:said|told you) about|my (?:preference|rule|wish|request) (?:for|about)|that "
        r"thing about|the (?:rule|thing|bit) about)\s+",
        re.IGNORECASE,
    )


@cache
def _any_more() -> re.Pattern[str]:
    return re.compile(r"\s+(?:any\s?more|any longer|these days|nowadays|at all|either|again)\b.*$", re.IGNORECASE)


@cache
def _than() -> re.Pattern[str]:
    return re.compile(
        r"\s+(?:(?P<to>to)(?=\s+\w)|over|rather than|instead of|more than|better than|than|"
        r"not)\s+",
        re.IGNORECASE,
    )


@cache
def _prefers() -> re.Pattern[str]:
    return re.compile(r"\bprefer", re.IGNORECASE)


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
def _habit_verb() -> re.Pattern[str]:
    return re.compile(
        r"(?:i|we(?= (?:both|all)))\s*(?:(?:always|usually|mostly|mainly|exclusively|only|"
        r"still|now|generally|typically|primarily|normally|just|do|(?P<never>never|don't|do "
        r"not))\s+)*"
        r"(?:use|run(?= )|code in|write(?: everything| all my code| my code| code)? in|write(?= "
        r")|program in|develop in|do (?:all )?my (?:email|mail|calendar|notes|banking|spreadsheets|"
        r"browsing|coding|writing|shopping) (?:in|with|on)|search with|browse with|work in(?= "
        r"(?:vim|emacs|vs|neo|helix|python|go|rust|java|c))|indent with|stick (?:to|with)|"
        r"'m (?:on|an?)(?= )|switched to|'ve switched to|have switched to|moved to(?= (?:vim|"
        r"neo|vs|emacs|helix|linux|firefox|chrome|brave|obsidian|notion))|pay with|(?:ever )?pay (?=cash|by "
        r"card|in cash)|navigate "
        r"with|take notes (?:in|with)|format (?:my )?(?:code )?with|test with|deploy (?:to|"
        r"on)|host (?:everything )?on|sit (?=by|at|near)|(?:only |always |never )?(?:take|"
        r"have|do|schedule) (?=(?:meetings|calls|appointments))|take (?=the (?:window|aisle)|"
        r"an? (?:window|aisle))|go for (?=(?:the|an?) (?:window|aisle))|book (?=the (?:window|aisle)|an? "
        r"(?:window|aisle))|book )\s*",
        re.IGNORECASE,
    )


@cache
def _my_tool() -> re.Pattern[str]:
    kinds = "|".join(kind for kind in _TOOL_SLOT if not kind.startswith("for "))
    return re.compile(
        rf"(?:my (?:main |default |daily |preferred |usual |go-to )?(?:{kinds}|ide|setup|machine|"
        rf"laptop)(?: of choice)?(?:'s| is| runs| has always been)"
        r"|(?:i|we) (?:keep|take|write|store|do|run|track) (?:(?:all )?(?:my|our) (?:notes|lists|journal|"
        r"accounts|books|budgets?)|everything|all "
        r"of it) (?:in|on)|(?:i(?:'ve| have) )?been an?(?=\s[\w .+#]{1,20}? (?:user|person|guy|girl)\b)|"
        r"i(?:'ve| have) (?:always )?been (?:on|using)|i(?:'ve| have) used(?=\s.{2,24}\bfor (?:\w+ )?years\b)|"
        r"we(?:'re| are) an?(?=\s[\w .+#]{1,20}? (?:shop|house)\b)|it's(?=\s[\w .+#]{1,20}? for me\b)|"
        r"(?:i |i've |we |we've )?(?:moved|switched) everything (?:over )?to|i(?:'ve| have) always been "
        r"an?(?=\s[\w .+#]{1,20}? (?:user|person|guy|girl|fan)\b)|(?:i'm|i am) (?:still )?an?(?: "
        r"long-?time| lifelong| die-?hard)?(?=\s[\w .+#]{1,20}? (?:user|person|guy|girl|fan)\b)"
        r"|all my (?:notes|code|servers|machines|computers|laptops) (?:are|live|is|run)(?: in| on)?)\s+",
        re.IGNORECASE,
    )


@cache
def _as_tool() -> re.Pattern[str]:
    kinds = "|".join(kind for kind in _TOOL_SLOT if not kind.startswith("for "))
    uses = "|".join(kind for kind in _TOOL_SLOT if kind.startswith("for "))
    return re.compile(
        rf"(?P<tool>[\w.+#-]{{2,20}}(?: [\w.+#-]{{2,20}})?) (?:as my (?:main |default |daily "
        rf")?)?(?P<kind>{kinds}|{uses})\b",
        re.IGNORECASE,
    )


@cache
def _passing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:today|right now|tonight|this (?:week|morning|month)|at the moment|for (?:a|"
        r"this|my|the) \w+|temporarily|at work|until|to (?:\w+) (?:this|the))\b",
        re.IGNORECASE,
    )


@cache
def _contact_way() -> re.Pattern[str]:
    return re.compile(
        r"(?:please |just |always |only |it's (?:best|better) to |better |best to )*(?P<not>(?:don't|"
        r"do not|never|stop) )?(?P<way>text|call|phone|ring|email|e-mail|message|whatsapp|"
        r"signal|dm|ping|slack|calling|texting|emailing)(?:ing)?(?: me\b| (?=only|please|instead)|"
        r"(?=$))"
        r"(?P<over>,? (?:rather than|instead of|don't|not|over) (?:call|phon|text|email|ring|"
        r"messag)\w*)?(?! (?:if|when|crazy|old|back|later|tomorrow|tonight|about|on \w+day|"
        r"by|the|a|an|as soon|once|that|what|how|why|at (?:\d|noon)))",
        re.IGNORECASE,
    )


@cache
def _reached_by() -> re.Pattern[str]:
    """ "I'd rather be texted than called", "best to reach me by WhatsApp", "email's best for me"."""
    means = r"e-?mail|whatsapp|signal|text|sms|telegram|phone|slack|letter|post"
    return re.compile(
        r"(?:i (?:much )?prefer|i'd (?:much )?(?:rather|prefer)|i would (?:much )?(?:rather|prefer)) "
        r"(?:(?:to )?be(?:ing)? |"
        r"getting |to get )?(texted|texts|e-?mailed|e-?mails|messaged|phoned|called|phone calls|letters)\b"
        r"(?=$| (?:than|over|rather than|to|instead of|not|and not)\b)"
        rf"|(?:it's )?(?:the )?(?:best|easiest|quickest)(?: way)? (?:to|is to) (?:reach|contact|get(?: hold "
        rf"of)?) me (?:is )?"
        rf"(?:by|via|on|through) ({means})\b|({means}|texts)(?:'s| is| works?) (?:always |usually )?(?:best|easiest) "
        r"for me\b",
        re.IGNORECASE,
    )


@cache
def _is_my_tool() -> re.Pattern[str]:
    kinds = "|".join(kind for kind in _TOOL_SLOT if not kind.startswith("for "))
    return re.compile(
        rf"(?P<tool>[\w.+#-]{{2,20}}(?: [\w.+#-]{{2,20}})?) (?:is|has always been) (?:my (?:main |default |"
        rf"daily |go-to )?"
        rf"(?P<kind>{kinds})|what i (?:always )?use(?: for [\w ]{{3,30}})?)(?: of choice| for everything)?",
        re.IGNORECASE,
    )


@cache
def _lives_in() -> re.Pattern[str]:
    return re.compile(
        r"(?:all )?(?:my|our) (?P<kind>notes|calendar|email|mail)(?: all)? (?:lives?|goes?|is|are|sits?) "
        r"(?:in|on|into) "
        r"(?P<tool>(?-i:[A-Z])[\w.+-]*(?: (?-i:[A-Z])[\w.+-]*)?)(?: these days| now)?",
        re.IGNORECASE,
    )


@cache
def _never_call() -> re.Pattern[str]:
    return re.compile(
        r"(?:and |please )?(?:don't|do not|never|no) (?:call|phone|ring|text|email|message)s?\b", re.IGNORECASE
    )


@cache
def _marker() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:from now on|from here on(?: out| in)?|from today(?: on)?|going forward|moving "
        r"forward|by default|in (?:the )?future|always|never|every (?:time|single time|answer|"
        r"reply|response|summary|email|message|claim|statement|answer|fact|snippet|function|class|script|"
        r"commit message|draft|"
        r"recipe)|in everything|only ever"
        r"|for all (?:future|my)|henceforth|as a rule|permanently|all the time|for good|at "
        r"all times|in general|each time|any ?time|all (?:our|my|your|future)|whenever|as "
        r"standard|ever again|everywhere|until i say otherwise|for everything|in all|as a "
        r"default|the default|ever$)\b",
        re.IGNORECASE,
    )


@cache
def _wish() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:please|just|then|also|so|i've decided that|i have decided that|from now on|"
        r"from here on(?: out)?|going forward|by default|in future|always|never|as a rule|"
        r"kindly|everything|all)[\s,]+)*"
        r"(?:(?:i (?:always |never |only |really |just )*(?:want|need|expect|prefer|like|use|"
        r"write|indent|sit|take|book|format)|i'd (?:like|prefer|rather|want)|i would (?:like|"
        r"prefer)|can (?:we|you|i)|could (?:we|you)|will you|would you|let's|we(?:'ll| will)? "
        r"(?:only|always|never)"
        r"|don't|do not|stop|no|quit|avoid|never|always|please|keep|give|use|answer|reply|"
        r"respond|write|show|speak|talk|make|put|set|switch|display|explain|format|include|add|back|skip|"
        r"leave|drop|be|cite|start|end|send|call|address|provide|quote|round|convert|"
        r"stick|list|sign|turn|mute|default|assume|treat|limit|translate|spell|indent|name|"
        r"comment|generate|summari[sz]e|lead|begin|open|mind|remember to|you (?:should|can|"
        r"must)|your (?:answers|replies|responses)|answers|replies|responses|the answers|all "
        r"(?:answers|replies|my)|everything|code|times|dates|prices)\b)",
        re.IGNORECASE,
    )


@cache
def _bare_instruction() -> re.Pattern[str]:
    about = (
        r"(?:(?:your|the|all|my|any) )?(?:answers?|repl(?:y|ies)|responses?|explanations?|"
        r"summar(?:y|ies)|messages|it|things|everything|emails|drafts|sentences)"
    )
    return re.compile(
        rf"(?:(?:please|just|also|and|only|could you|can you|pls|kindly|you can|feel free to)\s+)*(?:keep "
        rf"{about}|(?:answers|replies|responses) in|(?:(?:answer|reply|respond|write back|talk|speak|chat)(?: "
        rf"(?:to me|me|back|"
        rf"with me))?|(?:write|text) (?:to )?me)(?: only)? (?:in|with)\b|switch to [\w ]{{3,"
        rf"20}} for (?:all|your|the|our)\b|i (?:don't|do not) (?:want|need|like) (?:any |your "
        rf"|to see )*[\w ]{{3,24}} in (?:your|the|my) (?:answers|replies|responses|messages|"
        rf"code)|(?:you )?(?:should )?address me|treat me|make (?:your|the|all|my) (?:answers?|"
        rf"repl(?:y|ies)|responses?|explanations?)|be (?:more |less )?(?:brief|concise|blunt|"
        rf"direct|short|formal|informal|casual)"
        r"|explain (?:things|everything|stuff)|give me (?:short|brief|concise|detailed|the "
        r"(?:short|conclusion|answer|bottom line)|step)|no (?:more )?(?:emojis?|bullet|tables?|"
        r"jargon|flattery|small ?talk|fluff|filler|markdown|buzzwords|disclaimers|pleasantries|"
        r"sugar-?coat\w*|compliments|apologies|niceties|headings|semi-?colons|comments|tabs|docstrings|"
        r"exclamation|passive)"
        r"|(?:skip|drop|lose|cut|spare me|leave out) (?:the |all the )?(?:emojis?|flattery|"
        r"pleasantries|small ?talk|jargon|fluff|filler|disclaimers|buzzwords|apologies|pep talk|compliments|"
        r"niceties|formalities|praise|preamble|lecture)|(?:don't|do not|stop|quit|avoid) (?:use |using |with "
        r"|giving me |adding )?(?:the "
        r")?(?:emojis?|flattery|pleasantries|jargon|bullet|tables|sugar-?coat|apologi[sz]ing|"
        r"moralizing|lecturing|hedging|exclamation|markdown|buzzwords|passive voice|flatter)"
        r"|(?:use|write in) (?:british|american|uk|us|metric|imperial|celsius|fahrenheit|plain "
        r"english|bullet|24)|cite (?:your )?sources|default to|(?:start|lead|begin|open) with "
        r"the|(?:short|brief|concise|detailed|blunt) (?:answers|replies|responses)|sources?,"
        r"? please)",
        re.IGNORECASE,
    )


@cache
def _a_piece() -> re.Pattern[str]:
    """A thing to be made now: "can you create a checklist for all my papers"."""
    return re.compile(
        r"\b(?:help me|creat(?:e|ing)|draft|generate|design|come up with|make me|write me|"
        r"recommend|suggest|find me)\b",
        re.IGNORECASE,
    )


@cache
def _in_contrast() -> re.Pattern[str]:
    return re.compile(r"not\s", re.IGNORECASE)


@cache
def _never_again() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:please|you can|you could|and|just|so)\s+)*(?:don't|do not|dont|stop|never|"
        r"drop|quit|lose|skip|cut|cut out|ditch|enough with|avoid|i (?:don't|do not|no longer|"
        r"never) (?:want|need)(?: any)?)\b",
        re.IGNORECASE,
    )


@cache
def _need_not() -> re.Pattern[str]:
    return re.compile(
        r"(?:you (?:don't|do not|no longer) (?:have|need) to|no need to) (?:keep |use |answer "
        r"|write |reply |give me |make )?",
        re.IGNORECASE,
    )


@cache
def _is_language() -> re.Pattern[str]:
    return re.compile(LANGUAGES, re.IGNORECASE)


@cache
def _best_for_meetings() -> re.Pattern[str]:
    return re.compile(
        r"(?P<v>(?:early |late )?(?:mornings?|afternoons?|evenings?)) (?:are|is|work|works) "
        r"(?:always )?(?:best|better|good|fine) (?:for me )?(?:for )?(?:my |our )?(?:meetings|"
        r"calls|appointments)",
        re.IGNORECASE,
    )


@cache
def _book_me() -> re.Pattern[str]:
    """ "always book me after lunch", "never schedule anything before nine for me"."""
    return re.compile(
        r"(?:please )?(?:always|only|(?P<not>never|don't ever))(?: please)? (?:schedule|book|plan|put)"
        r"(?: (?:me|anything|things|my (?:calls|meetings|appointments)|calls|meetings|appointments)(?: in)?)? "
        r"(?P<v>(?:before|after|earlier than|later than) [\w:]+(?: ?[ap]m)?|(?:in the |on )?(?:early |late )?"
        r"(?:mornings?|afternoons?|evenings?|(?:mon|tues|wednes|thurs|fri|satur|sun)days))(?=$| for me\b| "
        r"please\b|[,.!])",
        re.IGNORECASE,
    )


@cache
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


@cache
def _just_please() -> re.Pattern[str]:
    return re.compile(r"(?:no )?(?P<what>[\w' /-]{3,40}?),? (?:please|pls|for me)(?: and thank you)?", re.IGNORECASE)


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(
        r"(?:can|could|will|would|may) (?:we|you|i)\b|i'd (?:like|prefer|rather|want)|i would "
        r"(?:like|prefer)|do you mind|would you mind",
        re.IGNORECASE,
    )


@cache
def _whenever_you() -> re.Pattern[str]:
    """ "If you give me numbers, put them in a table from now on": about what the assistant does, each time."""
    return re.compile(
        r"(?:and |so |ok |please )*(?:if|when|whenever) (?:you|i ask)\b|from now on$|always$", re.IGNORECASE
    )


@cache
def _third_person() -> re.Pattern[str]:
    return re.compile(
        r"(?:he|she|they|it|my (?:boss|wife|husband|mother|mom|mum|father|dad|manager|client|"
        r"team|colleague)\w*|everyone|people|who|some)\b",
        re.IGNORECASE,
    )


@cache
def _refusal() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:no|no more|not|never|stop|avoid|without|skip|don't|do not|dont|leave out|drop|"
        r"lose|quit|cut|spare me|hold the|less|fewer|enough (?:with|of)|hate|turn off|mute|"
        r"disable|ditch)\b",
        re.IGNORECASE,
    )


@cache
def _turned_off() -> re.Pattern[str]:
    return re.compile(r"\s+off\b", re.IGNORECASE)


@cache
def _not_but() -> re.Pattern[str]:
    return re.compile(r"\bnot\b.{1,40}\bbut\b", re.IGNORECASE)


@cache
def _has_verb() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:is|are|was|were|has|have|had|did|does|went|go|goes|gets?|got|said|says|ships?|"
        r"broke|breaks|came|comes?|will|would|can|could|'s|'re)\b",
        re.IGNORECASE,
    )
