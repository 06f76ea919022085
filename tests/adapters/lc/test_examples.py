"""The examples run as they stand, on their scripted models."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langchain", reason="the extra 'langchain' is not installed")

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(autouse=True)
def _no_real_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMARTBRAIN_MODEL", raising=False)


def output(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out


def test_the_agent_remembers_in_another_thread_and_tells_nobody_else(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output("langchain_agent.py", capsys).splitlines()
    assert lines[3] == "[friday] agent: It is called Nautilus."
    assert lines[5] == "[friday-eve] agent: Thank you, I will remember that."


def test_the_agent_answers_from_memory_and_a_folder_of_documents(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output("langchain_documents.py", capsys).splitlines()
    assert lines[0] == "4 documents"
    assert lines[6] == "[friday] agent: In Lisbon you have 25 (handbook/leave.md)."
    assert lines[8] == "[friday-eve] agent: In Berlin you have 30 (handbook/leave.md)."


def test_the_chain_streams_and_keeps_its_turns(capsys: pytest.CaptureFixture[str]) -> None:
    assert output("langchain_chain.py", capsys).splitlines() == [
        "Noted.",
        "Before this I saw 2 messages.",
        "kept: ['My boat is called Nautilus.', 'Noted.']",
    ]


@pytest.mark.filterwarnings("ignore::langchain_core._api.deprecation.LangChainDeprecationWarning")
def test_the_classic_chain_sees_its_recent_turns(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("langchain_classic", reason="the extra 'langchain-classic' is not installed")
    lines = output("langchain_classic_chain.py", capsys).splitlines()
    assert lines == ["Noted.", "You said: My boat is called Nautilus."]


def test_the_graph_shares_its_store_between_threads(capsys: pytest.CaptureFixture[str]) -> None:
    assert output("langgraph_store.py", capsys).splitlines() == [
        "[monday] Visit 1. You once said: My boat lies in Lisbon.",
        "[friday] Visit 2. You once said: My boat lies in Lisbon.",
    ]


def test_the_notebook_runs_and_shows_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    cells = json.loads((EXAMPLES / "langchain_context.ipynb").read_text(encoding="utf-8"))["cells"]
    space: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "langchain_context.ipynb", "exec"), space)
    assert "My boat is called Nautilus." in capsys.readouterr().out
    assert "Nautilus" in space["package"]._repr_html_()
    assert "smartbrain" not in str(space["state"].values["messages"])
    space["brain"].close()
