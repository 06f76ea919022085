"""The async brain is the sync one, awaited: same names, same arguments, same answers."""

from __future__ import annotations

import asyncio
import contextvars
import inspect

import pytest

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.errors import ClosedError, ScopeError
from smartbrain.testing.fakes import CounterIds, ManualClock

OWN = {"open", "close", "config", "sync"}


def public(cls):
    return {name for name in vars(cls) if not name.startswith("_")}


def test_both_brains_have_the_same_public_names():
    assert public(AsyncSmartBrain) - {"sync"} == public(SmartBrain)


@pytest.mark.parametrize("name", sorted(public(SmartBrain) - OWN))
def test_a_method_has_the_same_signature_on_both(name):
    assert inspect.signature(getattr(AsyncSmartBrain, name)) == inspect.signature(getattr(SmartBrain, name))
    assert inspect.iscoroutinefunction(getattr(AsyncSmartBrain, name))


def open_brain():
    return AsyncSmartBrain.open(":memory:", clock=ManualClock(), new_id=CounterIds())


def test_what_one_task_commits_another_composes():
    async def talk():
        async with await open_brain() as brain:
            await brain.commit_turn("s", messages=[{"role": "user", "content": "the kettle is blue"}])
            packages = await asyncio.gather(*(brain.compose_context("s", f"kettle {n}?") for n in range(8)))
            return [package.evidence for package in packages], await brain.recall_history("s")

    found, turns = asyncio.run(talk())
    assert len(found) == 8
    assert turns[0].messages[0].content == "the kettle is blue"


def test_one_brain_serves_several_event_loops():
    brain = AsyncSmartBrain(SmartBrain.open(":memory:", clock=ManualClock(), new_id=CounterIds()))
    asyncio.run(brain.commit_turn("s", messages=[{"role": "user", "content": "said in one loop"}]))
    (turn,) = asyncio.run(brain.recall_history("s"))
    asyncio.run(brain.close())
    assert turn.messages[0].content == "said in one loop"


def test_the_event_loop_is_free_while_a_call_runs():
    class Waiting:
        name = "waiting"

        def __init__(self):
            self.loop = None
            self.gate = None

        def extract(self, turn, known):
            from smartbrain.ports import Extraction

            # Released by the loop itself: were it blocked by this call, nobody would ever do it.
            assert asyncio.run_coroutine_threadsafe(self.gate.wait(), self.loop).result(timeout=30)
            return Extraction()

    async def talk():
        extractor = Waiting()
        extractor.loop, extractor.gate = asyncio.get_running_loop(), asyncio.Event()
        async with await AsyncSmartBrain.open(":memory:", extractor=extractor) as brain:
            commit = asyncio.create_task(brain.commit_turn("s", messages=[{"role": "user", "content": "hi"}]))
            await asyncio.sleep(0)
            extractor.gate.set()
            return await commit

    assert asyncio.run(talk()).status == "committed"


def test_context_variables_reach_what_runs_underneath():
    tenant: contextvars.ContextVar[str] = contextvars.ContextVar("tenant", default="none")
    seen = []

    class Watching:
        name = "watching"

        def extract(self, turn, known):
            from smartbrain.ports import Extraction

            seen.append(tenant.get())
            return Extraction()

    async def talk():
        async with await AsyncSmartBrain.open(":memory:", extractor=Watching()) as brain:
            tenant.set("acme")
            await brain.commit_turn("s", messages=[{"role": "user", "content": "hi"}])

    asyncio.run(talk())
    assert seen == ["acme"]


def test_errors_come_through_as_they_are():
    async def talk():
        brain = await open_brain()
        with pytest.raises(ScopeError):
            await brain.memories()
        await brain.close()
        await brain.close()
        with pytest.raises(ClosedError):
            brain.sync.memories("s")

    asyncio.run(talk())
