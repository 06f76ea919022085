"""Reading recorded conversations: one JSON object a line, in spoken order.

Fields of a line: ``conversation_id``, ``session_id``, ``turn_id``, ``speaker``, ``text``; perhaps ``session_time``
(ISO 8601; without an offset it is taken as UTC) and ``image_caption``. Other fields are kept in the message's meta.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from smartbrain.errors import InputError
from smartbrain.model import Message

_NEEDED = ("conversation_id", "session_id", "turn_id", "speaker")
_KNOWN = frozenset((*_NEEDED, "text", "session_time", "image_caption"))
# Speakers that are parts in a conversation with an agent; any other speaker is a person with a name.
_ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, checked. ``number`` counts from 1; ``more`` holds the fields that have no meaning here."""

    number: int
    conversation_id: str
    session_id: str
    turn_id: str
    speaker: str
    text: str
    session_time: datetime | None = None
    image_caption: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn as ``commit_turn`` takes it; message ids are the turn ids of the file's lines."""

    conversation_id: str
    session_id: str
    turn_id: str
    messages: tuple[Message, ...]
    occurred_at: datetime | None

    def arguments(self) -> dict[str, Any]:
        """What ``commit_turns`` takes: the conversation is the user, sessions and times are the file's own."""
        return {
            "session_id": self.session_id,
            "turn_id": self.turn_id,
            "user_id": self.conversation_id,
            "messages": self.messages,
            "occurred_at": self.occurred_at,
        }


def read_conversations(path: Path) -> list[Line]:
    """Every line of a file; blank lines are skipped.

    Raises InputError, naming file, line and field, for a file that cannot be read, a line that is not JSON, a field
    that is missing or malformed, and a ``turn_id`` that a session holds twice.
    """
    seen: dict[tuple[str, str, str], int] = {}
    lines: list[Line] = []
    for number, data in read_objects(path):
        line = _line(path, number, data)
        name = (line.conversation_id, line.session_id, line.turn_id)
        if name in seen:
            raise malformed(
                path, number, "turn_id", f"{line.turn_id!r} stands in this session already, line {seen[name]}"
            )
        seen[name] = number
        lines.append(line)
    return lines


def as_turns(lines: Iterable[Line]) -> Iterator[RecordedTurn]:
    """Lines as turns, in their order: a user's message and what follows it; a named person's line is its own turn.

    A turn happened at its session's time. Turns of one moment are set one microsecond apart, so that their order
    survives and no minute is invented.
    """
    moments: dict[tuple[str, datetime], int] = {}
    for _, session in groupby(lines, key=lambda line: (line.conversation_id, line.session_id)):
        for turn in _exchanges(session):
            first = turn[0]
            at = first.session_time
            if at is not None:
                place = moments.get((first.conversation_id, at), 0)
                moments[first.conversation_id, at] = place + 1
                at += timedelta(microseconds=place)
            messages = tuple(as_message(line) for line in turn)
            yield RecordedTurn(first.conversation_id, first.session_id, first.turn_id, messages, at)


def as_message(line: Line) -> Message:
    """A line as a message; a picture becomes an image block with its caption."""
    role = line.speaker.strip().lower()
    content: str | list[dict[str, Any]] = line.text
    if line.image_caption:
        said = [{"type": "text", "text": line.text}] if line.text else []
        content = [*said, {"type": "image", "caption": line.image_caption}]
    given = {"id": line.turn_id, "role": role, "content": content, "meta": dict(line.more)}
    return Message.model_validate(given if role in _ROLES else {**given, "role": "user", "name": line.speaker})


def _exchanges(session: Iterable[Line]) -> Iterator[list[Line]]:
    turn: list[Line] = []
    for line in session:
        part = line.speaker.strip().lower()
        joins = part in _ROLES and part != "user"
        alone = turn and turn[0].speaker.strip().lower() not in _ROLES
        if turn and (not joins or alone):
            yield turn
            turn = []
        turn.append(line)
    if turn:
        yield turn


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON object of each line that is not blank, with the line's number; raises InputError."""
    for number, raw in enumerate(_text(path).split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: not valid JSON: {error}") from error
        if not isinstance(data, dict):
            raise InputError(f"{path}, line {number}: must be a JSON object, not {kind_of(data)}")
        yield number, data


def moment(path: Path, number: int, name: str, value: object) -> datetime | None:
    """The moment a field holds, UTC when it carries no offset; None when it is empty. Raises InputError."""
    if value is None or value == "":
        return None
    try:
        found = datetime.fromisoformat(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise malformed(path, number, name, f"must be an ISO 8601 date or time, got {value!r}") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def malformed(path: Path, number: int, name: str, problem: str) -> InputError:
    """The error that names file, line and field."""
    return InputError(f"{path}, line {number}: {name} {problem}")


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    names = {dict: "an object", list: "a list", bool: "true or false", int: "a number", float: "a number"}
    if value is None:
        return "null"
    return "empty text" if isinstance(value, str) else names[type(value)]


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start})") from error


def _line(path: Path, number: int, data: dict[str, Any]) -> Line:
    for name in _NEEDED:
        if not isinstance(data.get(name), str) or not data[name].strip():
            problem = f"must be non-empty text, not {kind_of(data[name])}" if name in data else "is missing"
            raise malformed(path, number, name, problem)
    caption = data.get("image_caption")
    if caption is not None and not isinstance(caption, str):
        raise malformed(path, number, "image_caption", f"must be text, not {kind_of(caption)}")
    text = data.get("text", "" if caption else None)
    if not isinstance(text, str):
        raise malformed(path, number, "text", f"must be text, not {kind_of(text)}" if "text" in data else "is missing")
    return Line(
        number=number,
        text=text,
        session_time=moment(path, number, "session_time", data.get("session_time")),
        image_caption=caption,
        more={name: value for name, value in data.items() if name not in _KNOWN},
        **{name: data[name] for name in _NEEDED},
    )
