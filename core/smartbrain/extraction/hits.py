"""What a language's rules see and say: a sentence with its surroundings, and a hit with its type, key and span."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any, Final, Literal

from smartbrain.extraction.keys import part
from smartbrain.extraction.lexicon import SEVERAL, STAGES
from smartbrain.model import Message, slug
from smartbrain.text.timehints import Prefer, TimeHint, resolve_date

Back = Literal["", "joke", "taken_back", "corrected"]
PLAIN = 0.85
"""Confidence of what the user said plainly."""
FIRM = 0.9
"""Confidence of what was said with a marker that leaves no doubt (from now on, remind me, we decided)."""
QUOTED = "\ufffc"
"""Stands in ``Sentence.plain`` for every character of somebody else's words."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of one message: ``message.text[start:end] == text``.

    ``plain`` is the text with quoted words blanked out (``QUOTED``), same length: rules match on it, spans hold in
    both. ``before`` and ``after`` are the neighbouring sentences of the same message, "" where there is none.
    ``memo`` keeps how a language cuts it, for all that ask; a replaced sentence begins with none.
    """

    text: str
    plain: str
    start: int
    end: int
    message: Message
    said_at: datetime
    before: str = ""
    after: str = ""
    memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Hit:
    """Something a rule found. ``span`` is ``[start, end)`` in the sentence's text.

    ``skipped`` is the reason why a guard stopped it: it gives a verdict and no candidate. ``retract`` takes the key
    back; a profile is never retracted, its fact is closed by the value None. ``back`` says that the hit is about what
    was said before it: a "joke" voids the sentence before, "taken_back" what was said last, "corrected" gives what
    was said last another value (``value``: ``new``, and ``old`` where it was named). ``because`` says on what a hit
    rests where the name of its rule does not.
    """

    type: str
    key: str
    value: Mapping[str, Any]
    rule: str
    span: tuple[int, int]
    confidence: float = PLAIN
    retract: bool = False
    hints: tuple[str, ...] = ()
    skipped: str = ""
    back: Back = ""
    language: str = field(default="", compare=False)
    because: str = field(default="", compare=False)

    def in_language(self, language: str, skipped: str) -> Hit:
        """The hit as one of a language's rules, stopped or not; made twice as quickly as by ``replace``."""
        told = self.type, self.key, self.value, self.rule, self.span, self.confidence, self.retract, self.hints
        return Hit(*told, skipped, self.back, language, self.because)


# --- one way to make a hit of each type --------------------------------------------------------------------------


def preference(
    rule: str,
    span: tuple[int, int],
    *,
    scope: str,
    name: str,
    value: str,
    polarity: Literal["like", "dislike"],
    confidence: float = PLAIN,
    skipped: str = "",
) -> Hit:
    """``name`` is a slot of ``lexicon.SLOTS`` or a key part; ``value`` what was chosen or refused, as said."""
    full = {"scope": scope, "name": name, "value": value, "polarity": polarity, "confirmed": True}
    return Hit("preferences", f"pref:{scope}:{name}", full, rule, span, confidence, skipped=skipped)


def fact(
    rule: str,
    span: tuple[int, int],
    *,
    k: str,
    v: str | None,
    was: str = "",
    subject: str = "user",
    confidence: float = PLAIN,
    skipped: str = "",
) -> Hit:
    """A fact of ``subject``; ``v`` None closes it, ``was`` says which of several values in the user's words."""
    one: dict[str, Any] = {"k": k, "v": v}
    if was and v is None and k in SEVERAL:
        one["was"] = was
    value = {"subject": subject, "facts": [one]}
    return Hit("profile", f"profile:{subject}", value, rule, span, confidence, skipped=skipped)


def task(
    rule: str,
    span: tuple[int, int],
    *,
    thing: str,
    title: str,
    status: str,
    due: str | None = None,
    retract: bool = False,
    confidence: float = PLAIN,
    skipped: str = "",
) -> Hit:
    """``thing`` is the key part of what is to be done, ``title`` the user's words, ``due`` an ISO date."""
    value: dict[str, Any] = {"project": "default", "task_id": thing, "title": title, "status": status}
    if due:
        value["due"] = due
    return Hit("tasks", f"task:default:{thing}", value, rule, span, confidence, retract, skipped=skipped)


def goal(
    rule: str,
    span: tuple[int, int],
    *,
    aim: str,
    description: str,
    status: str = "active",
    retract: bool = False,
    confidence: float = PLAIN,
    skipped: str = "",
) -> Hit:
    """``aim`` is the key part of the aim with its verb."""
    value = {"project": "default", "name": aim, "description": description, "status": status}
    return Hit("goals", f"goal:default:{aim}", value, rule, span, confidence, retract, skipped=skipped)


def decision(
    rule: str,
    span: tuple[int, int],
    *,
    topic: str,
    said: str,
    made_at: datetime,
    retract: bool = False,
    confidence: float = PLAIN,
    skipped: str = "",
) -> Hit:
    """``topic`` is one of ``lexicon.TOPICS`` or a key part; ``said`` what was chosen, in the user's words."""
    value = {"project": "default", "topic": topic, "decision": said, "made_at": made_at.date().isoformat()}
    return Hit("decisions", f"decision:default:{topic}", value, rule, span, confidence, retract, skipped=skipped)


def event(
    rule: str,
    span: tuple[int, int],
    *,
    kind: str,
    day: str,
    title: str,
    about: str = "",
    retract: bool = False,
    confidence: float = PLAIN,
    skipped: str = "",
) -> Hit:
    """``kind`` is one of ``lexicon.EVENT_KINDS``, ``day`` as ``event_day`` gives it, ``about`` the place or thing."""
    what = "_".join(filter(None, (kind, part(about) if about else "")))
    value = {"scope": "default", "date": day, "title": title}
    hints = (STAGES.get(kind, "milestone"),)
    key = f"event:default:{day if _is_day(day) else slug(day)}:{what}"
    return Hit("events", key, value, rule, span, confidence, retract, hints, skipped)


def entity(
    rule: str,
    span: tuple[int, int],
    *,
    kind: str,
    name: str,
    canonical: str = "",
    aliases: Sequence[str] = (),
    attrs: Mapping[str, Any] | None = None,
    hints: tuple[str, ...] = ("remember",),
    confidence: float = FIRM,
    skipped: str = "",
) -> Hit:
    """``hints`` say why the gate lets it in: ``remember`` or ``structural``."""
    canonical = canonical or part(name)
    value = {"kind": kind, "canonical": canonical, "name": name, "aliases": list(aliases), "attrs": dict(attrs or {})}
    return Hit("entities", f"entity:{kind}:{canonical}", value, rule, span, confidence, hints=hints, skipped=skipped)


def back(what: Literal["joke", "taken_back", "corrected"], rule: str, span: tuple[int, int], **value: str) -> Hit:
    """A hit about what was said before it; see ``Hit``."""
    return Hit("", "", value, rule, span, back=what)


def looked_like(type_: str, rule: str, span: tuple[int, int], reason: str) -> Hit:
    """A sentence that looked like a candidate and is none."""
    return Hit(type_, "", {}, rule, span, 0.0, skipped=reason)


# --- dates -------------------------------------------------------------------------------------------------------


def due_day(text: str, said_at: datetime) -> str | None:
    """The ISO date by which something is due, None when the text names no single day."""
    closing = _month_end().search(text)
    if closing is not None:
        return _last_of_month(said_at, ahead=1 if closing["next"] or closing["coming"] else 0)
    hint = resolve_date(text, said_at, prefer="future")
    if hint is None or hint.strength != "hard":
        return None
    start, end = hint.start, hint.end
    if start is not None and end is not None and (end - start).days <= 1:
        return start.date().isoformat()
    return None


def _last_of_month(said_at: datetime, *, ahead: int) -> str:
    """The last day of the month of ``said_at``, or of one so many months ahead."""
    months = said_at.year * 12 + said_at.month - 1 + ahead
    return date(months // 12, months % 12 + 1, monthrange(months // 12, months % 12 + 1)[1]).isoformat()


@cache
def _month_end() -> re.Pattern[str]:
    """By when something is due that has time until a month is over."""
    return re.compile(
        r"\b(?:by|before) (?:the )?end of (?:the|this|(?P<next>next)) month\b"
        r"|(?<![一二三四五六七八九十\d上每])(?:(?P<coming>下个?)|这个?|本)?月底(?:之前|以前|前|以内|之内|內|截)",
        re.IGNORECASE,
    )


def event_day(text: str, said_at: datetime, *, prefer: Prefer | None = None) -> str:
    """When something happened or will: ``2026-03-04``, ``2026_03``, ``2026`` or ``undated``."""
    hint = resolve_date(text, said_at, prefer=prefer)
    return "undated" if hint is None else _shortest(hint)


def _shortest(hint: TimeHint) -> str:
    start, end = hint.start, hint.end
    if start is None or hint.strength != "hard":
        return "undated"
    first = start.date()
    days = (end - start).days if end is not None else 1
    if first.day == 1 and first.month == 1 and days >= 365:
        return f"{first.year}"
    if first.day == 1 and 28 <= days <= 31:
        return f"{first.year}_{first.month:02d}"
    return first.isoformat()


def _is_day(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return len(day) == 10


def value_of(hit: Hit) -> str:
    """The words of a hit's value, of several facts the first one's; "" where it has none."""
    facts: Sequence[Mapping[str, Any]] = hit.value.get("facts") or ()
    said = facts[0].get("v") if facts else next((hit.value[k] for k in _VALUES if hit.value.get(k)), "")
    return str(said or "").strip()


_VALUES: Final = ("value", "title", "description", "decision", "name")
