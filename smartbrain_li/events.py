"""What SmartBrain tells LlamaIndex's instrumentation: one event for each recall, each commit and each failure."""

from __future__ import annotations

from llama_index.core.bridge.pydantic import Field
from llama_index.core.instrumentation.events import BaseEvent
from llama_index_instrumentation import get_dispatcher

dispatcher = get_dispatcher(__name__)


class MemoryRecallEvent(BaseEvent):
    """A memory was read for a model call.

    ``evidence_ids`` are what was shown beside the recent turns, ``tokens`` the estimate for the whole package.
    ``cached`` when the package of an earlier step of the same turn was shown again.
    """

    session_id: str
    context_id: str | None = None
    evidence_ids: list[str] = Field(default_factory=list)
    recent_turns: int = 0
    tokens: int = 0
    cached: bool = False

    @classmethod
    def class_name(cls) -> str:
        return "MemoryRecallEvent"


class MemoryCommitEvent(BaseEvent):
    """A turn was committed. ``keys`` are the memory items it wrote; ``status`` is that of the ``CommitResult``."""

    session_id: str
    turn_id: str
    status: str
    revision: int = 1
    keys: list[str] = Field(default_factory=list)

    @classmethod
    def class_name(cls) -> str:
        return "MemoryCommitEvent"


class MemoryErrorEvent(BaseEvent):
    """Memory failed and the program went on without it. ``operation`` is ``get``, ``put``, ``set`` …."""

    session_id: str
    operation: str
    error: str

    @classmethod
    def class_name(cls) -> str:
        return "MemoryErrorEvent"
