"""Forgetting through a LlamaIndex memory: the store and what the process holds of the chat."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage

from smartbrain import SmartBrain
from smartbrain.errors import InputError, StoreError
from smartbrain.stores.sqlite.storage import SqliteStorage
from smartbrain_li import SmartBrainMemory


@pytest.fixture
def brain(make_brain: Any) -> SmartBrain:
    found: SmartBrain = make_brain()
    return found


def memory(brain: SmartBrain, session_id: str = "s1", **settings: Any) -> SmartBrainMemory:
    return SmartBrainMemory.from_defaults(brain, session_id=session_id, **{"user_id": "ann", **settings})


def chat(memory: SmartBrainMemory, *texts: str) -> None:
    for n, text in enumerate(texts):
        memory.put(ChatMessage(role="user" if n % 2 == 0 else "assistant", content=text))


def shown(memory: SmartBrainMemory) -> list[str | None]:
    return [message.content for message in memory.get_all()]


def test_a_session_is_forgotten_with_the_turn_in_progress(brain: SmartBrain) -> None:
    first, other = memory(brain), memory(brain, "s2")
    chat(first, "the pangolin", "noted", "and a narwhal")
    chat(other, "the okapi", "noted")
    dry = first.forget(dry_run=True)
    assert shown(first) == ["the pangolin", "noted", "and a narwhal"]
    receipt = first.forget()
    assert receipt.counts == dry.counts
    assert shown(first) == []
    assert brain.verify_forgotten("pangolin", user_id="ann")
    assert brain.verify_forgotten("narwhal", user_id="ann")
    assert shown(other) == ["the okapi", "noted"]
    chat(first, "hello again", "hello")
    assert shown(first) == ["hello again", "hello"]


def test_a_query_reaches_the_other_sessions_of_the_user(brain: SmartBrain) -> None:
    first, other = memory(brain), memory(brain, "s2")
    chat(first, "the pangolin sleeps", "noted", "bread", "baked")
    chat(other, "the pangolin flies", "noted")
    first.forget(query="pangolin")
    assert brain.verify_forgotten("pangolin", user_id="ann")
    assert shown(first) == ["bread", "baked"]
    assert asyncio.run(first.aforget(everything=True)).counts["turns"] >= 1
    assert shown(other) == []


def test_a_memory_without_a_user_forgets_its_session(brain: SmartBrain) -> None:
    alone = memory(brain, user_id=None)
    chat(alone, "the pangolin", "noted")
    assert alone.forget(everything=True).counts["turns"] == 1
    assert brain.verify_forgotten("pangolin", session_id="s1")


def test_a_failure_is_raised_whatever_on_error_says(brain: SmartBrain, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = memory(brain, on_error="warn")
    chat(kept, "the pangolin", "noted")
    with pytest.raises(InputError):
        kept.forget(query="a", item_id="b")

    def fail(_: object) -> None:
        raise StoreError("no")

    monkeypatch.setattr(SqliteStorage, "write", fail)
    with pytest.raises(StoreError):
        kept.forget()
    monkeypatch.undo()
    assert shown(kept) == ["the pangolin", "noted"]
