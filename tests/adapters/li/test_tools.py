"""The four memory tools in an agent's hands."""

from __future__ import annotations

import asyncio
import json

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from llama_index.core.agent.workflow import FunctionAgent

from smartbrain import tool_texts
from smartbrain.errors import ScopeError
from smartbrain_li import SmartBrainMemory, memory_tools
from smartbrain_li.testing import ScriptedLLM, tool_call, tool_calls

NAMES = ["search_memory", "recall_history", "save_memory", "forget_memory"]


def by_name(tools):
    return {tool.metadata.name: tool for tool in tools}


def test_names_texts_and_arguments_are_those_of_the_core(memory):
    tools = memory_tools(memory)
    assert [tool.metadata.name for tool in tools] == NAMES
    for tool in tools:
        name = tool.metadata.name
        assert tool.metadata.description == tool_texts.DESCRIPTIONS[name]
        schema = tool.metadata.get_parameters_dict()
        assert {n: p["description"] for n, p in schema["properties"].items()} == dict(tool_texts.ARGUMENTS[name])
        assert json.dumps(tool.metadata.to_openai_tool(skip_length_check=True))


def test_what_is_saved_is_found_and_can_be_forgotten(memory):
    tools = by_name(memory_tools(memory))
    saved = tools["save_memory"](kind="fact", name="employer", content="Acme")
    assert saved.content.startswith("Saved.")
    found = tools["search_memory"](query="employer").content
    assert "Acme" in found
    (item,) = memory.brain.memories("s")
    assert tools["forget_memory"](memory_id=item.id).content.startswith("Forgotten")
    assert "Acme" not in tools["search_memory"](query="employer").content


def test_past_turns_come_back_word_for_word(memory):
    from llama_index.core.llms import ChatMessage

    memory.put_messages(
        [
            ChatMessage(role="user", content="My sister Irma plays the bassoon"),
            ChatMessage(role="assistant", content="Lovely!"),
        ]
    )
    text = by_name(memory_tools(memory))["recall_history"](query="bassoon").content
    assert "My sister Irma plays the bassoon" in text
    assert "Lovely!" in text


def test_async_calls_do_the_same(memory):
    tools = by_name(memory_tools(memory))

    async def inside():
        await tools["save_memory"].acall(kind="fact", name="employer", content="Acme")
        return (await tools["search_memory"].acall(query="employer")).content

    assert "Acme" in asyncio.run(inside())


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("search_memory", {}, "query"),
        ("search_memory", {"query": "x", "kind": "nonsense"}, "kind"),
        ("search_memory", {"query": "x", "k": "many"}, "k"),
        ("recall_history", {}, "query"),
        ("recall_history", {"since": "yesterday-ish"}, "since"),
        ("save_memory", {"kind": "fact", "content": "x"}, "name"),
        ("forget_memory", {"memory_id": "no-such-id"}, "no-such-id"),
    ],
)
def test_a_mistake_is_an_answer_the_model_can_act_on(memory, name, arguments, expected):
    answer = by_name(memory_tools(memory))[name](**arguments)
    assert answer.content.startswith("Error: ")
    assert expected in answer.content


def test_numbers_may_come_as_text(memory):
    assert not by_name(memory_tools(memory))["search_memory"](query="x", k="3").content.startswith("Error")


def test_tools_work_on_the_memory_they_were_made_for(brain):
    mine = by_name(memory_tools(brain=brain, session_id="a", user_id="u1"))
    theirs = by_name(memory_tools(brain=brain, session_id="a", user_id="u2"))
    mine["save_memory"](kind="fact", name="employer", content="Canary Ltd")
    assert "Canary" in mine["search_memory"](query="employer").content
    assert "Canary" not in theirs["search_memory"](query="employer").content
    with pytest.raises(ScopeError, match="memory_tools needs"):
        memory_tools(brain=brain)


def test_an_agent_saves_and_finds_in_one_run_and_its_turn_is_whole(memory, log):
    llm = ScriptedLLM(
        script=[
            tool_call("save_memory", "c1", kind="preference", name="drink", content="tea"),
            tool_calls(("search_memory", "c2", {"query": "tea"}), ("recall_history", "c3", {"query": "tea"})),
            "You like tea.",
        ]
    )
    agent = FunctionAgent(tools=memory_tools(memory), llm=llm)

    async def inside():
        return str(await agent.run("Remember that I like tea", memory=memory))

    assert asyncio.run(inside()) == "You like tea."
    assert [role for role, _ in log()[-1][1]] == ["user", "assistant", "tool", "assistant", "tool", "tool", "assistant"]
    assert any(item.type == "preferences" for item in memory.brain.memories("s"))
    # The two calls run side by side; which answers first is nobody's promise.
    assert any("tea" in said for role, said in log()[-1][1][4:6] if role == "tool")


def test_a_store_that_is_gone_gives_an_answer(make_brain):
    brain = make_brain()
    memory = SmartBrainMemory.from_defaults(brain, session_id="s")
    tools = by_name(memory_tools(memory))
    brain.close()
    assert "Go on without it" in tools["search_memory"](query="x").content
