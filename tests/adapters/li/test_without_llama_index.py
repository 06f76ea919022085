"""Without LlamaIndex the package can be imported and says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

import smartbrain_li

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"llama_index", "llama_index_instrumentation", "workflows"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import smartbrain_li
from smartbrain.errors import MissingExtraError

for name in smartbrain_li.__all__:
    try:
        getattr(smartbrain_li, name)
    except MissingExtraError as error:
        assert "pip install 'smartbrain[llamaindex]'" in str(error), error
        assert isinstance(error, ImportError)
    else:
        raise AssertionError(name)
print("ok")
"""


def test_the_first_use_names_the_extra():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "ok", done.stderr[-2000:]


def test_importing_the_package_imports_no_framework():
    program = (
        "import sys, smartbrain_li; print(sorted(m for m in sys.modules if m.startswith(('llama_index', 'workflows'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_had_and_no_other():
    pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")
    assert dir(smartbrain_li) == sorted(smartbrain_li.__all__)
    for name in smartbrain_li.__all__:
        assert getattr(smartbrain_li, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        smartbrain_li.nonsense  # noqa: B018
