"""A brain, an agent's run in both worlds, and what was recorded, for the LangChain tests."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from smartbrain import SmartBrain, Turn
from smartbrain.testing.fakes import CounterIds, ManualClock


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs the coroutines of LangChain's standard suites, which carry no mark of their own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(pyfuncitem.obj(**wanted))
    return True


@pytest.fixture
def brain(clock: ManualClock, ids: CounterIds) -> Iterator[SmartBrain]:
    with SmartBrain.open(clock=clock, new_id=ids) as brain:
        yield brain


@pytest.fixture(params=["sync", "async"])
def run(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """``run(agent, input, config, **kwargs)``: by ``invoke`` or by ``ainvoke``."""
    if request.param == "sync":
        return lambda agent, *args, **kwargs: agent.invoke(*args, **kwargs)
    return lambda agent, *args, **kwargs: asyncio.run(agent.ainvoke(*args, **kwargs))


@pytest.fixture
def turns(brain: SmartBrain) -> Callable[..., list[Turn]]:
    """``turns(session)``: every turn of a session, oldest first."""

    def read(session: str, *, brain: SmartBrain = brain, **scopes: Any) -> list[Turn]:
        found = brain.recall_history(session, since="1970-01-01T00:00:00+00:00", limit=1000, **scopes)
        return [turn for turn in found if turn.session_id == session]

    return read
