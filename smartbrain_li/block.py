"""``SmartBrainMemoryBlock``: SmartBrain as one block of LlamaIndex's own ``Memory``."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.memory.memory import BaseMemoryBlock

from smartbrain import Message, SmartBrain
from smartbrain.aio import AsyncSmartBrain
from smartbrain.contracts.rendering import memory_text
from smartbrain.errors import InputError, ScopeError
from smartbrain.text.fence import CLOSE
from smartbrain.text.tokens import HeuristicTokenCounter
from smartbrain.tool_texts import Owner
from smartbrain_li import _registry
from smartbrain_li._messages import to_neutral
from smartbrain_li._session import Session
from smartbrain_li.events import MemoryErrorEvent, dispatcher

logger = logging.getLogger("smartbrain_li")

T = TypeVar("T")

_MOST_SESSIONS = 256


class SmartBrainMemoryBlock(BaseMemoryBlock[str]):
    """What SmartBrain remembers, inside ``Memory.from_defaults(memory_blocks=[…])``.

    Reading: each ``get`` of the memory shows what is remembered for the newest user message. Writing: LlamaIndex gives
    a block only the messages that no longer fit its own short-term memory, so only those are recorded; with
    ``SmartBrainMemory`` every turn is. One block may serve many memories: each keeps to its own ``session_id``.
    """

    name: str = "smartbrain"
    priority: int = 1
    brain_name: str = Field(description="The name under which the brain is attached in this process.")
    path: str | None = None
    session_id: str | None = Field(default=None, description="The session of calls that name none.")
    user_id: str | None = None
    domain_id: str | None = None
    scope_context: dict[str, Any] | None = None
    token_limit: int = Field(default=2000, ge=1, description="Tokens that the block may show.")
    on_error: Literal["warn", "raise"] = "warn"
    _brain: SmartBrain = PrivateAttr()
    _lock: Any = PrivateAttr(default_factory=threading.Lock)
    _sessions: OrderedDict[str, Session] = PrivateAttr(default_factory=OrderedDict)
    _failures: int = PrivateAttr(default=0)

    def model_post_init(self, context: Any, /) -> None:
        """Finds the brain; raises NotFoundError when it is not there."""
        super().model_post_init(context)
        self._brain = _registry.find_brain(self.brain_name, self.path)

    @classmethod
    def from_defaults(
        cls,
        brain: SmartBrain | AsyncSmartBrain | None = None,
        *,
        path: str | Path | None = None,
        **fields: Any,
    ) -> SmartBrainMemoryBlock:
        """A block over a ``brain`` or over the store at ``path``; ``fields`` are those of the class."""
        if brain is None and path is None:
            raise InputError("a SmartBrainMemoryBlock needs a brain or the path of a store")
        name = _registry.attach(brain) if brain is not None else _registry.open_path(str(path))
        return cls(brain_name=name, path=None if path is None else _registry.without_secrets(str(path)), **fields)

    @property
    def failures(self) -> int:
        """How often memory failed and the program went on."""
        return self._failures

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        session_id = block_kwargs.get("session_id") or self.session_id
        asked = next((m for m in reversed(messages or ()) if m.role == MessageRole.USER), None)
        return await asyncio.to_thread(self._tried, "get", lambda: self._read(session_id, asked), "")

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await asyncio.to_thread(self._tried, "put", lambda: self._write(messages), None)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The content without its last pieces of evidence, at least so many tokens less; None when nothing is left.

        The best evidence stays longest, and pinned memory longer than evidence.
        """
        return shortened(content, tokens_to_truncate)

    def _read(self, session_id: str | None, asked: ChatMessage | None) -> str:
        content = to_neutral(asked).content if asked is not None else None
        package = self._session(session_id).remembered(content, token_limit=self.token_limit)
        return memory_text(package)

    def _write(self, messages: Sequence[ChatMessage]) -> None:
        batches: dict[str | None, list[Message]] = {}
        for message in messages:
            # LlamaIndex writes the session into the messages it gives away.
            kwargs = dict(message.additional_kwargs)
            session_id = kwargs.pop("session_id", None) or self.session_id
            own = ChatMessage(role=message.role, blocks=message.blocks, additional_kwargs=kwargs)
            batches.setdefault(session_id, []).append(to_neutral(own))
        for session_id, batch in batches.items():
            self._session(session_id).put(batch, run_id=None, answering=None)

    def _session(self, session_id: str | None) -> Session:
        if not session_id:
            raise ScopeError("a SmartBrainMemoryBlock used without a Memory needs a session_id")
        owner = Owner(session_id, self.user_id, self.domain_id, self.scope_context)
        with self._lock:
            session = self._sessions[session_id] = _registry.find_session(self.brain_name, self._brain, owner)
            self._sessions.move_to_end(session_id)
            while len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
            return session

    def _tried(self, operation: str, run: Callable[[], T], otherwise: T) -> T:
        try:
            return run()
        except Exception as error:
            if self.on_error == "raise":
                raise
            self._failures += 1
            logger.warning("the memory block %s failed in %s: %s", self.name, operation, error, exc_info=True)
            dispatcher.event(MemoryErrorEvent(session_id="", operation=operation, error=repr(error)))
            return otherwise

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self

    def __repr_args__(self) -> Any:
        yield "name", self.name


def shortened(content: str, tokens: int) -> str | None:
    """A fenced text without its least pieces, ``tokens`` shorter by any usual tokenizer; None when nothing is left.

    Evidence goes first, the last first; then the summary, the best evidence, and what is pinned.
    """
    # Only a new piece begins at the margin.
    pieces = re.split(r"\n(?=\S)", content.removesuffix(f"\n{CLOSE}"))
    evidence = [n for n, piece in enumerate(pieces) if piece.startswith("- [E")]
    summary = [n for n, piece in enumerate(pieces) if piece.startswith("Summary of ")]
    pinned = [n for n, piece in enumerate(pieces) if piece.startswith("- [") and n not in evidence]
    order = [*evidence[:0:-1], *summary, *evidence[:1], *reversed(pinned)]
    removed: set[int] = set()
    while order and _least_tokens("\n".join(pieces[n] for n in removed)) < tokens:
        removed.add(order.pop(0))
    if not order:
        return None
    if removed.issuperset(evidence):
        removed |= {n for n, piece in enumerate(pieces) if piece == "Evidence:"}
    return "\n".join([*(piece for n, piece in enumerate(pieces) if n not in removed), CLOSE])


def _least_tokens(text: str) -> int:
    """What a text counts at least, whichever tokenizer LlamaIndex was given."""
    words = sum(max(1, sum(ord(char) > 0x2E7F for char in word)) for word in text.split())
    return min(words, int(HeuristicTokenCounter().count(text) / 1.1))
