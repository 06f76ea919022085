"""LangChain chat models as extractor and summariser of the runtime."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.language_models import FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda

from smartbrain import SmartBrain

TEXT = "My knees have seen better days, stairs are a problem since the accident."
NOTE = {"type": "fact", "quote": "stairs are a problem", "field": "health", "value": "stairs are a problem"}
ANSWER = json.dumps({"notes": [NOTE]})


def kept(model: Any) -> list[Any]:
    with SmartBrain.open(extractor=model) as brain:
        brain.commit_turn("s", messages=[{"role": "user", "content": TEXT}], user_id="u")
        return [item.value["facts"] for item in brain.memories(user_id="u")]


def test_a_chat_model_without_structured_output_is_read_as_json() -> None:
    assert kept(FakeListChatModel(responses=[f"Here it is:\n{ANSWER}"])) == [
        [{"k": "health", "v": "stairs are a problem"}]
    ]


def test_an_answer_in_blocks_is_read_too() -> None:
    message = AIMessage(content=[{"type": "text", "text": ANSWER}])
    assert kept(GenericFakeChatModel(messages=iter([message]))) == [[{"k": "health", "v": "stairs are a problem"}]]


def test_a_plain_llm_serves_too() -> None:
    assert kept(FakeListLLM(responses=[ANSWER])) == [[{"k": "health", "v": "stairs are a problem"}]]


class Structured(FakeListChatModel):
    """A chat model with structured output, which must be asked for instead of text."""

    def with_structured_output(self, schema: Any, **_: Any) -> Any:
        return RunnableLambda(lambda _messages: schema.model_validate({"notes": [NOTE]}))

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content="no JSON here"))])


def test_structured_output_is_used_where_the_model_has_it() -> None:
    assert kept(Structured(responses=["x"])) == [[{"k": "health", "v": "stairs are a problem"}]]


def test_a_chat_model_writes_the_rolling_summary() -> None:
    with SmartBrain.open(summarizer=FakeListChatModel(responses=["About kettles."])) as brain:
        for n in range(12):
            result = brain.commit_turn(
                "s", messages=[{"role": "user", "content": f"kettle {n} is nice"}], user_id="u", turn_id=f"t{n}"
            )
    assert result.summary.text == "About kettles."
