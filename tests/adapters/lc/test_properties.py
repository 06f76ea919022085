"""Whatever happened before: what the model receives is valid, and it is nobody else's."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

pytest.importorskip("langchain", reason="the extra 'langchain' is not installed")

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from smartbrain import SmartBrain
from smartbrain_lc import SmartBrainMiddleware, from_config
from smartbrain_lc.testing import ScriptedChat, calls

# --- validity ---------------------------------------------------------------------------------------------------


def violations(prompt: Sequence[BaseMessage]) -> list[str]:
    """What OpenAI, Anthropic or Gemini would refuse in a prompt."""
    found: list[str] = []
    said = list(prompt)
    if said and isinstance(said[0], SystemMessage):
        said.pop(0)
    if any(isinstance(m, SystemMessage) for m in said):
        found.append("a system message that is not the first")
    if not said or not isinstance(said[0], HumanMessage):
        found.append("the conversation does not begin with the user")
    open_calls: set[str | None] = set()
    for before, message in zip([None, *said], said, strict=False):
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in open_calls:
                found.append(f"a result without its call: {message.tool_call_id}")
            open_calls.discard(message.tool_call_id)
            continue
        if open_calls:
            found.append(f"calls without a result: {open_calls}")
        open_calls = set()
        if isinstance(message, AIMessage) and message.tool_calls:
            if not isinstance(before, (HumanMessage, ToolMessage)):
                found.append("a call that follows neither the user nor a result")
            open_calls = {call["id"] for call in message.tool_calls}
        elif not message.content:
            found.append("an empty message")
    if open_calls:
        found.append(f"calls without a result: {open_calls}")
    return found


def test_the_rules_find_what_is_wrong() -> None:
    user, answer, result = HumanMessage("q"), AIMessage("a"), ToolMessage("r", tool_call_id="c1")
    call, two = calls(("look", {}, "c1")), calls(("look", {}, "c1"), ("look", {}, "c2"))
    assert violations([SystemMessage("s"), user, call, result, answer]) == []
    for wrong in (
        [user, SystemMessage("s")],
        [answer, user],
        [user, result],
        [user, call],
        [user, call, user],
        [user, two, result, answer],
        [user, answer, call, result],
        [user, AIMessage(""), user],
    ):
        assert violations(wrong), wrong


@tool
def look(name: str) -> str:
    """Looks something up."""
    if name == "broken":
        raise ValueError("cannot look")
    return f"found {name}"


class Plan(NamedTuple):
    """One turn: the words, how many tools are called in each step, how it ends."""

    words: str
    steps: list[int]
    end: str


_words = st.sampled_from(["tea", "the boat", "boat and tea", "怎么样", "note", "what did I say about the boat"])
_steps = st.lists(st.integers(1, 2), max_size=2)


def plans(*ends: str) -> Any:
    return st.lists(st.builds(Plan, _words, _steps, st.sampled_from(ends)), min_size=2, max_size=7)


class Player:
    """Plays plans through an agent and collects what the model was sent."""

    def __init__(self, brain: SmartBrain, placement: Any, **kwargs: Any) -> None:
        self.lines: list[Any] = []
        self.calls = 0
        self.model = ScriptedChat(script=[lambda prompt: self.next_line()])
        before = kwargs.pop("before", [])
        memory = SmartBrainMiddleware(brain, placement=placement, token_limit=2000, on_error="raise")
        self.agent = create_agent(self.model, [look], system_prompt="Be nice.", middleware=[*before, memory], **kwargs)

    def next_line(self) -> AIMessage:
        line = self.lines.pop(0)
        if isinstance(line, Exception):
            raise line
        return line if isinstance(line, AIMessage) else AIMessage(line)

    def call(self, name: str) -> tuple[str, dict[str, Any], str]:
        self.calls += 1
        return ("look", {"name": name}, f"c{self.calls}")

    def play(self, plan: Plan) -> None:
        self.lines = [calls(*(self.call(f"thing {n}") for n in range(count))) for count in plan.steps]
        self.lines.append(
            {
                "answer": "an answer about the boat",
                "model error": RuntimeError("503"),
                "tool error": calls(self.call("fine"), self.call("broken")),
                "abandoned": "left in the middle of it",
            }[plan.end]
        )
        given = {"messages": [HumanMessage(plan.words)]}
        config: Any = {"configurable": {"thread_id": "T"}}
        if plan.end == "abandoned":
            for chunk, _ in self.agent.stream(given, config, stream_mode="messages"):
                if str(chunk.text).startswith("left"):
                    break
            return
        try:
            self.agent.invoke(given, config)
        except (RuntimeError, ValueError):
            assert plan.end in ("model error", "tool error")


@settings(max_examples=30)
@given(plans("answer", "model error", "tool error", "abandoned"), st.sampled_from(["system", "user"]))
def test_without_a_checkpointer_every_prompt_is_valid_whatever_went_wrong(history: list[Plan], placement: str) -> None:
    with SmartBrain.open() as brain:
        player = Player(brain, placement)
        for plan in history:
            player.play(plan)
    for prompt in player.model.seen:
        assert violations(prompt) == []


@settings(max_examples=30)
@given(plans("answer", "model error"), st.sampled_from(["system", "user"]), st.integers(0, 6))
def test_with_a_checkpointer_and_summaries_every_prompt_is_valid(
    history: list[Plan], placement: str, trigger: int
) -> None:
    summarise = [
        SummarizationMiddleware(
            model=ScriptedChat(script=["SUMMARY"]), trigger=("messages", 3 + trigger), keep=("messages", 2)
        )
    ]
    with SmartBrain.open() as brain:
        player = Player(brain, placement, before=summarise if trigger else [], checkpointer=InMemorySaver())
        for plan in history:
            player.play(plan)
    for prompt in player.model.seen:
        assert [v for v in violations(prompt) if v != "the conversation does not begin with the user"] == []


_roles = st.sampled_from(["user", "assistant", "tool", "system"])
_odd = st.lists(
    st.tuples(_roles, st.sampled_from(["", "the boat", "tea"]), st.sampled_from([None, "c1", "c2"])), max_size=5
)


@settings(max_examples=40)
@given(st.lists(_odd, min_size=1, max_size=5))
def test_a_memory_filled_by_others_in_any_disorder_gives_valid_prompts(history: list[Any]) -> None:
    with SmartBrain.open() as brain:
        for n, turn in enumerate(history):
            messages: list[dict[str, Any]] = []
            for role, text, call in turn:
                message: dict[str, Any] = {"role": role, "content": text}
                if role == "assistant" and call:
                    message["tool_calls"] = [{"id": call, "name": "look", "args": {}}]
                if role == "tool":
                    message["tool_call_id"] = call or "c0"
                messages.append(message)
            brain.commit_turn("T", messages=messages, turn_id=f"t{n}")
        player = Player(brain, "system")
        player.play(Plan("the boat", [1], "answer"))
    for prompt in player.model.seen:
        found = violations(prompt)
        # Two answers in a row, the second with a call, are as they were committed: that one is the committer's.
        assert [v for v in found if not v.startswith("a call that follows")] == []


# --- isolation --------------------------------------------------------------------------------------------------

_CANARY = re.compile(r"canary-(\w+)-\d+")
_USERS = ("ada", "eve", "bob", "小明")


def owner_of(prompt: Sequence[BaseMessage]) -> set[str]:
    return set(_CANARY.findall(" ".join(str(m.content) for m in prompt)))


@pytest.mark.slow
@pytest.mark.parametrize("checkpointed", [True, False])
def test_a_thousand_interleaved_turns_of_several_users_never_mix(checkpointed: bool) -> None:
    """One middleware object, threads and tasks at once, everybody says the same words and their own canary.

    Without a checkpointer all users even share the session ids.
    """
    chance = random.Random(7)
    count = 0

    def line(prompt: list[BaseMessage]) -> Any:
        nonlocal count
        count += 1
        last = prompt[-1]
        words = str(last.text)
        if isinstance(last, HumanMessage) and "remember" in words:
            canary = _CANARY.search(words)
            assert canary is not None
            return calls(
                ("save_memory", {"kind": "preference", "content": canary[0], "name": f"likes {count % 5}"}, "c1"),
                ("recall_history", {"query": "boat tea canary"}, "c2"),
                ("search_memory", {"query": "canary likes"}, "c3"),
            )
        return f"heard {_CANARY.findall(words)} canary" if isinstance(last, HumanMessage) else "done"

    with SmartBrain.open() as brain:
        model = ScriptedChat(script=[line])
        agent: Any = create_agent(
            model,
            [],
            middleware=[SmartBrainMiddleware(brain, user_id=from_config("user"), on_error="raise", token_limit=1500)],
            checkpointer=InMemorySaver() if checkpointed else None,
        )

        def turn(n: int) -> tuple[Any, Any]:
            user = _USERS[n % len(_USERS)]
            verb = "remember" if chance.random() < 0.2 else "note"
            thread = f"{user}-{chance.randrange(4)}" if checkpointed else f"T{chance.randrange(4)}"
            words = f"{verb} the boat and the tea: canary-{user}-{n}"
            return {"messages": [HumanMessage(words)]}, {"configurable": {"thread_id": thread, "user": user}}

        wanted = [turn(n) for n in range(500)]
        threads, tasks = wanted[:250], wanted[250:]

        async def by_tasks() -> None:
            gate = asyncio.Semaphore(8)

            async def one(given: Any, config: Any) -> None:
                async with gate:
                    await agent.ainvoke(given, config)

            await asyncio.gather(*(one(*pair) for pair in tasks))

        with ThreadPoolExecutor(9) as pool:
            in_loop = pool.submit(asyncio.run, by_tasks())
            list(pool.map(lambda pair: agent.invoke(*pair), threads))
            in_loop.result()
    assert len(model.seen) >= 500
    mixed = [prompt for prompt in model.seen if len(owner_of(prompt)) > 1]
    assert mixed == []
    shown = [str(prompt[0].content) for prompt in model.seen if isinstance(prompt[0], SystemMessage)]
    assert sum("canary-" in text for text in shown) > 100, "the test must show memory to be able to fail"


def test_the_watch_for_mixing_can_fail() -> None:
    assert owner_of([HumanMessage("canary-ada-1"), AIMessage("canary-eve-2")]) == {"ada", "eve"}
