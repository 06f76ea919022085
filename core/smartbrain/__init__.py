"""SmartBrain: the memory of LLM agents.

Names are loaded at first use, so that importing this package reads no dictionary, opens no file and costs little.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smartbrain.aio import AsyncSmartBrain
    from smartbrain.config import BrainConfig
    from smartbrain.contracts.context import ContextPackage
    from smartbrain.contracts.evidence import EvidencePack
    from smartbrain.contracts.history import MemoryChanges, UndoResult
    from smartbrain.contracts.plan import RetrievalPlan
    from smartbrain.contracts.results import CommitResult, ContextDiff, Explanation, ForgetCheck, ForgetReceipt
    from smartbrain.contracts.scopes import ScopeContext, ScopeRef
    from smartbrain.contracts.turn_events import TurnEvents
    from smartbrain.errors import SmartBrainError
    from smartbrain.memory_types import MemoryType
    from smartbrain.model import MemoryItem, Message, Ref, ToolCall, Turn
    from smartbrain.runtime import Replay, SmartBrain

__version__ = "0.1.0"

_HOMES = {
    "AsyncSmartBrain": "smartbrain.aio",
    "BrainConfig": "smartbrain.config",
    "CommitResult": "smartbrain.contracts.results",
    "ContextDiff": "smartbrain.contracts.results",
    "ContextPackage": "smartbrain.contracts.context",
    "EvidencePack": "smartbrain.contracts.evidence",
    "Explanation": "smartbrain.contracts.results",
    "ForgetCheck": "smartbrain.contracts.results",
    "ForgetReceipt": "smartbrain.contracts.results",
    "MemoryChanges": "smartbrain.contracts.history",
    "MemoryItem": "smartbrain.model",
    "MemoryType": "smartbrain.memory_types",
    "Message": "smartbrain.model",
    "Ref": "smartbrain.model",
    "Replay": "smartbrain.runtime",
    "RetrievalPlan": "smartbrain.contracts.plan",
    "ScopeContext": "smartbrain.contracts.scopes",
    "ScopeRef": "smartbrain.contracts.scopes",
    "SmartBrain": "smartbrain.runtime",
    "SmartBrainError": "smartbrain.errors",
    "ToolCall": "smartbrain.model",
    "Turn": "smartbrain.model",
    "TurnEvents": "smartbrain.contracts.turn_events",
    "UndoResult": "smartbrain.contracts.history",
}

__all__ = [
    "AsyncSmartBrain",
    "BrainConfig",
    "CommitResult",
    "ContextDiff",
    "ContextPackage",
    "EvidencePack",
    "Explanation",
    "ForgetCheck",
    "ForgetReceipt",
    "MemoryChanges",
    "MemoryItem",
    "MemoryType",
    "Message",
    "Ref",
    "Replay",
    "RetrievalPlan",
    "ScopeContext",
    "ScopeRef",
    "SmartBrain",
    "SmartBrainError",
    "ToolCall",
    "Turn",
    "TurnEvents",
    "UndoResult",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'smartbrain' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
