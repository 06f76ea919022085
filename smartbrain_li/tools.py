"""The four memory tools as LlamaIndex tools; what they say and do stands in ``smartbrain.tool_texts``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from llama_index.core.tools import FunctionTool, ToolMetadata
from pydantic import BaseModel, Field, ValidationError, create_model

from smartbrain import SmartBrain, tool_texts
from smartbrain.aio import AsyncSmartBrain
from smartbrain.errors import ScopeError
from smartbrain.tool_texts import ARGUMENTS, DESCRIPTIONS, FindKind, Owner, SaveKind, ToolAnswer
from smartbrain_li.memory import SmartBrainMemory

_FIELDS: dict[str, dict[str, tuple[Any, Any]]] = {
    tool_texts.SEARCH_MEMORY: {"query": (str, ...), "kind": (FindKind | None, None), "k": (int, 5)},
    tool_texts.RECALL_HISTORY: {
        "query": (str | None, None),
        "since": (str | None, None),
        "until": (str | None, None),
        "around": (int, 1),
        "limit": (int, 5),
    },
    tool_texts.SAVE_MEMORY: {
        "kind": (SaveKind, ...),
        "content": (str, ...),
        "name": (str | None, None),
        "subject": (str | None, None),
        "project": (str | None, None),
        "status": (str | None, None),
    },
    tool_texts.FORGET_MEMORY: {"memory_id": (str, ...), "reason": (str, "the user took it back")},
}
_CALLS: dict[str, Callable[..., ToolAnswer]] = {
    tool_texts.SEARCH_MEMORY: tool_texts.search_memory,
    tool_texts.RECALL_HISTORY: tool_texts.recall_history,
    tool_texts.SAVE_MEMORY: tool_texts.save_memory,
    tool_texts.FORGET_MEMORY: tool_texts.forget_memory,
}


def memory_tools(
    memory: SmartBrainMemory | None = None,
    *,
    brain: SmartBrain | AsyncSmartBrain | None = None,
    session_id: str | None = None,
    user_id: str | None = None,
    domain_id: str | None = None,
    scope_context: Any = None,
) -> list[FunctionTool]:
    """``search_memory``, ``recall_history``, ``save_memory`` and ``forget_memory`` for an agent.

    They work on a ``memory``, or on a ``brain`` and the session (and user or scopes) named here. A failing store gives
    an answer that tells the model to go on without. ``smartbrain.tool_texts.MEMORY_GUIDE`` is a text for the system
    prompt that says how the layers of memory differ.
    """
    if memory is not None:
        return _tools(memory.brain, memory.owner)
    if brain is None or session_id is None:
        raise ScopeError("memory_tools needs a memory, or a brain and a session_id")
    sync = brain.sync if isinstance(brain, AsyncSmartBrain) else brain
    return _tools(sync, Owner(session_id, user_id, domain_id, scope_context))


def _tools(brain: SmartBrain, owner: Owner) -> list[FunctionTool]:
    return [_tool(name, partial(call, brain, owner)) for name, call in _CALLS.items()]


def _tool(name: str, call: Callable[..., ToolAnswer]) -> FunctionTool:
    schema = _schema(name)

    def run(**arguments: Any) -> str:
        try:
            # LlamaIndex shows the schema to the model and does not hold the model to it.
            given = schema.model_validate(arguments).model_dump()
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            return f"Error: {'.'.join(str(part) for part in first['loc'])}: {first['msg']}."
        return call(**given).text

    async def run_async(**arguments: Any) -> str:
        return await asyncio.to_thread(run, **arguments)

    metadata = ToolMetadata(name=name, description=DESCRIPTIONS[name], fn_schema=schema)
    return FunctionTool.from_defaults(fn=run, async_fn=run_async, tool_metadata=metadata)


def _schema(name: str) -> type[BaseModel]:
    fields: dict[str, Any] = {
        field: (kind, Field(default=default, description=ARGUMENTS[name][field]))
        for field, (kind, default) in _FIELDS[name].items()
    }
    return create_model(name, **fields)
