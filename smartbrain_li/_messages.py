"""LlamaIndex messages as SmartBrain's own, and back without loss.

The neutral message holds what search, extraction and rendering read; what it has no place for goes into
``meta["llama_index"]``. Every conversion is tried backwards: when the way back would not give an equal message,
``meta`` holds the whole original instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ContentBlock, MessageRole, TextBlock, ToolCallBlock
from pydantic_core import to_jsonable_python

from smartbrain.model import Message, Role, ToolCall, message_text
from smartbrain_li._blocks import OWN, block_class, from_block, made, to_block
from smartbrain_li._react import parse_react

_ROLES: Mapping[MessageRole, Role] = {
    MessageRole.SYSTEM: "system",
    MessageRole.DEVELOPER: "developer",
    MessageRole.USER: "user",
    MessageRole.ASSISTANT: "assistant",
    MessageRole.FUNCTION: "function",
    MessageRole.TOOL: "tool",
    MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant",
}


def to_neutral(message: ChatMessage, message_id: str = "") -> Message:
    """A LlamaIndex message as a neutral one; ``from_neutral`` gives an equal message back.

    Equal as far as ``additional_kwargs`` are JSON values; another Python object in them comes back as its dump or
    ``repr``. A ReAct text is split: the answer is what was said, the rest is reasoning.
    """
    neutral = _react_message(message, message_id) or _plain_message(message, message_id)
    original = _dump(message)
    if _dump(from_neutral(neutral)) == original:
        return neutral
    return neutral.model_copy(update={"meta": {OWN: {"message": original}}})


def from_neutral(message: Message) -> ChatMessage:
    """The LlamaIndex message of a neutral one, also of one that came from elsewhere. A new object at each call."""
    meta = _own(message)
    if isinstance(meta.get("message"), Mapping):
        return _restored(meta["message"])
    kwargs: dict[str, Any] = {**_copied(meta.get("additional_kwargs") or {})}
    call_id = meta.get("result_id", message.tool_call_id)
    if call_id and "tool_call_id" not in kwargs:
        kwargs["tool_call_id"] = call_id
    if message.name and "name" not in kwargs:
        kwargs["name"] = message.name
    blocks = _said(message, whole=bool(meta.get("react")))
    if "tool_calls" not in kwargs:
        names = meta.get("call_ids") or {}
        blocks += [_call_block(call, names) for call in message.tool_calls]
    return _message(str(meta.get("role") or message.role), blocks, kwargs)


def tool_calls(message: ChatMessage) -> tuple[ToolCall, ...]:
    """The calls a message makes: its tool-call blocks, or else the older ``additional_kwargs["tool_calls"]``."""
    found = [block for block in message.blocks if isinstance(block, ToolCallBlock)]
    if found:
        return tuple(
            ToolCall(id=block.tool_call_id or "", name=block.tool_name, args=_arguments(block.tool_kwargs))
            for block in found
        )
    legacy = message.additional_kwargs.get("tool_calls")
    return tuple(_legacy_calls(legacy)) if isinstance(legacy, Sequence) and not isinstance(legacy, str) else ()


def tool_records(messages: Iterable[Message]) -> list[ToolCall]:
    """Every call of a turn with the result that stands there too; without one it is pending."""
    records: dict[str, ToolCall] = {}
    for message in messages:
        for call in message.tool_calls:
            if call.id:
                records[call.id] = call.model_copy(update={"status": "pending"})
        called = records.get(message.tool_call_id or "")
        if called is not None:
            records[called.id] = called.model_copy(update={"result": message.text, "status": "ok"})
        run = parse_react(_react_text(message)) if _own(message).get("react") else None
        records.update(
            {f"{message.id}/{call.id}": _named(call, f"{message.id}/{call.id}") for call in run.calls} if run else {}
        )
    return list(records.values())


def with_ids(message: Message, names: Mapping[str, str], result_of: str | None) -> Message:
    """The message with its calls renamed, and answering ``result_of``; the way back gives the ids as they were.

    ``names`` maps the new ids to the old ones, call by call in order. Some providers number calls by the tool's name,
    so two calls of one turn may share an id; here every call needs its own.
    """
    meta = dict(_own(message))
    update: dict[str, Any] = {}
    if names:
        renamed = zip(message.tool_calls, names, strict=True)
        update["tool_calls"] = tuple(call.model_copy(update={"id": new}) for call, new in renamed)
        meta["call_ids"] = dict(names)
    if result_of is not None:
        meta["result_id"] = message.tool_call_id
        update["tool_call_id"] = result_of
    return message.model_copy(update={**update, "meta": {**message.meta, OWN: meta}})


# -- to the neutral form -----------------------------------------------------------------------------------------


def _plain_message(message: ChatMessage, message_id: str) -> Message:
    kwargs = _packed(message.additional_kwargs)
    name, call_id = kwargs.get("name"), kwargs.get("tool_call_id")
    if isinstance(name, str) and name:
        del kwargs["name"]
    if isinstance(call_id, str) and call_id:
        del kwargs["tool_call_id"]
    role = _ROLES.get(message.role, "assistant")
    meta = {"additional_kwargs": kwargs} if kwargs else {}
    if role != message.role.value:
        meta["role"] = message.role.value
    return Message(
        id=message_id,
        role=role,
        content=_content(message.blocks),
        name=name if isinstance(name, str) and name else None,
        tool_calls=tool_calls(message),
        tool_call_id=call_id if isinstance(call_id, str) and call_id else None,
        meta={OWN: meta} if meta else {},
    )


def _react_message(message: ChatMessage, message_id: str) -> Message | None:
    if message.role != MessageRole.ASSISTANT or len(message.blocks) != 1 or message.additional_kwargs:
        return None
    block = message.blocks[0]
    run = parse_react(block.text) if isinstance(block, TextBlock) else None
    if run is None:
        return None
    content = [{"type": "reasoning", "reasoning": run.trace}, {"type": "text", "text": run.answer}]
    return Message(id=message_id, role="assistant", content=content, meta={OWN: {"react": True}})


def _content(blocks: Sequence[Any]) -> str | list[dict[str, Any]] | None:
    spoken = [block for block in blocks if not isinstance(block, ToolCallBlock)]
    if not spoken:
        return None
    if len(spoken) == 1 and isinstance(spoken[0], TextBlock):
        return spoken[0].text
    return [to_block(block) for block in spoken]


def _legacy_calls(given: Iterable[Any]) -> Iterable[ToolCall]:
    """OpenAI's form and its relatives: ``{"id", "function": {"name", "arguments"}}``, as mappings or objects."""
    for n, call in enumerate(given):
        function = _part(call, "function") or call
        name = _part(function, "name") or _part(call, "tool_name")
        if not isinstance(name, str):
            continue
        arguments: Any = next(
            (v for key in ("arguments", "args", "input", "tool_kwargs") if (v := _part(function, key)) is not None), {}
        )
        yield ToolCall(
            id=str(_part(call, "id") or _part(call, "tool_call_id") or n), name=name, args=_arguments(arguments)
        )


def _part(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _arguments(given: Any) -> Any:
    """Arguments as values: providers send a mapping, or its JSON text."""
    if isinstance(given, str):
        try:
            return json.loads(given)
        except ValueError:
            return given
    return _packed(given)


# -- back --------------------------------------------------------------------------------------------------------


def _said(message: Message, *, whole: bool) -> list[ContentBlock]:
    if whole:
        return [TextBlock(text=_react_text(message))]
    if message.content is None:
        given: Sequence[Mapping[str, Any]] = message.blocks
    elif isinstance(message.content, str):
        # LangChain writes an empty text beside tool calls; several providers refuse one.
        spoken = [TextBlock(text=message.content)] if message.content or not message.tool_calls else []
        return [*spoken, *_blocks(message.blocks)]
    else:
        given = [*message.content, *message.blocks]
    return _blocks(given)


def _blocks(given: Iterable[Mapping[str, Any]]) -> list[ContentBlock]:
    return [block for entry in given if (block := from_block(entry)) is not None]


def _react_text(message: Message) -> str:
    parts = message.content if isinstance(message.content, list) else []
    return "".join(str(part.get("reasoning") or part.get("text") or "") for part in parts)


def _call_block(call: ToolCall, names: Mapping[str, str]) -> ToolCallBlock:
    args = call.args if isinstance(call.args, (dict, str)) else json.dumps(call.args)
    return ToolCallBlock(
        tool_call_id=names.get(call.id, call.id) or None, tool_name=call.name, tool_kwargs=_copied(args)
    )


def _restored(dump: Mapping[str, Any]) -> ChatMessage:
    blocks: list[Any] = []
    for entry in dump.get("blocks") or ():
        cls = block_class(str(entry.get("block_type")))
        blocks.append(made(cls, entry) if cls else TextBlock(text=message_text([entry])))
    return _message(str(dump.get("role") or "user"), blocks, _copied(dump.get("additional_kwargs") or {}))


def _message(role: str, blocks: list[Any], kwargs: dict[str, Any]) -> ChatMessage:
    message = ChatMessage(role=MessageRole(role), blocks=[])
    # Set afterwards: building a message from an "images" entry would add its pictures a second time.
    message.blocks = blocks
    message.additional_kwargs = kwargs
    return message


def _dump(message: ChatMessage) -> dict[str, Any]:
    return {
        "role": message.role.value,
        "blocks": [block.model_dump(mode="json") for block in message.blocks],
        "additional_kwargs": _packed(message.additional_kwargs),
    }


def _own(message: Message) -> Mapping[str, Any]:
    meta = message.meta.get(OWN)
    return meta if isinstance(meta, Mapping) else {}


def _named(call: ToolCall, name: str) -> ToolCall:
    return call.model_copy(update={"id": name})


def _packed(value: Any) -> Any:
    return to_jsonable_python(value, fallback=repr, bytes_mode="base64", serialize_unknown=True)


def _copied(value: Any) -> Any:
    return json.loads(json.dumps(value)) if isinstance(value, (dict, list)) else value
