"""When the store fails the user still gets an answer, and nothing that was said is lost."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import Memory
from llama_index.core.storage.chat_store.sql import MessageStatus

import smartbrain_li
from smartbrain import SmartBrain
from smartbrain.errors import StoreError
from smartbrain_li import SmartBrainMemory, SmartBrainMemoryBlock
from smartbrain_li.testing import ScriptedLLM, tool_call


class Failing:
    """A store that can be told to fail."""

    def __init__(self, storage):
        self._storage = storage
        self.reads_fail = self.writes_fail = False

    def __getattr__(self, name):
        return getattr(self._storage, name)

    def read(self):
        if self.reads_fail:
            raise StoreError("the disk is gone")
        return self._storage.read()

    @contextmanager
    def write(self):
        if self.writes_fail:
            raise StoreError("the disk is full")
        with self._storage.write() as writer:
            yield writer


@pytest.fixture
def store():
    from smartbrain.stores import open_storage

    return Failing(open_storage(":memory:", SmartBrain.open().config.store))


@pytest.fixture
def brain(store, make_brain):
    return make_brain(store)


@pytest.fixture
def quiet(brain):
    return SmartBrainMemory.from_defaults(brain, session_id="s")


def user(text):
    return ChatMessage(role="user", content=text)


def assistant(text):
    return ChatMessage(role="assistant", content=text)


def noop(x: str) -> str:
    """Nothing."""
    return f"result {x}"


def ask(memory, llm, question):
    return str(SimpleChatEngine.from_defaults(llm=llm, memory=memory).chat(question))


def test_a_store_that_fails_costs_a_chat_no_answer_and_no_turn(quiet, store, log, caplog):
    llm = ScriptedLLM(script=["one", "two", "three"])
    ask(quiet, llm, "first")
    store.reads_fail = store.writes_fail = True
    assert ask(quiet, llm, "second") == "two"
    assert [m.content for m in llm.prompts[-1]] == ["second"]
    assert quiet.failures >= 3
    assert "memory of session s failed" in caplog.text
    store.reads_fail = store.writes_fail = False
    assert ask(quiet, llm, "third") == "three"
    assert sorted(messages for _, messages in log()) == sorted(
        [[("user", q), ("assistant", a)] for q, a in (("first", "one"), ("second", "two"), ("third", "three"))]
    )
    assert len(quiet.get_all()) == 6


def test_a_store_that_fails_in_the_middle_of_a_run_costs_no_answer_and_no_turn(quiet, store, log):
    class Breaking(ScriptedLLM):
        async def astream_chat(self, messages, **kwargs):
            store.writes_fail = True
            return await super().astream_chat(messages, **kwargs)

    async def inside():
        agent = FunctionAgent(tools=[noop], llm=Breaking(script=[tool_call("noop", x="1"), "done"]))
        return str(await agent.run("question", memory=quiet))

    assert asyncio.run(inside()) == "done"
    assert [m.content for m in quiet.get_all()] == ["question", None, "result 1", "done"]
    store.writes_fail = False
    quiet.put(user("next"))
    assert [[role for role, _ in messages] for _, messages in log()] == [["user", "assistant", "tool", "assistant"]]


def test_turns_that_could_not_be_written_are_written_later_once_each(quiet, store, log):
    store.writes_fail = True
    for n in range(5):
        quiet.put_messages([user(f"q{n}"), assistant(f"a{n}")])
    assert log() == []
    assert len(quiet.get_all()) == 10
    store.writes_fail = False
    quiet.put_messages([user("last"), assistant("end")])
    assert sorted(messages[0][1] for _, messages in log()) == ["last", "q0", "q1", "q2", "q3", "q4"]
    assert len(quiet.get_all()) == 12


def test_on_error_raise_lets_the_error_through(brain, store):
    memory = SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise")
    store.reads_fail = True
    with pytest.raises(StoreError, match="gone"):
        memory.get(input="q")
    store.reads_fail, store.writes_fail = False, True
    with pytest.raises(StoreError, match="full"):
        memory.put(user("q"))


def test_a_reset_that_fails_says_so_and_goes_on(quiet, store):
    quiet.put_messages([user("q"), assistant("a")])
    store.writes_fail = True
    quiet.reset()
    assert quiet.failures == 1


def test_a_block_that_fails_costs_no_answer_and_loses_no_message(brain, store, log):
    block = SmartBrainMemoryBlock.from_defaults(brain)
    memory = Memory.from_defaults(
        session_id="s",
        token_limit=200,
        token_flush_size=50,
        chat_history_token_ratio=0.5,
        memory_blocks=[block],
        tokenizer_fn=str.split,
    )

    async def inside():
        for n in range(12):
            store.reads_fail = store.writes_fail = n % 3 != 0
            await memory.aput_messages([user(f"question {n} " + "word " * 20), assistant(f"answer {n}")])
            await memory.aget()
        store.reads_fail = store.writes_fail = False
        await memory.aput_messages([user("the last " + "word " * 60), assistant("end")])
        active = await memory.aget_all(MessageStatus.ACTIVE)
        await (memory.sql_store._async_engine).dispose()
        return active

    active = asyncio.run(inside())
    recorded = [text for _, messages in log() for role, text in messages if role == "user"]
    waiting = [m.content for m in active if m.role == "user"]
    every = [f"question {n} " + "word " * 20 for n in range(12)]
    assert block.failures > 0
    assert sorted(t for t in recorded if t.startswith("question")) == sorted(
        every[: len([t for t in recorded if t.startswith("question")])]
    )
    assert len(recorded) == len(set(recorded))
    assert set(every) <= {*recorded, *waiting}


# -- many at once --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@pytest.mark.parametrize("together", [False, True], ids=["one memory", "a memory each"])
def test_21_puts_at_once_keep_all_21(tmp_path, warm, together):
    path = tmp_path / "brain.db"
    if warm:
        with SmartBrain.open(path) as brain:
            brain.commit_turn(
                "s", messages=[{"role": "user", "content": "before"}, {"role": "assistant", "content": "ok"}]
            )

    def memory():
        return SmartBrainMemory.from_defaults(path=path, session_id="s", on_error="raise")

    async def inside():
        shared = memory() if together else None
        await asyncio.gather(*[(shared or memory()).aput(user(f"message {n}")) for n in range(21)])

    asyncio.run(inside())
    kept = [m.content for m in memory().get_all() if m.content.startswith("message")]
    assert sorted(kept) == sorted(f"message {n}" for n in range(21))
    smartbrain_li.close_all()
    with SmartBrain.open(path) as brain:
        brain.sweep("s")
        stored = [m.text for t in brain.recall_history("s", limit=100) for m in t.messages if "message" in m.text]
    assert sorted(stored) == sorted(kept)


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
def test_21_turns_put_by_threads_are_21_turns(tmp_path, warm):
    path = tmp_path / "brain.db"
    if warm:
        SmartBrain.open(path).close()
    start = threading.Barrier(7)

    def put(n):
        memory = SmartBrainMemory.from_defaults(path=path, session_id="s", on_error="raise")
        if n < 7:
            start.wait(10)
        memory.put_messages([user(f"q{n}"), assistant(f"a{n}")])

    with ThreadPoolExecutor(7) as pool:
        list(pool.map(put, range(21)))
    turns = SmartBrainMemory.from_defaults(path=path, session_id="s").brain.recall_history("s", limit=100, around=0)
    assert sorted([m.text for m in t.messages] for t in turns) == sorted([f"q{n}", f"a{n}"] for n in range(21))
    smartbrain_li.close_all()
