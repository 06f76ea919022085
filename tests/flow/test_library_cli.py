"""``smartbrain library``: what it prints, what a machine reads, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the command line is an extra, cli")

from click.testing import Result
from rich.cells import cell_len
from typer.testing import CliRunner

from smartbrain.cli.app import app


@pytest.fixture
def place(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "orders.md").write_text(
        "# Orders\n\n## Refunds\n\nA refund takes five days.\n\n- **Limit**: 500\n", "utf-8"
    )
    (docs / "部署.md").write_text("# 部署手册\n\n发布失败时先执行回滚脚本，再通知值班的同事。\n", "utf-8")
    (docs / "broken.md").write_bytes(b"\x00\x01")
    return tmp_path


def run(place: Path, command: str, *arguments: object, **kwargs: Any) -> Result:
    given = [str(argument) for argument in arguments]
    return CliRunner().invoke(
        app, ["library", command, *given, "--db", str(place / "library.db")], env={"COLUMNS": "60"}, **kwargs
    )


def read(place: Path, command: str, *arguments: object) -> Any:
    result = run(place, command, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_folder_is_added_listed_searched_and_removed(place):
    added = run(place, "add", place / "docs")
    assert added.exit_code == 0, added.output
    assert "2 added" in added.stdout
    assert "docs/broken.md: it is binary, not text" in added.stdout
    listed = run(place, "list").stdout
    assert "docs/orders.md" in listed
    assert "部署手册" in listed
    found = run(place, "search", "发布失败怎么办").stdout
    assert "docs/部署.md:1-3" in found
    for text in (added.stdout, listed, found):
        assert max(map(cell_len, text.splitlines())) <= 60
    assert "1 removed" in run(place, "remove", "docs/orders.md").stdout
    assert "1 document" in run(place, "list").stdout


def test_what_a_gitignore_leaves_out_is_told_and_may_be_taken_in(place):
    (place / "docs" / ".gitignore").write_text("draft*\n", "utf-8")
    for number in range(12):
        (place / "docs" / f"draft-{number:02}.md").write_text("# Draft\n\nNot yet.\n", "utf-8")
    told = run(place, "add", place / "docs").stdout
    assert "2 added, 12 ignored" in told
    assert "docs/draft-00.md" in told
    assert "and 2 more" in told
    assert len(read(place, "add", place / "docs")["ignored"]) == 12
    assert len(read(place, "add", place / "docs", "--no-gitignore")["added"]) == 12


def test_machines_read_reports_documents_and_results(place):
    report = read(place, "add", place / "docs")
    assert report["added"] == ["docs/orders.md", "docs/部署.md"]
    assert report["refused"] == [{"path": "docs/broken.md", "reason": "it is binary, not text"}]
    assert read(place, "add", place / "docs")["unchanged"] == report["added"]
    assert [one["path"] for one in read(place, "list")] == report["added"]
    (best, *_) = read(place, "search", "limit", "--layer", "facts", "--mode", "exact")
    assert best["entry"]["text"] == "Limit: 500"
    assert best["entry"]["line"] == 7
    assert read(place, "search", "limit", "--path", "nowhere/") == []
    assert read(place, "remove", "docs") == {"removed": report["added"]}


def test_documents_of_a_user_are_that_users(place):
    read(place, "add", place / "docs", "--user", "ann")
    assert read(place, "list") == []
    assert len(read(place, "list", "--user", "ann")) == 2
    assert read(place, "search", "refund") == []
    assert read(place, "search", "refund", "--user", "ann")


def test_a_text_is_read_from_standard_input(place):
    result = run(place, "add", "-", "--name", "notes/plan.md", input="# Plan\n\nWe move in May.\n")
    assert result.exit_code == 0, result.output
    assert [one["path"] for one in read(place, "list")] == ["notes/plan.md"]


@pytest.mark.parametrize(
    ("command", "arguments", "reason"),
    [
        ("list", (), "there is no library at"),
        ("add", ("nowhere",), "there is no file or folder"),
        ("add", ("-",), "--name"),
        ("search", ("x", "--layer", "y"), "the layers are chunks"),
        ("search", ("x", "--mode", "y"), "the modes are hybrid"),
    ],
)
def test_what_goes_wrong_is_one_line(place, command, arguments, reason):
    result = run(place, command, *arguments)
    assert result.exit_code == 2, result.output
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (place / "library.db").exists()
