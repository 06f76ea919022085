"""One store, two frameworks: a session begun in one goes on in the other."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")
pytest.importorskip("langchain.agents", reason="the extra langchain is not installed")

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from llama_index.core.llms import ChatMessage

from smartbrain_lc import SmartBrainMiddleware
from smartbrain_lc._messages import from_neutral as to_langchain
from smartbrain_lc._messages import to_neutral as from_langchain
from smartbrain_lc.testing import ScriptedChat
from smartbrain_li import SmartBrainMemory
from smartbrain_li._messages import from_neutral, to_neutral
from smartbrain_li.testing import ScriptedLLM, tool_call


def weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


def in_langchain(brain, question, *script, **scopes):
    model = ScriptedChat(script=list(script))
    agent = create_agent(
        model,
        [weather],
        middleware=[SmartBrainMiddleware(brain, session_id="s", tools=False, on_error="raise", **scopes)],
    )
    agent.invoke({"messages": [HumanMessage(question)]})
    return model


def in_llama_index(brain, question, *script, **scopes):
    llm = ScriptedLLM(script=list(script))
    memory = SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise", **scopes)

    async def inside():
        await FunctionAgent(tools=[weather], llm=llm).run(question, memory=memory)

    asyncio.run(inside())
    return llm, memory


def calls(city, call_id):
    return AIMessage("", tool_calls=[{"name": "weather", "args": {"city": city}, "id": call_id, "type": "tool_call"}])


@pytest.mark.parametrize("scopes", [{}, {"user_id": "u"}], ids=["session", "user"])
def test_a_session_begun_in_langchain_goes_on_in_llama_index(brain, scopes):
    in_langchain(brain, "Weather in Rome for my sister Irma?", calls("Rome", "c1"), "Sunny in Rome.", **scopes)
    llm, memory = in_llama_index(brain, "And who asked?", "Irma.", **scopes)
    prompt = llm.prompts[0]
    assert [m.role.value for m in prompt] == ["user", "assistant", "tool", "assistant", "user"]
    assert prompt[0].content == "Weather in Rome for my sister Irma?"
    (call,) = [b for b in prompt[1].blocks if isinstance(b, ToolCallBlock)]
    assert (call.tool_call_id, call.tool_name, call.tool_kwargs) == ("c1", "weather", {"city": "Rome"})
    assert (prompt[2].content, prompt[2].additional_kwargs["tool_call_id"]) == ("sunny in Rome", "c1")
    assert [m.content for m in memory.get_all()][-2:] == ["And who asked?", "Irma."]


def test_a_session_begun_in_llama_index_goes_on_in_langchain(brain):
    in_llama_index(
        brain, "Weather in Oslo for my brother Jon?", tool_call("weather", "c9", city="Oslo"), "Sunny in Oslo."
    )
    # LangGraph keeps its own thread; what the other framework said is in the log and in the memory.
    turns = brain.recall_history("s")
    messages = [to_langchain(m) for t in turns for m in t.messages]
    assert [type(m) for m in messages] == [HumanMessage, AIMessage, ToolMessage, AIMessage]
    assert messages[1].tool_calls == [{"name": "weather", "args": {"city": "Oslo"}, "id": "c9", "type": "tool_call"}]
    assert messages[2].tool_call_id == "c9"
    model = in_langchain(brain, "What is the weather for my brother Jon?", "Sunny.")
    assert "Jon" in str([m.content for m in model.seen[0]][:-1]) or "Sunny in Oslo" in str(model.seen[0])


def test_back_and_forth_is_one_history_with_whole_tool_pairs(brain):
    for n in range(3):
        in_langchain(brain, f"lc {n}", calls(f"Rome{n}", "call"), f"lc answer {n}")
        llm, memory = in_llama_index(brain, f"li {n}", tool_call("weather", "call", city=f"Oslo{n}"), f"li answer {n}")
    texts = [m.content for m in memory.get_all() if m.role.value == "user"]
    assert texts == [f"{framework} {n}" for n in range(3) for framework in ("lc", "li")]
    for prompt in llm.prompts:
        called = [b.tool_call_id for m in prompt for b in m.blocks if isinstance(b, ToolCallBlock)]
        assert len(called) == sum(m.role.value == "tool" for m in prompt)


def test_a_users_memory_is_one_in_both(brain):
    from smartbrain_lc import make_memory_tools
    from smartbrain_li import memory_tools

    theirs = {tool.name: tool for tool in make_memory_tools(brain, session_id="a", user_id="u")}
    ours = {t.metadata.name: t for t in memory_tools(brain=brain, session_id="b", user_id="u")}
    theirs["save_memory"].invoke({"kind": "fact", "name": "employer", "content": "Acme"})
    assert "Acme" in ours["search_memory"](query="employer").content
    assert {name: tool.description for name, tool in theirs.items()} == {
        name: t.metadata.description for name, t in ours.items()
    }


MESSAGES = {
    "text": ChatMessage(role="user", content="hello"),
    "picture": ChatMessage(role="user", blocks=[TextBlock(text="look"), ImageBlock(url="https://example.org/a.png")]),
    "thinking": ChatMessage(
        role="assistant",
        blocks=[ThinkingBlock(content="hm", additional_information={"signature": "s"}), TextBlock(text="yes")],
    ),
    "call": tool_call("weather", "c1", city="Rome"),
    "result": ChatMessage(role="tool", content="sunny", additional_kwargs={"tool_call_id": "c1"}),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_says_the_same_in_both_and_comes_back(name):
    message = MESSAGES[name]
    other = to_langchain(to_neutral(message, "m1"))
    back = from_neutral(from_langchain(other))
    assert back.role == message.role
    assert back.blocks == message.blocks
    assert back.additional_kwargs.get("tool_call_id") == message.additional_kwargs.get("tool_call_id")
    if name == "thinking":
        assert other.content_blocks[0]["reasoning"] == "hm"
    if name == "picture":
        assert other.content_blocks[1]["url"] == "https://example.org/a.png"
