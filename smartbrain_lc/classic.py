"""``SmartBrainMemory``: memory for the chains of ``langchain_classic``."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_classic.base_memory import BaseMemory
from langchain_core.agents import AgentAction
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from pydantic import Field, PrivateAttr, field_validator

from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.scopes import ScopeContextLike
from smartbrain.errors import InputError
from smartbrain.tool_texts import Owner
from smartbrain_lc._guard import Guard, OnError
from smartbrain_lc._recorder import Recorder, ended_turn
from smartbrain_lc._slots import SLOTS, Slot, slot_value

_OUTPUT_KEYS = ("output", "answer", "text", "response")


class SmartBrainMemory(BaseMemory):
    """Classic memory: ``ConversationChain(llm=model, memory=SmartBrainMemory(brain=brain, session_id="s1"))``.

    ``variables`` says which prompt variables are filled, and with which slot of the context package: a mapping
    ``{variable: slot}`` or a list of slots. Slots: ``system_blocks``, ``developer_blocks``, ``working_summary``,
    ``recent_turns``, ``evidence``, ``memory`` (pinned memory, summary and evidence in one text) and ``all`` (that and
    the recent turns). The default fills ``history`` with ``all``, as ConversationChain's own prompt wants. With
    ``return_messages``, recent turns are messages, for a ``MessagesPlaceholder``.

    ``input_key`` is needed when a chain has several inputs of its own, ``output_key`` when no output has a usual name.
    One object is one session; it may be used from several threads.
    """

    brain: Any = Field(exclude=True, repr=False)
    session_id: str
    user_id: str | None = None
    domain_id: str | None = None
    scope_context: Any = None
    variables: dict[str, Slot] = Field(default={"history": "all"})
    input_key: str | None = None
    output_key: str | None = None
    return_messages: bool = False
    token_limit: int | None = None
    on_error: OnError = "warn"
    _guard: Guard = PrivateAttr()
    _recorder: Recorder = PrivateAttr()

    @field_validator("variables", mode="before")
    @classmethod
    def _by_name(cls, given: Any) -> Any:
        named = given if isinstance(given, Mapping) else {slot: slot for slot in given}
        unknown = [slot for slot in named.values() if slot not in SLOTS]
        if unknown:
            raise ValueError(f"there is no slot {unknown[0]!r}; there are {', '.join(SLOTS)}")
        return dict(named)

    def model_post_init(self, context: Any, /) -> None:
        """Makes what reads and writes the brain."""
        super().model_post_init(context)
        self._guard = Guard(self.brain, self.on_error)
        self._recorder = Recorder(self._guard)

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """It holds an open store, which no serialised form can carry."""
        return False

    @property
    def memory_variables(self) -> list[str]:
        """The prompt variables this memory fills."""
        return list(self.variables)

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """The variables, composed for the user's input."""
        owner = self._owner()
        asked = _words(inputs[self._input_key(inputs)])

        def compose() -> ContextPackage:
            return self._guard.brain.compose_context(
                owner.session_id, asked or None, token_limit=self.token_limit, **owner.scopes()
            )

        package = self._guard.run("compose", compose, None)
        return {name: slot_value(package, slot, self.return_messages) for name, slot in self.variables.items()}

    async def aload_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """The variables, composed off the event loop."""
        return await asyncio.to_thread(self.load_memory_variables, inputs)

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """Commits the turn: the user's input, the tools an agent used, the answer."""
        turn_id = uuid.uuid4().hex
        messages = self._guard.run("answer", lambda: self._messages(inputs, outputs, turn_id), None)
        if messages:
            self._recorder.finish(ended_turn(self._owner(), turn_id, messages))

    async def asave_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """Commits the turn off the event loop."""
        await asyncio.to_thread(self.save_context, inputs, outputs)

    def clear(self) -> None:
        """Not offered: forgetting is the brain's, which says what it deleted."""
        raise NotImplementedError(
            "SmartBrain deletes nothing on a chain's behalf; brain.forget() does, or start another session_id"
        )

    def _owner(self) -> Owner:
        scope: ScopeContextLike | None = self.scope_context
        return Owner(self.session_id, self.user_id, self.domain_id, scope)

    def _input_key(self, inputs: Mapping[str, Any]) -> str:
        if self.input_key is not None:
            if self.input_key not in inputs:
                raise InputError(f"the chain's inputs have no {self.input_key!r}, but {', '.join(map(repr, inputs))}")
            return self.input_key
        own = [name for name in inputs if name not in self.variables and name != "stop"]
        if len(own) != 1:
            raise InputError(f"the chain has the inputs {own}; say with input_key which one the user wrote")
        return own[0]

    def _output_key(self, outputs: Mapping[str, Any]) -> str:
        keys = [self.output_key] if self.output_key else [*outputs] if len(outputs) == 1 else _OUTPUT_KEYS
        found = next((key for key in keys if key in outputs), None)
        if found is None:
            raise InputError(f"the chain's outputs are {sorted(outputs)}; say with output_key which one is the answer")
        return found

    def _messages(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any], turn_id: str) -> list[BaseMessage]:
        asked = inputs[self._input_key(inputs)]
        answer = outputs[self._output_key(outputs)]
        said = asked if isinstance(asked, BaseMessage) else HumanMessage(_words(asked))
        spoken = answer if isinstance(answer, AIMessage) else AIMessage(_words(answer))
        messages = [said, *_steps(outputs.get("intermediate_steps") or (), turn_id), spoken]
        return [m if m.id else m.model_copy(update={"id": f"{turn_id}:{n}"}) for n, m in enumerate(messages)]


def _words(value: Any) -> str:
    if isinstance(value, BaseMessage):
        return str(value.text)
    if isinstance(value, list) and value and isinstance(value[-1], BaseMessage):
        return str(value[-1].text)
    return value if isinstance(value, str) else str(value)


def _steps(steps: Sequence[tuple[AgentAction, Any]], turn_id: str) -> list[BaseMessage]:
    """The tools an agent used, which a chain shows in its outputs only."""
    messages: list[BaseMessage] = []
    for place, (action, result) in enumerate(steps):
        call_id = getattr(action, "tool_call_id", None) or f"{turn_id}:call{place}"
        args = action.tool_input if isinstance(action.tool_input, dict) else {"input": action.tool_input}
        messages.append(AIMessage("", tool_calls=[{"name": action.tool, "args": args, "id": call_id}]))
        messages.append(ToolMessage(_words(result), tool_call_id=call_id, name=action.tool))
    return messages
