"""Memory candidates from any chat model, held to what the user really said.

A model proposes; what it proposes passes the same gates as the rules' findings. Its quote must stand in the user's own
words (not in code, a quoted mail, a pasted page or what SmartBrain injected), no rule may have refused the sentence (a
question, a hypothesis, a joke), and its value must be made of the sentence's words. Keys are made here and not by the
model, so that rules and model meet in one item.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from smartbrain.extraction import hits, prompts, suspicion
from smartbrain.extraction.chat import Chat, as_chat
from smartbrain.extraction.hits import QUOTED, Hit, Sentence, due_day, event_day
from smartbrain.extraction.keys import part
from smartbrain.extraction.lexicon import EVENT_KINDS, FACTS, RELATIONS, SLOTS, TOPICS
from smartbrain.extraction.reading import read
from smartbrain.extraction.rules import RulesExtractor, doubt
from smartbrain.extraction.speakers import as_said_by, speaker_of
from smartbrain.extraction.things import thing_of
from smartbrain.model import Candidate, MemoryItem, Message, Retraction, Turn, Verdict, slug
from smartbrain.ports import Extraction, Extractor
from smartbrain.text.folding import fold
from smartbrain.text.terms import terms

CONFIDENCE = 0.75
"""Of what a model found and the user's words bear out; retention raises it to the floor of what a user said."""
_CUE = f"rules.{suspicion.RULE}"
"""A rule that says only that the others found nothing: what a model is there for."""
_KNOWN_ITEMS = 30
_MESSAGE_CHARS = 4_000
_CONTEXT_CHARS = 600
_LEAST_SHARE = 0.5


class Note(BaseModel):
    """One thing a model would remember; see ``prompts`` for what the fields mean for each type."""

    type: Literal["preference", "fact", "task", "goal", "decision", "event", "entity"]
    quote: str
    value: str = ""
    field: str = ""
    about: str = "user"
    polarity: Literal["like", "dislike"] = "like"
    status: str = ""
    date: str = ""
    note: str = ""
    ended: bool = False


class Notes(BaseModel):
    """What a model answers: nothing is worth remembering in most turns."""

    notes: list[Note] = []


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a quote stands: the sentence, and its span in the message's text."""

    sentence: Sentence
    span: tuple[int, int]


class ModelExtractor:
    """An ``Extractor`` that asks a chat model. Safe to share between threads if the model is.

    Raises what the model raises, and ValueError for an answer that is not of the asked form: nothing is kept then,
    and ``catch_up`` asks again. A single note that is wrong is dropped, with a verdict that says why.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        return self._chat.name

    def extract(self, turn: Turn, known: Sequence[MemoryItem]) -> Extraction:
        """What the model would remember of the user's messages in a turn."""
        said = {message.id: read(message, message.created_at or turn.occurred_at) for message in _users(turn)}
        if not any(said.values()):
            return Extraction()
        language = prompts.language_of(" ".join(message.text for message in _users(turn))[:2_000])
        answer = self._chat.ask(_system(language), _question(turn, said, known, language), Notes)
        given = answer.get("notes")
        if not isinstance(given, list):
            raise ValueError(f"{self.name} gave no list of notes")
        return self._checked(turn, said, given)

    def _checked(self, turn: Turn, said: Mapping[str, list[Sentence]], given: Sequence[Any]) -> Extraction:
        # By rules alone: what the classifier doubts, a model may know better.
        refused = RulesExtractor(classifier=False).extract(turn).skipped
        candidates: list[Candidate] = []
        retractions: list[Retraction] = []
        skipped: list[Verdict] = []
        for raw in given:
            try:
                note = Note.model_validate(raw)
            except ValidationError as error:
                fault = error.errors(include_url=False)[0]
                where = ".".join(map(str, fault["loc"]))
                reason = f"the model's note does not fit: {where}: {fault['msg']}"
                skipped.append(self._dropped(raw, "off_schema", reason))
                continue
            place = _place(note.quote, said)
            hit, why = (None, _UNHEARD) if place is None else _hit(note, place, refused)
            if hit is None or place is None:
                skipped.append(self._dropped(raw, *why))
            elif hit.retract:
                retractions.append(self._retraction(hit, place, turn))
            else:
                candidates.append(self._candidate(hit, place, turn))
        return Extraction(tuple(candidates), tuple(retractions), skipped=tuple(skipped))

    def _candidate(self, hit: Hit, place: _Place, turn: Turn) -> Candidate:
        message = place.sentence.message
        return Candidate(
            type=hit.type,
            key=hit.key,
            value=dict(hit.value),
            confidence=CONFIDENCE,
            rule=f"model.{self.name}",
            confirmed=hit.type == "preferences",
            hints=hit.hints,
            language=prompts.language_of(message.text[slice(*place.span)]),
            message_id=message.id or None,
            span=place.span,
            quote=message.text[slice(*place.span)],
            scope=turn.scope,
            occurred_at=place.sentence.said_at,
        )

    def _retraction(self, hit: Hit, place: _Place, turn: Turn) -> Retraction:
        message = place.sentence.message
        return Retraction(
            type=hit.type,
            key=hit.key,
            reason=message.text[slice(*place.span)],
            scope=turn.scope,
            message_id=message.id or None,
            span=place.span,
            rule=f"model.{self.name}",
        )

    def _dropped(self, raw: Any, rule: str, reason: str) -> Verdict:
        note = raw if isinstance(raw, Mapping) else {}
        return Verdict(
            subject=str(note.get("value") or note.get("quote") or raw)[:120],
            action="skipped",
            rule=f"model.{rule}",
            reason=reason,
            type=_TYPES.get(str(note.get("type")), "unknown"),
            key="",
            confidence=0.0,
        )


def as_extractor(source: Any) -> Extractor:
    """An ``Extractor`` as it is; a chat model of LangChain or LlamaIndex, or a function, as a ``ModelExtractor``.

    Raises InputError for anything else.
    """
    if callable(getattr(source, "extract", None)) and hasattr(source, "name"):
        extractor: Extractor = source
        return extractor
    return ModelExtractor(as_chat(source))


# -- what the model is shown -----------------------------------------------------------------------------------------


def _users(turn: Turn) -> list[Message]:
    return [message for message in turn.messages if message.role == "user"]


def _system(language: str) -> str:
    slots = ", ".join(f"{scope}.{name}" for scope, names in SLOTS.items() for name in sorted(names))
    lists = {"SLOTS": slots, "RELATIONS": RELATIONS, "FACTS": FACTS, "TOPICS": TOPICS, "KINDS": EVENT_KINDS}
    text = prompts.NOTES[language]
    for name, words in lists.items():
        text = text.replace(name, words if isinstance(words, str) else ", ".join(words))
    return text


def _question(turn: Turn, said: Mapping[str, list[Sentence]], known: Sequence[MemoryItem], language: str) -> str:
    """The turn as the model sees it: the user's own sentences, and what the assistant said in short, as context."""
    lines = []
    who = prompts.WHO[language]
    for message in turn.messages:
        if message.role == "user":
            own = " ".join(" ".join(sentence.text.split()) for sentence in said[message.id])
            lines.append(f"{message.name or who['user']}: {own[:_MESSAGE_CHARS]}")
        elif message.role == "assistant" and message.text.strip():
            lines.append(f"{who['assistant']}: {' '.join(message.text.split())[:_CONTEXT_CHARS]}")
    told = [prompts.told(item) for item in known[:_KNOWN_ITEMS]]
    parts = [prompts.KNOWN[language], *told, ""] if told else []
    return "\n".join([*parts, prompts.TURN[language], *lines])


# -- what becomes of an answer ---------------------------------------------------------------------------------------

_TYPES = {
    "preference": "preferences",
    "fact": "profile",
    "task": "tasks",
    "goal": "goals",
    "decision": "decisions",
    "event": "events",
    "entity": "entities",
}
_UNHEARD = ("unverified_quote", "the quoted words do not stand in what the user said")


def _place(quote: str, said: Mapping[str, list[Sentence]]) -> _Place | None:
    """Where the user said it: in one sentence, white space and case apart."""
    words = quote.split()
    if not words or not any(ch.isalnum() for ch in quote):
        return None
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words), re.IGNORECASE)
    for sentences in said.values():
        for sentence in sentences:
            match = pattern.search(sentence.plain)
            if match:
                start, end = match.span()
                return _Place(sentence, (sentence.start + start, sentence.start + end))
    return None


def _hit(note: Note, place: _Place, refused: Sequence[Verdict]) -> tuple[Hit | None, tuple[str, str]]:
    for verdict in (verdict for verdict in refused if verdict.rule != _CUE):
        same_message = verdict.message_id == (place.sentence.message.id or None)
        if same_message and verdict.span is not None and _overlap(verdict.span, place.span) and verdict.trust == "user":
            return None, ("refused_by_rules", verdict.reason)
    start, end = (place.span[0] - place.sentence.start, place.span[1] - place.sentence.start)
    reason = doubt(place.sentence, (start, end), _TYPES[note.type])
    if reason:
        return None, ("refused_by_rules", reason)
    if note.value and not _borne_out(note.value, place.sentence):
        return None, ("unverified_value", "the value is not made of the user's words")
    hit = _MAKERS[note.type](note, place.sentence)
    if hit is None:
        return None, ("off_schema", "the note says nothing that can be kept, or names a field outside the closed list")
    return as_said_by(speaker_of(place.sentence.message), hit), ("", "")


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _borne_out(value: str, sentence: Sentence) -> bool:
    """Whether a value stands in the sentence, or at least half of its content words do."""
    text = sentence.plain.replace(QUOTED, " ")
    if fold(" ".join(value.split())) in fold(" ".join(text.split())):
        return True
    wanted, there = set(terms(value)), set(terms(text))
    return bool(wanted) and len(wanted & there) >= _LEAST_SHARE * len(wanted)


_WHOLE = (0, 0)


def _preference(note: Note, _sentence: Sentence) -> Hit | None:
    scope, _, name = note.field.partition(".")
    if name not in SLOTS.get(scope, ()):
        scope, name = "other", part(note.value)
    if not name or not note.value.strip():
        return None
    hit = hits.preference(
        "model", _WHOLE, scope=scope, name=name, value=note.value, polarity=note.polarity, confidence=CONFIDENCE
    )
    return replace(hit, retract=note.ended)


def _fact(note: Note, sentence: Sentence) -> Hit | None:
    if note.field not in FACTS or not (note.value.strip() or note.ended):
        return None
    about = fold(note.about).strip().replace(" ", "_")
    subject = "user" if about in {"", "user", "用户"} else f"user_{about}" if about in RELATIONS else part(note.about)
    if not subject:
        return None
    value = None if note.ended else note.value.strip()
    return hits.fact("model", _WHOLE, k=note.field, v=value, was=sentence.text, subject=subject, confidence=CONFIDENCE)


def _task(note: Note, sentence: Sentence) -> Hit | None:
    thing = thing_of(note.value)
    status = note.status or "todo"
    if not thing or status not in {"todo", "doing", "done", "blocked"}:
        return None
    return hits.task(
        "model",
        _WHOLE,
        thing=thing,
        title=note.value,
        status=status,
        due=_said_day(note.date, sentence.said_at),
        retract=note.ended,
        confidence=CONFIDENCE,
    )


def _said_day(words: str, said_at: datetime) -> str | None:
    return due_day(words, said_at) if words else None


def _goal(note: Note, _sentence: Sentence) -> Hit | None:
    aim = part(note.value)
    if not aim:
        return None
    status = "done" if note.status == "done" else "active"
    return hits.goal(
        "model", _WHOLE, aim=aim, description=note.value, status=status, retract=note.ended, confidence=CONFIDENCE
    )


def _decision(note: Note, sentence: Sentence) -> Hit | None:
    topic = note.field if note.field in TOPICS else part(note.value)
    if not topic:
        return None
    return hits.decision(
        "model",
        _WHOLE,
        topic=topic,
        said=note.value,
        made_at=sentence.said_at,
        retract=note.ended,
        confidence=CONFIDENCE,
    )


def _event(note: Note, sentence: Sentence) -> Hit | None:
    if note.field not in EVENT_KINDS or not note.value.strip():
        return None
    day = _nearest_day(note.date, sentence.said_at) if note.date else "undated"
    return hits.event(
        "model", _WHOLE, kind=note.field, day=day, title=note.value, retract=note.ended, confidence=CONFIDENCE
    )


def _nearest_day(words: str, said_at: datetime) -> str:
    """The day meant by words that do not say whether they look back or ahead: the nearer one."""
    days = [event_day(words, said_at, prefer=prefer) for prefer in ("past", "future")]
    full = [day for day in days if len(day) == len("2026-01-01")]
    if len(full) < len(days):
        return days[0]
    return min(full, key=lambda day: abs((date.fromisoformat(day) - said_at.date()).days))


def _entity(note: Note, _sentence: Sentence) -> Hit | None:
    kind = note.field or "other"
    if kind not in {"person", "org", "repo", "file", "url", "topic", "other"} or not part(note.value) or note.ended:
        return None
    attrs = {"note": note.note} if note.note else {}
    return hits.entity("model", _WHOLE, kind=kind, name=note.value, canonical=slug(note.value), attrs=attrs, hints=())


_MAKERS = {
    "preference": _preference,
    "fact": _fact,
    "task": _task,
    "goal": _goal,
    "decision": _decision,
    "event": _event,
    "entity": _entity,
}
