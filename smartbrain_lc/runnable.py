"""Memory in LangChain's expression language: load it into a prompt, commit what a chain answered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable
from langchain_core.runnables.utils import ConfigurableFieldSpec
from pydantic import Field, PrivateAttr

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.contracts.context import ContextPackage
from smartbrain.errors import InputError
from smartbrain.tool_texts import Owner
from smartbrain_lc._guard import Guard, OnError
from smartbrain_lc._identity import FromRun, Given, Identity
from smartbrain_lc._slots import slot_value
from smartbrain_lc._turns import asked_in, user_messages

_VARIABLES = ("system_blocks", "developer_blocks", "working_summary", "recent_turns", "evidence", "memory")


class LoadMemory(RunnableSerializable[Any, dict[str, Any]]):
    """Adds memory to a prompt's variables: ``LoadMemory(brain=brain) | prompt | model``.

    The input is a mapping with the user's words under ``input_key``, or those words alone. The output is the input
    with ``system_blocks``, ``developer_blocks``, ``working_summary``, ``evidence`` (text), ``recent_turns`` (messages,
    for a ``MessagesPlaceholder``; text with ``messages=False``), ``memory`` (pinned memory, summary and evidence in one
    text) and ``user_message``. ``developer_blocks`` in the input are the application's own rules, counted against
    ``token_limit``.

    The session is ``session_id`` (a value or a function of the config), else ``session_id`` or ``thread_id`` of the
    call's ``configurable``. Raises ScopeError without one, InputError for an input without the user's words.
    """

    brain: Any = Field(exclude=True, repr=False)
    input_key: str = "input"
    session_id: Any = None
    user_id: Any = None
    domain_id: Any = None
    scope_context: Any = None
    token_limit: int | None = None
    messages: bool = True
    on_error: OnError = "warn"
    _guard: Guard = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Makes the guard around the brain."""
        super().model_post_init(context)
        self._guard = Guard(self.brain, self.on_error)

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """It holds an open store, which no serialised form can carry."""
        return False

    @property
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        """What a caller may put into ``configurable``."""
        if self.session_id is not None:
            return []
        return [ConfigurableFieldSpec(id="session_id", annotation=str, name="Session", is_shared=True)]

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        """The input with memory added."""
        return self._call_with_config(self._load, input, config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:
        """The input with memory added, composed off the event loop."""

        async def load(given: Any, run_manager: Any, config: RunnableConfig) -> dict[str, Any]:
            return await asyncio.to_thread(self._load, given, run_manager, config)

        return await self._acall_with_config(load, input, config, **kwargs)

    def _load(self, given: Any, run_manager: Any, config: RunnableConfig) -> dict[str, Any]:
        return self.variables(self.fields(given), self.owner(config), None)

    def owner(self, config: RunnableConfig | None) -> Owner:
        """Whose memory a call works on."""
        return Identity(self.session_id, self.user_id, self.domain_id, self.scope_context).of_config(config)

    def fields(self, given: Any) -> dict[str, Any]:
        """The input as a mapping that holds the user's words."""
        fields = dict(given) if isinstance(given, Mapping) else {self.input_key: given}
        if self.input_key not in fields:
            raise InputError(f"the input has no {self.input_key!r}; it has {', '.join(map(repr, fields)) or 'nothing'}")
        taken = next((name for name in _VARIABLES if name in fields and name != "developer_blocks"), None)
        if taken:
            raise InputError(f"the input holds {taken!r} itself, which memory fills; give it another name")
        return fields

    def said(self, fields: Mapping[str, Any]) -> list[BaseMessage]:
        """The user's words as messages; of a list that holds a conversation, what the user said last."""
        value = fields[self.input_key]
        if isinstance(value, list) and value and all(isinstance(part, BaseMessage) for part in value):
            return list(user_messages(value, None))
        return [
            value if isinstance(value, BaseMessage) else HumanMessage(value if isinstance(value, list) else str(value))
        ]

    def variables(self, fields: Mapping[str, Any], owner: Owner, turn_id: str | None) -> dict[str, Any]:
        """The input with the slots of a package added."""
        asked = asked_in(self.said(fields))
        rules = fields.get("developer_blocks") or ()

        def compose() -> ContextPackage:
            return self._guard.brain.compose_context(
                owner.session_id,
                asked or None,
                agent_state={"developer_blocks": [_rule(rule) for rule in rules]},
                token_limit=self.token_limit,
                turn_id=turn_id,
                **owner.scopes(),
            )

        package = self._guard.run("compose", compose, None)
        slots: dict[str, Any] = {
            "system_blocks": slot_value(package, "system_blocks", self.messages),
            "developer_blocks": slot_value(package, "developer_blocks", self.messages),
            "working_summary": slot_value(package, "working_summary", self.messages),
            "recent_turns": slot_value(package, "recent_turns", self.messages),
            "evidence": slot_value(package, "evidence", self.messages),
            "memory": slot_value(package, "memory", self.messages),
        }
        return {**fields, **slots, "user_message": asked}


def with_memory(
    chain: Runnable[Any, Any],
    brain: SmartBrain | AsyncSmartBrain,
    *,
    input_key: str = "input",
    output_key: str | None = None,
    session_id: Given = None,
    user_id: Given = None,
    domain_id: Given = None,
    scope_context: Any | FromRun | None = None,
    token_limit: int | None = None,
    messages: bool = True,
    on_error: OnError = "warn",
) -> Runnable[Any, Any]:
    """A chain that gets memory in its input and commits each turn: ``with_memory(prompt | model, brain)``.

    The chain sees what ``LoadMemory`` gives. The turn is opened with the user's words before the chain runs and
    committed with its answer, also from ``stream``/``astream``; an answer that failed or was abandoned leaves a turn
    marked aborted, with what had come of it. ``output_key`` names the answer in an output that is a mapping (default:
    its only key, or the usual names). The run's id is the turn's, so a call repeated with the same ``run_id`` is one
    turn.
    """
    from smartbrain_lc._chain import WithMemory

    load = LoadMemory(
        brain=brain,
        input_key=input_key,
        session_id=session_id,
        user_id=user_id,
        domain_id=domain_id,
        scope_context=scope_context,
        token_limit=token_limit,
        messages=messages,
        on_error=on_error,
    )
    return WithMemory(load=load, chain=chain, output_key=output_key)


def _rule(rule: Any) -> Any:
    return {"type": "other", "text": rule} if isinstance(rule, str) else rule
