"""What the parsers of all formats share: neutral chats, and reading of roles, moments, calls and content."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from smartbrain.model import Message, Ref, Role, ToolCall
from smartbrain.text.clean import dumps

Skipped = Counter[str]
"""How often something was left out, by reason."""

ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "chatbot": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "developer",
    "tool": "tool",
    "function": "function",
}
_TIMES = ("created_at", "create_time", "timestamp", "created", "time", "date")
_MILLISECONDS = 1e11  # seconds of the year 5138


@dataclass(frozen=True, slots=True)
class Said:
    """One message with the refs that came with it."""

    message: Message
    refs: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class Chat:
    """One conversation. ``id`` is stable: the same chat has it in the next file, too. ``owner`` is whose it is, where
    one file may hold several people's. ``each`` says that every message is a turn of its own."""

    id: str
    said: tuple[Said, ...]
    started_at: datetime | None = None
    title: str | None = None
    owner: str | None = None
    each: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict)


def moment(value: Any) -> datetime | None:
    """The moment of seconds or milliseconds since 1970, or of ISO 8601 (UTC without an offset); None for anything
    else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    if isinstance(value, (int, float)):
        seconds = value / 1000 if abs(value) > _MILLISECONDS else value
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return None


def first_moment(*places: Any) -> datetime | None:
    """The first moment under a usual name, in the order of the places."""
    for place in places:
        if isinstance(place, Mapping):
            for name in _TIMES:
                found = moment(place.get(name))
                if found is not None:
                    return found
    return None


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def text_of(value: Any) -> str | None:
    """A text, of one that is not empty."""
    return value if isinstance(value, str) and value.strip() else None


def objects(values: Any, skipped: Skipped, what: str) -> Iterator[Mapping[str, Any]]:
    """Those of a list that are objects; the others are counted."""
    for value in values if isinstance(values, Sequence) and not isinstance(values, str) else ():
        if isinstance(value, Mapping):
            yield value
        else:
            skipped[f"{what} that is no object"] += 1


def arguments(given: Any) -> Any:
    """The arguments of a call: JSON in a text is read, any other text stays as it is."""
    if not isinstance(given, str):
        return {} if given is None else given
    try:
        return json.loads(given)
    except ValueError:
        return given


def tool_calls(given: Any) -> tuple[ToolCall, ...]:
    """The calls of a message as OpenAI (``function``) or LangChain (``name``, ``args``) writes them."""
    found = []
    for number, call in enumerate(given if isinstance(given, Sequence) and not isinstance(given, str) else ()):
        if not isinstance(call, Mapping):
            continue
        function = mapping(call.get("function")) or call
        name = text_of(function.get("name"))
        if name:
            args: Any = next((function[key] for key in ("arguments", "args", "input") if key in function), {})
            found.append(ToolCall(id=str(call.get("id") or f"{name}-{number}"), name=name, args=arguments(args)))
    return tuple(found)


def with_results(messages: Iterable[Message]) -> list[ToolCall]:
    """Every call with the results that later messages bring; without one it is pending.

    An id that is used again (older functions have none but their name) is another call, and gets a number.
    """
    calls: list[ToolCall] = []
    newest: dict[str, int] = {}
    for message in messages:
        for call in message.tool_calls:
            at = {"started_at": message.created_at} if message.created_at else {}
            own = {"id": f"{call.id}/{len(calls)}"} if call.id in newest else {}
            newest[call.id] = len(calls)
            calls.append(call.model_copy(update={"status": "pending", **at, **own}))
        place = newest.get(message.tool_call_id or "")
        if place is not None:
            calls[place] = _answered(calls[place], message)
    return calls


def _answered(call: ToolCall, message: Message) -> ToolCall:
    """The call with one more part of its result."""
    result = message.meta.get("result", message.text)
    if call.status != "pending" and isinstance(call.result, str) and isinstance(result, str):
        result = "\n\n".join(part for part in (call.result, result) if part)
    failed = bool(message.meta.get("is_error"))
    return call.model_copy(
        update={"result": result, "status": "error" if failed else "ok", "ended_at": message.created_at}
    )


def chats_of(
    conversations: Iterable[tuple[Any, Mapping[str, Any], Sequence[Any]]],
    read: Callable[[Mapping[str, Any], Skipped], Iterable[Said]],
    skipped: Skipped,
) -> Iterator[Chat]:
    """A chat for each conversation: its id, its other fields, and its messages, which ``read`` makes what was said."""
    seen = Counter[str]()
    for name, about, given in conversations:
        said = tuple(said for message in objects(given, skipped, "message") for said in read(message, skipped))
        yield Chat(
            id=_chat_id(name, said, seen),
            said=said,
            started_at=first_moment(about),
            title=text_of(about.get("title")),
        )


def _chat_id(given: Any, said: Sequence[Said], seen: Counter[str]) -> str:
    """The id that a chat brings; without one, a digest of how it begins (up to the first question) and the number of
    those that begin so."""
    if isinstance(given, (str, int)) and str(given).strip():
        return str(given)
    begin: list[tuple[str, str]] = []
    for one in said:
        begin.append((one.message.role, one.message.text))
        if one.message.role == "user":
            break
    digest = hashlib.sha256(dumps(begin).encode()).hexdigest()[:16]
    seen[digest] += 1
    return f"{digest}-{seen[digest]}"
