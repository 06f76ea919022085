"""Messages of LangChain: of ``messages_to_dict`` (``type``, ``data``), of ``dumpd`` (``lc``, ``kwargs``), or dumped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smartbrain.model import Message, Role
from smartbrain.transfer.chats import blocks
from smartbrain.transfer.chats.openai import conversations
from smartbrain.transfer.chats.values import (
    ROLES,
    Chat,
    Said,
    Skipped,
    chats_of,
    first_moment,
    mapping,
    text_of,
    tool_calls,
)

_CLASSES: Mapping[str, Role] = {
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
}
_TYPES = frozenset({"human", "ai", "system", "tool", "function", "chat", "HumanMessageChunk", "AIMessageChunk"})


def is_one(value: Any) -> bool:
    """Whether the value looks like one."""
    if isinstance(value, Mapping):
        lists = [value.get("messages"), *value.values()]
        return _is_message(value) or any(_has_message(one) for one in lists)
    return _has_message(value) or (isinstance(value, Sequence) and any(map(_has_message, value[:20])))


def _has_message(value: Any) -> bool:
    if isinstance(value, Mapping):
        value = value.get("messages")
    return isinstance(value, list) and any(map(_is_message, value[:20]))


def _is_message(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    if value.get("lc") is not None:
        return isinstance(value.get("kwargs"), Mapping) and isinstance(value.get("id"), list)
    return str(value.get("type")) in _TYPES and (isinstance(value.get("data"), Mapping) or "content" in value)


def chats(value: Any, skipped: Skipped) -> Iterator[Chat]:
    """One chat for each list of messages; in an object of lists, each under its name."""
    return chats_of(_conversations(value, skipped), _said, skipped)


def _conversations(value: Any, skipped: Skipped) -> Iterator[tuple[Any, Mapping[str, Any], Sequence[Any]]]:
    if isinstance(value, Mapping) and not _is_message(value) and not isinstance(value.get("messages"), list):
        for name, given in value.items():
            if _has_message(given):
                yield name, {}, given["messages"] if isinstance(given, Mapping) else given
            else:
                skipped["entry without messages"] += 1
        return
    yield from conversations(value, skipped)


def _said(given: Mapping[str, Any], skipped: Skipped) -> Iterator[Said]:
    kind, fields = _opened(given)
    role = _CLASSES.get(kind.removesuffix("Chunk")) or ROLES.get(kind.lower())
    if kind in {"chat", "ChatMessage"}:
        role = ROLES.get(str(fields.get("role")).lower())
    if role is None:
        skipped[f"message of type {kind!r}"] += 1
        return
    more = mapping(fields.get("additional_kwargs"))
    at = first_moment(fields, more, fields.get("response_metadata"))
    message_id = text_of(fields.get("id")) or ""
    calls = tool_calls(fields.get("tool_calls")) or tool_calls(more.get("tool_calls"))
    content = fields.get("content")
    if not calls and isinstance(content, list) and blocks.has_tools(content):
        yield from (Said(message) for message in blocks.messages(content, role, message_id, at, skipped))
        return
    said, name = _content(content), text_of(fields.get("name"))
    answers = text_of(fields.get("tool_call_id")) or (name if role == "function" else None)
    if not said and not calls and not answers:
        skipped["empty message"] += 1
        return
    meta: dict[str, Any] = {"is_error": True} if fields.get("status") == "error" else {}
    if fields.get("artifact") is not None:
        meta["artifact"] = fields["artifact"]
    yield Said(
        Message(
            id=message_id,
            role=role,
            content=said,
            name=name,
            created_at=at,
            tool_calls=calls,
            tool_call_id=answers,
            meta=meta,
        )
    )


def _opened(given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The type of a message and its fields, whichever way it was packed."""
    if isinstance(given.get("kwargs"), Mapping) and isinstance(given.get("id"), list):
        return str((given["id"] or [""])[-1]), given["kwargs"]
    if isinstance(given.get("data"), Mapping):
        return str(given.get("type")), given["data"]
    return str(given.get("type")), given


def _content(content: Any) -> str | list[dict[str, Any]] | None:
    if isinstance(content, str):
        return text_of(content)
    if not isinstance(content, list):
        return None
    kept = [{"type": "text", "text": part} if isinstance(part, str) else part for part in content]
    # A call stands among the message's calls already.
    return [dict(part) for part in kept if isinstance(part, Mapping) and str(part.get("type")) not in _CALLS] or None


_CALLS = frozenset({"tool_use", "tool_call", "function_call"})
