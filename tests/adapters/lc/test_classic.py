"""The classic memory in the classic chains."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langchain_classic", reason="the extra 'langchain-classic' is not installed")

from langchain_classic.agents import AgentExecutor, create_tool_calling_agent
from langchain_classic.chains import ConversationalRetrievalChain, ConversationChain, LLMChain
from langchain_classic.memory import CombinedMemory, ConversationBufferMemory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import tool
from pydantic import ValidationError

from smartbrain import SmartBrain, Turn
from smartbrain.errors import InputError, StoreError
from smartbrain_lc import SmartBrainMemory
from smartbrain_lc.testing import ScriptedChat, calls

# The chains themselves are deprecated; that is known to whoever still has them.
pytestmark = pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning")

Turns = Callable[..., list[Turn]]
Run = Callable[..., Any]


def shape(turn: Turn) -> list[tuple[str, str]]:
    return [(m.role, m.text or ",".join(c.name for c in m.tool_calls)) for m in turn.messages]


def memory(brain: SmartBrain, **settings: Any) -> SmartBrainMemory:
    return SmartBrainMemory(**{"brain": brain, "session_id": "s", **settings})


def test_conversation_chain_takes_it_as_it_comes(brain: SmartBrain, run: Run, turns: Turns) -> None:
    model = ScriptedChat(script=["hello", "still here"])
    chain = ConversationChain(llm=model, memory=memory(brain))
    assert run(chain, {"input": "hi"})["response"] == "hello"
    assert run(chain, "again")["response"] == "still here"
    assert [shape(t) for t in turns("s")] == [
        [("user", "hi"), ("assistant", "hello")],
        [("user", "again"), ("assistant", "still here")],
    ]
    assert "user: hi" in model.seen[1][0].text
    assert "assistant: hello" in model.seen[1][0].text


def test_conversation_chain_with_a_prompt_of_its_own_takes_several_variables(brain: SmartBrain, run: Run) -> None:
    brain.commit_turn("s", {"preferences": [{"name": "tone", "value": "short", "confirmed": True}]}, turn_id="p")
    prompt = PromptTemplate.from_template("F:{facts}\nE:{evidence}\n{recent_turns}\nHuman:{input}\nAI:")
    kept = memory(brain, variables={"facts": "system_blocks", "evidence": "evidence", "recent_turns": "recent_turns"})
    model = ScriptedChat(script=["x"])
    run(ConversationChain(llm=model, memory=kept, prompt=prompt), {"input": "hi"})
    assert "short" in model.seen[0][0].text.partition("E:")[0]


def test_several_inputs_need_an_input_key_and_recent_turns_can_be_messages(
    brain: SmartBrain, run: Run, turns: Turns
) -> None:
    prompt = ChatPromptTemplate.from_messages(
        [("system", "{memory} lang={lang}"), MessagesPlaceholder("recent_turns"), ("human", "{q}")]
    )
    slots = ["memory", "recent_turns"]
    with pytest.raises(InputError, match="input_key"):
        run(LLMChain(llm=ScriptedChat(script=["x"]), prompt=prompt, memory=memory(brain, variables=slots)),
            {"q": "x", "lang": "zh"})  # fmt: skip
    model = ScriptedChat(script=["one", "two"])
    kept = memory(brain, variables=slots, input_key="q", return_messages=True)
    chain = LLMChain(llm=model, prompt=prompt, memory=kept)
    run(chain, {"q": "first", "lang": "zh"})
    run(chain, {"q": "second", "lang": "zh"})
    assert [type(m) for m in model.seen[1][1:]] == [HumanMessage, AIMessage, HumanMessage]
    assert [m.text for m in model.seen[1][1:]] == ["first", "one", "second"]
    assert [shape(t)[0][1] for t in turns("s")] == ["first", "second"]


class Papers(BaseRetriever):
    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [Document(f"about {query}")]


def test_conversational_retrieval_chain_with_several_outputs(brain: SmartBrain, run: Run, turns: Turns) -> None:
    kept = memory(brain, variables={"chat_history": "recent_turns"}, return_messages=True, input_key="question")
    model = ScriptedChat(script=["one", "standalone question", "two"])
    chain = ConversationalRetrievalChain.from_llm(model, Papers(), memory=kept, return_source_documents=True)
    run(chain, {"question": "first"})
    assert run(chain, {"question": "second"})["answer"] == "two"
    assert [shape(t) for t in turns("s")] == [
        [("user", "first"), ("assistant", "one")],
        [("user", "second"), ("assistant", "two")],
    ]
    assert "Human: first\nAssistant: one" in model.seen[1][0].text


@tool
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


@pytest.mark.parametrize("steps", [True, False])
def test_agent_executor_sees_memory_in_every_call_and_records_its_tools(
    brain: SmartBrain, run: Run, turns: Turns, steps: bool
) -> None:
    brain.commit_turn("s", {"preferences": [{"name": "tone", "value": "short", "confirmed": True}]}, turn_id="p")
    prompt = ChatPromptTemplate.from_messages(
        [
            ("system", "{memory}"),
            MessagesPlaceholder("recent_turns"),
            ("human", "{input}"),
            MessagesPlaceholder("agent_scratchpad"),
        ]
    )
    model = ScriptedChat(script=[calls(("add", {"a": 1, "b": 2}, "c1")), "three"])
    kept = memory(brain, variables=["memory", "recent_turns"], return_messages=True)
    agent = AgentExecutor(
        agent=create_tool_calling_agent(model, [add], prompt),
        tools=[add],
        memory=kept,
        return_intermediate_steps=steps,
    )
    assert run(agent, {"input": "1+2"})["output"] == "three"
    assert all("short" in prompt_seen[0].text for prompt_seen in model.seen)
    tools = [("assistant", "add"), ("tool", "3")] if steps else []
    turn = turns("s")[-1]
    assert shape(turn) == [("user", "1+2"), *tools, ("assistant", "three")]
    if steps:
        assert [(c.id, c.name, c.args, c.result) for c in turn.tool_calls] == [("c1", "add", {"a": 1, "b": 2}, "3")]


def test_combined_memory_holds_it_beside_another(brain: SmartBrain, run: Run, turns: Turns) -> None:
    both = CombinedMemory(
        memories=[memory(brain, variables=["memory"], input_key="q"), ConversationBufferMemory(input_key="q")]
    )
    chain = LLMChain(
        llm=ScriptedChat(script=["x"]),
        prompt=ChatPromptTemplate.from_template("{memory} {history} {q}"),
        memory=both,
    )
    run(chain, {"q": "hi"})
    assert [shape(t) for t in turns("s")] == [[("user", "hi"), ("assistant", "x")]]


def test_streams_and_batches_commit_each_turn(brain: SmartBrain, turns: Turns) -> None:
    chain = LLMChain(
        llm=ScriptedChat(script=["x"]),
        prompt=ChatPromptTemplate.from_template("{history} {q}"),
        memory=memory(brain),
    )
    list(chain.stream({"q": "streamed"}))
    chain.batch([{"q": f"b{n}"} for n in range(4)])
    assert sorted(shape(t)[0][1] for t in turns("s")) == ["b0", "b1", "b2", "b3", "streamed"]


def test_a_model_that_fails_leaves_no_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    model = ScriptedChat(script=[RuntimeError("503")])
    chain = LLMChain(llm=model, prompt=ChatPromptTemplate.from_template("{history} {q}"), memory=memory(brain))
    with pytest.raises(RuntimeError, match="503"):
        run(chain, {"q": "hi"})
    assert turns("s") == []


def test_a_store_that_fails_does_not_cost_the_answer(
    brain: SmartBrain, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise StoreError("disk full")

    monkeypatch.setattr(brain, "compose_context", fail)
    monkeypatch.setattr(brain, "commit_turn", fail)
    prompt = ChatPromptTemplate.from_template("{history} {q}")
    chain = LLMChain(llm=ScriptedChat(script=["x"]), prompt=prompt, memory=memory(brain))
    assert run(chain, {"q": "hi"})["text"] == "x"
    counts = brain.diagnostics()["metrics"]["counts"]
    assert (counts["langchain_compose_failures"], counts["langchain_commit_failures"]) == (1, 1)
    strict = LLMChain(llm=ScriptedChat(script=["x"]), prompt=prompt, memory=memory(brain, on_error="raise"))
    with pytest.raises(StoreError, match="disk full"):
        run(strict, {"q": "hi"})


def test_an_output_without_a_usual_name_needs_an_output_key(brain: SmartBrain, turns: Turns) -> None:
    with pytest.raises(InputError, match="output_key"):
        memory(brain, on_error="raise").save_context({"input": "hi"}, {"a": "1", "b": "2"})
    memory(brain, output_key="b").save_context({"input": "hi"}, {"a": "1", "b": "2"})
    assert shape(turns("s")[0]) == [("user", "hi"), ("assistant", "2")]


def test_values_that_are_messages_keep_their_content(brain: SmartBrain, turns: Turns) -> None:
    content = [{"type": "text", "text": "look"}, {"type": "image", "url": "https://example.org/a.png"}]
    memory(brain).save_context({"input": HumanMessage(content)}, {"output": AIMessage("a cat", id="a1")})
    [turn] = turns("s")
    assert turn.messages[0].content == content
    assert turn.messages[1].id == "a1"


def test_with_a_user_what_one_session_said_the_next_knows(brain: SmartBrain) -> None:
    memory(brain, session_id="one", user_id="ada").save_context({"input": "the boat is Nautilus"}, {"output": "ok"})
    loaded = memory(brain, session_id="two", user_id="ada").load_memory_variables({"input": "the boat?"})
    assert "Nautilus" in loaded["history"]
    assert "Nautilus" not in str(memory(brain, session_id="two").load_memory_variables({"input": "the boat?"}))


def test_all_as_messages_begins_with_one_system_message(brain: SmartBrain) -> None:
    brain.commit_turn("s", {"preferences": [{"name": "tone", "value": "short", "confirmed": True}]}, turn_id="p")
    kept = memory(brain, return_messages=True)
    kept.save_context({"input": "hi"}, {"output": "hello"})
    history = asyncio.run(kept.aload_memory_variables({"input": "x"}))["history"]
    assert [m.type for m in history] == ["system", "human", "ai"]


def test_an_unknown_slot_is_refused_and_the_store_is_not_dumped(brain: SmartBrain) -> None:
    with pytest.raises(ValidationError, match="no slot 'moods'"):
        memory(brain, variables=["moods"])
    assert "brain" not in memory(brain).model_dump()
    assert not memory(brain).is_lc_serializable()


def test_clearing_says_that_it_deletes_nothing(brain: SmartBrain) -> None:
    with pytest.raises(NotImplementedError, match=r"brain\.forget.*session_id"):
        memory(brain).clear()
