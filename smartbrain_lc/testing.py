"""A chat model that follows a script and remembers every prompt: for tests and for examples without a key."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from pydantic import PrivateAttr

Line = str | AIMessage | Exception | Callable[[list[BaseMessage]], "str | AIMessage"]


class ScriptedChat(BaseChatModel):
    """Answers with its lines, one a call, the last again and again; streams word by word.

    A line is text, an ``AIMessage``, an exception to raise, or a function of the prompt. ``seen`` holds copies of the
    prompts, oldest first.
    """

    script: Sequence[Any]
    _calls: int = PrivateAttr(default=0)
    _seen: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @property
    def seen(self) -> list[list[BaseMessage]]:
        """Every prompt so far."""
        return self._seen

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Runnable[Any, AIMessage]:
        """The script says which tools are called; binding changes nothing."""
        return self

    def _next(self, prompt: list[BaseMessage]) -> AIMessage:
        with self._lock:
            self._seen.append([message.model_copy(deep=True) for message in prompt])
            line = self.script[min(self._calls, len(self.script) - 1)]
            self._calls += 1
        if isinstance(line, Exception):
            raise line
        said = line(prompt) if callable(line) else line
        return AIMessage(said) if isinstance(said, str) else said.model_copy(deep=True)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> Iterator[ChatGenerationChunk]:
        said = self._next(messages)
        words = str(said.text).split(" ")
        for place, word in enumerate(words):
            text = word if place == len(words) - 1 else f"{word} "
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=text))
            if run_manager:
                run_manager.on_llm_new_token(text, chunk=chunk)
            yield chunk
        if said.tool_calls:
            calls = [
                tool_call_chunk(name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=place)
                for place, call in enumerate(said.tool_calls)
            ]
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=calls))


def calls(*wanted: tuple[str, dict[str, Any], str]) -> AIMessage:
    """A line that calls tools: ``calls(("search", {"query": "tea"}, "c1"), …)``."""
    return AIMessage(
        "", tool_calls=[{"name": name, "args": args, "id": id_, "type": "tool_call"} for name, args, id_ in wanted]
    )
