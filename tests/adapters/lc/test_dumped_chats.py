"""Messages as LangChain really dumps them are read as chats without LangChain."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")

from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_to_dict,
)

from smartbrain.transfer.chats import detect, parse
from smartbrain.transfer.chats.turns import turns

MESSAGES = [
    SystemMessage("Be kind."),
    HumanMessage("Time?", id="h1"),
    AIMessage("", tool_calls=[{"name": "clock", "args": {"zone": "UTC"}, "id": "c1"}], id="a1"),
    ToolMessage("noon", tool_call_id="c1", name="clock", artifact={"raw": 12}),
    AIMessage([{"type": "text", "text": "Noon."}, {"type": "reasoning", "reasoning": "easy"}]),
    ChatMessage(role="user", content="Sure?"),
    FunctionMessage(name="clock", content="still noon"),
    AIMessageChunk("Yes."),
]
SAID = ["Be kind.", "Time?", "", "noon", "Noon.", "Sure?", "still noon", "Yes."]


@pytest.mark.parametrize(
    "dump",
    [
        messages_to_dict,
        lambda messages: [dumpd(m) for m in messages],
        lambda messages: [m.model_dump() for m in messages],
    ],
    ids=["messages_to_dict", "dumpd", "model_dump"],
)
def test_every_way_of_dumping_gives_the_same_turns(dump):
    value = json.loads(json.dumps(dump(MESSAGES)))
    assert detect(value) == "langchain"
    (chat,), skipped = parse(value, "langchain")
    assert not skipped
    assert [said.message.text for said in chat.said] == SAID
    first, second = turns(chat, "langchain")
    (call,) = first.events["tool_calls"]
    assert (call.id, call.name, call.args, call.result) == ("c1", "clock", {"zone": "UTC"}, "noon")
    assert first.events["messages"][3].meta["artifact"] == {"raw": 12}
    assert [message.role for message in second.events["messages"]] == ["user", "function", "assistant"]
