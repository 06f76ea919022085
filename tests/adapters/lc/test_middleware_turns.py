"""What is recorded of an agent's run, in every way a run can go: once, whole, and nothing twice."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langchain", reason="the extra 'langchain' is not installed")

from langchain.agents import create_agent
from langchain.agents.middleware import (
    HumanInTheLoopMiddleware,
    ModelCallLimitMiddleware,
    ModelRetryMiddleware,
    SummarizationMiddleware,
)
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from smartbrain import SmartBrain, Turn
from smartbrain_lc import SmartBrainMiddleware
from smartbrain_lc._messages import from_neutral
from smartbrain_lc.testing import ScriptedChat, calls

Turns = Callable[..., list[Turn]]
Run = Callable[..., Any]


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


@tool
def broken(city: str) -> str:
    """A tool that fails."""
    raise ValueError("no such city")


@tool(return_direct=True)
def direct(city: str) -> str:
    """A tool whose answer is the answer."""
    return f"direct {city}"


@tool
def ask_human(question: str) -> str:
    """Asks somebody."""
    return str(interrupt(question))


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def said(text: str, id: str | None = None) -> Any:
    return {"messages": [HumanMessage(text, id=id)]}


def agent(brain: SmartBrain, script: list[Any], *tools: Any, before: Any = (), after: Any = (), **kwargs: Any) -> Any:
    kwargs.setdefault("checkpointer", InMemorySaver())
    middleware = [*before, SmartBrainMiddleware(brain, on_error="raise"), *after]
    return create_agent(ScriptedChat(script=script), list(tools), middleware=middleware, **kwargs)


def shape(turn: Turn) -> list[tuple[str, str]]:
    return [(m.role, m.text or ",".join(c.name for c in m.tool_calls)) for m in turn.messages]


def commits(brain: SmartBrain) -> int:
    return int(brain.diagnostics()["metrics"]["counts"].get("commits", 0))


def composes(brain: SmartBrain) -> int:
    return int(brain.diagnostics()["metrics"]["counts"].get("composes", 0))


# --- the plain way ----------------------------------------------------------------------------------------------


def test_a_turn_with_parallel_tools_is_committed_once_and_whole(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(
        brain, [calls(("weather", {"city": "Rome"}, "c1"), ("weather", {"city": "Oslo"}, "c2")), "both sunny"], weather
    )
    out = run(made, said("weather?", "h1"), thread("T"))
    [turn] = turns("T")
    assert (turn.turn_id, turn.revision, turn.status) == ("h1", 1, "committed")
    assert shape(turn) == [
        ("user", "weather?"),
        ("assistant", "weather,weather"),
        ("tool", "sunny in Rome"),
        ("tool", "sunny in Oslo"),
        ("assistant", "both sunny"),
    ]
    assert [from_neutral(m) for m in turn.messages] == out["messages"]
    assert [(c.id, c.result, c.status) for c in turn.tool_calls] == [
        ("c1", "sunny in Rome", "ok"),
        ("c2", "sunny in Oslo", "ok"),
    ]
    assert (commits(brain), composes(brain)) == (1, 1)


def test_each_turn_of_a_thread_holds_its_own_messages_only(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, ["one", "two"])
    run(made, said("first"), thread("T"))
    run(made, said("second"), thread("T"))
    assert [shape(t) for t in turns("T")] == [
        [("user", "first"), ("assistant", "one")],
        [("user", "second"), ("assistant", "two")],
    ]


def test_the_same_words_twice_are_two_turns(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, ["ok"])
    run(made, said("yes"), thread("T"))
    run(made, said("yes"), thread("T"))
    assert len(turns("T")) == 2


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([HumanMessage("m1"), HumanMessage("m2")], [("user", "m1"), ("user", "m2")]),
        ([{"role": "user", "content": "from a dict"}], [("user", "from a dict")]),
        ([("user", "from a tuple")], [("user", "from a tuple")]),
        ("from text", [("user", "from text")]),
        ([SystemMessage("rules"), HumanMessage("q")], [("user", "q")]),
    ],
)
def test_every_form_of_input_is_recorded(
    brain: SmartBrain, run: Run, turns: Turns, given: Any, expected: list[tuple[str, str]]
) -> None:
    run(agent(brain, ["ok"]), {"messages": given}, thread("T"))
    [turn] = turns("T")
    assert shape(turn) == [*expected, ("assistant", "ok")]


def test_an_image_is_recorded_with_the_words(brain: SmartBrain, run: Run, turns: Turns) -> None:
    content = [{"type": "text", "text": "look"}, {"type": "image", "url": "https://example.org/cat.png"}]
    run(agent(brain, ["a cat"]), {"messages": [HumanMessage(content)]}, thread("T"))
    assert turns("T")[0].messages[0].content == content


def test_a_run_without_a_user_message_records_nothing(brain: SmartBrain, run: Run, turns: Turns) -> None:
    out = run(agent(brain, ["hello"]), {"messages": [AIMessage("welcome")]}, thread("T"))
    assert out["messages"][-1].text == "hello"
    assert turns("T") == []


def test_without_a_checkpointer_turns_are_recorded_too(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, ["one", "two"], checkpointer=None)
    run(made, said("first"), thread("T"))
    run(made, said("second"), thread("T"))
    assert [shape(t)[0][1] for t in turns("T")] == ["first", "second"]


def test_a_caller_that_rebuilds_the_history_repeats_no_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, ["x"], checkpointer=None)
    history = [("user", "q1"), ("assistant", "a1"), ("user", "yes")]
    run(made, {"messages": list(history)}, thread("T"))
    run(made, {"messages": list(history)}, thread("T"))
    assert [shape(t) for t in turns("T")] == [[("user", "yes"), ("assistant", "x")]]
    run(made, {"messages": [*history, ("assistant", "x"), ("user", "yes")]}, thread("T"))
    assert len(turns("T")) == 2


def test_eight_threads_at_once_keep_their_turns_apart(brain: SmartBrain, turns: Turns) -> None:
    made = agent(brain, ["ok"])
    made.batch([said(f"from {n}") for n in range(8)], [thread(f"t{n}") for n in range(8)])
    for n in range(8):
        assert [shape(t) for t in turns(f"t{n}")] == [[("user", f"from {n}"), ("assistant", "ok")]]


# --- other ends of a turn ---------------------------------------------------------------------------------------


def test_a_tool_whose_answer_is_the_answer_ends_the_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    run(agent(brain, [calls(("direct", {"city": "Rome"}, "c1"))], direct), said("q"), thread("T"))
    assert shape(turns("T")[0]) == [("user", "q"), ("assistant", "direct"), ("tool", "direct Rome")]


def test_a_call_limit_that_jumps_to_the_end_ends_the_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(
        brain, [calls(("weather", {"city": "Rome"}, "c1"))], weather, before=[ModelCallLimitMiddleware(run_limit=1)]
    )
    run(made, said("q"), thread("T"))
    [turn] = turns("T")
    assert turn.status == "committed"
    assert [role for role, _ in shape(turn)] == ["user", "assistant", "tool", "assistant"]


class Forecast(BaseModel):
    """A forecast."""

    city: str


def test_a_structured_answer_ends_the_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, [calls(("Forecast", {"city": "Rome"}, "c1"))], response_format=ToolStrategy(Forecast))
    out = run(made, said("q"), thread("T"))
    assert out["structured_response"] == Forecast(city="Rome")
    [turn] = turns("T")
    assert [role for role, _ in shape(turn)] == ["user", "assistant", "tool"]


# --- interrupts -------------------------------------------------------------------------------------------------


def reviewed(brain: SmartBrain, script: list[Any], *, memory_last: bool) -> Any:
    review = [HumanInTheLoopMiddleware(interrupt_on={"weather": True})]
    return agent(brain, script, weather, **({"before": review} if memory_last else {"after": review}))


@pytest.mark.parametrize("memory_last", [True, False])
@pytest.mark.parametrize(
    ("decision", "call", "result"),
    [
        ({"type": "approve"}, "weather", "sunny in Rome"),
        (
            {"type": "edit", "edited_action": {"name": "weather", "args": {"city": "Oslo"}}},
            "weather",
            "sunny in Oslo",
        ),
        ({"type": "reject", "message": "no way"}, "weather", "no way"),
    ],
)
def test_a_reviewed_call_makes_one_turn_and_one_context(
    brain: SmartBrain, run: Run, turns: Turns, memory_last: bool, decision: Any, call: str, result: str
) -> None:
    made = reviewed(brain, [calls(("weather", {"city": "Rome"}, "c1")), "done"], memory_last=memory_last)
    assert "__interrupt__" in run(made, said("w", "h1"), thread("T"))
    assert turns("T") == []
    out = run(made, Command(resume={"decisions": [decision]}), thread("T"))
    [turn] = turns("T")
    assert (turn.turn_id, turn.revision, turn.status) == ("h1", 1, "committed")
    assert [role for role, _ in shape(turn)] == ["user", "assistant", "tool", "assistant"]
    assert result in turn.messages[2].text
    assert [from_neutral(m) for m in turn.messages] == out["messages"]
    assert (commits(brain), composes(brain)) == (1, 1)


@pytest.mark.parametrize("memory_last", [True, False])
@pytest.mark.parametrize(
    ("decision", "result"),
    [
        ({"type": "approve"}, "sunny in Rome"),
        ({"type": "edit", "edited_action": {"name": "weather", "args": {"city": "Oslo"}}}, "sunny in Oslo"),
        ({"type": "reject", "message": "no way"}, "no way"),
        ({"type": "respond", "message": "42"}, "42"),
    ],
)
def test_calls_reviewed_one_by_one_make_one_turn(
    brain: SmartBrain, run: Run, turns: Turns, memory_last: bool, decision: Any, result: str
) -> None:
    if "interrupt_mode" not in inspect.signature(HumanInTheLoopMiddleware).parameters:
        pytest.skip("this LangChain reviews calls together only")
    review = [HumanInTheLoopMiddleware(interrupt_on={"weather": True}, interrupt_mode="per_call")]
    script = [calls(("weather", {"city": "Rome"}, "c1"), ("weather", {"city": "Bonn"}, "c2")), "done"]
    made = agent(brain, script, weather, **({"before": review} if memory_last else {"after": review}))
    out = run(made, said("w"), thread("T"))
    while "__interrupt__" in out:
        out = run(made, Command(resume={i.id: decision for i in out["__interrupt__"]}), thread("T"))
    [turn] = turns("T")
    assert (turn.revision, turn.status) == (1, "committed")
    assert [role for role, _ in shape(turn)] == ["user", "assistant", "tool", "tool", "assistant"]
    assert result in turn.messages[2].text
    assert [from_neutral(m) for m in turn.messages] == out["messages"]


def test_an_ignored_interrupt_leaves_an_aborted_turn_and_a_clean_next_one(
    brain: SmartBrain, run: Run, turns: Turns
) -> None:
    made = reviewed(brain, [calls(("weather", {"city": "Rome"}, "c1")), "new answer"], memory_last=True)
    run(made, said("w", "h1"), thread("T"))
    run(made, said("never mind", "h2"), thread("T"))
    first, second = turns("T")
    assert (first.turn_id, first.status) == ("h1", "aborted")
    assert shape(first) == [("user", "w"), ("assistant", "weather")]
    assert (second.turn_id, second.status) == ("h2", "committed")
    assert shape(second) == [("user", "never mind"), ("assistant", "new answer")]


def test_what_a_sibling_of_an_interrupted_tool_found_is_kept(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(
        brain,
        [calls(("weather", {"city": "Rome"}, "c1"), ("ask_human", {"question": "sure?"}, "c2")), "done"],
        weather,
        ask_human,
    )
    run(made, said("w", "h1"), thread("T"))
    run(made, Command(resume="yes"), thread("T"))
    [turn] = turns("T")
    assert shape(turn)[2:] == [("tool", "sunny in Rome"), ("tool", "yes"), ("assistant", "done")]

    run(made, said("again", "h2"), thread("left"))
    made2 = agent(
        brain,
        [calls(("weather", {"city": "Rome"}, "c1"), ("ask_human", {"question": "sure?"}, "c2")), "done"],
        weather,
        ask_human,
    )
    run(made2, said("w", "h3"), thread("left2"))
    brain.sweep("left2")
    [left] = turns("left2")
    assert left.status == "aborted"
    assert [(c.id, c.result, c.status) for c in left.tool_calls] == [
        ("c1", "sunny in Rome", "ok"),
        ("c2", None, "pending"),
    ]


# --- failures ---------------------------------------------------------------------------------------------------


def test_a_failed_model_call_that_is_tried_again_makes_one_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, [RuntimeError("503"), "fine"])
    with pytest.raises(RuntimeError, match="503"):
        run(made, said("q", "h1"), thread("T"))
    run(made, None, thread("T"))
    [turn] = turns("T")
    assert (turn.revision, turn.status, shape(turn)) == (1, "committed", [("user", "q"), ("assistant", "fine")])
    assert composes(brain) == 1


def test_a_failed_turn_stays_aborted_and_is_not_said_again_by_the_next(
    brain: SmartBrain, run: Run, turns: Turns
) -> None:
    made = agent(brain, [RuntimeError("503"), "fine"])
    with pytest.raises(RuntimeError, match="503"):
        run(made, said("lost", "h1"), thread("T"))
    run(made, said("next", "h2"), thread("T"))
    assert [(t.status, shape(t)) for t in turns("T")] == [
        ("aborted", [("user", "lost")]),
        ("committed", [("user", "next"), ("assistant", "fine")]),
    ]


@pytest.mark.parametrize("outer", [True, False])
def test_retries_of_the_model_share_one_context_and_make_one_turn(
    brain: SmartBrain, run: Run, turns: Turns, outer: bool
) -> None:
    retry = [ModelRetryMiddleware(max_retries=2, initial_delay=0.0, jitter=False)]
    made = agent(
        brain, [RuntimeError("503"), RuntimeError("503"), "fine"], **({"before": retry} if outer else {"after": retry})
    )
    run(made, said("q"), thread("T"))
    assert [shape(t) for t in turns("T")] == [[("user", "q"), ("assistant", "fine")]]
    assert (commits(brain), composes(brain)) == (1, 1)


def test_a_tool_that_raises_leaves_a_turn_that_is_swept(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, [calls(("broken", {"city": "x"}, "c1")), "sorry"], broken)
    with pytest.raises(ValueError, match="no such city"):
        run(made, said("q", "h1"), thread("T"))
    run(made, said("next", "h2"), thread("T"))
    first, second = turns("T")
    assert (first.status, shape(first)) == ("aborted", [("user", "q"), ("assistant", "broken")])
    assert shape(second) == [("user", "next"), ("assistant", "sorry")]


def test_an_abandoned_stream_leaves_a_turn_that_is_swept(brain: SmartBrain, turns: Turns) -> None:
    made = agent(brain, ["a long answer", "second"])
    stream = made.stream(said("left", "h1"), thread("T"), stream_mode="messages")
    next(stream)
    stream.close()
    made.invoke(said("next", "h2"), thread("T"))
    first, second = turns("T")
    assert (first.turn_id, first.status, shape(first)[0]) == ("h1", "aborted", ("user", "left"))
    assert (second.turn_id, shape(second)) == ("h2", [("user", "next"), ("assistant", "second")])


def test_a_cancelled_task_is_cancelled_and_leaves_a_turn_that_is_swept(brain: SmartBrain, turns: Turns) -> None:
    entered = asyncio.Event()

    class Slow(ScriptedChat):
        async def _agenerate(self, *args: Any, **kwargs: Any) -> Any:
            entered.set()
            await asyncio.Event().wait()

    made = create_agent(
        Slow(script=["never"]), [], middleware=[SmartBrainMiddleware(brain)], checkpointer=InMemorySaver()
    )

    async def scenario() -> None:
        task = asyncio.create_task(made.ainvoke(said("left", "h1"), thread("T")))
        await entered.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    brain.sweep("T")
    [turn] = turns("T")
    assert (turn.status, shape(turn)) == ("aborted", [("user", "left")])


def test_a_stream_that_is_read_to_its_end_is_committed(brain: SmartBrain, turns: Turns) -> None:
    made = agent(brain, ["a long answer"])
    list(made.stream(said("q"), thread("T"), stream_mode="messages"))

    async def stream() -> None:
        async for _ in made.astream(said("q2"), thread("T"), stream_mode="messages"):
            pass

    asyncio.run(stream())
    assert [shape(t) for t in turns("T")] == [
        [("user", "q"), ("assistant", "a long answer")],
        [("user", "q2"), ("assistant", "a long answer")],
    ]


# --- histories that change --------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory_last", [True, False])
def test_summarising_away_the_question_loses_nothing_of_the_turn(
    brain: SmartBrain, run: Run, turns: Turns, memory_last: bool
) -> None:
    summarise = [
        SummarizationMiddleware(model=ScriptedChat(script=["SUMMARY"]), trigger=("messages", 4), keep=("messages", 1))
    ]
    script = [
        "r1",
        "r2",
        calls(("weather", {"city": "X"}, "c1"), ("weather", {"city": "Z"}, "c0")),
        calls(("weather", {"city": "Y"}, "c2")),
        "r3",
    ]
    made = agent(brain, script, weather, **({"before": summarise} if memory_last else {"after": summarise}))
    for number in (1, 2, 3):
        out = run(made, said(f"q{number}", f"h{number}"), thread("T"))
    assert all(m.id != "h3" for m in out["messages"]), "the scenario needs the question to be summarised away"
    assert [(t.turn_id, t.revision, shape(t)) for t in turns("T")] == [
        ("h1", 1, [("user", "q1"), ("assistant", "r1")]),
        ("h2", 1, [("user", "q2"), ("assistant", "r2")]),
        (
            "h3",
            1,
            [
                ("user", "q3"),
                ("assistant", "weather,weather"),
                ("tool", "sunny in X"),
                ("tool", "sunny in Z"),
                ("assistant", "weather"),
                ("tool", "sunny in Y"),
                ("assistant", "r3"),
            ],
        ),
    ]


def test_a_summary_is_nothing_that_the_user_said(brain: SmartBrain, run: Run, turns: Turns) -> None:
    summarise = SummarizationMiddleware(
        model=ScriptedChat(script=["SUMMARY"]), trigger=("messages", 4), keep=("messages", 1)
    )
    made = agent(brain, ["r1", "r2", RuntimeError("503"), "r4"], before=[summarise])
    run(made, said("q1"), thread("T"))
    run(made, said("q2"), thread("T"))
    with pytest.raises(RuntimeError, match="503"):
        run(made, said("q3"), thread("T"))
    assert [str(m.text)[-7:] for m in made.get_state(thread("T")).values["messages"]] == ["SUMMARY", "q3"]
    run(made, said("q4"), thread("T"))
    assert [shape(t) for t in turns("T")][2:] == [[("user", "q3")], [("user", "q4"), ("assistant", "r4")]]


def before_model(made: Any, config: Any) -> Any:
    return next(s for s in made.get_state_history(config) if s.next == ("model",))


def test_an_answer_made_anew_from_a_checkpoint_is_a_revision(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, ["answer A", "answer B"])
    run(made, said("q", "h1"), thread("T"))
    run(made, None, before_model(made, thread("T")).config)
    [turn] = turns("T")
    assert (turn.turn_id, turn.revision) == ("h1", 2)
    assert shape(turn) == [("user", "q"), ("assistant", "answer B")]


def test_a_way_not_taken_before_the_turn_ended_is_not_part_of_it(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = reviewed(brain, [calls(("weather", {"city": "Rome"}, "c1")), "without tools"], memory_last=True)
    run(made, said("w", "h1"), thread("T"))
    run(made, None, before_model(made, thread("T")).config)
    [turn] = turns("T")
    assert turn.turn_id == "h1"
    assert shape(turn) == [("user", "w"), ("assistant", "without tools")]
    assert [c.id for c in turn.tool_calls] == []


def test_an_answer_made_anew_after_its_question_was_summarised_away_keeps_the_question(
    brain: SmartBrain, run: Run, turns: Turns
) -> None:
    summarise = SummarizationMiddleware(
        model=ScriptedChat(script=["SUMMARY"]), trigger=("messages", 4), keep=("messages", 1)
    )
    script = [
        "r1",
        calls(("weather", {"city": "X"}, "c1")),
        calls(("weather", {"city": "Y"}, "c2")),
        "answer A",
        "answer B",
    ]
    made = agent(brain, script, weather, before=[summarise])
    run(made, said("q1"), thread("T"))
    run(made, said("q2", "h2"), thread("T"))
    again = before_model(made, thread("T"))
    assert all(m.id != "h2" for m in again.values["messages"])
    run(made, None, again.config)
    turn = turns("T")[-1]
    assert (turn.turn_id, turn.revision) == ("h2", 2)
    assert shape(turn) == [
        ("user", "q2"),
        ("assistant", "weather"),
        ("tool", "sunny in X"),
        ("assistant", "weather"),
        ("tool", "sunny in Y"),
        ("assistant", "answer B"),
    ]


def test_a_turn_that_another_run_of_the_session_swept_is_whole_in_the_end(
    brain: SmartBrain, run: Run, turns: Turns
) -> None:
    @tool
    def interloper(city: str) -> str:
        """Another process that begins a turn in the same session meanwhile."""
        brain.open_turn("T", turn_id="other")
        return "done"

    made = agent(brain, [calls(("interloper", {"city": "x"}, "c1")), "answer"], interloper)
    run(made, said("q", "h1"), thread("T"))
    [turn] = turns("T")
    assert (turn.turn_id, turn.status) == ("h1", "committed")
    assert [role for role, _ in shape(turn)] == ["user", "assistant", "tool", "assistant"]


def test_going_on_with_a_finished_thread_records_nothing_new(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, ["answer"])
    run(made, said("q"), thread("T"))
    run(made, None, thread("T"))
    assert [t.revision for t in turns("T")] == [1]


def test_an_edited_message_is_a_revision_and_is_what_is_asked(brain: SmartBrain, run: Run, turns: Turns) -> None:
    brain.commit_turn("T", messages=[{"role": "user", "content": "The cat is called Miso"}], turn_id="t0")
    made = agent(brain, ["answer A", "answer B"])
    run(made, said("hello", "h1"), thread("T"))
    run(made, said("what is the cat called", "h1"), thread("T"))
    _, turn = turns("T")
    assert (turn.turn_id, turn.revision) == ("h1", 2)
    assert turn.messages[0].text == "what is the cat called"
    asked = brain.diagnostics()["compose_logs"][-1]["plan"]["queries"][0]["text"]
    assert "cat" in asked


def test_a_message_edited_in_the_state_is_what_is_asked(brain: SmartBrain, run: Run, turns: Turns) -> None:
    made = agent(brain, [RuntimeError("503"), "answer"])
    with pytest.raises(RuntimeError, match="503"):
        run(made, said("hello", "h1"), thread("T"))
    made.update_state(thread("T"), said("what is the cat called", "h1"), as_node="SmartBrainMiddleware.before_model")
    run(made, None, thread("T"))
    assert "cat" in brain.diagnostics()["compose_logs"][-1]["plan"]["queries"][0]["text"]
    assert turns("T")[-1].messages[0].text == "what is the cat called"


def test_committing_the_same_turn_again_changes_nothing(brain: SmartBrain, turns: Turns) -> None:
    middleware = SmartBrainMiddleware(brain, on_error="raise")
    made = create_agent(
        ScriptedChat(script=[calls(("weather", {"city": "Rome"}, "c1")), "ok"]),
        [weather],
        middleware=[middleware],
        checkpointer=InMemorySaver(),
    )
    made.invoke(said("q"), thread("T"))
    values = made.get_state(thread("T")).values
    middleware.after_agent(values, None)  # type: ignore[arg-type] # a node that is run again by a retry policy
    assert [t.revision for t in turns("T")] == [1]


# --- agents within graphs ---------------------------------------------------------------------------------------


def nested_agents(brain: SmartBrain, nested: Any) -> tuple[Any, ScriptedChat]:
    model = ScriptedChat(script=["inner answer"])
    inner = create_agent(
        model, [], middleware=[SmartBrainMiddleware(brain, nested=nested, on_error="raise")], name="researcher"
    )

    @tool
    def research(question: str) -> str:
        """Researches."""
        return str(inner.invoke({"messages": [HumanMessage(question)]})["messages"][-1].text)

    return agent(brain, [calls(("research", {"question": "deep"}, "c1")), "final"], research), model


@pytest.mark.parametrize("nested", ["auto", "skip"])
def test_an_agent_that_runs_as_a_tool_is_part_of_the_outer_turn_only(
    brain: SmartBrain, run: Run, turns: Turns, nested: str
) -> None:
    brain.commit_turn("T", messages=[{"role": "user", "content": "deep matters are deep"}], turn_id="t0")
    outer, model = nested_agents(brain, nested)
    run(outer, said("top", "h1"), thread("T"))
    assert [(t.turn_id, t.status) for t in turns("T")] == [("t0", "committed"), ("h1", "committed")]
    assert shape(turns("T")[1]) == [
        ("user", "top"),
        ("assistant", "research"),
        ("tool", "inner answer"),
        ("assistant", "final"),
    ]
    assert "deep matters" in str(model.seen[0])


def test_a_nested_agent_can_have_a_session_of_its_own(brain: SmartBrain, run: Run, turns: Turns) -> None:
    outer, _ = nested_agents(brain, "session")
    run(outer, said("top", "h1"), thread("T"))
    assert [shape(t)[0] for t in turns("T")] == [("user", "top")]
    assert [shape(t) for t in turns("T/researcher")] == [[("user", "deep"), ("assistant", "inner answer")]]


def test_an_agent_that_is_a_node_of_a_graph_records_its_turn(brain: SmartBrain, run: Run, turns: Turns) -> None:
    inner = agent(brain, ["answer"], checkpointer=None)
    graph = StateGraph(MessagesState)
    graph.add_node("agent", inner)
    graph.add_edge(START, "agent")
    graph.add_edge("agent", END)
    made = graph.compile(checkpointer=InMemorySaver())
    run(made, said("one"), thread("T"))
    run(made, said("two"), thread("T"))
    assert [shape(t) for t in turns("T")] == [
        [("user", "one"), ("assistant", "answer")],
        [("user", "two"), ("assistant", "answer")],
    ]
