"""What a wheel carries, what `import smartbrain` offers, and who imports whom."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import smartbrain

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = ("smartbrain", "smartbrain_lc", "smartbrain_li")


@pytest.fixture(scope="module")
def wheel_paths() -> list[Path]:
    """The path inside the wheel of every file that a build of this tree would pack."""
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling tells what a wheel would carry")
    builder = wheel.WheelBuilder(str(REPOSITORY))
    return [Path(file.distribution_path) for file in builder.recurse_included_files()]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_that_it_is_typed(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).with_name("py.typed").is_file()


def test_the_wheel_installs_three_packages_and_none_called_core(wheel_paths: list[Path]) -> None:
    assert {path.parts[0] for path in wheel_paths} == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_wheel_carries_the_typing_marker_of_every_package(package: str, wheel_paths: list[Path]) -> None:
    assert Path(package, "py.typed") in wheel_paths


def test_the_public_names_are_sorted_and_complete() -> None:
    listed = list(getattr(smartbrain, "__all__", []))
    assert listed == sorted(set(listed))
    offered = {
        name
        for name in dir(smartbrain)
        if not name.startswith("_")
        and name != "annotations"  # left by the __future__ import
        and not isinstance(getattr(smartbrain, name), ModuleType)
    }
    assert offered == {name for name in listed if not name.startswith("_")}


def test_every_listed_name_can_be_had() -> None:
    missing = [name for name in getattr(smartbrain, "__all__", []) if not hasattr(smartbrain, name)]
    assert missing == []


def test_nobody_imports_against_the_rules() -> None:
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip("import-linter is not installed")
    linted = subprocess.run([command, "--no-cache"], cwd=REPOSITORY, check=False, capture_output=True, text=True)
    assert linted.returncode == 0, linted.stdout + linted.stderr
