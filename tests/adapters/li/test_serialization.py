"""A memory is plain fields: in a Context, a copy, a pickle or another process it is still the same memory."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
import subprocess
import sys

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.workflow import Context, JsonSerializer

import smartbrain_li
from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.errors import ConflictError, NotFoundError
from smartbrain_li import SmartBrainMemory
from smartbrain_li.testing import ScriptedLLM


def noop(x: str) -> str:
    """Nothing."""
    return x


def agent(*script):
    return FunctionAgent(tools=[noop], llm=ScriptedLLM(script=list(script)))


def user(text):
    return ChatMessage(role="user", content=text)


def assistant(text):
    return ChatMessage(role="assistant", content=text)


@pytest.fixture
def path(tmp_path):
    yield str(tmp_path / "brain.db")
    smartbrain_li.close_all()


def test_the_dump_holds_plain_fields_only(memory):
    memory.put(user("the canary sings"))
    dump = memory.to_dict()
    assert json.loads(json.dumps(dump)) == dump
    assert set(dump) == {*SmartBrainMemory.model_fields, "class_name"}
    assert "canary" not in str(dump)


def test_a_restored_memory_is_the_same_session(memory):
    memory.put_messages([user("one"), assistant("two")])
    restored = SmartBrainMemory.from_dict(memory.to_dict())
    assert restored.get_all() == memory.get_all()
    restored.put_messages([user("three"), assistant("four")])
    assert len(memory.get_all()) == 4


def test_a_memory_is_found_again_when_every_object_of_it_is_gone(brain):
    memory = SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise")
    memory.put(user("a question"))
    dump = memory.to_dict()
    del memory
    restored = SmartBrainMemory.from_dict(dump)
    assert [m.content for m in restored.get()] == ["a question"]
    restored.put(assistant("an answer"))
    (turn,) = brain.recall_history("s")
    assert [m.text for m in turn.messages] == ["a question", "an answer"]
    assert turn.revision == 1


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda m: m.model_copy(), lambda m: m.model_copy(deep=True)]
)
def test_a_copy_is_the_memory_itself(memory, copied):
    assert copied(memory) is memory


def test_a_copy_with_another_session_leaves_the_first_alone(memory):
    other = memory.model_copy(update={"session_id": "other"})
    other.put(user("hello"))
    assert (memory.session_id, other.session_id) == ("s", "other")
    assert memory.get_all() == []
    assert other.brain is memory.brain


def test_a_pickled_memory_comes_back(memory):
    memory.put(user("one"))
    assert pickle.loads(pickle.dumps(memory)).get_all() == memory.get_all()


def test_a_memory_is_never_falsy(memory):
    assert bool(memory) is True
    assert not hasattr(memory, "__len__")


def test_the_repr_says_neither_who_nor_where(tmp_path):
    memory = SmartBrainMemory.from_defaults(path=tmp_path / "secret.db", session_id="s", user_id="ada@example.org")
    assert repr(memory) == "SmartBrainMemory(session_id='s', placement='auto')"
    assert str(memory) == "session_id='s' placement='auto'"
    smartbrain_li.close_all()


def test_a_password_in_the_address_of_a_store_is_not_kept():
    from smartbrain_li._registry import without_secrets

    assert (
        without_secrets("postgresql://ada:pa55@db:5432/x?sslmode=require")
        == "postgresql://ada@db:5432/x?sslmode=require"
    )
    assert without_secrets("postgresql://db/x") == "postgresql://db/x"
    assert without_secrets("some/file.db") == "some/file.db"


def test_a_context_used_again_in_this_process_keeps_its_memory(memory, log):
    chosen = agent("a1", "a2", "a3")

    async def inside():
        ctx = Context(chosen)
        await chosen.run("q1", memory=memory, ctx=ctx)
        await chosen.run("q2", ctx=ctx)
        blob = json.dumps(ctx.to_dict(serializer=JsonSerializer()))
        restored = Context.from_dict(chosen, json.loads(blob), serializer=JsonSerializer())
        await chosen.run("q3", ctx=restored)

    asyncio.run(inside())
    assert [messages[0] for _, messages in log()] == [("user", "q1"), ("user", "q2"), ("user", "q3")]
    assert [m.content for m in chosen.llm.prompts[-1]] == ["q1", "a1", "q2", "a2", "q3"]


OTHER_PROCESS = """
import asyncio, json, sys
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context, JsonSerializer
import smartbrain_li
from smartbrain_li import SmartBrainMemory
from smartbrain_li.testing import ScriptedLLM

def noop(x: str) -> str:
    "Nothing."
    return x

async def main():
    agent = FunctionAgent(tools=[noop], llm=ScriptedLLM(script=["there"]))
    ctx = Context.from_dict(agent, json.load(sys.stdin), serializer=JsonSerializer())
    await agent.run("and in the other process?", ctx=ctx)
    print(json.dumps([m.content for m in agent.llm.prompts[-1]]))

asyncio.run(main())
smartbrain_li.close_all()
"""


def other_process(program, given):
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_a_context_restored_in_another_process_keeps_its_memory(path):
    chosen = agent("here")

    async def inside():
        ctx = Context(chosen)
        memory = SmartBrainMemory.from_defaults(path=path, session_id="s", on_error="raise")
        await chosen.run("in this process?", memory=memory, ctx=ctx)
        return memory, ctx.to_dict(serializer=JsonSerializer())

    memory, blob = asyncio.run(inside())
    assert other_process(OTHER_PROCESS, blob) == ["in this process?", "here", "and in the other process?"]
    assert [m.content for m in memory.get_all()] == ["in this process?", "here", "and in the other process?", "there"]


GOES_ON = """
import json, sys
import smartbrain_li
from llama_index.core.llms import ChatMessage
from smartbrain_li import SmartBrainMemory

memory = SmartBrainMemory.from_dict(json.load(sys.stdin))
asked = [m.content for m in memory.get()]
memory.put(ChatMessage(role="assistant", content="an answer"))
print(json.dumps(asked))
smartbrain_li.close_all()
"""


def test_a_turn_begun_in_one_process_is_answered_in_another(path):
    memory = SmartBrainMemory.from_defaults(path=path, session_id="s", on_error="raise")
    memory.put(user("a question"))
    assert other_process(GOES_ON, memory.to_dict()) == ["a question"]
    (turn,) = memory.brain.recall_history("s")
    assert (turn.status, [m.text for m in turn.messages]) == ("committed", ["a question", "an answer"])


def test_what_cannot_be_attached_says_what_to_do(brain):
    dump = SmartBrainMemory.from_defaults(brain, session_id="s", name="main").to_dict()
    smartbrain_li.detach("main")
    with pytest.raises(
        NotFoundError, match=r"'main'.*not attached.*smartbrain_li\.attach\(brain, name='main'\).*path="
    ):
        SmartBrainMemory.from_dict(dump)
    smartbrain_li.attach(brain, "main")
    assert SmartBrainMemory.from_dict(dump).brain is brain
    smartbrain_li.detach("main")


def test_a_context_that_cannot_be_attached_fails_instead_of_forgetting(brain):
    chosen = agent("a1")

    async def inside():
        ctx = Context(chosen)
        memory = SmartBrainMemory.from_defaults(brain, session_id="s", name="short-lived")
        await chosen.run("q1", memory=memory, ctx=ctx)
        blob = ctx.to_dict(serializer=JsonSerializer())
        del ctx, memory
        smartbrain_li.detach("short-lived")
        with pytest.raises(Exception, match="short-lived"):
            await chosen.run("q2", ctx=Context.from_dict(chosen, blob, serializer=JsonSerializer()))

    asyncio.run(inside())


def test_a_brain_closed_and_opened_again_is_found_by_path(path):
    memory = SmartBrainMemory.from_defaults(path=path, session_id="s", on_error="raise")
    memory.put_messages([user("one"), assistant("two")])
    dump = memory.to_dict()
    memory.brain.close()
    assert [m.content for m in SmartBrainMemory.from_dict(dump).get_all()] == ["one", "two"]


def test_a_closed_brain_is_not_found_by_name():
    brain = SmartBrain.open()
    memory = SmartBrainMemory.from_defaults(brain, session_id="s")
    brain.close()
    with pytest.raises(NotFoundError, match="was closed"):
        SmartBrainMemory.from_dict(memory.to_dict())


def test_one_path_is_opened_once_in_a_process(path):
    one = SmartBrainMemory.from_defaults(path=path, session_id="a")
    other = SmartBrainMemory.from_defaults(path=path, session_id="b")
    assert one.brain is other.brain


def test_a_name_belongs_to_one_open_brain(brain):
    with SmartBrain.open() as other:
        name = smartbrain_li.attach(other)
        assert smartbrain_li.attach(other) == name
        with pytest.raises(ConflictError, match="another open brain"):
            smartbrain_li.attach(brain, name)
    assert smartbrain_li.attach(brain, name) == name
    smartbrain_li.detach(name)


def test_an_async_brain_is_taken_as_well(brain, log):
    memory = SmartBrainMemory.from_defaults(AsyncSmartBrain(brain), session_id="s", on_error="raise")
    memory.put_messages([user("one"), assistant("two")])
    assert len(log()) == 1
