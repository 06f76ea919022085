"""Remembered evidence as nodes."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, QueryBundle
from llama_index.core.tools import RetrieverTool

from smartbrain.errors import InputError, ScopeError
from smartbrain_li import SmartBrainRetriever
from smartbrain_li.testing import ScriptedLLM


@pytest.fixture
def full(make_brain):
    brain = make_brain(rules=())  # only what was said, so that the turn itself stands first
    for n, text in enumerate(["My sister Irma plays the bassoon", "The oboe is mine", "We meet on Friday in Graz"]):
        brain.commit_turn(
            "s",
            messages=[{"role": "user", "content": text}, {"role": "assistant", "content": "ok"}],
            turn_id=f"t{n}",
            user_id="u",
        )
    return brain


def test_nodes_carry_text_score_and_where_they_are_from(full):
    nodes = SmartBrainRetriever(full, session_id="s", user_id="u").retrieve("bassoon")
    best = nodes[0]
    assert best.node.get_content(MetadataMode.NONE) == "My sister Irma plays the bassoon"
    assert 0 < best.score <= 1
    assert [n.score for n in nodes] == sorted((n.score for n in nodes), reverse=True)
    assert best.metadata["source_uri"] == "smartbrain://turn/s/t0"
    assert (best.metadata["session_id"], best.metadata["turn_id"], best.metadata["said_by"]) == ("s", "t0", "user")


def test_a_model_sees_who_said_it_and_an_embedder_the_text_alone(full):
    (best, *_) = SmartBrainRetriever(full, user_id="u").retrieve("bassoon")
    shown = best.node.get_content(MetadataMode.LLM)
    assert "said_by: user" in shown
    assert "turn_id" not in shown
    assert best.node.get_content(MetadataMode.EMBED) == "My sister Irma plays the bassoon"


def test_sync_and_async_find_the_same(full):
    retriever = SmartBrainRetriever(full, user_id="u")
    found = asyncio.run(retriever.aretrieve(QueryBundle("bassoon")))
    assert [n.node_id for n in found] == [n.node_id for n in retriever.retrieve("bassoon")]


def test_k_bounds_and_an_empty_question_finds_nothing(full):
    assert len(SmartBrainRetriever(full, user_id="u", k=1).retrieve("bassoon oboe Graz")) == 1
    assert SmartBrainRetriever(full, user_id="u").retrieve("  ") == []


def test_a_retriever_sees_only_whose_memory_it_was_given(full):
    assert SmartBrainRetriever(full, user_id="other").retrieve("bassoon") == []
    assert SmartBrainRetriever(full, session_id="s").retrieve("bassoon") == []
    with pytest.raises(ScopeError, match="whose memory"):
        SmartBrainRetriever(full)
    with pytest.raises(InputError, match="a brain or the path"):
        SmartBrainRetriever(session_id="s")


def test_it_works_in_a_query_engine_and_as_a_tool(full):
    retriever = SmartBrainRetriever(full, user_id="u", mode="exact")
    llm = ScriptedLLM(script=["the bassoon"])
    answer = RetrieverQueryEngine.from_args(retriever, llm=llm).query("What does my sister play? bassoon")
    assert answer.response == "the bassoon"
    assert "My sister Irma plays the bassoon" in llm.prompts[0][-1].content
    tool = RetrieverTool.from_defaults(retriever, name="memory", description="search memory")
    assert "Irma" in tool("bassoon").content
