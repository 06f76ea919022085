"""Chats of other programs, read: what was said, by whom, when, and with which tools; what is not known is counted."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.errors import InputError
from smartbrain.model import Message
from smartbrain.transfer.chats import FORMATS, detect, parse
from smartbrain.transfer.chats.turns import ChatTurn, turns
from smartbrain.transfer.chats.values import Chat, Said, moment

AT = 1_700_000_000.5  # 2023-11-14 22:13:20.5 UTC


def when(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


# -- samples, in the shapes that the programs write ----------------------------------------------------------------


def node(name: str, parent: str | None, role: str = "", text: Any = "", **more: Any) -> dict[str, Any]:
    """A node of ChatGPT's tree; ``at`` seconds after the start, ``kind`` its content type."""
    if not role:
        return {"id": name, "message": None, "parent": parent, "children": []}
    kind = more.pop("kind", "text")
    content = {"content_type": kind, **(text if isinstance(text, dict) else {"parts": [text]})}
    message = {
        "id": name,
        "author": {"role": role, "name": more.pop("author", None), "metadata": {}},
        "create_time": AT + more.pop("at", 0),
        "update_time": None,
        "content": content,
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": more.pop("metadata", {}),
        "recipient": more.pop("recipient", "all"),
    }
    return {"id": name, "message": message, "parent": parent, "children": []}


def chatgpt(*nodes: dict[str, Any], current: str | None = None, **more: Any) -> dict[str, Any]:
    mapping = {one["id"]: one for one in nodes}
    for one in nodes:
        if one["parent"] in mapping:
            mapping[one["parent"]]["children"].append(one["id"])
    return {
        "title": "Weather",
        "create_time": AT,
        "update_time": AT + 99,
        "mapping": mapping,
        "current_node": current or nodes[-1]["id"],
        "conversation_id": "conv-1",
        "id": "conv-1",
        **more,
    }


CHATGPT = [
    chatgpt(
        node("root", None),
        node("sys", "root", "system", "", metadata={"is_visually_hidden_from_conversation": True}),
        node(
            "ctx",
            "sys",
            "user",
            {"user_profile": "I am a pilot", "user_instructions": "be brief"},
            kind="user_editable_context",
        ),
        node("q1", "ctx", "user", "What is the weather in Lisbon?", at=1),
        node("old", "q1", "assistant", "An answer that was made anew.", at=2),
        node(
            "think", "q1", "assistant", {"thoughts": [{"summary": "s", "content": "look it up"}]}, kind="thoughts", at=3
        ),
        node("call", "think", "assistant", {"text": '{"city": "Lisbon"}'}, kind="code", recipient="weather.get", at=4),
        node("result", "call", "tool", {"text": "21 degrees"}, kind="execution_output", author="weather.get", at=5),
        node("a1", "result", "assistant", "It is 21 degrees.", at=6),
        node(
            "q2",
            "a1",
            "user",
            {
                "parts": [
                    {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1", "width": 5},
                    "And what is this?",
                ]
            },
            kind="multimodal_text",
            at=7,
            metadata={"attachments": [{"id": "file-1", "name": "sky.png", "mime_type": "image/png", "size": 9}]},
        ),
        node("a2", "q2", "assistant", "A cloud.", at=8),
    )
]

CLAUDE = [
    {
        "uuid": "c-1",
        "name": "Etymology",
        "created_at": "2026-04-15T07:04:34.970320Z",
        "updated_at": "2026-04-15T08:39:33.249880Z",
        "account": {"uuid": "acc-1"},
        "chat_messages": [
            {
                "uuid": "m-1",
                "text": "Where does prohibit come from?",
                "content": [{"type": "text", "text": "Where does prohibit come from?", "citations": []}],
                "sender": "human",
                "created_at": "2026-04-15T07:04:35.647570Z",
                "updated_at": "2026-04-15T07:04:35.647570Z",
                "attachments": [
                    {"file_name": "notes.txt", "file_size": 9, "file_type": "txt", "extracted_content": "pro + habere"}
                ],
                "files": [{"file_name": "notes.txt"}, {"file_name": "photo.jpg"}],
                "parent_message_uuid": "00000000-0000-4000-8000-000000000000",
            },
            {
                "uuid": "m-2",
                "text": "I will look. From Latin.",
                "content": [
                    {"type": "thinking", "thinking": "Latin, I guess"},
                    {"type": "text", "text": "I will look."},
                    {
                        "type": "tool_use",
                        "id": "toolu_1",
                        "name": "web_search",
                        "input": {"query": "prohibit"},
                        "start_timestamp": "2026-04-15T07:04:39.771101Z",
                    },
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_1",
                        "name": "web_search",
                        "is_error": False,
                        "content": [
                            {"type": "knowledge", "title": "prohibit", "url": "https://e.org", "text": "Latin"}
                        ],
                    },
                    {"type": "text", "text": "From Latin."},
                    {"type": "token_budget"},
                ],
                "sender": "assistant",
                "created_at": "2026-04-15T07:26:43.273739Z",
                "attachments": [],
                "files": [],
                "parent_message_uuid": "m-1",
            },
        ],
    }
]

OPENAI = {
    "id": "thread-9",
    "created_at": 1_700_000_000,
    "messages": [
        {"role": "system", "content": "You are kind."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Time?"}, {"type": "image_url", "image_url": {"url": "u"}}],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "clock", "arguments": '{"zone": "UTC"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "12:00"},
        {"role": "assistant", "content": "Noon."},
        {"role": "user", "content": "Thanks", "created_at": "2023-11-15T00:00:00+01:00"},
    ],
}

LANGCHAIN = [
    {"type": "system", "data": {"content": "You are kind.", "type": "system"}},
    {
        "type": "human",
        "data": {"content": "Time?", "additional_kwargs": {"timestamp": AT}, "type": "human", "id": "h1"},
    },
    {
        "type": "ai",
        "data": {
            "content": "",
            "type": "ai",
            "id": "a1",
            "tool_calls": [{"name": "clock", "args": {"zone": "UTC"}, "id": "call_1", "type": "tool_call"}],
            "invalid_tool_calls": [],
        },
    },
    {"type": "tool", "data": {"content": "broken", "type": "tool", "tool_call_id": "call_1", "status": "error"}},
    {"type": "ai", "data": {"content": [{"type": "text", "text": "Noon."}], "type": "ai"}},
]

DUMPED = [
    {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "HumanMessage"],
        "kwargs": {"content": "Time?", "type": "human", "id": "h1"},
    },
    {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "AIMessageChunk"],
        "kwargs": {"content": "Noon.", "id": "a1"},
    },
]

LLAMAINDEX = {
    "store": {
        "ann": [
            {"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "Time?"}]},
            {
                "role": "assistant",
                "additional_kwargs": {},
                "blocks": [
                    {
                        "block_type": "tool_call",
                        "tool_call_id": "c2",
                        "tool_name": "clock",
                        "tool_kwargs": {"zone": "UTC"},
                    }
                ],
            },
            {
                "role": "tool",
                "additional_kwargs": {"tool_call_id": "c2", "name": "clock"},
                "blocks": [{"block_type": "text", "text": "12:00"}],
            },
            {
                "role": "assistant",
                "additional_kwargs": {},
                "blocks": [
                    {"block_type": "thinking", "content": "easy"},
                    {"block_type": "text", "text": "Noon."},
                    {"block_type": "image", "url": "https://e.org/noon.png"},
                ],
            },
        ],
        "old": [{"role": "user", "content": "hello", "additional_kwargs": {}}],
    },
    "class_name": "SimpleChatStore",
}

MEM0 = {
    "results": [
        {
            "id": "m1",
            "memory": "Is allergic to nuts",
            "hash": "x",
            "metadata": {"food": True},
            "categories": ["health"],
            "created_at": "2024-07-01T12:00:00-07:00",
            "updated_at": "2024-08-01T12:00:00-07:00",
            "user_id": "alex",
        },
        {
            "id": "m2",
            "memory": "Lives in Graz",
            "created_at": "2024-07-02T12:00:00-07:00",
            "updated_at": None,
            "user_id": "alex",
        },
    ]
}

SAMPLES: dict[str, Any] = {
    "chatgpt": CHATGPT,
    "claude": CLAUDE,
    "openai": OPENAI,
    "langchain": LANGCHAIN,
    "llamaindex": LLAMAINDEX,
    "mem0": MEM0,
}


def read(format: str, value: Any) -> list[Chat]:
    return parse(json.loads(json.dumps(value)), format)[0]


def spoken(chat: Chat) -> list[tuple[str, str]]:
    return [(said.message.role, said.message.text) for said in chat.said]


def as_turns(format: str, value: Any) -> list[ChatTurn]:
    return [turn for chat in read(format, value) for turn in turns(chat, format)]


# -- which format it is --------------------------------------------------------------------------------------------

SHAPES = [
    *SAMPLES.items(),
    ("chatgpt", CHATGPT[0]),
    ("chatgpt", {"conversations": CHATGPT}),
    ("claude", CLAUDE[0]),
    ("claude", {"conversations": CLAUDE}),
    ("openai", OPENAI["messages"]),
    ("openai", [OPENAI]),
    ("openai", [OPENAI["messages"]]),
    ("openai", {"conversations": [OPENAI]}),
    ("openai", {"data": OPENAI["messages"]}),
    ("openai", {"role": "user", "content": "hi"}),
    ("langchain", DUMPED),
    ("langchain", {"messages": DUMPED}),
    ("langchain", {"session a": LANGCHAIN, "session b": DUMPED}),
    ("langchain", [{"type": "human", "content": "hi", "id": None}]),
    ("llamaindex", {"store": {}, "class_name": "SimpleChatStore"}),
    ("mem0", MEM0["results"]),
    ("mem0", {"memories": MEM0["results"]}),
]


@pytest.mark.parametrize(("format", "value"), SHAPES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_format_is_known_by_what_stands_in_the_file(format: str, value: Any) -> None:
    assert detect(value) == format
    parse(value, format)


@pytest.mark.parametrize("value", [None, 3, "text", [], {}, [1, 2], {"a": 1}, [{"role": "wizard", "content": "x"}]])
def test_what_is_no_chat_is_an_error_that_names_the_formats(value: Any) -> None:
    with pytest.raises(InputError, match="chatgpt, claude"):
        detect(value)
    with pytest.raises(InputError, match="no format 'zip'"):
        parse(value, "zip")


@pytest.mark.parametrize("format", FORMATS)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "role",
                        "content",
                        "messages",
                        "mapping",
                        "message",
                        "author",
                        "parts",
                        "store",
                        "blocks",
                        "type",
                        "data",
                        "kwargs",
                        "lc",
                        "id",
                        "uuid",
                        "chat_messages",
                        "sender",
                        "memory",
                        "tool_calls",
                        "function",
                        "name",
                        "current_node",
                        "parent",
                        "metadata",
                        "results",
                    ]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=20,
    )
)
def test_no_value_breaks_a_parser(format: str, value: Any) -> None:
    with suppress(InputError):
        detect(value)
    for chat in parse(value, format)[0]:
        list(turns(chat, format))


# -- ChatGPT -------------------------------------------------------------------------------------------------------


def test_chatgpt_gives_the_branch_that_was_last_shown() -> None:
    (chat,), skipped = parse(CHATGPT, "chatgpt")
    assert (chat.id, chat.title, chat.started_at) == ("conv-1", "Weather", when(AT))
    assert [said.message.id for said in chat.said] == ["q1", "think", "call", "result", "a1", "q2", "a2"]
    assert skipped == {
        "message of another branch": 1,
        "custom instructions and account context": 1,
        "hidden system message": 1,
    }
    assert all(said.message.created_at and said.message.created_at > when(AT) for said in chat.said)


def test_chatgpt_calls_are_kept_whole() -> None:
    first, second = as_turns("chatgpt", CHATGPT)
    (call,) = first.events["tool_calls"]
    assert (call.name, call.args, call.result, call.status) == ("weather.get", {"city": "Lisbon"}, "21 degrees", "ok")
    assert (call.started_at, call.ended_at) == (when(AT + 4), when(AT + 5))
    assert "tool_calls" not in second.events
    assert first.occurred_at == when(AT + 1)
    assert (first.session_id, first.turn_id) == ("chatgpt:conv-1", "q1")


def test_chatgpt_code_a_python_error_and_what_is_not_answered() -> None:
    value = chatgpt(
        node("q", None, "user", "go"),
        node("c1", "q", "assistant", {"text": "print(1"}, kind="code", recipient="python"),
        node("r1", "c1", "tool", {"name": "E", "text": "SyntaxError"}, kind="system_error", author="python"),
        node("c2", "r1", "assistant", "look", recipient="browser"),
    )
    ((turn),) = as_turns("chatgpt", [value])
    one, two = turn.events["tool_calls"]
    assert (one.args, one.status, one.result) == ({"input": "print(1"}, "error", "E\nSyntaxError")
    assert (two.name, two.status) == ("browser", "pending")


def test_chatgpt_pictures_and_files_come_with_their_message() -> None:
    said = read("chatgpt", CHATGPT)[0].said[5]
    assert said.message.text == "And what is this?"
    assert isinstance(said.message.content, list)
    assert said.message.content[0]["asset_pointer"] == "file-service://file-1"
    assert [(ref.type, ref.uri) for ref in said.refs] == [("file", "sky.png")]


def test_chatgpt_thoughts_are_not_said_to_anybody() -> None:
    thought = read("chatgpt", CHATGPT)[0].said[1].message
    assert thought.text == ""
    assert thought.blocks[0]["thinking"] == "look it up"


def test_chatgpt_without_a_current_node_takes_the_newest_leaf_and_a_circle_ends() -> None:
    tree = chatgpt(
        node("q", None, "user", "hi"),
        node("late", "q", "assistant", "late", at=9),
        node("a", "q", "assistant", "early", at=1),
    )
    assert spoken(read("chatgpt", [{**tree, "current_node": "a"}])[0])[-1] == ("assistant", "early")
    assert spoken(read("chatgpt", [{**tree, "current_node": None}])[0])[-1] == ("assistant", "late")
    assert spoken(read("chatgpt", [{**tree, "current_node": "gone"}])[0])[-1] == ("assistant", "late")
    tree["mapping"]["q"]["parent"] = "late"
    assert len(read("chatgpt", [{**tree, "current_node": "late"}])[0].said) == 2


def test_chatgpt_a_conversation_without_an_id_has_that_of_its_first_message() -> None:
    nameless = {name: value for name, value in CHATGPT[0].items() if name not in {"id", "conversation_id"}}
    assert read("chatgpt", [nameless])[0].id == "sys"


def test_chatgpt_content_that_is_not_known_is_counted() -> None:
    value = chatgpt(
        node("q", None, "user", "hi"),
        node("x", "q", "assistant", {"blob": 1}, kind="hologram"),
        node("e", "x", "assistant", ""),
        node("p", "e", "assistant", {"parts": [{"content_type": "riddle"}, "and text"]}),
    )
    (chat,), skipped = parse([value, 7, {"mapping": {}}], "chatgpt")
    assert spoken(chat)[-1] == ("assistant", "and text")
    assert skipped["content of type 'hologram'"] == 1
    assert skipped["empty message"] == 2
    assert skipped["part of a message that is not known"] == 1
    assert skipped["conversation that is no object"] == 1
    assert skipped["conversation without messages"] == 1


# -- Claude --------------------------------------------------------------------------------------------------------


def test_claude_messages_are_taken_apart_at_their_tools() -> None:
    (chat,), skipped = parse(CLAUDE, "claude")
    assert (chat.id, chat.title, chat.owner) == ("c-1", "Etymology", "acc-1")
    assert [(said.message.id, said.message.role) for said in chat.said] == [
        ("m-1", "user"),
        ("m-2", "assistant"),
        ("m-2/2", "tool"),
        ("m-2/3", "assistant"),
    ]
    asked, searched, result, answered = (said.message for said in chat.said)
    assert searched.blocks[0]["thinking"] == "Latin, I guess"
    assert searched.tool_calls[0].args == {"query": "prohibit"}
    assert (result.tool_call_id, result.text) == ("toolu_1", "prohibit\nhttps://e.org\nLatin")
    assert answered.text == "From Latin."
    assert asked.blocks[0]["content"] == "pro + habere"
    assert asked.text == "Where does prohibit come from?"
    assert [ref.uri for ref in chat.said[0].refs] == ["notes.txt", "photo.jpg"]
    assert skipped == {"block of type 'token_budget'": 1}
    (turn,) = turns(chat, "claude")
    (call,) = turn.events["tool_calls"]
    assert call.result[0]["url"] == "https://e.org"
    assert turn.occurred_at == datetime(2026, 4, 15, 7, 4, 35, 647570, tzinfo=UTC)


def claude_message(name: str, parent: str | None, sender: str = "human") -> dict[str, Any]:
    return {
        "uuid": name,
        "text": name,
        "sender": sender,
        "created_at": "2026-01-01T00:00:00Z",
        "parent_message_uuid": parent,
    }


def test_claude_gives_the_newest_branch_or_the_one_that_is_named() -> None:
    given = [claude_message("a", "root"), claude_message("b", "a", "assistant"), claude_message("c", "a", "assistant")]
    chat = {"uuid": "x", "chat_messages": given}
    (newest,), skipped = parse([chat], "claude")
    assert spoken(newest) == [("user", "a"), ("assistant", "c")]
    assert skipped == {"message of another branch": 1}
    (named,) = read("claude", [{**chat, "current_leaf_message_uuid": "b"}])
    assert spoken(named)[-1] == ("assistant", "b")
    for one in given:
        del one["parent_message_uuid"]
    assert len(read("claude", [chat])[0].said) == 3


def test_claude_older_files_have_the_text_alone_and_files_may_come_without_words() -> None:
    given = [
        {"uuid": "a", "text": "hi", "sender": "human", "created_at": "2024-01-01T00:00:00Z"},
        {"uuid": "b", "text": "", "sender": "human", "files": [{"file_name": "a.pdf"}]},
        {"uuid": "c", "text": "", "sender": "assistant"},
        {"uuid": "d", "text": "x", "sender": "ghost"},
    ]
    (chat,), skipped = parse([{"uuid": "x", "chat_messages": given}], "claude")
    assert [said.message.id for said in chat.said] == ["a", "b"]
    assert chat.said[1].refs[0].uri == "a.pdf"
    assert skipped == {"empty message": 1, "message of sender 'ghost'": 1}


# -- messages with roles -------------------------------------------------------------------------------------------


def test_openai_messages_keep_calls_results_and_pictures() -> None:
    first, second = as_turns("openai", OPENAI)
    assert first.session_id == "openai:thread-9"
    assert [m.role for m in first.events["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
    (call,) = first.events["tool_calls"]
    assert (call.id, call.name, call.args, call.result) == ("call_1", "clock", {"zone": "UTC"}, "12:00")
    assert first.events["messages"][1].content[1]["image_url"] == {"url": "u"}
    assert first.occurred_at == when(1_700_000_000)
    assert second.occurred_at == datetime.fromisoformat("2023-11-15T00:00:00+01:00")


def test_openai_functions_of_old_and_blocks_of_anthropic_are_read_too() -> None:
    value = [
        {"role": "user", "content": "sum"},
        {"role": "assistant", "content": None, "function_call": {"name": "add", "arguments": "not json"}},
        {"role": "function", "name": "add", "content": "3"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "mul", "input": {"a": 2}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "4", "is_error": True}]},
        {"role": "assistant", "content": None, "refusal": "I may not."},
    ]
    (turn,) = as_turns("openai", value)
    add, mul = turn.events["tool_calls"]
    assert (add.args, add.result) == ("not json", "3")
    assert (mul.args, mul.result, mul.status) == ({"a": 2}, "4", "error")
    assert turn.events["messages"][-1].text == "I may not."


def test_openai_lines_belong_together_by_their_conversation() -> None:
    lines = [{"role": "user", "content": str(n), "session_id": f"s{n % 2}", "timestamp": AT + n} for n in range(4)]
    chats = read("openai", lines)
    assert [chat.id for chat in chats] == ["s0", "s1"]
    assert [text for _, text in spoken(chats[1])] == ["1", "3"]


def test_a_chat_without_an_id_has_the_same_one_when_it_has_grown() -> None:
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    grown = [*said, {"role": "user", "content": "more"}]
    (short,), (long,) = read("openai", said), read("openai", grown)
    assert short.id == long.id == read("openai", said[:1])[0].id
    one, two = read("openai", [said, grown])
    assert one.id == short.id != two.id
    assert read("openai", [{"role": "user", "content": "else"}])[0].id != short.id


def test_openai_what_is_not_known_is_counted() -> None:
    value = [
        {"role": "user", "content": "hi"},
        {"role": "narrator", "content": "x"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": 7},
        {"role": "user", "content": ["text", 3]},
        "line",
    ]
    (chat,), skipped = parse(value, "openai")
    assert spoken(chat) == [("user", "hi"), ("user", "text")]
    assert skipped == {
        "message that is no object": 1,
        "message of role 'narrator'": 1,
        "empty message": 2,
        "content that is int": 1,
        "part of a message that is not known": 1,
    }


def test_langchain_both_ways_of_packing_give_the_same() -> None:
    (turn,) = as_turns("langchain", LANGCHAIN)
    (call,) = turn.events["tool_calls"]
    assert (call.name, call.args, call.result, call.status) == ("clock", {"zone": "UTC"}, "broken", "error")
    assert turn.occurred_at == when(AT)
    assert [(m.role, m.text) for m in turn.events["messages"]][-1] == ("assistant", "Noon.")
    assert spoken(read("langchain", DUMPED)[0]) == [("user", "Time?"), ("assistant", "Noon.")]
    by_session = read("langchain", {"a": LANGCHAIN, "b": {"messages": DUMPED}, "c": 3})
    assert [chat.id for chat in by_session] == ["a", "b"]


def test_langchain_roles_and_types_that_are_not_known_are_counted() -> None:
    value = [
        {"type": "human", "content": "hi"},
        {"type": "chat", "data": {"role": "user", "content": "named role"}},
        {"type": "chat", "data": {"role": "critic", "content": "x"}},
        {"type": "remove", "data": {"content": "x"}},
        {"type": "ai", "content": ""},
    ]
    (chat,), skipped = parse(value, "langchain")
    assert [text for _, text in spoken(chat)] == ["hi", "named role"]
    assert skipped == {"message of type 'chat'": 1, "message of type 'remove'": 1, "empty message": 1}


def test_llamaindex_gives_a_chat_for_each_key() -> None:
    ann, old = read("llamaindex", LLAMAINDEX)
    assert (ann.id, old.id) == ("ann", "old")
    (turn,) = turns(ann, "llamaindex")
    (call,) = turn.events["tool_calls"]
    assert (call.id, call.args, call.result) == ("c2", {"zone": "UTC"}, "12:00")
    last = turn.events["messages"][-1]
    assert (last.text, [block["type"] for block in last.blocks]) == ("Noon.", ["thinking", "image"])
    assert turn.occurred_at is None
    assert spoken(old) == [("user", "hello")]


def test_llamaindex_older_calls_stand_in_the_extra_arguments() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    said = [
        {"role": "USER", "content": "go"},
        {"role": "assistant", "content": None, "additional_kwargs": {"tool_calls": [call]}, "blocks": []},
        {"role": "tool", "content": "42", "additional_kwargs": {"tool_call_id": "c1"}},
        {"role": "jester", "content": "x"},
    ]
    (chat,), skipped = parse({"store": {"k": said, "broken": 3}}, "llamaindex")
    (turn,) = turns(chat, "llamaindex")
    assert turn.events["tool_calls"][0].result == "42"
    assert skipped == {"message of role 'jester'": 1, "key without messages": 1}


def test_mem0_each_memory_is_a_turn_at_the_time_it_was_last_written() -> None:
    (chat,) = read("mem0", MEM0)
    assert (chat.id, chat.owner) == ("alex/memories", "alex")
    one, two = turns(chat, "mem0")
    assert (one.turn_id, two.turn_id) == ("m1", "m2")
    assert one.occurred_at == datetime.fromisoformat("2024-08-01T12:00:00-07:00")
    assert two.occurred_at == datetime.fromisoformat("2024-07-02T12:00:00-07:00")
    (message,) = one.events["messages"]
    assert (message.role, message.name, message.text) == ("assistant", "mem0", "Is allergic to nuts")
    assert message.meta["mem0"]["categories"] == ["health"]


def test_mem0_tells_whose_memories_they_are_and_counts_what_has_no_text() -> None:
    value = [{"id": "1", "memory": "a", "user_id": "ann"}, {"id": "2", "memory": "b", "user_id": "bob"}, {"id": "3"}]
    chats, skipped = parse(value, "mem0")
    assert [chat.owner for chat in chats] == ["ann", "bob"]
    assert skipped == {"memory without text or id": 1}


# -- calls -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "value"),
    [
        (
            "chatgpt",
            [
                chatgpt(
                    node("q", None, "user", "go"),
                    node("c", "q", "assistant", {"text": "run()"}, kind="code", recipient="python"),
                    node("r", "c", "tool", {"text": ""}, kind="execution_output", author="python"),
                )
            ],
        ),
        ("openai", [*OPENAI["messages"][1:3], {"role": "tool", "tool_call_id": "call_1", "content": ""}]),
        (
            "langchain",
            [*LANGCHAIN[1:3], {"type": "tool", "data": {"content": "", "type": "tool", "tool_call_id": "call_1"}}],
        ),
        (
            "llamaindex",
            {
                "store": {
                    "k": [
                        *LLAMAINDEX["store"]["ann"][:2],
                        {"role": "tool", "additional_kwargs": {"tool_call_id": "c2"}},
                    ]
                }
            },
        ),
    ],
)
def test_a_tool_that_had_nothing_to_say_has_answered(format: str, value: Any) -> None:
    (turn,) = as_turns(format, value)
    (call,) = turn.events["tool_calls"]
    assert (call.status, call.result) == ("ok", "")


def test_a_result_in_two_messages_is_one_and_an_id_that_is_used_again_is_another_call() -> None:
    call = {"role": "assistant", "function_call": {"name": "add", "arguments": '{"a": 1}'}, "content": None}
    again = {"role": "assistant", "function_call": {"name": "add", "arguments": '{"a": 2}'}, "content": None}
    said = [{"role": "function", "name": "add", "content": text} for text in ("one", "two", "three")]
    (turn,) = as_turns("openai", [{"role": "user", "content": "go"}, call, said[0], said[1], again, said[2]])
    first, second = turn.events["tool_calls"]
    assert (first.id, first.args, first.result) == ("add", {"a": 1}, "one\n\ntwo")
    assert (second.id, second.args, second.result) == ("add/1", {"a": 2}, "three")


# -- turns ---------------------------------------------------------------------------------------------------------


def chat_of(*roles: str, started_at: datetime | None = None) -> Chat:
    said = tuple(Said(Message(id=f"m{n}", role=role, content=role)) for n, role in enumerate(roles))  # type: ignore[arg-type]
    return Chat("c", said, started_at=started_at)


@pytest.mark.parametrize(
    ("roles", "sizes"),
    [
        (("user", "assistant", "user", "assistant"), [2, 2]),
        (("system", "user", "assistant"), [3]),
        (("assistant", "user", "assistant"), [1, 2]),
        (("system", "assistant", "user"), [2, 1]),
        (("user", "user"), [1, 1]),
        (("user", "assistant", "tool", "assistant", "system", "user"), [5, 1]),
        ((), []),
    ],
)
def test_a_turn_is_a_question_with_all_that_came_of_it(roles: tuple[str, ...], sizes: list[int]) -> None:
    assert [len(turn.events["messages"]) for turn in turns(chat_of(*roles), "x")] == sizes


def test_turns_without_a_time_follow_the_one_before() -> None:
    start = datetime(2025, 1, 1, tzinfo=UTC)
    found = [turn.occurred_at for turn in turns(chat_of("user", "user", "user", started_at=start), "x")]
    assert found[0] == start
    assert found == sorted(set(found))  # type: ignore[type-var]
    assert [turn.occurred_at for turn in turns(chat_of("user", "user"), "x")] == [None, None]


def test_an_id_that_is_used_twice_in_a_chat_counts_once() -> None:
    said = tuple(Said(Message(id="same", role="user", content=str(n))) for n in range(3))
    assert [turn.turn_id for turn in turns(Chat("c", said), "x")] == ["same", "x:c#2", "x:c#3"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (AT, when(AT)),
        (AT * 1000, when(AT)),
        ("2025-01-02", datetime(2025, 1, 2, tzinfo=UTC)),
        ("2025-01-02T03:04:05Z", datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("yesterday", None),
        (True, None),
        (None, None),
        (1e300, None),
        ([], None),
    ],
)
def test_moments_are_read_in_the_usual_forms(given: Any, expected: datetime | None) -> None:
    assert moment(given) == expected
