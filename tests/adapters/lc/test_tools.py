"""The memory tools: by hand, in an agent, and against LangChain's own suites."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pytest

pytest.importorskip("langchain", reason="the extra 'langchain' is not installed")
pytest.importorskip("langchain_tests", reason="langchain-tests is not installed")

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests
from langgraph.checkpoint.memory import InMemorySaver

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.errors import InputError
from smartbrain.tool_texts import ARGUMENTS, DESCRIPTIONS
from smartbrain_lc import SmartBrainMiddleware, make_memory_tools
from smartbrain_lc.testing import ScriptedChat, calls
from smartbrain_lc.tools import TOOL_NAMES

Run = Callable[..., Any]


def tool_named(name: str, brain: SmartBrain | None = None) -> Any:
    [found] = make_memory_tools(brain or SmartBrain.open(), session_id="s", user_id="ada", names=[name])  # type: ignore[list-item]
    return found


class _Suite:
    name = ""
    params: Mapping[str, Any] = MappingProxyType({})

    @property
    def tool_constructor(self) -> Any:
        return tool_named(self.name)

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return dict(self.params)


class _Search(_Suite):
    name, params = "search_memory", {"query": "tea", "k": 3}


class _Recall(_Suite):
    name, params = "recall_history", {"query": "tea"}


class _Save(_Suite):
    name, params = "save_memory", {"kind": "preference", "content": "tea", "name": "drink"}


class _Forget(_Suite):
    name, params = "forget_memory", {"memory_id": "mem_1"}


class TestSearchUnit(_Search, ToolsUnitTests): ...


class TestSearchIntegration(_Search, ToolsIntegrationTests): ...


class TestRecallUnit(_Recall, ToolsUnitTests): ...


class TestRecallIntegration(_Recall, ToolsIntegrationTests): ...


class TestSaveUnit(_Save, ToolsUnitTests): ...


class TestSaveIntegration(_Save, ToolsIntegrationTests): ...


class TestForgetUnit(_Forget, ToolsUnitTests): ...


class TestForgetIntegration(_Forget, ToolsIntegrationTests): ...


def test_the_model_is_told_each_argument_and_not_the_runtime(brain: SmartBrain) -> None:
    for tool in [*make_memory_tools(brain, session_id="s"), *SmartBrainMiddleware(brain).tools]:
        shown = tool.tool_call_schema.model_json_schema()["properties"]
        assert {name: field["description"] for name, field in shown.items()} == dict(ARGUMENTS[tool.name])
        assert tool.description == DESCRIPTIONS[tool.name]


def test_which_tools_an_agent_gets_can_be_chosen(brain: SmartBrain) -> None:
    assert [t.name for t in SmartBrainMiddleware(brain).tools] == list(TOOL_NAMES)
    assert [t.name for t in SmartBrainMiddleware(brain, tools=["recall_history"]).tools] == ["recall_history"]
    assert list(SmartBrainMiddleware(brain, tools=False).tools) == []
    with pytest.raises(InputError, match="read_mind"):
        make_memory_tools(brain, session_id="s", names=["read_mind"])  # type: ignore[list-item]


def test_tools_by_hand_work_sync_and_async_and_on_an_async_brain(brain: SmartBrain) -> None:
    [save] = make_memory_tools(brain, session_id="s", names=["save_memory"])
    [search] = make_memory_tools(AsyncSmartBrain(brain), session_id="s", names=["search_memory"])
    assert save.invoke({"kind": "fact", "name": "employer", "content": "Acme"}).startswith("Saved.")
    assert "Acme" in asyncio.run(search.ainvoke({"query": "employer"}))


@dataclass
class Context:
    user_id: str


def test_in_an_agent_the_tools_follow_the_runs_user(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(
        script=[
            calls(("save_memory", {"kind": "fact", "name": "employer", "content": "Acme"}, "c1")),
            "saved",
            calls(("search_memory", {"query": "employer"}, "c1"), ("recall_history", {"query": "Acme"}, "c2")),
            "Acme",
            calls(("search_memory", {"query": "employer"}, "c1"), ("recall_history", {"query": "Acme"}, "c2")),
            "?",
        ]
    )
    made = create_agent(
        model, [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver(), context_schema=Context
    )

    def ask(text: str, thread: str, user: str) -> list[ToolMessage]:
        config: Any = {"configurable": {"thread_id": thread}}
        out = run(made, {"messages": [HumanMessage(text)]}, config, context=Context(user))
        return [m for m in out["messages"] if isinstance(m, ToolMessage)]

    [saved] = ask("I work at Acme", "A", "ada")
    assert saved.artifact["items"][0]["key"] == "profile:user"
    found, recalled = ask("where do I work?", "B", "ada")
    assert found.artifact["items"][0]["id"] == saved.artifact["items"][0]["id"]
    assert "I work at Acme" in recalled.text
    nothing, nobody = ask("where do I work?", "C", "eve")
    assert nothing.artifact["items"] == []
    assert nobody.artifact["turns"] == []


def test_call_ids_that_start_anew_each_turn_do_not_undo_what_was_saved(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(
        script=[
            calls(("save_memory", {"kind": "preference", "name": "tone", "content": "short"}, "call_0")),
            "one",
            calls(("save_memory", {"kind": "preference", "name": "editor", "content": "Vim"}, "call_0")),
            "two",
        ]
    )
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver())
    for text in ("a", "b"):
        run(made, {"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": "T"}})
    assert {m.key for m in brain.memories("T", type="preferences")} == {"pref:other:tone", "pref:other:editor"}


def test_a_wrong_call_is_an_answer_the_model_can_act_on(brain: SmartBrain, run: Run) -> None:
    model = ScriptedChat(
        script=[
            calls(
                ("save_memory", {"kind": "fact", "content": "Acme"}, "c1"),
                ("save_memory", {"kind": "feeling", "content": "sad"}, "c2"),
                ("forget_memory", {"memory_id": "nothing"}, "c3"),
                ("recall_history", {"since": "yesterday"}, "c4"),
            ),
            "sorry",
        ]
    )
    made = create_agent(model, [], middleware=[SmartBrainMiddleware(brain)])
    out = run(made, {"messages": [HumanMessage("q")]}, {"configurable": {"thread_id": "T"}})
    answers = {m.tool_call_id: str(m.text) for m in out["messages"] if isinstance(m, ToolMessage)}
    assert "name" in answers["c1"]
    assert "preference" in answers["c2"]
    assert "search_memory" in answers["c3"]
    assert "2026-03-01" in answers["c4"]
    assert out["messages"][-1].text == "sorry"
