"""LangChain messages as SmartBrain's own, and back without loss.

The neutral message holds what search, extraction and rendering read. What it has no place for (usage, metadata,
invalid calls, artifacts, the provider's own block forms) goes into ``meta["langchain"]``. Every conversion is tried
backwards; when the way back would not give an equal message, ``meta`` holds the whole original instead.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_chunk_to_message,
)

from smartbrain.model import Message, Role, ToolCall, ToolStatus, message_text

_META = "langchain"
_CLASSES: Mapping[str, type[BaseMessage]] = {
    "human": HumanMessage,
    "ai": AIMessage,
    "system": SystemMessage,
    "tool": ToolMessage,
    "function": FunctionMessage,
    "chat": ChatMessage,
}
_ROLES: Mapping[str, Role] = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
}
_TYPES: Mapping[str, str] = {
    "user": "human",
    "assistant": "ai",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "function",
}
_SAID_ELSEWHERE = frozenset({"content", "type", "name", "id", "tool_calls", "tool_call_id"})


def to_neutral(message: BaseMessage) -> Message:
    """A LangChain message as a neutral one; ``from_neutral`` gives an equal message back.

    Equal as far as its values are JSON or bytes: another Python object, say an artifact, comes back as its ``repr``.
    A chunk becomes the message it is part of.
    """
    whole = message_chunk_to_message(message)
    kind = whole.type if whole.type in _CLASSES else "chat"
    extra = _packed(_set_fields(whole))
    meta: dict[str, Any] = {"type": kind, **({"fields": extra} if extra else {})}
    if whole.id is None:
        meta["no_id"] = True
    neutral = Message(
        id=whole.id or "",
        role=_role(whole),
        content=_content(whole),
        name=whole.name,
        tool_calls=_calls(whole),
        tool_call_id=getattr(whole, "tool_call_id", None),
        meta={_META: meta},
    )
    if _same(from_neutral(neutral), whole):
        return neutral
    return neutral.model_copy(update={"meta": {_META: {"type": kind, "message": _packed(_fields(whole))}}})


def from_neutral(message: Message) -> BaseMessage:
    """The LangChain message of a neutral one, also of one that came from elsewhere."""
    meta = message.meta.get(_META)
    meta = meta if isinstance(meta, Mapping) else {}
    kind = str(meta.get("type") or _TYPES[message.role])
    cls = _CLASSES.get(kind, ChatMessage)
    if isinstance(meta.get("message"), Mapping):
        return cls.model_validate(_unpacked(meta["message"]))
    fields: dict[str, Any] = {
        "content": message.content if message.content is not None else "",
        "name": message.name,
        "id": None if meta.get("no_id") else message.id or None,
        **_unpacked(meta.get("fields") or {}),
    }
    if message.blocks and not message.content:
        fields["content"] = [dict(block) for block in message.blocks]
    if cls is AIMessage and message.tool_calls:
        fields["tool_calls"] = [
            {"name": c.name, "args": c.args, "id": c.id or None, "type": "tool_call"} for c in message.tool_calls
        ]
    if cls is ToolMessage:
        fields["tool_call_id"] = message.tool_call_id or ""
    if cls is FunctionMessage:
        fields["name"] = message.name or "function"
    if cls is ChatMessage:
        fields.setdefault("role", message.role)
    return cls.model_validate(fields)


def tool_records(messages: Sequence[BaseMessage]) -> list[ToolCall]:
    """Every call in ``messages`` with the result that stands there too; without one it is pending."""
    results = {m.tool_call_id: m for m in messages if isinstance(m, ToolMessage)}
    records: dict[str, ToolCall] = {}
    for message in messages:
        for call in _calls(message):
            if call.id:
                records[call.id] = tool_record(call, results.get(call.id))
    return list(records.values())


def tool_record(call: ToolCall, result: ToolMessage | None) -> ToolCall:
    """One call with its result."""
    if result is None:
        return call.model_copy(update={"status": "pending"})
    status: ToolStatus = "error" if result.status == "error" else "ok"
    return call.model_copy(update={"result": spoken(result), "status": status})


def spoken(message: BaseMessage) -> str:
    """The words of a message, whatever its provider's block forms are."""
    content = _content(message)
    return message_text(content)


def _role(message: BaseMessage) -> Role:
    if message.type == "system" and message.additional_kwargs.get("__openai_role__") == "developer":
        return "developer"
    if isinstance(message, ChatMessage):
        known: dict[str, Role] = {"user": "user", "human": "user", "system": "system", "developer": "developer"}
        # A speaker of unknown standing must not be believed as the user is.
        return known.get(message.role, "assistant")
    return _ROLES.get(message.type, "assistant")


def _content(message: BaseMessage) -> str | list[dict[str, Any]]:
    """Text as it is; blocks as the provider has them, or in LangChain's standard form when only that can be read."""
    if isinstance(message.content, str):
        return message.content
    blocks: list[dict[str, Any]] = [
        _packed(block) if isinstance(block, Mapping) else {"type": "text", "text": str(block)}
        for block in message.content
    ]
    if message_text(blocks):
        return blocks
    try:
        standard = [_packed(dict(block)) for block in message.content_blocks]
    except Exception:  # noqa: BLE001 - translators of providers may raise anything on a block they do not know
        return blocks
    return standard if message_text(standard) else blocks


def _calls(message: BaseMessage) -> tuple[ToolCall, ...]:
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return tuple(ToolCall(id=call["id"] or "", name=call["name"], args=_packed(call["args"])) for call in calls)


@cache
def _defaults(cls: type[BaseMessage]) -> Mapping[str, Any]:
    return {
        name: field.get_default(call_default_factory=True)
        for name, field in cls.model_fields.items()
        if not field.is_required()
    }


def _fields(message: BaseMessage) -> dict[str, Any]:
    return {**message.__dict__, **(message.__pydantic_extra__ or {})}


def _set_fields(message: BaseMessage) -> dict[str, Any]:
    """The fields that differ from their default, extra ones included, without those of the neutral message."""
    plain = _defaults(type(message))
    return {
        name: value
        for name, value in _fields(message).items()
        if name not in _SAID_ELSEWHERE and (name not in plain or plain[name] != value)
    }


def _same(one: BaseMessage, other: BaseMessage) -> bool:
    return type(one) is type(other) and _fields(one) == _unpacked(_packed(_fields(other)))


def _packed(value: Any) -> Any:
    """The value as JSON values: bytes marked, tuples as lists, what is no JSON as its ``repr``."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _packed(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_packed(inner) for inner in value]
    if isinstance(value, bytes):
        return {"__bytes__": base64.b64encode(value).decode()}
    if hasattr(value, "model_dump"):
        return _packed(value.model_dump())
    return repr(value)


def _unpacked(value: Any) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {"__bytes__"} and isinstance(value["__bytes__"], str):
            return base64.b64decode(value["__bytes__"])
        return {name: _unpacked(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_unpacked(inner) for inner in value]
    return value
