"""Brains that tests control, and what they kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from smartbrain import SmartBrain
from smartbrain.testing.fakes import CounterIds, ManualClock

_WARNINGS_OF_LLAMA_INDEX = (
    # It looks through all attributes of an agent, pydantic's deprecated ones too.
    "ignore:The `(__fields|model_).*:pydantic.warnings.PydanticDeprecatedSince20",
    "ignore:Accessing the 'model_.*",
    # ReActAgent asks whether its own workflow is running.
    "ignore:is_running called from within a step:DeprecationWarning",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for warning in _WARNINGS_OF_LLAMA_INDEX:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture
def make_brain(clock: ManualClock, ids: CounterIds) -> Iterator[Callable[..., SmartBrain]]:
    opened: list[SmartBrain] = []

    def make(target: Any = ":memory:", **settings: Any) -> SmartBrain:
        brain = SmartBrain.open(target, clock=clock, new_id=ids, **settings)
        opened.append(brain)
        return brain

    yield make
    for brain in opened:
        brain.close()


@pytest.fixture
def brain(make_brain: Callable[..., SmartBrain]) -> SmartBrain:
    return make_brain()


@pytest.fixture
def memory(brain: SmartBrain) -> Any:
    """A memory of session ``s`` that hides no failure."""
    pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")
    from smartbrain_li import SmartBrainMemory

    return SmartBrainMemory.from_defaults(brain, session_id="s", on_error="raise")


@pytest.fixture
def log(brain: SmartBrain) -> Callable[..., list[tuple[str, list[tuple[str, str]]]]]:
    """What a session's log holds: of each turn its status and who said what."""

    def read(session: str = "s", **scopes: Any) -> list[tuple[str, list[tuple[str, str]]]]:
        turns = brain.recall_history(session, limit=1000, around=0, **scopes)
        spoken = sorted((turn for turn in turns if turn.messages), key=lambda turn: turn.seq)
        return [(turn.status, [(m.role, m.text) for m in turn.messages]) for turn in spoken]

    return read
