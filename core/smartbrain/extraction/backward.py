"""What points back at the words before it: "just kidding", "scratch that", "not Tuesday, Wednesday"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from smartbrain.extraction.answers import due_of_answer
from smartbrain.extraction.hits import Hit, Sentence, event_day
from smartbrain.extraction.keys import part
from smartbrain.extraction.lexicon import SEVERAL, SLOTS
from smartbrain.text.folding import fold

if TYPE_CHECKING:
    from smartbrain.extraction.rules import Found

# So many characters may stand between a sentence and the words that take it back.
_NEAR = 40


def amend(found: Sequence[Found], hit: Hit, sentence: Sentence) -> list[Found]:
    """What was found so far, after a hit that is about it.

    A "joke" voids the hits of the sentence before, or of the same one; as the first words of a message it voids the
    last of the message before it. "taken_back" voids those of the sentence
    before in this message, or else of the message of the same user before it, and retracts their keys. "corrected"
    gives the last of them (or the one that holds ``old``) the new value.
    """
    last = _last_said(found, hit, sentence)
    if not last:
        return list(found)
    rest = [one for one in found if not any(one is other for other in last)]
    if hit.back == "joke":
        return [*rest, *(_with(one, skipped="taken back as a joke") for one in last)]
    if hit.back == "taken_back":
        return [*rest, *(_taken_back(one, hit, sentence) for one in last)]
    return _corrected(found, last, hit, sentence)


def due_answered(found: Sequence[Found], question: str, sentence: Sentence) -> list[Found]:
    """What was found so far, after an answer to "when is it due?": the last task without a day has the one it names."""
    due = due_of_answer(question, sentence.text, sentence.said_at)
    at = next((at for at in range(len(found) - 1, -1, -1) if _undated_task(found[at].hit)), None) if due else None
    if at is None:
        return list(found)
    dated = _with(found[at], value={**found[at].hit.value, "due": due})
    return [*found[:at], dated, *found[at + 1 :]]


def _undated_task(hit: Hit) -> bool:
    return (
        hit.type == "tasks"
        and not hit.skipped
        and not hit.retract
        and hit.value.get("status") == "todo"
        and not hit.value.get("due")
    )


def _last_said(found: Sequence[Found], hit: Hit, sentence: Sentence) -> list[Found]:
    mine = [one for one in found if one.sentence.message.role == "user" and not one.hit.skipped]
    here = [one for one in mine if one.sentence.message is sentence.message and one.sentence.start < sentence.end]
    if here:
        near = max(one.sentence.start for one in here)
        said = [one for one in here if one.sentence.start == near]
        between = sentence.message.text[said[0].sentence.end : sentence.start]
        return said if len(between.strip()) < _NEAR else []
    opens = not sentence.text[: hit.span[0]].strip() and sentence.start == 0
    if not mine or (hit.back == "joke" and not opens):
        return []
    before = mine[-1].sentence.message
    return [one for one in mine if one.sentence.message is before][-1:]


def _with(one: Found, **changes: Any) -> Found:
    return replace(one, hit=replace(one.hit, **changes))


def _taken_back(one: Found, hit: Hit, sentence: Sentence) -> Found:
    if one.hit.type == "profile":
        facts = [_ended(each) for each in one.hit.value["facts"]]
        value = {**one.hit.value, "facts": facts}
        return replace(one, hit=replace(one.hit, value=value, span=hit.span, rule=hit.rule), sentence=sentence)
    return replace(one, hit=replace(one.hit, retract=True, span=hit.span, rule=hit.rule), sentence=sentence)


def _ended(fact: Mapping[str, Any]) -> dict[str, Any]:
    several = fact["k"] in SEVERAL and fact.get("v") is not None
    return {**fact, "v": None, **({"was": fact["v"]} if several else {})}


def _corrected(found: Sequence[Found], last: Sequence[Found], hit: Hit, sentence: Sentence) -> list[Found]:
    old, new = fold(str(hit.value.get("old", ""))), str(hit.value["new"])
    held = [one for one in last if old and old in fold(one.sentence.text)]
    if old and not held:
        return list(found)
    meant = (held or list(last))[-1]
    fixed = _fixed(meant, str(hit.value.get("old", "")), new, hit, sentence)
    if fixed is None:
        return list(found)
    rest = [one for one in found if one is not meant]
    taken = (
        [_taken_back(meant, hit, sentence)] if fixed.hit.key != meant.hit.key and meant.hit.type != "profile" else []
    )
    return [*rest, *taken, fixed]


def _fixed(one: Found, old: str, new: str, hit: Hit, sentence: Sentence) -> Found | None:
    """The same thing with another value; None when the new words do not fit it."""
    changes = _FIXES.get(one.hit.type, _unfixable)(one.hit, old, new, sentence)
    if changes is None:
        return None
    return replace(one, hit=replace(one.hit, **changes, span=hit.span, rule=hit.rule), sentence=sentence)


def _event(hit: Hit, _old: str, new: str, sentence: Sentence) -> dict[str, Any] | None:
    ahead = str(hit.value["date"]) >= sentence.said_at.date().isoformat()
    day = event_day(new, sentence.said_at, prefer="future" if ahead else "past")
    bare = re.fullmatch(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)", new.strip(), re.IGNORECASE)
    if bare and len(str(hit.value["date"])) == len("2026-01-01"):
        day = _same_month(str(hit.value["date"]), int(bare[1]))  # "I meant the 5th"
    if day == "undated":
        return None
    _, scope, _, what = hit.key.split(":", 3)
    return {"key": f"event:{scope}:{day}:{what}", "value": {**hit.value, "date": day}}


def _same_month(day: str, number: int) -> str:
    try:
        return date.fromisoformat(day).replace(day=number).isoformat()
    except ValueError:
        return "undated"


def _profile(hit: Hit, _old: str, new: str, _sentence: Sentence) -> dict[str, Any] | None:
    facts = hit.value["facts"]
    return {"value": {**hit.value, "facts": [*facts[:-1], {**facts[-1], "v": new}]}}


def _preference(hit: Hit, _old: str, new: str, _sentence: Sentence) -> dict[str, Any] | None:
    scope, name = str(hit.value["scope"]), str(hit.value["name"])
    if name not in SLOTS.get(scope, ()):
        name = part(new)
    return {"key": f"pref:{scope}:{name}", "value": {**hit.value, "name": name, "value": new}} if name else None


def _decision(hit: Hit, old: str, new: str, _sentence: Sentence) -> dict[str, Any] | None:
    said = str(hit.value["decision"])
    said = said.replace(old, new) if old and old in said else new
    topic = str(hit.value["topic"])
    if old and part(old) == topic:
        topic = part(new)
    prefix, project, _ = hit.key.split(":", 2)
    return {"key": f"{prefix}:{project}:{topic}", "value": {**hit.value, "topic": topic, "decision": said}}


def _task(hit: Hit, _old: str, new: str, sentence: Sentence) -> dict[str, Any] | None:
    day = event_day(new, sentence.said_at, prefer="future")
    return {"value": {**hit.value, "due": day}} if len(day) == len("2026-01-01") else None


def _unfixable(_hit: Hit, _old: str, _new: str, _sentence: Sentence) -> None:
    return None


_FIXES: dict[str, Any] = {
    "events": _event,
    "profile": _profile,
    "preferences": _preference,
    "decisions": _decision,
    "tasks": _task,
}
