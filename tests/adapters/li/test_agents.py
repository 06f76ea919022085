"""Agents and workflows with SmartBrainMemory: each row of the table of call orders, and the traps beside it."""

from __future__ import annotations

import asyncio
import functools
import json

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context

from smartbrain_li import SmartBrainMemory
from smartbrain_li.memory import _run_id
from smartbrain_li.testing import ScriptedLLM, tool_call, tool_calls


def weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


def agent(*script, **kwargs):
    return FunctionAgent(tools=[weather], llm=ScriptedLLM(script=list(script)), **kwargs)


def run(make, **kwargs):
    """Runs what ``make`` gives in a loop of its own: LlamaIndex starts workflows only inside one."""

    async def inside():
        return await make()

    return asyncio.run(inside(), **kwargs)


def shown(prompt):
    return [(m.role.value, m.content) for m in prompt]


def test_a_run_without_tools_is_one_turn(memory, log):
    run(lambda: agent("hello", system_prompt="SYS").run("hi", memory=memory))
    assert log() == [("committed", [("user", "hi"), ("assistant", "hello")])]


def test_parallel_tool_calls_are_one_turn_with_its_pairs_in_order(memory, log, brain):
    both = tool_calls(("weather", "c1", {"city": "Rome"}), ("weather", "c2", {"city": "Oslo"}), text="let me see")
    run(lambda: agent(both, "both sunny", "bye").run("weather?", memory=memory))
    assert log() == [
        (
            "committed",
            [
                ("user", "weather?"),
                ("assistant", "let me see"),
                ("tool", "sunny in Rome"),
                ("tool", "sunny in Oslo"),
                ("assistant", "both sunny"),
            ],
        )
    ]
    (turn,) = brain.recall_history("s")
    assert [(c.name, c.args, c.result, c.status) for c in turn.tool_calls] == [
        ("weather", {"city": "Rome"}, "sunny in Rome", "ok"),
        ("weather", {"city": "Oslo"}, "sunny in Oslo", "ok"),
    ]
    assert [block.block_type for block in memory.get_all()[1].blocks] == ["text", "tool_call", "tool_call"]
    assert [m.additional_kwargs for m in memory.get_all() if m.role == "tool"] == [
        {"tool_call_id": "c1"},
        {"tool_call_id": "c2"},
    ]


def test_calls_that_share_an_id_keep_their_own_results(memory, brain):
    both = tool_calls(("weather", "weather", {"city": "Rome"}), ("weather", "weather", {"city": "Oslo"}))
    run(lambda: agent(both, "both sunny").run("weather?", memory=memory))
    (turn,) = brain.recall_history("s")
    assert [c.result for c in turn.tool_calls] == ["sunny in Rome", "sunny in Oslo"]
    stored = memory.get_all()
    assert [block.tool_call_id for block in stored[1].blocks] == ["weather", "weather"]
    assert [m.content for m in stored if m.role == "tool"] == ["sunny in Rome", "sunny in Oslo"]


def test_each_step_sees_the_memory_once_and_the_package_is_composed_once(memory, brain):
    chosen = agent(tool_call("weather", city="Rome"), tool_call("weather", "c2", city="Oslo"), "done")
    run(lambda: chosen.run("What about Rome?", memory=memory))
    assert len(chosen.llm.prompts) == 3
    for prompt in chosen.llm.prompts:
        assert sum("What about Rome?" in (m.content or "") for m in prompt) == 1
    assert brain.diagnostics()["metrics"]["counts"]["composes"] == 1


@pytest.mark.parametrize("streaming", [True, False])
def test_a_streamed_run_is_kept_like_another(memory, log, streaming):
    async def inside():
        handler = agent(tool_call("weather", city="Rome"), "sunny", streaming=streaming).run("w?", memory=memory)
        async for _ in handler.stream_events():
            pass
        await handler

    asyncio.run(inside())
    assert [role for role, _ in log()[0][1]] == ["user", "assistant", "tool", "assistant"]


def test_a_context_used_again_keeps_its_memory(memory, log):
    chosen = agent("My answer", "bye")

    async def inside():
        ctx = Context(chosen)
        await chosen.run("My sister Irma plays the bassoon", memory=memory, ctx=ctx)
        await chosen.run("and now?", ctx=ctx)

    asyncio.run(inside())
    assert [status for status, _ in log()] == ["committed", "committed"]
    assert "bassoon" in str(shown(chosen.llm.prompts[-1]))


def test_a_failed_run_leaves_its_question_as_an_aborted_turn(memory, log):
    chosen = agent(tool_call("weather", city="R"), RuntimeError("503"), "recovered")

    async def inside():
        with pytest.raises(RuntimeError, match="503"):
            await chosen.run("first", memory=memory)
        await chosen.run("second", memory=memory)

    asyncio.run(inside())
    assert log() == [("aborted", [("user", "first")]), ("committed", [("user", "second"), ("assistant", "recovered")])]


def test_leftovers_of_a_failed_run_stay_whole_in_the_turn_llama_index_puts_them_in(memory, log):
    chosen = agent(tool_call("weather", city="R"), RuntimeError("503"), "recovered", "fine")

    async def inside():
        ctx = Context(chosen)
        with pytest.raises(RuntimeError, match="503"):
            await chosen.run("first", memory=memory, ctx=ctx)
        await chosen.run("second", ctx=ctx)
        await chosen.run("third", ctx=ctx)

    asyncio.run(inside())
    assert log() == [
        ("aborted", [("user", "first")]),
        ("committed", [("user", "second"), ("assistant", ""), ("tool", "sunny in R"), ("assistant", "recovered")]),
        ("committed", [("user", "third"), ("assistant", "fine")]),
    ]


def test_a_run_that_reaches_its_limit_is_an_aborted_turn(memory, log):
    chosen = agent(tool_call("weather", city="R"))

    async def inside():
        with pytest.raises(Exception, match="Max iterations"):
            await chosen.run("first", memory=memory, max_iterations=2)

    asyncio.run(inside())
    memory.put(ChatMessage(role="user", content="next"))
    assert log() == [("aborted", [("user", "first")])]


def test_early_stopping_with_an_answer_is_a_turn(memory, log):
    try:
        chosen = agent(
            tool_call("weather", city="R"),
            tool_call("weather", "c2", city="R"),
            "final summary",
            early_stopping_method="generate",
        )
    except ValueError:
        pytest.skip("this llama-index-core has no early_stopping_method")
    if not hasattr(chosen, "early_stopping_method"):
        pytest.skip("this llama-index-core has no early_stopping_method")
    run(lambda: chosen.run("first", memory=memory, max_iterations=2))
    assert log() == [("committed", [("user", "first"), ("assistant", "final summary")])]


def test_a_tool_that_raises_is_part_of_its_turn(memory, log):
    def bad(x: str) -> str:
        """Fails."""
        raise ValueError("tool boom")

    chosen = FunctionAgent(tools=[bad], llm=ScriptedLLM(script=[tool_call("bad", x="1"), "sorry"]))
    run(lambda: chosen.run("q", memory=memory))
    assert log()[0][1][2] == ("tool", "tool boom")
    assert log()[0][0] == "committed"


def test_a_tool_whose_result_is_the_answer_closes_the_turn(memory, log):
    tool = FunctionTool.from_defaults(weather, return_direct=True)
    chosen = FunctionAgent(tools=[tool], llm=ScriptedLLM(script=[tool_call("weather", city="R")]))
    run(lambda: chosen.run("q", memory=memory))
    assert log() == [
        ("committed", [("user", "q"), ("assistant", ""), ("tool", "sunny in R"), ("assistant", "sunny in R")])
    ]


class Hanging(ScriptedLLM):
    """Never answers."""

    async def astream_chat(self, messages, **kwargs):
        self._next(messages)
        await asyncio.Event().wait()


def test_a_cancelled_run_is_an_aborted_turn(memory, log):
    chosen = FunctionAgent(tools=[weather], llm=Hanging(script=["never"]))

    async def inside():
        handler = chosen.run("q", memory=memory)
        while not chosen.llm.prompts:
            await asyncio.sleep(0)
        await handler.cancel_run()
        with pytest.raises(BaseException):  # noqa: B017, PT011 - its class differs from version to version
            await handler

    asyncio.run(inside())
    memory.put(ChatMessage(role="user", content="next"))
    assert log() == [("aborted", [("user", "q")])]


@pytest.mark.parametrize("placement", ["auto", "system", "user"])
def test_an_initial_state_changes_the_prompt_and_not_the_memory(memory, log, placement):
    memory = memory.model_copy(update={"placement": placement})
    memory.put_messages([ChatMessage(role="user", content="Call me Ada."), ChatMessage(role="assistant", content="ok")])
    chosen = agent("ok", initial_state={"k": 1})
    run(lambda: chosen.run("plain question", memory=memory))
    assert "Current state" in chosen.llm.prompts[0][-1].content
    assert log()[-1][1][0] == ("user", "plain question")
    assert memory.get_all()[2].content == "plain question"


def remember(memory):
    """Something that must reach the model as remembered text, out of the recent window."""
    memory.put_messages(
        [
            ChatMessage(role="user", content="My sister Irma plays the bassoon"),
            ChatMessage(role="assistant", content="ok"),
        ]
    )
    memory.reset()


@pytest.mark.parametrize("system_prompt", [None, "SYS"])
@pytest.mark.parametrize(("placement", "seen_without_prompt"), [("auto", True), ("user", True), ("system", False)])
def test_a_react_agent_sees_the_memory_where_it_does_not_drop_it(memory, placement, seen_without_prompt, system_prompt):
    memory = memory.model_copy(update={"placement": placement})
    remember(memory)
    llm = ScriptedLLM(script=["Thought: I know\nAnswer: the bassoon"])
    chosen = ReActAgent(tools=[weather], llm=llm, system_prompt=system_prompt)
    run(lambda: chosen.run("Which instrument does my sister play?", memory=memory))
    seen = any("Irma plays" in (m.content or "") for m in llm.prompts[0])
    assert seen is (seen_without_prompt or system_prompt is not None)


def test_the_one_text_of_a_react_run_is_its_answer_and_its_tools(memory, log, brain):
    script = [
        'Thought: I need a tool\nAction: weather\nAction Input: {"city": "Rome"}',
        "Thought: I can answer\nAnswer: it is sunny",
    ]
    chosen = ReActAgent(tools=[weather], llm=ScriptedLLM(script=script), system_prompt="SYS")
    run(lambda: chosen.run("weather in Rome?", memory=memory))
    assert log() == [("committed", [("user", "weather in Rome?"), ("assistant", "it is sunny")])]
    (turn,) = brain.recall_history("s")
    assert [(c.name, c.args, c.result) for c in turn.tool_calls] == [("weather", {"city": "Rome"}, "sunny in Rome")]
    assert memory.get_all()[-1].content.startswith("Thought: I need a tool\nAction: weather")


def test_a_react_run_that_must_try_again_is_one_turn(memory, log):
    script = ["garbage without format Action:", "Thought: ok\nAnswer: fine"]
    chosen = ReActAgent(tools=[weather], llm=ScriptedLLM(script=script), system_prompt="SYS")
    run(lambda: chosen.run("w?", memory=memory))
    assert log() == [("committed", [("user", "w?"), ("assistant", "fine")])]


def test_a_workflow_with_a_handoff_is_one_turn(memory, log, brain):
    one = ScriptedLLM(script=[tool_call("handoff", "h1", to_agent="B", reason="better")])
    other = ScriptedLLM(script=[tool_call("weather", "c1", city="Rome"), "done by B"])
    first = FunctionAgent(name="A", description="a", tools=[weather], llm=one, can_handoff_to=["B"], system_prompt="SA")
    second = FunctionAgent(name="B", description="b", tools=[weather], llm=other, system_prompt="SB")
    run(lambda: AgentWorkflow(agents=[first, second], root_agent="A").run(user_msg="help", memory=memory))
    ((status, messages),) = log()
    assert status == "committed"
    assert [role for role, _ in messages] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert messages[-1] == ("assistant", "done by B")
    assert [role for role, _ in shown(other.prompts[0])] == ["system", "user", "assistant", "tool"]
    assert brain.diagnostics()["metrics"]["counts"]["composes"] == 1


def test_a_history_given_with_each_run_is_learnt_once(memory, log):
    async def inside():
        history = [ChatMessage(role="user", content="old"), ChatMessage(role="assistant", content="older")]
        await agent(tool_call("weather", city="R"), "hello").run("q", chat_history=history, memory=memory)
        # Clients send what they showed: no tool messages.
        history += [ChatMessage(role="user", content="q"), ChatMessage(role="assistant", content="hello")]
        await agent("hello2").run("q2", chat_history=history, memory=memory)

    asyncio.run(inside())
    assert [[role for role, _ in messages] for _, messages in log()] == [
        ["user", "assistant"],
        ["user", "assistant", "tool", "assistant"],
        ["user", "assistant"],
    ]


def test_a_history_that_ends_with_the_question_is_its_turn(memory, log):
    chosen = agent("hello")
    asked = [ChatMessage(role="user", content="What is new?")]
    run(lambda: chosen.run(chat_history=asked, memory=memory))
    assert log() == [("committed", [("user", "What is new?"), ("assistant", "hello")])]
    assert shown(chosen.llm.prompts[0])[-1][1].endswith("What is new?")


def test_a_question_that_failed_and_is_sent_again_as_history_is_answered_in_its_turn(memory, log):
    asked = [ChatMessage(role="user", content="What is new?")]

    async def inside():
        with pytest.raises(RuntimeError):
            await agent(RuntimeError("503")).run(chat_history=asked, memory=memory)
        await agent("hello").run(chat_history=asked, memory=memory)

    asyncio.run(inside())
    assert log() == [("committed", [("user", "What is new?"), ("assistant", "hello")])]


def test_instructions_in_a_history_reach_the_model_each_time(memory, log):
    history = [ChatMessage(role="system", content="Speak like a pirate."), *said_before()]
    for question in ("q1", "q2"):
        chosen = agent("arr")
        run(functools.partial(chosen.run, question, chat_history=history, memory=memory))
        assert shown(chosen.llm.prompts[0])[0] == ("system", "Speak like a pirate.")
        history = memory.get_all()
    assert [messages[0] for _, messages in log()] == [("user", "old"), ("user", "q1"), ("user", "q2")]


def said_before():
    return [ChatMessage(role="user", content="old"), ChatMessage(role="assistant", content="older")]


def test_instructions_that_are_put_reach_the_model_in_later_turns(memory):
    memory.put(ChatMessage(role="system", content="Speak like a pirate."))
    for _ in range(3):
        chosen = agent("arr")
        run(lambda chosen=chosen: chosen.run("q", memory=memory))
        prompts = [content for role, content in shown(chosen.llm.prompts[0]) if role == "system"]
        assert prompts == ["Speak like a pirate."]


def test_a_picture_in_the_question_reaches_the_model_and_the_log(memory):
    picture = ImageBlock(url="https://example.org/x.png")
    chosen = agent("a cat")
    asked = ChatMessage(role="user", blocks=[TextBlock(text="look"), picture])
    run(lambda: chosen.run(user_msg=asked, memory=memory))
    assert chosen.llm.prompts[0][-1].blocks[-1] == picture
    assert memory.get_all()[0] == asked


def test_a_question_that_is_only_a_picture_is_asked_again_on_later_steps(memory, log):
    chosen = agent(tool_call("weather", city="Rome"), "a cat")
    asked = ChatMessage(role="user", blocks=[ImageBlock(url="https://example.org/x.png")])
    run(lambda: chosen.run(user_msg=asked, memory=memory))
    assert [len([m for m in prompt if m.role == "user"]) for prompt in chosen.llm.prompts] == [1, 1]
    assert len(log()) == 1


def test_thinking_with_a_signature_comes_back_in_the_next_run(memory):
    thought = ThinkingBlock(content="hm", additional_information={"signature": "EqQB"})
    first = agent(ChatMessage(role="assistant", blocks=[thought, TextBlock(text="yes")]))
    run(lambda: first.run("q1", memory=memory))
    second = agent("ok")
    run(lambda: second.run("q2", memory=memory))
    assert thought in second.llm.prompts[0][-2].blocks


def test_the_structured_output_function_sees_the_whole_turn(memory):
    seen = []

    def structured(messages):
        seen.append(shown(messages))
        return {"value": "x"}

    chosen = agent(tool_call("weather", city="Rome"), "sunny", structured_output_fn=structured)
    run(lambda: chosen.run("w?", memory=memory))
    assert [role for role, _ in seen[0]] == ["user", "assistant", "tool", "assistant"]


def test_an_agent_inside_a_tool_may_use_the_same_session(memory, log):
    async def ask_inner(question: str) -> str:
        """Asks another agent."""
        inner = agent("inner answer")
        return str(await inner.run(question, memory=memory))

    tool = FunctionTool.from_defaults(async_fn=ask_inner)
    outer = FunctionAgent(
        tools=[tool], llm=ScriptedLLM(script=[tool_call("ask_inner", question="inner q"), "outer answer"])
    )
    run(lambda: outer.run("outer q", memory=memory))
    turns = sorted(messages for _, messages in log())
    if len(turns[0]) == 2:
        assert turns[0] == [("user", "inner q"), ("assistant", "inner answer")]
        assert turns[1][0] == ("user", "outer q")
        assert turns[1][-1] == ("assistant", "outer answer")


def test_two_runs_of_one_session_at_once_keep_their_turns(memory, log):
    async def slow(city: str) -> str:
        """Slow weather."""
        BOTH.append(city)
        NAMES.add(_run_id())
        while len(BOTH) < 2:
            await asyncio.sleep(0)
        return f"sunny in {city}"

    BOTH: list[str] = []
    NAMES: set[str | None] = set()

    async def one(city):
        llm = ScriptedLLM(script=[tool_call("slow", f"c-{city}", city=city), f"{city} is sunny"])
        await FunctionAgent(tools=[slow], llm=llm).run(f"weather in {city}?", memory=memory)

    async def inside():
        await asyncio.gather(one("Rome"), one("Oslo"))

    asyncio.run(inside())
    if {None} == NAMES:
        pytest.skip("this llama-index-workflows does not name its runs, so nothing tells them apart")
    assert sorted(messages for _, messages in log()) == [
        [
            ("user", f"weather in {city}?"),
            ("assistant", ""),
            ("tool", f"sunny in {city}"),
            ("assistant", f"{city} is sunny"),
        ]
        for city in ("Oslo", "Rome")
    ]
    assert {status for status, _ in log()} == {"committed"}


def test_a_run_that_puts_more_after_its_answer_revises_its_turn(memory, log):
    from smartbrain_li._messages import to_neutral

    session = memory._session
    put = lambda *messages: session.put([to_neutral(m) for m in messages], run_id="r1", answering=None)  # noqa: E731
    put(ChatMessage(role="user", content="q"), ChatMessage(role="assistant", content="first"))
    put(ChatMessage(role="assistant", content="second"))
    assert log() == [("committed", [("user", "q"), ("assistant", "first"), ("assistant", "second")])]


def test_a_blob_of_a_context_holds_no_memory_text(memory):
    chosen = agent("ok")

    async def inside():
        ctx = Context(chosen)
        await chosen.run("the canary sings", memory=memory, ctx=ctx)
        return json.dumps((await ctx.store.get("memory")).to_dict())

    assert "canary" not in asyncio.run(inside())


def test_tool_call_blocks_without_an_id_still_make_a_turn(memory, brain, log):
    memory.put(ChatMessage(role="user", content="q"))
    asked = ChatMessage(role="assistant", blocks=[ToolCallBlock(tool_name="f", tool_kwargs={})])
    result = ChatMessage(role="tool", content="r")
    memory.put_messages([asked, result, ChatMessage(role="assistant", content="a")])
    (turn,) = brain.recall_history("s")
    assert [c.result for c in turn.tool_calls] == ["r"]
    assert memory.get_all()[1:3] == [asked, result]
    assert SmartBrainMemory.from_defaults(brain, session_id="s").get(input="again")[1:3] == [asked, result]
