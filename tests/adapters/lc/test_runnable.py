"""Memory in LCEL: prompt variables in, turns out, streaming included."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="the extra 'langchain' is not installed")

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from smartbrain import AsyncSmartBrain, SmartBrain, Turn
from smartbrain.errors import InputError, ScopeError, StoreError
from smartbrain.text.fence import OPEN
from smartbrain_lc import LoadMemory, with_memory
from smartbrain_lc.testing import ScriptedChat

Turns = Callable[..., list[Turn]]
Run = Callable[..., Any]

PROMPT = ChatPromptTemplate.from_messages(
    [
        ("system", "{developer_blocks}\n{system_blocks}\n{working_summary}\n{evidence}"),
        MessagesPlaceholder("recent_turns"),
        ("human", "{input}"),
    ]
)


def session(name: str) -> Any:
    return {"configurable": {"session_id": name}}


def shape(turn: Turn) -> list[tuple[str, str]]:
    return [(m.role, m.text) for m in turn.messages]


def test_a_package_fills_the_variables_of_a_prompt(brain: SmartBrain, run: Run) -> None:
    brain.commit_turn("s", messages=[{"role": "user", "content": "the boat is called Nautilus"}], turn_id="t1")
    for n in range(8):
        brain.commit_turn("s", messages=[{"role": "user", "content": f"note {n}"}], turn_id=f"n{n}")
    preference = {"preferences": [{"name": "tone", "value": "short answers", "confirmed": True}]}
    brain.commit_turn("s", preference, turn_id="p")
    model = ScriptedChat(script=["x"])
    given = {"input": "what is the boat called", "developer_blocks": ["Answer in French."]}
    run(LoadMemory(brain=brain) | PROMPT | model, given, session("s"))
    system, *recent, user = model.seen[0]
    assert isinstance(system, SystemMessage)
    assert system.text.startswith("Answer in French.\n" + OPEN)
    assert "short answers" in system.text
    assert "Nautilus" in system.text
    assert [m.text for m in recent] == [f"note {n}" for n in range(8)]
    assert user.text == "what is the boat called"


def test_every_variable_is_there_and_empty_for_an_empty_memory(brain: SmartBrain, run: Run) -> None:
    out = run(LoadMemory(brain=brain), {"input": "hi", "lang": "zh"}, session("s"))
    assert out == {
        "input": "hi",
        "lang": "zh",
        "system_blocks": "",
        "developer_blocks": "",
        "working_summary": "",
        "recent_turns": [],
        "evidence": "",
        "memory": "",
        "user_message": "hi",
    }
    assert run(LoadMemory(brain=brain, messages=False), "hi", session("s"))["recent_turns"] == ""


def test_text_in_memory_is_no_template(brain: SmartBrain, run: Run) -> None:
    brain.commit_turn("s", messages=[{"role": "user", "content": "the secret is {input} {{x}} { evil }"}], turn_id="t")
    model = ScriptedChat(script=["x"])
    prompt = ChatPromptTemplate.from_messages([("system", "{memory} {recent_turns}"), ("human", "{input}")])
    run(LoadMemory(brain=brain, messages=False) | prompt | model, "what is the secret", session("s"))
    assert "what is the secret" not in model.seen[0][0].text
    assert "evil" in model.seen[0][0].text


def test_inputs_it_cannot_use_are_named(brain: SmartBrain, run: Run) -> None:
    with pytest.raises(InputError, match="'input'"):
        run(LoadMemory(brain=brain), {"question": "hi"}, session("s"))
    with pytest.raises(InputError, match="'evidence'"):
        run(LoadMemory(brain=brain), {"input": "hi", "evidence": "mine"}, session("s"))
    with pytest.raises(ScopeError, match="session_id"):
        run(LoadMemory(brain=brain), "hi")


@pytest.mark.parametrize(
    "given", ["hi", {"input": "hi"}, {"input": HumanMessage("hi")}, {"input": [HumanMessage("hi")]}]
)
def test_a_chain_with_memory_commits_each_turn_once(brain: SmartBrain, run: Run, turns: Turns, given: Any) -> None:
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("recent_turns"), ("human", "{user_message}")])
    model = ScriptedChat(script=["one", "two"])
    chain = with_memory(prompt | model, brain)
    assert run(chain, given, session("s")).text == "one"
    assert run(chain, given, session("s")).text == "two"
    assert [shape(t) for t in turns("s")] == [
        [("user", "hi"), ("assistant", "one")],
        [("user", "hi"), ("assistant", "two")],
    ]
    assert [m.text for m in model.seen[1]] == ["hi", "one", "hi"]


def test_of_a_conversation_in_the_input_only_what_is_new_is_recorded(brain: SmartBrain, run: Run, turns: Turns) -> None:
    chain = with_memory(
        ChatPromptTemplate.from_messages([MessagesPlaceholder("input")]) | ScriptedChat(script=["two"]), brain
    )
    run(chain, {"input": [HumanMessage("a"), AIMessage("one"), HumanMessage("b")]}, session("s"))
    assert [shape(t) for t in turns("s")] == [[("user", "b"), ("assistant", "two")]]


@pytest.mark.parametrize(
    ("tail", "output_key"),
    [
        (StrOutputParser(), None),
        (RunnableLambda(lambda m: {"answer": m.text, "sources": []}), None),
        (RunnableLambda(lambda m: {"a": 1, "b": m}), "b"),
        (RunnableLambda(lambda m: {"only": m.text}), None),
        (RunnableLambda(lambda m: [m]), None),
    ],
)
def test_the_answer_is_found_in_every_form_of_output(
    brain: SmartBrain, run: Run, turns: Turns, tail: Any, output_key: Any
) -> None:
    chain = with_memory(PROMPT | ScriptedChat(script=["yes"]) | tail, brain, output_key=output_key)
    run(chain, "hi", session("s"))
    assert shape(turns("s")[0]) == [("user", "hi"), ("assistant", "yes")]


def test_an_output_without_a_clear_answer_is_returned_all_the_same(brain: SmartBrain, run: Run, turns: Turns) -> None:
    chain = with_memory(RunnableLambda(lambda fields: {"a": 1, "b": 2}), brain)
    assert run(chain, "hi", session("s")) == {"a": 1, "b": 2}
    assert brain.diagnostics()["metrics"]["counts"]["langchain_answer_failures"] == 1
    with pytest.raises(InputError, match="output_key"):
        run(with_memory(RunnableLambda(lambda f: {"a": 1, "b": 2}), brain, on_error="raise"), "hi", session("s"))


def collected(chain: Any, given: Any, config: Any, world: str) -> list[Any]:
    if world == "sync":
        return list(chain.stream(given, config))

    async def read() -> list[Any]:
        return [chunk async for chunk in chain.astream(given, config)]

    return asyncio.run(read())


@pytest.mark.parametrize("world", ["sync", "async"])
def test_a_stream_stays_a_stream_and_is_committed_at_its_end(brain: SmartBrain, turns: Turns, world: str) -> None:
    chain = with_memory(PROMPT | ScriptedChat(script=["hello there friend"]) | StrOutputParser(), brain)
    assert [c for c in collected(chain, "one", session("s"), world) if c] == ["hello ", "there ", "friend"]
    assert next(c for c in collected(chain | StrOutputParser(), "two", session("s"), world) if c) == "hello "
    raw = with_memory(PROMPT | ScriptedChat(script=["hello there friend"]), brain)
    collected(raw, "three", session("s"), world)
    mapped = with_memory(RunnablePassthrough.assign(answer=PROMPT | ScriptedChat(script=["mapped"])), brain)
    collected(mapped, "four", session("s"), world)
    assert [shape(t) for t in turns("s")] == [
        [("user", "one"), ("assistant", "hello there friend")],
        [("user", "two"), ("assistant", "hello there friend")],
        [("user", "three"), ("assistant", "hello there friend")],
        [("user", "four"), ("assistant", "mapped")],
    ]
    assert {t.status for t in turns("s")} == {"committed"}


def test_an_abandoned_stream_leaves_what_had_come_marked_aborted(brain: SmartBrain, turns: Turns) -> None:
    chain = with_memory(PROMPT | ScriptedChat(script=["hello there friend"]), brain)
    stream = chain.stream("left", session("s"))
    next(stream)
    stream.close()

    async def abandon() -> None:
        parts = chain.astream("left too", session("a"))
        await anext(parts)
        await parts.aclose()

    asyncio.run(abandon())
    for name, words in (("s", "left"), ("a", "left too")):
        chain.invoke("next", session(name))
        first, second = turns(name)
        assert (first.status, shape(first)) == ("aborted", [("user", words), ("assistant", "hello ")])
        assert second.status == "committed"


def test_a_chain_that_fails_raises_and_keeps_what_the_user_said(brain: SmartBrain, run: Run, turns: Turns) -> None:
    chain = with_memory(PROMPT | ScriptedChat(script=[RuntimeError("503"), "fine"]), brain)
    with pytest.raises(RuntimeError, match="503"):
        run(chain, "lost", session("s"))
    run(chain, "next", session("s"))
    assert [(t.status, shape(t)[0][1]) for t in turns("s")] == [("aborted", "lost"), ("committed", "next")]


def test_the_same_run_is_one_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    chain = with_memory(PROMPT | ScriptedChat(script=["yes"]), brain)
    run_id = uuid.uuid4()
    for _ in range(2):
        run(chain, "hi", {**session("s"), "run_id": run_id})
    assert [(t.turn_id, len(t.messages)) for t in turns("s")] == [(f"run-{run_id}", 2)]


def test_a_batch_keeps_its_sessions_apart(brain: SmartBrain, turns: Turns) -> None:
    chain = with_memory(PROMPT | ScriptedChat(script=["ok"]), AsyncSmartBrain(brain), user_id="ada")
    chain.batch([f"from {n}" for n in range(6)], [session(f"s{n}") for n in range(6)])
    for n in range(6):
        assert [shape(t)[0][1] for t in turns(f"s{n}", user_id="ada")] == [f"from {n}"]


def test_a_store_that_fails_does_not_cost_the_answer(
    brain: SmartBrain, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise StoreError("disk full")

    for name in ("open_turn", "compose_context", "commit_turn"):
        monkeypatch.setattr(brain, name, fail)
    assert run(with_memory(PROMPT | ScriptedChat(script=["yes"]), brain), "hi", session("s")).text == "yes"
    with pytest.raises(StoreError):
        run(with_memory(PROMPT | ScriptedChat(script=["yes"]), brain, on_error="raise"), "hi", session("s"))
