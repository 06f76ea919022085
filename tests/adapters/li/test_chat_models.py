"""LlamaIndex LLMs as extractor and summariser of the runtime."""

from __future__ import annotations

import json
from typing import Any

from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback

from smartbrain import SmartBrain

TEXT = "My knees have seen better days, stairs are a problem since the accident."
NOTE = {"type": "fact", "quote": "stairs are a problem", "field": "health", "value": "stairs are a problem"}


class Scripted(CustomLLM):
    """Gives one answer to everything."""

    answer: str

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="scripted")

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.answer)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        yield self.complete(prompt, formatted, **kwargs)


class Structured(Scripted):
    """An LLM that calls functions: it is asked for structured output and not for text."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="structured", is_function_calling_model=True)

    def as_structured_llm(self, output_cls: Any, **_: Any) -> Any:
        given = output_cls.model_validate({"notes": [NOTE]})

        class _Llm:
            def complete(self, prompt: str) -> CompletionResponse:
                return CompletionResponse(text="", raw=given)

        return _Llm()


def kept(model: Any) -> list[Any]:
    with SmartBrain.open(extractor=model) as brain:
        brain.commit_turn("s", messages=[{"role": "user", "content": TEXT}], user_id="u")
        return [item.value["facts"] for item in brain.memories(user_id="u")]


def test_an_llm_without_function_calling_is_read_as_json() -> None:
    model = Scripted(answer="Sure: " + json.dumps({"notes": [NOTE]}))
    assert kept(model) == [[{"k": "health", "v": "stairs are a problem"}]]


def test_structured_output_is_used_where_the_model_has_it() -> None:
    assert kept(Structured(answer="no JSON here")) == [[{"k": "health", "v": "stairs are a problem"}]]


def test_an_llm_writes_the_rolling_summary() -> None:
    with SmartBrain.open(summarizer=Scripted(answer="About kettles.")) as brain:
        for n in range(12):
            result = brain.commit_turn(
                "s", messages=[{"role": "user", "content": f"kettle {n} is nice"}], user_id="u", turn_id=f"t{n}"
            )
    assert result.summary.text == "About kettles."
