"""English standing wishes about answers: "from now on", "always", and bare instructions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smartbrain.extraction import guards
from smartbrain.extraction._en_clauses import Clause
from smartbrain.extraction._en_sieve import EN
from smartbrain.extraction._en_slots import slot_exactly, slot_in
from smartbrain.extraction._en_wish_words import (
    FEW,
    Polarity,
    a_piece,
    bare_instruction,
    each_time,
    in_contrast,
    just_please,
    lasting_marker,
    never_again,
    not_but,
    polite,
    prefers,
    refusal,
    slotted,
    than,
    third_person,
    turned_off,
    whenever_you,
    wish,
)
from smartbrain.extraction.hits import FIRM, Hit, looked_like


def standing_wish(clause: Clause) -> Iterator[Hit]:
    """A wish with "from now on", "always", "by default": the slot may stand before or after the words that say so."""
    if in_contrast.match(clause.text) and clause.earlier:
        return  # "tabs, not spaces, always": the clause before says what is wanted
    beside = [other for other in (*clause.earlier[-1:], *clause.later[:2]) if len(other.split()) <= FEW]
    marker = lasting_marker.search(clause.text) or any(lasting_marker().search(other) for other in beside)
    whenever = each_time().sub("", clause.text)
    if not marker or a_piece().search(whenever) or not (wish.match(clause.text) or _verbless(clause)):
        return
    yield from _about_slot(clause, "standing_wish", question_allowed=True)


def instruction(clause: Clause) -> Iterator[Hit]:
    """A bare instruction about how to answer: "Keep answers short.", "No emojis please.", "Light mode please"."""
    asked = just_please.fullmatch(clause.text)
    slot = slot_exactly(asked["what"]) if asked else None
    contrasted = not clause.earlier and bool(clause.later) and in_contrast().match(clause.later[0].strip())
    if contrasted and slot_exactly(clause.text) and len(clause.text.split()) <= FEW:
        yield from _about_slot(clause, "instruction", question_allowed=False)
        return
    bare = slot is not None and (slot.scope in ("ui", "other") or slot.name in ("spelling", "emoji"))
    if not bare_instruction.match(clause.text) and not bare:
        refused = slot_in(clause.text) if never_again.match(clause.text) else None
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
    compared = than().search(text)
    if compared and compared["to"] and not prefers().search(text[: compared.start()]):
        compared = None
    searched = text[: compared.start()] if compared else text
    slot = slot_in(searched, answers=True)
    if slot is None:
        return
    reason = guards.stopped(clause)
    if question_allowed and reason == "question" and polite().match(text):
        reason = ""
    if reason == "hypothesis" and polite().match(text):
        reason = ""
    if reason == "condition" and all(whenever_you().match(other.strip()) for other in clause.earlier):
        reason = ""
    if not reason and guards.for_once(text if lasting_marker().search(text) else clause.whole):
        reason = "for one answer only"
    if not reason and third_person().match(text):
        reason = "somebody else's wish"
    if reason:
        yield looked_like("preferences", rule, whole, reason)
        return
    refused = refusal().search(text[: slot.start]) or turned_off().match(text[slot.end :])
    polarity: Polarity = "dislike" if refused and not not_but().search(text) else "like"
    yield slotted(rule, whole, slot, searched[slot.start : slot.end], polarity, FIRM)


def _verbless(clause: Clause) -> bool:
    return len(clause.text.split()) <= 8 and not _has_verb.search(clause.text)


# Slots that are chosen and not refused: "don't use Python" is about the task at hand.
_CHOICES = frozenset(("language", "framework", "database", "package_manager", "theme", "units", "currency"))
# In a message longer than this a bare instruction belongs to the task that the message sets.
_ONE_TASK = 200


@EN.sifted
def _has_verb() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:is|are|was|were|has|have|had|did|does|went|go|goes|gets?|got|said|says|ships?|"
        r"broke|breaks|came|comes?|will|would|can|could|'s|'re)\b",
        re.IGNORECASE,
    )
