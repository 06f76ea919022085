"""A step of a write transaction that cannot be taken back: half of it is never committed."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from smartbrain.errors import InputError, StoreError
from smartbrain.model import Message, Scope, Turn
from smartbrain.stores import open_storage

HERE = Scope("acme", "global", "default")
AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(params=["file", "memory", "postgres"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = {"file": str(tmp_path / "brain.db"), "memory": ":memory:"}.get(request.param)
    store = open_storage(where or request.getfixturevalue("postgres_url"))
    yield store
    store.close()


def _turn(name: str, content: Any = "hello") -> Turn:
    message = Message(id="m", role="user", content=content)
    return Turn(session_id="s", turn_id=name, scope=HERE, seq=1, messages=(message,), occurred_at=AT, recorded_at=AT)


def _broken(writer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on nothing can be taken back step by step."""
    connection = writer._db
    run = connection.run

    def failing(sql: str, params: Any = ()) -> Any:
        if sql.startswith("ROLLBACK TO"):
            raise StoreError("the savepoint is gone")
        return run(sql, params)

    monkeypatch.setattr(connection, "run", failing)


def _fail_in_the_middle(writer: Any) -> None:
    """The turn's row is written when its message turns out to be what JSON cannot carry."""
    with pytest.raises(InputError, match="JSON cannot carry"):
        writer.append_turn(_turn("half", [{"type": "text", "text": "hello", "extra": object()}]))


def _go_on_after_a_torn_step(storage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with storage.write() as writer:
        writer.append_turn(_turn("whole"))
        _broken(writer, monkeypatch)
        _fail_in_the_middle(writer)


def _turns(storage: Any) -> list[str]:
    with storage.read() as reader:
        return [turn.turn_id for turn in reader.turns([HERE])]


def test_half_a_step_that_cannot_be_taken_back_is_not_committed(storage, monkeypatch):
    with pytest.raises(StoreError, match="nothing of this transaction was kept"):
        _go_on_after_a_torn_step(storage, monkeypatch)
    assert _turns(storage) == []


def test_whoever_goes_on_after_it_is_told_so(storage, monkeypatch):
    told = "nothing of this transaction was kept, because a statement in it failed; begin it anew"
    with suppress(StoreError), storage.write() as writer:
        _broken(writer, monkeypatch)
        _fail_in_the_middle(writer)
        with pytest.raises(StoreError, match=told):
            writer.turns([HERE])
        with pytest.raises(StoreError, match=told):
            writer.append_turn(_turn("another"))


def test_the_next_transaction_works(storage, monkeypatch):
    with monkeypatch.context() as patched, suppress(StoreError):
        _go_on_after_a_torn_step(storage, patched)
    with storage.write() as writer:
        writer.append_turn(_turn("next"))
    assert _turns(storage) == ["next"]


def test_a_step_that_was_taken_back_leaves_the_rest_of_the_transaction(storage):
    with storage.write() as writer:
        writer.append_turn(_turn("whole"))
        _fail_in_the_middle(writer)
    assert _turns(storage) == ["whole"]
