"""What the documents say is what the code does."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_configuration_page_is_made_from_the_models():
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert page == script("build_config_doc").page()


def test_the_twelve_lines_of_the_readme_run_and_answer(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)[:1]
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Lisbon" in done.stdout
    assert "short sentences" in done.stdout


def test_every_document_that_is_linked_exists():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", target):
                assert (page.parent / target).exists(), f"{page.name} links {target}"


def test_every_page_of_the_documents_is_listed():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index, page.name


def test_the_commands_the_readme_shows_exist():
    pytest.importorskip("typer")
    from typer.main import get_command

    from smartbrain.cli.app import app

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^smartbrain (\w+)", readme, flags=re.MULTILINE))
    assert shown
    assert shown <= set(get_command(app).commands)


def test_every_contract_exports_a_json_schema_and_its_version():
    from smartbrain.contracts import CONTRACTS

    for name, contract in CONTRACTS.items():
        schema = contract.model_json_schema()
        json.dumps(schema)
        assert schema["properties"]["version"]["const"] == "0.1", name
