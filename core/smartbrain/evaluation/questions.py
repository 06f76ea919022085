"""Labelled questions, and the sets they belong to: a folder with conversations and questions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smartbrain.errors import InputError
from smartbrain.evaluation.datasets import Line, malformed, moment, read_conversations, read_objects
from smartbrain.model import Value
from smartbrain.text.language import detect

NOISE_PER_CONVERSATION = 200
_DAY = timedelta(days=1)
_INSTANT = timedelta(microseconds=1)


class Question(Value):
    """One question and what answers it; a line of ``questions.jsonl``."""

    conversation_id: str
    question_id: str
    question: str
    answer: str | int | float | None = None
    answer_corrected: str | int | float | None = None
    category: str = ""
    evidence_turn_ids: tuple[str, ...] = ()
    evidence_turn_ids_corrected: tuple[str, ...] | None = None
    evidence_session_ids: tuple[str, ...] = ()
    question_time: datetime | None = None
    question_lang: str | None = None
    as_of_session_seq: int | None = None

    @property
    def gold_turns(self) -> tuple[str, ...]:
        """The turns that answer it; a corrected list stands for the first one, also when it is empty."""
        corrected = self.evidence_turn_ids_corrected
        return self.evidence_turn_ids if corrected is None else corrected

    @property
    def expected(self) -> str:
        """The answer as text, the corrected one first; empty when there is none."""
        answer = self.answer if self.answer_corrected is None else self.answer_corrected
        return "" if answer is None else str(answer)

    @property
    def language(self) -> str:
        """As labelled, else as detected."""
        return self.question_lang or detect(self.question) or "other"

    @property
    def end_of_day(self) -> datetime | None:
        """The last instant of the day it was asked on.

        The hour is not used: in published sets a question's hour and its evidence's hour on one day do not agree.
        """
        if self.question_time is None:
            return None
        return self.question_time.replace(hour=0, minute=0, second=0, microsecond=0) + _DAY - _INSTANT


@dataclass(frozen=True)
class Dataset:
    """A named set. ``noise_pool`` holds unrelated utterances; ``noise`` says how many stand in each conversation.

    ``sampled_from`` is the number of questions before a sample was taken.
    """

    name: str
    lines: tuple[Line, ...]
    questions: tuple[Question, ...]
    noise_pool: tuple[str, ...] = ()
    noise: int = 0
    noise_seed: int | None = None
    sampled_from: int | None = None

    def with_noise(self, seed: int = 0, count: int = NOISE_PER_CONVERSATION) -> Dataset:
        """The set with ``count`` utterances of its pool mixed into each conversation.

        Which ones and where depends on the seed and the conversation alone. A noise turn is said by the user, at the
        moment of the line before it and in a session of its own: it has nothing to do with what stands around it.
        Raises InputError when the pool holds fewer than ``count``.
        """
        if len(self.noise_pool) < count:
            raise InputError(f"{self.name}: noise_pool.jsonl holds {len(self.noise_pool)} utterances, {count} needed")
        noisy: list[Line] = []
        for conversation, lines in _conversations(self.lines).items():
            chance = random.Random(f"noise-{seed}-{conversation}")
            noisy += _mixed(lines, chance.sample(self.noise_pool, count), chance)
        return replace(self, lines=tuple(noisy), noise=count, noise_seed=seed)

    def sample(self, limit: int, seed: int = 0) -> Dataset:
        """The set with at most ``limit`` of its questions, in their order; the seed says which.

        Conversations that nobody asks about any more are left out.
        """
        if limit >= len(self.questions):
            return self
        places = random.Random(f"limit-{seed}-{self.name}").sample(range(len(self.questions)), limit)
        chosen = tuple(self.questions[place] for place in sorted(places))
        asked = {question.conversation_id for question in chosen}
        lines = tuple(line for line in self.lines if line.conversation_id in asked)
        return replace(self, lines=lines, questions=chosen, sampled_from=len(self.questions))

    @cached_property
    def texts(self) -> Mapping[tuple[str, str], Line]:
        """Each line by conversation and turn id."""
        return {(line.conversation_id, line.turn_id): line for line in self.lines}

    @cached_property
    def first_lines(self) -> Mapping[tuple[str, str], Line]:
        """The first line of each session, by conversation and session id."""
        return {(line.conversation_id, line.session_id): line for line in reversed(self.lines)}

    def gold_sessions(self, question: Question) -> tuple[str, ...]:
        """The sessions that answer a question. Where the gold turns were corrected, theirs."""
        if question.evidence_turn_ids_corrected is None:
            return question.evidence_session_ids
        found = (self.texts.get((question.conversation_id, turn)) for turn in question.gold_turns)
        return tuple(dict.fromkeys(line.session_id for line in found if line is not None))

    def has_gold(self, question: Question) -> bool:
        """Whether anything in the set answers the question."""
        return bool(question.gold_turns or self.gold_sessions(question))

    def check(self) -> None:
        """Raises InputError for a question that names a conversation, turn or session the set does not hold."""
        conversations = {line.conversation_id for line in self.lines}
        for question in self.questions:
            own = question.conversation_id
            missing = [] if own in conversations else [f"conversation {own!r}"]
            missing += [f"turn {name!r}" for name in question.gold_turns if (own, name) not in self.texts]
            missing += [f"session {s!r}" for s in self.gold_sessions(question) if (own, s) not in self.first_lines]
            if missing:
                raise InputError(
                    f"{self.name}: question {question.question_id!r} names {missing[0]}, "
                    "which conversations.jsonl does not hold"
                )


def load_dataset(folder: Path) -> Dataset:
    """The set in a folder: ``conversations.jsonl``, ``questions.jsonl`` and perhaps ``noise_pool.jsonl``.

    Raises InputError, naming file, line and field.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder with conversations.jsonl and questions.jsonl")
    pool = folder / "noise_pool.jsonl"
    found = Dataset(
        name=folder.resolve().name,
        lines=tuple(read_conversations(folder / "conversations.jsonl")),
        questions=tuple(read_questions(folder / "questions.jsonl")),
        noise_pool=tuple(_utterances(pool)) if pool.is_file() else (),
    )
    found.check()
    return found


def read_questions(path: Path) -> list[Question]:
    """Every question of a file; raises InputError, naming file, line and field."""
    return [_question(path, number, data) for number, data in read_objects(path)]


def _question(path: Path, number: int, data: dict[str, Any]) -> Question:
    try:
        read = {**data, "question_time": moment(path, number, "question_time", data.get("question_time"))}
        found = Question.model_validate(read)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise malformed(path, number, ".".join(str(part) for part in first["loc"]), first["msg"]) from error
    if not found.question.strip():
        raise malformed(path, number, "question", "is empty")
    return found


def _utterances(pool: Path) -> list[str]:
    found = []
    for number, data in read_objects(pool):
        if not isinstance(data.get("text"), str) or not data["text"].strip():
            raise malformed(pool, number, "text", "must be non-empty text")
        found.append(data["text"])
    return found


def _conversations(lines: Sequence[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for conversation, run in groupby(lines, key=lambda line: line.conversation_id):
        found.setdefault(conversation, []).extend(run)
    return found


def _mixed(lines: Sequence[Line], texts: Sequence[str], chance: random.Random) -> list[Line]:
    mixed = list(lines)
    for number, text in enumerate(texts):
        place = chance.randrange(len(mixed) + 1)
        mixed.insert(place, _noise(f"noise:{number}", text, mixed[max(0, place - 1)]))
    return mixed


def _noise(name: str, text: str, beside: Line) -> Line:
    return Line(beside.number, beside.conversation_id, name, name, "user", text, beside.session_time)
