"""Messages as chat models take them: ``{"role": …, "content": …}``, in a list, under ``messages``, or line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smartbrain.model import Message, ToolCall
from smartbrain.transfer.chats import blocks
from smartbrain.transfer.chats.values import (
    ROLES,
    Chat,
    Said,
    Skipped,
    arguments,
    chats_of,
    first_moment,
    text_of,
    tool_calls,
)

_NAMES = ("conversation_id", "thread_id", "session_id", "id")


def is_one(value: Any) -> bool:
    """Whether the value looks like one."""
    if isinstance(value, Mapping):
        return _spoken(value) or any(_listed(value.get(name)) for name in ("messages", "conversations", "data"))
    return isinstance(value, Sequence) and any(
        _spoken(one) or (isinstance(one, Mapping) and _listed(one.get("messages"))) or _listed(one)
        for one in value[:20]
    )


def _spoken(value: Any) -> bool:
    return (
        isinstance(value, Mapping) and str(value.get("role")) in ROLES and ("content" in value or "tool_calls" in value)
    )


def _listed(value: Any) -> bool:
    return isinstance(value, list) and any(
        _spoken(one) or (isinstance(one, Mapping) and isinstance(one.get("messages"), list)) for one in value[:20]
    )


def chats(value: Any, skipped: Skipped) -> Iterator[Chat]:
    """One chat for each list of messages; single messages belong together by their conversation, thread or session."""
    return chats_of(conversations(value, skipped), _said, skipped)


def conversations(value: Any, skipped: Skipped) -> Iterator[tuple[Any, Mapping[str, Any], Sequence[Any]]]:
    """Id, other fields and messages of each conversation in the shapes that lists of messages are kept in."""
    if isinstance(value, Mapping):
        inner = next((value[name] for name in ("conversations", "data") if isinstance(value.get(name), list)), None)
        if isinstance(value.get("messages"), list):
            yield _named(value), value, value["messages"]
        elif inner is not None:
            yield from conversations(inner, skipped)
        else:
            yield None, {}, [value]
        return
    loose: dict[Any, list[Any]] = {}
    for one in value if isinstance(value, Sequence) and not isinstance(value, str) else ():
        if isinstance(one, list):
            yield None, {}, one
        elif isinstance(one, Mapping) and isinstance(one.get("messages"), list):
            yield _named(one), one, one["messages"]
        else:
            name = next((one[n] for n in _NAMES[:3] if text_of(one.get(n))), None) if isinstance(one, Mapping) else None
            loose.setdefault(name, []).append(one)
    for name, given in loose.items():
        yield name, {}, given


def _named(value: Mapping[str, Any]) -> Any:
    return next((value[name] for name in _NAMES if isinstance(value.get(name), (str, int))), None)


def _said(given: Mapping[str, Any], skipped: Skipped) -> Iterator[Said]:
    role = ROLES.get(str(given.get("role")))
    if role is None:
        skipped[f"message of role {given.get('role')!r}"] += 1
        return
    at, message_id = first_moment(given, given.get("metadata")), text_of(given.get("id")) or ""
    content = given.get("content")
    if isinstance(content, list) and blocks.has_tools(content):
        yield from (Said(message) for message in blocks.messages(content, role, message_id, at, skipped))
        return
    calls = tool_calls(given.get("tool_calls")) + _older_call(given.get("function_call"))
    said = _content(content, skipped) or text_of(given.get("refusal"))
    answers = text_of(given.get("tool_call_id")) or (text_of(given.get("name")) if role == "function" else None)
    if not said and not calls and not answers:
        skipped["empty message"] += 1
        return
    yield Said(
        Message(
            id=message_id,
            role=role,
            content=said,
            name=text_of(given.get("name")),
            created_at=at,
            tool_calls=calls,
            tool_call_id=answers,
        )
    )


def _older_call(given: Any) -> tuple[ToolCall, ...]:
    """``function_call``, which had no id: its result names the function."""
    name = text_of(given.get("name")) if isinstance(given, Mapping) else None
    return (ToolCall(id=name, name=name, args=arguments(given.get("arguments"))),) if name else ()


def _content(content: Any, skipped: Skipped) -> str | list[dict[str, Any]] | None:
    if content is None or isinstance(content, str):
        return text_of(content)
    if not isinstance(content, list):
        skipped[f"content that is {type(content).__name__}"] += 1
        return None
    kept = [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]
    found = [dict(part) for part in kept if isinstance(part, Mapping)]
    if len(found) < len(kept):
        skipped["part of a message that is not known"] += len(kept) - len(found)
    return found or None
