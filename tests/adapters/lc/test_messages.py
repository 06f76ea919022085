"""LangChain messages become neutral ones and come back equal."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="the extra 'langchain' is not installed")

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_chunk_to_message,
)

from smartbrain import SmartBrain
from smartbrain.model import Message
from smartbrain.model import ToolCall as NeutralCall
from smartbrain_lc._messages import from_neutral, spoken, to_neutral, tool_records

USAGE = {"input_tokens": 3, "output_tokens": 5, "total_tokens": 8, "input_token_details": {"cache_read": 1}}
CALL = {"name": "look", "args": {"q": "茶", "n": [1, 2.5, None]}, "id": "c1", "type": "tool_call"}
BAD_CALL = {"name": "look", "args": '{"q": ', "id": "c2", "error": "not JSON", "type": "invalid_tool_call"}

MESSAGES: dict[str, BaseMessage] = {
    "text": HumanMessage("hello", id="h1"),
    "no id": HumanMessage("hello"),
    "name and metadata": HumanMessage("hello", id="h2", name="ada", additional_kwargs={"a": {"b": [1]}}),
    "empty answer": AIMessage("", id="a0"),
    "text blocks": HumanMessage([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], id="h3"),
    "bare strings in a list": HumanMessage(["one", {"type": "text", "text": "two"}], id="h4"),
    "image url": HumanMessage([{"type": "text", "text": "看"}, {"type": "image_url", "image_url": {"url": "data:x"}}]),
    "standard image": HumanMessage([{"type": "image", "base64": "AAAA", "mime_type": "image/png"}], id="h5"),
    "anthropic image": HumanMessage([{"type": "image", "source": {"type": "base64", "data": "AA"}}], id="h6"),
    "audio": HumanMessage([{"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}}], id="h7"),
    "file": HumanMessage([{"type": "file", "file": {"filename": "plan.pdf", "file_data": "data:x"}}], id="h8"),
    "raw bytes": HumanMessage([{"type": "media", "data": b"\x00\xff", "mime_type": "audio/wav"}], id="h9"),
    "cache control": SystemMessage([{"type": "text", "text": "be nice", "cache_control": {"type": "ephemeral"}}]),
    "developer": SystemMessage("rules", id="s1", additional_kwargs={"__openai_role__": "developer"}),
    "thinking": AIMessage([{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "yes"}]),
    "reasoning": AIMessage([{"type": "reasoning", "reasoning": "hm", "extras": {"signature": "s"}}], id="a1"),
    "tool call": AIMessage("", tool_calls=[CALL], id="a2"),
    "tool use blocks": AIMessage(
        [{"type": "text", "text": "let me see"}, {"type": "tool_use", "id": "c1", "name": "look", "input": {"q": 1}}],
        tool_calls=[CALL],
        id="a3",
        response_metadata={"model_provider": "anthropic"},
    ),
    "call without id": AIMessage("", tool_calls=[{**CALL, "id": None}], id="a4"),
    "invalid call": AIMessage("", invalid_tool_calls=[BAD_CALL], id="a5"),
    "usage": AIMessage("hi", usage_metadata=USAGE, response_metadata={"model_name": "m", "logprobs": None}, id="a6"),
    "refusal": AIMessage("", additional_kwargs={"refusal": "I cannot"}, id="a7"),
    "result": ToolMessage("42", tool_call_id="c1", name="look", id="t1"),
    "failed result": ToolMessage("no", tool_call_id="c1", status="error", id="t2"),
    "artifact": ToolMessage("42", tool_call_id="c1", artifact={"rows": [1, 2], "raw": b"\x01"}, id="t3"),
    "result blocks": ToolMessage([{"type": "text", "text": "r"}, {"type": "image", "url": "u"}], tool_call_id="c1"),
    "function": FunctionMessage("42", name="look", id="f1"),
    "chat": ChatMessage("no", role="critic", id="x1"),
    "lone surrogate": HumanMessage("\ud800 and \x00", id="h10"),
    "looks like packed bytes": HumanMessage("x", additional_kwargs={"__bytes__": "AA==", "other": 1}, id="h11"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_of_every_kind_comes_back_equal(name: str) -> None:
    message = MESSAGES[name]
    there = to_neutral(message)
    stored = Message.model_validate(json.loads(there.to_json()))
    back = from_neutral(stored)
    assert type(back) is type(message)
    assert back == message
    assert back.model_dump() == message.model_dump()


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_comes_back_equal_from_the_store(name: str, tmp_path: Any) -> None:
    with SmartBrain.open(tmp_path / "brain.db") as brain:
        brain.commit_turn("s", {"messages": [to_neutral(MESSAGES[name])]}, turn_id="t")
    with SmartBrain.open(tmp_path / "brain.db") as brain:
        [turn] = brain.recall_history("s", turn_ids=["t"])
    assert from_neutral(turn.messages[0]) == MESSAGES[name]


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_extra = st.dictionaries(st.text(max_size=6), _json, max_size=3)
_block = st.fixed_dictionaries({"type": st.sampled_from(["text", "image", "refusal", "thinking", "odd"])}) | (
    st.builds(lambda text: {"type": "text", "text": text}, st.text(max_size=10))
)
_content = st.text(max_size=20) | st.lists(_block | st.text(max_size=5), max_size=3)
_ids = st.none() | st.text(min_size=1, max_size=8)
_tool_calls = st.lists(
    st.builds(
        lambda name, args, id_: {"name": name, "args": args, "id": id_, "type": "tool_call"},
        st.text(max_size=6),
        _extra,
        _ids,
    ),
    max_size=3,
)
_messages = (
    st.builds(HumanMessage, _content, id=_ids, name=_ids, additional_kwargs=_extra, response_metadata=_extra)
    | st.builds(AIMessage, _content, id=_ids, name=_ids, tool_calls=_tool_calls, response_metadata=_extra)
    | st.builds(ToolMessage, _content, id=_ids, tool_call_id=st.text(max_size=5), artifact=_json)
    | st.builds(SystemMessage, _content, id=_ids)
    | st.builds(ChatMessage, _content, id=_ids, role=st.sampled_from(["user", "critic", "system", "tool"]))
)


@given(_messages)
def test_any_message_of_json_values_comes_back_equal(message: BaseMessage) -> None:
    stored = Message.model_validate(json.loads(to_neutral(message).to_json()))
    back = from_neutral(stored)
    assert type(back) is type(message)
    assert back.model_dump() == message.model_dump()


def test_a_chunk_becomes_its_message() -> None:
    chunk = AIMessageChunk("hel", id="a1") + AIMessageChunk("lo", id="a1")
    assert from_neutral(to_neutral(chunk)) == message_chunk_to_message(chunk)


def test_an_object_that_is_no_json_comes_back_as_its_repr() -> None:
    there = to_neutral(ToolMessage("x", tool_call_id="c", artifact=object, id="t"))
    back = from_neutral(Message.model_validate(json.loads(there.to_json())))
    assert back.artifact == repr(object)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("text", "user"),
        ("usage", "assistant"),
        ("cache control", "system"),
        ("developer", "developer"),
        ("result", "tool"),
        ("function", "function"),
        ("chat", "assistant"),
    ],
)
def test_roles_are_the_neutral_ones_and_an_unknown_speaker_is_not_the_user(name: str, role: str) -> None:
    assert to_neutral(MESSAGES[name]).role == role


def test_thinking_is_kept_and_is_not_part_of_the_words() -> None:
    neutral = to_neutral(MESSAGES["thinking"])
    assert neutral.text == "yes"
    assert isinstance(neutral.content, list)
    assert neutral.content[0]["thinking"] == "hm"


def test_words_in_a_providers_own_block_form_can_be_searched() -> None:
    odd = AIMessage([{"type": "output_text", "text": "Lisbon"}], response_metadata={"model_provider": "openai"})
    assert "Lisbon" in to_neutral(odd).text
    assert spoken(HumanMessage(["Porto"])) == "Porto"


def test_a_neutral_message_from_elsewhere_becomes_a_langchain_message() -> None:
    call = NeutralCall(id="c1", name="look", args={"q": 1})
    assert from_neutral(Message(id="m1", role="user", content="hi")) == HumanMessage("hi", id="m1")
    assert from_neutral(Message(role="assistant", content=None, tool_calls=(call,))) == AIMessage(
        "", tool_calls=[{"name": "look", "args": {"q": 1}, "id": "c1", "type": "tool_call"}]
    )
    assert from_neutral(Message(role="tool", content="r", tool_call_id="c1")) == ToolMessage("r", tool_call_id="c1")
    assert from_neutral(Message(role="developer", content="rules")) == SystemMessage("rules")


def test_calls_are_recorded_with_their_results_and_without_one_they_are_pending() -> None:
    records = tool_records(
        [
            AIMessage("", tool_calls=[CALL, {**CALL, "id": "c2"}, {**CALL, "id": "c3"}]),
            ToolMessage("no", tool_call_id="c2", status="error"),
            ToolMessage([{"type": "text", "text": "42"}], tool_call_id="c1"),
        ]
    )
    assert [(r.id, r.status, r.result) for r in records] == [
        ("c1", "ok", "42"),
        ("c2", "error", "no"),
        ("c3", "pending", None),
    ]
