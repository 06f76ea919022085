"""``SmartBrainMemory``: the memory of LlamaIndex chat engines, agents and workflows."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from llama_index.core.base.llms.types import ChatMessage, TextBlock
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.memory import BaseMemory

from smartbrain import BrainConfig, CommitResult, ForgetReceipt, Message, SmartBrain
from smartbrain.aio import AsyncSmartBrain
from smartbrain.tool_texts import Owner
from smartbrain_li import _registry
from smartbrain_li._messages import from_neutral, to_neutral
from smartbrain_li._prompt import Placement, prompt_messages
from smartbrain_li._session import Recalled, Session
from smartbrain_li.events import MemoryCommitEvent, MemoryErrorEvent, MemoryRecallEvent, dispatcher

logger = logging.getLogger("smartbrain_li")

T = TypeVar("T")
D = TypeVar("D")

_answering: ContextVar[tuple[int, str] | None] = ContextVar("smartbrain_li_answering", default=None)
"""The session and turn whose answer this context will bring: LlamaIndex copies it into the thread that streams."""


class SmartBrainMemory(BaseMemory):
    """A session of a brain as LlamaIndex memory. Make one with ``from_defaults``.

    ``get`` returns what is remembered for the question, the recent turns verbatim and the turn in progress, never over
    ``token_limit``; ``get_all`` the whole chat as it was put. ``reset`` starts a new window and deletes nothing.

    Only plain fields are serialised, so a LlamaIndex ``Context`` that holds the memory may be stored: restored in this
    process it finds its brain by ``brain_name``, in another by ``path`` or by a brain attached under that name. One
    object is one session; several objects of a session share their state. Copying gives the object itself.
    """

    brain_name: str = Field(description="The name under which the brain is attached in this process.")
    path: str | None = Field(default=None, description="The store's path, for processes that must open it themselves.")
    session_id: str = Field(description="The conversation.")
    user_id: str | None = Field(default=None, description="The user whose sessions share their memory.")
    domain_id: str | None = Field(default=None, description="The tenant, together with scope_context.")
    scope_context: dict[str, Any] | None = Field(default=None, description="Which scopes are read and written.")
    token_limit: int | None = Field(default=None, ge=1, description="Tokens get() may return; None: the brain's own.")
    placement: Placement = Field(default="auto", description="Where remembered text goes.")
    on_error: Literal["warn", "raise"] = Field(default="warn", description="What a failing store does to the program.")
    _session: Session = PrivateAttr()
    _failures: int = PrivateAttr(default=0)

    def model_post_init(self, context: Any, /) -> None:
        """Finds the brain again; raises NotFoundError, saying what to do, when it is not there."""
        super().model_post_init(context)
        brain = _registry.find_brain(self.brain_name, self.path)
        owner = Owner(self.session_id, self.user_id, self.domain_id, self.scope_context)
        self._session = _registry.find_session(self.brain_name, brain, owner)

    @classmethod
    def class_name(cls) -> str:
        return "SmartBrainMemory"

    @classmethod
    def from_defaults(
        cls,
        brain: SmartBrain | AsyncSmartBrain | None = None,
        *,
        path: str | Path | None = None,
        session_id: str | None = None,
        user_id: str | None = None,
        domain_id: str | None = None,
        scope_context: Any = None,
        token_limit: int | None = None,
        placement: Placement = "auto",
        on_error: Literal["warn", "raise"] = "warn",
        name: str | None = None,
        chat_history: Sequence[ChatMessage] | None = None,
        llm: Any = None,
        **_: Any,
    ) -> SmartBrainMemory:
        """A memory over a ``brain``, or over the store at ``path`` (opened once a process), or over a new one in RAM.

        Without a ``session_id`` a new session begins. ``user_id`` makes memory span that user's sessions; without it
        memory stays in the session. ``name`` is what other processes find the brain by (see ``attach``).
        ``token_limit`` bounds what ``get`` returns; with an ``llm`` and no limit it is three quarters of its context
        window, if that is less than the brain's own. ``placement`` says where remembered text goes: ``"system"``, a
        message of its own in front; ``"user"``, before the user's words in the newest user message, for models that
        take one system message and for ReActAgent, which drops the first; ``"auto"``, ``"user"`` where the user's
        message is in the memory (agents, SimpleChatEngine) and else ``"system"``. ``on_error="warn"`` lets the program
        go on without memory when the store fails. ``chat_history`` is given to ``set``.
        """
        if brain is not None:
            brain_name = _registry.attach(brain, name)
        elif path is not None:
            brain_name = _registry.open_path(str(path))
        else:
            brain_name = _registry.attach(SmartBrain.open(), name)
        if scope_context is not None and not isinstance(scope_context, dict):
            scope_context = scope_context.model_dump(mode="json")
        memory = cls(
            brain_name=brain_name,
            path=None if path is None else _registry.without_secrets(str(path)),
            session_id=session_id or uuid.uuid4().hex,
            user_id=user_id,
            domain_id=domain_id,
            scope_context=scope_context,
            token_limit=token_limit if token_limit is not None else _limit_for(llm),
            placement=placement,
            on_error=on_error,
        )
        if chat_history:
            memory.set(list(chat_history))
        return memory

    @property
    def brain(self) -> SmartBrain:
        """The brain behind it."""
        return self._session.brain

    @property
    def owner(self) -> Owner:
        """Whose memory it is, as the tools and retrievers take it."""
        return self._session.owner

    @property
    def failures(self) -> int:
        """How often memory failed and the program went on; each is logged and told to the instrumentation too."""
        return self._failures

    # -- reading -------------------------------------------------------------------------------------------------

    @dispatcher.span
    def get(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:
        """The messages to put before a model: instructions, what is remembered, recent turns, the turn in progress.

        ``input`` is the user's message where it is not put yet; it is not part of the answer then. Room for
        ``initial_token_count`` tokens is left. Every call returns new objects.
        """
        return self._read(_words(input), int(kwargs.get("initial_token_count") or 0))

    @dispatcher.span
    async def aget(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:
        """``get`` off the event loop."""
        return await asyncio.to_thread(self._read, _words(input), int(kwargs.get("initial_token_count") or 0))

    def get_all(self) -> list[ChatMessage]:
        """The chat as it was put, from the last ``reset`` on, without anything of SmartBrain's own."""
        nothing: list[Message] = []
        messages = self._tried("get_all", self._session.history, nothing)
        return [from_neutral(message) for message in messages]

    async def aget_all(self) -> list[ChatMessage]:
        """``get_all`` off the event loop."""
        return await asyncio.to_thread(self.get_all)

    # -- writing -------------------------------------------------------------------------------------------------

    def put(self, message: ChatMessage) -> None:
        """Adds a message to its turn, durably; an answer commits the turn."""
        self.put_messages([message])

    async def aput(self, message: ChatMessage) -> None:
        """``put`` off the event loop."""
        await self.aput_messages([message])

    @dispatcher.span
    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Adds messages to their turns, durably; each answer commits its turn."""
        self._note(self._put(messages, _run_id(), self._answering()))

    @dispatcher.span
    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        """``put_messages`` off the event loop."""
        self._note(await asyncio.to_thread(self._put, messages, _run_id(), self._answering()))

    @dispatcher.span
    def set(self, messages: list[ChatMessage]) -> None:
        """Makes ``messages`` the chat. What is known already is not learnt again; what is gone stays in the log."""
        self._set(messages, _run_id())

    async def aset(self, messages: list[ChatMessage]) -> None:
        """``set`` off the event loop."""
        await asyncio.to_thread(self.set, messages)

    def reset(self) -> None:
        """Starts a new window: the chat is empty, but its turns stay in the log and what they say can be recalled.

        Nothing is deleted; ``forget`` deletes.
        """
        left = self._tried("reset", self._session.reset, 0)
        logger.info("session %s was reset: %d turns left the chat window; the log keeps them", self.session_id, left)

    async def areset(self) -> None:
        """``reset`` off the event loop."""
        await asyncio.to_thread(self.reset)

    def forget(
        self,
        *,
        turn_id: str | None = None,
        message_id: str | None = None,
        item_id: str | None = None,
        query: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> ForgetReceipt:
        """Deletes for good, with all that rests on it: this session, or the one thing that is said.

        ``everything``, ``item_id`` and ``query`` reach all sessions of the user; see ``SmartBrain.forget``. A failure
        is raised whatever ``on_error`` says, for nobody may take it for done.
        """
        wish = {"turn_id": turn_id, "message_id": message_id, "item_id": item_id, "query": query}
        receipt = self._session.forget(dry_run=dry_run, everything=everything, **wish)
        if dry_run:
            return receipt
        if not everything and not any(wish.values()):
            self._session.drop(None, instructions=True)
            return receipt
        # The store knows what is left of a turn that lost a message.
        gone = None if everything or message_id else {*receipt.turn_ids, *([turn_id] if turn_id else [])}
        for session in _registry.sessions_like(self._session):
            session.drop(gone, instructions=everything)
        return receipt

    async def aforget(self, **wish: Any) -> ForgetReceipt:
        """``forget`` off the event loop, with the same arguments."""
        return await asyncio.to_thread(self.forget, **wish)

    def _read(self, query: str | None, taken: int) -> list[ChatMessage]:
        limit = self._limit() - taken

        def run() -> Recalled:
            return self._session.recall(query, token_limit=limit)

        recalled = self._tried("get", run, None)
        if recalled is None:
            recalled = self._session.recall(query, token_limit=limit, compose=False)
        self._tell_recall(recalled)
        return prompt_messages(recalled, self.placement)

    def _put(self, messages: Sequence[ChatMessage], run_id: str | None, answering: str | None) -> str | None:
        def run() -> tuple[str | None, list[CommitResult]]:
            return self._session.put([to_neutral(m) for m in messages], run_id=run_id, answering=answering)

        put = self._tried("put", run, None)
        if put is None:
            return None
        self._tell_commits(put[1])
        return put[0]

    def _set(self, messages: Sequence[ChatMessage], run_id: str | None) -> None:
        neutral = [to_neutral(message) for message in messages]
        results = self._tried("set", lambda: self._session.replace(neutral, run_id=run_id), None)
        self._tell_commits(results or [])

    # -- what only this process knows ----------------------------------------------------------------------------

    def _answering(self) -> str | None:
        known = _answering.get()
        return known[1] if known is not None and known[0] == id(self._session) else None

    def _note(self, turn_id: str | None) -> None:
        if turn_id is not None:
            _answering.set((id(self._session), turn_id))

    def _limit(self) -> int:
        return self.token_limit or self.brain.config.policies.composition.token_limit

    def _tried(self, operation: str, run: Callable[[], T], otherwise: D) -> T | D:
        try:
            return run()
        except Exception as error:
            if self.on_error == "raise":
                raise
            self._failures += 1
            logger.warning("memory of session %s failed in %s: %s", self.session_id, operation, error, exc_info=True)
            dispatcher.event(MemoryErrorEvent(session_id=self.session_id, operation=operation, error=repr(error)))
            return otherwise

    def _tell_recall(self, recalled: Recalled) -> None:
        package = recalled.package
        event = MemoryRecallEvent(session_id=self.session_id, cached=recalled.cached)
        if package is not None:
            event.context_id = package.context_id
            event.evidence_ids = [entry.id for entry in package.evidence]
            event.recent_turns = len({entry.turn_id for entry in package.recent_turns})
            event.tokens = package.constraints.token_budget.used_estimate
        dispatcher.event(event)

    def _tell_commits(self, results: Sequence[CommitResult]) -> None:
        for result in results:
            dispatcher.event(
                MemoryCommitEvent(
                    session_id=self.session_id,
                    turn_id=result.turn_id,
                    status=result.status,
                    revision=result.revision,
                    keys=[item.key for item in result.memory_written.items],
                )
            )

    # -- copies and how it looks ---------------------------------------------------------------------------------

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return self

    def model_copy(self, *, update: Any = None, deep: bool = False) -> Self:  # noqa: ARG002
        """The object itself; with ``update`` another memory with those fields changed."""
        return type(self)(**{**self.model_dump(exclude={"class_name"}), **update}) if update else self

    def __reduce__(self) -> Any:
        return type(self).from_dict, (self.to_dict(),)

    def __repr_args__(self) -> Any:
        # It lands in traces: neither who the user is nor where the store stands.
        yield "session_id", self.session_id
        yield "placement", self.placement


def _words(input: Any) -> str | None:
    """The text of what a caller asks for; some pass a whole message."""
    if isinstance(input, ChatMessage):
        return "\n".join(block.text for block in input.blocks if isinstance(block, TextBlock))
    return None if input is None else str(input)


def _limit_for(llm: Any) -> int | None:
    window = getattr(getattr(llm, "metadata", None), "context_window", None)
    if not isinstance(window, int) or window < 1:
        return None
    return int(min(max(1, window * 3 // 4), BrainConfig().policies.composition.token_limit))


def _run_id() -> str | None:
    """The agent run this call belongs to; None in chat engines and with older workflows."""
    try:
        from llama_index_instrumentation.dispatcher import active_instrument_tags

        found: Any = active_instrument_tags.get().get("llamaindex.run_id")
    except (ImportError, LookupError, AttributeError):
        return None
    return str(found) if found else None
