"""Calls into the brain that must not cost the user the answer, nor show up in it."""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable
from typing import Literal, TypeVar

from langchain_core.runnables.config import RunnableConfig, var_child_runnable_config
from langgraph.constants import TAG_NOSTREAM

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.errors import InputError

T = TypeVar("T")
OnError = Literal["warn", "raise"]

logger = logging.getLogger("smartbrain_lc")


class Guard:
    """Runs calls into a brain. With ``"warn"`` a failure is logged and counted, and the run goes on without memory."""

    def __init__(self, brain: SmartBrain | AsyncSmartBrain, on_error: OnError) -> None:
        if on_error not in ("warn", "raise"):
            raise InputError(f'on_error must be "warn" or "raise", got {on_error!r}')
        self.brain = brain.sync if isinstance(brain, AsyncSmartBrain) else brain
        self._on_error = on_error

    def run(self, what: str, call: Callable[[], T], default: T) -> T:
        """``call()``, quietly; ``default`` when it fails. ``what`` names the step in log and diagnostics."""
        try:
            return quietly(call)
        except Exception as error:
            self.failed(what, error)
            if self._on_error == "raise":
                raise
            return default

    def failed(self, what: str, error: Exception) -> None:
        """Logs a failure and counts it in the brain's diagnostics as ``langchain_<what>_failures``."""
        logger.warning("memory: %s failed, the run goes on without it: %s: %s", what, type(error).__name__, error)
        # The counts of the diagnostics have no public way in yet; this is the only place that needs one.
        self.brain._shop.tracker.count(f"langchain_{what}_failures")


def quietly(call: Callable[[], T]) -> T:
    """``call()`` with every model call inside it tagged ``nostream``: memory's own words are not the answer's."""
    context = contextvars.copy_context()
    config: RunnableConfig = var_child_runnable_config.get() or {}
    quiet: RunnableConfig = {**config, "tags": [*(config.get("tags") or ()), TAG_NOSTREAM]}
    context.run(var_child_runnable_config.set, quiet)
    return context.run(call)
