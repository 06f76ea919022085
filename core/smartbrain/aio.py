"""``AsyncSmartBrain``: the same calls for asyncio. Each runs on a pool, context variables carried over."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from smartbrain.config import BrainConfig
from smartbrain.ports import Storage
from smartbrain.runtime import SmartBrain

P = ParamSpec("P")
T = TypeVar("T")


def _awaitable(
    method: Callable[Concatenate[SmartBrain, P], T],
) -> Callable[Concatenate[AsyncSmartBrain, P], Coroutine[Any, Any, T]]:
    """The method of the brain underneath as an awaitable one of the same signature."""

    @functools.wraps(method)
    async def call(self: AsyncSmartBrain, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(functools.partial(method, self._brain, *args, **kwargs))

    return call


class AsyncSmartBrain:
    """``SmartBrain`` with awaitable methods of the same names and arguments.

    Bound to no event loop: one object may be used from several loops. An async context manager.
    """

    def __init__(self, brain: SmartBrain, *, max_workers: int = 8) -> None:
        """Wraps a brain; at most ``max_workers`` calls run at once, the others wait."""
        self._brain = brain
        self._pool = ThreadPoolExecutor(max_workers=max_workers, thread_name_prefix="smartbrain")

    @classmethod
    async def open(
        cls,
        target: str | Path | Storage = ":memory:",
        *,
        config: BrainConfig | str | Path | Mapping[str, Any] | None = None,
        **plugins: Any,
    ) -> Self:
        """Opens a store off the loop; see ``SmartBrain.open``."""
        opening = functools.partial(SmartBrain.open, target, config=config, **plugins)
        return cls(await asyncio.get_running_loop().run_in_executor(None, opening))

    @property
    def sync(self) -> SmartBrain:
        """The brain underneath, for code that is not async."""
        return self._brain

    @property
    def config(self) -> BrainConfig:
        """The configuration in force."""
        return self._brain.config

    async def close(self) -> None:
        """Closes the brain underneath; calling it again does nothing."""
        await asyncio.get_running_loop().run_in_executor(None, self._brain.close)
        self._pool.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _run(self, call: Callable[[], T]) -> T:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._pool, context.run, call)

    warm_up = _awaitable(SmartBrain.warm_up)
    commit_turn = _awaitable(SmartBrain.commit_turn)
    commit_turns = _awaitable(SmartBrain.commit_turns)
    open_turn = _awaitable(SmartBrain.open_turn)
    stage = _awaitable(SmartBrain.stage)
    sweep = _awaitable(SmartBrain.sweep)
    catch_up = _awaitable(SmartBrain.catch_up)
    rebuild = _awaitable(SmartBrain.rebuild)
    compose_context = _awaitable(SmartBrain.compose_context)
    search = _awaitable(SmartBrain.search)
    refs = _awaitable(SmartBrain.refs)
    recall_history = _awaitable(SmartBrain.recall_history)
    sessions = _awaitable(SmartBrain.sessions)
    memories = _awaitable(SmartBrain.memories)
    history = _awaitable(SmartBrain.history)
    why = _awaitable(SmartBrain.why)
    changes = _awaitable(SmartBrain.changes)
    undo = _awaitable(SmartBrain.undo)
    edit = _awaitable(SmartBrain.edit)
    retract = _awaitable(SmartBrain.retract)
    forget = _awaitable(SmartBrain.forget)
    prune = _awaitable(SmartBrain.prune)
    verify_forgotten = _awaitable(SmartBrain.verify_forgotten)
    export = _awaitable(SmartBrain.export)
    import_ = _awaitable(SmartBrain.import_)
    import_chats = _awaitable(SmartBrain.import_chats)
    backup = _awaitable(SmartBrain.backup)
    diagnostics = _awaitable(SmartBrain.diagnostics)
    replay = _awaitable(SmartBrain.replay)
    diff = _awaitable(SmartBrain.diff)
