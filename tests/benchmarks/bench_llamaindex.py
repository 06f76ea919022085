"""What the LlamaIndex adapter costs beside the brain: run with ``pytest -m benchmark -s``.

Prints, for sessions of growing length, the time of a ``get`` and of a turn's puts, how much of it the brain took, and
what the adapter added. Asserts no time.
"""

from __future__ import annotations

import time
from collections import defaultdict
from statistics import median

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from llama_index.core.llms import ChatMessage

from smartbrain import SmartBrain
from smartbrain_li import SmartBrainMemory
from smartbrain_li.testing import tool_call

pytestmark = pytest.mark.benchmark
TURNS = 40


class Timed:
    """A brain whose calls are timed; what they take is not the adapter's."""

    def __init__(self, brain):
        self._brain = brain
        self.spent = 0.0

    def __getattr__(self, name):
        found = getattr(self._brain, name)
        if not callable(found) or name == "config":
            return found

        def timed(*args, **kwargs):
            start = time.perf_counter()
            try:
                return found(*args, **kwargs)
            finally:
                self.spent += time.perf_counter() - start

        return timed


def measured(brain, what):
    before, start = brain.spent, time.perf_counter()
    what()
    whole = time.perf_counter() - start
    return whole * 1000, (whole - (brain.spent - before)) * 1000


@pytest.mark.parametrize("size", [10, 200, 1000])
def test_time_of_a_turn(size, tmp_path):
    with SmartBrain.open(tmp_path / "brain.db") as opened:
        opened.commit_turns(
            {
                "session_id": "s",
                "messages": [
                    {"role": "user", "content": f"note {n} about topic {n % 37}"},
                    {"role": "assistant", "content": f"answer {n} " + "word " * 20},
                ],
            }
            for n in range(size)
        )
        memory = SmartBrainMemory.from_defaults(opened, session_id="s", on_error="raise")
        brain = memory._session.brain = Timed(opened)
        taken = defaultdict(list)
        for n in range(TURNS):
            result = ChatMessage(role="tool", content="r", additional_kwargs={"tool_call_id": "c1"})
            rest = [tool_call("f", x="1"), result, ChatMessage(role="assistant", content="fine " * 20)]
            steps = {
                "put question": lambda n=n: memory.put(ChatMessage(role="user", content=f"what about topic {n % 37}?")),
                "first get": memory.get,
                "get again": memory.get,
                "put answer": lambda rest=rest: memory.put_messages(rest),
            }
            for name, step in steps.items():
                taken[name].append(measured(brain, step))
        for name, times in taken.items():
            whole, own = median(t[0] for t in times), median(t[1] for t in times)
            print(f"{size:5} turns  {name:13} {whole:7.2f} ms, of it the adapter {own:5.2f} ms")
        print(
            f"{size:5} turns  adapter per model call {sum(median(t[1] for t in times) for times in taken.values()) / 2:5.2f} ms"
        )
