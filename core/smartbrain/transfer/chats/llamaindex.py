"""The chat store of LlamaIndex (``SimpleChatStore``): messages by key, with blocks or, older, with plain content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smartbrain.model import Message, ToolCall
from smartbrain.transfer.chats.values import (
    ROLES,
    Chat,
    Said,
    Skipped,
    arguments,
    first_moment,
    mapping,
    objects,
    text_of,
    tool_calls,
)


def is_one(value: Any) -> bool:
    """Whether the value looks like one."""
    if not isinstance(value, Mapping):
        return False
    return isinstance(value.get("store"), Mapping) or "ChatStore" in str(value.get("class_name"))


def chats(value: Any, skipped: Skipped) -> Iterator[Chat]:
    """One chat for each key of the store."""
    store = value.get("store") if isinstance(value, Mapping) else None
    for name, given in store.items() if isinstance(store, Mapping) else ():
        if not isinstance(given, list):
            skipped["key without messages"] += 1
            continue
        kept = objects(given, skipped, "message")
        yield Chat(id=str(name), said=tuple(said for message in kept for said in _said(message, skipped)))


def _said(given: Mapping[str, Any], skipped: Skipped) -> Iterator[Said]:
    role = ROLES.get(str(given.get("role")).lower().removeprefix("messagerole."))
    if role is None:
        skipped[f"message of role {given.get('role')!r}"] += 1
        return
    more = mapping(given.get("additional_kwargs"))
    said, calls, rest = _blocks(given.get("blocks"), skipped)
    said = said or text_of(given.get("content"))
    calls = calls or tool_calls(more.get("tool_calls"))
    name = text_of(more.get("name")) or text_of(given.get("name"))
    answers = text_of(more.get("tool_call_id")) or (name if role in {"tool", "function"} else None)
    if not said and not calls and not rest and not answers:
        skipped["empty message"] += 1
        return
    yield Said(
        Message(
            id=text_of(more.get("id")) or "",
            role=role,
            content=said,
            name=name,
            created_at=first_moment(given, more),
            tool_calls=calls,
            tool_call_id=answers,
            blocks=rest,
        )
    )


def _blocks(given: Any, skipped: Skipped) -> tuple[str | None, tuple[ToolCall, ...], tuple[dict[str, Any], ...]]:
    """The words, the calls, and everything else, as it stands."""
    texts: list[str] = []
    calls: list[ToolCall] = []
    rest: list[dict[str, Any]] = []
    for block in objects(given if isinstance(given, Sequence) else (), skipped, "block"):
        kind = block.get("block_type")
        if kind == "text":
            texts += [str(block.get("text"))] if text_of(block.get("text")) else []
        elif kind == "tool_call":
            name = str(block.get("tool_name") or "tool")
            call_id = str(block.get("tool_call_id") or f"{name}-{len(calls)}")
            calls.append(ToolCall(id=call_id, name=name, args=arguments(block.get("tool_kwargs"))))
        else:
            rest.append({"type": kind, **block})
    return "\n".join(texts) or None, tuple(calls), tuple(rest)
