"""The raw history under RunnableWithMessageHistory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="the extra 'langchain' is not installed")

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import ConfigurableFieldSpec
from langchain_core.runnables.history import RunnableWithMessageHistory

from smartbrain import SmartBrain, Turn
from smartbrain.errors import InputError, StoreError
from smartbrain_lc import SmartBrainChatMessageHistory
from smartbrain_lc.testing import ScriptedChat, calls

# Both classes of LangChain's are deprecated; that is known to whoever still has them.
pytestmark = pytest.mark.filterwarnings(
    "ignore::langchain_core._api.deprecation.LangChainDeprecationWarning",
    "ignore::langchain_core._api.deprecation.LangChainPendingDeprecationWarning",
)

Turns = Callable[..., list[Turn]]
Run = Callable[..., Any]
PROMPT = ChatPromptTemplate.from_messages([MessagesPlaceholder("history"), ("human", "{q}")])


def session(name: str) -> Any:
    return {"configurable": {"session_id": name}}


def shape(turn: Turn) -> list[tuple[str, str]]:
    return [(m.role, m.text) for m in turn.messages]


def with_history(brain: SmartBrain, script: list[Any], **settings: Any) -> tuple[Any, ScriptedChat]:
    model = ScriptedChat(script=script)
    chain = RunnableWithMessageHistory(
        PROMPT | model,
        lambda session_id: SmartBrainChatMessageHistory(brain, session_id, **settings),
        input_messages_key="q",
        history_messages_key="history",
    )
    return chain, model


def test_each_call_is_one_turn_and_the_next_one_sees_it(brain: SmartBrain, run: Run, turns: Turns) -> None:
    chain, model = with_history(brain, ["one", "two"])
    run(chain, {"q": "a"}, session("s"))
    run(chain, {"q": "b"}, session("s"))
    assert [shape(t) for t in turns("s")] == [
        [("user", "a"), ("assistant", "one")],
        [("user", "b"), ("assistant", "two")],
    ]
    assert [m.text for m in model.seen[1]] == ["a", "one", "b"]


def test_a_streamed_answer_is_kept_as_a_message_and_not_as_a_chunk(brain: SmartBrain) -> None:
    chain, _ = with_history(brain, ["hello there friend"])
    list(chain.stream({"q": "a"}, session("s")))

    async def read() -> None:
        async for _ in chain.astream({"q": "b"}, session("s")):
            pass

    asyncio.run(read())
    kept = SmartBrainChatMessageHistory(brain, "s").messages
    assert [type(m) for m in kept] == [HumanMessage, AIMessage, HumanMessage, AIMessage]
    assert kept[1].text == kept[3].text == "hello there friend"


def test_in_the_form_of_a_list_no_message_is_dropped(brain: SmartBrain, run: Run, turns: Turns) -> None:
    model = ScriptedChat(script=["one", "two", "three"])
    chain: Any = RunnableWithMessageHistory(model, lambda session_id: SmartBrainChatMessageHistory(brain, session_id))
    for words in ("a", "b", "c"):
        run(chain, [HumanMessage(words)], session("s"))
    assert [shape(t)[0][1] for t in turns("s")] == ["a", "b", "c"]
    assert [m.text for m in model.seen[2]] == ["a", "one", "b", "two", "c"]


def test_a_factory_may_take_a_user_and_a_thread(brain: SmartBrain, run: Run, turns: Turns) -> None:
    specs = [ConfigurableFieldSpec(id=name, annotation=str) for name in ("user", "thread")]
    chain = RunnableWithMessageHistory(
        PROMPT | ScriptedChat(script=["x"]),
        lambda user, thread: SmartBrainChatMessageHistory(brain, thread, user_id=user),
        input_messages_key="q",
        history_messages_key="history",
        history_factory_config=specs,
    )
    run(chain, {"q": "a"}, {"configurable": {"user": "ada", "thread": "t"}})
    assert len(turns("t", user_id="ada")) == 1
    assert turns("t") == []


def test_messages_come_back_equal_with_ids_blocks_and_calls(brain: SmartBrain) -> None:
    history = SmartBrainChatMessageHistory(brain, "s")
    given = [
        HumanMessage([{"type": "text", "text": "look"}, {"type": "image", "url": "u"}], id="h1"),
        AIMessage(
            [{"type": "text", "text": "hey"}, {"type": "reasoning", "reasoning": "hm"}],
            tool_calls=calls(("f", {"a": 1}, "c1")).tool_calls,
            usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
        ),
        ToolMessage("r", tool_call_id="c1"),
        AIMessage("done"),
    ]
    history.add_messages(given)
    assert history.messages == given
    assert asyncio.run(history.aget_messages()) == given


def test_an_answer_that_comes_alone_joins_its_question(brain: SmartBrain, turns: Turns) -> None:
    history = SmartBrainChatMessageHistory(brain, "s")
    history.add_messages([HumanMessage("q")])
    history.add_messages([AIMessage("a")])
    asyncio.run(history.aadd_messages([HumanMessage("q2")]))
    assert [shape(t) for t in turns("s")] == [[("user", "q"), ("assistant", "a")], [("user", "q2")]]


def test_many_turns_in_one_call_become_many_turns(brain: SmartBrain, turns: Turns) -> None:
    SmartBrainChatMessageHistory(brain, "s").add_messages(
        [HumanMessage("a"), AIMessage("b"), HumanMessage("c"), HumanMessage("d"), AIMessage("e")]
    )
    assert [len(t.messages) for t in turns("s")] == [2, 3]


def test_the_window_is_bounded_in_whole_turns(brain: SmartBrain) -> None:
    history = SmartBrainChatMessageHistory(brain, "s", turns=2)
    for n in range(5):
        history.add_messages([HumanMessage(f"q{n}"), AIMessage(f"a{n}")])
    assert [m.text for m in history.messages] == ["q3", "a3", "q4", "a4"]
    with pytest.raises(InputError, match="turns"):
        SmartBrainChatMessageHistory(brain, "s", turns=0)


def test_what_no_provider_takes_is_not_shown(brain: SmartBrain) -> None:
    history = SmartBrainChatMessageHistory(brain, "s")
    history.add_messages([HumanMessage("q"), calls(("f", {}, "c1"))])
    history.add_messages([HumanMessage("next")])
    assert [m.text for m in history.messages] == ["q", "next"]


def test_errors_are_raised_and_counted_although_the_caller_swallows_them(
    brain: SmartBrain, run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise StoreError("disk full")

    chain, _ = with_history(brain, ["x"])
    monkeypatch.setattr(brain, "commit_turn", fail)
    assert run(chain, {"q": "a"}, session("s")).text == "x"
    assert brain.diagnostics()["metrics"]["counts"]["langchain_history_failures"] == 1
    assert "memory: history failed" in caplog.text
    with pytest.raises(StoreError):
        SmartBrainChatMessageHistory(brain, "s").add_messages([HumanMessage("q")])


def test_clearing_says_that_it_deletes_nothing(brain: SmartBrain) -> None:
    with pytest.raises(NotImplementedError, match=r"brain\.forget.*session_id"):
        SmartBrainChatMessageHistory(brain, "s").clear()
