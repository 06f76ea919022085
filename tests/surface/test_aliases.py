"""The two distributions that only lend SmartBrain's adapters the names their frameworks look for."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import smartbrain

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
ALIASES = {
    "langchain-smartbrain": ("langchain_smartbrain", "smartbrain_lc", "SmartBrainMiddleware", "langchain.agents"),
    "llama-index-memory-smartbrain": (
        "llama_index.memory.smartbrain",
        "smartbrain_li",
        "SmartBrainMemory",
        "llama_index.core",
    ),
}


def present(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each distribution built and unpacked into a folder of its own."""
    if not (present("build") and present("hatchling")):
        pytest.skip("build and hatchling are not installed (extra dev)")
    found = {}
    for name in ALIASES:
        source = tmp_path_factory.mktemp("source") / name
        shutil.copytree(PACKAGING / name, source)
        wheels = tmp_path_factory.mktemp("wheels")
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        found[name] = tmp_path_factory.mktemp("installed")
        with zipfile.ZipFile(next(wheels.glob("*.whl"))) as wheel:
            wheel.extractall(found[name])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ALIASES)
def test_an_alias_can_be_built_and_is_the_adapter(name: str, unpacked: dict[str, Path]) -> None:
    module, adapter, main, framework = ALIASES[name]
    if not present(framework):
        pytest.skip(f"{framework} is not installed")
    program = (
        f"import sys; sys.path.insert(0, {str(unpacked[name])!r})\n"
        f"import {module} as alias, {adapter} as adapter\n"
        f"assert {str(unpacked[name])!r} in alias.__file__\n"
        f"from {module} import {main}\n"
        f"assert {main} is adapter.{main} and sorted(dir(alias)) == sorted(adapter.__all__)\n"
        f"import {framework}"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
def test_the_llama_index_alias_leaves_its_namespaces_to_others(unpacked: dict[str, Path]) -> None:
    folder = unpacked["llama-index-memory-smartbrain"] / "llama_index"
    assert not (folder / "__init__.py").exists()
    assert not (folder / "memory" / "__init__.py").exists()
    assert (folder / "memory" / "smartbrain" / "py.typed").exists()


@pytest.mark.parametrize("name", ALIASES)
def test_an_alias_asks_for_this_version_of_smartbrain(name: str) -> None:
    project = tomllib.loads((PACKAGING / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = "langchain" if "langchain" in name else "llamaindex"
    assert project["version"] == smartbrain.__version__
    assert project["dependencies"] == [f"smartbrain[{extra}]=={smartbrain.__version__}"]
