"""The examples run as they stand, on their scripted models."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(autouse=True)
def _no_real_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMARTBRAIN_MODEL", raising=False)


def output(name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def test_the_agent_remembers_in_another_session_and_tells_nobody_else(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output("llamaindex_agent.py", capsys)
    assert lines[1] == "[monday] agent: Thank you, noted."
    assert lines[3] == "[friday] agent: It is called Nautilus."
    assert lines[5] == "[friday-eve] agent: I do not know."
    assert lines[6] == "[restored] agent: It is called Nautilus."


def test_the_chat_engine_answers_from_memory_and_a_folder_of_documents(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output("llamaindex_documents.py", capsys)
    assert lines[0] == "4 documents"
    assert lines[6] == "[friday] engine: In Lisbon you have 25 (handbook/leave.md)."
    assert lines[8] == "[friday-eve] engine: In Berlin you have 30 (handbook/leave.md)."


def test_the_chat_engine_streams_and_a_reset_keeps_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert output("llamaindex_chat_engine.py", capsys) == [
        "Noted.",
        "In Lisbon, you said.",
        "chat: 0 messages; log: 2 turns",
        "In Lisbon.",
    ]


def test_the_notebook_runs_and_shows_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    cells = json.loads((EXAMPLES / "llamaindex_context.ipynb").read_text(encoding="utf-8"))["cells"]
    space: dict[str, Any] = {}

    async def run() -> None:
        for cell in cells:
            if cell["cell_type"] == "code":
                # As a notebook does: ``await`` is allowed at the top.
                code = compile("".join(cell["source"]), "notebook", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                waiting = eval(code, space)
                if inspect.isawaitable(waiting):
                    await waiting

    asyncio.run(run())
    printed = capsys.readouterr().out
    assert (
        "My boat is called Nautilus and lies in Lisbon." in printed.split("What is my boat called, and where is it?")[0]
    )
    assert [line.split()[0] for line in printed.splitlines()[-4:]] == ["user", "assistant", "tool", "assistant"]
    assert str(space["response"]) == "Nautilus, in Lisbon."
    assert "Nautilus" in space["package"]._repr_html_()
    space["brain"].close()
