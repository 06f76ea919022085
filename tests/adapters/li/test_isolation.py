"""Nobody's words in another's prompt, and only prompts that every provider accepts."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import TextBlock, ThinkingBlock
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage

from smartbrain import SmartBrain
from smartbrain_li import SmartBrainMemory, memory_tools
from smartbrain_li._messages import to_neutral
from smartbrain_li.testing import ScriptedLLM, tool_call, tool_calls

USERS = ["ada", "bob", "ADA", "ada "]


def canary(user):
    return f"canary-{USERS.index(user)}-sings"


def foreign(user, prompt):
    text = str([block.model_dump() for message in prompt for block in message.blocks])
    return set(re.findall(r"canary-\d-sings", text)) - {canary(user)}


def echo(x: str) -> str:
    """Says it again."""
    return x


async def agent_turn(brain, user, n):
    session = f"shared-{n % 3}"  # the same session ids for every user
    memory = SmartBrainMemory.from_defaults(brain, session_id=session, user_id=user, on_error="raise")
    script = [tool_call("echo", f"c{n}", x=canary(user)), f"noted {canary(user)}"]
    llm = ScriptedLLM(script=script)
    agent = FunctionAgent(tools=[echo, *memory_tools(memory)], llm=llm)
    await agent.run(f"Remember {n}: I am {canary(user)}. What do you know of the canary?", memory=memory)
    return user, llm.prompts


def chat_turn(brain, user, n):
    session = f"shared-{n % 3}"
    memory = SmartBrainMemory.from_defaults(brain, session_id=session, user_id=user, on_error="raise")
    llm = ScriptedLLM(script=[f"noted {canary(user)}"])
    SimpleChatEngine.from_defaults(llm=llm, memory=memory).chat(
        f"I am {canary(user)} for the {n}th time; and who are you?"
    )
    return user, llm.prompts


@pytest.mark.slow
def test_a_thousand_interleaved_turns_of_four_users_never_meet(make_brain):
    brain = make_brain()

    async def agents():
        found = []
        for start in range(0, 320, 16):
            found += await asyncio.gather(*[agent_turn(brain, USERS[n % 4], n) for n in range(start, start + 16)])
        return found

    seen = asyncio.run(agents())
    with ThreadPoolExecutor(8) as pool:
        seen += pool.map(lambda n: chat_turn(brain, USERS[n % 4], n), range(680))
    assert len(seen) == 1000
    for user, prompts in seen:
        for prompt in prompts:
            assert not foreign(user, prompt)
    kept = {
        user: sum(
            len(t.messages) > 0
            for s in range(3)
            for t in brain.recall_history(f"shared-{s}", limit=2000, around=0, user_id=user)
        )
        for user in USERS
    }
    assert kept == dict.fromkeys(USERS, 250)


def test_users_that_share_a_session_id_never_meet(make_brain):
    brain = make_brain()
    for n in range(24):
        user, prompts = chat_turn(brain, USERS[n % 4], n)
        assert not any(foreign(user, prompt) for prompt in prompts)


def test_one_memory_of_each_of_two_sessions_never_meet_without_a_user(brain):
    for n in range(6):
        for user in USERS[:2]:
            memory = SmartBrainMemory.from_defaults(brain, session_id=user, on_error="raise")
            llm = ScriptedLLM(script=["ok"])
            SimpleChatEngine.from_defaults(llm=llm, memory=memory).chat(f"{n}: {canary(user)}, canary?")
            assert not foreign(user, llm.prompts[0])


# -- validity ------------------------------------------------------------------------------------------------------


def faults(prompt):
    """What OpenAI, Anthropic or Gemini would refuse in the order of these messages."""
    found = []
    pending: list[str] = []
    for n, message in enumerate(prompt):
        role = message.role.value
        if pending and role != "tool":
            found.append(f"{n}: calls without results: {pending}")
            pending = []
        if role == "tool":
            call_id = to_neutral(message).tool_call_id
            if call_id not in pending:
                found.append(f"{n}: a result without a call: {call_id}")
            else:
                pending.remove(call_id)
        if role == "system" and n != 0:
            found.append(f"{n}: a system message that is not the first")
        if role == "assistant":
            pending = [call.id for call in to_neutral(message).tool_calls]
        if not message.blocks:
            found.append(f"{n}: an empty message")
    if pending:
        found.append(f"end: calls without results: {pending}")
    return found


def result(call_id, text="r"):
    return ChatMessage(role="tool", content=text, additional_kwargs={"tool_call_id": call_id})


def answered(n):
    return [tool_call("f", f"a{n}", x="1"), result(f"a{n}"), ChatMessage(role="assistant", content=f"answer {n}")]


def parallel(n):
    calls = tool_calls(("f", f"p{n}", {}), ("g", f"q{n}", {}), text="let me see")
    return [calls, result(f"p{n}"), result(f"q{n}"), ChatMessage(role="assistant", content="done")]


def thought(n):
    blocks = [ThinkingBlock(content="hm", additional_information={"signature": "s"}), TextBlock(text="yes")]
    return [ChatMessage(role="assistant", blocks=blocks)]


def plain(n):
    return [ChatMessage(role="assistant", content="plain " * 20)]


def nothing(n):
    return []


def unanswered_call(n):
    return [tool_call("f", f"u{n}", x="1")]


def orphan(n):
    return [result(f"o{n}"), ChatMessage(role="assistant", content="after an orphan")]


def half(n):
    return [
        tool_calls(("f", f"h{n}", {}), ("g", f"i{n}", {})),
        result(f"h{n}"),
        ChatMessage(role="assistant", content="half"),
    ]


kinds = st.sampled_from([answered, parallel, thought, plain, nothing, unanswered_call, orphan, half])


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    turns=st.lists(kinds, max_size=10),
    limit=st.sampled_from([80, 200, 500, 2000]),
    placement=st.sampled_from(["auto", "system", "user"]),
    reset_at=st.integers(0, 12),
    put_first=st.booleans(),
)
def test_whatever_the_history_the_prompt_keeps_the_rules_of_every_provider(
    turns, limit, placement, reset_at, put_first
):
    with SmartBrain.open() as brain:
        memory = SmartBrainMemory.from_defaults(
            brain, session_id="s", token_limit=limit, placement=placement, on_error="raise"
        )
        for n, kind in enumerate(turns):
            memory.put_messages([ChatMessage(role="user", content=f"question {n} " + "word " * 10), *kind(n)])
            if n == reset_at:
                memory.reset()
        if put_first:
            memory.put(ChatMessage(role="user", content="question 3?"))
            assert faults(memory.get()) == []
        assert faults(memory.get(input="question 2?")) == []
