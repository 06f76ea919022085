"""Load on a PostgreSQL server: the same rounds as on the embedded store, with no error and no leak."""

from __future__ import annotations

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")

from smartbrain.evaluation.load.plan import LoadPlan
from smartbrain.evaluation.load.runner import run_load


@pytest.mark.parametrize("processes", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_tenants_on_a_server_are_served_and_kept_apart(postgres_url: str, processes: bool) -> None:
    plan = LoadPlan(postgres_url, tenants=3, workers=2, sizes=(30, 60), rounds=5, processes=processes)
    report = run_load(plan)
    assert report.sound, [(step.errors, step.leaks) for step in report.steps]
    assert [step.messages for step in report.steps] == [30, 60]
    assert report.steps[-1].calls["commit"].count == 10
    assert set(report.steps[-1].bytes) == {"store", "index", "vectors", "messages", "turns", "rest"}
