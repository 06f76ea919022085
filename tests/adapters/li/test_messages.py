"""Messages of every kind go to the neutral form and come back equal."""

from __future__ import annotations

import base64
import json

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.base.llms.types import (
    AudioBlock,
    CacheControl,
    CachePoint,
    ChatMessage,
    CitableBlock,
    CitationBlock,
    DocumentBlock,
    ImageBlock,
    MessageRole,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from pydantic import BaseModel

from smartbrain import Message
from smartbrain_li._messages import from_neutral, to_neutral, tool_calls, tool_records

PNG = base64.b64encode(
    base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
)
WAV = base64.b64encode(b"RIFF\x24\x00\x00\x00WAVEfmt \x00\xff\xfe")
CALL = ToolCallBlock(tool_call_id="c1", tool_name="weather", tool_kwargs={"city": "Rome", "days": [1, 2]})


def there_and_back(message: ChatMessage) -> ChatMessage:
    """Through the store's own form: JSON."""
    stored = to_neutral(message, "m1").model_dump(mode="json")
    return from_neutral(Message.model_validate(json.loads(json.dumps(stored))))


BLOCKS = {
    "text": TextBlock(text="hello 你好"),
    "empty text": TextBlock(text=""),
    "image bytes": ImageBlock(image=PNG, detail="high"),
    "image url": ImageBlock(url="https://example.org/a.png", image_mimetype="image/png"),
    "data url": ImageBlock(url="data:image/png;base64," + PNG.decode()),
    "audio": AudioBlock(audio=WAV, format="wav"),
    "audio url": AudioBlock(url="https://example.org/a.mp3"),
    "video": VideoBlock(video=WAV, video_mimetype="video/mp4", detail="low", fps=2),
    "document": DocumentBlock(
        data=base64.b64encode(b"%PDF-1.4 \xff\xfe"), title="A report", document_mimetype="application/pdf"
    ),
    "cache": CachePoint(cache_control=CacheControl(type="ephemeral", ttl="1h")),
    "citable": CitableBlock(
        title="A page", source="https://example.org", content=[TextBlock(text="words"), ImageBlock(image=PNG)]
    ),
    "citation": CitationBlock(
        cited_content=TextBlock(text="words"), source="s", title="t", additional_location_info={"page": 3}
    ),
    "thinking": ThinkingBlock(
        content="let me see", num_tokens=7, additional_information={"signature": "EqQB/+==", "n": 1}
    ),
    "empty thinking": ThinkingBlock(),
    "tool call": CALL,
    "tool call without an id": ToolCallBlock(tool_name="weather", tool_kwargs={}),
    "tool call with an empty id": ToolCallBlock(tool_call_id="", tool_name="weather"),
    "tool call with text arguments": ToolCallBlock(
        tool_call_id="x", tool_name="weather", tool_kwargs='{"city": "Rome"}'
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_comes_back_equal(name):
    message = ChatMessage(role="assistant", blocks=[BLOCKS[name]])
    assert there_and_back(message) == message


def test_all_blocks_in_one_message_keep_their_order():
    forwards = ChatMessage(role="assistant", blocks=list(BLOCKS.values()))
    backwards = ChatMessage(role="assistant", blocks=list(BLOCKS.values())[::-1])
    assert there_and_back(forwards) == forwards
    assert there_and_back(backwards) == backwards


@pytest.mark.parametrize("role", list(MessageRole))
def test_every_role_comes_back(role):
    message = ChatMessage(role=role, content="hello")
    assert there_and_back(message) == message


def test_a_message_without_blocks_is_not_one_with_an_empty_text():
    nothing, empty = ChatMessage(role="assistant", blocks=[]), ChatMessage(role="assistant", content="")
    assert there_and_back(nothing) == nothing
    assert there_and_back(empty) == empty
    assert nothing != empty


def test_a_file_that_is_gone_keeps_its_path(tmp_path):
    file = tmp_path / "a.png"
    file.write_bytes(base64.b64decode(PNG))
    message = ChatMessage(role="user", blocks=[ImageBlock(path=file, image_mimetype="image/png")])
    stored = to_neutral(message, "m")
    file.unlink()
    block = from_neutral(stored).blocks[0]
    assert isinstance(block, ImageBlock)
    assert str(block.path) == str(file)


def test_a_tool_result_keeps_its_call_id_and_other_arguments():
    message = ChatMessage(
        role="tool", content="sunny", additional_kwargs={"tool_call_id": "c1", "name": "weather", "x": {"y": 1}}
    )
    neutral = to_neutral(message, "m")
    assert (neutral.role, neutral.tool_call_id, neutral.name, neutral.text) == ("tool", "c1", "weather", "sunny")
    assert there_and_back(message) == message


class _Function(BaseModel):
    name: str
    arguments: str


class _OpenAICall(BaseModel):
    id: str
    function: _Function
    type: str = "function"


LEGACY = {"id": "c9", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}


def test_older_tool_calls_are_read_and_come_back_where_they_were():
    message = ChatMessage(role="assistant", content=None, additional_kwargs={"tool_calls": [LEGACY]})
    neutral = to_neutral(message, "m")
    assert [(c.id, c.name, c.args) for c in neutral.tool_calls] == [("c9", "weather", {"city": "Oslo"})]
    assert there_and_back(message) == message


def test_older_tool_calls_that_are_objects_come_back_as_their_dump():
    call = _OpenAICall(id="c9", function=_Function(name="weather", arguments='{"city": "Oslo"}'))
    message = ChatMessage(role="assistant", content=None, additional_kwargs={"tool_calls": [call]})
    assert tool_calls(message)[0].args == {"city": "Oslo"}
    assert there_and_back(message).additional_kwargs == {"tool_calls": [LEGACY]}


def test_both_forms_of_a_tool_call_come_back_and_count_once():
    message = ChatMessage(role="assistant", blocks=[CALL], additional_kwargs={"tool_calls": [LEGACY]})
    assert [c.id for c in to_neutral(message, "m").tool_calls] == ["c1"]
    assert there_and_back(message) == message


def test_an_object_in_the_arguments_never_stops_a_message():
    message = ChatMessage(role="user", content="x", additional_kwargs={"odd": object(), "raw": b"\xff\x00"})
    back = there_and_back(message)
    assert back.content == "x"
    assert "object" in back.additional_kwargs["odd"]


def test_thinking_is_neither_said_nor_searched():
    message = ChatMessage(role="assistant", blocks=[BLOCKS["thinking"], TextBlock(text="Rome")])
    assert to_neutral(message, "m").text == "Rome"


def test_a_message_comes_back_as_a_new_object_each_time():
    neutral = to_neutral(ChatMessage(role="assistant", blocks=[CALL], additional_kwargs={"a": {"b": [1]}}), "m")
    one, other = from_neutral(neutral), from_neutral(neutral)
    one.additional_kwargs["a"]["b"].append(2)
    one.blocks[0].tool_kwargs["city"] = "Oslo"  # type: ignore[union-attr]
    assert other == from_neutral(neutral)
    assert other.blocks[0].tool_kwargs["city"] == "Rome"  # type: ignore[union-attr]


REACT = (
    "Thought: I need a tool.\nAction: weather\nAction Input: {'city': 'Rome', 'n': 1}\nObservation: sunny in Rome\n"
    "with wind\nThought: I can answer\nwithout more tools\nAnswer: It is sunny.\nTake a hat."
)


def test_the_text_of_a_react_run_is_split_into_reasoning_tools_and_answer():
    message = ChatMessage(role="assistant", content=REACT)
    neutral = to_neutral(message, "m")
    assert neutral.text == "It is sunny.\nTake a hat."
    (call,) = tool_records([neutral])
    assert (call.name, call.args, call.result) == ("weather", {"city": "Rome", "n": 1}, "sunny in Rome\nwith wind")
    assert there_and_back(message) == message


@pytest.mark.parametrize("text", ["Thought: no end", "I thought.\nAnswer: 3", "Thought: a\nAction: b", "Answer: 3"])
def test_other_texts_that_look_like_react_stay_whole(text):
    message = ChatMessage(role="assistant", content=text)
    assert to_neutral(message, "m").content == text
    assert there_and_back(message) == message


def test_blocks_of_other_providers_are_read():
    message = Message(
        role="user",
        content=[
            {"type": "text", "text": "look"},
            {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
            {"type": "image", "base64": PNG.decode(), "mime_type": "image/png"},
            {"type": "reasoning", "reasoning": "hm", "extras": {"signature": "s"}},
            {"type": "thinking", "thinking": "ha", "signature": "t"},
            {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
            {"type": "strange", "title": "words"},
        ],
    )
    back = from_neutral(message)
    assert [block.block_type for block in back.blocks] == ["text", "image", "image", "thinking", "thinking", "text"]
    assert back.blocks[3].additional_information == {"signature": "s"}  # type: ignore[union-attr]
    assert back.blocks[4].additional_information == {"signature": "t"}  # type: ignore[union-attr]


def test_neutral_blocks_have_the_form_that_langchain_reads():
    blocks = to_neutral(
        ChatMessage(role="user", blocks=[TextBlock(text="a"), BLOCKS["image bytes"], BLOCKS["thinking"]]), "m"
    ).content
    assert blocks[1] == {
        "type": "image",
        "base64": PNG.decode(),
        "mime_type": "image/png",
        "extras": {"llama_index": {"detail": "high"}},
    }
    assert blocks[2]["type"] == "reasoning"
    assert blocks[2]["extras"]["signature"] == "EqQB/+=="


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
arguments = st.dictionaries(st.text(max_size=6), values, max_size=3)
some_blocks = st.one_of(
    st.builds(TextBlock, text=st.text(max_size=20)),
    st.builds(ImageBlock, url=st.just("https://example.org/x.png"), detail=st.none() | st.text(max_size=4)),
    st.builds(ThinkingBlock, content=st.none() | st.text(max_size=9), additional_information=arguments),
    st.builds(
        ToolCallBlock,
        tool_call_id=st.none() | st.text(max_size=4),
        tool_name=st.text(max_size=5),
        tool_kwargs=arguments | st.text(max_size=5),
    ),
    st.builds(
        CitationBlock,
        cited_content=st.builds(TextBlock, text=st.text(max_size=5)),
        source=st.text(max_size=3),
        title=st.text(max_size=3),
        additional_location_info=st.dictionaries(st.text(max_size=3), st.integers(0, 9), max_size=2),
    ),
)


@given(
    role=st.sampled_from(list(MessageRole)),
    blocks=st.lists(some_blocks, max_size=4),
    kwargs=st.dictionaries(st.sampled_from(["tool_call_id", "name", "tool_calls", "x", ""]), values, max_size=3),
)
def test_any_message_comes_back_equal(role, blocks, kwargs):
    message = ChatMessage(role=role, blocks=blocks, additional_kwargs=kwargs)
    assert there_and_back(message) == message
