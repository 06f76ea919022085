"""The retriever: LangChain's own suite, and what its documents carry."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("langchain_tests", reason="langchain-tests is not installed")

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import create_retriever_tool
from langchain_tests.integration_tests import RetrieversIntegrationTests

from smartbrain import AsyncSmartBrain, SmartBrain
from smartbrain.errors import ScopeError
from smartbrain.text.fence import CLOSE, OPEN
from smartbrain_lc import SmartBrainRetriever, from_config


def filled(brain: SmartBrain, session: str = "s", **scopes: Any) -> SmartBrain:
    for n in range(8):
        message = {"role": "user", "content": f"tea number {n} from the shop", "id": f"m{n}"}
        brain.commit_turn(session, messages=[message], turn_id=f"t{n}", **scopes)
    brain.commit_turn(
        session, {"preferences": [{"name": "drink", "value": "green tea", "confirmed": True}]}, turn_id="p", **scopes
    )
    return brain


class TestStandard(RetrieversIntegrationTests):
    @property
    def retriever_constructor(self) -> type[SmartBrainRetriever]:
        return SmartBrainRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"brain": filled(SmartBrain.open()), "session_id": "s"}

    @property
    def retriever_query_example(self) -> str:
        return "tea from the shop"


def test_a_document_carries_its_score_and_the_way_back(brain: SmartBrain) -> None:
    found = SmartBrainRetriever(brain=filled(brain), session_id="s", k=10).invoke("tea from the shop")
    scores = [d.metadata["score"] for d in found]
    assert scores == sorted(scores, reverse=True)
    turn = next(d for d in found if d.metadata["kind"] == "memory_chunk")
    assert turn.metadata["turn_id"].startswith("t")
    assert turn.metadata["message_id"].startswith("m")
    assert turn.metadata["session_id"] == "s"
    assert turn.metadata["source"].startswith("smartbrain://turn/")
    assert turn.metadata["occurred_at"].startswith("2026-01-01")
    assert (turn.metadata["trust"], turn.metadata["mode"]) == ("user", "hybrid")
    item = next(d for d in found if d.metadata["kind"] == "memory_item")
    assert item.metadata["memory_item_id"] == item.id
    assert "green tea" in item.page_content


def test_k_counts_sync_and_async_and_per_call(brain: SmartBrain) -> None:
    for given in (filled(brain), AsyncSmartBrain(brain)):
        retriever = SmartBrainRetriever(brain=given, session_id="s", k=2)
        assert len(retriever.invoke("tea")) == 2
        assert len(retriever.invoke("tea", k=4)) == 4
        assert len(asyncio.run(retriever.ainvoke("tea", k=5))) == 5


def test_the_session_comes_from_the_config_directly_and_within_a_chain(brain: SmartBrain) -> None:
    retriever = SmartBrainRetriever(brain=filled(brain, "T1"))
    for key in ("thread_id", "session_id"):
        config: Any = {"configurable": {key: "T1"}}
        other: Any = {"configurable": {key: "T2"}}
        chain = RunnableLambda(lambda text: text) | retriever
        assert retriever.invoke("tea", config)
        assert asyncio.run(retriever.ainvoke("tea", config))
        assert chain.invoke("tea", config)
        assert asyncio.run(chain.ainvoke("tea", config))
        assert retriever.batch(["tea", "shop"], config)[1]
        assert retriever.invoke("tea", other) == chain.invoke("tea", other) == []


def test_without_a_session_there_is_a_clear_error(brain: SmartBrain) -> None:
    with pytest.raises(ScopeError, match="session_id"):
        SmartBrainRetriever(brain=brain).invoke("tea")


def test_with_a_user_all_their_sessions_are_searched_and_nobody_elses(brain: SmartBrain) -> None:
    filled(brain, "elsewhere", user_id="ada")
    retriever = SmartBrainRetriever(brain=brain, user_id=from_config("user"))
    assert retriever.invoke("tea", {"configurable": {"session_id": "new", "user": "ada"}})
    assert retriever.invoke("tea", {"configurable": {"session_id": "elsewhere", "user": "eve"}}) == []
    with pytest.raises(ScopeError, match="user"):
        retriever.invoke("tea", {"configurable": {"session_id": "elsewhere"}})


def test_what_memory_itself_once_said_is_no_document(brain: SmartBrain) -> None:
    echo = f"Saved.\n{OPEN}\ngreen tea\n{CLOSE}"
    brain.commit_turn("s", messages=[{"role": "tool", "content": echo, "tool_call_id": "c1"}], turn_id="e")
    assert SmartBrainRetriever(brain=brain, session_id="s").invoke("green tea") == []


def test_an_unknown_argument_is_not_swallowed(brain: SmartBrain) -> None:
    with pytest.raises(TypeError, match="limit"):
        SmartBrainRetriever(brain=brain, session_id="s").invoke("tea", limit=3)


def test_it_works_as_a_retriever_tool(brain: SmartBrain) -> None:
    retriever = SmartBrainRetriever(brain=filled(brain), session_id="s", k=1)
    tool = create_retriever_tool(retriever, "memory", "Searches memory.", response_format="content_and_artifact")
    answer = tool.invoke({"type": "tool_call", "id": "1", "name": "memory", "args": {"query": "tea"}})
    assert answer.artifact[0].metadata["score"]


def test_traces_name_the_retriever_and_nothing_secret(brain: SmartBrain) -> None:
    seen: list[Any] = []

    class Handler(BaseCallbackHandler):
        def on_retriever_start(self, serialized: Any, query: str, **kwargs: Any) -> None:
            seen.append(kwargs["metadata"])

    retriever = SmartBrainRetriever(brain=brain, session_id="s")
    retriever.invoke("tea", {"callbacks": [Handler()]})
    assert seen[0]["ls_retriever_name"] == "smartbrain"
    assert seen[0]["ls_vector_store_provider"] == "smartbrain"
    assert "brain" not in repr(retriever).replace("SmartBrain", "")
    assert "brain" not in retriever.model_dump()
