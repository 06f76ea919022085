"""Memory from plain chat, without a model: rules for English and Chinese over what the user said.

Only what a user says makes candidates. An assistant's guess about the user counts when the user's next message plainly
confirms it. System prompts, tools' words, code, quoted mail, pasted pages and everything SmartBrain injected give none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any, Protocol

from smartbrain.extraction import reasons, refs, rules_en, rules_zh, suspicion
from smartbrain.extraction.answers import as_statement
from smartbrain.extraction.backward import amend, due_answered
from smartbrain.extraction.hits import Hit, Sentence, fact, looked_like
from smartbrain.extraction.learned import judge
from smartbrain.extraction.learned.makers import label_of
from smartbrain.extraction.mending import mended
from smartbrain.extraction.reading import read
from smartbrain.extraction.speakers import as_said_by, speaker_of
from smartbrain.model import Candidate, MemoryItem, Message, Ref, Retraction, Scope, Turn, Verdict
from smartbrain.ports import Extraction
from smartbrain.text.sameness import plain

_CONFIRMED = 0.85


class Language(Protocol):
    """What the rules of one language offer; ``rules_en`` and ``rules_zh`` are such modules."""

    def find(self, sentence: Sentence) -> list[Hit]: ...

    def doubt(self, sentence: Sentence, span: tuple[int, int], kind: str) -> str: ...

    def opens_material(self, sentence: Sentence) -> str: ...

    def confirms(self, text: str) -> bool: ...

    def as_first_person(self, text: str) -> str: ...


_LANGUAGES: Mapping[str, Language] = {"zh": rules_zh, "en": rules_en}


@dataclass(frozen=True, slots=True)
class Found:
    """One hit with the sentence it was found in; ``confirmed``: the assistant said it and the user agreed."""

    hit: Hit
    sentence: Sentence
    confirmed: bool = False


class RulesExtractor:
    """An ``Extractor`` of rules and a small classifier. Deterministic, stateless, safe to share between threads."""

    name = "rules"

    def __init__(self, *, classifier: bool = True) -> None:
        """``classifier``: whether the bundled clause classifier reads along; without it the rules are alone."""
        self.classifier = classifier

    def extract(self, turn: Turn, known: Sequence[MemoryItem] = ()) -> Extraction:
        """What the messages of a turn give.

        ``known``: the active items that the session's turn just before this one wrote, or nothing. They serve one
        purpose: "scratch that" as the first words of a turn takes them back. Items of several turns, of this one or
        of another session say nothing about what was said last, and are ignored.
        Offsets of spans are those of the message's text, and a quote is exactly what stands there.
        """
        reading = _Reading(turn, known, self.classifier)
        for at, message in enumerate(turn.messages):
            if message.role == "user":
                reading.user(message, turn.messages[at - 1] if at else None)
            elif message.role == "assistant":
                following = turn.messages[at + 1] if at + 1 < len(turn.messages) else None
                reading.assistant(message, following)
        return reading.extraction()


@dataclass
class _Reading:
    """One turn being read, message by message."""

    turn: Turn
    known: Sequence[MemoryItem] = ()
    classifier: bool = True
    opened: bool = False
    found: list[Found] = field(default_factory=list)
    refs: dict[str, Ref] = field(default_factory=dict)

    def user(self, message: Message, before: Message | None = None) -> None:
        said_at = self._said_at(message)
        material, speaker = "", speaker_of(message)
        sentences = read(message, said_at)
        found = [sentence_hits(sentence) for sentence in sentences]
        if self.classifier:
            found = judge.judged(list(zip(sentences, found, strict=True)), doubt)
        if before is not None and before.role == "assistant" and sentences:
            found[0] = _as_answered(before.text, sentences[0], found[0])
            self.found = due_answered(self.found, before.text, sentences[0])
        for sentence, hits in zip(sentences, found, strict=True):
            for pointer in refs.pointers(sentence.text):
                ref = refs.as_ref(pointer)
                self.refs.setdefault(ref.uri, ref)
            material = material or _opens_material(sentence)
            said = hits
            if material:
                said = [hit if hit.skipped else replace(hit, skipped=material) for hit in hits if not hit.back]
            opening, self.opened = not self.opened, True
            for hit in said:
                if hit.back == "taken_back" and opening:
                    self.found += _undone(_of_turn_before(self.turn, self.known), hit, sentence)
                elif hit.back:
                    self.found = amend(self.found, hit, sentence)
                else:
                    self.found.append(Found(as_said_by(speaker, hit), sentence))
        for sentence in sentences:
            sentence.memo.clear()  # it holds what points back at the sentence

    def assistant(self, message: Message, following: Message | None) -> None:
        """A guess about the user that the user's next message plainly confirms."""
        answer = following.text if following is not None and following.role == "user" else ""
        agreed = any(rules.confirms(answer) for rules in _LANGUAGES.values()) if answer else False
        for sentence in read(message, self._said_at(message)):
            for language, rules in _LANGUAGES.items():
                voice = rules.as_first_person(sentence.plain)
                if not voice:
                    continue
                guess = replace(sentence, text=voice, plain=voice, before="", after="")
                for hit in rules.find(guess):
                    if hit.back or hit.skipped or hit.retract:
                        continue
                    whole = replace(hit, span=(0, len(sentence.text)), language=language)
                    if not agreed:
                        whole = replace(whole, skipped=reasons.SUPPOSITION)
                    self.found.append(Found(whole, sentence, confirmed=agreed))

    def _said_at(self, message: Message) -> datetime:
        return message.created_at or self.turn.occurred_at

    def extraction(self) -> Extraction:
        found = _distinct(self.found)
        kept = [one for one in found if not one.hit.skipped]
        return Extraction(
            candidates=tuple(_candidate(one, self.turn.scope) for one in kept if not one.hit.retract),
            retractions=tuple(_retraction(one, self.turn.scope) for one in kept if one.hit.retract),
            refs=tuple(self.refs.values()),
            skipped=tuple(_verdict(one) for one in found if one.hit.skipped),
        )


def _as_answered(question: str, sentence: Sentence, found: list[Hit]) -> list[Hit]:
    """What a sentence says as the statement that it makes for an answer, if it makes one; else its hits."""
    statement = as_statement(question, sentence.text)
    if not statement:
        return found
    span = (0, len(sentence.text))
    told = sentence_hits(replace(sentence, text=statement, plain=statement, before="", after=""))
    made = [replace(hit, span=span) for hit in told if not hit.skipped and not hit.back]
    return [hit for hit in made if label_of(hit) == label_of(made[0]) and hit.key == made[0].key] or found


def _of_turn_before(turn: Turn, known: Sequence[MemoryItem]) -> tuple[MemoryItem, ...]:
    sources = {(item.source_session_id, item.source_turn_id) for item in known}
    if len(sources) != 1:
        return ()
    ((session_id, turn_id),) = sources
    return tuple(known) if session_id == turn.session_id and turn_id != turn.turn_id else ()


def _undone(before: Sequence[MemoryItem], hit: Hit, sentence: Sentence) -> list[Found]:
    """What the turn before wrote, taken back.

    "Never mind" alone may be about a question, so that it undoes nothing across turns. A profile is undone where it
    holds one fact only: of several an item does not say which its turn added.
    """
    if _about_anything().fullmatch(sentence.text[slice(*hit.span)].strip(" \t.,!。，！")):
        return []
    undone = []
    for item in before:
        facts: Sequence[Any] = item.value.get("facts", ()) if item.type == "profile" else ()
        if item.type != "profile":
            undone.append(Hit(item.type, item.key, item.value, hit.rule, hit.span, retract=True, language=hit.language))
        elif len(facts) == 1:
            closed = fact(
                hit.rule,
                hit.span,
                k=str(facts[0]["k"]),
                v=None,
                was=plain(facts[0].get("v") or ""),
                subject=item.key.removeprefix("profile:"),
            )
            undone.append(replace(closed, language=hit.language))
    return [Found(one, sentence) for one in undone]


def sentence_hits(sentence: Sentence) -> list[Hit]:
    """Everything the rules find in one sentence: each language's rules where its script stands, and pointers."""
    pointed_at = refs.entity_hits(sentence)
    hits = [*pointed_at]
    for language, rules in _by_script(sentence):
        for hit in rules.find(sentence):
            if any(_overlap(hit, other) and _same_kind(hit, other) for other in hits if other.language != language):
                continue
            foreign = (
                reasons.REPORTED if language == "zh" and rules_en.cites(sentence) and not hit.skipped else hit.skipped
            )
            hits.append(hit.in_language(language, foreign))
    hits = mended(sentence, hits)
    kept = [hit for hit in hits if not hit.skipped and not hit.back]
    hits = [hit for hit in hits if not hit.skipped or not any(_overlap(hit, other) for other in kept)]
    return hits if len(hits) > len(pointed_at) else [*hits, *_suspected(sentence)]


def _suspected(sentence: Sentence) -> list[Hit]:
    """A verdict where the words look like a candidate and no rule has anything to say."""
    found = suspicion.cue(sentence)
    if found is None:
        return []
    reason = reasons.REPORTED if found.quoted else doubt(sentence, found.span, found.type) or reasons.UNSAID
    hit = looked_like(found.type, suspicion.RULE, (0, len(sentence.text)), reason)
    return [replace(hit, language=found.language)]


def doubt(sentence: Sentence, span: tuple[int, int], kind: str) -> str:
    """Why the words at a span of a sentence may not be kept as ``kind``, whoever found them; "" when they may."""
    return reasons.in_words(next(filter(None, (rules.doubt(sentence, span, kind) for rules in _of(sentence))), ""))


def _opens_material(sentence: Sentence) -> str:
    return next(filter(None, (rules.opens_material(sentence) for rules in _of(sentence))), "")


def _by_script(sentence: Sentence) -> list[tuple[str, Language]]:
    """The languages whose script stands in a sentence; looked for once for all that ask."""
    found: list[tuple[str, Language]] | None = sentence.memo.get("scripts")
    if found is None:
        has = {"zh": _han().search(sentence.plain), "en": _latin().search(sentence.plain)}
        found = sentence.memo["scripts"] = [(name, _LANGUAGES[name]) for name, match in has.items() if match]
    return found


def _of(sentence: Sentence) -> list[Language]:
    return [rules for _, rules in _by_script(sentence)]


def _overlap(one: Hit, other: Hit) -> bool:
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _same_kind(one: Hit, other: Hit) -> bool:
    return one.type == other.type or bool(one.skipped) or bool(other.skipped)


def _distinct(found: Iterable[Found]) -> list[Found]:
    """Each thing once: the first place it was said in a turn stands."""
    seen: dict[object, Found] = {}
    for one in found:
        hit = one.hit
        what = (hit.type, hit.key, repr(hit.value), hit.retract, hit.skipped)
        seen.setdefault((*what, one.sentence.start, hit.span) if hit.skipped else what, one)
    return list(seen.values())


def _place(one: Found) -> tuple[str | None, tuple[int, int], str]:
    start, end = one.sentence.start + one.hit.span[0], one.sentence.start + one.hit.span[1]
    return one.sentence.message.id or None, (start, end), one.sentence.message.text[start:end]


def _candidate(one: Found, scope: Scope) -> Candidate:
    message_id, span, quote = _place(one)
    return Candidate(
        type=one.hit.type,
        key=one.hit.key,
        value=dict(one.hit.value),
        confidence=_CONFIRMED if one.confirmed else one.hit.confidence,
        rule=f"rules.{one.hit.rule}",
        confirmed=one.confirmed,
        hints=one.hit.hints,
        because=one.hit.because,
        language=one.hit.language,
        message_id=message_id,
        span=span,
        quote=quote,
        scope=scope,
        occurred_at=one.sentence.said_at,
    )


def _retraction(one: Found, scope: Scope) -> Retraction:
    message_id, span, quote = _place(one)
    return Retraction(
        type=one.hit.type,
        key=one.hit.key,
        reason=quote,
        scope=scope,
        message_id=message_id,
        span=span,
        rule=f"rules.{one.hit.rule}",
    )


def _verdict(one: Found) -> Verdict:
    message_id, span, quote = _place(one)
    return Verdict(
        subject=quote if len(quote) <= _LONGEST_SUBJECT else quote[: _LONGEST_SUBJECT - 1] + "…",
        action="skipped",
        rule=f"rules.{one.hit.rule}",
        reason=reasons.in_words(one.hit.skipped),
        type=one.hit.type,
        key=one.hit.key,
        confidence=one.hit.confidence,
        trust="assistant" if one.sentence.message.role == "assistant" else "user",
        message_id=message_id,
        span=span,
        quote=quote,
    )


_LONGEST_SUBJECT = 120


@cache
def _about_anything() -> re.Pattern[str]:
    return re.compile(
        r"(?:.*[\s,.!])?(?:never ?mind|nvm)|(?:啊|哎|唉|嗯|诶)*[,，\s]*(?:算了|没事)(?:吧|啦)?", re.IGNORECASE
    )


@cache
def _han() -> re.Pattern[str]:
    return re.compile("[\u3400-\u9fff\uf900-\ufaff]")


@cache
def _latin() -> re.Pattern[str]:
    return re.compile("[A-Za-z]")
