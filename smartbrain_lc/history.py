"""``SmartBrainChatMessageHistory``: the raw history of a session, for ``RunnableWithMessageHistory``."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import BaseMessage, HumanMessage

from smartbrain import AsyncSmartBrain, SmartBrain, Turn
from smartbrain.contracts.scopes import ScopeContextLike
from smartbrain.errors import InputError
from smartbrain.policies.toolgroups import segments
from smartbrain.tool_texts import Owner
from smartbrain_lc._guard import Guard
from smartbrain_lc._messages import from_neutral, to_neutral, tool_records

_BEGINNING = "1970-01-01T00:00:00+00:00"


class SmartBrainChatMessageHistory(BaseChatMessageHistory):
    """The messages of a session as they were said; the memory distilled from them comes by the other ways in.

    ``messages`` is the raw window of the newest ``turns`` turns, whole and valid for every provider. It holds no
    context package: RunnableWithMessageHistory counts these messages, and a list that changes would cost the user's
    next message. One call of ``add_messages`` is one turn; an answer that comes alone joins the question before it.

    RunnableWithMessageHistory swallows the errors of a history. They are logged and counted in the brain's
    diagnostics (``langchain_history_failures``) before they are raised.
    """

    def __init__(
        self,
        brain: SmartBrain | AsyncSmartBrain,
        session_id: str,
        *,
        user_id: str | None = None,
        domain_id: str | None = None,
        scope_context: ScopeContextLike | None = None,
        turns: int = 100,
    ) -> None:
        """The history of one session. ``turns`` bounds how many of its newest turns are shown."""
        if turns < 1:
            raise InputError(f"turns must be at least 1, got {turns!r}")
        self._guard = Guard(brain, "raise")
        self._brain = self._guard.brain
        self._owner = Owner(session_id, user_id, domain_id, scope_context)
        self._turns = turns

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override] # the base declares a field
        """The messages of the newest turns, oldest first."""
        return self._guard.run("history", self._read, [])

    async def aget_messages(self) -> list[BaseMessage]:
        """The messages of the newest turns, read off the event loop."""
        return await asyncio.to_thread(lambda: self.messages)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Commits the messages; each user message opens a turn."""
        self._guard.run("history", lambda: self._add(list(messages)), None)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Commits the messages off the event loop."""
        await asyncio.to_thread(self.add_messages, messages)

    def clear(self) -> None:
        """Not offered: forgetting is the brain's, which says what it deleted."""
        raise NotImplementedError(
            "SmartBrain deletes nothing on a chain's behalf; brain.forget() does, or start another session_id"
        )

    def _read(self) -> list[BaseMessage]:
        return [
            from_neutral(message)
            for turn in self._newest(self._turns)
            for segment in segments(turn)[0]
            for message in segment.messages
        ]

    def _newest(self, count: int) -> list[Turn]:
        owner = self._owner
        return self._brain.recall_history(owner.session_id, since=_BEGINNING, limit=count, **owner.scopes())

    def _add(self, messages: list[BaseMessage]) -> None:
        parts: list[list[BaseMessage]] = []
        for message in messages:
            opens = isinstance(message, HumanMessage) and not (parts and isinstance(parts[-1][-1], HumanMessage))
            if opens or not parts:
                parts.append([])
            parts[-1].append(message)
        for part in parts:
            before = None if isinstance(part[0], HumanMessage) else next(iter(self._newest(1)), None)
            self._commit(part, before)

    def _commit(self, messages: list[BaseMessage], before: Turn | None) -> None:
        owner = self._owner
        new: list[Any] = [to_neutral(message) for message in messages]
        calls: list[Any] = list(tool_records(messages))
        turn_id = uuid.uuid4().hex
        if before is not None and before.messages and before.messages[-1].role in ("user", "tool"):
            turn_id, new, calls = before.turn_id, [*before.messages, *new], [*before.tool_calls, *calls]
        self._brain.commit_turn(
            owner.session_id, {"messages": new, "tool_calls": calls}, turn_id=turn_id, **owner.scopes()
        )
