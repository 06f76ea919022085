"""``SmartBrainMiddleware``: memory for agents made with ``create_agent``."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal, NotRequired

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import PrivateStateAttr, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Command

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.contracts.context import ContextPackage
from smartbrain.contracts.scopes import ScopeContextLike
from smartbrain.errors import InputError
from smartbrain.model import ToolCall
from smartbrain.text.tokens import HeuristicTokenCounter
from smartbrain.tool_texts import Owner, memory_guide
from smartbrain_lc._guard import Guard, OnError
from smartbrain_lc._identity import FromRun, Given, Identity
from smartbrain_lc._injection import Placement, inject, make_injection
from smartbrain_lc._recorder import Recorder
from smartbrain_lc._turns import Mark, asked_in, make_mark, user_messages
from smartbrain_lc.tools import TOOL_NAMES, ToolName, tools_of_run

Nested = Literal["auto", "skip", "session"]
_STATE = "smartbrain_turn"


class SmartBrainState(AgentState[Any]):
    """The agent's state with the mark of the turn being answered: a few plain values, persisted on purpose.

    It must outlive interrupts and summarising. No memory text is ever in it.
    """

    smartbrain_turn: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]


class SmartBrainMiddleware(AgentMiddleware[Any, Any, Any]):
    """Gives an agent memory: ``create_agent(model, tools, middleware=[…, SmartBrainMiddleware(brain)])``.

    Put it last in the list: middleware after it that sets the system message would overwrite what it injects.

    Before each model call the memory that matters for the user's message is put behind the system prompt, in that one
    request only: it is never in the state, a checkpoint or the stream. The turn (what the user said, tool calls,
    results, the answer) is kept as it happens and committed once at its end.

    One object serves any number of threads, users and event loops at once.
    """

    state_schema = SmartBrainState

    def __init__(
        self,
        brain: SmartBrain | AsyncSmartBrain,
        *,
        session_id: Given = None,
        user_id: Given = None,
        domain_id: Given = None,
        scope_context: ScopeContextLike | FromRun | None = None,
        placement: Placement = "system",
        token_limit: int | None = None,
        tools: bool | Sequence[ToolName] = True,
        nested: Nested = "auto",
        on_error: OnError = "warn",
        name: str = "SmartBrainMiddleware",
    ) -> None:
        """Memory from ``brain`` for the agents this is given to.

        ``session_id``, ``user_id``, ``domain_id`` and ``scope_context`` are values or functions of the run's
        ``Runtime``. Left out, the session is the context's ``session_id`` or the thread id, and the user is the
        context's ``user_id``; with a user, memory spans that user's threads. ``placement="user"`` puts what depends
        on the question in front of the user's last message instead of behind the system prompt. ``token_limit``
        bounds what is injected (default: the brain's). ``tools`` is which memory tools the agent gets. ``nested`` is
        what happens in an agent inside another graph: ``"auto"`` does not record one that runs as a tool, since the
        outer agent's turn holds it, ``"skip"`` records none, ``"session"`` gives each nested agent a session of its
        own. ``on_error="warn"`` lets the run go on without memory when the store fails.
        """
        super().__init__()
        if placement not in ("system", "user"):
            raise InputError(f'placement must be "system" or "user", got {placement!r}')
        if nested not in ("auto", "skip", "session"):
            raise InputError(f'nested must be "auto", "skip" or "session", got {nested!r}')
        self._name = name
        self._identity = Identity(session_id, user_id, domain_id, scope_context)
        self._placement: Placement = placement
        self._nested: Nested = nested
        self._guard = Guard(brain, on_error)
        self._brain = self._guard.brain
        self._recorder = Recorder(self._guard)
        wanted: tuple[ToolName, ...] = TOOL_NAMES if tools is True else tuple(tools or ())
        self.tools = tools_of_run(self._brain, self._owner_of, _call_id, wanted)
        self._guide = memory_guide(wanted)
        limit = self._brain.config.policies.composition.token_limit if token_limit is None else token_limit
        counter = HeuristicTokenCounter(self._brain.config.policies.composition.token_profile)
        self._token_limit = max(1, limit - counter.count(self._guide))

    @property
    def name(self) -> str:
        """The middleware's name, unique in an agent."""
        return self._name

    @property
    def waiting(self) -> int:
        """How many turns wait because the store refused them; ``catch_up`` tries them again."""
        return self._recorder.waiting

    def catch_up(self) -> int:
        """Commits turns that the store refused, then lets the brain finish pending ones; returns how many of both."""
        return self._recorder.flush() + self._brain.catch_up()

    # -- a turn begins -------------------------------------------------------------------------------------------

    def before_agent(self, state: Any, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Opens the turn. Raises ScopeError when the run names no session."""
        owner, recorded = self._who(runtime)
        before = _mark(state)
        said = user_messages(state["messages"], before)
        if not said:
            return {_STATE: {}}
        mark = make_mark(state["messages"], said, owner, recorded=recorded)
        if recorded:
            self._recorder.begin(mark, said)
        return {_STATE: mark.to_state()}

    async def abefore_agent(self, state: Any, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Opens the turn, off the event loop."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    # -- it goes on ----------------------------------------------------------------------------------------------

    def before_model(self, state: Any, runtime: Runtime[Any]) -> None:
        """Keeps the tool results so far, before a summarising middleware can remove them."""
        self._stage(state)

    async def abefore_model(self, state: Any, runtime: Runtime[Any]) -> None:
        """Keeps the tool results so far, off the event loop."""
        await asyncio.to_thread(self._stage, state)

    def after_model(self, state: Any, runtime: Runtime[Any]) -> None:
        """Keeps the model's answer, before a human is asked about its tool calls."""
        self._stage(state)

    async def aafter_model(self, state: Any, runtime: Runtime[Any]) -> None:
        """Keeps the model's answer, off the event loop."""
        await asyncio.to_thread(self._stage, state)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Keeps a tool's result as soon as it is there: a sibling may interrupt the run."""
        result = handler(request)
        self._stage_result(request, result)
        return result

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """Keeps a tool's result as soon as it is there, off the event loop."""
        result = await handler(request)
        await asyncio.to_thread(self._stage_result, request, result)
        return result

    # -- the model is asked --------------------------------------------------------------------------------------

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Hands on the request with memory in it."""
        return handler(self._with_memory(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Hands on the request with memory in it, composed off the event loop."""
        return await handler(await asyncio.to_thread(self._with_memory, request))

    # -- it ends -------------------------------------------------------------------------------------------------

    def after_agent(self, state: Any, runtime: Runtime[Any]) -> None:
        """Commits the turn."""
        mark = _mark(state)
        if mark and mark.recorded:
            self._recorder.commit(mark, state["messages"])

    async def aafter_agent(self, state: Any, runtime: Runtime[Any]) -> None:
        """Commits the turn, off the event loop."""
        await asyncio.to_thread(self.after_agent, state, runtime)

    # -- inside --------------------------------------------------------------------------------------------------

    def _who(self, runtime: Runtime[Any]) -> tuple[Owner, bool]:
        """Whose memory the run works on, and whether it is recorded."""
        owner = self._identity.of_runtime(runtime)
        parents = _parents(runtime)
        if not parents:
            return owner, True
        if self._nested == "session":
            agent = str((get_config().get("metadata") or {}).get("lc_agent_name") or self._name)
            return owner._replace(session_id=f"{owner.session_id}/{agent}"), True
        return owner, self._nested == "auto" and "tools" not in parents

    def _owner_of(self, runtime: Any) -> Owner:
        mark = _mark(getattr(runtime, "state", None))
        return mark.owner if mark else self._identity.of_runtime(runtime)

    def _stage(self, state: Any) -> None:
        mark = _mark(state)
        if mark and mark.recorded:
            self._recorder.stage(mark, state["messages"])

    def _stage_result(self, request: ToolCallRequest, result: ToolMessage | Command[Any]) -> None:
        mark = _mark(request.state)
        call = request.tool_call
        found = _result_of(result, call["id"])
        if mark and mark.recorded and found is not None and call["id"]:
            self._recorder.stage_result(mark, ToolCall(id=call["id"], name=call["name"], args=call["args"]), found)

    def _with_memory(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        mark = _mark(request.state)
        if mark is None:
            return request
        # An edit of the user's message after the turn began asks something else than the mark says.
        said = [m for m in request.messages if m.id and m.id in mark.user_ids]
        asked = asked_in(said) if said else mark.asked

        def compose() -> ContextPackage:
            return self._brain.compose_context(
                mark.owner.session_id,
                asked or None,
                turn_id=mark.turn_id,
                token_limit=self._token_limit,
                **mark.owner.scopes(),
            )

        package = self._guard.run("compose", compose, None)
        if package is None:
            return request
        made: ModelRequest[Any] = inject(
            request, make_injection(package, request.messages, self._guide), self._placement
        )
        return made


def _parents(runtime: Runtime[Any]) -> list[str]:
    """The names of the nodes around this agent's graph, outermost first; none for an agent run by itself."""
    info = getattr(runtime, "execution_info", None)
    path = str(getattr(info, "checkpoint_ns", None) or "").split("|")
    return [part.partition(":")[0] for part in path[:-1]]


def _mark(state: Any) -> Mark | None:
    return Mark.from_state(state.get(_STATE)) if isinstance(state, dict) else None


def _call_id(runtime: Any) -> str:
    """An id of a tool call that no other turn of the session has: some providers count from zero each time."""
    mark = _mark(getattr(runtime, "state", None))
    return f"{mark.turn_id if mark else ''}:{runtime.tool_call_id}"


def _result_of(result: Any, call_id: str | None) -> ToolMessage | None:
    if isinstance(result, ToolMessage):
        return result
    update = getattr(result, "update", None)
    messages = update.get("messages", ()) if isinstance(update, dict) else ()
    return next((m for m in messages if isinstance(m, ToolMessage) and m.tool_call_id == call_id), None)
