"""What the middleware costs beside composing and the model: ``python tests/benchmarks/bench_langchain.py [turns]``.

An agent on a file with two model calls and one tool call a turn; the model answers at once. Prints a table in
milliseconds; asserts nothing.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from collections import defaultdict
from pathlib import Path
from time import perf_counter
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from smartbrain import SmartBrain
from smartbrain_lc import SmartBrainMiddleware
from smartbrain_lc.testing import ScriptedChat, calls

TIMES: dict[str, list[float]] = defaultdict(list)
INSIDE = threading.local()


def timed(name: str, method: Any) -> Any:
    """The method, its own time noted under ``name``: without what other timed calls inside it took."""

    def call(*args: Any, **kwargs: Any) -> Any:
        outer, INSIDE.spent = getattr(INSIDE, "spent", 0.0), 0.0
        started = perf_counter()
        try:
            return method(*args, **kwargs)
        finally:
            took = perf_counter() - started
            TIMES[name].append((took - INSIDE.spent) * 1000)
            INSIDE.spent = outer + took

    return call


class Timed(SmartBrainMiddleware):
    """The middleware with a watch on every hook."""

    def before_agent(self, state: Any, runtime: Any) -> Any:
        return timed("before_agent", super().before_agent)(state, runtime)

    def before_model(self, state: Any, runtime: Any) -> None:
        timed("before_model", super().before_model)(state, runtime)

    def after_model(self, state: Any, runtime: Any) -> None:
        timed("after_model", super().after_model)(state, runtime)

    def after_agent(self, state: Any, runtime: Any) -> None:
        timed("after_agent (commit apart)", super().after_agent)(state, runtime)

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        return timed("wrap_model_call", super().wrap_model_call)(request, timed("the model", handler))

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        return timed("wrap_tool_call", super().wrap_tool_call)(request, timed("the tool", handler))


@tool
def look(name: str) -> str:
    """Looks something up."""
    return f"found {name} " + "word " * 100


def at(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("turns", nargs="?", type=int, default=200)
    count = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as folder, SmartBrain.open(Path(folder) / "bench.db") as brain:
        for name in ("compose_context", "commit_turn"):
            setattr(brain, name, timed(name, getattr(brain, name)))
        script: list[Any] = [line for n in range(count) for line in (calls(("look", {"name": "x"}, f"c{n}")), "done")]
        agent: Any = create_agent(
            ScriptedChat(script=script), [look], middleware=[Timed(brain, user_id="u")], checkpointer=InMemorySaver()
        )
        for n in range(count):
            config = {"configurable": {"thread_id": f"t{n // 10}"}}
            agent.invoke({"messages": [HumanMessage(f"question {n} about the boat and tea")]}, config)
    print("| step | calls | p50 ms | p95 ms |\n|---|---|---|---|")
    for name, values in TIMES.items():
        print(f"| {name} | {len(values)} | {at(values, 0.5):.2f} | {at(values, 0.95):.2f} |")
    hooks = ("wrap_model_call", "before_model", "after_model")
    per_call = [sum(parts) for parts in zip(*(TIMES[name] for name in hooks), strict=True)]
    print(
        f"| **a model call, composing apart** | {len(per_call)} | {at(per_call, 0.5):.2f} | {at(per_call, 0.95):.2f} |"
    )


if __name__ == "__main__":
    main()
