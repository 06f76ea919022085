"""Messages as LlamaIndex really dumps them are read as chats without LlamaIndex."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock

from smartbrain.transfer.chats import detect, parse
from smartbrain.transfer.chats.turns import turns


def test_a_chat_stores_messages_are_read():
    call = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": '{"zone": "UTC"}'}}
    messages = [
        ChatMessage(role="system", content="Be kind."),
        ChatMessage(role="user", content="Time?"),
        ChatMessage(role="assistant", content=None, additional_kwargs={"tool_calls": [call]}),
        ChatMessage(role="tool", content="noon", additional_kwargs={"tool_call_id": "c1", "name": "clock"}),
        ChatMessage(
            role="assistant",
            blocks=[
                ThinkingBlock(content="easy"),
                TextBlock(text="Noon."),
                ToolCallBlock(tool_call_id="c2", tool_name="bell", tool_kwargs={"times": 12}),
                ImageBlock(url="https://example.org/noon.png"),
            ],
        ),
    ]
    # What SimpleChatStore.persist writes; the messages' own dump, for the store's breaks with some versions of pydantic.
    value = json.loads(
        json.dumps({"store": {"s": [m.model_dump(mode="json") for m in messages]}, "class_name": "SimpleChatStore"})
    )
    assert detect(value) == "llamaindex"
    (chat,), skipped = parse(value, "llamaindex")
    assert not skipped
    (turn,) = turns(chat, "llamaindex")
    assert [message.text for message in turn.events["messages"]] == ["Be kind.", "Time?", "", "noon", "Noon."]
    clock, bell = turn.events["tool_calls"]
    assert (clock.args, clock.result, clock.status) == ({"zone": "UTC"}, "noon", "ok")
    assert (bell.args, bell.status) == ({"times": 12}, "pending")
    assert [block["type"] for block in turn.events["messages"][-1].blocks] == ["thinking", "image"]
