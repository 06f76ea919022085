"""SmartBrain for LlamaIndex.

Names are loaded at first use; without LlamaIndex that first use says which extra to install.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from smartbrain.errors import MissingExtraError

if TYPE_CHECKING:
    from smartbrain_li._registry import attach, close_all, detach
    from smartbrain_li.block import SmartBrainMemoryBlock
    from smartbrain_li.events import MemoryCommitEvent, MemoryErrorEvent, MemoryRecallEvent
    from smartbrain_li.memory import SmartBrainMemory
    from smartbrain_li.retriever import SmartBrainRetriever
    from smartbrain_li.tools import memory_tools

_HOMES = {
    "MemoryCommitEvent": "events",
    "MemoryErrorEvent": "events",
    "MemoryRecallEvent": "events",
    "SmartBrainMemory": "memory",
    "SmartBrainMemoryBlock": "block",
    "SmartBrainRetriever": "retriever",
    "attach": "_registry",
    "close_all": "_registry",
    "detach": "_registry",
    "memory_tools": "tools",
}

__all__ = [
    "MemoryCommitEvent",
    "MemoryErrorEvent",
    "MemoryRecallEvent",
    "SmartBrainMemory",
    "SmartBrainMemoryBlock",
    "SmartBrainRetriever",
    "attach",
    "close_all",
    "detach",
    "memory_tools",
]

_FRAMEWORK = ("llama_index", "llama_index_instrumentation", "workflows")


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'smartbrain_li' has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(f"smartbrain_li.{home}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _FRAMEWORK:
            raise MissingExtraError(f"smartbrain_li.{name}", "llamaindex") from error
        raise
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
