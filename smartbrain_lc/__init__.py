"""SmartBrain for LangChain and LangGraph.

Names are loaded at first use; without LangChain that first use says which extra to install.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from smartbrain.errors import MissingExtraError

if TYPE_CHECKING:
    from smartbrain_lc._identity import from_config, from_context
    from smartbrain_lc.classic import SmartBrainMemory
    from smartbrain_lc.history import SmartBrainChatMessageHistory
    from smartbrain_lc.middleware import SmartBrainMiddleware
    from smartbrain_lc.retriever import SmartBrainRetriever
    from smartbrain_lc.runnable import LoadMemory, with_memory
    from smartbrain_lc.store import SmartBrainStore
    from smartbrain_lc.tools import make_memory_tools

_HOMES = {
    "LoadMemory": ("runnable", "langchain"),
    "SmartBrainChatMessageHistory": ("history", "langchain"),
    "SmartBrainMemory": ("classic", "langchain-classic"),
    "SmartBrainMiddleware": ("middleware", "langchain"),
    "SmartBrainRetriever": ("retriever", "langchain"),
    "SmartBrainStore": ("store", "langchain"),
    "from_config": ("_identity", "langchain"),
    "from_context": ("_identity", "langchain"),
    "make_memory_tools": ("tools", "langchain"),
    "with_memory": ("runnable", "langchain"),
}

__all__ = [
    "LoadMemory",
    "SmartBrainChatMessageHistory",
    "SmartBrainMemory",
    "SmartBrainMiddleware",
    "SmartBrainRetriever",
    "SmartBrainStore",
    "from_config",
    "from_context",
    "make_memory_tools",
    "with_memory",
]

_FRAMEWORK = ("langchain", "langchain_core", "langchain_classic", "langgraph")


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'smartbrain_lc' has no attribute {name!r}")
    module, extra = home
    try:
        value = getattr(importlib.import_module(f"smartbrain_lc.{module}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _FRAMEWORK:
            raise MissingExtraError(f"smartbrain_lc.{name}", extra) from error
        raise
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
