"""Cutting a turn only where every model provider allows it: between complete tool groups.

A *segment* is what must stay together: one message, or an assistant message with tool calls and all its results. What
can be in no valid request is left out with a reason: a result without its call, a call without its result, a message
that says nothing, a system message of an earlier request (the caller sends its own).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from smartbrain.model import Message, ToolCall, Turn
from smartbrain.text.clean import dumps

_CALLS = frozenset({"tool_use", "tool_call", "function_call", "server_tool_call"})
_RESULTS = frozenset({"tool_result", "function_response", "function_call_output"})


class Segment(NamedTuple):
    """Messages that stay together or go together, in their order. ``from_user`` marks what the user said."""

    messages: tuple[Message, ...]
    from_user: bool


class LeftOut(NamedTuple):
    """A message that no valid request can hold, and why. ``id`` is its own, or its place in the turn."""

    id: str
    why: str


class _Call(NamedTuple):
    id: str
    name: str


def segments(turn: Turn) -> tuple[list[Segment], list[LeftOut]]:
    """The turn's messages as segments in their order, and what had to be left out.

    A call whose result was recorded with the call, and not as a message, gets that result as a tool message.
    """
    known = {call.id: call for call in turn.tool_calls if call.id and call.result is not None}
    names = {id(message): message.id or f"{turn.turn_id}#{n}" for n, message in enumerate(turn.messages)}
    found: list[Segment] = []
    left_out: list[LeftOut] = []
    rest = list(turn.messages)
    while rest:
        message = rest.pop(0)
        calls = _calls(message)
        if calls:
            group, complete = _group(message, calls, rest, known)
            if complete:
                found.append(Segment(group, from_user=False))
            else:
                left_out += (LeftOut(names[id(part)], "a tool call without its result") for part in group)
        elif why := _invalid(message):
            left_out.append(LeftOut(names[id(message)], why))
        else:
            found.append(Segment((message,), message.role == "user"))
    return found, left_out


def _group(
    head: Message, calls: Sequence[_Call], rest: list[Message], known: Mapping[str, ToolCall]
) -> tuple[tuple[Message, ...], bool]:
    """``head`` with the results that follow it, taken from ``rest``, and whether every call has one."""
    pending = list(calls)
    group = [head]
    while pending and rest and _answers(rest[0], pending):
        group.append(rest.pop(0))
    own = {call.id: call for call in head.tool_calls if call.id and call.result is not None}
    recorded = [own.get(call.id) or known.get(call.id) for call in pending]
    if not all(recorded):
        return tuple(group), False
    return (*group, *(_as_message(call) for call in recorded if call)), True


def _answers(message: Message, pending: list[_Call]) -> bool:
    """Whether every result in ``message`` belongs to a pending call; those calls are then no longer pending."""
    results = _results(message)
    left = list(pending)
    for result in results:
        # Some providers give no ids: then the name decides, then the order.
        match = next((call for call in left if _fits(result, call)), None)
        if match is None:
            return False
        left.remove(match)
    pending[:] = left
    return bool(results)


def _fits(result: _Call, call: _Call) -> bool:
    if result.id or call.id:
        return result.id == call.id
    return not result.name or result.name == call.name


def _calls(message: Message) -> list[_Call]:
    if message.role != "assistant":
        return []
    found = [_Call(call.id, call.name) for call in message.tool_calls]
    for block in _blocks(message):
        if _kind(block) in _CALLS:
            call = _Call(_first_text(block, "tool_call_id", "call_id", "id"), _first_text(block, "name", "tool_name"))
            # Adapters may keep a call both as a call and as the provider's own block.
            if call not in found and not (call.id and any(call.id == other.id for other in found)):
                found.append(call)
    return found


def _results(message: Message) -> list[_Call]:
    ids = [
        _Call(_first_text(block, "tool_use_id", "tool_call_id", "call_id"), _first_text(block, "name"))
        for block in _blocks(message)
        if _kind(block) in _RESULTS
    ]
    if message.role in {"tool", "function"}:
        own = _Call(message.tool_call_id or "", message.name or "")
        return [own] if message.tool_call_id or not ids else ids
    return ids


def _invalid(message: Message) -> str:
    if message.role in {"tool", "function"} or _results(message):
        return "a tool result without its call"
    if message.role in {"system", "developer"}:
        return "a system message of an earlier request"
    if not message.content and not message.blocks:
        return "an empty message"
    return ""


def _as_message(call: ToolCall) -> Message:
    result = call.result if isinstance(call.result, str) else _plain(call.result)
    return Message(role="tool", content=result, name=call.name, tool_call_id=call.id)


def _plain(value: Any) -> str:
    try:
        return dumps(value)
    except (TypeError, ValueError):
        return repr(value)


def _blocks(message: Message) -> list[Mapping[str, Any]]:
    return [*(message.content if isinstance(message.content, list) else ()), *message.blocks]


def _kind(block: Mapping[str, Any]) -> str:
    return str(block.get("type") or block.get("block_type") or "")


def _first_text(block: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := block.get(name), str) and value), "")
