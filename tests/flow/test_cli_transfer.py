"""The command line's export, import and backup."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the command line is an extra, cli")

from click.testing import Result
from typer.testing import CliRunner

from smartbrain import SmartBrain
from smartbrain.cli.app import app


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments], env={"COLUMNS": "200"})


def ok(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout if "--json" in arguments else " ".join(result.stdout.split())  # a long path breaks a line


def read(*arguments: object) -> Any:
    return json.loads(ok(*arguments, "--json"))


def failed(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "brain.db"
    with SmartBrain.open(path) as brain:
        for user in ("ann", "bob"):
            brain.commit_turn("s", messages=[{"role": "user", "content": f"I live in {user}town."}], user_id=user)
        brain.commit_turn("alone", messages=[{"role": "user", "content": "hello"}])
        brain.commit_turn(
            "s",
            messages=[{"role": "user", "content": "We decided to use SQLite."}],
            domain_id="ann",
            scope_context={"read": [{"type": "project", "id": "x"}], "write": [{"type": "project", "id": "x"}]},
        )
    return path


def body(path: Path) -> bytes:
    return path.read_bytes().partition(b"\n")[2]


def test_everything_goes_out_and_comes_back(db: Path, tmp_path: Path) -> None:
    said = ok("export", tmp_path / "all.jsonl", "--db", db)
    assert "4 turns" in said
    assert "4 scopes" in said
    done = read("import", tmp_path / "all.jsonl", "--db", tmp_path / "new.db")
    assert done["new"] == done["counts"]
    assert "already there" in ok("import", tmp_path / "all.jsonl", "--db", tmp_path / "new.db")
    ok("export", tmp_path / "again.jsonl", "--db", tmp_path / "new.db")
    assert body(tmp_path / "again.jsonl") == body(tmp_path / "all.jsonl")


def test_a_user_goes_out_with_all_scopes(db: Path, tmp_path: Path) -> None:
    assert read("export", tmp_path / "ann.jsonl", "--db", db, "--user", "ann")["scopes"] == 2
    assert b"bobtown" not in body(tmp_path / "ann.jsonl")


def test_a_scope_is_named_as_it_is_shown(db: Path, tmp_path: Path) -> None:
    for name in ("ann/project:x", "legacy/session:alone"):
        report = read("export", tmp_path / "one.jsonl", "--db", db, "--scope", name, "--overwrite")
        assert (report["scopes"], report["counts"]["turn"]) == (1, 1)
    both = ["--scope", "ann/project:x", "--scope", "ann/global:default"]
    assert read("export", tmp_path / "one.jsonl", "--db", db, *both, "--overwrite")["scopes"] == 2


def test_an_import_takes_what_is_named_and_tells_what_it_left_out(db: Path, tmp_path: Path) -> None:
    ok("export", tmp_path / "all.jsonl", "--db", db)
    done = read("import", tmp_path / "all.jsonl", "--db", tmp_path / "new.db", "--user", "ann")
    assert done["left_out"] > 0
    ok("export", tmp_path / "ann.jsonl", "--db", db, "--user", "ann")
    ok("export", tmp_path / "new.jsonl", "--db", tmp_path / "new.db")
    assert body(tmp_path / "new.jsonl") == body(tmp_path / "ann.jsonl")
    assert "left out" in ok("import", tmp_path / "all.jsonl", "--db", tmp_path / "x.db", "--scope", "ann/project:x")


def test_a_backup_is_a_store(db: Path, tmp_path: Path) -> None:
    assert "a copy of the store" in ok("backup", tmp_path / "copy.db", "--db", db)
    assert "anntown" in ok("show", "--db", tmp_path / "copy.db", "--user", "ann")


def test_what_is_wrong_is_said_in_one_line(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    assert "did you mean ann" in failed("export", file, "--db", db, "--user", "anne")
    assert "ann/project:x" in failed("export", file, "--db", db, "--scope", "ann/project:y")
    assert "not both" in failed("export", file, "--db", db, "--user", "ann", "--scope", "ann/project:x")
    one_of_each = ["--scope", "ann/project:x", "--scope", "bob/global:default"]
    assert "at a time" in failed("export", file, "--db", db, *one_of_each)
    assert "no store" in failed("export", file, "--db", tmp_path / "nothing.db")
    assert "no store" in failed("backup", file, "--db", tmp_path / "nothing.db")
    assert not file.exists()
    ok("export", file, "--db", db)
    assert "is there already" in failed("export", file, "--db", db)
    assert "is there already" in failed("backup", file, "--db", db)
    assert "nothing of the user 'eve'" in failed("import", file, "--db", tmp_path / "new.db", "--user", "eve")
    file.write_bytes(file.read_bytes()[:-1])
    assert "truncated" in failed("import", file, "--db", tmp_path / "new.db")
    assert "cannot read" in failed("import", tmp_path / "no.jsonl", "--db", tmp_path / "new.db")


def test_chats_are_imported_for_a_user_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    said = [
        {"role": "user", "content": "I live in Graz.", "created_at": "2024-05-01T09:00:00Z"},
        {"role": "narrator", "content": "x"},
        {"role": "assistant", "content": "Nice."},
    ]
    file.write_text(json.dumps({"id": "one", "messages": said}))
    db = tmp_path / "brain.db"
    assert "--user NAME" in failed("import", file, "--db", db)
    assert "no format" in failed("import", file, "--db", db, "--user", "ann", "--format", "fax")
    told = ok("import", file, "--db", db, "--user", "ann")
    assert "(openai): 1 chat, 1 turn, 2 messages" in told
    assert "left out: 1 × message of role 'narrator'" in told
    done = read("import", file, "--db", db, "--user", "ann", "--format", "openai")
    assert (done["new"], done["unchanged"]) == (0, 1)
    assert "Graz" in ok("show", "--db", db, "--user", "ann")
