"""Memory that moves from the embedded store to a server and back is the same afterwards."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from smartbrain import SmartBrain
from smartbrain.config import BrainConfig
from smartbrain.errors import StoreError
from smartbrain.ports import Storage
from smartbrain.stores import open_storage
from smartbrain.testing._storage_forgetting import confide
from smartbrain.testing.fakes import CounterIds, ManualClock
from smartbrain.testing.storage_values import HERE, STRANGERS

SAID = ("I moved to Lisbon.", "我叫小明，我在上海工作。", "nul \x00 and \ud800 lone", "I moved to Porto last week.")
QUESTIONS = ("Did I move to Lisbon?", "lone surrogates")


def fill(storage: Storage) -> None:
    for scope in (HERE, *STRANGERS.values()):
        confide(storage, scope)
    with SmartBrain(storage, clock=ManualClock(), new_id=CounterIds()) as brain:
        for number, text in enumerate(SAID * 5):
            brain.commit_turn(
                f"s{number % 3}",
                messages=[{"role": "user", "content": text, "name": "Ann"}],
                turn_id=f"t{number}",
                user_id=f"u{number % 2}",
                occurred_at=datetime(2025, 1, 1, tzinfo=UTC) + timedelta(hours=number % 7),
            )


def exported(brain: SmartBrain, path: Path) -> bytes:
    brain.export(path, everything=True)
    return path.read_bytes().partition(b"\n")[2]


def answers(brain: SmartBrain) -> list[object]:
    return [
        (e.id, e.snippet, e.signals)
        for question in QUESTIONS
        for e in brain.search(None, question, user_id="u0").evidences
    ]


def test_from_file_to_server_and_back_gives_an_equal_export(postgres_url: str, tmp_path: Path) -> None:
    fill(open_storage(tmp_path / "first.db"))
    with SmartBrain.open(tmp_path / "first.db") as first, SmartBrain.open(postgres_url) as server:
        before = exported(first, tmp_path / "1.jsonl")
        assert server.import_(tmp_path / "1.jsonl", everything=True).unchanged == 0
        assert exported(server, tmp_path / "2.jsonl") == before
        assert answers(server) == answers(first) != []
        assert server.diagnostics()["semantic"]["backlog"] == 0
        assert sum(server.import_(tmp_path / "1.jsonl", everything=True).new.values()) == 0
    with SmartBrain.open(tmp_path / "last.db") as last:
        last.import_(tmp_path / "2.jsonl", everything=True)
        assert exported(last, tmp_path / "3.jsonl") == before


def test_a_backup_of_a_server_is_an_export_of_one_moment(postgres_url: str, tmp_path: Path) -> None:
    fill(open_storage(postgres_url))
    with SmartBrain.open(postgres_url) as server:
        before = exported(server, tmp_path / "before.jsonl")

        def commit(done: int, _total: int) -> None:
            if done == 1:
                server.commit_turn("s", messages=[{"role": "user", "content": "late words"}], user_id="a first user")

        report = server.backup(tmp_path / "backup.jsonl", on_progress=commit)
        assert report.kind == "export"
        assert (tmp_path / "backup.jsonl").read_bytes().partition(b"\n")[2] == before
        assert exported(server, tmp_path / "after.jsonl") != before


def test_where_tenants_are_hidden_everything_cannot_be_exported(postgres_url: str, tmp_path: Path) -> None:
    fill(open_storage(postgres_url))
    config = BrainConfig.load({"store": {"postgres": {"row_level_security": True}}})
    with closing(open_storage(postgres_url, config.store)) as storage, SmartBrain(storage) as server:
        for write in (lambda path: server.export(path, everything=True), server.backup):
            with pytest.raises(StoreError, match="name a user"):
                write(tmp_path / "x.jsonl")
        assert server.export(tmp_path / "u0.jsonl", user_id="u0").counts["turn"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["u0.jsonl"]
