"""Importing the adapter: cheap, and helpful where LangChain is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import smartbrain_lc

BLOCKED = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"langchain", "langchain_core", "langchain_classic", "langgraph"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import smartbrain_lc
from smartbrain.errors import MissingExtraError

for name in smartbrain_lc.__all__:
    try:
        getattr(smartbrain_lc, name)
    except MissingExtraError as error:
        print(name, error.extra, f"[{error.extra}]" in str(error), isinstance(error, ImportError))
"""


def test_without_langchain_the_first_use_names_the_extra() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == smartbrain_lc.__all__
    assert all(line.endswith("True True") for line in lines)
    assert "SmartBrainMemory langchain-classic True True" in lines
    assert "SmartBrainMiddleware langchain True True" in lines


def test_importing_it_loads_no_framework() -> None:
    program = (
        "import sys, smartbrain_lc; print([m for m in sys.modules if m.partition('.')[0] in "
        "{'langchain', 'langchain_core', 'langgraph', 'pydantic', 'numpy', 'jieba'}])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    pytest.importorskip("langchain", reason="the extra 'langchain' is not installed")
    pytest.importorskip("langchain_classic", reason="the extra 'langchain-classic' is not installed")
    assert sorted(smartbrain_lc.__all__) == smartbrain_lc.__all__ == dir(smartbrain_lc)
    assert all(getattr(smartbrain_lc, name) for name in smartbrain_lc.__all__)
    with pytest.raises(AttributeError, match="Nothing"):
        _ = smartbrain_lc.Nothing
