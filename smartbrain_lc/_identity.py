"""Whose memory a run works on: the session, and where memory spans sessions the user or the scopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.config import get_config

from smartbrain.contracts.scopes import ScopeContext, ScopeContextLike
from smartbrain.errors import ScopeError
from smartbrain.tool_texts import Owner

FromRun = Callable[[Any], Any]
"""A function of the run: of LangGraph's ``Runtime`` in an agent, of the ``RunnableConfig`` in chain parts."""

Given = str | FromRun | None


def from_context(field: str) -> FromRun:
    """Reads a field of the run's context (``context_schema``); ScopeError when the run has none."""

    def read(run: Any) -> Any:
        value = _context_field(run, field)
        if value is None:
            raise ScopeError(f"the run's context has no {field!r}: pass context=… with that field")
        return value

    return read


def from_config(key: str) -> FromRun:
    """Reads ``config["configurable"][key]``; ScopeError when it is missing. Only for values your server sets."""

    def read(run: Any) -> Any:
        configurable = _configurable(run if isinstance(run, Mapping) else None)
        if configurable.get(key) is None:
            raise ScopeError(f'config["configurable"] has no {key!r}')
        return configurable[key]

    return read


@dataclass(frozen=True, slots=True)
class Identity:
    """How the owner of a run's memory is found out. A value that is given, or a function of the run, wins.

    Otherwise the session is the context's ``session_id``, the run's thread id, or ``session_id``/``thread_id`` of the
    config; the user is the context's ``user_id``, if there is one. Nothing is shared by default: without a session
    there is an error.
    """

    session_id: Given = None
    user_id: Given = None
    domain_id: Given = None
    scope_context: ScopeContextLike | FromRun | None = None

    def of_runtime(self, runtime: Any) -> Owner:
        """The owner of an agent's run. Raises ScopeError when no session can be found."""
        session = _resolved(self.session_id, runtime) or _session_of(runtime)
        if not session:
            raise ScopeError(
                "SmartBrain does not know which session this run belongs to. Pass a thread id, "
                'config={"configurable": {"thread_id": "…"}}, or a context with session_id, or give the middleware '
                "session_id=…"
            )
        user = self.user_id
        if user is None and self.domain_id is None:
            user = _context_field(runtime, "user_id")
        return self._owner(session, user, runtime)

    def of_config(self, config: Mapping[str, Any] | None) -> Owner:
        """The owner of a chain's run. Raises ScopeError when no session can be found."""
        configurable = _configurable(config)
        session = (
            _resolved(self.session_id, config or {}) or configurable.get("session_id") or configurable.get("thread_id")
        )
        if not session:
            raise ScopeError(
                "SmartBrain does not know which session this call belongs to. Pass "
                'config={"configurable": {"session_id": "…"}} or give session_id=…'
            )
        return self._owner(session, self.user_id, config or {})

    def _owner(self, session: Any, user: Any, run: Any) -> Owner:
        scope = self.scope_context
        return Owner(
            str(session),
            _resolved(user, run),
            _resolved(self.domain_id, run),
            scope(run) if callable(scope) else scope,
        )


def owner_data(owner: Owner) -> dict[str, Any]:
    """An owner as JSON values, for a graph's state."""
    data = {name: value for name, value in owner._asdict().items() if value is not None}
    if isinstance(owner.scope_context, ScopeContext):
        data["scope_context"] = owner.scope_context.model_dump(mode="json")
    return data


def owner_of(data: Mapping[str, Any]) -> Owner:
    """The owner that ``owner_data`` wrote down."""
    return Owner(data["session_id"], data.get("user_id"), data.get("domain_id"), data.get("scope_context"))


def _resolved(given: Any, run: Any) -> Any:
    value = given(run) if callable(given) else given
    # Databases count their users; a number is as good a name as any.
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _context_field(runtime: Any, field: str) -> Any:
    context = getattr(runtime, "context", None)
    return context.get(field) if isinstance(context, Mapping) else getattr(context, field, None)


def _session_of(runtime: Any) -> Any:
    info = getattr(runtime, "execution_info", None)
    configurable = _configurable(getattr(runtime, "config", None))
    return (
        _context_field(runtime, "session_id")
        or getattr(info, "thread_id", None)
        or configurable.get("thread_id")
        or configurable.get("session_id")
    )


def _configurable(config: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if config is None:
        try:
            config = get_config()
        except RuntimeError:  # outside of a run
            return {}
    found = config.get("configurable")
    return found if isinstance(found, Mapping) else {}
