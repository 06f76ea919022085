"""The four memory tools, for an agent that has SmartBrain's middleware and for one that has not."""

# Annotations stay objects here: LangChain reads the injected ``runtime`` off the functions' signatures.

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from langchain.tools import ToolRuntime
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, Field

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain import tool_texts as texts
from smartbrain.contracts.scopes import ScopeContextLike
from smartbrain.errors import InputError
from smartbrain.tool_texts import FindKind, Owner, SaveKind, ToolAnswer
from smartbrain_lc._guard import quietly

ToolName = Literal["search_memory", "recall_history", "save_memory", "forget_memory"]
TOOL_NAMES: tuple[ToolName, ...] = ("search_memory", "recall_history", "save_memory", "forget_memory")
Answer = tuple[str, dict[str, Any]]

_SEARCH, _RECALL, _SAVE, _FORGET = (texts.ARGUMENTS[name] for name in TOOL_NAMES)


class SearchMemory(BaseModel):
    """The arguments of ``search_memory``."""

    query: str = Field(description=_SEARCH["query"])
    kind: FindKind | None = Field(default=None, description=_SEARCH["kind"])
    k: int = Field(default=5, description=_SEARCH["k"])


class RecallHistory(BaseModel):
    """The arguments of ``recall_history``."""

    query: str | None = Field(default=None, description=_RECALL["query"])
    since: str | None = Field(default=None, description=_RECALL["since"])
    until: str | None = Field(default=None, description=_RECALL["until"])
    around: int = Field(default=1, description=_RECALL["around"])
    limit: int = Field(default=5, description=_RECALL["limit"])


class SaveMemory(BaseModel):
    """The arguments of ``save_memory``."""

    kind: SaveKind = Field(description=_SAVE["kind"])
    content: str = Field(description=_SAVE["content"])
    name: str | None = Field(default=None, description=_SAVE["name"])
    subject: str | None = Field(default=None, description=_SAVE["subject"])
    project: str | None = Field(default=None, description=_SAVE["project"])
    status: str | None = Field(default=None, description=_SAVE["status"])


class ForgetMemory(BaseModel):
    """The arguments of ``forget_memory``."""

    memory_id: str = Field(description=_FORGET["memory_id"])
    reason: str = Field(default="the user took it back", description=_FORGET["reason"])


_TOOLS: Mapping[ToolName, tuple[type[BaseModel], Callable[..., ToolAnswer]]] = {
    "search_memory": (SearchMemory, texts.search_memory),
    "recall_history": (RecallHistory, texts.recall_history),
    "save_memory": (SaveMemory, texts.save_memory),
    "forget_memory": (ForgetMemory, texts.forget_memory),
}


def make_memory_tools(
    brain: SmartBrain | AsyncSmartBrain,
    *,
    session_id: str,
    user_id: str | None = None,
    domain_id: str | None = None,
    scope_context: ScopeContextLike | None = None,
    names: Sequence[ToolName] = TOOL_NAMES,
) -> list[BaseTool]:
    """Memory tools bound to one owner, for any agent or for calling by hand.

    An agent that has ``SmartBrainMiddleware`` has them already; there they follow the run's session and user.
    Raises InputError for an unknown name.
    """
    sync = brain.sync if isinstance(brain, AsyncSmartBrain) else brain
    owner = Owner(session_id, user_id, domain_id, scope_context)

    def made(name: ToolName) -> BaseTool:
        def run(**arguments: Any) -> Answer:
            return _called(name, sync, owner, arguments)

        async def arun(**arguments: Any) -> Answer:
            return await asyncio.to_thread(run, **arguments)

        return _tool(name, run, arun)

    return [made(name) for name in _known(names)]


def tools_of_run(
    brain: SmartBrain,
    owner_of: Callable[[Any], Owner],
    call_of: Callable[[Any], str],
    names: Sequence[ToolName],
) -> list[BaseTool]:
    """The same tools for an agent: ``owner_of`` and ``call_of`` read the owner and the call's id off the run."""

    def made(name: ToolName) -> BaseTool:
        def run(runtime: ToolRuntime, **arguments: Any) -> Answer:
            if name == "save_memory":
                arguments["call_id"] = call_of(runtime)
            return _called(name, brain, owner_of(runtime), arguments)

        async def arun(runtime: ToolRuntime, **arguments: Any) -> Answer:
            return await asyncio.to_thread(run, runtime, **arguments)

        return _tool(name, run, arun)

    return [made(name) for name in _known(names)]


def _known(names: Sequence[ToolName]) -> list[ToolName]:
    unknown = [name for name in names if name not in TOOL_NAMES]
    if unknown:
        raise InputError(f"there is no memory tool {unknown[0]!r}; there are {', '.join(TOOL_NAMES)}")
    return [name for name in TOOL_NAMES if name in names]


def _tool(name: ToolName, run: Callable[..., Answer], arun: Callable[..., Any]) -> BaseTool:
    return StructuredTool.from_function(
        func=run,
        coroutine=arun,
        name=name,
        description=texts.DESCRIPTIONS[name],
        args_schema=_TOOLS[name][0],
        response_format="content_and_artifact",
    )


def _called(name: ToolName, brain: SmartBrain, owner: Owner, arguments: Mapping[str, Any]) -> Answer:
    answer = quietly(lambda: _TOOLS[name][1](brain, owner, **arguments))
    return answer.text, answer.artifact
