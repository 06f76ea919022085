"""A chain with memory around it: loads, runs, commits."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from langchain_core.runnables.utils import ConfigurableFieldSpec
from pydantic import PrivateAttr

from smartbrain.errors import InputError
from smartbrain_lc._guard import Guard
from smartbrain_lc._messages import spoken
from smartbrain_lc._recorder import Recorder, ended_turn
from smartbrain_lc._turns import Mark, asked_in
from smartbrain_lc.runnable import LoadMemory

_OUTPUT_KEYS = ("output", "answer", "text", "response", "result")


class WithMemory(RunnableSerializable[Any, Any]):
    """``with_memory``: loads, runs, commits."""

    load: LoadMemory
    chain: Any
    output_key: str | None = None
    _guard: Guard = PrivateAttr()
    _recorder: Recorder = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._guard = Guard(self.load.brain, self.load.on_error)
        self._recorder = Recorder(self._guard)

    @classmethod
    def is_lc_serializable(cls) -> bool:
        return False

    @property
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        return self.load.config_specs

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        def call(given: Any, run_manager: Any, config: RunnableConfig) -> Any:
            mark, said, fields = self._begin(given, run_manager, config)
            answer = self.chain.invoke(fields, config, **kwargs)
            self._end(mark, said, answer)
            return answer

        return self._call_with_config(call, input, config)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        async def call(given: Any, run_manager: Any, config: RunnableConfig) -> Any:
            mark, said, fields = await asyncio.to_thread(self._begin, given, run_manager, config)
            answer = await self.chain.ainvoke(fields, config, **kwargs)
            await asyncio.to_thread(self._end, mark, said, answer)
            return answer

        return await self._acall_with_config(call, input, config)

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:
        yield from self.transform(iter([input]), config, **kwargs)

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Any]:
        async def given() -> AsyncIterator[Any]:
            yield input

        async for chunk in self.atransform(given(), config, **kwargs):
            yield chunk

    def transform(self, input: Iterator[Any], config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:
        yield from self._transform_stream_with_config(input, self._streamed, config, **kwargs)

    async def atransform(
        self, input: AsyncIterator[Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        async for chunk in self._atransform_stream_with_config(input, self._astreamed, config, **kwargs):
            yield chunk

    def _streamed(self, given: Iterator[Any], run_manager: Any, config: RunnableConfig, **kwargs: Any) -> Iterator[Any]:
        mark, said, fields = self._begin(_whole(list(given)), run_manager, config)
        chunks: list[Any] = []
        try:
            for chunk in self.chain.stream(fields, config, **kwargs):
                chunks.append(chunk)
                yield chunk
        except BaseException:
            self._leave(mark, said, chunks)
            raise
        self._end(mark, said, _whole(chunks))

    async def _astreamed(
        self, given: AsyncIterator[Any], run_manager: Any, config: RunnableConfig, **kwargs: Any
    ) -> AsyncIterator[Any]:
        whole = _whole([part async for part in given])
        mark, said, fields = await asyncio.to_thread(self._begin, whole, run_manager, config)
        chunks: list[Any] = []
        try:
            async for chunk in self.chain.astream(fields, config, **kwargs):
                chunks.append(chunk)
                yield chunk
        except BaseException:
            # No await here: a generator that is being closed, or a cancelled task, could not come back from it.
            self._leave(mark, said, chunks)
            raise
        await asyncio.to_thread(self._end, mark, said, _whole(chunks))

    # -- inside --------------------------------------------------------------------------------------------------

    def _begin(
        self, given: Any, run_manager: Any, config: RunnableConfig
    ) -> tuple[Mark, list[BaseMessage], dict[str, Any]]:
        fields = self.load.fields(given)
        owner = self.load.owner(config)
        turn_id = f"run-{getattr(run_manager, 'run_id', None) or uuid.uuid4()}"
        said = [
            message if message.id else message.model_copy(update={"id": f"{turn_id}:{place}"})
            for place, message in enumerate(self.load.said(fields))
        ]
        mark = Mark(turn_id, tuple(m.id or "" for m in said), asked_in(said), owner)
        self._recorder.begin(mark, said)
        return mark, said, self.load.variables(fields, owner, turn_id)

    def _end(self, mark: Mark, said: list[BaseMessage], answer: Any) -> None:
        message = self._guard.run("answer", lambda: self._answer(answer, mark.turn_id), None)
        if message is not None:
            self._recorder.finish(ended_turn(mark.owner, mark.turn_id, [*said, message]))

    def _leave(self, mark: Mark, said: list[BaseMessage], chunks: list[Any]) -> None:
        """The turn stays open with what had come; the session's next turn closes it as aborted."""
        partial = (
            self._guard.run("answer", lambda: self._answer(_whole(chunks), mark.turn_id), None) if chunks else None
        )
        if partial is not None:
            self._recorder.stage(mark, [*said, partial])

    def _answer(self, answer: Any, turn_id: str) -> BaseMessage:
        value = answer
        if isinstance(value, Mapping):
            key = self.output_key or (next(iter(value)) if len(value) == 1 else None)
            key = key or next((name for name in _OUTPUT_KEYS if name in value), None)
            if key not in value:
                raise InputError(f"the output has no {key or 'single answer'}; give output_key, one of {sorted(value)}")
            value = value[key]
        if isinstance(value, list) and value and all(isinstance(v, BaseMessage) for v in value):
            value = value[-1]
        message = value if isinstance(value, BaseMessage) else AIMessage(str(value))
        if not isinstance(message, AIMessage):
            message = AIMessage(spoken(message), id=message.id)
        return message if message.id else message.model_copy(update={"id": f"{turn_id}:answer"})


def _whole(parts: list[Any]) -> Any:
    """Streamed parts as one value; parts that do not add up are replaced by those that follow."""
    whole = parts[0] if parts else ""
    for part in parts[1:]:
        try:
            whole = whole + part
        except TypeError:
            whole = {**whole, **part} if isinstance(whole, Mapping) and isinstance(part, Mapping) else part
    return whole
