"""What LlamaIndex's instrumentation is told."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

import llama_index.core.instrumentation as instrument
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.span_handlers import SimpleSpanHandler
from llama_index.core.llms import ChatMessage

from smartbrain_li import MemoryCommitEvent, MemoryErrorEvent, MemoryRecallEvent, SmartBrainMemory
from smartbrain_li.testing import ScriptedLLM, tool_call


class Kept(BaseEventHandler):
    """Keeps SmartBrain's events."""

    events: list = []  # noqa: RUF012

    @classmethod
    def class_name(cls):
        return "Kept"

    def handle(self, event, **kwargs):
        if event.class_name().startswith("Memory"):
            self.events.append(event)


@pytest.fixture
def heard():
    root = instrument.get_dispatcher("root")
    events, spans = Kept(), SimpleSpanHandler()
    events.events = []
    kept = (list(root.event_handlers), list(root.span_handlers))
    root.add_event_handler(events)
    root.add_span_handler(spans)
    yield events.events, spans
    root.event_handlers, root.span_handlers = kept


def noop(x: str) -> str:
    """Nothing."""
    return x


def test_a_run_tells_of_each_recall_and_of_its_commit(memory, heard):
    events, spans = heard
    memory.put_messages(
        [ChatMessage(role="user", content="Remember that I prefer tea"), ChatMessage(role="assistant", content="ok")]
    )
    events.clear()
    agent = FunctionAgent(tools=[noop], llm=ScriptedLLM(script=[tool_call("noop", x="1"), "done"]))

    async def inside():
        await agent.run("What do I prefer?", memory=memory)

    asyncio.run(inside())
    recalls = [e for e in events if isinstance(e, MemoryRecallEvent)]
    (commit,) = [e for e in events if isinstance(e, MemoryCommitEvent)]
    assert [e.cached for e in recalls] == [False, True, True]
    assert len({e.context_id for e in recalls}) == 1
    assert recalls[0].recent_turns == 1
    assert 0 < recalls[0].tokens <= 8192
    assert (commit.session_id, commit.status, commit.revision) == ("s", "committed", 1)
    assert commit.turn_id
    names = {span.id_.split("-")[0] for span in spans.completed_spans}
    assert {"SmartBrainMemory.aget", "SmartBrainMemory.aput_messages"} <= names
    assert all(e.span_id and e.span_id.startswith("SmartBrainMemory.aget") for e in recalls)


def test_a_commit_names_what_was_written(memory, heard):
    from smartbrain_li import memory_tools

    events, _ = heard
    memory.put_messages([ChatMessage(role="user", content="hello"), ChatMessage(role="assistant", content="hi")])
    commit = events[-1]
    assert isinstance(commit, MemoryCommitEvent)
    assert commit.keys == [i.key for i in memory.brain.memories("s")]
    assert memory_tools(memory)


def test_a_failure_is_an_event(make_brain, heard):
    events, _ = heard
    brain = make_brain()
    memory = SmartBrainMemory.from_defaults(brain, session_id="s")
    brain.close()
    memory.put(ChatMessage(role="user", content="q"))
    (event,) = events
    assert isinstance(event, MemoryErrorEvent)
    assert (event.session_id, event.operation) == ("s", "put")
    assert "closed" in event.error


@pytest.mark.parametrize("event", [MemoryRecallEvent, MemoryCommitEvent, MemoryErrorEvent])
def test_events_have_their_own_names(event):
    assert event.class_name() == event.__name__
