"""A model that says what it is told to, for examples and tests of LlamaIndex programs."""

# ruff: noqa: ARG002 - the arguments are LlamaIndex's
from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from typing import Any

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    LLMMetadata,
    TextBlock,
    ToolCallBlock,
)
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection


class ScriptedLLM(FunctionCallingLLM):
    """Answers with the entries of ``script`` in order, the last one again and again; keeps every prompt in ``prompts``.

    An entry is a text, a ``ChatMessage``, an exception, which is raised, or a function of the prompt that gives a text
    or a message.
    """

    script: list[Any] = Field(default_factory=list)
    context_window: int = 8000
    _turn: int = PrivateAttr(default=0)
    _prompts: list[list[ChatMessage]] = PrivateAttr(default_factory=list)

    @property
    def prompts(self) -> list[list[ChatMessage]]:
        """What the model was given at each call, as it was then."""
        return self._prompts

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(
            is_function_calling_model=True,
            is_chat_model=True,
            context_window=self.context_window,
            model_name="scripted",
        )

    def _next(self, messages: Sequence[ChatMessage]) -> ChatMessage:
        self._prompts.append([message.model_copy(deep=True) for message in messages])
        said = self.script[min(self._turn, len(self.script) - 1)]
        self._turn += 1
        if isinstance(said, BaseException):
            raise said
        said = said(self._prompts[-1]) if callable(said) else said
        return ChatMessage(role="assistant", content=said) if isinstance(said, str) else said.model_copy(deep=True)

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return ChatResponse(message=self._next(messages))

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return ChatResponse(message=self._next(messages))

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Generator[ChatResponse, None, None]:
        return _pieces(self._next(messages))

    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> AsyncGenerator[ChatResponse, None]:
        said = self._next(messages)

        async def pieces() -> AsyncGenerator[ChatResponse, None]:
            for piece in _pieces(said):
                yield piece

        return pieces()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self._next([ChatMessage(role="user", content=prompt)]).content or "")

    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return self.complete(prompt)

    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> Generator[CompletionResponse, None, None]:
        yield self.complete(prompt)

    async def astream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> AsyncGenerator[CompletionResponse, None]:
        async def pieces() -> AsyncGenerator[CompletionResponse, None]:
            yield self.complete(prompt)

        return pieces()

    def _prepare_chat_with_tools(
        self,
        tools: Any,
        user_msg: Any = None,
        chat_history: Any = None,
        verbose: bool = False,
        allow_parallel_tool_calls: bool = False,
        tool_required: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        asked = [ChatMessage(role="user", content=user_msg)] if isinstance(user_msg, str) else [user_msg]
        return {"messages": [*(chat_history or []), *(message for message in asked if message)]}

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **kwargs: Any
    ) -> list[ToolSelection]:
        return [
            ToolSelection(tool_id=block.tool_call_id or "", tool_name=block.tool_name, tool_kwargs=_mapping(block))
            for block in response.message.blocks
            if isinstance(block, ToolCallBlock)
        ]


def tool_call(name: str, call_id: str = "c1", text: str = "", /, **arguments: Any) -> ChatMessage:
    """An assistant message that calls one tool."""
    return tool_calls((name, call_id, arguments), text=text)


def tool_calls(*calls: tuple[str, str, dict[str, Any]], text: str = "") -> ChatMessage:
    """An assistant message that calls several tools at once, each given as (name, id, arguments)."""
    spoken: list[Any] = [TextBlock(text=text)] if text else []
    asked = [ToolCallBlock(tool_call_id=call_id, tool_name=name, tool_kwargs=args) for name, call_id, args in calls]
    return ChatMessage(role="assistant", blocks=[*spoken, *asked])


def _mapping(block: ToolCallBlock) -> dict[str, Any]:
    return block.tool_kwargs if isinstance(block.tool_kwargs, dict) else {}


def _pieces(message: ChatMessage) -> Generator[ChatResponse, None, None]:
    words = (message.content or "").split(" ")
    rest = [block for block in message.blocks if not isinstance(block, TextBlock)]
    said = ""
    for n, word in enumerate(words):
        last = n == len(words) - 1
        piece = word if last else f"{word} "
        said += piece
        spoken: list[Any] = [TextBlock(text=said)] if said else []
        yield ChatResponse(
            message=ChatMessage(
                role="assistant", blocks=[*spoken, *(rest if last else [])], additional_kwargs=message.additional_kwargs
            ),
            delta=piece,
        )
